/* Semirings by the names of their two operators. */
#include "semiring.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *word, *operator_name;
} words[] = {{"plus", "add"}, {"times", "mul"}, {"min", "min"}, {"max", "max"},
             {"or", "or"},    {"and", "and"},   {"xor", "xor"}};

static const scalar_function *operator_from_word(const char *word, size_t length) {
  for (size_t w = 0; w < sizeof words / sizeof *words; w++)
    if (strlen(words[w].word) == length && !memcmp(words[w].word, word, length))
      return scalar_operator_find(words[w].operator_name);
  return NULL;
}

bool semiring_from_name(const char *name, semiring *s) {
  const char *bar = strchr(name, '_');
  if (!bar)
    return false;
  s->plus = operator_from_word(name, (size_t)(bar - name));
  s->times = operator_from_word(bar + 1, strlen(bar + 1));
  s->is_arithmetic = !strcmp(name, "plus_times");
  return s->plus && s->times;
}

void semiring_offer(nearest *search) {
  char name[32];
  for (size_t plus = 0; plus < sizeof words / sizeof *words; plus++)
    for (size_t times = 0; times < sizeof words / sizeof *words; times++) {
      snprintf(name, sizeof name, "%s_%s", words[plus].word, words[times].word);
      nearest_offer(search, name);
    }
}

MlirAttribute semiring_zero(builder *b, const semiring *s, MlirType type) {
  bool is_max_times = !strcmp(s->plus->name, "max") && !strcmp(s->times->name, "mul");
  return combine_identity(b, is_max_times ? "add" : s->plus->name, type);
}
