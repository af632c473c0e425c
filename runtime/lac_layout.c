/* lac_layout.c - layouts read: rules, expressions, how a level is walked (lac_layout.h). */
#include "lac_layout.h"

#include "lac_error.h"
#include "lac_memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Messages ----------------------------------------------------------------------------- */

bool lac_level_wrong(const lac_place *at, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  lac_error_set(LAC_ERROR_FORMAT, "%s: level %lld (%s): %s", at->name, (long long)at->l,
                lac_level_at(at)->kind, text);
  return false;
}

bool lac_layout_malformed(const lac_place *at) {
  return lac_level_wrong(at, "its level format has a malformed layout");
}

/* ---- Rules -------------------------------------------------------------------------------- */

lac_layout_text lac_layout_of_kind(const char *kind) {
  static const struct {
    const char *kind, *layout;
  } made[] = {{"dense", LAC_LAYOUT_DENSE},
              {"compressed", LAC_LAYOUT_COMPRESSED},
              {"singleton", LAC_LAYOUT_SINGLETON}};
  for (size_t m = 0; kind && m < sizeof made / sizeof *made; m++)
    if (strcmp(made[m].kind, kind) == 0)
      return (lac_layout_text){made[m].layout, made[m].layout + strlen(made[m].layout)};
  return (lac_layout_text){NULL, NULL};
}

lac_layout_text lac_layout_lengths(lac_layout_text text) {
  const char *bar = text.begin ? memchr(text.begin, '|', (size_t)(text.end - text.begin)) : NULL;
  return bar ? (lac_layout_text){text.begin, bar} : text;
}

lac_layout_text lac_layout_contents(lac_layout_text text) {
  const char *end = lac_layout_lengths(text).end;
  return (lac_layout_text){end == text.end ? text.end : end + 1, text.end};
}

bool lac_layout_is(const lac_layout_rule *rule, const char *word) {
  return rule->length == strlen(word) && memcmp(rule->word, word, rule->length) == 0;
}

/* ---- Expressions -------------------------------------------------------------------------- */

typedef struct evaluation {
  const lac_place *at;
  lac_layout_rule *rule;
  const lac_layout_counts *counts;
} evaluation;

static bool sum_of(const evaluation *e, int64_t *value);

static const lac_array *array_of(const evaluation *e, int64_t slot) {
  return slot < LAC_ARRAYS ? &lac_level_at(e->at)->array[slot] : NULL;
}

static bool is_there(const lac_array *array, int64_t index) {
  return array && array->data && index >= 0 && index < array->length;
}

static void note_element(const evaluation *e, int64_t slot, int64_t index, int64_t value) {
  lac_layout_reads *reads = e->at->reads;
  if (!reads || (reads->are_more |= reads->count == LAC_LAYOUT_READS))
    return;
  reads->elements[reads->count++] = (lac_layout_element){e->at->l, slot, index, value};
}

static bool element_of(const evaluation *e, int64_t slot, int64_t *value) {
  const lac_array *array = array_of(e, slot);
  int64_t index;
  if (!sum_of(e, &index))
    return false;
  if (!lac_layout_take(e->rule, ']') || !is_there(array, index))
    return lac_layout_malformed(e->at);
  *value = lac_array_get(array, index);
  note_element(e, slot, index, *value);
  return true;
}

static bool greatest_of(const evaluation *e, int64_t *value) {
  int64_t slot;
  const lac_array *array = lac_layout_number(e->rule, &slot) ? array_of(e, slot) : NULL;
  if (e->counts->p > 0 && !is_there(array, e->counts->p - 1))
    return lac_layout_malformed(e->at);
  *value = 0;
  if (e->at->reads)
    e->at->reads->are_more = true;
  for (int64_t p = 0; p < e->counts->p; p++) {
    int64_t here = lac_array_get(array, p);
    *value = here > *value ? here : *value;
  }
  return true;
}

/* p, q, r, n, or "greatest S". */
static bool named(const evaluation *e, int64_t *value) {
  lac_layout_rule *rule = e->rule;
  char name = rule->rest < rule->end ? *rule->rest : '\0';
  while (rule->rest < rule->end && lac_layout_is_letter(*rule->rest))
    rule->rest++;
  switch (name) {
  case 'p':
    *value = e->counts->p;
    return true;
  case 'q':
    *value = e->counts->q;
    return true;
  case 'r':
    *value = e->counts->r;
    return true;
  case 'n':
    *value = lac_level_at(e->at)->size;
    return true;
  case 'g':
    return greatest_of(e, value);
  default:
    return lac_layout_malformed(e->at);
  }
}

static bool factor_of(const evaluation *e, int64_t *value) {
  if (!lac_layout_number(e->rule, value))
    return named(e, value);
  return !lac_layout_take(e->rule, '[') || element_of(e, *value, value);
}

static bool too_many(const evaluation *e, int64_t a, char operator, int64_t b) {
  const lac_place *at = e->at;
  lac_error_set(LAC_ERROR_MEMORY,
                "%s: level %lld (%s): %lld %c %lld positions do not fit in 63 bits", at->name,
                (long long)at->l, lac_level_at(at)->kind, (long long)a, operator, (long long)b);
  return false;
}

static bool product_of(const evaluation *e, int64_t *value) {
  int64_t factor;
  bool good = factor_of(e, value);
  while (good && lac_layout_take(e->rule, '*')) {
    good = factor_of(e, &factor);
    int64_t product = good ? lac_memory_bytes(*value, factor) : 0;
    if (product < 0 || product == INT64_MAX)
      return too_many(e, *value, '*', factor);
    *value = product;
  }
  return good;
}

static bool sum_of(const evaluation *e, int64_t *value) {
  int64_t term;
  bool good = product_of(e, value);
  while (good && lac_layout_take(e->rule, '+')) {
    good = product_of(e, &term);
    if (good && *value > INT64_MAX - 1 - term)
      return too_many(e, *value, '+', term);
    *value += good ? term : 0;
  }
  return good;
}

bool lac_layout_value(const lac_place *at, lac_layout_rule *rule, const lac_layout_counts *counts,
                      int64_t *value) {
  evaluation e = {at, rule, counts};
  return sum_of(&e, value);
}

/* ---- How a level is walked ---------------------------------------------------------------- */

static bool read_slot(lac_layout_rule *rule, int *slot) {
  int64_t number;
  bool read = lac_layout_number(rule, &number) && number < LAC_ARRAYS;
  *slot = read ? (int)number : 0;
  return read;
}

/* p, or p + 1 */
static bool read_parent(lac_layout_rule *rule, int *slot, int64_t *offset) {
  *offset = 0;
  return read_slot(rule, slot) && lac_layout_take(rule, '[') && lac_layout_take(rule, 'p') &&
         (!lac_layout_take(rule, '+') || lac_layout_number(rule, offset)) &&
         lac_layout_take(rule, ']');
}

static bool read_at(lac_layout_rule *rule, lac_layout *layout) {
  int64_t up = 0;
  layout->stride = 1;
  layout->is_at = true;
  if ((lac_layout_take(rule, '^') && !lac_layout_number(rule, &up)) ||
      !read_slot(rule, &layout->slot) || !lac_layout_take(rule, '['))
    return false;
  layout->up = (int)up;
  if (lac_layout_number(rule, &layout->stride))
    lac_layout_take(rule, '*');
  else
    layout->stride = 1;
  return lac_layout_take(rule, 'q') &&
         (!lac_layout_take(rule, '+') || lac_layout_number(rule, &layout->offset)) &&
         lac_layout_take(rule, ']');
}

bool lac_layout_read(lac_layout_text text, lac_layout *layout) {
  lac_layout_rule rule;
  bool good = true;
  *layout = (lac_layout){.text = text};
  text = lac_layout_contents(text);
  while (good && lac_layout_next(&text, &rule)) {
    layout->all |= lac_layout_is(&rule, "all");
    layout->one |= lac_layout_is(&rule, "one");
    if (lac_layout_is(&rule, "at"))
      good = read_at(&rule, layout);
    if (lac_layout_is(&rule, "under"))
      good = layout->is_under = read_parent(&rule, &layout->begin_slot, &layout->begin) &&
                                read_parent(&rule, &layout->end_slot, &layout->end);
  }
  return good;
}
