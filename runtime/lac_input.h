/* lac_input.h - inside the runtime: what the readers of both file formats share. */
#ifndef LAC_INPUT_H
#define LAC_INPUT_H

#include "lac_list.h"
#include "lac_reader.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One reading of a file, which gives entries, or, of array format, all values column after column,
 * which are the list's values then. */
typedef struct lac_input {
  lac_reader reader;
  lac_read_options options;
  lac_list list;
  bool has_all;
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

/* Reads the file at `path` as entries, also one that has all values: those that are not zero.
 * LAC_OK, or as lac_file_read, with nothing to free. */
int32_t lac_input_read_list(const char *path, const lac_read_options *options, lac_list *list);

#ifdef __cplusplus
}
#endif
#endif
