/* format_names.h - formats by the names that people use: `csr`, `coo`, `dense,compressed:1,0`. */
#ifndef LACUNA_FORMAT_NAMES_H
#define LACUNA_FORMAT_NAMES_H

#include <stdbool.h>

/* The text of the #tin.format that `spec` names for a tensor of `order` dimensions:
 *
 *     a name     csr, coo, ..., with an optional mode order, csf:2,0,1
 *     blocks     bcsr:RxC, ..., of R rows and C columns; mode-generic:AxBxC of any order
 *     a list     of levels, dense,compressed, with an optional mode order :1,0
 *     a text     #tin.format<...>, or what stands between its angle brackets
 *
 * The caller frees it.  NULL where it names none for that order; then `*error` is a message that
 * the caller frees. */
char *format_from_name(const char *spec, int order, char **error);

/* The coordinate list whose levels hold the dimensions in the order `level_to_dimension`;
 * duplicates allowed. */
char *format_of_coordinates(int order, const int *level_to_dimension);

/* The names that format_from_name knows, for --help. */
const char *format_names(void);

#endif
