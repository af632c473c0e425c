// Levels that are walked out of order where an order is needed, or below several branches, go through scratch arrays:
// those, and no others.
// RUN: sparse-opt --cin-choose-assembly --sparsify %s | FileCheck %s

#UNORDERED = #tin.format<(i) -> (i : compressed(unordered))>
#HASH = #tin.format<(i) -> (i : hashed)>
#SV = #tin.format<(i) -> (i : compressed)>
#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#ANY = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique))>
#ROWS = #tin.format<(i, j) -> (i : dense, j : compressed(unordered))>
#BRANCHES = #tin.format<(i, j, k) -> (i : compressed(nonunique), j : compressed, k : singleton(nonunique))>
#DENSE_BRANCHES = #tin.format<(i, j) -> (i : compressed(nonunique), j : dense)>
#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>

// CHECK-LABEL: @merge_of_unordered
// CHECK: sit.coiterate %b level 0 scratch, %c level 0 scratch named "i" :
// CHECK-NEXT: case (0, 1) as (%i, %pb0, %pc0)
func.func @merge_of_unordered(%b: tensor<?xf64, #UNORDERED>, %c: tensor<?xf64, #UNORDERED>) -> tensor<?xf64> {
  %a = cin.kernel (%b, %c) attributes {tensor_names = ["b", "c", "a"]} {
  ^bb0(%b: tensor<?xf64, #UNORDERED>, %c: tensor<?xf64, #UNORDERED>, %a: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      %v = cin.read %b[%i] : tensor<?xf64, #UNORDERED>
      %w = cin.read %c[%i] : tensor<?xf64, #UNORDERED>
      %p = arith.mulf %v, %w : f64
      cin.assign %a[%i] = %p : tensor<?xf64>
    }
  } : (tensor<?xf64, #UNORDERED>, tensor<?xf64, #UNORDERED>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}

// What can be located in is located in, at the coordinates of the other in whichever order.
// CHECK-LABEL: @located
// CHECK: sit.coiterate %b level 0, %c level 0 named "{{.*}}" :
func.func @located(%b: tensor<?xf64, #UNORDERED>, %c: tensor<?xf64, #HASH>) -> tensor<?xf64> {
  %a = cin.kernel (%b, %c) attributes {tensor_names = ["b", "c", "a"]} {
  ^bb0(%b: tensor<?xf64, #UNORDERED>, %c: tensor<?xf64, #HASH>, %a: tensor<?xf64>):
    %i = cin.index "i"
    cin.forall %i {
      %v = cin.read %b[%i] : tensor<?xf64, #UNORDERED>
      %w = cin.read %c[%i] : tensor<?xf64, #HASH>
      %p = arith.mulf %v, %w : f64
      cin.assign %a[%i] = %p : tensor<?xf64>
    }
  } : (tensor<?xf64, #UNORDERED>, tensor<?xf64, #HASH>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}

// CHECK-LABEL: @append_of_unordered
// CHECK: sit.coiterate %b level 0 scratch named "{{.*}}" :
func.func @append_of_unordered(%b: tensor<?xf64, #UNORDERED>) -> tensor<?xf64, #SV> {
  %a = cin.kernel (%b) attributes {tensor_names = ["b", "a"]} {
  ^bb0(%b: tensor<?xf64, #UNORDERED>, %a: tensor<?xf64, #SV>):
    %i = cin.index "i"
    cin.forall %i {
      %v = cin.read %b[%i] : tensor<?xf64, #UNORDERED>
      cin.assign %a[%i] = %v : tensor<?xf64, #SV>
    }
  } : (tensor<?xf64, #UNORDERED>) -> tensor<?xf64, #SV>
  return %a : tensor<?xf64, #SV>
}

// Rows in no order, each alone: scattered as they come.
// CHECK-LABEL: @rows_alone
// CHECK-NOT: scratch
func.func @rows_alone(%A: tensor<?x?xf64, #ROWS>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = cin.kernel (%A, %x) attributes {tensor_names = ["A", "x", "y"]} {
  ^bb0(%A: tensor<?x?xf64, #ROWS>, %x: tensor<?xf64>, %y: tensor<?xf64>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #ROWS>
        %b = cin.read %x[%j] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        cin.assign %y[%i] add %p : tensor<?xf64>
      }
    }
  } : (tensor<?x?xf64, #ROWS>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Entries that repeat come once to a result that has each once: sorted, and below a segment of a scratch array there
// is another.
// CHECK-LABEL: @repeated
// CHECK: sit.coiterate %B level 0 scratch named "{{.*}}" :
// CHECK: sit.coiterate %B level 1 under %pB0 scratch named "{{.*}}" :
func.func @repeated(%B: tensor<?x?xf64, #ANY>) -> tensor<?x?xf64, #CSR> {
  %A = cin.kernel (%B) attributes {tensor_names = ["B", "A"]} {
  ^bb0(%B: tensor<?x?xf64, #ANY>, %A: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %b = cin.read %B[%i, %j] : tensor<?x?xf64, #ANY>
        cin.assign %A[%i, %j] = %b : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #ANY>) -> tensor<?x?xf64, #CSR>
  return %A : tensor<?x?xf64, #CSR>
}

// Branches that repeat: the first level is ordered, its duplicates a run; those of the branches come together.
// CHECK-LABEL: @branches
// CHECK: sit.coiterate %A level 0, %B level 0 named "{{.*}}" :
// CHECK-NEXT: case (0, 1)
// CHECK: sit.coiterate %A level 1 under %pA0 scratch, %B level 1 under %pB0 named "{{.*}}" :
// CHECK-NEXT: case (0, 1)
// CHECK: sit.coiterate %A level 2 under %pA1 scratch, %B level 2 under %pB1 named "{{.*}}" :
func.func @branches(%A: tensor<?x?x?xf64, #BRANCHES>, %B: tensor<?x?x?xf64, #CSF>) -> tensor<?x?x?xf64, #CSF> {
  %C = cin.kernel (%A, %B) attributes {tensor_names = ["A", "B", "C"]} {
  ^bb0(%A: tensor<?x?x?xf64, #BRANCHES>, %B: tensor<?x?x?xf64, #CSF>, %C: tensor<?x?x?xf64, #CSF>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %a = cin.read %A[%i, %j, %k] : tensor<?x?x?xf64, #BRANCHES>
          %b = cin.read %B[%i, %j, %k] : tensor<?x?x?xf64, #CSF>
          %s = arith.addf %a, %b : f64
          cin.assign %C[%i, %j, %k] = %s : tensor<?x?x?xf64, #CSF>
        }
      }
    }
  } : (tensor<?x?x?xf64, #BRANCHES>, tensor<?x?x?xf64, #CSF>) -> tensor<?x?x?xf64, #CSF>
  return %C : tensor<?x?x?xf64, #CSF>
}

// What is located below duplicates is located below each, in one array.
// CHECK-LABEL: @located_below_duplicates
// CHECK: sit.locate %A level 1 at %j under %pA0 scratch :
func.func @located_below_duplicates(%A: tensor<?x?xf64, #DENSE_BRANCHES>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %C = cin.kernel (%A, %B) attributes {tensor_names = ["A", "B", "C"]} {
  ^bb0(%A: tensor<?x?xf64, #DENSE_BRANCHES>, %B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #DENSE_BRANCHES>
        %b = cin.read %B[%i, %j] : tensor<?x?xf64, #CSR>
        %s = arith.mulf %a, %b : f64
        cin.assign %C[%i, %j] = %s : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #DENSE_BRANCHES>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  return %C : tensor<?x?xf64, #CSR>
}
