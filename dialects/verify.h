/* verify.h - what the operations' verifiers check, beyond what their definitions (*.td) say.
 *
 * MLIR calls each after the definition's own constraints hold.  True, or false after an error at
 * the operation that says what was expected and what was found.
 */
#ifndef LACUNA_VERIFY_H
#define LACUNA_VERIFY_H

#include <mlir-c/AffineMap.h>
#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

/* tin; tin_compute_verify comes after the verifiers of the operations in its region */
bool tin_compute_verify(MlirOperation op);
bool tin_reduce_verify(MlirOperation op);
bool tin_einsum_verify(MlirOperation op);
bool tin_convert_verify(MlirOperation op);
bool tin_view_verify(MlirOperation op);
bool tin_match_verify(MlirOperation op);
bool tin_assemble_verify(MlirOperation op);
bool tin_disassemble_verify(MlirOperation op);

/* cin.kernel and sit.kernel */
bool kernel_verify(MlirOperation op);

/* cin; cin_kernel_verify comes after the verifiers of the operations in its region, that of what
 * stands before it first */
bool cin_kernel_head_verify(MlirOperation op);
bool cin_kernel_verify(MlirOperation op);
bool cin_forall_verify(MlirOperation op);
bool cin_pos_verify(MlirOperation op);
bool cin_collapse_verify(MlirOperation op);
bool cin_remap_verify(MlirOperation op);
bool cin_window_verify(MlirOperation op);
bool cin_subscript_verify(MlirOperation op);
bool cin_where_verify(MlirOperation op);
bool cin_workspace_verify(MlirOperation op);
bool cin_read_verify(MlirOperation op);
bool cin_stored_verify(MlirOperation op);
bool cin_assign_verify(MlirOperation op);

/* sit.  sit_level_verify: an operation on a level of its first operand (append, end, sort,
 * edges);
 * sit_entry_verify: one that also may have a parent's position, its last operand (locate, find,
 * insert, close, count, place); sit_stored_verify: one on a value at a position, likewise (value,
 * store, accumulate); sit_empty_verify: one that makes a tensor empty (result, workspace). */
bool sit_coiterate_verify(MlirOperation op);
bool sit_positions_verify(MlirOperation op);
bool sit_extent_verify(MlirOperation op);
bool sit_level_verify(MlirOperation op);
bool sit_entry_verify(MlirOperation op);
bool sit_copied_verify(MlirOperation op);
bool sit_stored_verify(MlirOperation op);
bool sit_empty_verify(MlirOperation op);

/* What the verifiers share.  `what` stands in the message: "expected 2 subscripts, found 1". */
bool verify_count(MlirOperation op, const char *what, intptr_t expected, intptr_t found);
bool verify_type(MlirOperation op, const char *what, MlirType expected, MlirType found);
/* A ranked tensor, or a scalar: float, integer, index or complex. */
bool is_tensor_or_scalar(MlirType type);
/* Ranked tensors or scalars, tensors of elements that can be stored. */
bool verify_tensors_or_scalars(MlirOperation op);

/* Whether no tensor among operands and results has more than TIN_GREATEST_ORDER dimensions. */
bool verify_orders(MlirOperation op);
/* Subscripts whose numbers are small enough that loops can count with them, and whose divisors are
 * positive. */
bool verify_subscripts(MlirOperation op, MlirAffineMap map);
/* `attribute`, where the operation has it, is a typed value of the type. */
bool verify_constant(MlirOperation op, const char *attribute, const char *what, MlirType type);
/* What a padded access is out of range: a unit, or a value of its element type. */
bool verify_pad(MlirOperation op, MlirType element, MlirAttribute pad);

/* `fills` and `tensor_names`, where they are: one for each operand and, last, the result. */
bool verify_fills_and_names(MlirOperation op);

/* A fill: an attribute of the element type, or the two parts of a complex number. */
bool verify_fill(MlirOperation op, MlirType element, MlirAttribute fill);
/* The types of operands and results, as one list. */
intptr_t operand_and_result_count(MlirOperation op);
MlirType operand_or_result_type(MlirOperation op, intptr_t i);
/* `by`, where the operation has it, is a way in which a result of the type can be built; where
 * level formats are registered. */
bool verify_assembly(MlirOperation op, MlirType type);
/* The arguments of a region's first block. */
bool verify_no_arguments(MlirOperation op, intptr_t region);

#ifdef __cplusplus
}
#endif
#endif
