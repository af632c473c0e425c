/* tin-hoist-conversions.c - what a loop converts again and again is converted before it.
 *
 *     for k { r' = f(convert A, r) }    ->    A' = convert A;  for k { r' = f(A', r) }
 *
 * where A is made outside the loop.  A conversion goes out of as many loops as that holds for; one
 * in a branch stays there, since the branch may never be taken.
 *
 * A tensor is a value, but its arrays may be a program's own memory (tin.assemble), or lent to it
 * (tin.disassemble).  So a conversion stays in a loop in which anything may write memory: what is
 * neither of tin or cin nor arithmetic nor control flow, or calls a function where the module has
 * such.
 */
#include "bridge.h"
#include "ir.h"
#include "tin.h"
#include "tin_ops.h"

#include <string.h>

/*--- What writes -------------------------------------------------------------------------------*/

static bool is_of(MlirOperation op, const char *dialect) {
  MlirStringRef name = op_name(op);
  size_t length = strlen(dialect);
  return name.length > length && name.data[length] == '.' && !memcmp(name.data, dialect, length);
}

/* Of dialects whose operations write no memory; those of tin write files alone, those of cin
 * temporaries. */
static bool writes_nothing(MlirOperation op, void *data) {
  static const char *const dialects[] = {"arith", "builtin", "cf",  "cin",    "complex", "func",
                                         "index", "math",    "scf", "tensor", "tin"};
  (void)data;
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
    if (is_of(op, dialects[i]))
      return true;
  return false;
}

static bool calls_nothing(MlirOperation op, void *data) {
  (void)data;
  return !op_is(op, "func.call") && !op_is(op, "func.call_indirect");
}

/* A function without a body may do anything. */
static bool is_declaration(MlirOperation op) {
  return op_is(op, "func.func") && mlirBlockIsNull(op_block(op, 0));
}

static bool is_harmless(MlirOperation op, void *data) {
  return writes_nothing(op, data) && !is_declaration(op);
}

static MlirOperation module_around(MlirOperation op) {
  while (!op_is(op, "builtin.module"))
    op = mlirOperationGetParentOperation(op);
  return op;
}

static bool may_write(MlirOperation loop) {
  return !visit_below(loop, writes_nothing, NULL) ||
         (!visit_below(loop, calls_nothing, NULL) &&
          !visit_below(module_around(loop), is_harmless, NULL));
}

/*--- Loops -------------------------------------------------------------------------------------*/

static bool is_loop(MlirOperation op) {
  return op_is(op, "scf.for") || op_is(op, "scf.while");
}

static bool hoist(MlirOperation convert, arena *memory) {
  (void)memory;
  MlirOperation loop = mlirOperationGetParentOperation(convert);
  while (is_loop(loop) && !value_is_made_in(loop, mlirOperationGetOperand(convert, 0)) &&
         !may_write(loop)) {
    mlirOperationMoveBefore(convert, loop);
    loop = mlirOperationGetParentOperation(convert);
  }
  return true;
}

/* In the order of the program, so that what a conversion takes goes before it. */
int tin_hoist_conversions_run(MlirOperation module,
                              const struct tin_hoist_conversions_options *options) {
  (void)options;
  return !change_operations(module, tin_is_convert, hoist);
}
