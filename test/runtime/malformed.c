// Malformed files: each is refused with its name, the line, what was expected and what was found.
// RUN: rm -rf %t.dir && mkdir -p %t.dir
// RUN: %cc -g -O1 %s %runtime -o %t
// RUN: cd %t.dir && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_file.h"

#include <stdlib.h>
#include <unistd.h>

#define COORDINATE "%%MatrixMarket matrix coordinate real general\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"

static void refuses_bytes(const char *path, const char *text, size_t length,
                          const lac_read_options *options, const char *message) {
  lac_tensor t;
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(text, 1, length, file) == length && fclose(file) == 0);
  lac_error_clear();
  int32_t status = lac_file_read(path, options, &t, NULL);
  CHECK(status == LAC_ERROR_INPUT && t.levels == NULL && t.values.data == NULL);
  if (strcmp(lac_error_message(), message) != 0) {
    printf("expected '%s'\nfound    '%s'\n", message, lac_error_message());
    failures++;
  }
  lac_tensor_free(&t);
}

static void refuses(const char *path, const char *text, const lac_read_options *options,
                    const char *message) {
  refuses_bytes(path, text, strlen(text), options, message);
}

static void banners(void) {
  refuses("a.mtx", "", NULL, "a.mtx:0: expected %%MatrixMarket, found an empty file");
  refuses("a.mtx", "1 2 3\n", NULL, "a.mtx:1: expected %%MatrixMarket, found '1'");
  refuses("a.mtx", "%%MatrixMarket vector coordinate real general\n", NULL,
          "a.mtx:1: expected matrix, found 'vector'");
  refuses("a.mtx", "%%MatrixMarket matrix sparse real general\n", NULL,
          "a.mtx:1: expected coordinate or array, found 'sparse'");
  refuses("a.mtx", "%%MatrixMarket matrix coordinate quaternion general\n", NULL,
          "a.mtx:1: expected real, double, integer, complex or pattern, found 'quaternion'");
  refuses(
      "a.mtx", "%%MatrixMarket matrix coordinate real\n", NULL,
      "a.mtx:1: expected general, symmetric, skew-symmetric or hermitian, found the line's end");
  refuses("a.mtx", "%%MatrixMarket matrix array pattern general\n", NULL,
          "a.mtx:1: expected a pattern in coordinate format, found array");
  refuses("a.mtx", "%%MatrixMarket matrix coordinate real hermitian\n", NULL,
          "a.mtx:1: expected a complex hermitian matrix, found real");
  refuses("a.mtx", "%%MatrixMarket matrix coordinate complex general\n",
          &(lac_read_options){.type = LAC_F64, .order = -1},
          "a.mtx:1: expected a matrix that can be read as f64, found a complex one");
}

static void sizes(void) {
  refuses("a.mtx", COORDINATE, NULL, "a.mtx:1: expected a line of sizes, found the file's end");
  refuses("a.mtx", COORDINATE "3 4\n", NULL,
          "a.mtx:2: expected a number of entries, found the line's end");
  refuses("a.mtx", COORDINATE "-3 4 1\n", NULL, "a.mtx:2: expected a number of rows, found '-3'");
  refuses("a.mtx", COORDINATE "3 4x 1\n", NULL,
          "a.mtx:2: expected a number of columns, found '4x'");
  refuses("a.mtx", COORDINATE "3 99999999999999999999 1\n", NULL,
          "a.mtx:2: expected a number of columns, found '99999999999999999999'");
  refuses("a.mtx", COORDINATE "3 4 1 7\n", NULL, "a.mtx:2: expected the line's end, found '7'");
  refuses("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 4 1\n", NULL,
          "a.mtx:2: expected a square matrix since it is symmetric, found 3 x 4");
  refuses("a.mtx", ARRAY "9000000000 9000000000\n", NULL,
          "a.mtx:2: expected a size that fits in memory, found 9000000000 x 9000000000 values");
  refuses("a.mtx", COORDINATE "3 4 0\n", &(lac_read_options){.type = -1, .order = 1},
          "a.mtx:2: expected a vector (one row or one column), found a matrix of 3 x 4");
  refuses("a.mtx", COORDINATE "3 4 0\n", &(lac_read_options){.type = -1, .order = 0},
          "a.mtx:2: expected one value (1 x 1), found a matrix of 3 x 4");
  refuses("a.mtx", COORDINATE "3 4 0\n", &(lac_read_options){.type = -1, .order = 3},
          "a.mtx:2: expected a tensor of order 3, found a matrix");
  refuses("a.mtx", COORDINATE "3 4 0\n",
          &(lac_read_options){.type = -1, .order = 2, .dimensions = (int64_t[]){3, 2}},
          "a.mtx:2: expected a size of at most 2 in dimension 1, found 4");
}

static void entries(void) {
  refuses("a.mtx", COORDINATE "3 4 2\n1 1 1\n", NULL,
          "a.mtx:3: expected 2 entries, found the file's end after 1");
  refuses("a.mtx", COORDINATE "3 4 4000000000000\n1 1 1\n", NULL,
          "a.mtx:3: expected 4000000000000 entries, found the file's end after 1");
  refuses("a.mtx", COORDINATE "3 4 1\n1 1 1\n\n2 2 1\n", NULL,
          "a.mtx:5: expected the file's end after 1 entries, found more");
  refuses("a.mtx", COORDINATE "3 4 1\n4 1 1\n", NULL,
          "a.mtx:3: expected a row from 1 to 3, found 4");
  refuses("a.mtx", COORDINATE "3 4 1\n1 0 1\n", NULL,
          "a.mtx:3: expected a column from 1 to 4, found 0");
  refuses("a.mtx", COORDINATE "3 4 1\n1 1.5 1\n", NULL, "a.mtx:3: expected a column, found '1.5'");
  refuses("a.mtx", COORDINATE "3 4 1\n1 1\n", NULL,
          "a.mtx:3: expected a real number for f64, found the line's end");
  refuses("a.mtx", COORDINATE "3 4 1\n1 1 1 1\n", NULL,
          "a.mtx:3: expected the line's end, found '1'");
  refuses("a.mtx", COORDINATE "3 4 1\n1 1 0x10\n", NULL,
          "a.mtx:3: expected a real number for f64, found '0x10'");
  refuses("a.mtx", COORDINATE "3 4 1\n1 1 1,5\n", NULL,
          "a.mtx:3: expected a real number for f64, found '1,5'");
  refuses_bytes("a.mtx", COORDINATE "3 4 1\n1 1\0 1\n", strlen(COORDINATE) + 13, NULL,
                "a.mtx:3: expected a column, found '1\\x00'");
  refuses("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 1 1\n", NULL,
          "a.mtx:3: expected the line's end, found '1'");
  refuses("a.mtx", "%%MatrixMarket matrix coordinate complex general\n3 4 1\n1 1 1\n", NULL,
          "a.mtx:3: expected two real numbers for c128, found '1'");
  refuses("a.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n", NULL,
          "a.mtx:3: expected no entry on the diagonal of a skew-symmetric matrix, found (2, 2)");
  refuses("a.mtx", COORDINATE "1 1 2\n1 1 1\n1 1 2\n", &(lac_read_options){.type = -1, .order = 0},
          "a.mtx:4: expected one value, found a second");
}

static void integers(void) {
  lac_read_options i8 = {.type = LAC_I8, .order = -1};
  refuses("a.mtx", COORDINATE "3 4 1\n1 1 128\n", &i8,
          "a.mtx:3: expected an integer that fits i8, found '128'");
  refuses("a.mtx", COORDINATE "3 4 1\n1 1 1.5\n", &i8,
          "a.mtx:3: expected an integer that fits i8, found '1.5'");
  refuses("a.mtx", COORDINATE "3 4 1\n1 1 nan\n", &i8,
          "a.mtx:3: expected an integer that fits i8, found 'nan'");
  refuses("a.mtx",
          "%%MatrixMarket matrix coordinate integer general\n3 4 1\n1 1 9223372036854775808\n",
          NULL, "a.mtx:3: expected an integer that fits i64, found '9223372036854775808'");
  refuses("a.mtx", "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n2 1 -128\n",
          &i8, "a.mtx:3: expected a value whose negative fits i8 too");
}

static void arrays(void) {
  refuses("a.mtx", ARRAY "2 2\n1\n2\n3\n", NULL,
          "a.mtx:5: expected 4 values, found the file's end after 3");
  refuses("a.mtx", ARRAY "2 2\n1\n2\n3\n4\n5\n", NULL,
          "a.mtx:7: expected the file's end after 4 values, found more");
  refuses("a.mtx", ARRAY "2 2\n1 2\n3 4\n", NULL, "a.mtx:3: expected the line's end, found '2'");
  refuses("a.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n", NULL,
          "a.mtx:4: expected 3 values, found the file's end after 2");
}

static void frostt(void) {
  refuses("a.tns", "", NULL,
          "a.tns:0: expected an entry to tell the order of the tensor, found the file's end");
  refuses("a.tns", "# nothing\n", NULL,
          "a.tns:1: expected an entry to tell the order of the tensor, found the file's end");
  refuses("a.tns", "1 2 0.5\n1 2 3 0.5\n", NULL, "a.tns:2: expected the line's end, found '0.5'");
  refuses("a.tns", "1 2 3 0.5\n1 2 3\n", NULL,
          "a.tns:2: expected a real number for f64, found the line's end");
  refuses("a.tns", "1 2 0.5\n0 2 0.5\n", NULL,
          "a.tns:2: expected coordinates from 1 on, found 0 in dimension 0");
  refuses("a.tns", "1 two 0.5\n", NULL, "a.tns:1: expected a coordinate, found 'two'");
  refuses("a.tns", "1 2 0.5\n", &(lac_read_options){.type = -1, .order = 3},
          "a.tns:1: expected 3 coordinates and a value, found 3 words");
  refuses("a.tns", "1 2 0.5\n",
          &(lac_read_options){.type = -1, .order = 2, .dimensions = (int64_t[]){5, 1}},
          "a.tns:1: expected coordinates from 1 to 1 in dimension 1, found 2");
  refuses("a.tns", "0.5\n0.5\n", NULL, "a.tns:2: expected one value, found a second");
  refuses("a.tns", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 7\n", NULL,
          "a.tns:1: expected a tensor of order 32 at most, found order 33");
  refuses("a.tns", "1 99999999999999999999 0.5\n", NULL,
          "a.tns:1: expected a coordinate, found '99999999999999999999'");
}

static void files_that_are_not_there(void) {
  lac_tensor t;
  CHECK(lac_file_read("missing.mtx", NULL, &t, NULL) == LAC_ERROR_FILE);
  CHECK_MESSAGE("missing.mtx: cannot be opened: No such file or directory");
  CHECK(lac_file_read(".", NULL, &t, NULL) == LAC_ERROR_FILE);
  CHECK_MESSAGE(".: cannot be opened: Is a directory");
}

/* Any bytes at all are read or refused. */
static void bytes_at_random(void) {
  static const char *const seeds[] = {
      COORDINATE "3 4 2\n1 1 0.5\n3 4 -2e1\n", "1 2 3 0.5\n2 1 4 -1\n", ARRAY "2 2\n1\n2\n3\n4\n",
      "%%MatrixMarket matrix coordinate complex hermitian\n3 3 2\n2 1 5 1\n2 2 1 0\n"};
  for (int i = 0; i < 4000; i++) {
    char text[256];
    lac_tensor t;
    size_t length = strlen(seeds[i % 4]);
    memcpy(text, seeds[i % 4], length);
    for (uint64_t changes = random_number(4) + 1; changes > 0; changes--)
      text[random_number(length)] =
          random_number(3) ? "0123456789 -.e\n%#"[random_number(17)] : (char)random_number(256);
    length -= random_number(4) ? 0 : random_number(length);
    FILE *file = fopen("fuzz", "wb");
    CHECK(file && fwrite(text, 1, length, file) == length && fclose(file) == 0);
    int32_t status = lac_file_read("fuzz", NULL, &t, NULL);
    uint8_t flags[LAC_FILE_ORDER];
    memset(flags, LAC_NONUNIQUE | LAC_UNORDERED, sizeof flags);
    CHECK(status == LAC_OK ? lac_tensor_check(&t, flags) == LAC_OK : t.levels == NULL);
    lac_tensor_free(&t);
  }
}

int main(void) {
  banners();
  sizes();
  entries();
  integers();
  arrays();
  frostt();
  files_that_are_not_there();
  bytes_at_random();
  return report();
}
