//===- Common.hpp - what the three rungs' verifiers and assembly share
//-------------------------===//

#ifndef LACUNA_COMMON_HPP
#define LACUNA_COMMON_HPP

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"
#include "verify.h"

/// An operation's verifier, which is C (verify.h), after that of the orders of its tensors.
#define LACUNA_VERIFY(Op, function)                                                                \
  mlir::LogicalResult Op::verify() {                                                               \
    return mlir::success(verify_orders(wrap(getOperation())) && function(wrap(getOperation())));   \
  }

namespace lacuna {

namespace tin {
class ReductionAttr;
}
namespace cin {
class AssemblyAttr;
}

/// What an access of a ranked tensor or scalar gives; null for any other type.
mlir::Type accessedType(mlir::Type operand);

/// A kernel's block arguments, named after its tensors.
void nameKernelArguments(mlir::Region &body, mlir::ArrayAttr names,
                         llvm::function_ref<void(mlir::Value, llvm::StringRef)> setName);

// Assembly: `add`; `append`; `(i, j)`; a region whose arguments may shadow the names around it.
mlir::ParseResult parseReduction(mlir::OpAsmParser &parser, tin::ReductionAttr &kind);
void printReduction(mlir::OpAsmPrinter &printer, mlir::Operation *op, tin::ReductionAttr kind);
mlir::ParseResult parseAssembly(mlir::OpAsmParser &parser, cin::AssemblyAttr &way);
void printAssembly(mlir::OpAsmPrinter &printer, mlir::Operation *op, cin::AssemblyAttr way);
mlir::ParseResult parseNames(mlir::OpAsmParser &parser, mlir::ArrayAttr &names);
void printNames(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::ArrayAttr names);
/// `pad`, out of range the fill, or `pad(1.0 : f64)`: a unit or the value; nothing, and null.
mlir::ParseResult parsePad(mlir::OpAsmParser &parser, mlir::Attribute &pad);
void printPad(mlir::OpAsmPrinter &printer, mlir::Attribute pad);
mlir::ParseResult parseIsolatedBody(mlir::OpAsmParser &parser, mlir::Region &body);
void printIsolatedBody(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Region &body);

} // namespace lacuna

#endif // LACUNA_COMMON_HPP
