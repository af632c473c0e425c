/* lac_program.h - what compiled functions call outside of kernels: files, tensors from their
 * arrays and back.
 *
 * Each returns a lac_status with a message; where it fails, a result that it makes is empty.
 */
#ifndef LAC_PROGRAM_H
#define LAC_PROGRAM_H

#include "lac_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes `result` (empty, or freed first) the entries that the file at `path` holds, as it has them,
 * level l being dimension level_to_dimension[l].  `signature` (lac_kernel.h) tells the element
 * type, the order, and the levels that the list of entries is stored in (lac_list.h).  A dimension
 * that is not 0 in `dimensions` is asked of the file.  Of a dense file the entries that are not
 * zero are taken. */
int32_t lac_program_read(lac_tensor *result, const char *path, const char *signature,
                         const int64_t *dimensions, const int64_t *level_to_dimension);

/* Writes a tensor, level l holding dimension level_to_dimension[l], to a file or as FROSTT to
 * standard output. */
int32_t lac_program_write(const lac_tensor *source, const char *path,
                          const int64_t *level_to_dimension);
int32_t lac_program_print(const lac_tensor *source, const int64_t *level_to_dimension);

/* Whether there is a tensor, and it has dimensions; else with a message. */
bool lac_program_has_dimensions(const lac_tensor *tensor);

/* LAC_ERROR_SHAPE unless the two dimensions, both of the index variable `name`, have one size. */
int32_t lac_program_match(const char *name, const lac_tensor *expected, int64_t expected_dimension,
                          const lac_tensor *found, int64_t found_dimension);

/* Makes `result` (empty, or freed first) the tensor that is stored in `arrays`, which it borrows:
 * for each level those that the signature (lac_kernel.h) has for it, then the values; level l has
 * level_sizes[l] coordinates and the properties level_flags[l].  All that lac_tensor_check asks for
 * must hold. */
int32_t lac_program_assemble(lac_tensor *result, const char *signature, const int64_t *dimensions,
                             const int64_t *level_sizes, const int64_t *level_flags,
                             const lac_array *arrays);

/* An error (LAC_ERROR_FORMAT) with the message `reason` unless both store the same: levels of the
 * same sizes with the same arrays, and the same values. */
int32_t lac_program_require_equal(const lac_tensor *left, const lac_tensor *right,
                                  const char *reason);

/* The arrays of a tensor with that signature, in the same order; it goes on owning them. */
int32_t lac_program_disassemble(const lac_tensor *source, const char *signature, lac_array *arrays);

#ifdef __cplusplus
}
#endif
#endif
