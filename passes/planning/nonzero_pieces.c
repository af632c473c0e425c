/* nonzero_pieces.c - see nonzero_pieces.h. */
#include "nonzero_pieces.h"

#include "density.h"
#include "extent.h"
#include "loop_cost.h"

#include <mlir-c/BuiltinAttributes.h>

#include <math.h>
#include <string.h>

typedef struct pieces {
  const statement *s;
  const access *operand;
  bool copied; /* the result has its entries one for one, each where it has its own */
  int across;  /* the variable that lanes go across; -1: none */
  int within;  /* of what is copied, the variable that each entry is a sum over; -1: none */
} pieces;

/*--- Whether -----------------------------------------------------------------------------------*/

/* Whether each level is that of one variable, and the last one stores coordinates. */
static bool is_list_of_entries(arena *memory, const access *a) {
  variable_set seen = set_empty();
  if (a->level_count < 2 || !tensor_format_is_plain(a->format) ||
      a->format->triangle != TIN_WHOLE || !level_is_walked(&a->levels[a->level_count - 1]))
    return false;
  for (int l = 0; l < a->level_count; l++) {
    int v = a->levels[l].bare;
    if (v < 0 || set_has(seen, v) || !(a->levels[l].level->properties & LEVEL_UNIQUE))
      return false;
    set_insert(memory, &seen, v);
  }
  return true;
}

/* Whether the result is stored as the operand is, at the same variables. */
static bool has_same_levels(const access *result, const access *operand) {
  bool same = result->level_count == operand->level_count &&
              tensor_format_begins_alike(result->format, operand->format, operand->level_count);
  for (int l = 0; same && l < operand->level_count; l++)
    same = result->levels[l].bare == operand->levels[l].bare;
  return same;
}

/* The only operand that is no array, of a statement of one nest whose result is one, or has the
 * entries of the operand. */
static bool find_operand(pieces *p) {
  const statement *s = p->s;
  int number = only_sparse_operand(s);
  if (number < 0 || s->nest_count != 1 || !root_skips_absent(s, number))
    return false;
  p->operand = &s->accesses[number];
  p->copied = has_same_levels(statement_result(s), p->operand);
  if (!p->copied && !access_is_array(statement_result(s)))
    return false;
  return mlirAttributeIsNull(p->operand->pad) && is_list_of_entries(s->memory, p->operand);
}

/* The only variable that the operand does not have, -1 where there is none; false where there are
 * more, or few coordinates of it for lanes. */
static bool find_other(const pieces *p, int *other) {
  const double least = 16;
  int count = 0;
  *other = -1;
  for (int v = 0; v < p->s->variable_count; v++)
    if (!set_has(p->operand->variables, v)) {
      *other = v;
      count++;
    }
  return count == 0 || (count == 1 && estimated_extent(p->s, *other) >= least);
}

/* That is the last of the result, or what entries are sums over. */
static bool find_across(pieces *p) {
  const access *result = statement_result(p->s);
  int other;
  p->across = p->within = -1;
  if (!find_other(p, &other))
    return false;
  if (p->copied)
    p->within = other;
  else
    p->across = other;
  return other < 0 || p->copied || result->levels[result->level_count - 1].bare == other;
}

/* What pieces take, in entries that a warp goes through by itself meanwhile, which is those of one
 * coordinate of the first level: to find where they begin, and for each entry in a warp's share,
 * since all warps go through memory then, and add by atomics.  More where lanes share its entries.
 * (Measured: docs/performance-gpu.md, on R-MAT graphs and uneven tensors.) */
typedef struct pieces_cost {
  double beginning, share;
} pieces_cost;
static const pieces_cost across_columns = {256, 6}, of_tensor = {4096, 10}, of_matrix = {32768, 26};

/* Whether that is less than what the warp takes that has most to do: the fullest coordinate, or as
 * many as there are for each warp. */
static bool is_uneven(const pieces *p) {
  const double warps = 8192;
  const access *a = p->operand;
  const pieces_cost *cost = p->across >= 0 || p->copied ? &across_columns
                            : a->level_count > 2        ? &of_tensor
                                                        : &of_matrix;
  if (mlirAttributeIsNull(a->holds))
    return false;
  int order = (int)mlirAffineMapGetNumResults(a->map), first = a->levels[0].level->dimension;
  double entries = (double)mlirDenseI64ArrayGetElement(a->holds, 0);
  double coordinates = (double)mlirDenseI64ArrayGetElement(a->holds, first + 1);
  double fullest = (double)tin_held_at_most(a->holds, order, first);
  if (fullest == 0 || coordinates < 1)
    return false;
  double most = fmax(fullest, entries / fmin(coordinates, warps));
  return most > cost->beginning + cost->share * entries / warps;
}

/*--- Commands ----------------------------------------------------------------------------------*/

/* "collapse(j,k,jk) collapse(i,jk,ijk)", and what that makes of all. */
static const char *collapse_words(const pieces *p, const char **whole) {
  const access *a = p->operand;
  const char *words = "";
  *whole = p->s->variables[a->levels[a->level_count - 1].bare];
  for (int l = a->level_count - 2; l >= 0; l--) {
    const char *outer = p->s->variables[a->levels[l].bare];
    const char *both = statement_new_name(p->s, outer, *whole);
    words = arena_format(p->s->memory, "%scollapse(%s,%s,%s) ", words, outer, *whole, both);
    *whole = both;
  }
  return words;
}

/* The order in which loops have to be before they are one. */
static const char *order_words(const pieces *p) {
  const access *a = p->operand;
  const char *words = "";
  for (int l = 0; l < a->level_count; l++)
    words = arena_format(p->s->memory, "%s%s,", words, p->s->variables[a->levels[l].bare]);
  int other = p->across >= 0 ? p->across : p->within;
  return other < 0 ? arena_format(p->s->memory, "%.*s", (int)strlen(words) - 1, words)
                   : arena_format(p->s->memory, "%s%s", words, p->s->variables[other]);
}

static const char *commands(const pieces *p) {
  enum { WARPS = 8, ENTRIES = 32, ENTRIES_OF_THREAD = 8, LANES = 32 };
  arena *memory = p->s->memory;
  const char *whole, *collapse = collapse_words(p, &whole);
  const char *entry = statement_new_name(p->s, whole, "_entry"),
             *block = statement_new_name(p->s, whole, "_block"),
             *in_block = statement_new_name(p->s, whole, "_in_block"),
             *warp = statement_new_name(p->s, whole, "_warp"),
             *in_warp = statement_new_name(p->s, whole, "_in_warp"),
             *thread = statement_new_name(p->s, whole, "_thread"),
             *own = statement_new_name(p->s, whole, "_own");
  int of_warp = p->across >= 0 || p->within >= 0 ? ENTRIES : LANES * ENTRIES_OF_THREAD;
  const char *pieces =
      arena_format(memory, "reorder(%s) %spos(%s,%s,%s) split(%s,%s,%s,%d) split(%s,%s,%s,%d)",
                   order_words(p), collapse, whole, entry, p->operand->name, entry, block, in_block,
                   WARPS * of_warp, in_block, warp, in_warp, of_warp);
  if (p->copied)
    return arena_format(memory,
                        "%s parallelize(%s,gpu_block,no_races) parallelize(%s,gpu_warp,no_races) "
                        "parallelize(%s,gpu_thread,%s)",
                        pieces, block, warp, p->within < 0 ? in_warp : p->s->variables[p->within],
                        p->within < 0 ? "no_races" : "parallel_reduction");
  const char *units = arena_format(
      memory, "parallelize(%s,gpu_block,ignore_races) parallelize(%s,gpu_warp,ignore_races)", block,
      warp);
  if (p->across < 0)
    return arena_format(memory, "%s split(%s,%s,%s,%d) %s parallelize(%s,gpu_thread,atomics)",
                        pieces, in_warp, thread, own, ENTRIES_OF_THREAD, units, thread);
  const char *across = p->s->variables[p->across];
  const char *part = statement_new_name(p->s, across, "_part"),
             *lane = statement_new_name(p->s, across, "_lane");
  return arena_format(memory,
                      "%s split(%s,%s,%s,%d) reorder(%s,%s,%s,%s,%s) %s "
                      "parallelize(%s,gpu_thread,atomics)",
                      pieces, across, part, lane, LANES, block, warp, lane, part, in_warp, units,
                      lane);
}

const char *nonzero_pieces(const statement *s) {
  pieces p = {.s = s};
  bool fits = !s->unmapped && !has_windows(s) && find_operand(&p) && find_across(&p);
  return fits && is_uneven(&p) ? commands(&p) : NULL;
}
