/* Where the reductions of a statement in tensor index notation stand (einsum_expand.h).
 *
 * A reduction variable goes down the expression as long as it would otherwise repeat a term of a
 * sum that does not have it:
 *
 *     descends(x + y, v)   if x or y lacks v, or v descends into one of them
 *     descends(x * y, v)   if v is in one of them only, and descends into that
 *     descends(f(x), v)    never
 *
 * and is reduced around the expression where it stops.  Sums are flat lists of signed terms; the
 * terms that have v are grouped under one reduction; where v descends further into one of them, or
 * where groups overlap, that term gets a variable of its own.
 */
#include "einsum_expand.h"

#include "diagnostic.h"
#include "tin_ops.h"

#include <string.h>

typedef uint64_t variable_set;

static variable_set one(int variable) {
  return (variable_set)1 << variable;
}
static bool has(variable_set set, int variable) {
  return set >> variable & 1;
}

typedef struct term {
  const einsum_node *node;
  bool is_negative;
} term;

typedef struct term_list {
  int count;
  term *terms;
} term_list;

static MlirValue emit(einsum_body *body, const einsum_node *node, variable_set sums);

/*--- What has a variable -----------------------------------------------------------------------*/

static bool is_sum(const einsum_node *node) {
  return node->kind == EINSUM_ADD || node->kind == EINSUM_SUBTRACT;
}

static variable_set used(const einsum_body *body, const einsum_node *node, variable_set of) {
  variable_set set = 0;
  for (int v = 0; v < body->variable_count; v++)
    if (has(of, v) && einsum_node_uses(node, v))
      set |= one(v);
  return set;
}

static bool descends(const einsum_node *node, int v);

static bool lacks_or_descends(const einsum_node *term, int v) {
  return !einsum_node_uses(term, v) || descends(term, v);
}

static bool descends(const einsum_node *node, int v) {
  switch (node->kind) {
  case EINSUM_ADD:
  case EINSUM_SUBTRACT:
    return lacks_or_descends(node->left, v) || lacks_or_descends(node->right, v);
  case EINSUM_MULTIPLY:
  case EINSUM_DIVIDE:
    if (einsum_node_uses(node->left, v))
      return !einsum_node_uses(node->right, v) && descends(node->left, v);
    return descends(node->right, v);
  case EINSUM_NEGATE:
    return descends(node->left, v);
  default:
    return false;
  }
}

/*--- Variables of their own --------------------------------------------------------------------*/

static einsum_access *access_renamed(arena *memory, const einsum_access *access, int from, int to) {
  einsum_access *copy = ARENA_ARRAY(memory, einsum_access, 1);
  *copy = *access;
  copy->subscripts = ARENA_ARRAY(memory, einsum_subscript, access->order);
  for (int s = 0; s < access->order; s++) {
    einsum_subscript *subscript = &copy->subscripts[s];
    *subscript = access->subscripts[s];
    subscript->terms = ARENA_ARRAY(memory, einsum_term, subscript->term_count);
    for (int t = 0; t < subscript->term_count; t++) {
      subscript->terms[t] = access->subscripts[s].terms[t];
      if (subscript->terms[t].variable == from)
        subscript->terms[t].variable = to;
    }
  }
  return copy;
}

static einsum_node *node_renamed(arena *memory, const einsum_node *node, int from, int to) {
  if (!node)
    return NULL;
  einsum_node *copy = ARENA_ARRAY(memory, einsum_node, 1);
  *copy = *node;
  if (node->kind == EINSUM_ACCESS)
    copy->access = access_renamed(memory, node->access, from, to);
  copy->left = node_renamed(memory, node->left, from, to);
  copy->right = node_renamed(memory, node->right, from, to);
  return copy;
}

static bool name_is_taken(const einsum_body *body, const char *name) {
  for (int v = 0; v < body->variable_count; v++)
    if (!strcmp(body->variables[v], name))
      return true;
  return false;
}

/* A new variable named after `variable`, or -1 after a diagnostic. */
static int variable_copy(einsum_body *body, int variable) {
  if (body->variable_count == EINSUM_VARIABLE_LIMIT) {
    error_at_location(builder_location(body->b), "expected at most %d index variables and sums",
                      EINSUM_VARIABLE_LIMIT);
    return -1;
  }
  const char *name;
  int n = 1;
  do
    name = arena_format(body->memory, "%s_%d", body->variables[variable], n++);
  while (name_is_taken(body, name));
  body->variables[body->variable_count] = name;
  body->copied[body->variable_count] = body->copied[variable];
  return body->variable_count++;
}

static bool rename_in_term(einsum_body *body, term *t, int variable, variable_set *sums) {
  int copy = variable_copy(body, variable);
  if (copy < 0)
    return false;
  t->node = node_renamed(body->memory, t->node, variable, copy);
  *sums |= one(copy);
  return true;
}

/*--- Sums --------------------------------------------------------------------------------------*/

static int count_terms(const einsum_node *node) {
  return is_sum(node) ? count_terms(node->left) + 1 : 1;
}

/* a + b - c, which parses as (a + b) - c, as the list a, b, -c. */
static term_list flatten(arena *memory, const einsum_node *node) {
  term_list list = {.count = count_terms(node)};
  list.terms = ARENA_ARRAY(memory, term, list.count);
  for (int t = list.count - 1; t > 0; t--) {
    list.terms[t] = (term){.node = node->right, .is_negative = node->kind == EINSUM_SUBTRACT};
    node = node->left;
  }
  list.terms[0] = (term){.node = node};
  return list;
}

static int count_uses(const term_list *list, int v) {
  int count = 0;
  for (int t = 0; t < list->count; t++)
    count += einsum_node_uses(list->terms[t].node, v);
  return count;
}

/* How the terms that have u and those that have v lie. */
static void compare_uses(const term_list *list, int u, int v, bool *both, bool *only_u,
                         bool *only_v) {
  *both = *only_u = *only_v = false;
  for (int t = 0; t < list->count; t++) {
    bool has_u = einsum_node_uses(list->terms[t].node, u);
    bool has_v = einsum_node_uses(list->terms[t].node, v);
    *both |= has_u && has_v;
    *only_u |= has_u && !has_v;
    *only_v |= has_v && !has_u;
  }
}

static bool overlaps(const term_list *list, int u, int v) {
  bool both, only_u, only_v;
  compare_uses(list, u, v, &both, &only_u, &only_v);
  return both && only_u && only_v;
}

static bool is_inside(const term_list *list, int u, int v) {
  bool both, only_u, only_v;
  compare_uses(list, u, v, &both, &only_u, &only_v);
  return !only_u;
}

static bool separate_where_it_descends(einsum_body *body, term_list *list, int v,
                                       variable_set *sums) {
  for (int t = 0; t < list->count; t++)
    if (count_uses(list, v) > 1 && einsum_node_uses(list->terms[t].node, v) &&
        descends(list->terms[t].node, v) && !rename_in_term(body, &list->terms[t], v, sums))
      return false;
  return true;
}

static bool separate_everywhere(einsum_body *body, term_list *list, int v, variable_set *sums) {
  for (int t = 0; t < list->count; t++)
    if (count_uses(list, v) > 1 && einsum_node_uses(list->terms[t].node, v) &&
        !rename_in_term(body, &list->terms[t], v, sums))
      return false;
  return true;
}

/* Afterwards two sets of terms that have a variable each are disjoint, or one holds the other. */
static bool separate(einsum_body *body, term_list *list, variable_set *sums) {
  for (int v = 0; v < body->variable_count; v++)
    if (has(*sums, v) && !separate_where_it_descends(body, list, v, sums))
      return false;
  for (int u = 0; u < body->variable_count; u++)
    for (int v = 0; v < u; v++)
      if (has(*sums, u) && has(*sums, v) && overlaps(list, u, v) &&
          !separate_everywhere(body, list, u, sums))
        return false;
  return true;
}

static MlirValue apply(einsum_body *body, const scalar_function *function, MlirValue x,
                       MlirValue y) {
  if (mlirValueIsNull(x) || (function->arity > 1 && mlirValueIsNull(y)))
    return (MlirValue){0};
  return scalar_apply(body->b, function, (MlirValue[]){x, y});
}

static MlirValue arithmetic(einsum_body *body, const char *name, const char *symbol, MlirValue x,
                            MlirValue y) {
  if (!body->ring->is_arithmetic) {
    error_at_location(builder_location(body->b),
                      "'%s' has no meaning in a semiring other than plus_times", symbol);
    return (MlirValue){0};
  }
  return apply(body, scalar_operator_find(name), x, y);
}

static MlirValue negated(einsum_body *body, MlirValue x) {
  return arithmetic(body, "neg", "-", x, x);
}

static MlirValue accumulated(einsum_body *body, MlirValue sum, MlirValue value, bool is_negative) {
  if (mlirValueIsNull(value))
    return value;
  if (mlirValueIsNull(sum))
    return is_negative ? negated(body, value) : value;
  return is_negative ? arithmetic(body, "sub", "-", sum, value)
                     : apply(body, body->ring->plus, sum, value);
}

static MlirValue reduced(einsum_body *body, MlirValue value, variable_set over) {
  if (mlirValueIsNull(value) || !over)
    return value;
  const char *names[EINSUM_VARIABLE_LIMIT];
  int count = 0;
  for (int v = 0; v < body->variable_count; v++)
    if (has(over, v))
      names[count++] = body->variables[v];
  MlirAttribute identity = semiring_zero(body->b, body->ring, body->element);
  MlirAttribute usual = combine_identity(body->b, body->ring->plus->name, body->element);
  bool is_usual = mlirAttributeEqual(identity, usual);
  return reduce_make(body->b, body->ring->plus->name, value, count, names,
                     is_usual ? (MlirAttribute){0} : identity);
}

static MlirValue emit_terms(einsum_body *body, const term_list *list, variable_set sums);

/* The variable of `shared` in the most terms that term t has; -1 where it has none. */
static int widest_variable(const einsum_body *body, const term_list *list, int t,
                           variable_set shared) {
  int widest = -1, width = 0;
  for (int v = 0; v < body->variable_count; v++)
    if (has(shared, v) && einsum_node_uses(list->terms[t].node, v) && count_uses(list, v) > width) {
      widest = v;
      width = count_uses(list, v);
    }
  return widest;
}

/* The terms that have v under one reduction.  All negative: `*is_negative`, and they come out
 * positive. */
static MlirValue emit_group(einsum_body *body, const term_list *list, int v, variable_set sums,
                            bool *done, bool *is_negative) {
  term_list group = {.terms = ARENA_ARRAY(body->memory, term, list->count)};
  *is_negative = true;
  for (int t = 0; t < list->count; t++)
    if (einsum_node_uses(list->terms[t].node, v)) {
      group.terms[group.count++] = list->terms[t];
      *is_negative &= list->terms[t].is_negative;
      done[t] = true;
    }
  for (int t = 0; t < group.count; t++)
    group.terms[t].is_negative &= !*is_negative;
  variable_set here = 0, below = 0;
  for (int u = 0; u < body->variable_count; u++)
    if (has(sums, u) && count_uses(&group, u)) {
      if (is_inside(list, v, u))
        here |= one(u);
      else
        below |= one(u);
    }
  return reduced(body, emit_terms(body, &group, below), here);
}

static MlirValue emit_terms(einsum_body *body, const term_list *list, variable_set sums) {
  bool *done = ARENA_ARRAY(body->memory, bool, list->count);
  variable_set shared = 0;
  for (int v = 0; v < body->variable_count; v++)
    if (has(sums, v) && count_uses(list, v) > 1)
      shared |= one(v);
  MlirValue sum = {0};
  for (int t = 0; t < list->count; t++) {
    if (done[t])
      continue;
    const term *one_term = &list->terms[t];
    int v = widest_variable(body, list, t, shared);
    bool is_negative = one_term->is_negative;
    MlirValue value = v >= 0 ? emit_group(body, list, v, sums, done, &is_negative)
                             : emit(body, one_term->node, used(body, one_term->node, sums));
    sum = accumulated(body, sum, value, is_negative);
    if (mlirValueIsNull(sum))
      return sum;
  }
  return sum;
}

static MlirValue emit_sum(einsum_body *body, const einsum_node *node, variable_set sums) {
  term_list list = flatten(body->memory, node);
  if (!separate(body, &list, &sums))
    return (MlirValue){0};
  return emit_terms(body, &list, sums);
}

/*--- Accesses ----------------------------------------------------------------------------------*/

static bool subscripts_are_equal(const einsum_subscript *s, const einsum_subscript *t) {
  if (s->term_count != t->term_count || s->constant != t->constant)
    return false;
  for (int i = 0; i < s->term_count; i++)
    if (s->terms[i].variable != t->terms[i].variable ||
        s->terms[i].coefficient != t->terms[i].coefficient)
      return false;
  return true;
}

static bool accesses_are_equal(const einsum_access *a, const einsum_access *b) {
  if (a->tensor != b->tensor || a->order != b->order)
    return false;
  for (int s = 0; s < a->order; s++)
    if (!subscripts_are_equal(&a->subscripts[s], &b->subscripts[s]))
      return false;
  return true;
}

static void make_room_for_access(einsum_body *body) {
  if (body->access_count < body->access_room)
    return;
  int room = body->access_room ? 2 * body->access_room : 8;
  const einsum_access **accesses = ARENA_ARRAY(body->memory, const einsum_access *, room);
  MlirValue *values = ARENA_ARRAY(body->memory, MlirValue, room);
  for (int a = 0; a < body->access_count; a++) {
    accesses[a] = body->accesses[a];
    values[a] = body->values[a];
  }
  body->accesses = accesses;
  body->values = values;
  body->access_room = room;
}

static MlirValue emit_access(einsum_body *body, const einsum_access *access) {
  for (int a = 0; a < body->access_count; a++)
    if (accesses_are_equal(access, body->accesses[a]))
      return body->values[a];
  make_room_for_access(body);
  MlirValue argument =
      mlirBlockAddArgument(body->block, body->elements[access->tensor], builder_location(body->b));
  MlirValue value = semiring_cast(body->b, body->ring, argument, body->element);
  body->accesses[body->access_count] = access;
  body->values[body->access_count++] = value;
  return value;
}

/*--- Expressions -------------------------------------------------------------------------------*/

static MlirValue emit_call(einsum_body *body, const einsum_node *node) {
  MlirValue left = emit(body, node->left, 0);
  MlirValue right = node->right ? emit(body, node->right, 0) : left;
  return apply(body, node->function, left, right);
}

static MlirValue emit_negation(einsum_body *body, const einsum_node *node, variable_set sums) {
  if (node->left->kind == EINSUM_NUMBER)
    return scalar_number(body->b, arena_format(body->memory, "-%s", node->left->number),
                         body->element);
  return negated(body, emit(body, node->left, sums));
}

static MlirValue emit_inside(einsum_body *body, const einsum_node *node, variable_set sums) {
  switch (node->kind) {
  case EINSUM_NUMBER:
    return scalar_number(body->b, node->number, body->element);
  case EINSUM_ACCESS:
    return emit_access(body, node->access);
  case EINSUM_CALL:
    return emit_call(body, node);
  case EINSUM_NEGATE:
    return emit_negation(body, node, sums);
  case EINSUM_ADD:
  case EINSUM_SUBTRACT:
    return emit_sum(body, node, sums);
  default:
    break;
  }
  MlirValue left = emit(body, node->left, used(body, node->left, sums));
  if (mlirValueIsNull(left))
    return left;
  MlirValue right = emit(body, node->right, used(body, node->right, sums));
  if (node->kind == EINSUM_DIVIDE || mlirValueIsNull(right))
    return arithmetic(body, "div", "/", left, right);
  return semiring_times(body->b, body->ring, left, right);
}

static MlirValue emit(einsum_body *body, const einsum_node *node, variable_set sums) {
  variable_set here = 0;
  for (int v = 0; v < body->variable_count; v++)
    if (has(sums, v) && !descends(node, v))
      here |= one(v);
  return reduced(body, emit_inside(body, node, sums & ~here), here);
}

/* The previous value of the result, in front of the sum (+=). */
static const einsum_node *with_previous_value(arena *memory, const einsum *e) {
  einsum_node *previous = ARENA_ARRAY(memory, einsum_node, 1);
  previous->kind = EINSUM_ACCESS;
  previous->access = &e->result_access;
  einsum_node *sum = ARENA_ARRAY(memory, einsum_node, 1);
  sum->kind = EINSUM_ADD;
  sum->left = previous;
  sum->right = e->expression;
  return sum;
}

static variable_set reduction_variables(const einsum *e) {
  variable_set set = 0;
  for (int v = 0; v < e->variable_count; v++)
    if (einsum_node_uses(e->expression, v))
      set |= one(v);
  for (int s = 0; s < e->result_access.order; s++)
    set &= ~one(e->result_access.subscripts[s].terms[0].variable);
  return set;
}

MlirValue einsum_body_emit(einsum_body *body) {
  const einsum *e = body->statement;
  body->variables = ARENA_ARRAY(body->memory, const char *, EINSUM_VARIABLE_LIMIT);
  body->variable_count = e->variable_count;
  body->copied = ARENA_ARRAY(body->memory, int, EINSUM_VARIABLE_LIMIT);
  for (int v = 0; v < e->variable_count; v++) {
    body->variables[v] = e->variables[v];
    body->copied[v] = v;
  }
  const einsum_node *whole = e->accumulate ? with_previous_value(body->memory, e) : e->expression;
  return emit(body, whole, reduction_variables(e));
}
