/* lac_input.h - inside the runtime: what the readers of both file formats share. */
#ifndef LAC_INPUT_H
#define LAC_INPUT_H

#include "lac_reader.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One reading of a file. */
typedef struct lac_input {
  lac_reader reader;
  lac_read_options options;
  lac_tensor *out;
  int64_t level_to_dimension[LAC_FILE_ORDER];
} lac_input;

/* Each reads a whole file, whose first line is still to come; on a failure reader.status says so.
 */
void lac_matrix_market_read(lac_input *input);
void lac_frostt_read(lac_input *input);

/* The size wanted for dimension `d`, which the file says is `found`; false, with an error, where it
 * is too small. */
bool lac_input_dimension(lac_input *input, int64_t d, int64_t found, int64_t *size);

/* The element at the reader's place; false, with an error, where there is none of `type`. */
bool lac_input_value(lac_input *input, int32_t type, bool pair, void *element);

/* Entries that are appended to a coordinate list, its arrays at hand. */
typedef struct lac_entries {
  lac_tensor *coo;
  int64_t order, count, capacity;
  int64_t *coordinates[LAC_FILE_ORDER];
  char *values;
  size_t width;
} lac_entries;

/* Open and close bracket the appending of entries; grow is LAC_OK or LAC_ERROR_MEMORY. */
void lac_entries_open(lac_entries *entries, lac_tensor *coo);
int32_t lac_entries_grow(lac_entries *entries);
void lac_entries_close(lac_entries *entries);

static inline int32_t lac_entries_append(lac_entries *entries, const int64_t *coordinates,
                                         const void *value) {
  if (entries->count == entries->capacity) {
    int32_t status = lac_entries_grow(entries);
    if (status != LAC_OK)
      return status;
  }
  for (int64_t l = 0; l < entries->order; l++)
    entries->coordinates[l][entries->count] = coordinates[l];
  memcpy(entries->values + (size_t)entries->count * entries->width, value, entries->width);
  entries->count++;
  return LAC_OK;
}

#ifdef __cplusplus
}
#endif
#endif
