//===- Cin.hpp - the concrete index notation dialect, for the dialects' own C++
//----------------===//

#ifndef LACUNA_CIN_HPP
#define LACUNA_CIN_HPP

#include "Tin.hpp"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace lacuna::cin {

/// The relations between a kernel's index variables: what `cin.split`, `cin.remap`, ... write to.
struct RelationsResource : mlir::SideEffects::Resource::Base<RelationsResource> {
  llvm::StringRef getName() final { return "Relations"; }
};

} // namespace lacuna::cin

#include "CinDialect.h.inc"
#include "CinEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "CinAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "CinTypes.h.inc"
#define GET_OP_CLASSES
#include "CinOps.h.inc"

namespace lacuna::cin {

/// `on cpu_thread no_races unroll 4`: the attributes unit, race and unroll, each where it is said.
mlir::ParseResult parseParallel(mlir::OpAsmParser &parser, mlir::OperationState &result);
void printParallel(mlir::OpAsmPrinter &printer, mlir::Operation *op);

/// `strategies {blocks, read_ahead = 16}`: the attribute of that name, where it is said.
mlir::ParseResult parseStrategies(mlir::OpAsmParser &parser, mlir::OperationState &result);
void printStrategies(mlir::OpAsmPrinter &printer, mlir::Operation *op);

} // namespace lacuna::cin

#endif // LACUNA_CIN_HPP
