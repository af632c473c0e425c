// What annihilates scalar operators, what is their identity, and what they make of constants.
// RUN: %cc %includes %s %root/passes/algebra/algebra.c %root/passes/algebra/scalar.c %dialects -o %t && %t | FileCheck %s
#include "algebra.h"

#include <mlir-c/BuiltinTypes.h>
#include <stdio.h>

static MlirContext context;

static MlirType type_of(const char *name) {
  return mlirTypeParseGet(context, mlirStringRefCreateFromCString(name));
}

static scalar real(double x) {
  return (scalar){.type = type_of("f64"), .re = x};
}

static scalar integer(const char *type, int64_t x) {
  return (scalar){.type = type_of(type), .integer = x};
}

static const algebra_operator *find(const char *name) {
  return algebra_operator_find(mlirStringRefCreateFromCString(name));
}

static void tell(const char *name, const char *text, scalar x) {
  const algebra_operator *op = find(name);
  printf("%s %s:", name, text);
  for (int side = 0; side < 2; ++side)
    printf(" %s", algebra_operator_annihilates(op, side, &x)   ? "annihilates"
                  : algebra_operator_is_identity(op, side, &x) ? "identity"
                                                               : "-");
  printf("\n");
}

static void fold(const char *name, scalar x, scalar y) {
  scalar operands[2] = {x, y}, result;
  MlirOperation none = {NULL};
  if (algebra_operator_fold(find(name), none, operands, x.type, &result))
    printf("%s = %g %lld\n", name, result.re, (long long)result.integer);
  else
    printf("%s does not fold\n", name);
}

int main(void) {
  context = mlirContextCreate();
  const double infinity = 1.0 / 0.0;

  // CHECK:      arith.mulf 0: annihilates annihilates
  // CHECK-NEXT: arith.mulf 1: identity identity
  // CHECK-NEXT: arith.addf 0: identity identity
  // CHECK-NEXT: arith.addf inf: annihilates annihilates
  // CHECK-NEXT: arith.subf 0: - identity
  // CHECK-NEXT: arith.divf 0: annihilates -
  // CHECK-NEXT: arith.divf 1: - identity
  tell("arith.mulf", "0", real(0));
  tell("arith.mulf", "1", real(1));
  tell("arith.addf", "0", real(0));
  tell("arith.addf", "inf", real(infinity));
  tell("arith.subf", "0", real(0));
  tell("arith.divf", "0", real(0));
  tell("arith.divf", "1", real(1));

  // CHECK-NEXT: arith.minimumf inf: identity identity
  // CHECK-NEXT: arith.minimumf -inf: annihilates annihilates
  // CHECK-NEXT: arith.maximumf 0: - -
  tell("arith.minimumf", "inf", real(infinity));
  tell("arith.minimumf", "-inf", real(-infinity));
  tell("arith.maximumf", "0", real(0));

  // CHECK-NEXT: arith.andi false: annihilates annihilates
  // CHECK-NEXT: arith.andi true: identity identity
  // CHECK-NEXT: arith.ori true: annihilates annihilates
  // CHECK-NEXT: arith.addi false: identity identity
  // CHECK-NEXT: arith.maxsi least: identity identity
  // CHECK-NEXT: arith.addi greatest: - -
  // CHECK-NEXT: arith.subi greatest: - -
  // CHECK-NEXT: arith.maxsi greatest: annihilates annihilates
  tell("arith.andi", "false", integer("i1", 0));
  tell("arith.andi", "true", integer("i1", -1));
  tell("arith.ori", "true", integer("i1", -1));
  tell("arith.addi", "false", integer("i1", 0));
  tell("arith.maxsi", "least", integer("i8", -128));
  tell("arith.addi", "greatest", integer("i32", INT32_MAX));
  tell("arith.subi", "greatest", integer("i32", INT32_MAX));
  tell("arith.maxsi", "greatest", integer("i32", INT32_MAX));

  // CHECK-NEXT: math.exp = 1 0
  // CHECK-NEXT: arith.subf = -3 0
  // CHECK-NEXT: arith.addi = 0 -56
  // CHECK-NEXT: arith.minui = 0 1
  // CHECK-NEXT: tensor.cast does not fold
  fold("math.exp", real(0), real(0));
  fold("arith.subf", real(2), real(5));
  fold("arith.addi", integer("i8", 100), integer("i8", 100));
  fold("arith.minui", integer("i8", -1), integer("i8", 1));
  fold("tensor.cast", real(0), real(0));

  mlirContextDestroy(context);
  return 0;
}
