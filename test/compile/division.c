// A module divided for compiling side by side: what calls or shares stays together, constants and
// declarations go along, the largest part stands alone; what only cold functions enter stands
// apart.
// RUN: %cc %includes %s %root/compile/code/division.c %dialects -o %t
// RUN: %t 2>&1 | FileCheck %s
#include "division.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <mlir-c/IR.h>
#include <stdio.h>

static const char source[] = "module attributes {test.kept} {\n"
                             "  llvm.mlir.global internal constant @text(\"x\\00\")\n"
                             "  llvm.mlir.global internal @state(0 : i32) : i32\n"
                             "  llvm.func @large(%p: !llvm.ptr) {\n"
                             "    %t = llvm.mlir.addressof @text : !llvm.ptr\n"
                             "    %s = llvm.mlir.addressof @text : !llvm.ptr\n"
                             "    %r = llvm.mlir.addressof @text : !llvm.ptr\n"
                             "    llvm.call @outside(%t) : (!llvm.ptr) -> ()\n"
                             "    llvm.call @outside(%p) : (!llvm.ptr) -> ()\n"
                             "    llvm.call @outside(%p) : (!llvm.ptr) -> ()\n"
                             "    llvm.call @outside(%s) : (!llvm.ptr) -> ()\n"
                             "    llvm.call @outside(%r) : (!llvm.ptr) -> ()\n"
                             "    llvm.return\n"
                             "  }\n"
                             "  llvm.func @caller(%p: !llvm.ptr) {\n"
                             "    llvm.call @called(%p) : (!llvm.ptr) -> ()\n"
                             "    llvm.return\n"
                             "  }\n"
                             "  llvm.func internal @called(%p: !llvm.ptr) {\n"
                             "    llvm.call @outside(%p) : (!llvm.ptr) -> ()\n"
                             "    llvm.return\n"
                             "  }\n"
                             "  llvm.func @writer(%v: i32) {\n"
                             "    %s = llvm.mlir.addressof @state : !llvm.ptr\n"
                             "    llvm.store %v, %s : i32, !llvm.ptr\n"
                             "    llvm.return\n"
                             "  }\n"
                             "  llvm.func @reader() -> i32 {\n"
                             "    %s = llvm.mlir.addressof @state : !llvm.ptr\n"
                             "    %v = llvm.load %s : !llvm.ptr -> i32\n"
                             "    llvm.return %v : i32\n"
                             "  }\n"
                             "  llvm.func @outside(!llvm.ptr)\n"
                             "}\n";

static const char once[] = "llvm.func @pack() attributes {passthrough = [\"cold\"]} {\n"
                           "  llvm.call @pack_kernel() : () -> ()\n"
                           "  llvm.return\n"
                           "}\n"
                           "llvm.func internal @pack_kernel() {\n"
                           "  llvm.return\n"
                           "}\n"
                           "llvm.func @kernel() attributes {passthrough = [\"nounwind\"]} {\n"
                           "  llvm.return\n"
                           "}\n"
                           "llvm.func @unpack() attributes {passthrough = [\"cold\"]} {\n"
                           "  llvm.return\n"
                           "}\n";

static void divide(MlirModule module, int most) {
  int count;
  MlirModule *parts = division_create(module, most, &count);
  printf("%d of at most %d\n", count, most);
  for (int i = 0; i < count; i++) {
    printf("part %d\n", i);
    mlirOperationDump(mlirModuleGetOperation(parts[i]));
  }
  division_free(parts, count);
}

// CHECK:       1 of at most 1
// CHECK:       part 0
// CHECK:       @large
// CHECK:       @reader
// CHECK:       2 of at most 2
// CHECK:       part 0
// CHECK-NEXT:  module attributes {test.kept}
// CHECK-NOT:   llvm.func
// CHECK:       llvm.func @large
// CHECK-NOT:   @writer
// CHECK:       part 1
// CHECK:       3 of at most 8
// CHECK-NEXT:  part 0
// CHECK-NEXT:  module attributes {test.kept}
// CHECK-NEXT:    llvm.mlir.global internal constant @text
// CHECK-NEXT:    llvm.func @large
// CHECK:         llvm.func @outside
// CHECK-NEXT:  }
// CHECK-NEXT:  part 1
// CHECK-NEXT:  module attributes {test.kept}
// CHECK-NEXT:    llvm.mlir.global internal @state
// CHECK-NEXT:    llvm.func @writer
// CHECK:         llvm.func @reader
// CHECK-NOT:     @outside
// CHECK:       part 2
// CHECK-NEXT:  module attributes {test.kept}
// CHECK-NEXT:    llvm.func @caller
// CHECK:         llvm.func internal @called
// CHECK:         llvm.func @outside
// CHECK-NEXT:  }
// CHECK:       2 of at most 1
// CHECK-NEXT:  part 0
// CHECK-NEXT:  module {
// CHECK-NEXT:    llvm.func @kernel
// CHECK-NEXT:      llvm.return
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  part 1
// CHECK:         llvm.func @pack()
// CHECK:         llvm.func internal @pack_kernel
// CHECK:         llvm.func @unpack
// CHECK:       2 of at most 2
// CHECK:       3 of at most 3
int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  MlirContext context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__llvm__(), context);
  mlirContextSetAllowUnregisteredDialects(context, true);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  MlirModule seldom = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(once));
  divide(module, 1);
  divide(module, 2);
  divide(module, 8);
  divide(seldom, 1);
  divide(seldom, 2);
  divide(seldom, 3);
  mlirModuleDestroy(seldom);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}
