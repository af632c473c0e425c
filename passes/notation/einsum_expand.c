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
#include "ir.h"
#include "remap.h"
#include "tin_ops.h"
#include "variable_set.h"

#include <mlir-c/BuiltinTypes.h>

#include <string.h>

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
  return set_common(body->memory, node->variables, of);
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

/* Goes down the left side, which may be long, in a loop. */
static einsum_node *node_renamed(arena *memory, const einsum_node *node, int from, int to) {
  einsum_node *whole = NULL, **place = &whole;
  int count = 0, room = 0;
  einsum_node **made = NULL;
  for (; node; node = node->left, place = &(*place)->left) {
    einsum_node *copy = ARENA_ARRAY(memory, einsum_node, 1);
    *copy = *node;
    if (node->kind == EINSUM_ACCESS)
      copy->access = access_renamed(memory, node->access, from, to);
    if (node->right)
      copy->right = node_renamed(memory, node->right, from, to);
    if (node->third)
      copy->third = node_renamed(memory, node->third, from, to);
    if (count == room) {
      einsum_node **more = ARENA_ARRAY(memory, einsum_node *, room ? 2 * room : 8);
      for (int n = 0; n < count; n++)
        more[n] = made[n];
      room = room ? 2 * room : 8;
      made = more;
    }
    made[count++] = *place = copy;
  }
  while (count)
    einsum_node_note(memory, made[--count]);
  return whole;
}

static bool name_is_taken(const einsum_body *body, const char *name) {
  for (int v = 0; v < body->variable_count; v++)
    if (!strcmp(body->variables[v], name))
      return true;
  return false;
}

static void make_room_for_variable(einsum_body *body) {
  int count = body->variable_count;
  if (count < body->variable_room)
    return;
  body->variable_room = 2 * count + 16;
  const char **variables = ARENA_ARRAY(body->memory, const char *, body->variable_room);
  int *copied = ARENA_ARRAY(body->memory, int, body->variable_room);
  for (int v = 0; v < count; v++) {
    variables[v] = body->variables[v];
    copied[v] = body->copied[v];
  }
  body->variables = variables;
  body->copied = copied;
}

/* A new variable named after `variable`. */
static int variable_copy(einsum_body *body, int variable) {
  make_room_for_variable(body);
  const char *name;
  int n = 1;
  do
    name = arena_format(body->memory, "%s_%d", body->variables[variable], n++);
  while (name_is_taken(body, name));
  body->variables[body->variable_count] = name;
  body->copied[body->variable_count] = body->copied[variable];
  return body->variable_count++;
}

static void rename_in_term(einsum_body *body, term *t, int variable, variable_set *sums) {
  int copy = variable_copy(body, variable);
  t->node = node_renamed(body->memory, t->node, variable, copy);
  set_insert(body->memory, sums, copy);
}

/*--- Sums --------------------------------------------------------------------------------------*/

static int count_terms(const einsum_node *node) {
  int count = 1;
  for (; is_sum(node); node = node->left)
    count++;
  return count;
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

static void separate_where_it_descends(einsum_body *body, term_list *list, int v,
                                       variable_set *sums) {
  for (int t = 0; t < list->count; t++)
    if (einsum_node_uses(list->terms[t].node, v) && einsum_node_descends(list->terms[t].node, v) &&
        count_uses(list, v) > 1)
      rename_in_term(body, &list->terms[t], v, sums);
}

static void separate_everywhere(einsum_body *body, term_list *list, int v, variable_set *sums) {
  for (int t = 0; t < list->count; t++)
    if (einsum_node_uses(list->terms[t].node, v) && count_uses(list, v) > 1)
      rename_in_term(body, &list->terms[t], v, sums);
}

/* Afterwards two sets of terms that have a variable each are disjoint, or one holds the other. */
static void separate(einsum_body *body, term_list *list, variable_set *sums) {
  for (int v = 0; v < body->variable_count; v++)
    if (set_has(*sums, v))
      separate_where_it_descends(body, list, v, sums);
  for (int u = 0; u < body->variable_count; u++)
    for (int v = 0; v < u; v++)
      if (set_has(*sums, u) && set_has(*sums, v) && overlaps(list, u, v))
        separate_everywhere(body, list, u, sums);
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

static MlirValue make_reduction(einsum_body *body, MlirValue value, variable_set over) {
  const char **names = ARENA_ARRAY(body->memory, const char *, body->variable_count + 1);
  int count = 0;
  for (int v = 0; v < body->variable_count; v++)
    if (set_has(over, v))
      names[count++] = body->variables[v];
  MlirAttribute identity = semiring_zero(body->b, body->ring, body->element);
  MlirAttribute usual = combine_identity(body->b, semiring_reduction(body->ring), body->element);
  bool is_usual = mlirAttributeEqual(identity, usual);
  return reduce_make(body->b, semiring_reduction(body->ring), value, count, names,
                     is_usual ? (MlirAttribute){0} : identity);
}

static MlirValue reduced(einsum_body *body, MlirValue value, variable_set over) {
  return mlirValueIsNull(value) || set_is_empty(over) ? value : make_reduction(body, value, over);
}

static MlirValue emit_terms(einsum_body *body, const term_list *list, variable_set sums);

/* The variable of `shared` in the most terms that term t has; -1 where it has none. */
static int widest_variable(const einsum_body *body, const einsum_node *node, variable_set shared,
                           const int *widths) {
  int widest = -1;
  for (int v = 0; v < body->variable_count; v++)
    if (set_has(node->variables, v) && set_has(shared, v) &&
        (widest < 0 || widths[v] > widths[widest]))
      widest = v;
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
  variable_set here = set_empty(), below = set_empty();
  for (int u = 0; u < body->variable_count; u++)
    if (set_has(sums, u) && count_uses(&group, u))
      set_insert(body->memory, is_inside(list, v, u) ? &here : &below, u);
  return reduced(body, emit_terms(body, &group, below), here);
}

static MlirValue emit_terms(einsum_body *body, const term_list *list, variable_set sums) {
  bool *done = ARENA_ARRAY(body->memory, bool, list->count);
  int *widths = ARENA_ARRAY(body->memory, int, body->variable_count + 1);
  variable_set shared = set_empty();
  for (int v = 0; v < body->variable_count; v++) {
    widths[v] = set_has(sums, v) ? count_uses(list, v) : 0;
    if (widths[v] > 1)
      set_insert(body->memory, &shared, v);
  }
  MlirValue sum = {0};
  for (int t = 0; t < list->count; t++) {
    if (done[t])
      continue;
    const term *one_term = &list->terms[t];
    int v = widest_variable(body, one_term->node, shared, widths);
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
  separate(body, &list, &sums);
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

static bool paddings_are_equal(const einsum_access *a, const einsum_access *b) {
  if (a->padded != b->padded || !a->pad != !b->pad)
    return false;
  return !a->pad || !strcmp(a->pad, b->pad);
}

static bool accesses_are_equal(const einsum_access *a, const einsum_access *b) {
  if (a->tensor != b->tensor || a->order != b->order || !paddings_are_equal(a, b))
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
  MlirValue *arguments = ARENA_ARRAY(body->memory, MlirValue, room);
  MlirValue *values = ARENA_ARRAY(body->memory, MlirValue, room);
  for (int a = 0; a < body->access_count; a++) {
    accesses[a] = body->accesses[a];
    arguments[a] = body->arguments[a];
    values[a] = body->values[a];
  }
  body->accesses = accesses;
  body->arguments = arguments;
  body->values = values;
  body->access_room = room;
}

static MlirValue emit_access(einsum_body *body, const einsum_access *access) {
  int a = 0;
  while (a < body->access_count && !accesses_are_equal(access, body->accesses[a]))
    a++;
  if (a == body->access_count) {
    make_room_for_access(body);
    body->accesses[a] = access;
    body->arguments[a] = mlirBlockAddArgument(body->block, body->elements[access->tensor],
                                              builder_location(body->b));
    body->access_count++;
  }
  MlirValue value = body->values[a];
  if (mlirValueIsNull(value) || !mlirTypeEqual(mlirValueGetType(value), body->element))
    value = semiring_cast(body->b, body->ring, body->arguments[a], body->element);
  return body->values[a] = value;
}

/*--- Expressions -------------------------------------------------------------------------------*/

static MlirValue emit_negation(einsum_body *body, const einsum_node *node, variable_set sums) {
  if (node->left->kind == EINSUM_NUMBER)
    return scalar_number(body->b, arena_format(body->memory, "-%s", node->left->number),
                         body->element);
  return negated(body, emit(body, node->left, sums));
}

/* From here on what is made stands at the node's column of the text; gives back where it stood. */
static MlirLocation go_to_column(einsum_body *body, const einsum_node *node) {
  MlirLocation around = builder_location(body->b);
  builder_set_location(body->b, column_location(around, node->column));
  return around;
}

static MlirValue emit_operand(einsum_body *body, const einsum_node *node) {
  MlirLocation around = go_to_column(body, node);
  MlirValue made = emit_access(body, node->access);
  builder_set_location(body->b, around);
  return made;
}

static MlirValue emit_leaf(einsum_body *body, const einsum_node *node, variable_set sums) {
  switch (node->kind) {
  case EINSUM_NUMBER:
    return scalar_number(body->b, node->number, body->element);
  case EINSUM_ACCESS:
    return emit_operand(body, node);
  case EINSUM_NEGATE:
    return emit_negation(body, node, sums);
  default:
    return emit_sum(body, node, sums);
  }
}

static bool is_operation(const einsum_node *node) {
  return node->kind == EINSUM_MULTIPLY || node->kind == EINSUM_DIVIDE || node->kind == EINSUM_CALL;
}

/* Nothing is summed inside a function. */
static variable_set sums_inside(const einsum_node *node, variable_set sums) {
  return node->kind == EINSUM_CALL ? set_empty() : sums;
}

/* What is reduced around a node of a chain, and what further down; the type it is computed in. */
typedef struct link {
  const einsum_node *node;
  variable_set here, below;
  MlirType element;
} link;

static MlirValue emit_argument(einsum_body *body, const einsum_node *node, variable_set sums) {
  return emit(body, node, used(body, node, sums));
}

static MlirValue emit_call(einsum_body *body, const link *at, MlirValue left) {
  const einsum_node *node = at->node;
  MlirValue arguments[3] = {left};
  if (node->right)
    arguments[1] = emit_argument(body, node->right, set_empty());
  if (node->third)
    arguments[2] = emit_argument(body, node->third, set_empty());
  for (int n = 0; n < node->function->arity; n++)
    if (mlirValueIsNull(arguments[n]))
      return arguments[n];
  MlirValue value = scalar_apply(body->b, node->function, arguments);
  if (mlirValueIsNull(value) || mlirTypeEqual(mlirValueGetType(value), at->element))
    return value;
  MlirType part = mlirComplexTypeGetElementType(mlirValueGetType(value));
  value = op_result(make_op(body->b, "complex.re", 1, &value, 1, &part, 0, NULL), 0);
  return scalar_cast(body->b, value, at->element);
}

static MlirValue emit_here(einsum_body *body, const link *at, MlirValue left) {
  const einsum_node *node = at->node;
  if (node->kind == EINSUM_CALL)
    return emit_call(body, at, left);
  MlirValue right = emit_argument(body, node->right, at->below);
  if (mlirValueIsNull(right))
    return right;
  return node->kind == EINSUM_DIVIDE ? arithmetic(body, "div", "/", left, right)
                                     : semiring_times(body->b, body->ring, left, right);
}

/* The operation of a node, at its column of the text. */
static MlirValue emit_operation(einsum_body *body, const link *at, MlirValue left) {
  if (mlirValueIsNull(left))
    return left;
  MlirLocation around = go_to_column(body, at->node);
  MlirValue made = emit_here(body, at, left);
  builder_set_location(body->b, around);
  return made;
}

static bool reads_complex(const einsum_body *body, const einsum_node *node) {
  for (; node; node = node->left)
    if ((node->access && type_is_complex(body->elements[node->access->tensor])) ||
        (node->right && reads_complex(body, node->right)) ||
        (node->third && reads_complex(body, node->third)))
      return true;
  return false;
}

/* The type that a node's left operand is computed in: that of the node, but a part of a complex
 * number may be a real one. */
static MlirType element_inside(const einsum_body *body, const link *above) {
  const einsum_node *node = above->node;
  bool takes_part = node->kind == EINSUM_CALL && node->function->takes_part;
  if (!takes_part || !type_is_float(above->element) || !reads_complex(body, node->left))
    return above->element;
  MlirContext context = builder_context(body->b);
  return mlirComplexTypeGet(mlirTypeIsAF64(above->element) ? above->element
                                                           : mlirF32TypeGet(context));
}

static link link_of(const einsum_body *body, const einsum_node *node, variable_set sums,
                    MlirType element) {
  return (link){node, set_minus(body->memory, sums, node->descending),
                set_common(body->memory, sums, node->descending), element};
}

static int chain_length(const einsum_node *node) {
  int length = 1;
  for (; is_operation(node); node = node->left)
    length++;
  return length;
}

/* a * b / c, which parses as (a * b) / c, from a on: such a chain may be long. */
static MlirValue emit(einsum_body *body, const einsum_node *node, variable_set sums) {
  int length = chain_length(node);
  link *chain = ARENA_ARRAY(body->memory, link, length);
  MlirType element = body->element;
  chain[0] = link_of(body, node, sums, element);
  for (int n = 1; n < length; n++) {
    const link *above = &chain[n - 1];
    const einsum_node *left = above->node->left;
    variable_set inside = used(body, left, sums_inside(above->node, above->below));
    chain[n] = link_of(body, left, inside, element_inside(body, above));
  }
  const link *last = &chain[length - 1];
  body->element = last->element;
  MlirValue value = reduced(body, emit_leaf(body, last->node, last->below), last->here);
  for (int n = length - 2; n >= 0; n--) {
    body->element = chain[n].element;
    value = reduced(body, emit_operation(body, &chain[n], value), chain[n].here);
  }
  body->element = element;
  return value;
}

/*--- The result --------------------------------------------------------------------------------*/

/* The previous value of the result, in front of the sum (+=). */
static const einsum_node *with_previous_value(arena *memory, const einsum *e) {
  einsum_node *previous = ARENA_ARRAY(memory, einsum_node, 1);
  previous->kind = EINSUM_ACCESS;
  previous->access = &e->result_access;
  einsum_node *sum = ARENA_ARRAY(memory, einsum_node, 1);
  sum->kind = EINSUM_ADD;
  sum->left = previous;
  sum->right = e->expression;
  einsum_node_note(memory, previous);
  einsum_node_note(memory, sum);
  return sum;
}

/* "j_i", "i_plus_k", "i_x2": what a subscript is called as a variable. */
static const char *subscript_name(const einsum_body *body, const einsum_subscript *s) {
  const char *name = "";
  for (int t = 0; t < s->term_count; t++) {
    int64_t factor = s->terms[t].coefficient, size = factor < 0 ? -factor : factor;
    const char *joint = t == 0 ? "" : factor < 0 ? "_" : "_plus_";
    name = arena_format(body->memory, "%s%s%s", name, joint, body->variables[s->terms[t].variable]);
    if (size != 1)
      name = arena_format(body->memory, "%s_x%lld", name, (long long)size);
  }
  if (s->term_count == 0)
    return remap_constant_name(body->memory, s->constant);
  return s->term_count > 1 ? name : arena_format(body->memory, "%s_moved", name);
}

static int add_variable(einsum_body *body, const char *name) {
  make_room_for_variable(body);
  while (name_is_taken(body, name))
    name = arena_format(body->memory, "%s_", name);
  body->variables[body->variable_count] = name;
  body->copied[body->variable_count] = body->variable_count;
  return body->variable_count++;
}

/* Whether the subscript is a variable alone that an earlier one is as well. */
static bool is_repeated(const einsum_access *result, int d) {
  const einsum_subscript *all = result->subscripts;
  bool found = false;
  for (int above = 0; above < d && einsum_subscript_is_bare(&all[d]); above++)
    found |= einsum_subscript_is_bare(&all[above]) &&
             all[above].terms[0].variable == all[d].terms[0].variable;
  return found;
}

/* D(i,i) is D(i,i+once), once < 1. */
static einsum_subscript with_once(einsum_body *body, const einsum_subscript *s) {
  einsum_term *terms = ARENA_ARRAY(body->memory, einsum_term, 2);
  if (body->once < 0)
    body->once = add_variable(body, "once");
  terms[0] = s->terms[0];
  terms[1] = (einsum_term){body->once, 1};
  return (einsum_subscript){2, terms, 0};
}

static void take_result(einsum_body *body) {
  const einsum_access *access = &body->statement->result_access;
  body->once = -1;
  body->forms = ARENA_ARRAY(body->memory, einsum_subscript, access->order + 1);
  body->result_access = *access;
  body->result_access.subscripts = ARENA_ARRAY(body->memory, einsum_subscript, access->order + 1);
  body->subscripts = ARENA_ARRAY(body->memory, int, access->order + 1);
  for (int d = 0; d < access->order; d++) {
    einsum_subscript *s = &body->result_access.subscripts[d], *form = &body->forms[d];
    *s = *form = access->subscripts[d];
    if (is_repeated(access, d))
      *form = with_once(body, s);
    body->subscripts[d] =
        einsum_subscript_is_bare(form) ? -1 : add_variable(body, subscript_name(body, form));
    if (body->subscripts[d] < 0)
      continue;
    einsum_term *term = ARENA_ARRAY(body->memory, einsum_term, 1);
    *term = (einsum_term){body->subscripts[d], 1};
    *s = (einsum_subscript){1, term, 0};
  }
}

static int count_subscripts(const einsum_body *body, const char **names) {
  int count = 0;
  for (int d = 0; d < body->result_access.order; d++)
    if (body->subscripts[d] >= 0)
      names[count++] = body->variables[body->subscripts[d]];
  return count;
}

/* What comes to each value of the result's compound subscripts. */
static MlirValue gathered(einsum_body *body, MlirValue value) {
  const einsum *e = body->statement;
  const char **names = ARENA_ARRAY(body->memory, const char *, body->result_access.order + 1);
  int count = count_subscripts(body, names);
  if (mlirValueIsNull(value) || !count)
    return value;
  variable_set over = set_minus(body->memory, einsum_result_variables(body->memory, e),
                                einsum_bare_variables(body->memory, e));
  if (body->once >= 0)
    set_insert(body->memory, &over, body->once);
  MlirValue sum = make_reduction(body, value, over);
  op_set(value_owner(sum), "at", texts_attribute(builder_context(body->b), count, names));
  return sum;
}

MlirValue einsum_body_emit(einsum_body *body) {
  const einsum *e = body->statement;
  body->variable_room = body->variable_count = e->variable_count;
  body->variables = ARENA_ARRAY(body->memory, const char *, e->variable_count + 1);
  body->copied = ARENA_ARRAY(body->memory, int, e->variable_count + 1);
  for (int v = 0; v < e->variable_count; v++) {
    body->variables[v] = e->variables[v];
    body->copied[v] = v;
  }
  take_result(body);
  bool scatters = body->variable_count > e->variable_count;
  variable_set sums =
      set_minus(body->memory, e->expression->variables, einsum_result_variables(body->memory, e));
  const einsum_node *whole =
      e->accumulate && !scatters ? with_previous_value(body->memory, e) : e->expression;
  if (!e->accumulate || !scatters)
    return gathered(body, emit(body, whole, sums));
  MlirValue previous = emit_access(body, &body->result_access);
  return accumulated(body, previous, gathered(body, emit(body, whole, sums)), false);
}
