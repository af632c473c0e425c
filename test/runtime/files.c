// Files: what is written is read back, in every format, field, symmetry and element type.
// RUN: rm -rf %t.dir && mkdir -p %t.dir && ln -s /dev/full %t.dir/full.mtx
// RUN: %cc -g -O1 %s %runtime -o %t
// RUN: cd %t.dir && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_coo.h"
#include "lac_file.h"
#include "lac_generate.h"
#include "lac_kernel.h"
#include "lac_memory.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(text, 1, strlen(text), file) == strlen(text) && fclose(file) == 0);
}

static char *read_text(const char *path) {
  static char text[4096];
  FILE *file = fopen(path, "rb");
  size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  text[length] = '\0';
  CHECK(file && fclose(file) == 0);
  return text;
}

static lac_read_options want(int32_t type, int64_t order, const int64_t *dimensions) {
  return (lac_read_options){.type = type, .order = order, .dimensions = dimensions};
}

/* The tensor as "(i,j):v ..." by levels. */
static const char *list_entries(const lac_tensor *t) {
  static char text[1024];
  size_t length = 0;
  text[0] = '\0';
  for (int64_t p = 0; p < lac_coo_count(t) && length < 900; p++) {
    for (int64_t l = 0; l < t->order; l++)
      length += (size_t)sprintf(text + length, "%s%lld", l ? "," : "",
                                (long long)lac_array_get(&t->levels[l].array[LAC_COORDINATES], p));
    const double *value = t->values.data;
    if (t->type == LAC_C128)
      length += (size_t)sprintf(text + length, ":%g%+gi ", value[2 * p], value[2 * p + 1]);
    else if (t->type == LAC_I64)
      length +=
          (size_t)sprintf(text + length, ":%lld ", (long long)((const int64_t *)t->values.data)[p]);
    else
      length += (size_t)sprintf(text + length, ":%g ", value[p]);
  }
  return text;
}

static void reads_as(const char *text, const lac_read_options *options, const char *expected) {
  lac_tensor t;
  write_text("in", text);
  CHECK(lac_file_read("in", options, &t, NULL) == LAC_OK);
  if (t.level_count >= 0 && t.values.data) {
    uint8_t flags[8] = {3, 3, 3, 3, 3, 3, 3, 3};
    CHECK(lac_tensor_check(&t, flags) == LAC_OK);
    if (strcmp(list_entries(&t), expected) != 0) {
      printf("expected '%s', found '%s' in\n%s", expected, list_entries(&t), text);
      failures++;
    }
  }
  lac_tensor_free(&t);
}

static void coordinate_files_are_read(void) {
  reads_as("%%MatrixMarket matrix coordinate real general\n% comment\n\n3 4 2\n1 1 0.5\n3 4 -2e1\n",
           NULL, "0,0:0.5 2,3:-20 ");
  reads_as(
      "%%matrixmarket MATRIX Coordinate Double General\r\n3 4 2\r\n1 1 0.5\r\n\r\n3\t4   -2 \r\n",
      NULL, "0,0:0.5 2,3:-2 ");
  reads_as("%%MatrixMarket matrix coordinate real general\n3 4 2\n3 4 7\n3 4 8", NULL,
           "2,3:7 2,3:8 ");
  reads_as("%%MatrixMarket matrix coordinate integer general\n3 4 1\n3 4 9223372036854775807\n",
           NULL, "2,3:9223372036854775807 ");
  reads_as("%%MatrixMarket matrix coordinate pattern general\n3 4 1\n3 4\n", NULL, "2,3:1 ");
  reads_as("%%MatrixMarket matrix coordinate complex general\n3 4 1\n3 4 1 -2\n", NULL,
           "2,3:1-2i ");
  reads_as("%%MatrixMarket matrix coordinate real general\n0 0 0\n", NULL, "");
  reads_as("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 nan\n2 2 -inf\n", NULL,
           "0,0:nan 1,1:-inf ");
  lac_read_options as_complex = want(LAC_C128, -1, NULL), as_i64 = want(LAC_I64, -1, NULL);
  reads_as("%%MatrixMarket matrix coordinate real general\n3 4 1\n3 4 1.5\n", &as_complex,
           "2,3:1.5+0i ");
  reads_as("%%MatrixMarket matrix coordinate real general\n3 4 1\n3 4 1.5e1\n", &as_i64, "2,3:15 ");
}

static void symmetries_are_expanded(void) {
  reads_as("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 5\n3 3 6\n", NULL,
           "1,0:5 0,1:5 2,2:6 ");
  reads_as("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 1 5\n", NULL,
           "1,0:5 0,1:-5 ");
  reads_as("%%MatrixMarket matrix coordinate complex hermitian\n3 3 2\n2 1 5 1\n2 2 1 0\n", NULL,
           "1,0:5+1i 0,1:5-1i 1,1:1+0i ");
  reads_as("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n", NULL,
           "1,0:1 0,1:1 ");
  reads_as("%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n2 1 5\n", NULL,
           "1,0:5 0,1:-5 ");
}

static void vectors_and_values_are_read_from_matrices(void) {
  lac_read_options vector = want(-1, 1, NULL), value = want(-1, 0, NULL);
  reads_as("%%MatrixMarket matrix coordinate real general\n5 1 2\n2 1 5\n4 1 6\n", &vector,
           "1:5 3:6 ");
  reads_as("%%MatrixMarket matrix coordinate real general\n1 5 2\n1 2 5\n1 4 6\n", &vector,
           "1:5 3:6 ");
  reads_as("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 5\n", &value, ":5 ");
  reads_as("%%MatrixMarket matrix coordinate real general\n1 1 0\n", &value, ":0 ");
  reads_as("%%MatrixMarket matrix array real general\n1 1\n7\n", &value, ":7 ");
  reads_as("# a value\n2.5\n", NULL, ":2.5 ");
  reads_as("2.5", &value, ":2.5 ");
}

static void frostt_tells_its_order(void) {
  reads_as("# c\n1 2 3 0.5\n\n  2 1 4 -1\n", NULL, "0,1,2:0.5 1,0,3:-1 ");
  reads_as("7 0.5\n", NULL, "6:0.5 ");
  lac_read_options pairs = want(LAC_C128, -1, NULL), some = want(LAC_C128, 2, NULL);
  reads_as("1 2 3 4\n", &pairs, "0,1:3+4i ");
  reads_as("1 2 3\n", &some, "0,1:3+0i ");
  lac_read_options empty = want(-1, 3, (int64_t[]){2, 3, 4});
  reads_as("", &empty, "");
}

static void a_byte_order_mark_is_not_read(void) {
  reads_as("\xef\xbb\xbf%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 0.5\n", NULL,
           "0,0:0.5 ");
  reads_as("\xef\xbb\xbf"
           "1 2 0.5\n",
           NULL, "0,1:0.5 ");
  reads_as("\xef\xbb\xbf# comment\n1 2 0.5\n", NULL, "0,1:0.5 ");
}

static void dimensions_come_from_the_file_or_are_enlarged(void) {
  lac_tensor t;
  write_text("in", "1 2 3 0.5\n2 1 4 -1\n");
  CHECK(lac_file_read("in", NULL, &t, NULL) == LAC_OK);
  CHECK(t.dimensions[0] == 2 && t.dimensions[1] == 2 && t.dimensions[2] == 4 &&
        t.levels[2].size == 4);
  lac_tensor_free(&t);
  lac_read_options larger = want(-1, 3, (int64_t[]){0, 10, 4});
  CHECK(lac_file_read("in", &larger, &t, NULL) == LAC_OK);
  CHECK(t.dimensions[0] == 2 && t.dimensions[1] == 10 && t.dimensions[2] == 4 &&
        t.levels[1].size == 10);
  lac_tensor_free(&t);
  write_text("in", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n");
  larger = want(-1, 2, (int64_t[]){3, 0});
  CHECK(lac_file_read("in", &larger, &t, NULL) == LAC_OK && t.values.length == 6 &&
        t.dimensions[0] == 3);
  CHECK(((double *)t.values.data)[1] == 2 && ((double *)t.values.data)[2] == 0 &&
        ((double *)t.values.data)[3] == 3);
  lac_tensor_free(&t);
}

static void array_files_are_dense_by_columns(void) {
  lac_tensor t;
  int64_t levels[LAC_FILE_ORDER];
  write_text("in", "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n");
  CHECK(lac_file_read("in", NULL, &t, levels) == LAC_OK && levels[0] == 1 && levels[1] == 0);
  CHECK(t.levels[0].size == 3 && t.levels[1].size == 2 && strcmp(t.levels[0].kind, "dense") == 0);
  CHECK(((double *)t.values.data)[1] == 2 && ((double *)t.values.data)[2] == 3);
  CHECK(lac_file_write("out.mtx", &t, levels) == LAC_OK &&
        strcmp(read_text("out.mtx"), read_text("in")) == 0);
  CHECK(lac_file_write("out.tns", &t, levels) == LAC_OK);
  CHECK(strcmp(read_text("out.tns"), "1 1 1\n2 1 2\n1 2 3\n2 2 4\n1 3 5\n2 3 6\n") == 0);
  lac_tensor_free(&t);
  write_text("in", "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n");
  CHECK(lac_file_read("in", NULL, &t, NULL) == LAC_OK);
  static const double skew[] = {0, 1, 2, -1, 0, 3, -2, -3, 0};
  CHECK(t.values.length == 9);
  for (int p = 0; p < 9; p++)
    CHECK(((double *)t.values.data)[p] == skew[p]);
  lac_tensor_free(&t);
  write_text("in", "%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n");
  CHECK(lac_file_read("in", NULL, &t, NULL) == LAC_OK && ((int64_t *)t.values.data)[2] == 2);
  lac_tensor_free(&t);
  lac_read_options vector = want(LAC_F32, 1, NULL);
  write_text("in", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n");
  CHECK(lac_file_read("in", &vector, &t, levels) == LAC_OK && t.level_count == 1 && levels[0] == 0);
  CHECK(((float *)t.values.data)[2] == 3 && lac_file_write("out.mtx", &t, NULL) == LAC_OK);
  CHECK(strcmp(read_text("out.mtx"), read_text("in")) == 0);
  lac_tensor_free(&t);
}

static bool same_array(const lac_array *a, const lac_array *b) {
  return a->length == b->length && a->width == b->width &&
         (a->length == 0 || memcmp(a->data, b->data, (size_t)(a->length * a->width)) == 0);
}

static void round_trip(const lac_tensor *t, const char *path) {
  lac_tensor back;
  lac_read_options options = want(t->type, t->order, t->dimensions);
  CHECK(lac_file_write(path, t, NULL) == LAC_OK);
  CHECK(lac_file_read(path, &options, &back, NULL) == LAC_OK);
  CHECK(back.order == t->order && same_array(&back.values, &t->values));
  for (int64_t l = 0; l < t->level_count && l < back.level_count; l++)
    CHECK(back.levels[l].size == t->levels[l].size &&
          same_array(&back.levels[l].array[LAC_COORDINATES], &t->levels[l].array[LAC_COORDINATES]));
  lac_tensor_free(&back);
}

static void every_type_survives_every_kind_of_file(void) {
  static const char *const paths[] = {"t.tns", "t.tns.gz", "t.mtx", "t.mtx.gz"};
  int64_t dimensions[] = {50, 40, 3, 5};
  for (int32_t type = LAC_F64; type <= LAC_C128; type++)
    for (int64_t order = 0; order <= 4; order++)
      for (int f = 0; f < (order > 2 ? 2 : 4); f++) {
        lac_tensor t;
        CHECK(lac_generate_random(order, dimensions, 0.1, 7, type, &t) == LAC_OK);
        round_trip(&t, paths[f]);
        lac_tensor_free(&t);
      }
}

static void a_large_file_is_read_by_pieces(void) {
  lac_tensor t;
  CHECK(lac_generate_stencil(2, 300, LAC_F64, &t) == LAC_OK);
  round_trip(&t, "large.mtx");
  round_trip(&t, "large.tns.gz");
  lac_tensor_free(&t);
}

static void csr_is_written_as_its_entries(void) {
  int64_t sizes[] = {3, 4}, positions[] = {0, 2, 2, 3};
  int32_t coordinates[] = {0, 2, 1}, status = 0;
  double values[] = {1, 2, 3};
  lac_tensor t = {0};
  CHECK(lac_kernel_setup(&t, "f64 2 dense compressed:64:32", sizes, sizes, &status));
  t.levels[1].array[LAC_POSITIONS] = (lac_array){positions, 4, 4, 8, 0};
  t.levels[1].array[LAC_COORDINATES] = (lac_array){coordinates, 3, 3, 4, 0};
  t.values = (lac_array){values, 3, 3, 8, 0};
  CHECK(lac_file_write("csr.mtx", &t, NULL) == LAC_OK);
  CHECK(strcmp(read_text("csr.mtx"),
               "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 1 1\n1 3 2\n3 2 3\n") == 0);
  t.dimensions[0] = 4, t.dimensions[1] = 3;
  CHECK(lac_file_write("csr.tns", &t, (int64_t[]){1, 0}) == LAC_OK);
  CHECK(strcmp(read_text("csr.tns"), "1 1 1\n3 1 2\n2 3 3\n") == 0);
  CHECK(lac_file_write("csr.tns", &t, NULL) == LAC_ERROR_FORMAT);
  positions[3] = 9;
  CHECK(lac_file_write("csr.tns", &t, (int64_t[]){1, 0}) == LAC_ERROR_FORMAT);
  lac_tensor_free(&t);
}

static void cut_off(const char *path, size_t bytes) {
  static char content[1 << 20];
  FILE *file = fopen(path, "rb");
  size_t length = file ? fread(content, 1, sizeof content, file) : 0;
  CHECK(file && fclose(file) == 0 && length > bytes);
  length = length > bytes ? length - bytes : 0;
  file = fopen(path, "wb");
  CHECK(file && fwrite(content, 1, length, file) == length && fclose(file) == 0);
}

static void a_compressed_file_that_is_cut_off_is_an_error(void) {
  lac_tensor t;
  CHECK(lac_generate_stencil(2, 100, LAC_F64, &t) == LAC_OK &&
        lac_file_write("cut.mtx.gz", &t, NULL) == LAC_OK);
  lac_tensor_free(&t);
  cut_off("cut.mtx.gz", 100);
  CHECK(lac_file_read("cut.mtx.gz", NULL, &t, NULL) == LAC_ERROR_FILE && t.values.data == NULL);
  CHECK_MESSAGE("cut.mtx.gz: cannot be read: it is cut off");
}

static int count_files(const char *part) {
  int count = 0;
  DIR *folder = opendir(".");
  if (!folder)
    return -1;
  for (struct dirent *entry; (entry = readdir(folder));)
    count += strstr(entry->d_name, part) != NULL;
  closedir(folder);
  return count;
}

static void a_file_that_cannot_be_written_leaves_nothing(void) {
  lac_tensor t;
  CHECK(lac_generate_stencil(2, 100, LAC_F64, &t) == LAC_OK);
  CHECK(lac_file_write("no/folder.mtx", &t, NULL) == LAC_ERROR_FILE);
  CHECK_MESSAGE("no/folder.mtx: cannot be opened for writing: No such file or directory");
  CHECK(lac_file_write("name.txt", &t, NULL) == LAC_ERROR_FILE);
  CHECK_MESSAGE("name.txt: expected a name that ends in .mtx, .mtx.gz, .tns or .tns.gz");
  CHECK(lac_file_write("full.mtx", &t, NULL) == LAC_ERROR_FILE);
  CHECK_MESSAGE("full.mtx: cannot be written: No space left on device");
  CHECK(mkdir("folder.mtx", 0777) == 0 && lac_file_write("folder.mtx", &t, NULL) == LAC_ERROR_FILE);
  for (int64_t n = 0; n < 10; n++) {
    lac_test_fail_allocation_after(n);
    int32_t status = lac_file_write("some.mtx", &t, NULL);
    lac_test_fail_allocation_after(-1);
    CHECK(status == LAC_OK || (status == LAC_ERROR_MEMORY && count_files("some.mtx") == 0));
  }
  CHECK(count_files(".part-") == 0);
  lac_tensor_free(&t);
}

static void memory_that_runs_out_while_reading_is_a_status(void) {
  int passed = 0;
  for (int64_t n = 0; n < 60; n++) {
    lac_tensor t;
    lac_test_fail_allocation_after(n);
    int32_t status = lac_file_read("large.mtx", NULL, &t, NULL);
    lac_test_fail_allocation_after(-1);
    CHECK(status == LAC_OK || (status == LAC_ERROR_MEMORY && t.levels == NULL));
    passed += status == LAC_OK;
    lac_tensor_free(&t);
  }
  CHECK(passed > 5 && passed < 58);
}

static double last_fraction;
static void take_fraction(void *user, double fraction) {
  CHECK(fraction >= last_fraction && fraction <= 1);
  last_fraction = fraction;
  ++*(int *)user;
}

static void progress_is_told(void) {
  int calls = 0;
  lac_tensor t;
  lac_read_options options = {.type = -1, .order = -1, .progress = take_fraction, .user = &calls};
  CHECK(lac_file_read("large.mtx", &options, &t, NULL) == LAC_OK && calls > 2 &&
        last_fraction > 0.9);
  lac_tensor_free(&t);
}

int main(void) {
  coordinate_files_are_read();
  symmetries_are_expanded();
  vectors_and_values_are_read_from_matrices();
  frostt_tells_its_order();
  a_byte_order_mark_is_not_read();
  dimensions_come_from_the_file_or_are_enlarged();
  array_files_are_dense_by_columns();
  every_type_survives_every_kind_of_file();
  a_large_file_is_read_by_pieces();
  csr_is_written_as_its_entries();
  a_compressed_file_that_is_cut_off_is_an_error();
  a_file_that_cannot_be_written_leaves_nothing();
  memory_that_runs_out_while_reading_is_a_status();
  progress_is_told();
  return report();
}
