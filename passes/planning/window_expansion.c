/* Whether an operand is expanded, and by which commands (window_expansion.h). */
#include "window_expansion.h"

#include "command_words.h"
#include "extent.h"
#include "format_order.h"
#include "iteration_graph.h"
#include "level_entries.h"
#include "loop_cost.h"
#include "tin.h"
#include "tin_ops.h"

#include <mlir-c/BuiltinAttributes.h>

#include <math.h>

/* In the order in which it is computed: variables of the result that the operand is stored by
 * outside of all windows, `split` into blocks, the result's others, and what is summed over. */
typedef struct expansion {
  const statement *s; /* in the variables of subscripts */
  const access *operand;
  int number;           /* of the operand */
  variable_set outside; /* what each array is of */
  int split;            /* the variable of which an array has a block */
  int64_t block;        /* and how many places of it */
  int *order, outside_count;
} expansion;

/*--- Which operand -----------------------------------------------------------------------------*/

static MlirAffineExpr subscript_of(const access *a, int l) {
  return remap_canonical(mlirAffineMapGetResult(a->map, a->levels[l].level->dimension));
}

static bool ascends(const access_level *level, MlirAffineExpr subscript) {
  for (int v = set_first(level->variables); v >= 0; v = set_next(level->variables, v + 1))
    if (subscript_factor(subscript, v) <= 0)
      return false;
  return true;
}

/* Whether it is stored as a whole, in order by its subscripts, of which none descends. */
static bool is_stored_by_subscripts(const access *a) {
  if (!tensor_format_is_plain(a->format) || a->format->triangle != TIN_WHOLE)
    return false;
  for (int l = 0; l < a->level_count; l++)
    if (!(a->levels[l].level->properties & LEVEL_ORDERED) ||
        !ascends(&a->levels[l], subscript_of(a, l)))
      return false;
  return true;
}

/* Whether it is known how much it holds, and out of range it has what it has where nothing is
 * stored. */
static bool is_known(const access *a) {
  return !mlirAttributeIsNull(a->holds) && !tin_pad_is_value(a->pad);
}

/* Whether each variable is in one subscript of it. */
static bool has_own_subscripts(const statement *s, const access *a) {
  variable_set seen = set_empty();
  for (int l = 0; l < a->level_count; l++) {
    if (set_meets(seen, a->levels[l].variables))
      return false;
    set_add(s->memory, &seen, a->levels[l].variables);
  }
  return true;
}

static bool is_padded(const access *a) {
  return !mlirAttributeIsNull(a->pad);
}

static bool all_are_arrays(const statement *s) {
  bool all = true;
  for (int a = 0; a < s->operand_count; a++)
    all &= access_is_array(&s->accesses[a]);
  return all;
}

/* The only operand that is no array, or else is padded, of a statement whose result is an array. */
static bool find_operand(expansion *e) {
  e->number = all_are_arrays(e->s) ? only_operand(e->s, is_padded) : only_sparse_operand(e->s);
  if (e->number < 0 || !access_is_array(statement_result(e->s)))
    return false;
  e->operand = &e->s->accesses[e->number];
  return is_known(e->operand) && is_stored_by_subscripts(e->operand) &&
         has_own_subscripts(e->s, e->operand);
}

/*--- Loops -------------------------------------------------------------------------------------*/

/* A variable of the result in the subscript, where others are beside it; -1 for none. */
static int kept_in_window(const expansion *e, const access_level *level) {
  variable_set result = statement_result(e->s)->variables;
  int v = set_first(level->variables);
  bool alone = v < 0 || set_next(level->variables, v + 1) < 0;
  while (v >= 0 && !set_has(result, v))
    v = set_next(level->variables, v + 1);
  return alone ? -1 : v;
}

/* The first of the windows, and the levels above it. */
static bool find_split(expansion *e) {
  const access *a = e->operand;
  e->split = -1;
  for (int l = 0; l < a->level_count && e->split < 0; l++) {
    int v = a->levels[l].bare;
    if (v < 0)
      e->split = kept_in_window(e, &a->levels[l]);
    else if (set_has(statement_result(e->s)->variables, v))
      set_insert(e->s->memory, &e->outside, v);
    if (v < 0 && e->split < 0)
      return false;
  }
  return e->split >= 0;
}

static void take(expansion *e, variable_set of, variable_set *taken, int *count) {
  for (int v = set_first(of); v >= 0; v = set_next(of, v + 1)) {
    if (set_has(*taken, v))
      continue;
    set_insert(e->s->memory, taken, v);
    e->order[(*count)++] = v;
  }
}

static void find_loops(expansion *e) {
  const access *result = statement_result(e->s);
  variable_set taken = set_empty();
  int count = 0;
  e->order = ARENA_ARRAY(e->s->memory, int, e->s->variable_count + 1);
  for (int l = 0; l < result->level_count; l++)
    if (set_within(result->levels[l].variables, e->outside))
      take(e, result->levels[l].variables, &taken, &count);
  e->outside_count = count;
  for (int l = 0; l < result->level_count; l++)
    take(e, result->levels[l].variables, &taken, &count);
  for (int l = 0; l < e->operand->level_count; l++)
    take(e, e->operand->levels[l].variables, &taken, &count);
  take(e, statement_variables(e->s), &taken, &count);
}

/*--- Cost --------------------------------------------------------------------------------------*/

/* How far the array goes along a level, of a block of the variable that is split. */
static double reach(const expansion *e, int l) {
  variable_set of = e->operand->levels[l].variables;
  double extent = 1;
  for (int v = set_first(of); v >= 0; v = set_next(of, v + 1)) {
    double size = v == e->split ? (double)e->block : estimated_extent(e->s, v);
    extent += (double)subscript_factor(subscript_of(e->operand, l), v) * (size - 1);
  }
  return extent;
}

static double numbers_in_array(const expansion *e) {
  double numbers = 1;
  for (int l = 0; l < e->operand->level_count; l++)
    if (!set_within(e->operand->levels[l].variables, e->outside))
      numbers *= reach(e, l);
  return numbers;
}

/* In how many blocks an entry is. */
static double times_expanded(const expansion *e) {
  const access *a = e->operand;
  int l = 0;
  while (!set_has(a->levels[l].variables, e->split))
    l++;
  return reach(e, l) / ((double)subscript_factor(subscript_of(a, l), e->split) * (double)e->block);
}

static double places_outside(const expansion *e) {
  double count = 1;
  for (int n = 0; n < e->outside_count; n++)
    count *= estimated_extent(e->s, e->order[n]);
  return count;
}

static double arrays(const expansion *e) {
  return places_outside(e) * ceil(estimated_extent(e->s, e->split) / (double)e->block);
}

/* The largest block that the array stays in a cache with, and threads have some of; of few places,
 * two of them. */
static void fill_cache(expansion *e, double cache) {
  enum { PARTS = 8, FEW_PARTS = 3 };
  double extent = estimated_extent(e->s, e->split);
  e->block = 1;
  for (int64_t next = 2; (double)((next > 2 ? PARTS : FEW_PARTS) * next) <= extent; next *= 2) {
    int64_t before = e->block;
    e->block = next;
    if (numbers_in_array(e) * access_bytes(e->operand) > cache) {
      e->block = before;
      break;
    }
  }
}

/* In the first cache, if entries are in one block as a rule; else in that behind it. */
static bool find_block(expansion *e) {
  const double seldom_again = 1.05;
  fill_cache(e, window_block);
  if (e->block == 1 || times_expanded(e) > seldom_again)
    fill_cache(e, window_cache);
  return e->block > 1;
}

/* The statement with an array in place of the operand, as long as a block, with all that windows
 * come to. */
static const statement *with_array(const expansion *e) {
  MlirType dense = tensor_with_encoding(e->operand->type, (MlirAttribute){NULL});
  statement *s = statement_with_type(e->s, e->number, dense);
  s->accesses[e->number].pad = (MlirAttribute){NULL};
  s->extents = ARENA_ARRAY(s->memory, int64_t, s->variable_count);
  for (int v = 0; v < s->variable_count; v++)
    s->extents[v] = v == e->split ? e->block : e->s->extents[v];
  return s;
}

static double expanded_cost(const expansion *e) {
  const statement *s = with_array(e);
  bool copies = access_is_array(e->operand);
  double rows = 1;
  for (int l = 0; l < e->operand->level_count - 1; l++)
    rows *= level_entries(e->s, e->operand, l);
  return window_cost(s, e->order, false) +
         times_expanded(e) * expansion_cost(rows, access_entries(e->s, e->operand), copies) +
         clearing_cost(arrays(e), numbers_in_array(e) * access_bytes(e->operand));
}

/*--- Commands ----------------------------------------------------------------------------------*/

/* "i1_plus_k,j_plus_l": what the array is of. */
static const char *list_words(const expansion *e, const char *inner) {
  const char **names = ARENA_ARRAY(e->s->memory, const char *, e->s->variable_count + 1);
  const char *words = "";
  for (int v = 0; v < e->s->variable_count; v++)
    names[v] = v == e->split ? inner : e->s->variables[v];
  for (int l = 0; l < e->operand->level_count; l++)
    if (!set_within(e->operand->levels[l].variables, e->outside))
      words = arena_format(e->s->memory, "%s%s%s", words, *words ? "," : "",
                           remap_name(e->s->memory, subscript_of(e->operand, l), names));
  return words;
}

/* "i,j,k,l"; with blocks "i0,i1,j,k,l", those of the outermost loop where threads would have few
 * parts of the one that is. */
static const char *order_words(const expansion *e, const char *outer, const char *inner) {
  enum { FEW = 4 };
  const char *words = "";
  int at = places_outside(e) < FEW ? 0 : e->outside_count;
  for (int n = 0; n < e->s->variable_count; n++) {
    const char *name = e->order[n] == e->split ? inner : e->s->variables[e->order[n]];
    if (n == at && outer)
      words = arena_format(e->s->memory, "%s%s%s", words, n ? "," : "", outer);
    words = arena_format(e->s->memory, "%s%s%s", words, *words ? "," : "", name);
  }
  return words;
}

/* The place in the order of the last variable of the result, which lanes go across. */
static int last_kept(const expansion *e) {
  int place = e->s->variable_count - 1;
  while (!set_has(statement_result(e->s)->variables, e->order[place]))
    place--;
  return place;
}

static const char *commands(const expansion *e) {
  arena *memory = e->s->memory;
  const char *whole = e->s->variables[e->split];
  const char *outer = statement_new_name(e->s, whole, "0"),
             *inner = statement_new_name(e->s, whole, "1");
  const char *list = list_words(e, inner),
             *array = statement_new_name(e->s, e->operand->name, "_array");
  const char *lanes = e->order[last_kept(e)] == e->split
                          ? arena_format(memory, " parallelize(%s,cpu_vector,no_races)", inner)
                          : "";
  return arena_format(
      memory, "reorder(%s) split(%s,%s,%s,%ld) reorder(%s) precompute(%s,{%s},{%s},%s)%s",
      order_words(e, NULL, whole), whole, outer, inner, (long)e->block,
      order_words(e, outer, inner), access_in_command(e->s, e->operand), list, list, array, lanes);
}

/* Whether a loop over the result goes through the operand again: filters do. */
static bool is_read_again(const expansion *e) {
  bool again = false;
  for (int n = 0; n < e->s->variable_count; n++)
    again |= set_has(statement_result(e->s)->variables, e->order[n]) &&
             !set_has(e->operand->variables, e->order[n]) &&
             estimated_extent(e->s, e->order[n]) > 1;
  return again;
}

/* An array in place of a padded operand is copied once, for many filters, each of which adds up in
 * registers, and no lane is out of range: what that gains is told by the same loops without one. */
static double other_cost(const expansion *e, double cost) {
  return access_is_array(e->operand) && is_read_again(e) ? window_cost(e->s, e->order, false)
                                                         : cost;
}

const char *window_expansion(const statement *s, double cost) {
  const double clearly = 0.95;
  expansion e = {.s = s->unmapped ? s->unmapped : s, .outside = set_empty()};
  if (!has_windows(s) || !find_operand(&e) || !find_split(&e) || !find_block(&e))
    return NULL;
  find_loops(&e);
  return expanded_cost(&e) < clearly * other_cost(&e, cost) ? commands(&e) : NULL;
}
