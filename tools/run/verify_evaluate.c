/* The plain evaluation of an expression. */
#include "verify_evaluate.h"

#include "lac_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static number give_up(evaluation *e, const char *problem) {
  if (!e->problem)
    e->problem = problem;
  return number_fill(&e->kind);
}

//--- Accesses ------------------------------------------------------------------------------------

static bool subscript_is_bound(const evaluation *e, const einsum_subscript *s) {
  for (int t = 0; t < s->term_count; t++)
    if (!set_has(e->bound, s->terms[t].variable))
      return false;
  return true;
}

/* -1, which is outside of every tensor, where it does not fit. */
static int64_t subscript_value(const evaluation *e, const einsum_subscript *s) {
  int64_t value = s->constant, part;
  for (int t = 0; t < s->term_count; t++)
    if (__builtin_mul_overflow(s->terms[t].coefficient, e->at[s->terms[t].variable], &part) ||
        __builtin_add_overflow(value, part, &value))
      return -1;
  return value;
}

/* The coordinates in the dimensions whose subscripts have values; a bit for each of these. */
static uint32_t known_coordinates(const evaluation *e, const einsum_access *a,
                                  int64_t coordinates[LAC_FILE_ORDER]) {
  uint32_t known = 0;
  for (int d = 0; d < a->order; d++)
    if (subscript_is_bound(e, &a->subscripts[d])) {
      known |= 1u << d;
      coordinates[d] = subscript_value(e, &a->subscripts[d]);
    }
  return known;
}

static entries *tensor_of(const evaluation *e, const einsum_access *a) {
  return &e->tensors[a->tensor];
}

static number element_of(const evaluation *e, const lac_tensor *t, int64_t position) {
  return number_load(&e->kind, t->type, t->values.data, position);
}

/* What is stored at one coordinate several times is a sum, in every semiring. */
static number read_sparse(evaluation *e, const einsum_access *a, const int64_t *coordinates) {
  int64_t begin, end;
  uint32_t all = (uint32_t)((UINT64_C(1) << a->order) - 1);
  const entry_index *index = entries_find(tensor_of(e, a), all, -1, coordinates, &begin, &end);
  number value = number_fill(&e->kind);
  if (!index)
    return give_up(e, lac_error_message());
  if (begin < end)
    value = element_of(e, &index->list, begin);
  for (int64_t p = begin + 1; p < end; p++)
    number_apply(&e->kind, "add", value, element_of(e, &index->list, p), &value);
  value.stored = begin < end || e->full[a->tensor];
  return value;
}

/* Whether an access is something else out of range than where nothing is stored. */
static bool pads_by_value(const evaluation *e, const einsum_access *a) {
  return a->pad && !number_equal(&e->kind, number_read(&e->kind, a->pad), number_fill(&e->kind));
}

/* What an access is out of range: the same as where nothing is stored, or what is written. */
static number read_padding(evaluation *e, const einsum_access *a) {
  number value = pads_by_value(e, a) ? number_read(&e->kind, a->pad) : number_fill(&e->kind);
  value.stored = pads_by_value(e, a);
  return a->padded ? value : give_up(e, "a subscript leaves its tensor");
}

static number read_at(evaluation *e, const einsum_access *a, const int64_t *coordinates) {
  entries *t = tensor_of(e, a);
  for (int d = 0; d < a->order; d++)
    if (coordinates[d] < 0 || coordinates[d] >= t->dimensions[d])
      return read_padding(e, a);
  if (!t->is_dense)
    return read_sparse(e, a, coordinates);
  number value = element_of(e, &t->tensor, entries_position(t, coordinates));
  value.stored = e->full[a->tensor] || !number_equal(&e->kind, value, number_fill(&e->kind));
  return value;
}

static number read_access(evaluation *e, const einsum_access *a) {
  int64_t coordinates[LAC_FILE_ORDER];
  known_coordinates(e, a, coordinates);
  return read_at(e, a, coordinates);
}

//--- Operators -----------------------------------------------------------------------------------

static number apply(evaluation *e, const char *name, number x, number y) {
  number result;
  if (!number_apply(&e->kind, name, x, y, &result))
    return give_up(e, "a function is not known for this type");
  return result;
}

static number as_absent(const evaluation *e) {
  return number_fill(&e->kind);
}

static bool is_literal(const evaluation *e) {
  return e->kind.zero_annihilates && !e->kind.is_integer;
}

/* Integers have no infinity beside the fill: stored or not, it annihilates. */
static bool annihilates(const evaluation *e, number x) {
  return !x.stored || (e->kind.is_integer && number_equal(&e->kind, x, number_fill(&e->kind)));
}

static number product_of(evaluation *e, number x, number y) {
  if (!is_literal(e) && number_fill_annihilates(&e->kind) &&
      (annihilates(e, x) || annihilates(e, y)))
    return as_absent(e);
  number product = apply(e, e->kind.times, x, y);
  product.stored = x.stored || y.stored || !number_equal(&e->kind, product, number_fill(&e->kind));
  return product;
}

static number sum_of(evaluation *e, const char *name, number x, number y) {
  number sum = apply(e, name, x, y);
  sum.stored = x.stored || y.stored;
  return sum;
}

static const char *operator_of(const einsum_node *n) {
  return n->kind == EINSUM_CALL ? n->function->name : n->kind == EINSUM_DIVIDE ? "div" : "neg";
}

/* An operator or function of arguments that may be absent: absent with all of them, where that
 * gives what nothing stored has. */
static number value_of_call(evaluation *e, const einsum_node *n, number x, number y, number third) {
  number value = n->third ? number_select(&e->kind, x, y, third) : apply(e, operator_of(n), x, y);
  bool stored = (n->third && third.stored && n->third->reads) || (x.stored && n->left->reads) ||
                (n->right && y.stored && n->right->reads);
  value.stored = stored || !number_equal(&e->kind, value, number_fill(&e->kind));
  return value;
}

static number value_of(evaluation *e, const einsum_node *n, bit_set sums);

static number operate(evaluation *e, const einsum_node *n, bit_set sums) {
  number x, y = number_fill(&e->kind), third = y;
  if (++e->steps > e->step_limit)
    return give_up(e, "it takes too long");
  if (n->kind == EINSUM_NUMBER)
    return number_read(&e->kind, n->number);
  if (n->kind == EINSUM_ACCESS)
    return read_access(e, n->access);
  x = value_of(e, n->left, set_common(e->memory, n->left->variables, sums));
  if (n->kind == EINSUM_MULTIPLY && !x.stored && number_fill_annihilates(&e->kind) &&
      !is_literal(e))
    return as_absent(e);
  if (n->kind == EINSUM_DIVIDE && !x.stored && !is_literal(e))
    return as_absent(e);
  if (n->right)
    y = value_of(e, n->right, set_common(e->memory, n->right->variables, sums));
  if (n->third)
    third = value_of(e, n->third, set_common(e->memory, n->third->variables, sums));
  switch (n->kind) {
  case EINSUM_ADD:
    return sum_of(e, e->kind.plus, x, y);
  case EINSUM_SUBTRACT:
    return sum_of(e, "sub", x, y);
  case EINSUM_MULTIPLY:
    return product_of(e, x, y);
  default:
    return value_of_call(e, n, x, y, third);
  }
}

//--- Where a term can be something ---------------------------------------------------------------

enum { MOST_COVERS = 32 };

/* Accesses: a term is nothing unless one of them stores something.  `cost` is about how many
 * coordinates of the variable they have; no accesses and the variable's extent where nothing tells.
 */
typedef struct cover {
  int count;
  const einsum_access *accesses[MOST_COVERS];
  double cost;
} cover;

static cover everything(const evaluation *e, int variable) {
  return (cover){.cost = (double)e->extents[variable]};
}

static int bare_dimension(const einsum_access *a, int variable) {
  for (int d = 0; d < a->order; d++)
    if (einsum_subscript_is_bare(&a->subscripts[d]) &&
        a->subscripts[d].terms[0].variable == variable)
      return d;
  return -1;
}

static cover cover_of_access(const evaluation *e, const einsum_access *a, int variable) {
  const entries *t = tensor_of(e, a);
  if (e->full[a->tensor] || t->is_dense || bare_dimension(a, variable) < 0 || pads_by_value(e, a))
    return everything(e, variable);
  cover c = {1, {a}, (double)entries_count(t)};
  for (int d = 0; d < a->order; d++)
    if (subscript_is_bound(e, &a->subscripts[d]))
      c.cost /= fmax((double)t->dimensions[d], 1);
  return c;
}

static cover cover_union(const evaluation *e, int variable, cover x, cover y) {
  if (!x.count || !y.count || x.count + y.count > MOST_COVERS)
    return everything(e, variable);
  for (int i = 0; i < y.count; i++)
    x.accesses[x.count++] = y.accesses[i];
  x.cost += y.cost;
  return x;
}

static cover cover_of(const evaluation *e, const einsum_node *n, int variable);

/* A function that is not the fill at the fill is something everywhere. */
static number absent_value(const evaluation *e, const einsum_node *n) {
  number result, x = number_fill(&e->kind), y = x;
  if (n->kind == EINSUM_NUMBER)
    return number_read(&e->kind, n->number);
  if (n->kind == EINSUM_ACCESS)
    return x;
  x = absent_value(e, n->left);
  if (n->right)
    y = absent_value(e, n->right);
  if (n->third)
    return number_select(&e->kind, x, y, absent_value(e, n->third));
  const char *name = n->kind == EINSUM_ADD        ? e->kind.plus
                     : n->kind == EINSUM_MULTIPLY ? e->kind.times
                     : n->kind == EINSUM_SUBTRACT ? "sub"
                                                  : operator_of(n);
  return number_apply(&e->kind, name, x, y, &result) ? result : x;
}

static cover cover_of_call(const evaluation *e, const einsum_node *n, int variable) {
  const einsum_node *const parts[] = {n->left, n->right, n->third};
  cover all = {0};
  if (!number_equal(&e->kind, absent_value(e, n), number_fill(&e->kind)))
    return everything(e, variable);
  for (int part = 0; part < 3; part++) {
    if (!parts[part] || !parts[part]->reads)
      continue;
    cover more = cover_of(e, parts[part], variable);
    all = all.count ? cover_union(e, variable, all, more) : more;
    if (!all.count)
      return all;
  }
  return all.count ? all : everything(e, variable);
}

static cover cover_of(const evaluation *e, const einsum_node *n, int variable) {
  if (is_literal(e))
    return everything(e, variable);
  switch (n->kind) {
  case EINSUM_NUMBER:
    return everything(e, variable);
  case EINSUM_ACCESS:
    return cover_of_access(e, n->access, variable);
  case EINSUM_MULTIPLY:
    if (number_fill_annihilates(&e->kind)) {
      cover x = cover_of(e, n->left, variable), y = cover_of(e, n->right, variable);
      return y.cost < x.cost ? y : x;
    }
    return cover_of_call(e, n, variable);
  case EINSUM_ADD:
  case EINSUM_SUBTRACT:
    return cover_union(e, variable, cover_of(e, n->left, variable),
                       cover_of(e, n->right, variable));
  case EINSUM_CALL:
    return cover_of_call(e, n, variable);
  default:
    return cover_of(e, n->left, variable);
  }
}

//--- Loops ---------------------------------------------------------------------------------------

typedef struct coordinate_list {
  int64_t *at, count, room;
} coordinate_list;

static void append(evaluation *e, coordinate_list *list, int64_t coordinate) {
  if (list->count == list->room) {
    int64_t room = list->room ? 2 * list->room : 64;
    int64_t *grown = realloc(list->at, (size_t)room * sizeof *grown);
    if (!grown) {
      give_up(e, "memory runs out");
      return;
    }
    list->at = grown;
    list->room = room;
  }
  list->at[list->count++] = coordinate;
}

static void append_of_access(evaluation *e, coordinate_list *list, const einsum_access *a,
                             int variable) {
  int64_t coordinates[LAC_FILE_ORDER], begin, end, last = -1;
  uint32_t known = known_coordinates(e, a, coordinates);
  int asked = bare_dimension(a, variable);
  const entry_index *index = entries_find(tensor_of(e, a), known, asked, coordinates, &begin, &end);
  if (!index) {
    give_up(e, lac_error_message());
    return;
  }
  const int64_t *found = index->coordinates[__builtin_popcount(known)];
  for (int64_t p = begin; p < end && !e->problem; p++)
    if (found[p] != last)
      append(e, list, last = found[p]);
}

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static void sort_unique(coordinate_list *list) {
  int64_t kept = 0;
  if (list->count)
    qsort(list->at, (size_t)list->count, sizeof *list->at, compare);
  for (int64_t i = 0; i < list->count; i++)
    if (kept == 0 || list->at[i] != list->at[kept - 1])
      list->at[kept++] = list->at[i];
  list->count = kept;
}

/* The variable of `among` with the shortest loop. */
static int choose_variable(const evaluation *e, const einsum_node *n, bit_set among, cover *of) {
  int best = -1;
  for (int v = set_first(among); v >= 0; v = set_next(among, v + 1)) {
    cover c = cover_of(e, n, v);
    if (best < 0 || c.cost < of->cost) {
      best = v;
      *of = c;
    }
  }
  return best;
}

static void gather(evaluation *e, const cover *c, int variable, coordinate_list *list) {
  for (int i = 0; i < c->count; i++)
    append_of_access(e, list, c->accesses[i], variable);
  if (c->count > 1)
    sort_unique(list);
}

/* What is added up at the variables' values. */
typedef number term_at(evaluation *e, const void *data);

/* `sum`, and the terms at values of a variable: those of the list, which is freed, or `count` of
 * them from 0 on. */
static number add_terms(evaluation *e, int variable, coordinate_list *list, int64_t count,
                        number sum, term_at *term_of, const void *data) {
  bit_set outside = e->bound;
  arena_mark before = arena_mark_here(e->memory);
  set_insert(e->memory, &e->bound, variable);
  for (int64_t i = 0; i < count && !e->problem; i++) {
    e->at[variable] = list->at ? list->at[i] : i;
    arena_mark term_begin = arena_mark_here(e->memory);
    number term = term_of(e, data);
    arena_release(e->memory, term_begin);
    if (term.stored || is_literal(e))
      sum = sum_of(e, e->kind.plus, sum, term);
  }
  e->bound = outside;
  arena_release(e->memory, before);
  free(list->at);
  return sum;
}

/* What is left to be summed over at a node, and below it. */
typedef struct sums_left {
  const einsum_node *n;
  bit_set here, below;
} sums_left;

static number sum_over(evaluation *e, const void *data) {
  sums_left left = *(const sums_left *)data;
  cover c = {0};
  if (set_is_empty(left.here))
    return operate(e, left.n, left.below);
  int v = choose_variable(e, left.n, left.here, &c);
  coordinate_list list = {0};
  gather(e, &c, v, &list);
  int64_t count = c.count ? list.count : e->extents[v];
  if (count < 0)
    give_up(e, "the size of a variable is not known");
  set_remove(e->memory, &left.here, v);
  return add_terms(e, v, &list, count, number_fill(&e->kind), sum_over, &left);
}

static number value_of(evaluation *e, const einsum_node *n, bit_set sums) {
  sums_left left = {n, set_minus(e->memory, sums, n->descending),
                    set_common(e->memory, sums, n->descending)};
  return sum_over(e, &left);
}

//--- The result ----------------------------------------------------------------------------------

static const einsum_subscript *result_subscript(const evaluation *e, int dimension) {
  return &e->statement->result_access.subscripts[dimension];
}

/* The variable that alone of a subscript has no value yet; -1 where there is none, or are more. */
static int only_unbound(const evaluation *e, const einsum_subscript *s) {
  int found = -1, count = 0;
  for (int t = 0; t < s->term_count; t++)
    if (!set_has(e->bound, s->terms[t].variable)) {
      found = s->terms[t].variable;
      count++;
    }
  return count == 1 ? found : -1;
}

/* Where the subscript is `coordinate`: the value of its one variable without one; -1 where there is
 * none. */
static int64_t solve(evaluation *e, const einsum_subscript *s, int variable, int64_t coordinate) {
  int64_t factor = 0, rest;
  for (int t = 0; t < s->term_count; t++)
    if (s->terms[t].variable == variable)
      factor = s->terms[t].coefficient;
  e->at[variable] = 0;
  rest = coordinate - subscript_value(e, s);
  return rest % factor || rest / factor >= e->extents[variable] ? -1 : rest / factor;
}

static bool comes_to(const evaluation *e, const int64_t *coordinates) {
  for (int d = 0; d < e->statement->result_access.order; d++)
    if (subscript_value(e, result_subscript(e, d)) != coordinates[d])
      return false;
  return true;
}

/* The next variable of the result: one that follows from a subscript, or else any, with the list of
 * the coordinates where the expression can be something, or how many they are from 0 on. */
static int next_variable(evaluation *e, bit_set left, const int64_t *coordinates,
                         coordinate_list *list, int64_t *count) {
  cover c = {0};
  for (int d = 0; d < e->statement->result_access.order; d++) {
    int v = only_unbound(e, result_subscript(e, d));
    if (v < 0)
      continue;
    int64_t at = solve(e, result_subscript(e, d), v, coordinates[d]);
    if (at >= 0)
      append(e, list, at);
    *count = list->count;
    return v;
  }
  int v = choose_variable(e, e->statement->expression, left, &c);
  gather(e, &c, v, list);
  *count = c.count ? list->count : e->extents[v];
  return v;
}

/* What comes to the coordinates: over the variables of the result that are left, and then the sums.
 */
typedef struct scatter_left {
  const int64_t *coordinates;
  bit_set left, sums;
} scatter_left;

static number scattered(evaluation *e, const void *data) {
  scatter_left s = *(const scatter_left *)data;
  if (set_is_empty(s.left))
    return comes_to(e, s.coordinates) ? value_of(e, e->statement->expression, s.sums)
                                      : as_absent(e);
  coordinate_list list = {0};
  int64_t count;
  int v = next_variable(e, s.left, s.coordinates, &list, &count);
  set_remove(e->memory, &s.left, v);
  return add_terms(e, v, &list, count, as_absent(e), scattered, &s);
}

number evaluate_at(evaluation *e, const int64_t *coordinates) {
  const einsum *s = e->statement;
  bit_set all = einsum_result_variables(e->memory, s);
  e->problem = NULL;
  e->bound = einsum_bare_variables(e->memory, s);
  for (int d = 0; d < s->result_access.order; d++)
    if (einsum_subscript_is_bare(result_subscript(e, d)))
      e->at[result_subscript(e, d)->terms[0].variable] = coordinates[d];
  arena_mark before = arena_mark_here(e->memory);
  scatter_left left = {coordinates, set_minus(e->memory, all, e->bound),
                       set_minus(e->memory, s->expression->variables, all)};
  number value = scattered(e, &left);
  arena_release(e->memory, before);
  if (!s->accumulate || e->problem)
    return value;
  return sum_of(e, e->kind.plus, read_at(e, &s->result_access, coordinates), value);
}

static uint64_t draw(uint64_t *random, int64_t count) {
  *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (*random >> 11) % (uint64_t)count;
}

/* A coordinate of the variable at one of the entries of the cover; -1 where there is none. */
static int64_t choose_coordinate(evaluation *e, const cover *c, int variable, uint64_t *random) {
  int64_t coordinates[LAC_FILE_ORDER], begin, end;
  if (c->count == 0)
    return e->extents[variable] > 0 ? (int64_t)draw(random, e->extents[variable]) : -1;
  const einsum_access *a = c->accesses[draw(random, c->count)];
  uint32_t known = known_coordinates(e, a, coordinates);
  const entry_index *index =
      entries_find(tensor_of(e, a), known, bare_dimension(a, variable), coordinates, &begin, &end);
  if (!index)
    give_up(e, "memory runs out");
  if (!index || begin == end)
    return -1;
  return index->coordinates[__builtin_popcount(known)][begin + (int64_t)draw(random, end - begin)];
}

bool evaluate_choose(evaluation *e, uint64_t *random, int64_t *coordinates) {
  e->bound = set_empty();
  e->problem = NULL;
  for (bit_set left = einsum_result_variables(e->memory, e->statement); !set_is_empty(left);) {
    cover c = {0};
    int v = choose_variable(e, e->statement->expression, left, &c);
    e->at[v] = choose_coordinate(e, &c, v, random);
    if (e->at[v] < 0)
      return false;
    set_insert(e->memory, &e->bound, v);
    set_remove(e->memory, &left, v);
  }
  for (int d = 0; d < e->statement->result_access.order; d++)
    coordinates[d] = subscript_value(e, result_subscript(e, d));
  return true;
}
