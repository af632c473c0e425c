//===- Common.td - what the three rungs share --------------------------------------------------===//

#ifndef LACUNA_COMMON_TD
#define LACUNA_COMMON_TD

include "mlir/IR/CommonAttrConstraints.td"

// The operator of a reduction; stands bare in the text: `add`.
def Reduction : ConfinedAttr<StrAttr, [AttrConstraint<
    CPred<"::lacuna::isReduction(::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
    "that is one of add, mul, min, max, and, or, xor">]>;

#endif // LACUNA_COMMON_TD
