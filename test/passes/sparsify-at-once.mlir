// Levels that become known with the one above them are begun, appended to and closed where that comes.
// RUN: sparse-opt %s --tin-to-cin --cin-choose-assembly --sparsify | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#Constant = #tin.format<(i) -> (2 : compressed, i : compressed)>
#next = affine_map<(d0) -> (d0 + 1)>

// One entry beside the diagonal of each row.
// CHECK-LABEL: func.func @beside
// CHECK:       case () as (%[[I:.*]]) {
// CHECK:       %[[ROW:.*]] = sit.insert %[[R:.*]] level 0 at %[[I]]
// CHECK:       %[[BEGIN:.*]] = sit.end %[[R]] level 1
// CHECK:       %[[NEXT:.*]] = arith.addi %[[I]],
// CHECK:       sit.append %[[R]] level 1 at %[[NEXT]]
// CHECK:       sit.store
// CHECK-NEXT:  sit.close %[[R]] level 1 from %[[BEGIN]] under %[[ROW]]
func.func @beside(%x: tensor<?xf64>) -> tensor<?x?xf64, #CSR> {
  %0 = cin.kernel(%x) by append {
  ^bb0(%a: tensor<?xf64>, %R: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %moved = cin.index "moved"
    cin.subscript %moved is(%i) by #next
    cin.forall %i {
      %1 = cin.read %a[%i] : tensor<?xf64>
      cin.assign %R[%i, %moved] = %1 : tensor<?x?xf64, #CSR>
    }
  } : (tensor<?xf64>) -> tensor<?x?xf64, #CSR>
  return %0 : tensor<?x?xf64, #CSR>
}

// A level above that holds a constant has an entry if there are any below.
// CHECK-LABEL: func.func @constant
// CHECK:       %[[OUTER:.*]] = sit.end %[[R:.*]] level 0
// CHECK:       %[[INNER:.*]] = sit.end %[[R]] level 1
// CHECK:       sit.append %[[R]] level 1
// CHECK:       %[[END:.*]] = sit.end %[[R]] level 1
// CHECK-NEXT:  arith.cmpi ne, %[[END]], %[[INNER]]
// CHECK:       %[[PARENT:.*]] = sit.append %[[R]] level 0 at
// CHECK-NEXT:  sit.close %[[R]] level 1 from %[[INNER]] under %[[PARENT]]
// CHECK:       sit.close %[[R]] level 0 from %[[OUTER]]
func.func @constant(%x: tensor<?xf64>) -> tensor<?xf64, #Constant> {
  %0 = tin.compute (i) %x[i] -> [i] {
  ^bb0(%a: f64):
    tin.yield %a : f64
  } : (tensor<?xf64>) -> tensor<?xf64, #Constant>
  return %0 : tensor<?xf64, #Constant>
}
