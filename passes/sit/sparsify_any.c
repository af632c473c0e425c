/* sparsify_any.c - merges whose lattice would be large: one body for all of its points.
 *
 *     a(i) + b(i) + ... + l(i)            2^12 - 1 points, or
 *
 *     sit.coiterate %a, %b, ... any {     at each coordinate that some have
 *     case (0, 1, ...) as (%i, %pa, ...)
 *       %v = sit.present %pa ? sit.value %a at %pa : 0
 *       ...
 *
 * so that code grows with the operands, not with their subsets; below an operand that has no entry
 * there are none, so that what walks inside does not multiply either.
 *
 * What an expression is without some of its operands is told as the lattice tells it, by
 * simplification: an operand that annihilates an operator when it is absent (0 * x) takes the
 * operator's value with it, whatever the others are; where all have to be absent for a constant to
 * be left, one that is there is enough.  The body runs where something remains to be computed.
 */
#include "sparsify_visit.h"

#include <string.h>

/* A lattice may have this many points at one variable. */
enum { POINTS_AT_ONCE = 32 };

static const MlirValue none = {NULL};

/* ---- whether ------------------------------------------------------------------------------ */

static bool is_below(const iterator *i, const iterator *above) {
  for (; i; i = i->parent)
    if (i == above)
      return true;
  return false;
}

static bool is_below_walk(const visit *w, const iterator *i) {
  for (int n = 0; n < w->candidate_count; ++n)
    if (is_below(i, w->candidates[n]))
      return true;
  return false;
}

/* How many levels, one below the other, are walked from the walk on down one operand. */
static int walked_depth(const sparsifier *p, const visit *w) {
  usage used = usage_of(p, &w->all);
  int deepest = 1;
  for (int n = 0; n < p->s->iterators.count; ++n) {
    int depth = 0;
    const iterator *i = p->s->iterators.iterators[n];
    for (; used.iterators[n] && is_below_walk(w, i); i = i->parent)
      depth += !iterator_is_located(i);
    deepest = depth > deepest ? depth : deepest;
  }
  return deepest;
}

/* Triangles bound what is visited. */
static bool has_triangle(const visit *w) {
  for (int n = 0; n < w->candidate_count; ++n)
    if (iterator_has_triangle(w->candidates[n]))
      return true;
  return false;
}

/* Lanes, and threads that are dealt places, read without conditions. */
static bool can_be_any(const sparsifier *p, const visit *w) {
  return w->candidate_count > 1 && !w->dealt && !p->now.on_lanes && !has_triangle(w);
}

static int most_points(const sparsifier *p, const visit *w) {
  int most = p->cases_down / p->now.cases, points = 1;
  for (int depth = walked_depth(p, w); points <= POINTS_AT_ONCE; ++points) {
    int all = 1;
    for (int d = 0; d < depth && all <= most; ++d)
      all *= points + 1;
    if (all > most)
      break;
  }
  return points < POINTS_AT_ONCE ? points : POINTS_AT_ONCE;
}

void visit_choose_lattice(sparsifier *p, visit *w) {
  absence here = absence_here(p);
  w->dealt = !w->point && forall_deals_places(p, w->forall);
  bool any = can_be_any(p, w);
  int most = any ? most_points(p, w) : MERGE_LATTICE_MOST_POINTS;
  w->lattice = merge_lattice_build(&here, &w->all, w->candidate_count, w->candidates, most);
  if (!w->lattice && any)
    w->lattice = merge_lattice_of_any(&here, &w->all, w->candidate_count, w->candidates);
}

/* ---- presence ----------------------------------------------------------------------------- */

/* What an expression may be nothing of: it is its constant (always, where `is`; or unless `there`;
 * or never). */
typedef enum presence_kind { NOT_ASKED, IS_CONSTANT, IS_MAYBE, IS_THERE } presence_kind;
typedef struct presence {
  presence_kind kind;
  MlirValue there; /* i1, IS_MAYBE */
  const expression *constant;
} presence;

/* What is told at one place of the code: of expressions, by number. */
struct presences {
  sparsifier *p;
  absence here, nothing; /* and where nothing is there that may be absent */
  presence *of;
};

static const presence always = {.kind = IS_THERE};

presences *presences_begin(sparsifier *p) {
  presences *q = ARENA_ARRAY(p->memory, presences, 1);
  int iterators = p->s->iterators.count;
  bool *absent = ARENA_ARRAY(p->memory, bool, iterators + 1);
  for (int n = 0; n < iterators; ++n)
    absent[n] = p->now.absent[n] || p->now.maybe[n];
  *q = (presences){.p = p,
                   .here = absence_here(p),
                   .nothing = absence_here(p),
                   .of = ARENA_ARRAY(p->memory, presence, p->s->expressions->count + 1)};
  q->nothing.iterators = absent;
  q->here.done = expression_memory(&q->here);
  q->nothing.done = expression_memory(&q->nothing);
  return q;
}

/* The deepest iterator whose position is known, or NULL. */
static const iterator *deepest(const sparsifier *p, const tensor_read *a) {
  const iterator *found = NULL;
  for (int k = 0; k < a->tensor->format->level_count; ++k)
    if (!mlirValueIsNull(p->now.positions[a->iterators[k]->number]))
      found = a->iterators[k];
  return found;
}

MlirValue access_present(sparsifier *p, const tensor_read *a) {
  const iterator *i = p->now.maybe_count ? deepest(p, a) : NULL;
  return i && p->now.maybe[i->number] ? sit_present(p->b, p->now.positions[i->number]) : none;
}

/* A workspace still to be produced stands for what its producers assign. */
static bool is_open(const presences *q, const expression *e) {
  const tensor *t = e->kind == EXPRESSION_ACCESS ? e->access->tensor : NULL;
  return t && t->role == TENSOR_WORKSPACE && !q->p->now.produced[t->number];
}

static int part_count(const presences *q, const expression *e) {
  return is_open(q, e) ? e->access->tensor->assignment_count : e->count;
}

static const expression *part_of(const presences *q, const expression *e, int n) {
  return is_open(q, e) ? e->access->tensor->assignments[n]->value : e->operands[n];
}

static MlirValue joined(const presences *q, MlirValue x, MlirValue y, bool all) {
  if (mlirValueIsNull(x))
    return y;
  return all ? and_i(q->p->b, x, y) : or_i(q->p->b, x, y);
}

static bool annihilates(const expression *e, int n, const expression *constant) {
  return (constant->absent || type_is_integer(constant->type)) &&
         algebra_operator_annihilates(e->rule, n, &constant->constant);
}

/* Whether all of the operands are there that annihilate the operator. */
static presence annihilated(const presences *q, const expression *e) {
  presence found = always;
  for (int n = 0; e->kind == EXPRESSION_OPERATION && n < e->count; ++n) {
    const presence *operand = &q->of[e->operands[n]->number];
    if (operand->kind == IS_MAYBE && annihilates(e, n, operand->constant))
      found = (presence){IS_MAYBE, joined(q, found.there, operand->there, true), operand->constant};
  }
  return found;
}

/* Whether some part is there, where without any there is a constant. */
static presence some_there(const presences *q, const expression *e) {
  presence found = {.kind = IS_MAYBE, .constant = expression_simplify(&q->nothing, e)};
  if (found.constant->kind != EXPRESSION_CONSTANT)
    return always;
  for (int n = 0; n < part_count(q, e); ++n) {
    const presence *part = &q->of[part_of(q, e, n)->number];
    if (part->kind == IS_THERE)
      return always;
    if (part->kind == IS_MAYBE)
      found.there = joined(q, found.there, part->there, false);
  }
  return mlirValueIsNull(found.there) ? always : found;
}

static presence presence_of_read(const presences *q, const expression *e) {
  MlirValue there = access_present(q->p, e->access);
  const expression *nothing = expression_simplify(&q->nothing, e);
  return mlirValueIsNull(there) || nothing->kind != EXPRESSION_CONSTANT
             ? always
             : (presence){IS_MAYBE, there, nothing};
}

/* Given those of its parts. */
static presence presence_of_new(const presences *q, const expression *e) {
  const expression *left = expression_simplify(&q->here, e);
  if (left->kind == EXPRESSION_CONSTANT)
    return (presence){.kind = IS_CONSTANT, .constant = left};
  if (e->kind == EXPRESSION_SCALAR || e->kind == EXPRESSION_TEMPORARY ||
      e->kind == EXPRESSION_PADDING)
    return always;
  if (e->kind == EXPRESSION_ACCESS && !is_open(q, e))
    return presence_of_read(q, e);
  presence found = annihilated(q, e);
  return found.kind == IS_MAYBE ? found : some_there(q, e);
}

/* Parts are numbered before what they are parts of. */
static presence presence_of(presences *q, const expression *e) {
  const expression_table *table = q->p->s->expressions;
  bool *wanted = ARENA_ARRAY(q->p->memory, bool, e->number + 1);
  wanted[e->number] = true;
  for (int n = e->number; n >= 0; --n)
    for (int k = 0; wanted[n] && !q->of[n].kind && k < part_count(q, table->all[n]); ++k)
      wanted[part_of(q, table->all[n], k)->number] = true;
  for (int n = 0; n <= e->number; ++n)
    if (wanted[n] && !q->of[n].kind)
      q->of[n] = presence_of_new(q, table->all[n]);
  return q->of[e->number];
}

/* An identity that is absent leaves the other operand as it is. */
static MlirValue other_than_absent(const presences *q, const expression *e,
                                   const MlirValue *operands, MlirValue value) {
  for (int n = 0; e->count == 2 && n < 2; ++n) {
    const presence *operand = &q->of[e->operands[n]->number];
    if (operand->kind == IS_MAYBE &&
        algebra_operator_is_identity(e->rule, n, &operand->constant->constant))
      value = select_value(q->p->b, operand->there, value, operands[1 - n]);
  }
  return value;
}

MlirValue value_where_present(presences *q, const expression *e, const MlirValue *operands,
                              MlirValue value) {
  for (int n = 0; n < e->count; ++n)
    if (!q->of[e->operands[n]->number].kind)
      presence_of(q, e->operands[n]);
  q->of[e->number] = presence_of_new(q, e);
  presence found = annihilated(q, e);
  if (found.kind != IS_MAYBE)
    return other_than_absent(q, e, operands, value);
  return select_value(q->p->b, found.there, value, scalar_emit(q->p->b, &found.constant->constant));
}

MlirValue effects_present(sparsifier *p, const effects *all) {
  presences *q = p->now.maybe_count ? presences_begin(p) : NULL;
  MlirValue some = none;
  for (int n = 0; q && n < all->count; ++n) {
    const assignment *a = all->assignments[n];
    if (!assignment_remainder(&q->here, a))
      continue;
    presence found = presence_of(q, a->value);
    if (found.kind != IS_MAYBE || assignment_remainder(&q->nothing, a))
      return none;
    some = joined(q, some, found.there, false);
  }
  return some;
}
