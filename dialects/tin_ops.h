/* tin_ops.h - making operations of the tin rung. */
#ifndef LACUNA_TIN_OPS_H
#define LACUNA_TIN_OPS_H

#include "arena.h"
#include "builder.h"
#include "ir.h"
#include "op_list.h"
#include "tin.h"

#include <mlir-c/AffineMap.h>

/* The parts of a tin.compute.  Arrays of operands have `operand_count` entries, and where the
 * result counts, it is one entry more, last. */
typedef struct compute_parts {
  int operand_count, variable_count;
  const MlirValue *operands;
  const MlirAffineMap *maps; /* and the result's */
  const char *const *variables;
  const MlirAttribute *fills; /* and the result's; NULL where all are zero */
  const MlirAttribute *pads; /* what operands are out of range (tin.h); NULL where none is padded */
  const char *const *names;  /* and the result's; NULL where there are none */
  MlirAttribute alike;       /* null where there is none */
  MlirAttribute subscripts;  /* of the result, as variables; null where there are none */
  MlirAttribute extents;     /* those that are stated; null where there are none */
  MlirAttribute schedule;    /* commands for its loops; null where there are none */
  bool conversion;           /* made to convert a tensor: no schedule is for it */
  MlirType result;
  MlirBlock body; /* ends with tin.yield; the operation takes it */
} compute_parts;

/* Inserts the operation where `b` stands and returns its result. */
MlirValue compute_make(builder *b, const compute_parts *parts);

/* tin.reduce and tin.yield in the body of a compute; tin.convert.  `identity` is null
 * where it is the kind's own, `fill` where it is zero. */
MlirValue reduce_make(builder *b, tin_reduction kind, MlirValue value, int variable_count,
                      const char *const *variables, MlirAttribute identity);
void yield_make(builder *b, MlirValue value);
MlirValue convert_make(builder *b, MlirValue source, MlirType type, MlirAttribute fill);

/* tin.read; tin.view; tin.require_equal, whose error is `reason`. */
MlirValue read_make(builder *b, MlirAttribute file, MlirType type);
MlirValue view_make(builder *b, MlirValue source, MlirType type);
void require_equal_make(builder *b, MlirValue left, MlirValue right, const char *reason);

/* tin.match: dimension d of `x` and dimension e of `y` are both of the variable. */
void match_make(builder *b, const char *variable, MlirValue x, int64_t d, MlirValue y, int64_t e);

/* An array attribute of texts. */
MlirAttribute texts_attribute(MlirContext context, int count, const char *const *texts);

/* `type`'s shape and element type, stored as `encoding` says. */
MlirType tensor_with_encoding(MlirType type, MlirAttribute encoding);

#endif
