/* tensor_levels.h - in which order a format's levels hold the dimensions. */
#ifndef LACUNA_TENSOR_LEVELS_H
#define LACUNA_TENSOR_LEVELS_H

#include "arena.h"
#include "compiler.h"
#include "flags.h"
#include "lac_tensor.h"
#include "program.h"

#include <stdbool.h>
#include <stdint.h>

/* The order in which the levels of a format (the text of a #tin.format) first mention the
 * dimensions: what a coordinate list is sorted by before it is packed.  In the arena; NULL where
 * the text is no format of that order, with the message in compiler_error. */
int64_t *tensor_level_order(compiler *c, arena *memory, const char *format, int order);

/* What a tensor of that type, as text, has where nothing is stored in a semiring of that name: the
 * text of an attribute, in the arena; NULL where there is no such type or semiring. */
const char *tensor_fill(compiler *c, arena *memory, const char *type, const char *semiring);

/* Whether a stored tensor is all that its type, as text, promises (compile/tensor_check.h); false
 * with a message of --check that names it. */
bool tensor_is_sound(compiler *c, const lac_tensor *tensor, const char *type, const char *name);

/* Whether tensors of that format store values where there are none (tensor_format_pads), whether
 * entries are inserted at any place (tensor_format_is_dense), whether they are found in no order
 * (tensor_format_has_table), and whether they store one triangle. */
bool tensor_pads(compiler *c, arena *memory, const char *format, int order);
bool tensor_is_dense(compiler *c, arena *memory, const char *format, int order);
bool tensor_has_table(compiler *c, arena *memory, const char *format, int order);
bool tensor_is_symmetric(compiler *c, const char *format);

/* How many places a tensor of that format and these sizes has in the levels that hold a dimension
 * and store every coordinate of it: rows * columns in a dense matrix, rows in CSR, 1 in COO. */
double tensor_full_size(compiler *c, arena *memory, const char *format, int order,
                        const int64_t *dimensions);

/* Whether the texts after -f are formats of the tensors that they name; false with a message that
 * names the tensor. */
bool tensor_formats_are_sound(compiler *c, arena *memory, const binding *list, const program *p);

/* Whether the runtime can list what a tensor of that format stores: each level holds one dimension,
 * and is of a kind that files are written from. */
bool tensor_is_listed(compiler *c, const char *format);

#endif
