// Conversions copy in one loop nest where one order of the loops does, scattering or recording if need be; and else by way
// of another format.
// RUN: sparse-opt %s --tin-lower-conversions | FileCheck %s

#CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
#CSR32 = #tin.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
#CSC = #tin.format<(i, j) -> (j : dense, i : compressed)>
#NARROW_CSC = #tin.format<(i, j) -> (j : dense, i : compressed), pos = 16, crd = 16>
#DCSR = #tin.format<(i, j) -> (i : compressed, j : compressed)>
#COO = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#COO10 = #tin.format<(i, j) -> (j : compressed(nonunique), i : singleton)>
#COO32 = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton), pos = 32, crd = 32>
#Repeated = #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))>
#DCSC = #tin.format<(i, j) -> (j : compressed, i : compressed)>
#AnyOrder = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))>
#AnyRepeated = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered))>
#AnyRows = #tin.format<(i, j, k) -> (i : compressed(unordered), j : compressed, k : compressed)>
#Rows = #tin.format<(i, j, k) -> (i : dense, j : compressed, k : compressed)>
#Unordered = #tin.format<(i, j) -> (i : dense, j : compressed(unordered))>
#CSF = #tin.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
#CSF201 = #tin.format<(i, j, k) -> (k : compressed, i : compressed, j : compressed)>

// CHECK-DAG: #[[CSR:[a-z_0-9]*]] = #tin.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-DAG: #[[CSC:[a-z_0-9]*]] = #tin.format<(i, j) -> (j : dense, i : compressed)>
// CHECK-DAG: #[[AS_IT_COMES:[a-z_0-9]*]] = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered))>
// CHECK-DAG: #[[REPEATED_COLUMNS:[a-z_0-9]*]] = #tin.format<(i, j) -> (j : compressed(nonunique), i : singleton(nonunique))>

// The entries are scattered.
// CHECK-LABEL: @transposed
// CHECK-SAME:  %[[A:.*]]: tensor<?x?xf64, #[[CSC]]>
// CHECK-NEXT:  tin.compute (d0, d1) %[[A]][d0, d1] -> [d0, d1] attributes {conversion} {
// CHECK:       } : (tensor<?x?xf64, #[[CSC]]>) -> tensor<?x?xf64, #[[CSR]]>
// CHECK-NEXT:  return
func.func @transposed(%A: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR> {
  %B = tin.convert %A : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSR>
  return %B : tensor<?x?xf64, #CSR>
}

// Where none takes them so, they are recorded, and appended in order afterwards.
// CHECK-LABEL: @compressed
// CHECK-SAME:  %[[A:.*]]: tensor<?x?xf64, #[[CSC]]>
// CHECK-NEXT:  tin.compute (d0, d1) %[[A]][d0, d1] -> [d0, d1] attributes {conversion, record} {
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @compressed(%A: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #DCSR> {
  %B = tin.convert %A : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #DCSR>
  return %B : tensor<?x?xf64, #DCSR>
}

// CHECK-LABEL: @agreeing
// CHECK:       tin.compute
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @agreeing(%A: tensor<?x?xf64, #DCSR>) -> tensor<?x?xf64, #CSR32> {
  %B = tin.convert %A : tensor<?x?xf64, #DCSR> to tensor<?x?xf64, #CSR32>
  return %B : tensor<?x?xf64, #CSR32>
}

// Any order goes into a dense tensor.
// CHECK-LABEL: @to_dense
// CHECK:       tin.compute
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @to_dense(%A: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64> {
  %B = tin.convert %A : tensor<?x?xf64, #CSC> to tensor<?x?xf64>
  return %B : tensor<?x?xf64>
}

// So are those of a list, sorted otherwise or not at all.
// CHECK-LABEL: @scattered_list
// CHECK-SAME:  %[[A:.*]]: tensor
// CHECK-NEXT:  tin.compute (d0, d1) %[[A]]
func.func @scattered_list(%A: tensor<?x?xf64, #COO32>) -> tensor<?x?xf64, #CSC> {
  %B = tin.convert %A : tensor<?x?xf64, #COO32> to tensor<?x?xf64, #CSC>
  return %B : tensor<?x?xf64, #CSC>
}

// CHECK-LABEL: @any_order
// CHECK-SAME:  %[[A:.*]]: tensor
// CHECK-NEXT:  tin.compute (d0, d1) %[[A]]
func.func @any_order(%A: tensor<?x?xf64, #AnyOrder>) -> tensor<?x?xf64, #Unordered> {
  %B = tin.convert %A : tensor<?x?xf64, #AnyOrder> to tensor<?x?xf64, #Unordered>
  return %B : tensor<?x?xf64, #Unordered>
}

// Where they have to stand in order they are ordered afterwards, under each parent by itself,
// CHECK-LABEL: @into_order
// CHECK-SAME:  %[[A:.*]]: tensor
// CHECK-NEXT:  tin.compute (d0, d1) %[[A]][d0, d1] -> [d0, d1] attributes {conversion, record}
func.func @into_order(%A: tensor<?x?xf64, #AnyOrder>) -> tensor<?x?xf64, #CSR> {
  %B = tin.convert %A : tensor<?x?xf64, #AnyOrder> to tensor<?x?xf64, #CSR>
  return %B : tensor<?x?xf64, #CSR>
}

// and combined where each has to be there once.
// CHECK-LABEL: @once
// CHECK-SAME:  %[[A:.*]]: tensor
// CHECK-NEXT:  tin.compute (d0, d1) %[[A]][d0, d1] -> [d0, d1] attributes {conversion, record}
func.func @once(%A: tensor<?x?xf64, #AnyRepeated>) -> tensor<?x?xf64, #Unordered> {
  %B = tin.convert %A : tensor<?x?xf64, #AnyRepeated> to tensor<?x?xf64, #Unordered>
  return %B : tensor<?x?xf64, #Unordered>
}

// So are those of several levels below dense ones,
// CHECK-LABEL: @rows_in_order
// CHECK-SAME:  %[[A:.*]]: tensor
// CHECK-NEXT:  tin.compute (d0, d1, d2) %[[A]][d0, d1, d2] -> [d0, d1, d2] attributes {conversion, record}
func.func @rows_in_order(%A: tensor<?x?x?xf64, #AnyRows>) -> tensor<?x?x?xf64, #Rows> {
  %B = tin.convert %A : tensor<?x?x?xf64, #AnyRows> to tensor<?x?x?xf64, #Rows>
  return %B : tensor<?x?x?xf64, #Rows>
}

// and those of all levels, of a list too.
// CHECK-LABEL: @list
// CHECK-SAME:  %[[A:.*]]: tensor
// CHECK-NEXT:  tin.compute (d0, d1) %[[A]][d0, d1] -> [d0, d1] attributes {conversion, record}
func.func @list(%A: tensor<?x?xf64, #COO32>) -> tensor<?x?xf64, #DCSC> {
  %B = tin.convert %A : tensor<?x?xf64, #COO32> to tensor<?x?xf64, #DCSC>
  return %B : tensor<?x?xf64, #DCSC>
}

// CHECK-LABEL: @list_to_list
// CHECK-NEXT:  tin.compute (d0, d1) %{{.*}} attributes {conversion, record}
func.func @list_to_list(%A: tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #COO10> {
  %B = tin.convert %A : tensor<?x?xf64, #COO> to tensor<?x?xf64, #COO10>
  return %B : tensor<?x?xf64, #COO10>
}

// Entries that repeat are added up as they are appended.
// CHECK-LABEL: @repeated
// CHECK-NEXT:  tin.compute (d0, d1) %{{.*}} attributes {conversion, record}
func.func @repeated(%A: tensor<?x?xf64, #Repeated>) -> tensor<?x?xf64, #DCSC> {
  %B = tin.convert %A : tensor<?x?xf64, #Repeated> to tensor<?x?xf64, #DCSC>
  return %B : tensor<?x?xf64, #DCSC>
}

// CHECK-LABEL: @unordered
// CHECK:       tin.compute (d0, d1) %{{.*}} attributes {conversion, record}
func.func @unordered(%A: tensor<?x?xf64, #Unordered>) -> tensor<?x?xf64, #CSR> {
  %B = tin.convert %A : tensor<?x?xf64, #Unordered> to tensor<?x?xf64, #CSR>
  return %B : tensor<?x?xf64, #CSR>
}

// CHECK-LABEL: @tensor
// CHECK-NEXT:  tin.compute (d0, d1, d2) %{{.*}} attributes {conversion, record}
func.func @tensor(%A: tensor<?x?x?xf64, #CSF>) -> tensor<?x?x?xf64, #CSF201> {
  %B = tin.convert %A : tensor<?x?x?xf64, #CSF> to tensor<?x?x?xf64, #CSF201>
  return %B : tensor<?x?x?xf64, #CSF201>
}

// CHECK-LABEL: @nothing
// CHECK-SAME:  %[[A:.*]]: tensor
// CHECK-NEXT:  return %[[A]]
func.func @nothing(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %B = tin.convert %A : tensor<?x?xf64, #CSR> to tensor<?x?xf64, #CSR>
  return %B : tensor<?x?xf64, #CSR>
}

// A file gives a list as it comes, which is recorded;
// CHECK-LABEL: @read
// CHECK-NEXT:  tin.read "a.mtx" : tensor<?x?xf64, #[[AS_IT_COMES]]>
// CHECK-NEXT:  tin.compute (d0, d1) %{{.*}} attributes {conversion, record}
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @read() -> tensor<?x?xf64, #CSC> {
  %A = tin.read "a.mtx" : tensor<?x?xf64, #CSC>
  return %A : tensor<?x?xf64, #CSC>
}

// in a list in the order of the levels, where they take none other.
// CHECK-LABEL: @read_in_order
// CHECK-NEXT:  tin.read "a.mtx" : tensor<?x?xf64, #[[AS_IT_COMES]]>
// CHECK-NEXT:  tin.compute (d0, d1) %{{.*}} attributes {conversion, record}
// CHECK:       } : {{.*}} -> tensor<?x?xf64, #[[REPEATED_COLUMNS]]>
// CHECK-NEXT:  tin.compute (d0, d1) %{{.*}} attributes {conversion} {
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @read_in_order() -> tensor<?x?xf64, #NARROW_CSC> {
  %A = tin.read "a.mtx" : tensor<?x?xf64, #NARROW_CSC>
  return %A : tensor<?x?xf64, #NARROW_CSC>
}

// Both sides of the copy have the fill.
// CHECK-LABEL: @filled
// CHECK:       tin.compute
// CHECK-SAME:  fills = [0x7FF0000000000000 : f64, 0x7FF0000000000000 : f64]
func.func @filled(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64> {
  %B = tin.convert %A {fill = 0x7FF0000000000000 : f64} : tensor<?x?xf64, #CSR> to tensor<?x?xf64>
  return %B : tensor<?x?xf64>
}

// Entries of one coordinate come apart, and are added each as it comes.
#ANY = #tin.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered))>
#DIA = #tin.format<(i, j) -> (j - i : compressed, i : range, j : offset)>

// CHECK-LABEL: @added
// CHECK:       tin.compute
// CHECK:         tin.reduce add %{{.*}} over ()
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @added(%A: tensor<?x?xf64, #ANY>) -> tensor<?x?xf64, #DIA> {
  %B = tin.convert %A : tensor<?x?xf64, #ANY> to tensor<?x?xf64, #DIA>
  return %B : tensor<?x?xf64, #DIA>
}

// Entries of blocks are scattered into rows; those of a list below dense levels are ordered by all of
// its coordinates.
#BCSR = #tin.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>
#CSB = #tin.format<(i, j) -> (j floordiv 4 : dense, i floordiv 4 : dense, i mod 4 : compressed(nonunique), j mod 4 : singleton)>
#BCOO = #tin.format<(i, j) -> (i floordiv 4 : compressed(nonunique), j floordiv 4 : singleton, i mod 4 : dense, j mod 4 : dense)>

// CHECK-LABEL: @blocks_to_rows
// CHECK-SAME:  %[[A:.*]]: tensor
// CHECK-NEXT:  tin.compute (d0, d1) %[[A]][d0, d1] -> [d0, d1] attributes {conversion, record}
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @blocks_to_rows(%A: tensor<?x?xf64, #BCSR>) -> tensor<?x?xf64, #CSR> {
  %B = tin.convert %A : tensor<?x?xf64, #BCSR> to tensor<?x?xf64, #CSR>
  return %B : tensor<?x?xf64, #CSR>
}

// CHECK-LABEL: @lists_in_blocks
// CHECK-SAME:  %[[A:.*]]: tensor
// CHECK-NEXT:  tin.compute (d0, d1) %[[A]][d0, d1] -> [d0, d1] attributes {conversion, record}
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @lists_in_blocks(%A: tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSB> {
  %B = tin.convert %A : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSB>
  return %B : tensor<?x?xf64, #CSB>
}

// Blocks find their place in a tree, and are listed from it; zeros are dropped on the way in.
// CHECK-LABEL: @listed_blocks
// CHECK-SAME:  %[[A:.*]]: tensor
// CHECK-NEXT:  %[[T:.*]] = tin.compute (d0, d1) %[[A]][d0, d1] -> [d0, d1] attributes {conversion, drop_zeros}
// CHECK:       } : {{.*}} -> tensor<?x?xf64, #compressed_compressed_dense_dense{{.*}}>
// CHECK-NEXT:  tin.compute (d0, d1) %[[T]][d0, d1] -> [d0, d1] attributes {conversion} {
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @listed_blocks(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #BCOO> {
  %B = tin.convert %A {drop_zeros} : tensor<?x?xf64, #CSR> to tensor<?x?xf64, #BCOO>
  return %B : tensor<?x?xf64, #BCOO>
}

// Blocks are taken apart so.
// CHECK-LABEL: @from_blocks
// CHECK-SAME:  %[[A:.*]]: tensor
// CHECK-NEXT:  tin.compute (d0, d1) %[[A]][d0, d1] -> [d0, d1] attributes {conversion, record}
// CHECK-NOT:   tin.compute
// CHECK:       return
func.func @from_blocks(%A: tensor<?x?xf64, #BCSR>) -> tensor<?x?xf64, #DCSR> {
  %B = tin.convert %A : tensor<?x?xf64, #BCSR> to tensor<?x?xf64, #DCSR>
  return %B : tensor<?x?xf64, #DCSR>
}

// CHECK-LABEL: @from_listed_blocks
// CHECK-NEXT:  tin.compute (d0, d1) %{{.*}} attributes {conversion, record}
func.func @from_listed_blocks(%A: tensor<?x?xf64, #BCOO>) -> tensor<?x?xf64, #DCSR> {
  %B = tin.convert %A : tensor<?x?xf64, #BCOO> to tensor<?x?xf64, #DCSR>
  return %B : tensor<?x?xf64, #DCSR>
}
