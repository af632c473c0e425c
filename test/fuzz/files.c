/* Fuzzes the readers of files: Matrix Market and FROSTT, plain and gzip.
 *
 *     bytes --read--> tensor --write--> file --read--> the same tensor
 *
 * What reads must be a sound tensor, and must read the same when it was compressed, which several
 * threads read, and when it is written and read again.
 */
#include "session.h"

#include "lac_coo.h"
#include "lac_error.h"
#include "lac_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

static const lac_read_options wishes[] = {
    {.type = -1, .order = -1},      {.type = LAC_F32, .order = 1},  {.type = LAC_I8, .order = 2},
    {.type = LAC_C64, .order = -1}, {.type = LAC_F16, .order = 0},  {.type = LAC_BF16, .order = 3},
    {.type = LAC_I64, .order = 2},  {.type = LAC_C128, .order = -1}};
enum { WISHES = sizeof wishes / sizeof wishes[0], LARGEST_DENSE = 1 << 16 };

static int memory_file(const char *name) {
  int file = memfd_create(name, 0);
  if (file < 0)
    session_finding("no file in memory");
  return file;
}

static void path_of(int file, char path[64]) {
  snprintf(path, 64, "/proc/self/fd/%d", file);
}

static void write_plain(int file, const uint8_t *data, size_t size) {
  if (write(file, data, size) != (ssize_t)size)
    session_finding("a file in memory cannot be written");
}

static void write_gzip(int file, const uint8_t *data, size_t size) {
  gzFile out = gzdopen(dup(file), "wb1");
  if (size && gzwrite(out, data, (unsigned)size) != (int)size)
    session_finding("a file in memory cannot be written");
  gzclose(out);
}

static int32_t read_bytes(const uint8_t *data, size_t size, bool compressed,
                          const lac_read_options *wish, lac_tensor *out, int64_t *levels) {
  char path[64];
  int file = memory_file("input");
  (compressed ? write_gzip : write_plain)(file, data, size);
  path_of(file, path);
  lac_threads_set(compressed ? 3 : 1);
  lac_threads_set_from(0);
  int32_t status = lac_file_read(path, wish, out, levels);
  if (status && !strchr(lac_error_message(), ':'))
    session_finding("a message without the file: %s", lac_error_message());
  if (status && strchr(lac_error_message(), '\n'))
    session_finding("a message of several lines: %s", lac_error_message());
  close(file);
  return status;
}

static bool is_list(const lac_tensor *t) {
  return t->order > 0 && !lac_coo_expect(t);
}

/* Every array of a list is ordered by nothing and unique in nothing, but within its sizes. */
static void expect_sound(const lac_tensor *t) {
  uint8_t flags[LAC_FILE_ORDER];
  memset(flags, LAC_NONUNIQUE | LAC_UNORDERED, sizeof flags);
  if (lac_tensor_check(t, flags))
    session_finding("an unsound tensor: %s", lac_error_message());
}

static void expect_same(const lac_tensor *a, const lac_tensor *b) {
  if (a->order != b->order || a->values.length != b->values.length)
    session_finding("read %lld values of order %lld, then %lld of order %lld",
                    (long long)a->values.length, (long long)a->order, (long long)b->values.length,
                    (long long)b->order);
  size_t bytes = (size_t)a->values.length * (size_t)a->values.width;
  if (bytes && memcmp(a->values.data, b->values.data, bytes) != 0)
    session_finding("the values differ when they are read again");
  for (int64_t l = 0; is_list(a) && l < a->order; l++)
    for (int64_t i = 0; i < a->values.length; i++)
      if (lac_array_get(&a->levels[l].array[LAC_COORDINATES], i) !=
          lac_array_get(&b->levels[l].array[LAC_COORDINATES], i))
        session_finding("coordinate %lld of level %lld differs when it is read again", (long long)i,
                        (long long)l);
}

/* NaN have many patterns and print as one; what is not a number is not compared. */
static bool has_nan(const lac_tensor *t) {
  const unsigned char *bytes = t->values.data;
  for (int64_t i = 0; i < t->values.length * t->values.width; i++)
    if ((bytes[i] & 0x7f) == 0x7f)
      return true;
  return false;
}

static void expect_round_trip(const lac_tensor *t, const int64_t *levels) {
  char path[64];
  lac_tensor again = {0};
  lac_read_options same = {.type = t->type, .order = t->order};
  snprintf(path, sizeof path, "/dev/shm/lacuna-fuzz-%d.tns", (int)getpid());
  if (!is_list(t) || t->values.length == 0 || has_nan(t))
    return;
  if (lac_file_write(path, t, levels))
    session_finding("what was read cannot be written: %s", lac_error_message());
  if (lac_file_read(path, &same, &again, NULL))
    session_finding("what was written cannot be read: %s", lac_error_message());
  expect_same(t, &again);
  lac_tensor_free(&again);
  unlink(path);
}

static void read_as(const uint8_t *data, size_t size, const lac_read_options *wish) {
  lac_tensor plain = {0}, compressed = {0};
  int64_t levels[LAC_FILE_ORDER];
  if (read_bytes(data, size, false, wish, &plain, levels))
    return;
  if (is_list(&plain) || plain.values.length <= LARGEST_DENSE) {
    expect_sound(&plain);
    if (size > 2 && !(data[0] == 0x1f && data[1] == 0x8b)) {
      if (read_bytes(data, size, true, wish, &compressed, NULL))
        session_finding("what reads plain does not read compressed: %s", lac_error_message());
      expect_same(&plain, &compressed);
    }
    expect_round_trip(&plain, levels);
    if (is_list(&plain) && lac_coo_sort(&plain, NULL))
      session_finding("what was read cannot be sorted: %s", lac_error_message());
  }
  lac_tensor_free(&plain);
  lac_tensor_free(&compressed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  read_as(data, size, &wishes[0]);
  read_as(data, size, &wishes[size % WISHES]);
  return 0;
}
