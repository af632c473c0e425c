// The graphs that passes reason about, at the rung that a module is at; each is a digraph with a title.
// RUN: sparse-opt %s --print-dot -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: sparse-opt %s --tin-to-cin '--cin-schedule=schedule="split(i,i0,i1,32) reorder(i0,i1,j)"' --print-dot -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: sparse-opt %s --tin-to-cin --cin-choose-assembly --sparsify --print-dot -o /dev/null 2>&1 | FileCheck %s --check-prefix=LATTICE

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>

// An edge of A and of B; that of the result only where it is appended to.
// ORDER:      digraph "iteration graph: C from A, \"B\"" {
// ORDER-NEXT:   label = "iteration graph: C from A, \"B\"";
// ORDER:        "i" -> "j" [label = "C", style = dashed];
// ORDER:        "i" -> "j" [label = "A"];
// ORDER:      }
// ORDER-NOT:  digraph

// LOOPS:      digraph "provenance graph: C from A, \"B\"" {
// LOOPS:        "j" [xlabel = "loop 3"];
// LOOPS:        "i0" [xlabel = "loop 1"];
// LOOPS:        relation0 [shape = box, label = "split by 32"];
// LOOPS-NEXT:   "i" -> relation0;
// LOOPS-NEXT:   relation0 -> "i0";
// LOOPS-NEXT:   relation0 -> "i1";

// LATTICE:      digraph "merge lattice: j in C from A, \"B\"" {
// LATTICE:        p0 [label = "{A, \"B\"}"];
// LATTICE-NEXT:   p1 [label = "{A}"];
// LATTICE-NEXT:   p2 [label = "{\"B\"}"];
// LATTICE-NEXT:   p0 -> p1;
// LATTICE-NEXT:   p0 -> p2;
func.func @sum(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %C = tin.compute (i, j) %A[i, j], %B[i, j] -> [i, j] attributes {tensor_names = ["A", "\22B\22", "C"]} {
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    tin.yield %c : f64
  } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}
