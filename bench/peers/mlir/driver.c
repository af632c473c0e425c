/* driver - calls a kernel that MLIR's sparsifier made (llvm.emit_c_interface) with the harness's
 * arrays.  One program is linked for each kernel and size; the kernel takes its operands in the
 * order of the table: positions and coordinates of each level, values; dense operands.
 */
#include "harness.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 16, RESULT_WORDS = 64, DESCRIPTOR_WORDS = 5 };

/* A memref of order up to 4, as MLIR passes it. */
typedef struct descriptor {
  void *allocated, *aligned;
  int64_t offset, sizes_and_strides[2 * BENCH_ORDER];
} descriptor;

typedef struct shape {
  const char *name;
  int sparse_operands; /* A, or A and B, or A, B and C */
  const char *dense[BENCH_DENSE];
  const char *result; /* a letter a level: d dense, c compressed; of dense results in capitals; of
                         convolutions a dimension as bench_dense takes it, smaller by the filter, or
                         as it is in capitals */
} shape;

typedef struct call {
  const shape *shape;
  int count;
  descriptor operands[ARGUMENTS];
  void *result[RESULT_WORDS];
} call;

static const shape shapes[] = {
    {"spmv", 1, {"n"}, "D"},
    {"spmv-coo", 1, {"n"}, "D"},
    {"spmm", 1, {"nr"}, "DD"},
    {"sddmm", 1, {"mr", "nr"}, "dc"},
    {"sddmm-spmm", 1, {"mr", "nr", "nr"}, "DD"},
    {"add", 2, {NULL}, "dc"},
    {"add3", 3, {NULL}, "dc"},
    {"spgemm", 2, {NULL}, "dc"},
    {"tri", 1, {NULL}, "dc"},
    {"tri-count", 1, {NULL}, ""},
    {"to-csc", 1, {NULL}, "dc"},
    {"ttv", 1, {"p"}, "cc"},
    {"ttm", 1, {"pr"}, "ccd"},
    {"mttkrp", 1, {"nr", "pr"}, "DD"},
    {"mttkrp4", 1, {"nr", "pr", "qr"}, "DD"},
    {"inner", 2, {NULL}, ""},
    {"conv1", 1, {"t"}, "m"},
    {"conv2", 1, {"tt"}, "mn"},
    {"conv3", 1, {"ttt"}, "mnp"},
    {"conv-nhwc", 1, {"ttqr"}, "MnpR"},
};

//--- Operands ------------------------------------------------------------------------------------

static void pass_array(call *c, void *data, int order, const int64_t *sizes) {
  descriptor *d = &c->operands[c->count++];
  *d = (descriptor){.allocated = data, .aligned = data};
  int64_t stride = 1;
  for (int n = order - 1; n >= 0; stride *= sizes[n--]) {
    d->sizes_and_strides[n] = sizes[n];
    d->sizes_and_strides[order + n] = stride;
  }
}

static void pass(call *c, void *data, int64_t size) {
  pass_array(c, data, 1, &size);
}

static void pass_list(call *c, const bench_tensor *t) {
  static int32_t positions[2];
  positions[1] = (int32_t)t->counts[1];
  pass(c, positions, 2);
  for (int l = 0; l < 2; l++)
    pass(c, t->coordinates[l], t->counts[1]);
}

static void pass_levels(call *c, const bench_tensor *t) {
  for (int l = t->order == 2; l < t->order; l++) {
    pass(c, t->positions[l], bench_parents(t, l) + 1);
    pass(c, t->coordinates[l], t->counts[l]);
  }
}

static void pass_sparse(call *c, const bench_tensor *t) {
  if (strcmp(c->shape->name, "spmv-coo") == 0)
    pass_list(c, t);
  else
    pass_levels(c, t);
  pass(c, t->values, bench_entries(t));
}

static int pass_dense(call *c, bench *b, int slot, const char *letters) {
  int order = (int)strlen(letters);
  bench_value *values = bench_dense(b, slot, letters);
  int64_t sizes[BENCH_ORDER];
  for (int d = 0; d < order; d++)
    sizes[d] = bench_size(b, letters[d]);
  pass_array(c, values, order, sizes);
  return values == NULL;
}

static int prepare(bench *b) {
  call *c = b->state = calloc(1, sizeof *c);
  for (size_t i = 0; c && i < sizeof shapes / sizeof shapes[0]; i++)
    if (!strcmp(shapes[i].name, bench_kernel_name))
      c->shape = &shapes[i];
  if (!c || !c->shape)
    return 1;
  for (int i = 0; i < c->shape->sparse_operands; i++)
    pass_sparse(c, (const bench_tensor *[]){&b->a, &b->b, &b->c}[i]);
  for (int slot = 0; slot < BENCH_DENSE; slot++)
    if (c->shape->dense[slot] && pass_dense(c, b, slot, c->shape->dense[slot]))
      return 1;
  return 0;
}

//--- Running -------------------------------------------------------------------------------------

/* The kernel, by the name that llvm.emit_c_interface gives it, takes the result and its operands,
 * all by pointers; those that it has not are ignored, as the C conventions of the machines at hand
 * allow. */
void sparsified(void *result, descriptor *, descriptor *, descriptor *, descriptor *, descriptor *,
                descriptor *, descriptor *, descriptor *, descriptor *, descriptor *, descriptor *,
                descriptor *, descriptor *, descriptor *) __asm__("_mlir_ciface_kernel");

static int run(bench *b) {
  call *c = b->state;
  descriptor *o = c->operands;
  sparsified(c->result, o, o + 1, o + 2, o + 3, o + 4, o + 5, o + 6, o + 7, o + 8, o + 9, o + 10,
             o + 11, o + 12, o + 13);
  return 0;
}

static int show_levels(bench *b, bench_result *result) {
  const call *c = b->state;
  int word = 0;
  bool transposed = !strcmp(c->shape->name, "to-csc");
  *result = (bench_result){.order = (int)strlen(c->shape->result), .width = 4};
  for (int l = 0; l < result->order; l++) {
    bench_level *level = &result->levels[l];
    level->dimension = transposed ? 1 - l : l;
    level->size = l == 2 ? b->columns : level->dimension ? b->b.dimensions[1] : b->a.dimensions[0];
    if (c->shape->result[l] != 'c')
      continue;
    level->positions = c->result[word + 1];
    level->coordinates = c->result[word + DESCRIPTOR_WORDS + 1];
    word += 2 * DESCRIPTOR_WORDS;
  }
  result->values = c->result[word + 1];
  return 0;
}

static bool is_convolution(const shape *s) {
  return s->result[0] && strchr("mM", s->result[0]);
}

static void show_convolution(const bench *b, const call *c, bench_result *result) {
  int64_t sizes[BENCH_ORDER];
  int order = (int)strlen(c->shape->result);
  for (int d = 0; d < order; d++) {
    char letter = c->shape->result[d];
    sizes[d] = bench_size(b, (char)tolower(letter)) - (islower(letter) ? BENCH_TAPS - 1 : 0);
  }
  *result = bench_array(order, sizes, c->result[1]);
}

static int show(bench *b, bench_result *result) {
  const call *c = b->state;
  const bench_value *values = c->result[1];
  if (c->shape->result[0] == '\0')
    *result = bench_scalar(values);
  else if (is_convolution(c->shape))
    show_convolution(b, c, result);
  else if (!strcmp(c->shape->result, "D"))
    *result = bench_vector(b->a.dimensions[0], values);
  else if (!strcmp(c->shape->result, "DD"))
    *result = bench_matrix(b->a.dimensions[0], b->columns, values);
  else
    return show_levels(b, result);
  return 0;
}

static void drop(bench *b) {
  call *c = b->state;
  int arrays = 1;
  for (const char *level = c->shape->result; *level; level++)
    arrays += *level == 'c' ? 2 : 0;
  for (int a = 0; a < arrays; a++)
    free(c->result[(size_t)a * DESCRIPTOR_WORDS]);
}

int main(int argc, char **argv) {
  static const bench_kernel all = {"*", prepare, run, show, drop, NULL, NULL, NULL};
  return bench_main(argc, argv, &all, 1);
}
