//===- Common.td - what the three rungs share --------------------------------------------------===//

#ifndef LACUNA_COMMON_TD
#define LACUNA_COMMON_TD

include "mlir/IR/CommonAttrConstraints.td"

// The operator of a reduction, #tin.reduction<add>; stands bare in the text of operations: `add`.
def Reduction : Attr<CPred<"::llvm::isa<::lacuna::tin::ReductionAttr>($_self)">,
                     "a reduction (add, mul, min, max, and, or, xor)"> {
  let storageType = "::lacuna::tin::ReductionAttr";
  let returnType = "::lacuna::tin::Reduction";
  let convertFromStorage = "$_self.getValue()";
}

#endif // LACUNA_COMMON_TD
