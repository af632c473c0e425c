/* onednn - the dense convolution of oneDNN, over pictures with all their zeros.  Filters are in the
 * layout that it likes best before the clock runs; pictures and results have their channels
 * innermost.
 */
#include "made.h"

#include <dnnl.h>

typedef struct convolution {
  made made; /* first, as made_of takes it */
  dnnl_engine_t engine;
  dnnl_stream_t stream;
  dnnl_primitive_t primitive;
  dnnl_memory_desc_t source, filter, result;
  const dnnl_memory_desc_t *chosen; /* the filter's layout */
  dnnl_memory_t source_memory, filter_memory;
} convolution;

/* W(r,s,c,o) in its layout. */
static int bring_filter(convolution *c, const bench *b) {
  dnnl_memory_t given;
  dnnl_primitive_desc_t description;
  dnnl_primitive_t reorder;
  if (dnnl_memory_create(&given, &c->filter, c->engine, b->dense[0]) ||
      dnnl_memory_create(&c->filter_memory, c->chosen, c->engine, DNNL_MEMORY_ALLOCATE) ||
      dnnl_reorder_primitive_desc_create(&description, &c->filter, c->engine, c->chosen, c->engine,
                                         NULL) ||
      dnnl_primitive_create(&reorder, description))
    return 1;
  dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, given}, {DNNL_ARG_TO, c->filter_memory}};
  return dnnl_primitive_execute(reorder, c->stream, 2, arguments) || dnnl_stream_wait(c->stream);
}

static int describe(convolution *c, const bench *b) {
  const int64_t *size = b->a.dimensions;
  int64_t taps = BENCH_TAPS, channels = b->columns;
  dnnl_dims_t source = {size[0], size[3], size[1], size[2]},
              filter = {channels, size[3], taps, taps};
  dnnl_dims_t result = {size[0], channels, size[1] - (taps - 1), size[2] - (taps - 1)};
  return dnnl_memory_desc_init_by_tag(&c->source, 4, source, dnnl_f32, dnnl_nhwc) ||
         dnnl_memory_desc_init_by_tag(&c->filter, 4, filter, dnnl_f32, dnnl_hwio) ||
         dnnl_memory_desc_init_by_tag(&c->result, 4, result, dnnl_f32, dnnl_nhwc);
}

static int choose(convolution *c) {
  dnnl_memory_desc_t any = c->filter;
  dnnl_convolution_desc_t operation;
  dnnl_primitive_desc_t description;
  dnnl_dims_t strides = {1, 1}, padding = {0, 0};
  if (dnnl_memory_desc_init_by_tag(&any, 4, c->filter.dims, dnnl_f32, dnnl_format_tag_any) ||
      dnnl_convolution_forward_desc_init(&operation, dnnl_forward_inference, dnnl_convolution_auto,
                                         &c->source, &any, NULL, &c->result, strides, padding,
                                         padding) ||
      dnnl_primitive_desc_create(&description, &operation, NULL, c->engine, NULL))
    return 1;
  c->chosen = dnnl_primitive_desc_query_md(description, dnnl_query_weights_md, 0);
  return dnnl_primitive_create(&c->primitive, description);
}

static int prepare(bench *b) {
  convolution *c = b->state = calloc(1, sizeof *c);
  if (!c || !bench_with_zeros(b, 1) || !bench_dense(b, 0, "ttqr"))
    return 1;
  return dnnl_engine_create(&c->engine, dnnl_cpu, 0) ||
         dnnl_stream_create(&c->stream, c->engine, dnnl_stream_default_flags) || describe(c, b) ||
         choose(c) || bring_filter(c, b) ||
         dnnl_memory_create(&c->source_memory, &c->source, c->engine, b->dense[1]);
}

static int run(bench *b) {
  convolution *c = b->state;
  dnnl_memory_t result;
  int64_t count = (int64_t)(dnnl_memory_desc_get_size(&c->result) / sizeof(bench_value));
  if (dnnl_memory_create(&result, &c->result, c->engine, made_values(b, count)))
    return 1;
  dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, c->source_memory},
                                 {DNNL_ARG_WEIGHTS, c->filter_memory},
                                 {DNNL_ARG_DST, result}};
  int status =
      dnnl_primitive_execute(c->primitive, c->stream, 3, arguments) || dnnl_stream_wait(c->stream);
  dnnl_memory_destroy(result);
  return status;
}

static int show(bench *b, bench_result *result) {
  int64_t taps = BENCH_TAPS;
  int64_t sizes[] = {b->a.dimensions[0], b->a.dimensions[1] - (taps - 1),
                     b->a.dimensions[2] - (taps - 1), b->columns};
  *result = bench_array(4, sizes, made_of(b)->values);
  return 0;
}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      {"conv-nhwc", prepare, run, show, made_drop, NULL, NULL, NULL}};
  return bench_main(argc, argv, kernels, 1);
}
