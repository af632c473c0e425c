/* copied_operand.c - the operand whose entries a result has, one for one (copied_operand.h).
 *
 * Along each variable of the levels that would be copied the operand alone is walked (the merge
 * lattice has one point, with its level), or located where all are there: so each of its entries is
 * visited, and nothing else.  The loops find it from the outermost level to the innermost, and it
 * is read in them; something is to be computed there whatever other operands have.
 */
#include "copied_operand.h"

#include "cin.h"
#include "cin_kernel.h"
#include "format_assembly.h"
#include "ir.h"
#include "merge_lattice.h"
#include "remap.h"

typedef struct copying {
  arena *memory;
  provenance *graph;
  const kernel_statement *statement;
  const assignment *assign;
  const tensor_format *format; /* of the result */
  int count;                   /* of its levels that would be copied */
} copying;

/* ---- formats ------------------------------------------------------------------------------ */

/* Whether no two entries of the levels have the same coordinates: what repeats is a list. */
static bool are_distinct(const copying *c) {
  return (c->format->levels[c->count - 1].properties & LEVEL_UNIQUE) &&
         !tensor_format_repeats_branches(c->format);
}

/* ---- what is visited ---------------------------------------------------------------------- */

static MlirValue variable_at(const copying *c, int l) {
  return level_variable(c->statement, &c->format->levels[l], c->assign->rank,
                        c->assign->subscripts);
}

/* Whether a level above is walked at the variable as well, as of B(j,j): what this one has is met
 * in a step of its own, and no lattice of both says what is visited. */
static bool is_met_again(const iterator *i, MlirValue variable) {
  for (const iterator *above = i->parent; above; above = above->parent)
    if (!iterator_is_located(above) && mlirValueEqual(subscript_variable(&above->at), variable))
      return true;
  return false;
}

/* The iterators that are walked at the variable, -1 where others may be that need it. */
static int find_walked(const copying *c, MlirValue variable, const iterator **walked) {
  int count = 0;
  const iterator_list *all = &c->statement->iterators;
  for (int n = 0; n < all->count; ++n) {
    const iterator *i = all->iterators[n];
    if (iterator_is_located(i) || !subscript_mentions(&i->at, variable))
      continue;
    if (!mlirValueEqual(subscript_variable(&i->at), variable) || is_met_again(i, variable))
      return -1;
    walked[count++] = i;
  }
  return count;
}

/* Whether at the variable exactly what the iterator has is visited. */
static bool visits_all_of(const copying *c, MlirValue variable, const iterator *i) {
  const kernel_statement *s = c->statement;
  const iterator **walked = ARENA_ARRAY(c->memory, const iterator *, s->iterators.count + 1);
  int count = find_walked(c, variable, walked);
  if (iterator_is_located(i))
    return count == 0;
  absence nothing = absence_of_nothing(c->memory, s);
  effects all = block_effects(c->memory, &s->body);
  const merge_lattice *l = count > 0 ? merge_lattice_build(&nothing, &all, count, walked, 1) : NULL;
  return l && !l->whole && l->iterator_count == 1 && l->iterators[0] == i;
}

/* The forall by which all of the levels are told, where foralls tell them from the outermost to the
 * innermost; else null. */
static MlirOperation find_telling(const copying *c, const tensor_read *read) {
  MlirOperation none = {NULL};
  op_list path = cin_path(c->memory, c->assign->op);
  int before = 0;
  for (int l = 0; l < c->count; ++l) {
    int at = cin_known_at(c->graph, path, subscript_variable(&read->iterators[l]->at), NULL);
    if (at < before)
      return none;
    before = at;
  }
  return path.count ? path.ops[before] : none;
}

/* Whether a level is read at what the result's holds, or both number entries. */
static bool is_read_there(const copying *c, const tensor_read *read, int l) {
  MlirValue own = subscript_variable(&read->iterators[l]->at), variable = variable_at(c, l);
  if (mlirValueIsNull(own) || mlirValueIsNull(variable))
    return false;
  return mlirValueEqual(own, variable) || remap_counted(c->format->levels[l].expression) >= 0;
}

/* Whether the operand's entries have it: of levels below those that are copied, something. */
static bool is_own(const tensor_read *read, const iterator *i) {
  return i->tensor == read->tensor && i == read->iterators[i->level] &&
         !mlirValueIsNull(subscript_variable(&i->at));
}

/* Whether each of the operand's entries comes to a value, where others have none too: a masked
 * product has fewer entries than its mask, if they are not blocks of full levels, which are there
 * as a whole. */
static bool needs_no_other(const copying *c, const tensor_read *read) {
  if (c->count < c->format->level_count)
    return true;
  const iterator_list *all = &c->statement->iterators;
  bool *absent = ARENA_ARRAY(c->memory, bool, all->count + 1);
  for (int n = 0; n < all->count; ++n)
    absent[n] = !iterator_is_located(all->iterators[n]) && !is_own(read, all->iterators[n]);
  absence others = absence_of_nothing(c->memory, c->statement);
  others.iterators = absent;
  return assignment_remainder(&others, c->assign);
}

static bool is_copied(const copying *c, const tensor_read *read) {
  if (read->tensor->role != TENSOR_OPERAND || read->pads || !are_distinct(c) ||
      !tensor_format_begins_alike(read->tensor->format, c->format, c->count))
    return false;
  for (int l = 0; l < c->count; ++l)
    if (!is_read_there(c, read, l) ||
        !visits_all_of(c, subscript_variable(&read->iterators[l]->at), read->iterators[l]))
      return false;
  MlirOperation telling = find_telling(c, read);
  return !mlirOperationIsNull(telling) && op_is_inside(read->op, telling) &&
         needs_no_other(c, read);
}

/* A value that nothing is reduced into is what nothing stored is. */
static bool starts_absent(const kernel_statement *s, const assignment *a) {
  return !a->kind || scalar_equal(&a->identity, &s->result->fill);
}

const tensor_read *copied_operand(arena *memory, provenance *graph, const kernel_statement *s) {
  const tensor *result = s->result;
  const assignment *a = result->assignment_count == 1 ? result->assignments[0] : NULL;
  int count = tensor_format_copied_levels(result->format);
  copying c = {memory, graph, s, a, result->format, count};
  if (!a || !count || !starts_absent(s, a) || statement_op_drops_zeros(s->kernel))
    return NULL;
  for (int n = 0; n < s->access_count; ++n)
    if (is_copied(&c, s->accesses[n]))
      return s->accesses[n];
  return NULL;
}
