// Operands in no order, and with coordinates that come again in several branches, merged with others: by scratch
// arrays, as no conversions are inserted here.
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-insert-workspaces --cin-choose-assembly --sparsify | FileCheck %s --check-prefix=SIT
// RUN: sparse-opt %s --tin-expand-einsum --tin-to-cin --cin-insert-workspaces --cin-choose-assembly --sparsify --sparse-cpu \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -shared-libs=%runtime_lib,%libomp | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>
#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
#UNORDERED = #tin.format<(i, j) -> (i : dense, j : compressed(unordered))>
#BRANCHES = #tin.format<(i, j) -> (i : compressed(nonunique), j : compressed(nonunique, unordered))>
#ANYHOW = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : compressed)>
#CUBE = #tin.format<(i, j, k) -> (i : compressed(nonunique), j : compressed(nonunique), k : singleton(nonunique))>
#ROWS = #tin.format<(i, j) -> (i : compressed(nonunique), j : dense)>

// SIT: sit.coiterate %U level 1 under %pU0 scratch, %V level 1 under %pV0 named "{{.*}}" :
// SIT: sit.coiterate %M level 0 scratch over
// SIT: sit.coiterate %K level 2 under %pK1 scratch, %L level 2 under %pL1 named "{{.*}}" :
// SIT: sit.locate %D level 1 at %j under %pD0 scratch :

// U + V, rows of U in no order:
// CHECK:      1 3 12
// CHECK-NEXT: 1 6 20
// CHECK-NEXT: 1 8 1
// CHECK-NEXT: 1 10 3
// CHECK-NEXT: 2 1 30
// CHECK-NEXT: 3 2 45
// CHECK-NEXT: 3 5 4
// their product:
// CHECK-NEXT: 1 3 20
// CHECK-NEXT: 3 2 200
// N + V, N by rows that come again, with columns in no order that do, too:
// CHECK-NEXT: 1 3 19
// CHECK-NEXT: 1 6 20
// CHECK-NEXT: 1 8 1
// CHECK-NEXT: 1 10 5
// CHECK-NEXT: 2 1 30
// CHECK-NEXT: 3 2 46
// N * U:
// CHECK-NEXT: 1 3 18
// CHECK-NEXT: 1 8 1
// CHECK-NEXT: 1 10 15
// CHECK-NEXT: 3 2 30
// M - U, M by rows in no order that come again:
// CHECK-NEXT: 1 3 0
// CHECK-NEXT: 1 6 9
// CHECK-NEXT: 1 8 -1
// CHECK-NEXT: 1 10 -3
// CHECK-NEXT: 3 1 4
// CHECK-NEXT: 3 2 1
// CHECK-NEXT: 3 5 -4
// order 3: K + L:
// CHECK-NEXT: 1 2 6 13
// CHECK-NEXT: 1 2 7 20
// CHECK-NEXT: 1 2 9 1
// CHECK-NEXT: 1 4 5 6
// CHECK-NEXT: 2 3 8 35
// K * L:
// CHECK-NEXT: 1 2 6 30
// CHECK-NEXT: 2 3 8 150
// D * V, what is located below rows that come again:
// CHECK-NEXT: 1 3 30
// CHECK-NEXT: 1 6 60
// CHECK-NEXT: 3 2 120
// and |M - U|, summed by rows:
// CHECK-NEXT: 1 13
// CHECK-NEXT: 2 0
// CHECK-NEXT: 3 9
// CHECK-NEXT: {{^}}0

memref.global "private" constant @U_0 : memref<4xi64> = dense<[0, 3, 3, 5]>
memref.global "private" constant @U_1 : memref<5xi64> = dense<[7, 2, 9, 4, 1]>
memref.global "private" constant @U_2 : memref<5xf64> = dense<[1.0, 2.0, 3.0, 4.0, 5.0]>
memref.global "private" constant @V_0 : memref<4xi64> = dense<[0, 2, 3, 4]>
memref.global "private" constant @V_1 : memref<4xi64> = dense<[2, 5, 0, 1]>
memref.global "private" constant @V_2 : memref<4xf64> = dense<[10.0, 20.0, 30.0, 40.0]>
memref.global "private" constant @N_0 : memref<2xi64> = dense<[0, 3]>
memref.global "private" constant @N_1 : memref<3xi64> = dense<[0, 0, 2]>
memref.global "private" constant @N_2 : memref<4xi64> = dense<[0, 3, 5, 6]>
memref.global "private" constant @N_3 : memref<6xi64> = dense<[7, 2, 2, 2, 9, 1]>
memref.global "private" constant @N_4 : memref<6xf64> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]>
memref.global "private" constant @M_0 : memref<2xi64> = dense<[0, 4]>
memref.global "private" constant @M_1 : memref<4xi64> = dense<[2, 0, 2, 0]>
memref.global "private" constant @M_2 : memref<5xi64> = dense<[0, 1, 3, 5, 6]>
memref.global "private" constant @M_3 : memref<6xi64> = dense<[1, 2, 5, 0, 1, 5]>
memref.global "private" constant @M_4 : memref<6xf64> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]>
memref.global "private" constant @K_0 : memref<2xi64> = dense<[0, 3]>
memref.global "private" constant @K_1 : memref<3xi64> = dense<[0, 0, 1]>
memref.global "private" constant @K_2 : memref<4xi64> = dense<[0, 2, 4, 5]>
memref.global "private" constant @K_3 : memref<5xi64> = dense<[1, 3, 1, 3, 2]>
memref.global "private" constant @K_4 : memref<5xi64> = dense<[8, 4, 5, 4, 7]>
memref.global "private" constant @K_5 : memref<5xf64> = dense<[1.0, 2.0, 3.0, 4.0, 5.0]>
memref.global "private" constant @L_0 : memref<2xi64> = dense<[0, 2]>
memref.global "private" constant @L_1 : memref<2xi64> = dense<[0, 1]>
memref.global "private" constant @L_2 : memref<3xi64> = dense<[0, 1, 2]>
memref.global "private" constant @L_3 : memref<2xi64> = dense<[1, 2]>
memref.global "private" constant @L_4 : memref<3xi64> = dense<[0, 2, 3]>
memref.global "private" constant @L_5 : memref<3xi64> = dense<[5, 6, 7]>
memref.global "private" constant @L_6 : memref<3xf64> = dense<[10.0, 20.0, 30.0]>
memref.global "private" constant @D_0 : memref<2xi64> = dense<[0, 3]>
memref.global "private" constant @D_1 : memref<3xi64> = dense<[0, 0, 2]>
memref.global "private" constant @D_2 : memref<30xf64> = dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0]>

func.func @main() {
  %n3 = arith.constant 3 : index
  %n10 = arith.constant 10 : index
  %U_0_ = memref.get_global @U_0 : memref<4xi64>
  %U_0 = memref.cast %U_0_ : memref<4xi64> to memref<?xi64>
  %U_1_ = memref.get_global @U_1 : memref<5xi64>
  %U_1 = memref.cast %U_1_ : memref<5xi64> to memref<?xi64>
  %U_2_ = memref.get_global @U_2 : memref<5xf64>
  %U_2 = memref.cast %U_2_ : memref<5xf64> to memref<?xf64>
  %U = tin.assemble [%n3, %n10] (%U_0, %U_1, %U_2)
     : (memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #UNORDERED>
  %V_0_ = memref.get_global @V_0 : memref<4xi64>
  %V_0 = memref.cast %V_0_ : memref<4xi64> to memref<?xi64>
  %V_1_ = memref.get_global @V_1 : memref<4xi64>
  %V_1 = memref.cast %V_1_ : memref<4xi64> to memref<?xi64>
  %V_2_ = memref.get_global @V_2 : memref<4xf64>
  %V_2 = memref.cast %V_2_ : memref<4xf64> to memref<?xf64>
  %V = tin.assemble [%n3, %n10] (%V_0, %V_1, %V_2)
     : (memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #CSR>
  %N_0_ = memref.get_global @N_0 : memref<2xi64>
  %N_0 = memref.cast %N_0_ : memref<2xi64> to memref<?xi64>
  %N_1_ = memref.get_global @N_1 : memref<3xi64>
  %N_1 = memref.cast %N_1_ : memref<3xi64> to memref<?xi64>
  %N_2_ = memref.get_global @N_2 : memref<4xi64>
  %N_2 = memref.cast %N_2_ : memref<4xi64> to memref<?xi64>
  %N_3_ = memref.get_global @N_3 : memref<6xi64>
  %N_3 = memref.cast %N_3_ : memref<6xi64> to memref<?xi64>
  %N_4_ = memref.get_global @N_4 : memref<6xf64>
  %N_4 = memref.cast %N_4_ : memref<6xf64> to memref<?xf64>
  %N = tin.assemble [%n3, %n10] (%N_0, %N_1, %N_2, %N_3, %N_4)
     : (memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #BRANCHES>
  %M_0_ = memref.get_global @M_0 : memref<2xi64>
  %M_0 = memref.cast %M_0_ : memref<2xi64> to memref<?xi64>
  %M_1_ = memref.get_global @M_1 : memref<4xi64>
  %M_1 = memref.cast %M_1_ : memref<4xi64> to memref<?xi64>
  %M_2_ = memref.get_global @M_2 : memref<5xi64>
  %M_2 = memref.cast %M_2_ : memref<5xi64> to memref<?xi64>
  %M_3_ = memref.get_global @M_3 : memref<6xi64>
  %M_3 = memref.cast %M_3_ : memref<6xi64> to memref<?xi64>
  %M_4_ = memref.get_global @M_4 : memref<6xf64>
  %M_4 = memref.cast %M_4_ : memref<6xf64> to memref<?xf64>
  %M = tin.assemble [%n3, %n10] (%M_0, %M_1, %M_2, %M_3, %M_4)
     : (memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #ANYHOW>
  %K_0_ = memref.get_global @K_0 : memref<2xi64>
  %K_0 = memref.cast %K_0_ : memref<2xi64> to memref<?xi64>
  %K_1_ = memref.get_global @K_1 : memref<3xi64>
  %K_1 = memref.cast %K_1_ : memref<3xi64> to memref<?xi64>
  %K_2_ = memref.get_global @K_2 : memref<4xi64>
  %K_2 = memref.cast %K_2_ : memref<4xi64> to memref<?xi64>
  %K_3_ = memref.get_global @K_3 : memref<5xi64>
  %K_3 = memref.cast %K_3_ : memref<5xi64> to memref<?xi64>
  %K_4_ = memref.get_global @K_4 : memref<5xi64>
  %K_4 = memref.cast %K_4_ : memref<5xi64> to memref<?xi64>
  %K_5_ = memref.get_global @K_5 : memref<5xf64>
  %K_5 = memref.cast %K_5_ : memref<5xf64> to memref<?xf64>
  %K = tin.assemble [%n3, %n10, %n10] (%K_0, %K_1, %K_2, %K_3, %K_4, %K_5)
     : (memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?x?xf64, #CUBE>
  %L_0_ = memref.get_global @L_0 : memref<2xi64>
  %L_0 = memref.cast %L_0_ : memref<2xi64> to memref<?xi64>
  %L_1_ = memref.get_global @L_1 : memref<2xi64>
  %L_1 = memref.cast %L_1_ : memref<2xi64> to memref<?xi64>
  %L_2_ = memref.get_global @L_2 : memref<3xi64>
  %L_2 = memref.cast %L_2_ : memref<3xi64> to memref<?xi64>
  %L_3_ = memref.get_global @L_3 : memref<2xi64>
  %L_3 = memref.cast %L_3_ : memref<2xi64> to memref<?xi64>
  %L_4_ = memref.get_global @L_4 : memref<3xi64>
  %L_4 = memref.cast %L_4_ : memref<3xi64> to memref<?xi64>
  %L_5_ = memref.get_global @L_5 : memref<3xi64>
  %L_5 = memref.cast %L_5_ : memref<3xi64> to memref<?xi64>
  %L_6_ = memref.get_global @L_6 : memref<3xf64>
  %L_6 = memref.cast %L_6_ : memref<3xf64> to memref<?xf64>
  %L = tin.assemble [%n3, %n10, %n10] (%L_0, %L_1, %L_2, %L_3, %L_4, %L_5, %L_6)
     : (memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?x?xf64, #CSF>
  %D_0_ = memref.get_global @D_0 : memref<2xi64>
  %D_0 = memref.cast %D_0_ : memref<2xi64> to memref<?xi64>
  %D_1_ = memref.get_global @D_1 : memref<3xi64>
  %D_1 = memref.cast %D_1_ : memref<3xi64> to memref<?xi64>
  %D_2_ = memref.get_global @D_2 : memref<30xf64>
  %D_2 = memref.cast %D_2_ : memref<30xf64> to memref<?xf64>
  %D = tin.assemble [%n3, %n10] (%D_0, %D_1, %D_2)
     : (memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #ROWS>
  %r0 = tin.einsum "C(i,j) = U(i,j) + V(i,j)" (%U, %V)
     : (tensor<?x?xf64, #UNORDERED>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  tin.print %r0 : tensor<?x?xf64, #CSR>
  %r1 = tin.einsum "C(i,j) = U(i,j) * V(i,j)" (%U, %V)
     : (tensor<?x?xf64, #UNORDERED>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  tin.print %r1 : tensor<?x?xf64, #CSR>
  %r2 = tin.einsum "C(i,j) = N(i,j) + V(i,j)" (%N, %V)
     : (tensor<?x?xf64, #BRANCHES>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>
  tin.print %r2 : tensor<?x?xf64, #CSR>
  %r3 = tin.einsum "C(i,j) = N(i,j) * U(i,j)" (%N, %U)
     : (tensor<?x?xf64, #BRANCHES>, tensor<?x?xf64, #UNORDERED>) -> tensor<?x?xf64, #DCSR>
  tin.print %r3 : tensor<?x?xf64, #DCSR>
  %r4 = tin.einsum "C(i,j) = M(i,j) - U(i,j)" (%M, %U)
     : (tensor<?x?xf64, #ANYHOW>, tensor<?x?xf64, #UNORDERED>) -> tensor<?x?xf64, #DCSR>
  tin.print %r4 : tensor<?x?xf64, #DCSR>
  %r5 = tin.einsum "C(i,j,k) = K(i,j,k) + L(i,j,k)" (%K, %L)
     : (tensor<?x?x?xf64, #CUBE>, tensor<?x?x?xf64, #CSF>) -> tensor<?x?x?xf64, #CSF>
  tin.print %r5 : tensor<?x?x?xf64, #CSF>
  %r6 = tin.einsum "C(i,j,k) = K(i,j,k) * L(i,j,k)" (%K, %L)
     : (tensor<?x?x?xf64, #CUBE>, tensor<?x?x?xf64, #CSF>) -> tensor<?x?x?xf64, #CSF>
  tin.print %r6 : tensor<?x?x?xf64, #CSF>
  %r7 = tin.einsum "C(i,j) = D(i,j) * V(i,j)" (%D, %V)
     : (tensor<?x?xf64, #ROWS>, tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #DCSR>
  tin.print %r7 : tensor<?x?xf64, #DCSR>
  %r8 = tin.einsum "y(i) = abs(M(i,j) - U(i,j))" (%M, %U)
     : (tensor<?x?xf64, #ANYHOW>, tensor<?x?xf64, #UNORDERED>) -> tensor<?xf64>
  tin.print %r8 : tensor<?xf64>
  return
}
