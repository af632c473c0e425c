/* loop_cost.c - what an order of loops is estimated to cost.
 *
 *     cost = sum over the loops of  iterations(loop) * (1 + accesses that change with it)
 *
 * where an access counts at the innermost loop whose variable subscripts it, since outside of that
 * it is loaded once. The innermost loop is cheaper where nothing hinders SIMD. The guesses at sizes
 * only have to tell rows, stored entries of a row and dense dimensions apart.
 */
#include "iteration_graph.h"

#include "tin_ops.h"

static const double guessed_size = 1024;   /* of a dense dimension */
static const double guessed_roots = 1000;  /* entries of an outermost sparse level */
static const double guessed_list = 16000;  /* of one that repeats coordinates */
static const double guessed_children = 16; /* entries under each parent */
static const double contiguous_access = 1, random_access = 3, strided_access = 4, walk = 2;
static const double store_factor = 2, gather = 8; /* into a workspace, and out of it again */
static const double simd = 0.3, simd_strided = 0.6, serial = 1.5;

/*--- Sizes -------------------------------------------------------------------------------------*/

static bool is_walked(const access_level *level) {
  return !(level->level->format->capabilities & LEVEL_LOCATE);
}

static double dimension_extent(const access *a, int l) {
  int dimension = a->levels[l].level->dimension;
  int64_t size = dimension < 0 ? -1 : dimension_size(a->type, dimension);
  return size < 0 ? guessed_size : (double)size;
}

static double level_entries(const access *a, int l) {
  const access_level *level = &a->levels[l];
  if (!is_walked(level))
    return dimension_extent(a, l);
  if (level->level->properties & LEVEL_BRANCHLESS)
    return 1;
  if (!(level->level->properties & LEVEL_UNIQUE))
    return guessed_list;
  double guess = l == 0 ? guessed_roots : guessed_children;
  double size = dimension_extent(a, l);
  return guess < size ? guess : size;
}

double access_entries(const statement *s, int access_number) {
  const access *a = &s->accesses[access_number];
  double entries = 1;
  for (int l = 0; l < a->level_count; l++)
    entries *= level_entries(a, l);
  return entries;
}

static bool is_sparse(const statement *s, int variable) {
  for (int i = 0; i < s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++)
      if (s->accesses[i].levels[l].bare == variable && is_walked(&s->accesses[i].levels[l]))
        return true;
  return false;
}

/* The iterations of a loop over the variable, each time that it is entered. */
static double trip_count(const statement *s, int variable) {
  bool sparse = is_sparse(s, variable);
  double trips = -1;
  for (int i = 0; i <= s->operand_count; i++)
    for (int l = 0; l < s->accesses[i].level_count; l++) {
      const access_level *level = &s->accesses[i].levels[l];
      if (level->bare != variable || (sparse && (i == s->operand_count || !is_walked(level))))
        continue;
      double entries =
          sparse ? level_entries(&s->accesses[i], l) : dimension_extent(&s->accesses[i], l);
      if (trips < 0 || entries < trips)
        trips = entries;
    }
  return trips < 0 ? guessed_size : trips;
}

/*--- Accesses ----------------------------------------------------------------------------------*/

/* The last place in the path whose variable subscripts the access, or -1. */
static int innermost_place(const access *a, const int *path, int length) {
  int place = length - 1;
  while (place >= 0 && !set_has(a->variables, path[place]))
    place--;
  return place;
}

static double access_cost(const statement *s, const access *a, int variable) {
  if (is_sparse(s, variable)) {
    for (int l = 0; l < a->level_count; l++)
      if (a->levels[l].bare == variable && is_walked(&a->levels[l]))
        return walk;
    return random_access;
  }
  bool is_last = a->level_count && set_has(a->levels[a->level_count - 1].variables, variable);
  return is_last ? contiguous_access : strided_access;
}

static bool result_gathers(const statement *s, const int *path, int place) {
  const access *result = statement_result(s);
  const access_level *last = &result->levels[result->level_count - 1];
  if (last->level->format->capabilities & LEVEL_INSERT)
    return false;
  variable_set reductions = statement_root_reductions(s);
  for (int p = 0; p < place; p++)
    if (set_has(reductions, path[p]))
      return true;
  return false;
}

static double result_cost(const statement *s, const int *path, int place) {
  if (result_gathers(s, path, place))
    return gather;
  bool sparse = is_sparse(s, path[place]);
  bool is_appended = is_walked(&statement_result(s)->levels[statement_result(s)->level_count - 1]);
  if (sparse && is_appended)
    return contiguous_access;
  return store_factor * access_cost(s, statement_result(s), path[place]);
}

/*--- Loops -------------------------------------------------------------------------------------*/

static int add_own_loops(const statement *s, const nest *n, const int *order, int *path,
                         int length) {
  for (int i = 0; i < s->variable_count; i++)
    if (set_has(n->own, order[i]))
      path[length++] = order[i];
  return length;
}

int nest_path(const statement *s, const nest *n, const int *order, int *path) {
  int length = 0;
  if (n->parent) {
    length = nest_path(s, n->parent, order, path);
    while (length > 0 && !set_has(n->outer, path[length - 1]))
      length--;
  }
  return add_own_loops(s, n, order, path, length);
}

/* What an innermost loop over dense levels gains. */
static double vector_factor(const statement *s, int variable, double accesses, int count) {
  if (is_sparse(s, variable))
    return 1;
  return accesses <= count * store_factor * contiguous_access ? simd : simd_strided;
}

static double nest_cost(const statement *s, const nest *n, const int *order) {
  int path[VARIABLE_LIMIT], counts[VARIABLE_LIMIT + 1] = {0};
  double costs[VARIABLE_LIMIT + 1] = {0};
  int length = nest_path(s, n, order, path);
  for (int i = 0; i < n->access_count; i++) {
    const access *a = &s->accesses[n->accesses[i]];
    int place = innermost_place(a, path, length);
    if (place >= 0) {
      costs[place] += access_cost(s, a, path[place]);
      counts[place]++;
    }
  }
  int place = n->parent ? -1 : innermost_place(statement_result(s), path, length);
  if (place >= 0) {
    costs[place] += result_cost(s, path, place);
    counts[place]++;
  }
  double total = 0, iterations = 1;
  for (int p = 0; p < length; p++) {
    iterations *= trip_count(s, path[p]);
    bool innermost = p == length - 1;
    double factor = innermost ? vector_factor(s, path[p], costs[p], counts[p]) : 1;
    total += iterations * (1 + costs[p]) * factor;
  }
  return total;
}

/* Threads share the outermost loop well only where each has its own part of the result. */
static bool reduces_outermost(const statement *s, const int *order) {
  return s->variable_count && statement_result_variables(s) &&
         set_has(statement_root_reductions(s), order[0]);
}

double loop_cost(const statement *s, const int *order) {
  double total = 0;
  for (int n = 0; n < s->nest_count; n++)
    total += nest_cost(s, &s->nests[n], order);
  return reduces_outermost(s, order) ? serial * total : total;
}
