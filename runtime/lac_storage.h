/* lac_storage.h - inside the runtime: signatures, and the arrays' lengths that a level's kind asks
 * for. */
#ifndef LAC_STORAGE_H
#define LAC_STORAGE_H

#include "lac_tensor.h"

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
} lac_signature_level;

bool lac_signature_open(lac_signature *signature, const char *text);
bool lac_signature_next(lac_signature *signature, lac_signature_level *level);
int32_t lac_signature_malformed(const lac_signature *signature);

/* How many levels follow the head; -1 where the text is malformed. */
int64_t lac_signature_level_count(const lac_signature *signature);

/* Writes the signature that `tensor` has, cut to `size` characters. */
void lac_signature_describe(const lac_tensor *tensor, char *text, size_t size);

/* The number of positions of level `l` below `parents` positions, having checked that the level's
 * arrays are as long as its kind asks.  LAC_UNKNOWN_COUNT where the kind or `parents` does not
 * tell.  On a wrong length false, with a message that names the tensor `name`. */
enum { LAC_UNKNOWN_COUNT = -1 };
bool lac_level_positions(const lac_tensor *tensor, int64_t l, int64_t parents, const char *name,
                         int64_t *positions);

/* The same for all levels and the values. */
bool lac_storage_lengths(const lac_tensor *tensor, const char *name);

#ifdef __cplusplus
}
#endif
#endif
