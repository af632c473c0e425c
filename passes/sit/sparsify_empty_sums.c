/* sparsify_empty_sums.c - sums that may be of nothing: what is stored nowhere else, as an entry of
 * its own, is not for them.
 *
 *     C(i,j) = A(i,k) * B(k,j)     by i, j and k, with A by rows, B by columns, C sparse
 *
 *       %t = sit.var 0
 *       %any = sit.var false
 *       sit.coiterate %A level 1 ..., %B level 1 ... named "k" {
 *         %t += ...
 *         sit.set %any, true
 *       }
 *       scf.if %any {
 *         append j to %C, with %t
 *       }
 *
 * So which entries a result has does not depend on the order of the loops.  A sum needs no %any
 * where something comes to it whatever other operands have: at coordinates that are all stored,
 * or in a level below an entry, which would not be one without.
 *
 * In C = t + u, t complete before u is, an entry is where anything came to either: the %any of t is
 * kept until there is that of u.
 */
#include "sparsify_visit.h"

#include "cin.h"

/* The only assignment of the code, where that is outside of foralls, but for what is produced for
 * it; else NULL. */
static const assignment *only_assignment(const block *code) {
  const index_statement *at = code->count == 1 ? code->statements[0] : NULL;
  while (at && at->kind == STATEMENT_WHERE)
    at = at->body.count == 1 ? at->body.statements[0] : NULL;
  return at && at->kind == STATEMENT_ASSIGNMENT ? at->assignment : NULL;
}

/* Whether an assignment makes an entry that the target does not have else, or is something that
 * comes to a sum of which that is asked. */
static bool makes_entry(const sparsifier *p, const assignment *a) {
  const tensor *t = a->target;
  if (t->role == TENSOR_WORKSPACE && t->format->order == 0)
    return !mlirValueIsNull(t->any);
  if (t->role == TENSOR_WORKSPACE)
    return !tensor_in_registers(t) && t->format->levels[0].format->capabilities & LEVEL_WORKSPACE;
  return !p->copied && p->now.placed_count < result_level_count(p) &&
         !result_fills(p, result_level_count(p) - 1);
}

/* Whether a forall of the code goes through the variable, and not through parts of it. */
static bool goes_through(const block *code, MlirValue variable) {
  for (int n = 0; n < code->count; ++n) {
    const index_statement *at = code->statements[n];
    if (at->kind == STATEMENT_FORALL && mlirValueEqual(at->variable, variable))
      return true;
    if (goes_through(&at->body, variable) || goes_through(&at->producer, variable))
      return true;
  }
  return false;
}

/* Whether another iterator has a say in where the variable goes. */
static bool meets_other(const sparsifier *p, const iterator *i, MlirValue variable) {
  for (int n = 0; n < p->s->iterators.count; ++n) {
    const iterator *other = p->s->iterators.iterators[n];
    if (other != i && !iterator_is_located(other) && subscript_mentions(&other->at, variable))
      return true;
  }
  return false;
}

/* Whether the iterator has an entry wherever the one above has, and the code comes to it. */
static bool has_some(const sparsifier *p, const block *code, const iterator *i) {
  MlirValue variable = subscript_variable(&i->at);
  return !mlirValueIsNull(variable) && !iterator_is_searched(i) && !iterator_has_triangle(i) &&
         i->parent && !iterator_is_full(i->parent) && goes_through(code, variable) &&
         !meets_other(p, i, variable);
}

/* Which iterators may have no entry where the code stands, by number: parents come first.  Those
 * whose positions may be none are only told in code for any of them (sparsify_any.c): `unsure` is
 * what is taken of them. */
static const bool *without(const sparsifier *p, const block *code, bool unsure) {
  const iterator_list *all = &p->s->iterators;
  bool *missing = ARENA_ARRAY(p->memory, bool, all->count + 1);
  for (int n = 0; n < all->count; ++n) {
    const iterator *i = all->iterators[n];
    bool above = !i->parent || !missing[i->parent->number];
    bool here = !mlirValueIsNull(p->now.positions[n]) && !(unsure && p->now.maybe[n]);
    bool there = above && (here || iterator_is_located(i) || has_some(p, code, i));
    missing[n] = p->now.absent[n] || !there;
  }
  return missing;
}

/* Whether nothing is left of the code's assignment where nothing comes to the sums that are not
 * `complete` (by tensor number). */
static bool vanishes(const sparsifier *p, const block *code, const bool *complete, bool unsure) {
  absence nothing = absence_here(p);
  nothing.iterators = without(p, code, unsure);
  nothing.produced = complete;
  return !assignment_remainder(&nothing, only_assignment(code));
}

/* What has been produced, as `complete`: without sums that may be empty all the same. */
static bool *complete_here(const sparsifier *p) {
  bool *complete = ARENA_ARRAY(p->memory, bool, p->s->tensor_count + 1);
  for (int n = 0; n < p->s->tensor_count; ++n)
    complete[n] = p->now.produced[n] && mlirValueIsNull(p->s->tensors[n]->any);
  return complete;
}

bool sum_may_be_empty(const sparsifier *p, const block *code) {
  const assignment *a = only_assignment(code);
  return a && makes_entry(p, a) && vanishes(p, code, complete_here(p), true);
}

/* Whether nothing may come to the sum itself. */
static bool may_be_nothing(const sparsifier *p, const index_statement *where) {
  block code = {1, &where};
  absence nothing = absence_here(p);
  nothing.iterators = without(p, &code, true);
  effects all = block_effects(p->memory, &where->producer);
  return effects_vanish(&nothing, &all);
}

void sum_begin(sparsifier *p, const index_statement *where, tin_reduction on_threads) {
  block code = {1, &where};
  where->workspace->any = (MlirValue){NULL};
  if (sum_may_be_empty(p, &code) && may_be_nothing(p, where))
    where->workspace->any =
        sit_var(p->b, constant_bool(p->b, false), on_threads ? TIN_OR : TIN_NO_REDUCTION);
}

void sum_add(sparsifier *p, const tensor *sum) {
  if (!mlirValueIsNull(sum->any))
    sit_set(p->b, sum->any, constant_bool(p->b, true));
}

/* Whether there is no entry without the sum, whatever comes to those that its consumer produces. */
static bool is_needed(const sparsifier *p, const index_statement *where) {
  block code = {1, &where};
  bool *complete = ARENA_ARRAY(p->memory, bool, p->s->tensor_count + 1);
  for (int n = 0; n < p->s->tensor_count; ++n)
    complete[n] = p->now.produced[n];
  for (const index_statement *at = where; at->kind == STATEMENT_WHERE; at = at->body.statements[0])
    complete[at->workspace->number] = at != where;
  return vanishes(p, &code, complete, false);
}

MlirValue sum_came(sparsifier *p, const index_statement *where) {
  MlirValue any = where->workspace->any;
  if (mlirValueIsNull(any) || !is_needed(p, where))
    return (MlirValue){NULL};
  where->workspace->any = (MlirValue){NULL};
  return sit_get(p->b, any);
}

MlirValue sums_came(sparsifier *p, const block *code) {
  MlirValue came = {NULL};
  const assignment *a = only_assignment(code);
  if (!a || code->statements[0]->kind != STATEMENT_ASSIGNMENT || !makes_entry(p, a) ||
      !vanishes(p, code, complete_here(p), false))
    return came;
  for (int n = 0; n < p->s->tensor_count; ++n) {
    tensor *sum = p->s->tensors[n];
    bool is_here = p->now.produced[n] && !mlirValueIsNull(sum->any); /* not of another case */
    if (!is_here || !expression_reads(p->s->expressions, a->value, sum))
      continue;
    MlirValue any = sit_get(p->b, sum->any);
    came = came.ptr ? or_i(p->b, came, any) : any;
    sum->any = (MlirValue){NULL};
  }
  return came;
}
