/* runner.c - runs each kernel on the GPU and on the CPU, compares what they compute, and prints the
 * time that the GPU takes, operands being there: the median of RUNS.
 *
 * Exit status: 0; 1 where results differ or a kernel fails; 2 without a GPU. */
#include "runner.h"

#include "lac_device.h"
#include "lac_error.h"
#include "lac_generate.h"
#include "lac_lend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 11, SEED = 7 };

/* ---- Operands ----------------------------------------------------------------------------- */

static int32_t generate(const bundle_data *d, int32_t type, lac_tensor *list) {
  int64_t square[] = {d->rows, d->rows}, entries = d->rows * d->nnz_per_row;
  if (!strcmp(d->kind, "stencil2d"))
    return lac_generate_stencil(2, llround(sqrt((double)d->rows)), type, list);
  if (!strcmp(d->kind, "stencil3d"))
    return lac_generate_stencil(3, llround(cbrt((double)d->rows)), type, list);
  if (!strcmp(d->kind, "rmat"))
    return lac_generate_rmat(d->rows, d->rows, entries, SEED, type, list);
  if (!strcmp(d->kind, "blocked"))
    return lac_generate_blocked(d->rows, d->rows, d->block, entries, SEED, type, list);
  if (!strcmp(d->kind, "tensor-uniform"))
    return lac_generate_uniform(BUNDLE_ORDER, d->dimensions, d->nnz, SEED, type, list);
  if (!strcmp(d->kind, "tensor-skewed"))
    return lac_generate_skewed(BUNDLE_ORDER, d->dimensions, d->nnz, SEED, type, list);
  return lac_generate_uniform(2, square, entries, SEED, type, list);
}

/* Values between 0.5 and 1.5. */
static void *make_values(int64_t count, int32_t type) {
  void *values = malloc((size_t)(count * lac_type_width(type)) + 1);
  for (int64_t i = 0; values && i < count; i++) {
    double value = 0.5 + (double)(uint32_t)((uint64_t)(i + 1) * 2654435761u) * 0x1p-32;
    if (type == LAC_F32)
      ((float *)values)[i] = (float)value;
    else
      ((double *)values)[i] = value;
  }
  return values;
}

/* `*values` are to be freed behind the operand. */
static int32_t make_operand(const bundle_operand *o, int32_t type, const lac_tensor *list,
                            lac_tensor *made, void **values) {
  if (o->pack)
    return o->pack(made, list);
  int64_t sizes[BUNDLE_ORDER], count = 1;
  for (int64_t d = 0; d < o->order; d++) {
    sizes[d] = o->sizes[d] < 0 ? list->dimensions[-1 - o->sizes[d]] : o->sizes[d];
    count *= sizes[d];
  }
  *values = make_values(count, type);
  if (!*values)
    return lac_error_set(LAC_ERROR_MEMORY, "out of memory");
  return lac_lend_dense(made, type, o->order, sizes, *values);
}

/* ---- Results ------------------------------------------------------------------------------ */

static bool is_same_array(const lac_array *x, const lac_array *y) {
  return x->length == y->length && x->width == y->width &&
         (x->length == 0 || !memcmp(x->data, y->data, (size_t)(x->length * x->width)));
}

static double value_at(const lac_tensor *t, int64_t i) {
  return t->values.width == 4 ? ((const float *)t->values.data)[i]
                              : ((const double *)t->values.data)[i];
}

/* Whether the same is stored, values but for the order of sums. */
static bool is_same(const lac_tensor *x, const lac_tensor *y, int32_t type) {
  double most = type == LAC_F32 ? 1e-3 : 1e-10;
  bool same = x->level_count == y->level_count && x->values.length == y->values.length;
  for (int64_t l = 0; same && l < x->level_count; l++)
    for (int a = 0; a < LAC_ARRAYS; a++)
      same &= is_same_array(&x->levels[l].array[a], &y->levels[l].array[a]);
  for (int64_t i = 0; same && i < x->values.length; i++) {
    double u = value_at(x, i), v = value_at(y, i);
    same = fabs(u - v) <= most * fmax(1, fmax(fabs(u), fabs(v)));
  }
  return same;
}

/* ---- Cases -------------------------------------------------------------------------------- */

typedef struct run {
  lac_tensor list, made[BUNDLE_OPERANDS], *operands[BUNDLE_OPERANDS], result, expected;
  void *values[BUNDLE_OPERANDS];
  double seconds[RUNS];
} run;

static int32_t prepare(run *r, const bundle_case *c) {
  int32_t status = generate(c->data, c->type, &r->list);
  for (int i = 0; i < c->operand_count && status == LAC_OK; i++) {
    r->operands[i] = &r->made[i];
    status = make_operand(&c->operands[i], c->type, &r->list, &r->made[i], &r->values[i]);
  }
  if (status == LAC_OK)
    status = c->on_cpu(&r->expected, r->operands);
  for (int i = 0; i < c->operand_count && status == LAC_OK; i++)
    status = (int32_t)lac_tensor_to_device(r->operands[i]);
  return status;
}

static int by_size(const void *x, const void *y) {
  double u = *(const double *)x, v = *(const double *)y;
  return (u > v) - (u < v);
}

static int32_t time_runs(run *r, const bundle_case *c) {
  int32_t status = c->on_gpu(&r->result, r->operands);
  for (int n = 0; n < RUNS && status == LAC_OK; n++) {
    lac_device_seconds();
    status = c->on_gpu(&r->result, r->operands);
    r->seconds[n] = lac_device_seconds();
  }
  qsort(r->seconds, RUNS, sizeof *r->seconds, by_size);
  return status;
}

static void release(run *r, const bundle_case *c) {
  for (int i = 0; i < c->operand_count; i++) {
    lac_tensor_free(&r->made[i]);
    free(r->values[i]);
  }
  lac_tensor_free(&r->list);
  lac_tensor_free(&r->result);
  lac_tensor_free(&r->expected);
}

static void print_row(const run *r, const bundle_case *c, bool same) {
  double median = r->seconds[RUNS / 2];
  int64_t bytes = lac_tensor_bytes(&r->result);
  for (int i = 0; i < c->operand_count; i++)
    bytes += lac_tensor_bytes(&r->made[i]);
  printf("| %s | %s | %s | %.4g | %.0f | %s |\n", c->title, c->data->name, lac_type_name(c->type),
         median * 1e3, (double)bytes / 1e9 / median, same ? "right" : "WRONG");
  fflush(stdout);
}

static bool run_case(const bundle_case *c) {
  run r = {0};
  int32_t status = prepare(&r, c);
  if (status == LAC_OK)
    status = time_runs(&r, c);
  bool same = status == LAC_OK && is_same(&r.result, &r.expected, c->type);
  if (status == LAC_OK)
    print_row(&r, c, same);
  else
    printf("| %s | %s | %s | | | %s |\n", c->title, c->data->name, lac_type_name(c->type),
           lac_error_message());
  release(&r, c);
  return same;
}

int main(int count, char **arguments) {
  const char *why = "", *only = count > 1 ? arguments[1] : NULL;
  bool emulated = getenv("BUNDLE_EMULATED") != NULL;
  if (!emulated && !lac_device_is_there(&why)) {
    fprintf(stderr, "no GPU: %s\n", why);
    return 2;
  }
  printf("On %s:\n\n| kernel | data | type | ms | GB/s | result |\n",
         emulated ? "the emulated device" : lac_device_name());
  printf("| --- | --- | --- | ---: | ---: | --- |\n");
  int right = 0, wrong = 0;
  for (const bundle_case *c = bundle_cases; c->title; c++) {
    if (only && strcmp(only, c->title) != 0)
      continue;
    if (run_case(c))
      right++;
    else
      wrong++;
  }
  printf("\n%d passed, %d failed\n", right, wrong);
  return wrong ? 1 : 0;
}
