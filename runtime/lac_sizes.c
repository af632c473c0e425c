/* lac_sizes.c - whether dimensions are those of a type, and levels as large as what they hold of
 * the dimensions (lac_kernel.h).
 *
 *     m x n in blocks       0/4        1/4        0%4    1%4        ceil(m/4)  ceil(n/4)  4  4
 *     m x n by diagonals    (1+0)      *          1                 m+n-1      any        n
 *
 *     level  =  '*'  |  sum
 *     sum    =  term { '+' term }                  term  =  [ factor '*' ] part  |  '#' number
 *     part   =  ( dimension | '(' sum ')' ) { ( '/' | '%' ) number }
 */
#include "lac_ascii.h"
#include "lac_error.h"
#include "lac_kernel.h"

#include <stdio.h>
#include <stdlib.h>

/* A size that no level has. */
#define TOO_LARGE INT64_MIN

/* As far as text has been read, of a tensor. */
typedef struct reader {
  const char *text;
  const lac_tensor *tensor;
} reader;

static int64_t read_number(reader *r) {
  char *end;
  int64_t number = strtoll(r->text, &end, 10);
  r->text = end;
  return number;
}

static bool reads(reader *r, char letter) {
  bool is_next = *r->text == letter;
  r->text += is_next;
  return is_next;
}

/* factor * (size - 1) more, TOO_LARGE where that is. */
static int64_t with_term(int64_t sum, int64_t factor, int64_t size) {
  int64_t product;
  if (sum == TOO_LARGE || __builtin_mul_overflow(factor, size - 1, &product) ||
      __builtin_add_overflow(sum, product, &sum))
    return TOO_LARGE;
  return sum;
}

static int64_t read_size(reader *r);

/* The factor in front of a term, 1 where there is none. */
static int64_t read_factor(reader *r) {
  reader ahead = *r;
  int64_t factor = *r->text == '(' ? 1 : read_number(&ahead);
  if (*r->text == '(' || !reads(&ahead, '*'))
    return 1;
  *r = ahead;
  return factor;
}

/* Of a linear form: from its least to its greatest value. */
static int64_t read_sum(reader *r) {
  int64_t sum = 1;
  do {
    int64_t factor = reads(r, '#') ? 0 : read_factor(r);
    sum = factor ? with_term(sum, factor, read_size(r)) : with_term(sum, 1, read_number(r) + 1);
  } while (reads(r, '+'));
  reads(r, ')');
  return sum < 0 && sum != TOO_LARGE ? 0 : sum;
}

static int64_t read_size(reader *r) {
  int64_t size = reads(r, '(') ? read_sum(r) : r->tensor->dimensions[read_number(r)];
  for (;;) {
    if (reads(r, '/')) {
      int64_t by = read_number(r);
      size = size / by + (size % by != 0);
    } else if (reads(r, '%')) {
      size = read_number(r);
    } else {
      return size;
    }
  }
}

/* The dimension that a level holds as it is, from the text of one level; -1 for what else it holds.
 */
static int64_t held_alone(const char *text) {
  char *end;
  int64_t dimension = strtoll(text, &end, 10);
  return end > text && (*end == ' ' || !*end) ? dimension : -1;
}

static int32_t wrong_size(const lac_tensor *tensor, int64_t l, int64_t dimension, int64_t expected,
                          const char *name) {
  const lac_level *level = &tensor->levels[l];
  if (dimension >= 0)
    return lac_error_set(LAC_ERROR_FORMAT,
                         "%s: level %lld (%s): expected the size %lld of dimension %lld, found "
                         "%lld",
                         name, (long long)l, level->kind, (long long)expected, (long long)dimension,
                         (long long)level->size);
  return lac_error_set(LAC_ERROR_FORMAT, "%s: level %lld (%s): expected the size %lld, found %lld",
                       name, (long long)l, level->kind, (long long)expected,
                       (long long)level->size);
}

/* Whether each level holds a dimension as it is, "0 1", as most do, and is as large. */
static bool are_dimensions(const lac_tensor *tensor, const char *text) {
  for (int64_t l = 0; l < tensor->level_count; l++, text += 2) {
    bool alone = lac_is_digit(text[0]) && (text[1] == ' ' || !text[1]);
    if (!alone || tensor->levels[l].size != tensor->dimensions[text[0] - '0'])
      return false;
  }
  return true;
}

bool lac_kernel_sizes(const lac_tensor *tensor, const char *held_by_levels, const char *name,
                      int32_t *status) {
  reader r = {held_by_levels, tensor};
  if (lac_status_is_fine(status) && are_dimensions(tensor, held_by_levels))
    return true;
  for (int64_t l = 0; lac_status_is_fine(status) && l < tensor->level_count; l++) {
    while (reads(&r, ' '))
      ;
    int64_t dimension = held_alone(r.text);
    int64_t expected = reads(&r, '*') ? tensor->levels[l].size : read_sum(&r);
    if (tensor->levels[l].size != expected)
      lac_status_take(status, wrong_size(tensor, l, dimension, expected, name));
  }
  return lac_status_is_fine(status);
}

/* ---- Shapes ------------------------------------------------------------------------------- */

static bool has_shape(const lac_tensor *tensor, const char *dimensions) {
  reader r = {dimensions, tensor};
  for (int64_t d = 0; d < tensor->order; d++) {
    if (!reads(&r, '?') && read_number(&r) != tensor->dimensions[d])
      return false;
    reads(&r, 'x');
  }
  return true;
}

/* As many of its dimensions as the text has room for. */
static void write_shape(const lac_tensor *tensor, char *text, size_t size) {
  size_t used = 0;
  for (int64_t d = 0; d < tensor->order && used < size; d++)
    used += (size_t)snprintf(text + used, size - used, "%s%lld", d ? "x" : "",
                             (long long)tensor->dimensions[d]);
}

bool lac_kernel_shape(const lac_tensor *tensor, const char *dimensions, const char *name,
                      int32_t *status) {
  char found[256] = "";
  if (!lac_status_is_fine(status) || has_shape(tensor, dimensions))
    return lac_status_is_fine(status);
  write_shape(tensor, found, sizeof found);
  return lac_status_take(status,
                         lac_error_set(LAC_ERROR_SHAPE, "%s: expected the shape %s, found %s", name,
                                       dimensions, found));
}
