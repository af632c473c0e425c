//===- Sit.hpp - the sparse iteration dialect, for the dialects' own C++
//-----------------------===//

#ifndef LACUNA_SIT_HPP
#define LACUNA_SIT_HPP

#include "Cin.hpp"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

#include "SitDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "SitTypes.h.inc"
#define GET_OP_CLASSES
#include "SitOps.h.inc"

#endif // LACUNA_SIT_HPP
