// Passes.td - every pass of Lacuna by its name on the command line, with its options.
//
// All are passes over a module.  A pass is a C function, <name>_run in passes/<name>.c (or lower/),
// declared in bridge.h; Bridge.cpp joins it to what is said here.

#ifndef LACUNA_PASSES
#define LACUNA_PASSES

include "mlir/Pass/PassBase.td"

//===-- tin: what is computed, and how each tensor is stored --------------------------------===//

def TinExpandEinsum : Pass<"tin-expand-einsum", "::mlir::ModuleOp"> {
  let summary = "Expand tin.einsum text into tin.compute statements";
}

def TinSplitTerms : Pass<"tin-split-terms", "::mlir::ModuleOp"> {
  let summary = "Split statements into ones whose kernels can be made";
}

def TinInsertConversions : Pass<"tin-insert-conversions", "::mlir::ModuleOp"> {
  let summary = "Convert operands whose level orders no loop order agrees with";
}

def TinLowerConversions : Pass<"tin-lower-conversions", "::mlir::ModuleOp"> {
  let summary = "Lower tin.convert to statements that pack and unpack levels";
}

def TinToCin : Pass<"tin-to-cin", "::mlir::ModuleOp"> {
  let summary = "Order the index variables of each statement and make its loops";
}

//===-- cin: in what order, with which temporaries, on which hardware -----------------------===//

def CinSchedule : Pass<"cin-schedule", "::mlir::ModuleOp"> {
  let summary = "Apply a schedule given as text";
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"\"\"",
           "Commands such as 'split(i,i0,i1,32) reorder(i0,j,i1)', applied in their order">
  ];
}

def CinInsertWorkspaces : Pass<"cin-insert-workspaces", "::mlir::ModuleOp"> {
  let summary = "Insert workspaces where a sparse result cannot be appended in loop order";
}

def CinParallelize : Pass<"cin-parallelize", "::mlir::ModuleOp"> {
  let summary = "Run outer loops in parallel where that is safe without being told";
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"0",
           "Number of threads; 1 leaves the loops serial, 0 takes what OpenMP gives">
  ];
}

//===-- sit: how stored coordinates are walked, merged and built ----------------------------===//

def Sparsify : Pass<"sparsify", "::mlir::ModuleOp"> {
  let summary = "Lower loops over index variables to iteration over merge lattices";
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Keep the program's order in floating-point sums">
  ];
}

def LowerSit : Pass<"lower-sit", "::mlir::ModuleOp"> {
  let summary = "Lower sparse iteration to loops, by the level formats' functions";
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Keep the program's order in floating-point sums">
  ];
}

def LowerHandles : Pass<"lower-handles", "::mlir::ModuleOp"> {
  let summary = "Lower stored tensors to pointers to their handles";
}

def LowerArrays : Pass<"lower-arrays", "::mlir::ModuleOp"> {
  let summary = "Lower arrays of stored tensors to loads from their handles";
  let description = [{
    `sit.array`, `sit.values` and `sit.memory` become memrefs that are made of a pointer and a length.
  }];
}

def LowerParallel : Pass<"lower-parallel", "::mlir::ModuleOp"> {
  let summary = "Run parallel loops on threads, by OpenMP";
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"0",
           "Number of threads of each loop; 0 takes what OpenMP gives">
  ];
}

#endif // LACUNA_PASSES
