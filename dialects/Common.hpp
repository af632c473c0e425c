//===- Common.hpp - what the three rungs' verifiers and assembly share
//-------------------------===//

#ifndef LACUNA_COMMON_HPP
#define LACUNA_COMMON_HPP

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"

namespace lacuna {

/// add, mul, min, max, and, or, xor.
bool isReduction(llvm::StringRef kind);

/// float, integer, index or complex.
bool isScalar(mlir::Type type);

/// What an access of a ranked tensor or scalar gives; null for any other type.
mlir::Type accessedType(mlir::Type operand);

/// The number of subscripts of a ranked tensor; 0 of a scalar.
int64_t accessedRank(mlir::Type operand);

/// `fills` and `tensor_names`, each of which may be null: one for each operand and the result, of
/// their element types.
mlir::LogicalResult verifyFillsAndNames(mlir::Operation *op, mlir::TypeRange operandsAndResult,
                                        mlir::ArrayAttr fills, mlir::ArrayAttr names);

/// A kernel: one block argument for each operand and, last, the result.
mlir::LogicalResult verifyKernel(mlir::Operation *op, mlir::ArrayAttr fills, mlir::ArrayAttr names);
void nameKernelArguments(mlir::Region &body, mlir::ArrayAttr names,
                         llvm::function_ref<void(mlir::Value, llvm::StringRef)> setName);

/// The value has the type (both of which the message names).
mlir::LogicalResult verifyType(mlir::Operation *op, llvm::StringRef what, mlir::Type expected,
                               mlir::Type found);
mlir::LogicalResult verifyCount(mlir::Operation *op, llvm::StringRef what, int64_t expected,
                                int64_t found);

// Assembly: `add`; `(i, j)`; a region whose arguments may shadow the names around it.
mlir::ParseResult parseReduction(mlir::OpAsmParser &parser, mlir::StringAttr &kind);
void printReduction(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::StringAttr kind);
mlir::ParseResult parseNames(mlir::OpAsmParser &parser, mlir::ArrayAttr &names);
void printNames(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::ArrayAttr names);
mlir::ParseResult parseIsolatedBody(mlir::OpAsmParser &parser, mlir::Region &body);
void printIsolatedBody(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Region &body);

} // namespace lacuna

#endif // LACUNA_COMMON_HPP
