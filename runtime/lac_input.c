/* lac_input.c - reading a file: which format it has, values, dimensions, and what is made of it. */
#include "lac_input.h"

#include "lac_ascii.h"
#include "lac_error.h"
#include "lac_memory.h"
#include "lac_storage.h"
#include "lac_value.h"

#include <stdio.h>

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

static int32_t read_file(lac_input *input, const char *path, const lac_read_options *options) {
  *input = (lac_input){.options = options ? *options : LAC_READ_AS_IT_IS};
  if (input->options.field)
    *input->options.field = -1;
  int32_t status = check_options(&input->options);
  if (status == LAC_OK)
    status = lac_reader_open(&input->reader, path, &input->options);
  if (status != LAC_OK)
    return status;
  read_either(input);
  status = input->reader.status;
  lac_reader_close(&input->reader);
  if (status != LAC_OK)
    lac_list_free(&input->list);
  return status;
}

/* ---- All values --------------------------------------------------------------------------- */

/* The values of array format as they are: level 0 holds the last dimension. */
static int32_t store_all(lac_input *input, lac_tensor *out, int64_t *level_to_dimension) {
  lac_list *list = &input->list;
  int32_t status = lac_tensor_allocate_fields(out, list->order, list->order);
  if (status != LAC_OK) {
    lac_list_free(list);
    return status;
  }
  for (int64_t d = 0; d < list->order; d++) {
    int64_t l = list->order - 1 - d;
    level_to_dimension[l] = d;
    out->levels[l].kind = "dense";
    out->levels[l].size = out->dimensions[d] = list->dimensions[d];
  }
  out->type = list->type;
  out->values = list->values;
  return LAC_OK;
}

static bool is_zero(const void *element, int32_t width) {
  static const char zero[LAC_VALUE_WIDTH];
  return memcmp(element, zero, (size_t)width) == 0;
}

/* The entries of a matrix or vector of which all values are there, one column after the other. */
static int32_t list_nonzeros(const lac_list *all, lac_list *list) {
  int64_t rows = all->order > 0 ? all->dimensions[0] : 1, width = all->values.width;
  int32_t status = lac_list_create(list, all->type, all->order, all->dimensions, 0);
  for (int64_t e = 0; e < all->values.length && status == LAC_OK; e++) {
    const char *element = (const char *)all->values.data + e * width;
    if (all->order == 0 || !is_zero(element, (int32_t)width))
      status = lac_list_append(list, (int64_t[]){e % rows, e / rows}, element);
  }
  return status;
}

/* ---- For callers -------------------------------------------------------------------------- */

int32_t lac_input_read_list(const char *path, const lac_read_options *options, lac_list *list) {
  lac_input input;
  int32_t status = read_file(&input, path, options);
  if (status != LAC_OK || !input.has_all) {
    *list = input.list;
    return status;
  }
  status = list_nonzeros(&input.list, list);
  lac_list_free(&input.list);
  if (status != LAC_OK)
    lac_list_free(list);
  return status;
}

int32_t lac_file_read(const char *path, const lac_read_options *options, lac_tensor *out,
                      int64_t *level_to_dimension) {
  int64_t holds[LAC_FILE_ORDER];
  lac_input input;
  if (!path || !out)
    return lac_error_missing(out ? "a file's name to read" : "a tensor to read into");
  memset(out, 0, sizeof *out);
  int32_t status = read_file(&input, path, options);
  if (status != LAC_OK)
    return status;
  for (int64_t l = 0; l < LAC_FILE_ORDER; l++)
    holds[l] = l;
  status =
      input.has_all ? store_all(&input, out, holds) : lac_list_store(&input.list, NULL, NULL, out);
  if (status == LAC_OK && level_to_dimension)
    memcpy(level_to_dimension, holds, sizeof holds);
  return status;
}
