// Results whose loops go in another order than their levels: entries are counted, then placed.
// RUN: sparse-opt --cin-insert-workspaces --cin-choose-assembly --sparsify %s | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#ANY = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton)>
#TRIPLES = #tin.format<(i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton)>
#LISTS = #tin.format<(i, j, k) -> (k : dense, i : compressed(nonunique), j : singleton)>
#BLOCKS = #tin.format<(i, j, k) -> (j : dense, i : compressed, k : dense)>

// Nothing is read while entries are counted.

// CHECK-LABEL: @transpose
// CHECK:      sit.result %B[%{{.*}}, %{{.*}}] by scatter
// CHECK-NEXT: sit.coiterate over
// CHECK-NEXT: case () as (%i)
// CHECK-NEXT:   sit.locate %A level 0 at %i
// CHECK-NEXT:   sit.coiterate %A level 1
// CHECK-NEXT:   case (0) as (%j, %{{.*}})
// CHECK-NEXT:     %[[r:.*]] = sit.insert %B level 0 at %j
// CHECK-NEXT:     sit.count %B level 1 at %{{.*}} under %[[r]]
// CHECK-NEXT:   }
// CHECK:      sit.edges %B level 1
// CHECK-NEXT: sit.coiterate over
// CHECK-NEXT: case () as (%i)
// CHECK-NEXT:   sit.locate %A level 0 at %i
// CHECK-NEXT:   sit.coiterate %A level 1
// CHECK-NEXT:   case (0) as (%j, %[[q:.*]])
// CHECK-NEXT:     %[[a:.*]] = sit.value %A at %[[q]]
// CHECK-NEXT:     %[[r:.*]] = sit.insert %B level 0 at %j
// CHECK-NEXT:     %[[p:.*]] = sit.place %B level 1 at %i under %[[r]]
// CHECK-NEXT:     sit.store %[[a]] to %B at %[[p]]
// CHECK:      sit.finish %B
func.func @transpose(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSC> {
  %B = cin.kernel (%A) attributes {tensor_names = ["A", "B"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        cin.assign %B[%i, %j] = %a : tensor<?x?xf64, #CSC>
      }
    }
  } : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSC>
  return %B : tensor<?x?xf64, #CSC>
}

// A coordinate list is walked entry by entry, even where its rows come in no order.

// CHECK-LABEL: @list
// CHECK:      sit.result %B[%{{.*}}, %{{.*}}] by scatter
// CHECK-NEXT: sit.coiterate %A level 0 fused
// CHECK:        sit.coiterate %A level 1
// CHECK:          sit.count %B level 1
// CHECK:      sit.edges %B level 1
func.func @list(%A: tensor<?x?xf64, #ANY>) -> tensor<?x?xf64, #CSR> {
  %B = cin.kernel (%A) attributes {tensor_names = ["A", "B"]} {
  ^bb0(%A: tensor<?x?xf64, #ANY>, %B: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #ANY>
        cin.assign %B[%i, %j] = %a : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #ANY>) -> tensor<?x?xf64, #CSR>
  return %B : tensor<?x?xf64, #CSR>
}

// Levels that are scattered together; reductions inside, and not for counting.

// CHECK-LABEL: @lists
// CHECK:      sit.result %B[%{{.*}}, %{{.*}}, %{{.*}}] by scatter
// CHECK:          %[[r:.*]] = sit.insert %B level 0 at %k
// CHECK-NEXT:     sit.count %B level 1 at %{{.*}} under %[[r]]
// CHECK-NOT:      sit.count
// CHECK:      sit.edges %B level 1
// CHECK:          %[[r:.*]] = sit.insert %B level 0 at %k
// CHECK-NEXT:     %[[p:.*]] = sit.place %B level 1 at %i under %[[r]]
// CHECK-NEXT:     %[[q:.*]] = sit.place %B level 2 at %j under %[[p]]
// CHECK:          sit.var
// CHECK:          sit.store %{{.*}} to %B at %[[q]]
func.func @lists(%A: tensor<?x?x?xf64, #TRIPLES>, %C: tensor<?x?xf64>) -> tensor<?x?x?xf64, #LISTS> {
  %B = cin.kernel (%A, %C) attributes {tensor_names = ["A", "C", "B"]} {
  ^bb0(%A: tensor<?x?x?xf64, #TRIPLES>, %C: tensor<?x?xf64>, %B: tensor<?x?x?xf64, #LISTS>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    %l = cin.index "l"
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          cin.forall %l {
            %a = cin.read %A[%i, %j, %k] : tensor<?x?x?xf64, #TRIPLES>
            %c = cin.read %C[%i, %l] : tensor<?x?xf64>
            %p = arith.mulf %a, %c : f64
            cin.assign %B[%i, %j, %k] add %p : tensor<?x?x?xf64, #LISTS>
          }
        }
      }
    }
  } : (tensor<?x?x?xf64, #TRIPLES>, tensor<?x?xf64>) -> tensor<?x?x?xf64, #LISTS>
  return %B : tensor<?x?x?xf64, #LISTS>
}

// A block of values below each entry, which is counted once.

// CHECK-LABEL: @blocks
// CHECK:      sit.result %B[%{{.*}}, %{{.*}}, %{{.*}}] by scatter
// CHECK:        sit.coiterate %A level 1
// CHECK-NEXT:   case (0) as (%j, %{{.*}})
// CHECK-NEXT:     sit.insert %B level 0 at %j
// CHECK-NEXT:     sit.count %B level 1
// CHECK-NEXT:   }
// CHECK:      sit.edges %B level 1
// CHECK:          %[[p:.*]] = sit.place %B level 1 at %i
// CHECK-NEXT:     sit.coiterate over %{{.*}} {
// CHECK-NEXT:     case () as (%k)
// CHECK:            sit.insert %B level 2 at %k under %[[p]]
func.func @blocks(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?x?x?xf64, #BLOCKS> {
  %B = cin.kernel (%A, %x) attributes {tensor_names = ["A", "x", "B"]} {
  ^bb0(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %B: tensor<?x?x?xf64, #BLOCKS>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
          %x0 = cin.read %x[%k] : tensor<?xf64>
          %p = arith.mulf %a, %x0 : f64
          cin.assign %B[%i, %j, %k] = %p : tensor<?x?x?xf64, #BLOCKS>
        }
      }
    }
  } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?x?x?xf64, #BLOCKS>
  return %B : tensor<?x?x?xf64, #BLOCKS>
}

// Levels that insert are visited in their order too, where one below them is appended to; else it is scattered into.

#PARENTS = #tin.format<(i, j, k) -> (i : dense, k : dense, j : compressed)>

// CHECK-LABEL: @parents
// CHECK:      sit.result %B[%{{.*}}, %{{.*}}, %{{.*}}] by scatter
func.func @parents(%A: tensor<?x?x?xf64>) -> tensor<?x?x?xf64, #PARENTS> {
  %B = cin.kernel (%A) attributes {tensor_names = ["A", "B"]} {
  ^bb0(%A: tensor<?x?x?xf64>, %B: tensor<?x?x?xf64, #PARENTS>):
    %i = cin.index "i"
    %j = cin.index "j"
    %k = cin.index "k"
    cin.forall %k {
      cin.forall %i {
        cin.forall %j {
          %a = cin.read %A[%i, %j, %k] : tensor<?x?x?xf64>
          cin.assign %B[%i, %j, %k] = %a : tensor<?x?x?xf64, #PARENTS>
        }
      }
    }
  } : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64, #PARENTS>
  return %B : tensor<?x?x?xf64, #PARENTS>
}

// Entries in no order, and repeated, are placed one by one, and ordered last.

#ANYHOW = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered))>

// CHECK-LABEL: @anyhow
// CHECK:      sit.result %B[%{{.*}}, %{{.*}}] by record
// CHECK:      sit.coiterate %A level 0 fused
// CHECK:          sit.count %B level 1
// CHECK:      sit.edges %B level 1
// CHECK:          sit.place %B level 1
// CHECK-NEXT:     sit.store
// CHECK:      sit.order %B level 1
// CHECK-NEXT: sit.finish
func.func @anyhow(%A: tensor<?x?xf64, #ANYHOW>) -> tensor<?x?xf64, #CSR> {
  %B = cin.kernel (%A) by record attributes {tensor_names = ["A", "B"]} {
  ^bb0(%A: tensor<?x?xf64, #ANYHOW>, %B: tensor<?x?xf64, #CSR>):
    %i = cin.index "i"
    %j = cin.index "j"
    cin.forall %i {
      cin.forall %j {
        %a = cin.read %A[%i, %j] : tensor<?x?xf64, #ANYHOW>
        cin.assign %B[%i, %j] = %a : tensor<?x?xf64, #CSR>
      }
    }
  } : (tensor<?x?xf64, #ANYHOW>) -> tensor<?x?xf64, #CSR>
  return %B : tensor<?x?xf64, #CSR>
}
