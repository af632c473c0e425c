//===- Tin.hpp - the tensor index notation dialect, for the dialects' own C++
//------------------===//

#ifndef LACUNA_TIN_HPP
#define LACUNA_TIN_HPP

#include "Common.hpp"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "TinDialect.h.inc"
#include "TinEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "TinAttrs.h.inc"
#define GET_OP_CLASSES
#include "TinOps.h.inc"

namespace lacuna::tin {

/// The encoding of a ranked tensor if it is a #tin.format, the row-major format of dense levels
/// if there is none; null otherwise.
FormatAttr formatOf(mlir::Type type);

} // namespace lacuna::tin

#endif // LACUNA_TIN_HPP
