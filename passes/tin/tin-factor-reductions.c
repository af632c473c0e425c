/* tin-factor-reductions.c - what a sum does not go over is taken out of it (the distributive law).
 *
 *     Y(i,l) = sum_j,k A(i,j) * B(i,k) * C(j,k) * D(j,l)
 *
 *     Y(i,l) = sum_j A(i,j) * D(j,l) * (sum_k B(i,k) * C(j,k))
 *
 * The loops of the first are i, j, k, l in some order; those of the second i, j, and inside of
 * these one over k and then one over l.  It is done where the loops are estimated to take many
 * times less, for one variable after the other, and never to what is stored sparsely: a sum of no
 * entries is there, where there was nothing before.
 *
 * A schedule is about the statement as it is written, and keeps it so.
 */
#include "algebra.h"
#include "bridge.h"
#include "ir.h"
#include "nest_split.h"
#include "statistics.h"
#include "tin.h"
#include "tin_ops.h"
#include "value_map.h"

#include <mlir-c/BuiltinAttributes.h>

#include <math.h>

/* How many times less the loops must take: more than the same loops in another order, or on lanes,
 * so that some loop is no longer around another. */
static const double worth_a_sum = 16;

/* A tin.reduce over a chain of one operator: of a * b * c the three parts. */
typedef struct product {
  MlirOperation reduce;
  MlirStringRef op; /* that makes the chain */
  int count;
  MlirValue *parts;
  variable_set *variables; /* that each part's accesses are of, or it reduces over */
  bool *is_stored;         /* and whether all that those read is stored */
  int link_count;
  MlirOperation *links; /* the operations of the chain, users before what they use */
} product;

/*--- What is reduced ---------------------------------------------------------------------------*/

/* By both operands of what is reduced: a product, and no negation. */
static bool reduces_by_law(MlirOperation reduce, MlirOperation last) {
  tin_reduction kind = tin_reduce_kind(reduce);
  return mlirAttributeIsNull(tin_reduce_identity(reduce)) &&
         mlirOperationGetNumOperands(last) == 2 && algebra_distributes(kind, op_name(last), 0) &&
         algebra_distributes(kind, op_name(last), 1);
}

static bool is_link(const product *p, MlirValue value) {
  MlirOperation op = value_owner(value);
  if (mlirOperationIsNull(op) || !mlirStringRefEqual(op_name(op), p->op))
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

/* Takes what is reduced apart, as deep as the chain may be. */
static void take_chain(product *p, const statement *s, MlirValue value) {
  int room = 1;
  for (OPERATIONS(op, mlirOperationGetBlock(p->reduce)))
    ++room;
  MlirValue *open = ARENA_ARRAY(s->memory, MlirValue, room + 1);
  p->parts = ARENA_ARRAY(s->memory, MlirValue, room + 1);
  p->links = ARENA_ARRAY(s->memory, MlirOperation, room);
  open[0] = value;
  for (int count = 1; count > 0;) {
    MlirValue next = open[--count];
    if (!is_link(p, next)) {
      p->parts[p->count++] = next;
      continue;
    }
    p->links[p->link_count] = value_owner(next);
    for (int n = 2; n-- > 0;)
      open[count++] = mlirOperationGetOperand(p->links[p->link_count], n);
    ++p->link_count;
  }
}

static int variable_named(const statement *s, MlirStringRef name) {
  int v = 0;
  while (v < s->variable_count && !text_is(name, s->variables[v]))
    ++v;
  return v;
}

static bool is_argument(MlirValue value, void *data) {
  (void)data;
  return mlirValueIsABlockArgument(value);
}

static void read_part(product *p, const statement *s, int part) {
  value_list all = values_in_order(s->memory, p->parts[part], is_argument, NULL);
  p->is_stored[part] = true;
  for (int n = 0; n < all.count; ++n) {
    if (!mlirValueIsABlockArgument(all.values[n]))
      continue;
    const access *a = &s->accesses[mlirBlockArgumentGetArgNumber(all.values[n])];
    set_add(s->memory, &p->variables[part], a->variables);
    p->is_stored[part] &= tensor_format_is_dense(a->format);
  }
}

/* False where the reduction distributes over no chain. */
static bool product_read(product *p, const statement *s, MlirOperation reduce) {
  MlirValue value = tin_reduce_value(reduce);
  MlirOperation last = value_owner(value);
  *p = (product){.reduce = reduce};
  if (mlirOperationIsNull(last) || !reduces_by_law(reduce, last))
    return false;
  p->op = op_name(last);
  take_chain(p, s, value);
  p->variables = ARENA_ARRAY(s->memory, variable_set, p->count);
  p->is_stored = ARENA_ARRAY(s->memory, bool, p->count);
  for (int n = 0; n < p->count; ++n)
    read_part(p, s, n);
  return true;
}

/*--- Which sum ---------------------------------------------------------------------------------*/

/* Whether the sum over `variable` alone is one of stored values, which some part beside it is of
 * more than. */
static bool is_candidate(const product *p, const statement *s, int variable) {
  variable_set inside = set_empty(), outside = set_empty();
  bool is_stored = true;
  int count = 0;
  for (int n = 0; n < p->count; ++n) {
    bool is_of = set_has(p->variables[n], variable);
    set_add(s->memory, is_of ? &inside : &outside, p->variables[n]);
    is_stored &= !is_of || p->is_stored[n];
    count += is_of;
  }
  return count && is_stored && !set_within(outside, inside);
}

/*--- Factoring ---------------------------------------------------------------------------------*/

static MlirValue apply(builder *b, MlirStringRef op, MlirValue x, MlirValue y) {
  MlirValue operands[] = {x, y};
  MlirType type = mlirValueGetType(y);
  return mlirValueIsNull(x) ? y : op_result(make_op(b, op.data, 2, operands, 1, &type, 0, NULL), 0);
}

static MlirValue reduce_over(builder *b, const product *p, const statement *s, MlirValue value,
                             int variable, bool all_but) {
  int count = 0;
  const char **names = ARENA_ARRAY(s->memory, const char *, s->variable_count + 1);
  for (intptr_t n = 0; n < tin_reduce_variable_count(p->reduce); ++n) {
    int v = variable_named(s, tin_reduce_variable(p->reduce, n));
    if ((v == variable) != all_but)
      names[count++] = s->variables[v];
  }
  return count ? reduce_make(b, tin_reduce_kind(p->reduce), value, count, names,
                             (MlirAttribute){NULL})
               : value;
}

static void erase(const product *p) {
  mlirOperationDestroy(p->reduce);
  for (int n = 0; n < p->link_count; ++n)
    mlirOperationDestroy(p->links[n]);
}

/* The sum of what is of the variable; with it, what changes no more often than it; the rest. */
static MlirValue factored(builder *b, const product *p, const statement *s, int variable) {
  variable_set inside = set_empty();
  MlirValue value = {NULL};
  for (int n = 0; n < p->count; ++n)
    if (set_has(p->variables[n], variable)) {
      set_add(s->memory, &inside, p->variables[n]);
      value = apply(b, p->op, value, p->parts[n]);
    }
  value = reduce_over(b, p, s, value, variable, false);
  op_set(value_owner(value), "factored", mlirUnitAttrGet(builder_context(b)));
  for (int rest = 0; rest < 2; ++rest)
    for (int n = 0; n < p->count; ++n)
      if (!set_has(p->variables[n], variable) && set_within(p->variables[n], inside) != rest)
        value = apply(b, p->op, value, p->parts[n]);
  return reduce_over(b, p, s, value, variable, true);
}

static void factor(const product *p, const statement *s, int variable) {
  builder *b = builder_create(mlirOperationGetContext(s->op), mlirOperationGetLocation(p->reduce));
  builder_before(b, p->reduce);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(p->reduce, 0), factored(b, p, s, variable));
  erase(p);
  builder_free(b);
}

/*--- Statements --------------------------------------------------------------------------------*/

/* A way to factor: number `reduce` of the operation's reductions, for one variable. */
typedef struct way {
  int reduce, variable;
  double cost;
} way;

static MlirOperation copy_of(MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, copy);
  return copy;
}

/* What the loops take, those of a sum that is computed before among them; INFINITY where there are
 * none. */
static double cost_of(const statement *s) {
  conversion_plan plan = {.found = false};
  if (s)
    nest_split_choose(s, &plan);
  return plan.found ? plan.cost : INFINITY;
}

/* What the loops of the operation would take so factored: of a copy that is made for that alone. */
static double cost_of_way(arena *memory, MlirOperation op, const way *w) {
  MlirOperation copy = copy_of(op);
  const statement *s = statement_create(memory, copy);
  product p;
  double cost = INFINITY;
  if (s && product_read(&p, s, ops_below(memory, copy, tin_is_reduce).ops[w->reduce])) {
    factor(&p, s, w->variable);
    cost = cost_of(statement_create(memory, copy));
  }
  mlirOperationDestroy(copy);
  return cost;
}

/* The best way, of those that the formats allow; `cost` is INFINITY where there is none. */
static way find_way(const statement *s) {
  way best = {.cost = INFINITY};
  op_list reduces = ops_below(s->memory, s->op, tin_is_reduce);
  product p;
  for (int n = 0; n < reduces.count; ++n) {
    if (!product_read(&p, s, reduces.ops[n]))
      continue;
    for (intptr_t m = 0; m < tin_reduce_variable_count(p.reduce); ++m) {
      way w = {n, variable_named(s, tin_reduce_variable(p.reduce, m)), INFINITY};
      if (is_candidate(&p, s, w.variable))
        w.cost = cost_of_way(s->memory, s->op, &w);
      if (w.cost < best.cost)
        best = w;
    }
  }
  return best;
}

/* Factors once; false where that does not pay. */
static bool factor_once(arena *memory, MlirOperation op) {
  const statement *s = statement_create(memory, op);
  if (!s || !nest_split_is_comparable(s))
    return false;
  way best = find_way(s);
  product p;
  if (best.cost == INFINITY || best.cost * worth_a_sum >= cost_of(s) ||
      !product_read(&p, s, ops_below(memory, op, tin_is_reduce).ops[best.reduce]))
    return false;
  factor(&p, s, best.variable);
  statistic_add(STATISTIC_REDUCTIONS_FACTORED, 1);
  return true;
}

static bool may_be_factored(MlirOperation op, bool strict) {
  MlirType element = element_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return !op_has(op, "schedule") && !op_has(op, "subscripts") &&
         !(strict && !type_is_integer(element));
}

int tin_factor_reductions_run(MlirOperation root,
                              const struct tin_factor_reductions_options *options) {
  arena *memory = arena_create();
  op_list found = ops_below(memory, root, tin_is_compute);
  for (int n = 0; n < found.count; ++n)
    while (may_be_factored(found.ops[n], options->strict) && factor_once(memory, found.ops[n]))
      continue;
  arena_free(memory);
  return 0;
}
