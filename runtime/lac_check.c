/* lac_check.c - whether the storage of a tensor is what the layouts of its levels promise
 * (lac_layout.h): first that arrays are long enough, which makes every access of the rest safe,
 * then what they hold, and the order of coordinates under each parent.  The values are as many as
 * the last level's positions.
 */
#include "lac_error.h"
#include "lac_kernel.h"
#include "lac_layout.h"
#include "lac_memory.h"
#include "lac_storage.h"

/* ---- Lengths ------------------------------------------------------------------------------ */

static bool wrong_length(const lac_place *at, const char *what, int length, int64_t expected,
                         int64_t found) {
  return lac_level_wrong(at, "expected %lld %.*s, found %lld", (long long)expected, length, what,
                         (long long)found);
}

static bool check_lent_data(const lac_place *at) {
  for (int slot = 0; slot < LAC_ARRAYS; slot++) {
    const lac_array *array = &lac_level_at(at)->array[slot];
    if (array->length < 0 || (array->length > 0 && !array->data))
      return lac_level_wrong(at, "expected 0 elements in an array with no data, found %lld",
                             (long long)array->length);
  }
  return true;
}

static bool is_index_width(int32_t width) {
  return width == 1 || width == 2 || width == 4 || width == 8;
}

static int64_t elements_of(const lac_array *array) {
  return array->data && is_index_width(array->width) ? array->length : 0;
}

/* #S = E WORDS, #S >= E WORDS */
static bool check_length(const lac_place *at, lac_layout_rule *rule,
                         const lac_layout_counts *counts) {
  int64_t slot, expected;
  if (!lac_layout_take(rule, '#') || !lac_layout_number(rule, &slot) || slot >= LAC_ARRAYS)
    return lac_layout_malformed(at);
  bool exact = !lac_layout_take(rule, '>');
  if (!lac_layout_take(rule, '='))
    return lac_layout_malformed(at);
  if (!lac_layout_value(at, rule, counts, &expected))
    return false;
  int64_t found = elements_of(&lac_level_at(at)->array[slot]);
  return (exact ? found == expected : found >= expected) ||
         wrong_length(at, rule->rest, (int)(rule->end - rule->rest), expected, found);
}

/* q = E WORDS, r = E WORDS */
static bool take_count(const lac_place *at, lac_layout_rule *rule, const lac_layout_counts *counts,
                       int64_t *count) {
  if (!lac_layout_take(rule, '='))
    return lac_layout_malformed(at);
  if (!lac_layout_value(at, rule, counts, count))
    return false;
  return *count >= 0 ||
         lac_level_wrong(at, "expected 0 or more as the %.*s, found %lld",
                         (int)(rule->end - rule->rest), rule->rest, (long long)*count);
}

/* Below levels of which nothing is known, one whose first array has an element more than there are
 * parents tells how many they are. */
static int64_t own_parents(const lac_place *at, lac_layout_text text) {
  const lac_layout_counts none = {0};
  lac_layout_rule rule;
  int64_t slot, more;
  bool tells = lac_layout_next(&text, &rule) && lac_layout_take(&rule, '#') &&
               lac_layout_number(&rule, &slot) && slot < LAC_ARRAYS &&
               lac_layout_take(&rule, '=') && lac_layout_value(at, &rule, &none, &more) &&
               more == 1;
  int64_t own = tells ? lac_level_at(at)->array[slot].length - 1 : -1;
  return own < 0 ? LAC_UNKNOWN_COUNT : own;
}

/* The numbers of a level below counts->p positions (LAC_UNKNOWN_COUNT: not known). */
static bool check_lengths(const lac_place *at, lac_layout_text text, lac_layout_counts *counts) {
  lac_layout_rule rule;
  counts->q = LAC_UNKNOWN_COUNT;
  counts->r = 0;
  if (!check_lent_data(at))
    return false;
  if (counts->p == LAC_UNKNOWN_COUNT && text.begin)
    counts->p = own_parents(at, text);
  if (counts->p == LAC_UNKNOWN_COUNT)
    return true;
  text = lac_layout_lengths(text);
  while (lac_layout_next(&text, &rule))
    if (!(*rule.word == '#'   ? check_length(at, &rule, counts)
          : *rule.word == 'q' ? take_count(at, &rule, counts, &counts->q)
                              : take_count(at, &rule, counts, &counts->r)))
      return false;
  return true;
}

static bool check_values(const lac_tensor *tensor, const char *name, int64_t positions) {
  int64_t found = tensor->values.data ? tensor->values.length : 0;
  if (found >= positions && tensor->values.length >= 0)
    return true;
  lac_error_set(LAC_ERROR_FORMAT, "%s: expected %lld values, found %lld", name,
                (long long)(positions < 0 ? 0 : positions), (long long)found);
  return false;
}

/* The layout of the next level of a signature, or of a tensor's level that none tells. */
static lac_layout_text next_layout(lac_signature *signature, const lac_level *level) {
  lac_signature_level told;
  if (!signature->text || !lac_signature_next(signature, &told))
    return lac_layout_of_kind(level->kind);
  return told.layout.begin ? told.layout : lac_layout_of_kind(level->kind);
}

static lac_signature signature_of(const char *text) {
  lac_signature signature = {0};
  if (text && !lac_signature_open(&signature, text))
    signature.text = NULL;
  return signature;
}

/* The positions of the last level; false after a message. */
static bool count_positions(const lac_tensor *tensor, lac_signature levels, const char *name,
                            lac_layout_reads *reads, int64_t *positions) {
  lac_layout_counts counts = {.q = 1};
  for (int64_t l = 0; l < tensor->level_count; l++) {
    lac_place at = {tensor, name, l, NULL, reads};
    counts.p = counts.q;
    if (!check_lengths(&at, next_layout(&levels, &tensor->levels[l]), &counts))
      return false;
  }
  *positions = counts.q;
  return true;
}

bool lac_storage_lengths(const lac_tensor *tensor, const lac_signature *levels, const char *name,
                         lac_layout_reads *reads) {
  int64_t positions;
  return count_positions(tensor, levels ? *levels : (lac_signature){0}, name, reads, &positions) &&
         check_values(tensor, name, positions);
}

int64_t lac_storage_positions(const lac_tensor *tensor) {
  int64_t positions;
  return count_positions(tensor, (lac_signature){0}, "tensor", NULL, &positions)
             ? positions
             : LAC_UNKNOWN_COUNT;
}

static bool check_fields(const lac_tensor *tensor, const char *name) {
  bool sound = tensor->order >= 0 && tensor->level_count >= 0 &&
               (tensor->order == 0 || tensor->dimensions) &&
               (tensor->level_count == 0 || tensor->levels) && lac_type_width(tensor->type) > 0 &&
               tensor->values.width == lac_type_width(tensor->type);
  for (int64_t d = 0; d < tensor->order && sound; d++)
    sound = tensor->dimensions[d] >= 0;
  for (int64_t l = 0; l < tensor->level_count && sound; l++)
    sound = tensor->levels[l].kind && tensor->levels[l].size >= 0;
  if (!sound)
    lac_error_set(LAC_ERROR_FORMAT,
                  "%s: expected an element type with values of its width, and for each dimension "
                  "and level a size that is not negative",
                  name);
  return sound;
}

/* ---- Order -------------------------------------------------------------------------------- */

/* The levels from `l` on whose coordinates make one entry: itself and those that go on with one
 * coordinate under each. */
static int64_t end_of_chain(const lac_place *at) {
  int64_t l = at->l + 1;
  while (l < at->tensor->level_count && at->layouts[l].one && at->layouts[l].is_at)
    l++;
  return l;
}

/* Compares entry p of a level, and of those that continue it, with the entry before: the level
 * where they are out of order, or -1. */
static int64_t misplaced_level(const lac_place *at, int64_t end, const uint8_t *flags, int64_t p) {
  for (lac_place here = *at; here.l < end; here.l++) {
    int64_t before = lac_layout_coordinate(&here, p - 1);
    int64_t coordinate = lac_layout_coordinate(&here, p);
    int flag = flags ? flags[here.l] : 0;
    if (coordinate < before)
      return flag & LAC_UNORDERED ? -1 : here.l;
    if (coordinate > before)
      return -1;
    if (!(flag & LAC_NONUNIQUE))
      return here.l;
  }
  return -1;
}

static bool check_segment(const lac_place *at, int64_t end, const uint8_t *flags, int64_t first,
                          int64_t last) {
  for (int64_t p = first + 1; p < last; p++) {
    int64_t l = misplaced_level(at, end, flags, p);
    if (l < 0)
      continue;
    lac_place wrong = {at->tensor, at->name, l, at->layouts, NULL};
    return lac_level_wrong(&wrong,
                           "expected ascending coordinates, found %lld after %lld at position %lld",
                           (long long)lac_layout_coordinate(&wrong, p),
                           (long long)lac_layout_coordinate(&wrong, p - 1), (long long)p);
  }
  return true;
}

static bool check_order(const lac_place *at, int64_t parents, const uint8_t *flags) {
  int64_t end = end_of_chain(at);
  for (int64_t p = 0; p < parents; p++) {
    int64_t first, last;
    lac_layout_under(at, p, &first, &last);
    if (!check_segment(at, end, flags, first, last))
      return false;
  }
  return true;
}

/* ---- All ---------------------------------------------------------------------------------- */

static bool check_contents(const lac_tensor *tensor, const lac_layout *layouts,
                           const uint8_t *flags, const char *name) {
  lac_layout_counts counts = {.q = 1};
  for (int64_t l = 0; l < tensor->level_count; l++) {
    lac_place at = {tensor, name, l, layouts, NULL};
    counts.p = counts.q;
    check_lengths(&at, layouts[l].text, &counts);
    if (!layouts[l].text.begin || counts.p == LAC_UNKNOWN_COUNT)
      continue;
    if (!lac_layout_holds(&at, &counts))
      return false;
    if (layouts[l].is_under && layouts[l].is_at && !check_order(&at, counts.p, flags))
      return false;
  }
  return true;
}

static bool read_layouts(const lac_tensor *tensor, const char *text, const char *name,
                         lac_layout *layouts) {
  lac_signature signature = signature_of(text);
  for (int64_t l = 0; l < tensor->level_count; l++) {
    lac_place at = {tensor, name, l, layouts, NULL};
    if (!lac_layout_read(next_layout(&signature, &tensor->levels[l]), &layouts[l]) ||
        layouts[l].up > l)
      return lac_layout_malformed(&at);
  }
  return true;
}

int32_t lac_layouts_of(const lac_tensor *tensor, const char *text, const char *name,
                       lac_layout **layouts) {
  *layouts = lac_memory_allocate((tensor->level_count + 1) * (int64_t)sizeof **layouts);
  if (!*layouts)
    return LAC_ERROR_MEMORY;
  if (read_layouts(tensor, text, name, *layouts))
    return LAC_OK;
  lac_layouts_free(tensor, *layouts);
  return LAC_ERROR_FORMAT;
}

void lac_layouts_free(const lac_tensor *tensor, lac_layout *layouts) {
  lac_memory_release(layouts, (tensor->level_count + 1) * (int64_t)sizeof *layouts);
}

/* The lengths first: they make every access of the second pass safe. */
int32_t lac_tensor_check_stored(const lac_tensor *tensor, const char *signature,
                                const uint8_t *level_flags, const char *name) {
  lac_layout *layouts;
  if (!tensor)
    return lac_error_missing("a tensor to check");
  name = name ? name : "tensor";
  int32_t status = LAC_OK;
  if (signature && !lac_kernel_expect(tensor, signature, name, &status))
    return status;
  if (!signature && (!check_fields(tensor, name) || !lac_storage_lengths(tensor, NULL, name, NULL)))
    return LAC_ERROR_FORMAT;
  status = lac_layouts_of(tensor, signature, name, &layouts);
  if (status != LAC_OK)
    return status;
  bool sound = check_contents(tensor, layouts, level_flags, name);
  lac_layouts_free(tensor, layouts);
  return sound ? LAC_OK : LAC_ERROR_FORMAT;
}

int32_t lac_tensor_check_named(const lac_tensor *tensor, const uint8_t *level_flags,
                               const char *name) {
  return lac_tensor_check_stored(tensor, NULL, level_flags, name);
}

int32_t lac_tensor_check(const lac_tensor *tensor, const uint8_t *level_flags) {
  return lac_tensor_check_named(tensor, level_flags, "tensor");
}
