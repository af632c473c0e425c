/* lac_sizes.c - whether levels are as large as what they hold of the dimensions (lac_kernel.h).
 *
 *     m x n in blocks       0/4        1/4        0%4    1%4        ceil(m/4)  ceil(n/4)  4  4
 *     m x n by diagonals    1+0        *          1                 m+n-1      any        n
 */
#include "lac_error.h"
#include "lac_kernel.h"

#include <stdlib.h>

/* What a level holds: a dimension, and where `operator` is one of / % + what comes after it. */
typedef struct held {
  int64_t dimension, other;
  char operator;
} held;

static int64_t read_number(const char **text) {
  char *end;
  int64_t number = strtoll(*text, &end, 10);
  *text = end;
  return number;
}

static held read_held(const char **text) {
  held h = {.operator = '*'};
  while (**text == ' ')
    ++*text;
  if (**text == '*') {
    ++*text;
    return h;
  }
  h.dimension = read_number(text);
  h.operator = **text;
  if (h.operator == '/' || h.operator == '%' || h.operator == '+') {
    ++*text;
    h.other = read_number(text);
  }
  return h;
}

static int64_t size_of(const lac_tensor *tensor, const held *h) {
  int64_t extent = tensor->dimensions[h->dimension], sum;
  switch (h->operator) {
  case '/':
    return extent / h->other + (extent % h->other != 0);
  case '%':
    return h->other;
  case '+':
    if (__builtin_add_overflow(extent, tensor->dimensions[h->other], &sum))
      return INT64_MAX;
    return sum > 0 ? sum - 1 : 0;
  default:
    return extent;
  }
}

static int32_t wrong_size(const lac_tensor *tensor, int64_t l, const held *h, int64_t expected,
                          const char *name) {
  const lac_level *level = &tensor->levels[l];
  if (h->operator == ' ' || !h->operator)
    return lac_error_set(LAC_ERROR_FORMAT,
                         "%s: level %lld (%s): expected the size %lld of dimension %lld, found "
                         "%lld",
                         name, (long long)l, level->kind, (long long)expected,
                         (long long)h->dimension, (long long)level->size);
  return lac_error_set(LAC_ERROR_FORMAT, "%s: level %lld (%s): expected the size %lld, found %lld",
                       name, (long long)l, level->kind, (long long)expected,
                       (long long)level->size);
}

bool lac_kernel_sizes(const lac_tensor *tensor, const char *held_by_levels, const char *name,
                      int32_t *status) {
  const char *rest = held_by_levels;
  for (int64_t l = 0; lac_status_is_fine(status) && l < tensor->level_count; l++) {
    held h = read_held(&rest);
    int64_t expected = h.operator == '*' ? tensor->levels[l].size : size_of(tensor, &h);
    if (tensor->levels[l].size != expected)
      lac_status_take(status, wrong_size(tensor, l, &h, expected, name));
  }
  return lac_status_is_fine(status);
}
