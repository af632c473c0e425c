/* sparse-gen - writes a generated tensor to a file.
 *
 *     sparse-gen stencil2d --rows 1000000 -o laplace.mtx
 *     sparse-gen tensor-uniform --dims 100x200x50 --nnz 10000 --seed 7 -o t.tns.gz
 *
 * The kinds stand in one table, the options in another; the tensors themselves are made in the
 * runtime (lac_generate.h), which is what tests and sparse-run use too.
 */
#include "complain.h"
#include "lac_error.h"
#include "lac_file.h"
#include "lac_generate.h"
#include "lac_temporary.h"
#include "nearest.h"
#include "version.h"
#include "whole_number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
  int64_t rows, columns, entries, entries_per_row, doublings, block, bandwidth, seed;
  int64_t order, dimensions[LAC_FILE_ORDER];
  int32_t type;
  const char *path;
} request;

/* ---- Kinds -------------------------------------------------------------------------------- */

static int64_t side_of(double rows, int grid_order) {
  double side = floor((grid_order == 2 ? sqrt(rows) : cbrt(rows)) + 0.5);
  return side < 1 ? 1 : (int64_t)side;
}

static int32_t stencil2d(const request *r, lac_tensor *out) {
  return lac_generate_stencil(2, side_of((double)r->rows, 2), r->type, out);
}

static int32_t stencil3d(const request *r, lac_tensor *out) {
  return lac_generate_stencil(3, side_of((double)r->rows, 3), r->type, out);
}

static int32_t uniform(const request *r, lac_tensor *out) {
  return lac_generate_uniform(2, (int64_t[]){r->rows, r->columns}, r->entries, (uint64_t)r->seed,
                              r->type, out);
}

static int32_t rmat(const request *r, lac_tensor *out) {
  return lac_generate_rmat(r->rows, r->columns, r->entries, (uint64_t)r->seed, r->type, out);
}

static int32_t exponential(const request *r, lac_tensor *out) {
  return lac_generate_exponential(r->rows, r->columns, r->doublings, r->entries, (uint64_t)r->seed,
                                  r->type, out);
}

static int32_t banded(const request *r, lac_tensor *out) {
  return lac_generate_banded(r->rows, r->columns, r->bandwidth, (uint64_t)r->seed, r->type, out);
}

static int32_t blocked(const request *r, lac_tensor *out) {
  return lac_generate_blocked(r->rows, r->columns, r->block, r->entries, (uint64_t)r->seed, r->type,
                              out);
}

static int32_t tensor_uniform(const request *r, lac_tensor *out) {
  return lac_generate_uniform(r->order, r->dimensions, r->entries, (uint64_t)r->seed, r->type, out);
}

static int32_t tensor_skewed(const request *r, lac_tensor *out) {
  return lac_generate_skewed(r->order, r->dimensions, r->entries, (uint64_t)r->seed, r->type, out);
}

static int32_t vector(const request *r, lac_tensor *out) {
  return lac_generate_vector(r->rows, (uint64_t)r->seed, r->type, out);
}

static const struct {
  const char *name;
  int32_t (*generate)(const request *r, lac_tensor *out);
  const char *what;
} kinds[] = {
    {"stencil2d", stencil2d, "5-point Laplacian of a square grid with about ROWS points"},
    {"stencil3d", stencil3d, "7-point Laplacian of a cubic grid with about ROWS points"},
    {"uniform", uniform, "matrix with NNZ entries anywhere"},
    {"rmat", rmat, "matrix of a graph whose degrees follow a power law"},
    {"exponential", exponential, "matrix with rows whose lengths double DOUBLINGS times"},
    {"banded", banded, "matrix full inside BANDWIDTH on both sides of the diagonal"},
    {"blocked", blocked, "matrix of full BLOCK x BLOCK blocks, NNZ entries in all"},
    {"tensor-uniform", tensor_uniform, "tensor of any order with NNZ entries anywhere"},
    {"tensor-skewed", tensor_skewed, "tensor whose coordinates follow a power law"},
    {"vector", vector, "dense vector of ROWS values"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool refuse_kind(const char *name) {
  nearest near = nearest_to(name);
  for (int k = 0; k < KINDS; k++)
    nearest_offer(&near, kinds[k].name);
  return complain("unknown kind '%s'; see sparse-gen --help%s", name, nearest_hint(&near));
}

static int find_kind(const char *name) {
  int k = 0;
  while (k < KINDS && strcmp(kinds[k].name, name) != 0)
    k++;
  return k;
}

/* ---- Options ------------------------------------------------------------------------------ */

static bool read_number(const char *option, const char *text, int64_t *number) {
  const char *end;
  return (whole_number(text, &end, number) && *end == '\0') ||
         complain("%s: expected a whole number, found '%s'", option, text);
}

static bool read_dimensions(const char *option, const char *text, request *r) {
  const char *end = text;
  for (r->order = 0; r->order < LAC_FILE_ORDER; end++) {
    if (!whole_number(end, &end, &r->dimensions[r->order++]))
      break;
    if (*end == '\0')
      return true;
    if (*end != 'x')
      break;
  }
  return complain("%s: expected sizes such as 10x20x30, found '%s'", option, text);
}

static bool read_type(const char *option, const char *text, request *r) {
  r->type = lac_type_from_name(text);
  return r->type >= 0 ||
         complain("%s: expected f64 f32 f16 bf16 i8 i16 i32 i64 c64 or c128, found '%s'", option,
                  text);
}

static const struct {
  const char *name, *value, *what;
  size_t number; /* the place of a number in the request */
} options[] = {
    {"--rows", "N", "rows (1000), elements of a vector", offsetof(request, rows)},
    {"--cols", "N", "columns (as many as rows)", offsetof(request, columns)},
    {"--nnz", "N", "entries", offsetof(request, entries)},
    {"--nnz-per-row", "N", "entries in a row on average (10)", offsetof(request, entries_per_row)},
    {"--doublings", "N", "from the shortest rows to the longest (8)", offsetof(request, doublings)},
    {"--block", "N", "rows and columns of a block (4)", offsetof(request, block)},
    {"--bandwidth", "N", "diagonals on each side (2)", offsetof(request, bandwidth)},
    {"--seed", "N", "another seed makes other random places and values (1)",
     offsetof(request, seed)},
    {"--dims", "AxBxC", "sizes of a tensor, or of a matrix", 0},
    {"--type", "TYPE", "f64 (default) f32 f16 bf16 i8 i16 i32 i64 c64 c128", 0},
    {"-o", "FILE", "the file: .mtx .mtx.gz .tns .tns.gz, or - for standard output", 0},
};
enum { OPTIONS = sizeof options / sizeof options[0], NUMBERS = 8 };

static int help(void) {
  printf("usage: sparse-gen KIND [options] -o FILE\n\nWrites a generated tensor to a file. "
         "Kinds:\n\n");
  for (int k = 0; k < KINDS; k++)
    printf("  %-16s%s\n", kinds[k].name, kinds[k].what);
  printf("\nOptions:\n\n");
  for (int o = 0; o < OPTIONS; o++)
    printf("  %-14s%-7s%s\n", options[o].name, options[o].value, options[o].what);
  printf("\nNumbers may be written as 1e6. Without --nnz there are --nnz-per-row entries a row.\n"
         "--help and -h print this, --version prints the version.\n"
         "Exit status: 0, or 1 with 'error: ...' on standard error.\n");
  return !output_is_written();
}

static bool take_option(request *r, const char *name, const char *value) {
  for (int o = 0; o < NUMBERS; o++)
    if (strcmp(options[o].name, name) == 0)
      return read_number(name, value, (int64_t *)((char *)r + options[o].number));
  if (strcmp(name, "--dims") == 0)
    return read_dimensions(name, value, r);
  if (strcmp(name, "--type") == 0)
    return read_type(name, value, r);
  r->path = value;
  return true;
}

static bool is_option(const char *name) {
  for (int o = 0; o < OPTIONS; o++)
    if (strcmp(options[o].name, name) == 0)
      return true;
  return false;
}

static bool refuse_option(const char *name) {
  nearest near = nearest_to(name);
  for (int o = 0; o < OPTIONS; o++)
    nearest_offer(&near, options[o].name);
  return complain("unknown option '%s'; see sparse-gen --help%s", name, nearest_hint(&near));
}

static bool take_options(request *r, int count, char **arguments) {
  for (int a = 0; a < count; a += 2) {
    if (!is_option(arguments[a]))
      return refuse_option(arguments[a]);
    if (a + 1 == count)
      return complain("%s: expected a value%s", arguments[a], "");
    if (!take_option(r, arguments[a], arguments[a + 1]))
      return false;
  }
  return r->path || complain("expected -o FILE%s%s", "", "");
}

/* ---- The whole ---------------------------------------------------------------------------- */

/* Sizes that were not given follow from those that were. */
static void complete(request *r) {
  if (r->order == 0) {
    r->order = 2;
    r->dimensions[0] = r->rows;
    r->dimensions[1] = r->columns < 0 ? r->rows : r->columns;
  }
  r->rows = r->dimensions[0];
  r->columns = r->order > 1 ? r->dimensions[1] : 1;
  if (r->entries < 0 && __builtin_mul_overflow(r->rows, r->entries_per_row, &r->entries))
    r->entries = INT64_MAX;
}

static int generate(int kind, const request *r) {
  lac_tensor tensor = {0};
  int32_t status = kinds[kind].generate(r, &tensor);
  if (status == LAC_OK)
    status = lac_file_write(r->path, &tensor, NULL);
  lac_tensor_free(&tensor);
  if (status != LAC_OK)
    complain("%s", lac_error_message());
  return status != LAC_OK;
}

int main(int argc, char **argv) {
  request r = {.rows = 1000,
               .columns = -1,
               .entries = -1,
               .entries_per_row = 10,
               .doublings = 8,
               .block = 4,
               .bandwidth = 2,
               .seed = 1};
  lac_temporary_clean_up();
  if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
    return help();
  if (version_asked(argc, argv)) {
    version_print("sparse-gen", NULL);
    return !output_is_written();
  }
  int kind = find_kind(argv[1]);
  if (kind == KINDS)
    return !refuse_kind(argv[1]);
  if (!take_options(&r, argc - 2, argv + 2))
    return 1;
  complete(&r);
  return generate(kind, &r);
}
