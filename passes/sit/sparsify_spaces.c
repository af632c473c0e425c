/* sparsify_spaces.c - what variables in position space (passes/relations/pos.c) ask of the levels
 * that they number: each question is an operation of sit, below the position that has been reached.
 *
 * Where nothing has been reached above, since the operand has no entry there, it is as if there
 * were no positions at all: what is computed there belongs to the first piece.
 */
#include "sparsify_visit.h"

#include "cin.h"

static const tensor *tensor_of(const sparsifier *p, relation_space at) {
  return p->s->tensors[mlirBlockArgumentGetArgNumber(at.tensor)];
}

/* The iterators of the level at a variable; the first one in `*found`. */
static int find_iterators(const sparsifier *p, relation_space at, MlirValue variable,
                          const iterator **found) {
  int count = 0;
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *i = p->s->iterators.iterators[n];
    if (i->tensor != tensor_of(p, at) || i->level != at.level ||
        !mlirValueEqual(subscript_variable(&i->at), variable))
      continue;
    if (!count++)
      *found = i;
  }
  return count;
}

static const iterator *iterator_at(const sparsifier *p, relation_space at, MlirValue variable) {
  const iterator *found = NULL;
  find_iterators(p, at, variable, &found);
  return found;
}

/* ---- what has been reached ---------------------------------------------------------------- */

/* The position of an iterator, located here if that has not been done; false where it has none. */
static bool reach(sparsifier *p, const iterator *i, MlirValue *position) {
  MlirValue above = {NULL};
  *position = (MlirValue){NULL};
  if (!i)
    return true;
  *position = p->now.positions[i->number];
  if (!mlirValueIsNull(*position))
    return true;
  if (p->now.absent[i->number] || !iterator_is_located(i) ||
      !subscript_is_known(&i->at, p->graph) || !reach(p, i->parent, &above))
    return false;
  *position = sit_locate(p->b, i->tensor->value, i->level,
                         subscript_coordinate(&i->at, p->graph, p->b), above, false, i->at.padded);
  return true;
}

/* The position above the level; below several that repeat one coordinate its own are chained. */
static bool reach_above(sparsifier *p, const iterator *i, MlirValue *above) {
  if (segment_needs_scratch(p, i))
    builder_error(p->b, "not supported yet: positions below a level that repeats its coordinates");
  return reach(p, i->parent, above);
}

/* ---- questions ---------------------------------------------------------------------------- */

static MlirValue count_positions(void *owner, relation_space at) {
  sparsifier *p = owner;
  return sit_positions(p->b, tensor_of(p, at)->value, at.level, (MlirValue){NULL}).end;
}

static interval positions_below(void *owner, relation_space at, MlirValue variable) {
  sparsifier *p = owner;
  MlirValue above, zero = constant_index(p->b, 0);
  const iterator *i = iterator_at(p, at, variable);
  if (!reach_above(p, i, &above))
    return (interval){zero, zero};
  sit_interval below = sit_positions(p->b, i->tensor->value, at.level, above);
  return (interval){below.begin, below.end};
}

static MlirValue coordinate_at(void *owner, relation_space at, MlirValue variable,
                               MlirValue position) {
  sparsifier *p = owner;
  builder *b = p->b;
  MlirValue above;
  const iterator *i = iterator_at(p, at, variable);
  if (reach_above(p, i, &above))
    return sit_coordinate(b, i->tensor->value, at.level, position, above);
  MlirValue minus_one = constant_index(b, -1);
  MlirValue last = add(b, provenance_extent(p->graph, b, variable), minus_one);
  return select_value(b, less(b, position, constant_index(b, 0)), minus_one, last);
}

static MlirValue parents_before(void *owner, relation_space at, MlirValue position) {
  sparsifier *p = owner;
  return sit_parents(p->b, tensor_of(p, at)->value, at.level, position);
}

void tell_levels(sparsifier *p) {
  provenance_levels *levels = ARENA_ARRAY(p->memory, provenance_levels, 1);
  *levels = (provenance_levels){p, count_positions, positions_below, coordinate_at, parents_before};
  provenance_set_levels(p->graph, levels);
}

/* ---- derived variables -------------------------------------------------------------------- */

static bool is_subscript(intptr_t rank, const subscript *subscripts, MlirValue variable) {
  for (intptr_t d = 0; d < rank; ++d)
    if (mlirValueEqual(subscript_variable(&subscripts[d]), variable))
      return true;
  return false;
}

/* Whether a workspace is read or assigned at the variable. */
static bool is_place(const sparsifier *p, MlirValue variable) {
  for (int n = 0; n < p->s->access_count; ++n)
    if (is_subscript(p->s->accesses[n]->rank, p->s->accesses[n]->subscripts, variable))
      return true;
  for (int n = 0; n < p->s->tensor_count; ++n)
    for (int k = 0; k < p->s->tensors[n]->assignment_count; ++k) {
      const assignment *a = p->s->tensors[n]->assignments[k];
      if (is_subscript(a->rank, a->subscripts, variable))
        return true;
    }
  return false;
}

MlirValue visit_derived(sparsifier *p, const visit *w) {
  const MlirValue none = {NULL};
  MlirValue variable = w->forall->variable, position = none;
  if (w->point || mlirValueEqual(variable, w->known) ||
      !(is_place(p, variable) || provenance_is_beside(p->graph, variable)))
    return none;
  relation_space at = provenance_space(p->graph, variable);
  if (!at.is_positions)
    return provenance_derived(p->graph, p->b, variable, none);
  const iterator *i = iterator_at(p, at, w->known);
  if (i && !p->now.absent[i->number] && !p->now.maybe[i->number])
    position = p->now.positions[i->number];
  return mlirValueIsNull(position)
             ? none
             : provenance_derived(p->graph, p->b, variable, sit_ordinal(p->b, position));
}

/* ---- what must hold ----------------------------------------------------------------------- */

/* An operand's level, once, at the variable, and once each level above it. */
static bool check_numbered_level(const sparsifier *p, MlirOperation pos) {
  relation_space at = {true, cin_pos_tensor(pos), (int)cin_pos_level(pos)};
  MlirValue variable = mlirOperationGetOperand(pos, 0);
  intptr_t arguments = mlirBlockGetNumArguments(op_block(p->s->kernel, 0));
  const iterator *found = NULL;
  if (!mlirValueIsABlockArgument(at.tensor) ||
      mlirBlockArgumentGetArgNumber(at.tensor) == arguments - 1)
    return error_at(pos, "expected positions of an operand");
  if (find_iterators(p, at, variable, &found) != 1)
    return error_at(pos, "expected one access of %s whose level %d is at '%.*s'",
                    tensor_of(p, at)->name, at.level, TEXT(provenance_name(variable)));
  for (const iterator *i = found->parent; i; i = i->parent)
    if (!mlirValueEqual(subscript_variable(&i->at), mlirOperationGetOperand(pos, 2 + i->level)))
      return error_at(pos, "expected the variable of level %d of %s, found '%.*s'", i->level,
                      i->tensor->name,
                      TEXT(provenance_name(mlirOperationGetOperand(pos, 2 + i->level))));
  return true;
}

bool check_spaces(const sparsifier *p) {
  for (OPERATIONS(op, op_block(p->s->kernel, 0)))
    if (cin_is_pos(op) && !check_numbered_level(p, op))
      return false;
  return true;
}

/* Whether every point of the lattice is at an entry of the iterator. */
static bool is_everywhere(const merge_lattice *l, const iterator *i) {
  int self = l->iterator_count;
  while (self-- > 0 && l->iterators[self] != i)
    ;
  for (int n = 0; n < l->point_count; ++n)
    if (self < 0 || !set_has(l->points[n], self))
      return false;
  return !l->any && !l->whole;
}

/* What belongs to a piece is told by the entries below those of the levels above: nothing may be
 * computed where there are none. */
bool visit_check_pieces(sparsifier *p, const visit *w) {
  relation_space at;
  MlirValue above;
  if (w->compound || w->point || !provenance_position_bounds(p->graph, w->known, &at))
    return true;
  const iterator *i = iterator_at(p, at, w->known);
  if (i && (iterator_is_located(i) ? reach(p, i->parent, &above) : is_everywhere(w->lattice, i)))
    return true;
  return error_at(w->forall->op,
                  "not supported yet: expected pieces of the positions of %s inside of the forall "
                  "over '%.*s', at which something is computed where level %d has no entries",
                  tensor_of(p, at)->name, TEXT(provenance_name(w->known)), at.level);
}
