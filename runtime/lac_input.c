/* lac_input.c - reading a file: which format it has, values, dimensions, and the entries found. */
#include "lac_input.h"

#include "lac_ascii.h"
#include "lac_coo.h"
#include "lac_error.h"
#include "lac_memory.h"
#include "lac_value.h"

#include <stdio.h>

/* ---- Entries ------------------------------------------------------------------------------ */

static void fetch_arrays(lac_entries *entries) {
  for (int64_t l = 0; l < entries->order; l++)
    entries->coordinates[l] = entries->coo->levels[l].array[LAC_COORDINATES].data;
  entries->values = entries->coo->values.data;
  entries->capacity = entries->coo->values.capacity;
  for (int64_t l = 0; l < entries->order; l++)
    if (entries->coo->levels[l].array[LAC_COORDINATES].capacity < entries->capacity)
      entries->capacity = entries->coo->levels[l].array[LAC_COORDINATES].capacity;
}

void lac_entries_open(lac_entries *entries, lac_tensor *coo) {
  *entries = (lac_entries){.coo = coo, .order = coo->order, .width = (size_t)coo->values.width};
  fetch_arrays(entries);
}

int32_t lac_entries_grow(lac_entries *entries) {
  int32_t status = lac_array_reserve(&entries->coo->values, entries->count + 1);
  for (int64_t l = 0; l < entries->order && status == LAC_OK; l++)
    status = lac_array_reserve(&entries->coo->levels[l].array[LAC_COORDINATES], entries->count + 1);
  fetch_arrays(entries);
  return status;
}

void lac_entries_close(lac_entries *entries) {
  if (entries->order == 0)
    return;
  lac_array_trim(&entries->coo->values, entries->count);
  for (int64_t l = 0; l < entries->order; l++)
    lac_array_trim(&entries->coo->levels[l].array[LAC_COORDINATES], entries->count);
  ((int64_t *)entries->coo->levels[0].array[LAC_POSITIONS].data)[1] = entries->count;
}

/* ---- Values and dimensions ---------------------------------------------------------------- */

bool lac_input_dimension(lac_input *input, int64_t d, int64_t found, int64_t *size) {
  const lac_read_options *options = &input->options;
  int64_t wanted = options->dimensions && options->order > d ? options->dimensions[d] : 0;
  *size = wanted > 0 ? wanted : found;
  if (*size >= found)
    return true;
  return lac_reader_error(&input->reader,
                          "expected a size of at most %lld in dimension %lld, found %lld",
                          (long long)wanted, (long long)d, (long long)found);
}

bool lac_input_value(lac_input *input, int32_t type, bool pair, void *element) {
  char what[64];
  const char *text = lac_skip_spaces(input->reader.cursor);
  const char *end = lac_read_value(text, type, pair, element);
  if (end && lac_skip_spaces(end) > end) {
    input->reader.cursor = end;
    return true;
  }
  if (end && *end == '\n') {
    input->reader.cursor = end;
    return true;
  }
  snprintf(what, sizeof what,
           lac_type_is_integer(type) ? "an integer that fits %s"
           : pair                    ? "two real numbers for %s"
                                     : "a real number for %s",
           lac_type_name(type));
  return lac_reader_expected(&input->reader, what, text);
}

/* ---- Which format ------------------------------------------------------------------------- */

/* A value of order 0 has no banner under any name. */
static bool is_matrix_market(const lac_input *input) {
  const char *path = input->reader.path, *cursor = input->reader.cursor;
  if (input->reader.limit - cursor > 14 && lac_begins_with(cursor, "%%MatrixMarket"))
    return true;
  return (lac_ends_with(path, ".mtx") || lac_ends_with(path, ".mtx.gz")) &&
         input->options.order != 0;
}

static void read_either(lac_input *input) {
  lac_reader *reader = &input->reader;
  if (reader->cursor == reader->limit)
    lac_reader_refill(reader);
  if (reader->status != LAC_OK)
    return;
  if (is_matrix_market(input))
    lac_matrix_market_read(input);
  else
    lac_frostt_read(input);
}

static int32_t check_options(const lac_read_options *options) {
  if (options->order > LAC_FILE_ORDER || options->order < -1)
    return lac_error_set(LAC_ERROR_FORMAT, "expected an order of at most %d to be read, found %lld",
                         LAC_FILE_ORDER, (long long)options->order);
  if (options->type != -1 && lac_type_width(options->type) == 0)
    return lac_error_set(LAC_ERROR_FORMAT, "expected an element type to be read, found number %d",
                         options->type);
  return LAC_OK;
}

int32_t lac_file_read(const char *path, const lac_read_options *options, lac_tensor *out,
                      int64_t *level_to_dimension) {
  if (!path || !out)
    return lac_error_missing(out ? "a file's name to read" : "a tensor to read into");
  lac_input input = {.options = options ? *options : LAC_READ_AS_IT_IS, .out = out};
  memset(out, 0, sizeof *out);
  if (input.options.field)
    *input.options.field = -1;
  int32_t status = check_options(&input.options);
  if (status == LAC_OK)
    status = lac_reader_open(&input.reader, path, &input.options);
  if (status != LAC_OK)
    return status;
  for (int64_t l = 0; l < LAC_FILE_ORDER; l++)
    input.level_to_dimension[l] = l;
  read_either(&input);
  status = input.reader.status;
  lac_reader_close(&input.reader);
  if (status != LAC_OK)
    lac_tensor_free(out);
  else if (level_to_dimension)
    memcpy(level_to_dimension, input.level_to_dimension, sizeof input.level_to_dimension);
  return status;
}
