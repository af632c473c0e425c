/* lac_kernel.c - what generated code calls to check its operands and to build its result; see
 * lac_kernel.h. */
#include "lac_kernel.h"

#include "lac_checked.h"
#include "lac_error.h"
#include "lac_memory.h"
#include "lac_number.h"
#include "lac_storage.h"
#include "lac_stream.h"

#include <math.h>
#include <string.h>

/* ---- Operands ----------------------------------------------------------------------------- */

static bool same_widths(const lac_level *level, const lac_signature_level *expected) {
  for (int slot = 0; slot < LAC_ARRAYS; slot++)
    if (expected->bits[slot] != 0 && level->array[slot].width * 8 != expected->bits[slot])
      return false;
  return true;
}

static bool same_level(const lac_level *level, const lac_signature_level *expected) {
  return level->kind && strncmp(level->kind, expected->kind, expected->kind_length) == 0 &&
         level->kind[expected->kind_length] == '\0' && same_widths(level, expected);
}

static bool same_signature(const lac_tensor *tensor, lac_signature *expected) {
  lac_signature_level level;
  int64_t l = 0;
  bool same = tensor->type == expected->type && tensor->order == expected->order &&
              (tensor->level_count == 0 || tensor->levels);
  for (; same && lac_signature_next(expected, &level); l++)
    same = l < tensor->level_count && same_level(&tensor->levels[l], &level);
  return same && l == tensor->level_count;
}

static int32_t refuse_field(const char *name, const char *field, int64_t number,
                            const char *expected, int64_t found) {
  return lac_error_set(LAC_ERROR_FORMAT, "%s: %s %lld: expected %s, found %lld", name, field,
                       (long long)number, expected, (long long)found);
}

/* What a signature does not show, of a tensor that has the right one. */
static int32_t check_fields(const lac_tensor *tensor, const char *name) {
  int32_t width = lac_type_width(tensor->type);
  if (tensor->values.width != width)
    return lac_error_set(LAC_ERROR_FORMAT, "%s: expected values of %d bytes (%s), found %d", name,
                         width, lac_type_name(tensor->type), tensor->values.width);
  if (tensor->order > 0 && !tensor->dimensions)
    return lac_error_set(LAC_ERROR_FORMAT, "%s: expected %lld dimensions, found NULL", name,
                         (long long)tensor->order);
  for (int64_t d = 0; d < tensor->order; d++)
    if (tensor->dimensions[d] < 0 || tensor->dimensions[d] > LAC_LARGEST_SIZE)
      return refuse_field(name, "dimension", d, "a size from 0 to 2^60", tensor->dimensions[d]);
  for (int64_t l = 0; l < tensor->level_count; l++)
    if (tensor->levels[l].size < 0)
      return refuse_field(name, "level", l, "a size of 0 or more", tensor->levels[l].size);
  return LAC_OK;
}

/* Of one that has the signature, which is read up to its levels. */
static int32_t check_storage(const lac_tensor *tensor, const char *signature,
                             const lac_signature *levels, const char *name) {
  lac_layout_reads reads = {0};
  int32_t status = check_fields(tensor, name);
  if (status == LAC_OK && !lac_storage_lengths(tensor, levels, name, &reads))
    status = LAC_ERROR_FORMAT;
  if (status == LAC_OK)
    lac_checked_remember(tensor, signature, &reads);
  return status;
}

static bool is_missing(const lac_tensor *tensor, const char *name, int32_t *status) {
  if (tensor)
    return false;
  lac_status_take(status,
                  lac_error_set(LAC_ERROR_FORMAT, "%s: expected a tensor, found NULL", name));
  return true;
}

bool lac_kernel_expect(const lac_tensor *tensor, const char *signature, const char *name,
                       int32_t *status) {
  if (is_missing(tensor, name, status))
    return false;
  if (lac_checked_before(tensor, signature))
    return true;
  lac_signature expected, levels;
  char found[256], wanted[256];
  bool readable = lac_signature_open(&expected, signature);
  levels = expected;
  bool same = readable && same_signature(tensor, &expected);
  if (!readable || expected.malformed)
    return lac_status_take(status, lac_signature_malformed(&expected));
  if (same)
    return lac_status_take(status, check_storage(tensor, signature, &levels, name));
  lac_signature_describe(tensor, found, sizeof found);
  lac_signature_shorten(signature, wanted, sizeof wanted);
  return lac_status_take(status, lac_error_set(LAC_ERROR_FORMAT,
                                               "%s: expected a tensor stored as '%s', found '%s'",
                                               name, wanted, found));
}

bool lac_kernel_match(const char *name, int64_t expected, int64_t found, int32_t *status) {
  if (expected == found)
    return true;
  return lac_status_take(status, lac_error_set(LAC_ERROR_SHAPE,
                                               "index variable %s: expected size %lld, found %lld",
                                               name, (long long)expected, (long long)found));
}

bool lac_kernel_within(const char *subscript, int64_t low, int64_t high, int64_t extent,
                       int32_t *status) {
  if (low > high || (low >= 0 && high < extent))
    return true;
  return lac_status_take(
      status, lac_error_set(LAC_ERROR_SHAPE,
                            "subscript %s: expected at most 0 to %lld, found %lld to %lld%s",
                            subscript, (long long)extent - 1, (long long)low, (long long)high,
                            high >= 2 * LAC_LARGEST_SIZE ? " or more" : ""));
}

/* ---- Sizes -------------------------------------------------------------------------------- */

int64_t lac_kernel_product(int64_t a, int64_t b, int32_t *status) {
  int64_t product = lac_memory_bytes(a, b);
  if (product >= 0)
    return product;
  *status =
      lac_error_set(LAC_ERROR_MEMORY, "out of memory: %lld * %lld elements do not fit in 63 bits",
                    (long long)a, (long long)b);
  return 0;
}

enum { MOST_VALUES_OF_AN_ENTRY = 64, LEAST_REFUSED = 64 << 20 };
static _Atomic bool results_are_forced;
static const char *_Atomic force_words = "lac_kernel_force(true)";

void lac_kernel_force(bool force) {
  results_are_forced = force;
}

void lac_kernel_force_by(const char *words) {
  force_words = words;
}

static bool blows_up(int64_t values, int64_t width, int64_t entries) {
  return values / MOST_VALUES_OF_AN_ENTRY > entries && values > LEAST_REFUSED / width;
}

/* With three digits. */
static void write_size(char text[LAC_NUMBER_LENGTH + 1], double size) {
  double step = size < 10 ? 100 : size < 100 ? 10 : 1;
  memset(text, 0, LAC_NUMBER_LENGTH + 1);
  lac_write_f64(text, round(size * step) / step);
}

bool lac_kernel_worthwhile(const lac_tensor *result, int64_t values, int64_t entries,
                           const char *name, int32_t *status) {
  static const char *const units[] = {"MB", "GB", "TB", "PB", "EB"};
  int64_t width = result->values.width;
  double size = (double)values * (double)width / 1e6;
  int unit = 0;
  char text[LAC_NUMBER_LENGTH + 1];
  if (!lac_status_is_fine(status) || results_are_forced || !blows_up(values, width, entries))
    return true;
  for (; size >= 1000 && unit < 4; unit++)
    size /= 1000;
  write_size(text, size);
  lac_status_take(status,
                  lac_error_set(LAC_ERROR_MEMORY,
                                "'%s' would take %s %s: %lld values for %lld entries (%s makes it "
                                "anyway)",
                                name, text, units[unit], (long long)values, (long long)entries,
                                force_words));
  return false;
}

void lac_kernel_refuse(const char *message, int32_t *status) {
  if (lac_status_is_fine(status))
    lac_status_take(status, lac_error_set(LAC_ERROR_OVERFLOW, "%s", message));
}

bool lac_kernel_fits(int64_t value, int64_t bits, const char *what, int32_t *status) {
  if (bits >= 63 || value >> bits == 0)
    return true;
  if (!lac_status_is_fine(status)) /* the first message stays */
    return false;
  return lac_status_take(status,
                         lac_error_set(LAC_ERROR_OVERFLOW, "%s: %lld does not fit in %lld bits",
                                       what, (long long)value, (long long)bits));
}

/* ---- Results ------------------------------------------------------------------------------ */

/* NULL where there is none. */
static lac_array *array_at(const lac_tensor *result, int64_t level, int64_t slot) {
  if (level == -1 && slot == 0 && result->values.width > 0)
    return (lac_array *)&result->values;
  if (level >= 0 && level < result->level_count && slot >= 0 && slot < LAC_ARRAYS)
    return &result->levels[level].array[slot];
  return NULL;
}

/* NULL where there is none, with a status unless something failed before. */
static lac_array *find_array(lac_tensor *result, int64_t level, int64_t slot, int32_t *status) {
  lac_array *array = array_at(result, level, slot);
  if (array || !lac_status_is_fine(status))
    return array;
  lac_status_take(status,
                  lac_error_set(LAC_ERROR_FORMAT, "the result has no array %lld of level %lld",
                                (long long)slot, (long long)level));
  return NULL;
}

bool lac_kernel_allocate(lac_tensor *result, int64_t level, int64_t slot, int64_t count,
                         int32_t *status) {
  lac_array *array = find_array(result, level, slot, status);
  return array && lac_status_is_fine(status) &&
         lac_status_take(status, lac_array_allocate(array, count));
}

bool lac_kernel_allocate_raw(lac_tensor *result, int64_t level, int64_t slot, int64_t count,
                             int32_t *status) {
  lac_array *array = find_array(result, level, slot, status);
  return array && lac_status_is_fine(status) &&
         lac_status_take(status, lac_array_allocate_raw(array, count));
}

int64_t lac_kernel_allocate_unset(lac_tensor *result, int64_t level, int64_t slot, int64_t count,
                                  int32_t *status) {
  lac_array *array = find_array(result, level, slot, status);
  int64_t unset = 0;
  if (array && lac_status_is_fine(status))
    lac_status_take(status, lac_array_allocate_unset(array, count, &unset));
  return unset;
}

int64_t lac_kernel_copy_level(lac_tensor *result, int64_t level, const lac_tensor *source,
                              int32_t *status) {
  if (!lac_status_is_fine(status))
    return 0;
  lac_level *to = &result->levels[level];
  const lac_level *from = &source->levels[level];
  int64_t longest = 0;
  if (to->size != from->size)
    lac_status_take(status,
                    lac_error_set(LAC_ERROR_FORMAT,
                                  "level %lld of the result: expected the size of the "
                                  "operand's that it is copied from, %lld, found %lld",
                                  (long long)level, (long long)from->size, (long long)to->size));
  for (int64_t slot = 0; slot < LAC_ARRAYS && lac_status_is_fine(status); slot++) {
    int64_t length = from->array[slot].data ? from->array[slot].length : 0;
    if (from->array[slot].data)
      lac_status_take(status, lac_array_allocate_raw(&to->array[slot], length));
    longest = length > longest ? length : longest;
  }
  return lac_status_is_fine(status) ? longest : 0;
}

void lac_kernel_copy_share(lac_tensor *result, int64_t level, const lac_tensor *source,
                           int64_t part, int64_t parts) {
  for (int64_t slot = 0; slot < LAC_ARRAYS; slot++) {
    const lac_array *from = &source->levels[level].array[slot];
    const lac_array *to = &result->levels[level].array[slot];
    int64_t length = from->data && to->data ? from->length : 0, share = length / parts + 1;
    int64_t begin = part * share, end = begin + share < length ? begin + share : length;
    size_t width = (size_t)from->width;
    if (begin < end)
      memcpy((char *)to->data + (size_t)begin * width,
             (const char *)from->data + (size_t)begin * width, (size_t)(end - begin) * width);
  }
}

static int64_t grow(lac_array *array, int64_t needed, int32_t *status,
                    int32_t (*reserve)(lac_array *array, int64_t needed)) {
  if (!array)
    return 0;
  if (lac_status_is_fine(status))
    lac_status_take(status, reserve(array, needed));
  return array->capacity;
}

int64_t lac_kernel_grow(lac_tensor *result, int64_t level, int64_t slot, int64_t needed,
                        int32_t *status) {
  return grow(find_array(result, level, slot, status), needed, status, lac_array_reserve);
}

int64_t lac_kernel_grow_raw(lac_tensor *result, int64_t level, int64_t slot, int64_t needed,
                            int32_t *status) {
  return grow(find_array(result, level, slot, status), needed, status, lac_array_reserve_raw);
}

void *lac_kernel_data(const lac_tensor *result, int64_t level, int64_t slot) {
  const lac_array *array = array_at(result, level, slot);
  return array ? array->data : NULL;
}

int64_t lac_kernel_room(const lac_tensor *result, int64_t level, int64_t slot) {
  const lac_array *array = array_at(result, level, slot);
  return array ? array->capacity : 0;
}

bool lac_kernel_streams(const lac_tensor *result, int64_t level, int64_t slot) {
  const lac_array *array = array_at(result, level, slot);
  return array && lac_stream_pays(array->data, array->length * array->width);
}

void lac_kernel_trim(lac_tensor *result, int64_t level, int64_t slot, int64_t count) {
  lac_array *array = array_at(result, level, slot);
  if (array)
    lac_array_trim(array, count);
}

/* ---- Scratch ------------------------------------------------------------------------------ */

void *lac_kernel_scratch(int64_t bytes, int32_t *status) {
  void *scratch = lac_memory_allocate_clean(bytes);
  if (!scratch)
    lac_status_take(status,
                    lac_error_set(LAC_ERROR_MEMORY,
                                  "out of memory: %lld bytes of scratch memory cannot be allocated",
                                  (long long)bytes));
  return scratch;
}

void *lac_kernel_scratch_grow(void *scratch, int64_t bytes, int64_t needed, int32_t *status) {
  if (!lac_status_is_fine(status))
    return scratch;
  void *grown = lac_memory_grow(scratch, bytes, needed);
  if (!grown)
    lac_status_take(status, LAC_ERROR_MEMORY);
  return grown ? grown : scratch;
}

void lac_kernel_release(void *scratch, int64_t bytes) {
  lac_memory_leave(scratch, bytes);
}

void lac_kernel_release_clean(void *scratch, int64_t bytes) {
  lac_memory_release_clean(scratch, bytes);
}
