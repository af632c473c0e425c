/* builder_state.h - what a builder holds; for the files builder*.c only. */
#ifndef LACUNA_BUILDER_STATE_H
#define LACUNA_BUILDER_STATE_H

#include "arena.h"
#include "builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A place to insert at: before an operation, or at the end of the block where that is null. */
typedef struct place {
  MlirBlock block;
  MlirOperation before;
} place;

struct frame;

struct builder {
  MlirContext context;
  MlirLocation location;
  place at;
  arena *memory;
  MlirValue *current; /* the value of each variable, by slot */
  int variable_count, variable_capacity;
  bool failed;
  struct frame *inner; /* the innermost structured region that is open */
};

/* The block that holds the outermost open region: it is in a module, those being filled are not
 * yet. */
MlirBlock builder_attached_block(const builder *b);

/* An operation with regions, inserted here; the regions become its own. */
MlirOperation make_region_op(builder *b, const char *name, intptr_t operand_count,
                             const MlirValue *operands, intptr_t result_count,
                             const MlirType *results, intptr_t attribute_count,
                             const MlirNamedAttribute *attributes, intptr_t region_count,
                             const MlirRegion *regions);
/* The same at the end of `block`, without regions. */
MlirOperation make_op_at_end(builder *b, MlirBlock block, const char *name, intptr_t operand_count,
                             const MlirValue *operands);

/* The builtin.module around the place of insertion; null where there is none. */
MlirOperation builder_module(const builder *b);

#ifdef __cplusplus
}
#endif
#endif
