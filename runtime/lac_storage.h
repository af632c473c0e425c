/* lac_storage.h - inside the runtime: signatures, and the arrays' lengths that layouts ask for. */
#ifndef LAC_STORAGE_H
#define LAC_STORAGE_H

#include "lac_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes `tensor` an empty tensor that owns fields for `order` dimensions and `level_count` levels.
 */
int32_t lac_tensor_allocate_fields(lac_tensor *tensor, int64_t order, int64_t level_count);

/* Whether a tensor has the fields that its numbers promise; if not, with a message about `name`. */
bool lac_tensor_has_fields(const lac_tensor *tensor, const char *name);

/* lac_intern of the first `length` characters. */
const char *lac_intern_text(const char *name, size_t length);

/* A signature (lac_kernel.h) is read from left to right: its head by open, then a level at a time.
 * `next` is false at the end and where the text is malformed; `malformed` tells which. */
typedef struct lac_signature {
  const char *text, *rest;
  int64_t order;
  int32_t type;
  bool malformed;
} lac_signature;

typedef struct lac_signature_level {
  const char *kind;
  size_t kind_length;
  int32_t bits[LAC_ARRAYS];
  lac_layout_text layout;
} lac_signature_level;

bool lac_signature_open(lac_signature *signature, const char *text);
bool lac_signature_next(lac_signature *signature, lac_signature_level *level);
int32_t lac_signature_malformed(const lac_signature *signature);

/* How many levels follow the head; -1 where the text is malformed. */
int64_t lac_signature_level_count(const lac_signature *signature);

/* Writes the signature that `tensor` has, cut to `size` characters; and one without its layouts. */
void lac_signature_describe(const lac_tensor *tensor, char *text, size_t size);
void lac_signature_shorten(const char *signature, char *text, size_t size);

/* Whether arrays are as long as the layouts of a signature that is read up to its levels ask (NULL:
 * those of what the runtime makes itself), as far as they are known, and the values.  On a wrong
 * length false, with a message that names the tensor `name`.  `reads`, if not NULL, gets what was
 * read. */
enum { LAC_UNKNOWN_COUNT = -1 };
bool lac_storage_lengths(const lac_tensor *tensor, const lac_signature *levels, const char *name,
                         lac_layout_reads *reads);

/* The number of positions of the last level of a tensor that the runtime can make itself,
 * LAC_UNKNOWN_COUNT of any other. */
int64_t lac_storage_positions(const lac_tensor *tensor);

/* The layouts of all levels of a tensor, likewise; LAC_ERROR_FORMAT where they are malformed, and
 * LAC_ERROR_MEMORY, leave nothing to free. */
int32_t lac_layouts_of(const lac_tensor *tensor, const char *signature, const char *name,
                       lac_layout **layouts);
void lac_layouts_free(const lac_tensor *tensor, lac_layout *layouts);

#ifdef __cplusplus
}
#endif
#endif
