// Passes.td - every pass of Lacuna by its name on the command line, with its options.
//
// A pass is a C function, <name>_run in passes/<name>.c (or lower/), declared in bridge.h; Bridge.cpp
// joins it to what is said here.  Those that change statements and kernels run on any operation that
// holds some, in the pipelines on each function.  Passes over a module are those that make functions,
// or say something of all of them: cin-schedule and cin-parallelize, and from lower-sit on.

#ifndef LACUNA_PASSES
#define LACUNA_PASSES

include "mlir/Pass/PassBase.td"

//===-- tin: what is computed, and how each tensor is stored --------------------------------===//

def TinExpandEinsum : Pass<"tin-expand-einsum"> {
  let summary = "Expand tin.einsum text into tin.compute statements";
  let description = [{
    The reductions go where docs/language.md says: around each term of a sum that has a variable
    which the result does not have. A semiring gives the operators their meaning, and the tensors
    their fills.

    ```mlir
    %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x)
       : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
    ```
    becomes
    ```mlir
    %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] attributes {tensor_names = ["A", "x", "y"]} {
    ^bb0(%a: f64, %b: f64):
      %1 = arith.mulf %a, %b : f64
      %2 = tin.reduce add %1 over (j) : f64
      tin.yield %2 : f64
    } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
    ```
  }];
}

def TinExpandSymmetry : Pass<"tin-expand-symmetry"> {
  let summary = "Compute with both triangles of tensors that store one";
  let description = [{
    An operand whose format is `symmetric(i, j)` becomes two views of what it stores, with and without the
    diagonal, where it is a factor of a sum into a dense result. Elsewhere it is converted, and a remark
    says so. A result, or the target of a conversion, is computed whole; that its triangles are the same
    is checked when the program runs.

    ```mlir
    %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
    ^bb0(%0: f64, %1: f64):
      %2 = arith.mulf %0, %1 : f64
      %3 = tin.reduce add %2 over (j) : f64
      tin.yield %3 : f64
    } : (tensor<?x?xf64, #symmetric>, tensor<?xf64>) -> tensor<?xf64>
    ```
    becomes
    ```mlir
    %L = tin.view %A : tensor<?x?xf64, #symmetric> to tensor<?x?xf64, #CSR>
    %U = tin.view %A : tensor<?x?xf64, #symmetric> to tensor<?x?xf64, #strictly_lower_CSR>
    %t = tin.compute (i, j) %U[j, i], %x[j] -> [i] {
    ^bb0(%0: f64, %1: f64):
      %2 = arith.mulf %0, %1 : f64
      %3 = tin.reduce add %2 over (j) : f64
      tin.yield %3 : f64
    } : (tensor<?x?xf64, #strictly_lower_CSR>, tensor<?xf64>) -> tensor<?xf64>
    %y = tin.compute (i, j) %L[i, j], %x[j], %t[i] -> [i] {
    ^bb0(%0: f64, %1: f64, %2: f64):
      %3 = arith.mulf %0, %1 : f64
      %4 = tin.reduce add %3 over (j) : f64
      %5 = arith.addf %4, %2 : f64
      tin.yield %5 : f64
    } : (tensor<?x?xf64, #CSR>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    ```
  }];
}

def TinExpandConstants : Pass<"tin-expand-constants"> {
  let summary = "Give constant subscripts of results loops of one iteration";
  let description = [{
    A result is appended to as loops come to its coordinates. At a constant one, in a level that has no
    place for each coordinate, a variable of extent 1 is added to it, so that there is a loop:

    ```mlir
    %C = tin.compute (i, at_2) %x[i] -> [at_2, i] attributes {subscripts = {at_2 = affine_map<(d0, d1) -> (2)>}} {
    ^bb0(%0: f64):
      %1 = tin.reduce add %0 over () at (at_2) : f64
      tin.yield %1 : f64
    } : (tensor<?xf64>) -> tensor<?x?xf64, #DCSR>
    ```
    becomes
    ```mlir
    %C = tin.compute (i, at_2, once) %x[i] -> [at_2, i] attributes {extents = {once = 1 : i64}, subscripts = {at_2 = affine_map<(d0, d1, d2) -> (d2 + 2)>}} {
    ^bb0(%0: f64):
      %1 = tin.reduce add %0 over (once) at (at_2) : f64
      tin.yield %1 : f64
    } : (tensor<?xf64>) -> tensor<?x?xf64, #DCSR>
    ```
  }];
}

def TinFactorReductions : Pass<"tin-factor-reductions"> {
  let summary = "Take out of a sum what it does not go over";
  let description = [{
    A variable that some factors of a sum alone are of, all of them dense, is summed over in a sum of
    those, where the loops are estimated to take many times less: below, `k` is gone through for each
    entry of `A`, and no longer for each `l` besides. Where `k` goes over nothing, the rest is multiplied by
    zero. A statement with a schedule stays as it is written; so do, with `strict`, sums of floating-point
    numbers.

    ```mlir
    %Y = tin.compute (i, l, j, k) %A[i, j], %B[i, k], %C[j, k], %D[j, l] -> [i, l] {
    ^bb0(%0: f64, %1: f64, %2: f64, %3: f64):
      %4 = arith.mulf %0, %1 : f64
      %5 = arith.mulf %4, %2 : f64
      %6 = arith.mulf %5, %3 : f64
      %7 = tin.reduce add %6 over (j, k) : f64
      tin.yield %7 : f64
    } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    ```
    becomes
    ```mlir
    %Y = tin.compute (i, l, j, k) %A[i, j], %B[i, k], %C[j, k], %D[j, l] -> [i, l] {
    ^bb0(%0: f64, %1: f64, %2: f64, %3: f64):
      %4 = arith.mulf %1, %2 : f64
      %5 = tin.reduce add %4 over (k) {factored} : f64
      %6 = arith.mulf %5, %0 : f64
      %7 = arith.mulf %6, %3 : f64
      %8 = tin.reduce add %7 over (j) : f64
      tin.yield %8 : f64
    } : (tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    ```
  }];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Keep the program's order in floating-point sums">
  ];
}

def TinSplitTerms : Pass<"tin-split-terms"> {
  let summary = "Split statements into ones whose kernels can be made";
  let description = [{
    A nested reduction becomes a statement of its own, with a temporary, where no order of the loops
    around it agrees with the levels, where it would take several times as long inside them, or where
    an operand in blocks or diagonals is then read as it is stored. A remark says so. Below, `A` is stored by columns, so the loops must be `j`, `i`; but the difference
    needs the whole sum at each `i`:

    ```mlir
    %y = tin.compute (i, j) %b[i], %A[i, j], %x[j] -> [i] {
    ^bb0(%0: f64, %1: f64, %2: f64):
      %3 = arith.mulf %1, %2 : f64
      %4 = tin.reduce add %3 over (j) : f64
      %5 = arith.subf %0, %4 : f64
      tin.yield %5 : f64
    } : (tensor<?xf64>, tensor<?x?xf64, #CSC>, tensor<?xf64>) -> tensor<?xf64>
    ```
    becomes
    ```mlir
    %t = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
    ^bb0(%1: f64, %2: f64):
      %3 = arith.mulf %1, %2 : f64
      %4 = tin.reduce add %3 over (j) : f64
      tin.yield %4 : f64
    } : (tensor<?x?xf64, #CSC>, tensor<?xf64>) -> tensor<?xf64>
    %y = tin.compute (i) %b[i], %t[i] -> [i] {
    ^bb0(%0: f64, %4: f64):
      %5 = arith.subf %0, %4 : f64
      tin.yield %5 : f64
    } : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    ```
  }];
}

def TinConvertRemapped : Pass<"tin-convert-remapped"> {
  let summary = "Convert operands in blocks and diagonals where loops cannot go through them";
  let description = [{
    Loops go through the expressions that the levels of one operand hold, and what others hold of further
    variables, where every operand can then be located or walked along. Elsewhere such an operand is converted to a coordinate list before the
    statement, and such a result is computed as one and converted after it. Each conversion is a remark.

    ```mlir
    // A and B by rows, C in blocks
    %A = tin.compute (i, j) %B[i, j], %C[i, j] -> [i, j] { ... }
       : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #BCSR>) -> tensor<?x?xf64, #CSR>
    ```
    becomes
    ```mlir
    %0 = tin.convert %C : tensor<?x?xf64, #BCSR> to tensor<?x?xf64, #COO>
    %A = tin.compute (i, j) %B[i, j], %0[i, j] -> [i, j] { ... }
       : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #CSR>
    ```
  }];
}

def TinInsertConversions : Pass<"tin-insert-conversions"> {
  let summary = "Choose the loop order where storage contradicts every one, and convert what must be in order";
  let description = [{
    Loops visit a level that cannot be located in, or that is appended to, below the levels above it.
    Where these orders form a cycle, the order is chosen for which the loops and the conversions that it
    takes have the lowest estimated cost, and the statement says it: `cin-insert-conversions` converts what
    then contradicts it. An order that needs no conversion is given up only for one that is many times
    cheaper; where it is said what operands hold (`tin.holds`), for one that is half again as cheap. Loops through all
    operands as they are stored, whatever comes of the result, as of outer products, are taken where an operand
    would have to be sorted otherwise, or, where more is said, if they and the recording of what they come to cost less.

    What comes to compound subscripts of a result, `R(i - j + 9) = A(j, i) * B(i, j)`, is a statement of
    its own, with a temporary over `i` and `j`, where no loops through these subscripts agree with the levels.

    ```mlir
    // A(i,j) = B(i,j) + C(i,j), A and B by rows, C by columns
    %A = tin.compute (i, j) %B[i, j], %C[i, j] -> [i, j] { ... }
       : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR>
    ```
    becomes
    ```mlir
    %A = tin.compute (i, j) %B[i, j], %C[i, j] -> [i, j] attributes {order = ["i", "j"]} { ... }
       : (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSR>
    ```

    An operand that must be in order, and agrees with the loops otherwise, goes through scratch arrays as it
    is visited (`sparsify`); it is converted, before the statement, only where that is cheaper. Before that,
    an operand with a subscript that is more than a variable, on a level in no order that would be looked
    through again and again, is brought in order; an ordered one is searched as it is. A result whose
    subscripts share variables, `R(i+j,i-j+9)`, so that no loops go through its levels in order, is computed in
    one that takes coordinates as they come, and converted. Each conversion is a remark.
  }];
}

def TinHoistConversions : Pass<"tin-hoist-conversions"> {
  let summary = "Convert before a loop what the loop would convert again and again";
  let description = [{
    A `tin.convert` in the body of an `scf.for` or `scf.while`, written there or inserted, goes out of
    every loop around it in which its operand is not made:

    ```mlir
    %y = scf.for %k = %a to %b step %c iter_args(%x = %x0) -> (tensor<?xf64>) {
      %B = tin.convert %A : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSR>
      ... %B, %x ...
    }
    ```
    becomes
    ```mlir
    %B = tin.convert %A : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSR>
    %y = scf.for %k = %a to %b step %c iter_args(%x = %x0) -> (tensor<?xf64>) {
      ... %B, %x ...
    }
    ```

    One in a branch stays. So do those of a loop that may write memory: a tensor's arrays may be what
    `tin.assemble` took, or `tin.disassemble` gave.
  }];
}

def TinLowerConversions : Pass<"tin-lower-conversions"> {
  let summary = "Lower tin.convert to statements that copy what levels hold";
  let description = [{
    A `tin.convert` becomes a statement that copies, where one order of the loops agrees with both
    formats: the levels of the result are appended to, or scattered into (`sparsify`). Else the
    entries are recorded in any order, and sorted before they are appended: in the result, or in a coordinate list
    that it is copied from:

    ```mlir
    %B = tin.convert %A : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #DCSR>
    ```
    becomes
    ```mlir
    %B = tin.compute (d0, d1) %A[d0, d1] -> [d0, d1] attributes {record} { ... }
       : (tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #DCSR>
    ```
    Entries of one coordinate are added up where they are recorded, and by the last copy. A
    `tin.read` of another type becomes one of a list of entries as the file has them, converted.
  }];
}

def TinToCin : Pass<"tin-to-cin"> {
  let summary = "Order the index variables of each statement and make its loops";
  let description = [{
    The order of the loops is the statement's `order`. Where it says none, the order agrees with the levels
    of all operands and of the result; among such orders the one with the lowest estimated cost is taken. A
    nested reduction becomes the producer of a scalar workspace. A statement for which there is no order is
    an error: `tin-insert-conversions` comes before.

    ```mlir
    %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
    ^bb0(%a: f64, %b: f64):
      %1 = arith.mulf %a, %b : f64
      %2 = tin.reduce add %1 over (j) : f64
      tin.yield %2 : f64
    } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
    ```
    becomes
    ```mlir
    %y = cin.kernel(%arg0, %arg1) {
    ^bb0(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64>):
      %i = cin.index "i"
      %j = cin.index "j"
      cin.forall %i {
        cin.forall %j {
          %1 = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
          %2 = cin.read %x[%j] : tensor<?xf64>
          %3 = arith.mulf %1, %2 : f64
          cin.assign %y[%i] add %3 : tensor<?xf64>
        }
      }
    } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
    ```
  }];
}

//===-- cin: in what order, with which temporaries, on which hardware -----------------------===//

def CinSchedule : Pass<"cin-schedule", "::mlir::ModuleOp"> {
  let summary = "Apply a schedule given as text";
  let description = [{
    docs/schedules.md describes the commands. Those of a statement's own attribute `schedule` come before
    those that are for all. A command applies to each kernel that has all the
    variables that it names; one that no kernel has is an error. Loops that `reorder` names are marked
    `fixed`: they keep their order among each other. What is stored in another order is converted
    afterwards (`cin-insert-conversions`).

    With `schedule="split(i,i0,i1,32)"`
    ```mlir
    cin.forall %i {
      cin.forall %j { ... }
    }
    ```
    becomes
    ```mlir
    %i0, %i1 = cin.split %i by 32("i0", "i1")
    cin.forall %i0 {
      cin.forall %i1 {
        cin.forall %j { ... }
      }
    }
    ```
    With `deterministic`, where threads would add up floats by atomics, in any order, they reduce into copies
    (`temporary`), or the loop is serial where there can be none, which a remark says.

    With `proposals=cpu` and no other schedule, a kernel's `proposal` is applied: commands that `tin-to-cin` has
    estimated to be worth it, as to expand an operand into an array, or to copy one that is stored along another
    dimension than loops go (`precompute`). With `proposals=gpu` it is its
    `gpu_proposal`, as to deal out entries rather than rows (`pos`). Where they cannot be applied the loops stay
    as they are.

    On a command line a schedule with spaces in it is quoted once more:
    `--cin-schedule='schedule="split(i,i0,i1,32) parallelize(i0,cpu_thread,no_races)"'`.
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"\"\"",
           "Commands such as 'split(i,i0,i1,32) reorder(i0,j,i1)', applied in their order">,
    Option<"deterministic", "deterministic", "bool", /*default=*/"false",
           "What threads reduce comes to the same bits, however many they are">,
    Option<"proposals", "proposals", "std::string", /*default=*/"\"\"",
           "Apply what was estimated to be worth it on a 'cpu' or a 'gpu', where no other schedule is">
  ];
}

def CinInsertConversions : Pass<"cin-insert-conversions"> {
  let summary = "Convert operands whose storage contradicts the order of the loops, and results that it cannot build";
  let description = [{
    The order stands: the compiler chose it, or a schedule says it. An operand with levels that would have to
    be walked before the ones above them is converted before the kernel. Each conversion is a remark, which
    says what to write to avoid it.

    ```mlir
    %A = cin.kernel(%B, %C) {                // C by columns
      cin.forall %i { cin.forall %j { ... cin.assign %A[%i, %j] = %s } }
    ```
    becomes
    ```mlir
    %0 = tin.convert %C : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSR>
    %A = cin.kernel(%B, %0) {
      cin.forall %i { cin.forall %j { ... cin.assign %A[%i, %j] = %s } }
    ```

    Where `tin.holds` says that an operand has as many entries as its first dimension has coordinates or more, it gets
    a place for each of these then, `(i : dense, j : compressed)` for `(j : compressed, i : compressed)`: entries are
    counted and put there, and need not be sorted. An operand that contradicts nothing is converted so where its
    first level is a list in which coordinates are looked up again and again:

    ```mlir
    cin.forall %i { cin.forall %k { cin.forall %j {    // C of 7,000 entries in 800 rows, k : compressed
      %c = cin.read %C[%k, %j]
    ```

    And where coordinates of an ordered operand are located in a table that, as a list in order, would be searched for
    among them, or mark its places once for all rows, in less time, the sorting included:

    ```mlir
    cin.forall %i { cin.forall %j {                    // rows of A of 10,000 entries, x of 1,000, j : hashed
      ... cin.read %A[%i, %j] ... cin.read %x[%j]
    ```

    A result that no way of assembly builds in this order is computed with its levels in the order of the
    loops, and converted after the kernel. Where that does not help, since a sum goes on outside of its
    entries as in outer products, they are recorded as they come (`by record`), or where its levels cannot
    be recorded, listed; and ordered and added up afterwards.

    ```mlir
    %A = cin.kernel(%B, %C) {                // A by rows
      cin.forall %k { cin.forall %i { cin.forall %l { ... cin.assign %A[%i, %l] add %p } } }
    ```
    becomes
    ```mlir
    %A = cin.kernel(%B, %C) by record {
      cin.forall %k { cin.forall %i { cin.forall %l { ... cin.assign %A[%i, %l] = %p } } }
    ```

    Where a policy is said for all workspaces, or follows from what operands are said to hold (`tin.holds`:
    docs/workspaces.md), and for reductions other than sums, they are left to be gathered in a workspace
    (`cin-insert-workspaces`).
  }];
  let options = [
    Option<"policies", "policies", "std::string", /*default=*/"\"\"",
           "Policies of workspaces: hash for all, w:hash for one, in commas; bucket:size=64 with an option">,
    Option<"bytes", "bytes", "int64_t", /*default=*/"0",
           "Of memory for entries that are recorded; 0: enough">
  ];
}

def CinVectorize : Pass<"cin-vectorize"> {
  let summary = "Run foralls on vector lanes, around the reductions that they stand in and that stand in them";
  let description = [{
    Where the innermost forall that is no reduction stands directly in reductions, or they in it, and
    every access that uses its variable does so in a level with consecutive positions, it moves around
    them and runs on lanes. What is accumulated then stays in registers, and the walk of a reduction is
    shared by many coordinates. So do subscripts that grow by one with it, as `A[%i + %k, %j + %l]` with `j`: the
    places of a window lie side by side, and those of the next lane one further on. Those that grow by two to four, or
    fall, as `A[2 * %i + %k]`, are shuffled out of vectors that cover all that is between. A loop inside that goes not as
    far in all lanes goes as far as any of them does, the others left out: one that is clipped to where a padded access
    `A[pad](%i + %k - 1)` is in range, or that walks a level at the same place for all, as the diagonals `j - i` that rows `i`
    have, `(i, j) -> (j - i : compressed, i : range, j : offset)`.
    The loop on lanes stays inside of loops that tell the place in the result, as of an entry `X[%i + %k]` that adds to
    `Y[%i]`. An operand may be a sorted list, of which the entries of one coordinate are a row, but no one that has entries
    several times. No sum changes its order. Loops that are on threads or unrolled stay as they
    are, and so does the order of those that are `fixed`.

```mlir
    cin.forall %i {
      cin.forall %j {
        cin.forall %k {
          ...
          cin.assign %C[%i, %k] add %p : tensor<?x?xf64>
    ```
    becomes
    ```mlir
    cin.forall %i {
      cin.forall %k on cpu_vector no_races {
        cin.forall %j {
          ...
          cin.assign %C[%i, %k] add %p : tensor<?x?xf64>
    ```

    A level with consecutive positions may have levels below it that hold one coordinate at most under
    each, as the slots of ELL do: those of consecutive rows lie side by side. They are loaded as a
    vector, lanes that have none are left out, and what other operands hold at these coordinates is
    gathered. With `A` in slots of slices, `(i, j) -> (i floordiv 8 : dense, #i : sliced, i mod 8 : dense,
    j : padded)`,

    ```mlir
    cin.forall %i_block {
      cin.forall %i_slot {
        cin.forall %i_in {
          cin.forall %j {
            ...
            cin.assign %y[%i] add %p : tensor<?xf64>
    ```
    becomes
    ```mlir
    cin.forall %i_block {
      cin.forall %i_in on cpu_vector no_races {
        cin.forall %i_slot {
          cin.forall %j {
            ...
            cin.assign %y[%i] add %p : tensor<?xf64>
    ```

    With `gathers=false` accesses at a coordinate of each lane stay as they are, one after the other: where
    vectors have less than 256 bits, as the pipelines do it.
  }];
  let options = [
    Option<"gathers", "gathers", "bool", /*default=*/"true",
           "Run on lanes what is gathered there">
  ];
}

def CinSinkReductions : Pass<"cin-sink-reductions"> {
  let summary = "Move reductions inside of loops over dense coordinates";
  let description = [{
    For a GPU, whose threads have neighbouring coordinates: what each of them reduces into is then a value of its own
    until it is complete, and what is walked is walked by all of them at once. Loops that a schedule has put in order,
    on threads or unrolled stay as they are; so do those inside of which the result stores coordinates, which it would
    otherwise have for what is walked of nothing.

    ```mlir
    cin.forall %j {
      cin.forall %k {
        cin.assign %C[%i, %k] add %p : tensor<?x?xf64>
    ```
    becomes
    ```mlir
    cin.forall %k {
      cin.forall %j {
        cin.assign %C[%i, %k] add %p : tensor<?x?xf64>
    ```
  }];
}

def CinTile : Pass<"cin-tile"> {
  let summary = "Visit in tiles what an outer reduction goes over again and again";
  let description = [{
    Where a reduction stands directly around a forall over levels that are all full, so that each of its iterations
    reads and writes the same pieces of arrays from beginning to end, that forall is split, and its outer part moves
    around the reductions: the pieces stay in the cache, and those of a result that is dense begin there
    (`sparsify`). No sum changes its order. Loops that are on threads, split or unrolled stay as they are, and so
    does the order of those that are `fixed`.

    ```mlir
    %d = cin.remap(%j, %i) by affine_map<(j, i) -> (j - i)>("d")
    cin.forall %d {
      cin.forall %i {
        ...
        cin.assign %y[%i] add %p : tensor<?xf64>
    ```
    becomes
    ```mlir
    %i_tile, %i_of_tile = cin.split %i by 1024("i_tile", "i_of_tile")
    cin.forall %i_tile {
      cin.forall %d {
        cin.forall %i_of_tile {
          ...
          cin.assign %y[%i] add %p : tensor<?xf64>
    ```

    So are the entries of a vector visited that each add to a few places of the result, beside those of the last one, as `y(i) = x(i+k) * w(k)` does in loops
    over `i_plus_k` and `k`: of the result there are tiles then, each of which leaves a window of `i_plus_k`, and the inner loop is one over the tile.

    A tile of a vector that is in no cache would be read from memory, only to be set to zero, and written there again. Where the
    size of the result is told to be as large (by its type, or `tin.holds`), and a tile is small, it is added up in a workspace instead, which stays in the cache, and from
    there goes to the result at once, past the caches (`sit-choose-strategies`):

    ```mlir
    cin.forall %i_tile {
      cin.where {
        cin.forall %i_of_tile on cpu_vector no_races {
          %1 = cin.read %t[%i_of_tile] : tensor<?xf64>
          cin.assign %y[%i] = %1 : tensor<4999998xf64>
        }
      } producing %t {
        cin.forall %i_plus_k {
          cin.forall %i_of_tile {
            ...
            cin.assign %t[%i_of_tile] add %p : tensor<?xf64>
    ```
  }];
  let options = [Option<"cache", "cache", "int64_t", /*default=*/"24576",
                        "Bytes that a tile may touch, half of a first-level cache; 0 makes no tiles">,
                 Option<"beyond", "beyond", "int64_t", /*default=*/"16777216",
                        "Bytes from which a result is taken to be in no cache">];
}

def CinInsertWorkspaces : Pass<"cin-insert-workspaces"> {
  let summary = "Insert workspaces where a sparse result cannot be appended in loop order";
  let description = [{
    Three kinds. A reduction in the innermost loops goes to a scalar:

    ```mlir
    cin.forall %i {
      cin.forall %j {
        ...
        cin.assign %y[%i] add %3 : tensor<?xf64>
      }
    }
    ```
    becomes
    ```mlir
    %t = cin.workspace() : tensor<f64>
    cin.forall %i {
      cin.where {
        %1 = cin.read %t[] : tensor<f64>
        cin.assign %y[%i] = %1 : tensor<?xf64>
      } producing %t {
        cin.forall %j {
          ...
          cin.assign %t[] add %3 : tensor<f64>
        }
      } : tensor<f64>
    }
    ```
    And a row of a sparse result that is scattered into (`A(i,k) = B(i,j) * C(j,k)` by rows: once for
    each `j`), or whose entries come in strides, is built in a workspace of order one, and appended
    when it is complete:
    ```mlir
    %w = cin.workspace(%k) : tensor<?xf64, #accumulator>
    cin.forall %i {
      cin.where {
        cin.forall %k {
          %1 = cin.read %w[%k] : tensor<?xf64, #accumulator>
          cin.assign %A[%i, %k] = %1 : tensor<?x?xf64, #CSR>
        }
      } producing %w {
        cin.forall %j {
          cin.forall %k {
            ...
            cin.assign %w[%k] add %3 : tensor<?xf64, #accumulator>
          }
        }
      } : tensor<?xf64, #accumulator>
    }
    ```
    What a reduction adds up for each of the few places of a block is kept in registers, up to 16 of
    them (`y(i) = A(i,j) * x(j)`, `A` in blocks of three rows):
    ```mlir
    %w = cin.workspace(%i_in) : tensor<3xf64>
    cin.forall %i_block {
      cin.where {
        cin.forall %i_in {
          %1 = cin.read %w[%i_in] : tensor<3xf64>
          cin.assign %y[%i] = %1 : tensor<?xf64>
        }
      } producing %w {
        cin.forall %j_block {
          cin.forall %i_in {
            ...
            cin.assign %w[%i_in] add %3 : tensor<3xf64>
          }
        }
      } : tensor<3xf64>
    }
    ```

    The sums over a block are added up by themselves first; with `strict` each term is added in turn.

    What a workspace of a row keeps entries in is its policy, a level format (Zhang et al. 2024, section 5):
    `dense` (`accumulator`: an array as long as the dimension, and a list), `hash` (`hash_accumulator`: a table
    of what is there), `map` (`map_accumulator`: a list in order), `bucket` (`bucket_accumulator`: lists of
    ranges of keys), or that of a library. `policies` says which, for all (`hash`) or by name (`w:hash`, of a workspace
    that a schedule names), with options (`bucket:size=64,buckets=4`), which are arguments of the format. Else it is dense; but hash along variables that have
    far more coordinates than operands are said to hold entries (`tin.holds`), and those known to have 2^28 or more;
    and vector, or hash, along those that have more than the whole kernel has steps, many times over.

    A remark says why entries are gathered: which sum goes on outside of them, or which loop comes to them in
    strides; along how many dimensions they are scattered (its order), and whether the loops over these
    stand in the order in which the result stores them (concordant; Zhang et al. 2024, sections 2.2 and 6.2):
    `gathered the entries of 'A' along 'j' in a workspace, since the sum over 'k' goes on outside of them:
    scattering of order 1, concordant`. The pipelines leave it to `--explain`.
  }];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Keep the program's order in floating-point sums">,
    Option<"policies", "policies", "std::string", /*default=*/"\"\"",
           "Policies of workspaces: hash for all, w:hash for one, in commas; bucket:size=64 with an option">,
    Option<"bytes", "bytes", "int64_t", /*default=*/"0",
           "Of memory for entries that are recorded; 0: enough">,
    Option<"remarks", "remarks", "bool", /*default=*/"true",
           "Say in a remark why entries of a result are gathered">
  ];
}

def CinChooseAssembly : Pass<"cin-choose-assembly"> {
  let summary = "Decide how the result of each kernel is built";
  let description = [{
    From the formats, the order of the loops and the statement, once: later passes read it. A result all of
    whose levels insert is inserted into. Else those that do not are appended to, if the loops go in their
    order; else the outermost of them is scattered into, where it can be: the loops are made twice, to
    count the entries of each parent and to place them (Chou et al. 2020). Where all levels insert or can be
    collected, the loops may go in any order: each level that is collected is counted in a walk of its
    own. Nothing is appended in order where what is walked comes in none, if there is another way.

    With `A` by rows
    ```mlir
    %A = cin.kernel(%B) {
      ...
      cin.forall %i { cin.forall %j { ... cin.assign %A[%i, %j] = %1 ... } }
    %A = cin.kernel(%B) {
      ...
      cin.forall %j { cin.forall %i { ... cin.assign %A[%i, %j] = %1 ... } }
    ```
    become
    ```mlir
    %A = cin.kernel(%B) by append {
      ...
    %A = cin.kernel(%B) by scatter {
      ...
    ```
    A kernel that says already how its result is built keeps that, if its loops go by it; `by record` comes
    from the `record` of a `tin.compute`. Where the loops go by no way, that is an error.

    A result that has the entries of an operand one for one, in levels stored alike, gets copies of these levels;
    its values go where the operand has its own, in any order, on any unit (`by copy`).
  }];
}

def CinParallelize : Pass<"cin-parallelize", "::mlir::ModuleOp"> {
  let summary = "Run outer loops in parallel where that is safe without being told";
  let description = [{
    The outermost loop of a kernel is marked, where its iterations write to different places; or where
    they append to the result, it goes over the coordinates of the result's first level, and all of its levels
    can be joined from pieces; or where they are counted and then placed, or recorded, each range of iterations with counts of
    its own; or where they reduce into one scalar, or into a dense result, of which each thread has a copy where that saves more than it costs
    (`temporary`; neither with `strict`, but for integers). A loop that adds to windows of a dense result (`i_plus_p`, of y(i) = x(i+p) * w(p)), or
    one of a single iteration around such a loop, is not marked: the result is cut into pieces, four for each thread, of one of its variables, which has a
    loop in the place of another one of the window, and the loop over pieces is the outermost one. So is the outermost loop that alone fills
    a workspace kept by a policy (`temporary`: each thread has one of its own), and the one that goes through it. What merges, or
    repeats coordinates, is in order. Where it reduces, and all there is in it is a loop that does not, both of full levels (the columns of a grid of
    blocks, and its rows), they change places first. One on the lanes of vectors is split into blocks of
    512, which are dealt out, and stays on lanes in them. A kernel that a schedule has parallelized
    already is left as it is, but for what goes through a workspace that threads fill. Where threads are asked for and no loop runs on them, a remark says why.

    ```mlir
    cin.forall %i { ... cin.assign %y[%i] = %1 ... }
    ```
    becomes
    ```mlir
    cin.forall %i on cpu_thread no_races { ... cin.assign %y[%i] = %1 ... }
    ```
    and
    ```mlir
    cin.forall %i_plus_p { cin.forall %p { ... cin.assign %y[%i] add %1 ... } }
    ```
    becomes
    ```mlir
    %i_piece, %i_of_piece = cin.split %i up by 8("i_piece", "i_of_piece")
    cin.forall %i_piece on cpu_thread no_races {
      cin.forall %i_plus_p { cin.forall %i_of_piece { ... cin.assign %y[%i] add %1 ... } }
    }
    ```

    With `gpu` the outermost loop is dealt out to warps of a GPU and the innermost ones in it to their threads,
    where they write to different places or reduce into one value; without such to threads alone. What is
    reduced into the result is so by atomics. Results that grow stay on the CPU; a remark says so.

    ```mlir
    cin.forall %i on gpu_warp no_races { ... cin.forall %j on gpu_thread parallel_reduction { ... } ... }
    ```
  }];
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"0",
           "Number of threads; 1 leaves the loops serial, 0 takes what OpenMP gives">,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Keep the order of the program in floating-point sums">,
    Option<"gpu", "gpu", "bool", /*default=*/"false", "Loops run on units of a GPU, not on threads">,
    Option<"deterministic", "deterministic", "bool", /*default=*/"false",
           "No sums by atomics, which come to other bits each time">,
    Option<"remarks", "remarks", "bool", /*default=*/"true",
           "Say in a remark why a kernel runs on the CPU, not on a GPU">
  ];
}

def CinUnroll : Pass<"cin-unroll"> {
  let summary = "Unroll loops over the few coordinates of a window";
  let description = [{
    A loop that only counts, through a window that others leave it, is unrolled as often as that has coordinates, where the type or
    `tin.holds` tells that these are few: the taps of a filter in a loop inside of the nonzeros, or, instead of them, the places of the result that a
    nonzero is part of (`window`, as it is not all that the variable goes through). `sparsify` then writes them one after another where the window is
    not cut off. So are such loops around it, up to 16 assignments in all. Loops that a schedule has given strategies to,
    or unrolled otherwise, stay as they are.

    ```mlir
    cin.forall %j_plus_l {
      cin.forall %l {
        cin.assign %Y[%i, %j] add %p : tensor<?x?xf64>
    ```
    becomes
    ```mlir
    cin.forall %j_plus_l {
      cin.forall %l unroll 3 {
        cin.assign %Y[%i, %j] add %p : tensor<?x?xf64>
    ```
  }];
}

//===-- sit: how stored coordinates are walked, merged and built ----------------------------===//

def PrintDot : Pass<"print-dot"> {
  let summary = "Print the graphs that passes reason about, for Graphviz";
  let description = [{
    Of whatever stands in a function, to standard error, each a `digraph` with a title: the iteration
    graphs of `tin.compute`s, the provenance graphs of `cin.kernel`s, the merge lattices of
    `sit.coiterate`s. Nothing changes. `sparse-run --emit dot` prints those of all rungs.
  }];
}

def Sparsify : Pass<"sparsify"> {
  let summary = "Lower loops over index variables to iteration over merge lattices";
  let description = [{
    Each `cin.forall` becomes a `sit.coiterate` over the levels that its variable walks, with a case for
    each point of the merge lattice, which follows from what annihilates each operator and what is
    its identity. Levels that can locate are located in and not walked, where the others tell all
    coordinates that matter. Expressions are simplified in each case by what is absent there.
    Shape checks come first.

    The result is built as the kernel says (`cin-choose-assembly`). Where its entries are placed once they
    are counted, the loops are made twice or more, to count the entries of each parent (`sit.count`) and to
    place them (`sit.place`).

    The values of an array that is added up begin in parts, each right before what is added to it, where the loops
    around go through coordinates of the result and nothing else: a row at a time of `Y(i,j) = X(i+k,j+l) * W(k,l)` in
    the order `i, k, j+l, l`, a tile at a time where `cin-tile` or a schedule made tiles.

    A sum to which nothing may come has a variable that tells whether anything has, and is stored as an
    entry of its own only where that is set.

    ```mlir
    cin.forall %i {
      cin.forall %j {
        %1 = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
        %2 = cin.read %x[%j] : tensor<?xf64>
        %3 = arith.mulf %1, %2 : f64
        cin.assign %y[%i] add %3 : tensor<?xf64>
      }
    }
    ```
    becomes
    ```mlir
    %1 = sit.extent %A[0] : tensor<?x?xf64, #CSR>
    %2 = sit.extent %A[1] : tensor<?x?xf64, #CSR>
    %3 = sit.extent %x[0] : tensor<?xf64>
    sit.match "j" %2, %3
    sit.result %y[%1] by insert : tensor<?xf64>
    sit.coiterate over %1 {
    case () as (%i) {
      %pA0 = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
      %py0 = sit.insert %y level 0 at %i : tensor<?xf64>
      sit.coiterate %A level 1 under %pA0 : tensor<?x?xf64, #CSR> {
      case (0) as (%j, %pA1) {
        %px0 = sit.locate %x level 0 at %j : tensor<?xf64>
        %4 = sit.value %A at %pA1 : tensor<?x?xf64, #CSR> -> f64
        %5 = sit.value %x at %px0 : tensor<?xf64> -> f64
        %6 = arith.mulf %4, %5 : f64
        sit.accumulate add %6 to %y at %py0 : f64, tensor<?xf64>
      }
      }
    }
    }
    sit.finish %y : tensor<?xf64>
    ```
  }];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Keep the program's order in floating-point sums">
  ];
}

def SitChooseStrategies : Pass<"sit-choose-strategies"> {
  let summary = "Choose what a CPU does with the loops of each walk";
  let description = [{
    What makes loops fast on a CPU and would be right without stands on each `sit.coiterate`, so that it can be seen,
    said otherwise (a walk that has `strategies {...}` keeps them, also none), and left off: for another
    target this pass does not run.

    | strategy | the loops |
    | --- | --- |
    | `flat` | over all coordinates of full levels, which nobody asks for, take what is stored below them as one row |
    | `lanes = 8` | take so many entries of a walk that only reduces at once, as the lanes of a vector |
    | `fours = 262144` | that run on lanes take entries by fours without a mask, and one by one what is left: where gathers are slow; where the level has no more than so many, by a load for each instead of a gather, as what there is fits the caches; beyond, 32-bit elements stay under the mask |
    | `jam = 4` | over coordinates take so many iterations at once through the loops inside, where these are the same for all, those with the same bounds of one that is clipped: what is read there for all is read once |
    | `write_out` | over a few coordinates, a constant, are written one after another |
    | `look_up` | of an intersection with a segment that a loop around comes to again look up each entry in a table of that |
    | `blocks` | of an intersection of two levels compare blocks of their coordinates |
    | `select` | do all cases of a merge at once, and select among their results |
    | `search` | go on by searching in levels that are much longer than those that they meet |
    | `reserve` | have room made before them for what they append to the result |
    | `cursor` | seek where their window begins from where it began in the last iteration of the loop around |
    | `cursors = 64` | over rows seek where the window of each begins from where it began in the last iteration of a loop further out, for so many rows |
    | `read_ahead = 16` | prefetch what is needed so many entries later |
    | `static` | on threads give each its share, all of one size, before they begin: where all iterations do the same |
    | `dynamic = 16` | on threads hand out so many iterations at a time (only where a schedule says so) |
    | `long_rows = 32768` | on threads share rows of so many entries, and at least a 64th of all, among all threads, which sum up chunks of them |
    | `stream` | on lanes store whole lines of a result past the caches, where it is larger than they are and its memory has been used before |

    ```mlir
    sit.coiterate %B level 1 under %pB0, %C level 1 under %pC0 named "j" : ... {
    case (0, 1) as (%j, %pB1, %pC1) {
    ```
    becomes
    ```mlir
    sit.coiterate %B level 1 under %pB0, %C level 1 under %pC0 named "j" strategies {blocks, search} : ... {
    case (0, 1) as (%j, %pB1, %pC1) {
    ```
    Lowering does as is said where the walk allows it. `lanes` are those of a vector, and none with less than
    256 bits, which have no loads under a mask; with `strict` sums of floating-point numbers take none.
    With `gathers=false` nothing is on lanes that is located at a coordinate of each.
  }];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Keep the program's order in floating-point sums">,
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512",
           "Bits of a vector of the machine">,
    Option<"gathers", "gathers", "bool", /*default=*/"true",
           "Run on lanes what is gathered there">,
    Option<"slowGathers", "slow-gathers", "bool", /*default=*/"false",
           "The processor gathers no faster than it loads one by one">,
    Option<"off", "off", "std::string", /*default=*/"\"\"",
           "Strategies to leave off, such as 'search select'">
  ];
}

def LowerSit : Pass<"lower-sit", "::mlir::ModuleOp"> {
  let summary = "Lower sparse iteration to loops, by the level formats' functions";
  let description = [{
    Each `sit.kernel` becomes a private function `(result, operands...) -> i32` on handles, and a
    `sit.call` of it. The level formats' tables (dialects/level_format.h) say what walking, locating,
    appending and inserting are. The function first checks that the handles are stored as their
    types say, then the shapes; it returns a status and writes nothing out of bounds.

    ```mlir
    sit.coiterate %A level 1 under %pA0 : tensor<?x?xf64, #CSR> {
    case (0) as (%j, %pA1) {
      %px0 = sit.locate %x level 0 at %j : tensor<?xf64>
      %4 = sit.value %A at %pA1 : tensor<?x?xf64, #CSR> -> f64
      %5 = sit.value %x at %px0 : tensor<?xf64> -> f64
      ...
    }
    }
    ```
    becomes
    ```mlir
    %60 = memref.load %19[%i] : memref<?xi64>
    %61 = arith.index_castui %60 : i64 to index
    ...
    %64 = scf.for %p = %61 to %63 step %c1 iter_args(%sum = %cst) -> (f64) {
      %65 = memref.load %20[%p] : memref<?xi64>
      %66 = arith.index_castui %65 : i64 to index
      %67 = memref.load %21[%p] : memref<?xf64>
      %68 = memref.load %27[%66] : memref<?xf64>
      ...
    }
    ```
    With `strategies {lanes = 8, read_ahead = 512}` a walk that only reduces takes eight entries at a time as
    vectors, the last of them under a mask; of a level that may repeat coordinates, up to eight that have
    the same one. What is located with their coordinates is gathered, with `gathers=false` by eight loads:
    a place beyond what is there is taken for the last. Sums then change their order. What comes 512 entries later is prefetched. Without
    strategies (`sit-choose-strategies`) loops are as simple as the one above.

    A loop `on cpu_thread temporary` or `parallel_reduction` goes in chunks. Each thread reduces into a copy of the
    result's values, the first into the result, and the copies are added to it; with `deterministic` each of
    16 chunks has one. A variable (`sit.var %zero by add`) has a value of its own in each of 256 chunks. What chunks
    came to is put together in their order.
  }];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Keep the program's order in floating-point sums">,
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512",
           "Bits of a vector that lanes are put in: 128, 256 or 512">,
    Option<"threads", "threads", "int64_t", /*default=*/"1",
           "As of cin-parallelize: unless 1, recorded entries are sorted on threads">,
    Option<"deterministic", "deterministic", "bool", /*default=*/"false",
           "Threads reduce into as many copies, however many they are">,
    Option<"gathers", "gathers", "bool", /*default=*/"true",
           "The machine gathers faster than by a load for each lane">
  ];
}

def LowerHandles : Pass<"lower-handles", "::mlir::ModuleOp"> {
  let summary = "Lower stored tensors to pointers to their handles";
  let description = [{
    Every value of tensor type becomes an `!llvm.ptr` to a `lac_tensor`, also through calls, branches
    and loops; a function with tensors gets the C interface `i32 f(results..., operands...)`.
    `tin.read`, `tin.write`, `tin.print`, `tin.assemble` and `tin.disassemble` become
    calls of the runtime. Temporaries belong to a frame that the function enters and leaves; once a call has failed no more are made.

    ```mlir
    func.func @f(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
      %y = sit.call @f_kernel(%A, %x) : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
      return %y : tensor<?xf64>
    }
    ```
    becomes
    ```mlir
    func.func @f(%y: !llvm.ptr, %A: !llvm.ptr, %x: !llvm.ptr) -> i32 {
      %0 = call @f_kernel(%y, %A, %x) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
      return %0 : i32
    }
    ```
  }];
}

def LowerArrays : Pass<"lower-arrays", "::mlir::ModuleOp"> {
  let summary = "Lower arrays of stored tensors to loads from their handles";
  let description = [{
    `sit.array`, `sit.values` and `sit.memory` become memrefs that are made of a pointer and a length.
    They stay as they are until the passes of MLIR are done with loops, since those move them well.

    ```mlir
    %0 = sit.values %A : memref<?xf64>
    ```
    becomes
    ```mlir
    %0 = llvm.getelementptr %A[32] : (!llvm.ptr) -> !llvm.ptr, i8
    %data = llvm.load %0 : !llvm.ptr -> !llvm.ptr
    %1 = llvm.getelementptr %A[40] : (!llvm.ptr) -> !llvm.ptr, i8
    %length = llvm.load %1 : !llvm.ptr -> i64
    ... // a memref descriptor of %data and %length
    %12 = builtin.unrealized_conversion_cast %11 : !llvm.struct<...> to memref<?xf64>
    ```
  }];
}

def LowerNarrowFloats : Pass<"lower-narrow-floats", "::mlir::ModuleOp"> {
  let summary = "Compute on 16-bit floats in f32, and convert them in integers";
  let description = [{
    Not every processor computes on `bf16` and `f16`; for others LLVM calls a library that need not be
    there (`__truncsfbf2`). Operations of `arith` and `math` on them are done in `f32` and rounded each;
    what is no number stays so, and subnormal numbers are kept. All else takes them for `i16`.

    ```mlir
    %2 = arith.addf %0, %1 : bf16
    ```
    becomes
    ```mlir
    %word = arith.extui %0 : i16 to i32
    %upper = arith.shli %word, %c16_i32 : i32
    %wide = arith.bitcast %upper : i32 to f32
    ... // %1 as well
    %sum = arith.addf %wide, %wide_1 : f32
    ... // to nearest, ties to even
    %2 = arith.trunci %rounded : i32 to i16
    ```
  }];
  let options = [
    Option<"half", "half", "bool", /*default=*/"true",
           "f16 too; else of f16 only the conversion from f64">
  ];
}

def LowerParallel : Pass<"lower-parallel", "::mlir::ModuleOp"> {
  let summary = "Run parallel loops on threads, by OpenMP";
  let description = [{
    Iterations are handed out in chunks as threads become free, since rows of sparse tensors differ
    in length; about 256 chunks, fewer where there is little to do, or such of 16 where the loop says `{dynamic = 16}`. One thread takes all at
    once. Where it says `{static}` each thread has an equal share. How many threads there are is asked when the
    loop is reached: what the kernel's caller set (`lac_threads_set`), or what OpenMP gives; one where there is
    little to do, as the kernel has said before (`lac_kernel_visits`). A thread that has stored past the caches ends with a fence.

    ```mlir
    scf.parallel (%i) = (%a) to (%b) step (%s) { ... }
    ```
    becomes
    ```mlir
    %parts = call @lac_kernel_parts_count() : () -> i64
    %most = call @omp_get_max_threads() : () -> i32
    %threads = call @lac_kernel_threads(%most) : (i32) -> i32
    memref.store %c0_i64, %next[%c0] : memref<1xi64>
    omp.parallel num_threads(%threads : i32) {
      scf.while ... {
        %first = memref.atomic_rmw addi %chunk, %next[%c0] : (i64, memref<1xi64>) -> i64
        ...
      } do {
        scf.for %n = %first to %last step %c1 { ... }
      }
      omp.terminator
    }
    ```
  }];
}

def HoistLaunchArrays : Pass<"hoist-launch-arrays", "::mlir::ModuleOp"> {
  let summary = "Move what says where arrays are out of launches";
  let description = [{
    A kernel is passed arrays and numbers: what is read of the handles of tensors, and the arrays that they name,
    stands before its launch, with the arithmetic that it takes.

    ```mlir
    gpu.launch blocks(...) in (...) threads(...) in (...) {
      %y = sit.memory %p[%n] : memref<?xf64>
      memref.store %x, %y[%i] : memref<?xf64>
    ```
    becomes
    ```mlir
    %y = sit.memory %p[%n] : memref<?xf64>
    gpu.launch blocks(...) in (...) threads(...) in (...) {
      memref.store %x, %y[%i] : memref<?xf64>
    ```
    Memory that the threads have for workspaces, `lac_device_scratch`, is taken before the launch as well, and given
    back behind it.
  }];
}

def GatherKernels : Pass<"gather-kernels", "::mlir::ModuleOp"> {
  let summary = "Put all kernels of a GPU into one module";
  let description = [{
    Outlining leaves a `gpu.module` for each kernel. Together they are one image, which is loaded once.

    ```mlir
    gpu.module @f_kernel { gpu.func @f_kernel ... }
    gpu.module @f_kernel_0 { gpu.func @f_kernel ... }
    gpu.launch_func @f_kernel_0::@f_kernel ...
    ```
    becomes
    ```mlir
    gpu.module @f_kernel { gpu.func @f_kernel ... gpu.func @f_kernel_0 ... }
    gpu.launch_func @f_kernel::@f_kernel_0 ...
    ```
  }];
}

def NarrowLaunches : Pass<"narrow-launches", "::mlir::ModuleOp"> {
  let summary = "Let a GPU's kernels count in 32 bits where arrays are short enough";
  let description = [{
    A GPU computes with 32 bits. A launch whose arrays, and numbers that it passes, are below 2^30 is of a kernel
    that has places in arrays, and what its loops count, in so many; the others are of a copy of it that stays
    as it was.

    ```mlir
    gpu.launch_func @m::@k ... args(%y : memref<?xf64>, %n : index)
    ```
    becomes
    ```mlir
    %length = memref.dim %y, %c0 : memref<?xf64>
    %bits = arith.ori %length, %n : index
    %short = arith.cmpi slt, %bits, %c1073741824 : index
    ...
    scf.if %fits {
      gpu.launch_func @m::@k ... args(%y : memref<?xf64>, %n : index)
    } else {
      gpu.launch_func @m::@k_wide ... args(%y : memref<?xf64>, %n : index)
    }
    ```
    and in `@k`
    ```mlir
    scf.for %p = %begin to %end step %c32 {
      %q = arith.addi %r, %p : index
      %x = memref.load %y[%q] : memref<?xf64>
    ```
    becomes
    ```mlir
    scf.for %p = %begin_i32 to %end_i32 step %c32_i32 : i32 {
      %q = arith.addi %r_i32, %p : i32
      %place = arith.index_castui %q : i32 to index
      %x = memref.load %y[%place] : memref<?xf64>
    ```
  }];
  let options = [
    Option<"limit", "limit", "int64_t", /*default=*/"1073741824",
           "What lengths and numbers are below that a kernel of 32 bits is passed, at most 2^30">
  ];
}

def LowerLaunches : Pass<"lower-launches", "::mlir::ModuleOp"> {
  let summary = "Lower launches of a GPU's kernels to calls of the runtime";
  let description = [{
    `gpu.launch_func` becomes calls that ask where the arrays are on the device, launch the kernel, and wait for
    it; what the kernel wrote is on the host afterwards. Kernels get parameters without parts: of an array its
    address and its length. All kernels of a program come into one `gpu.module`, which is loaded once.

    ```mlir
    gpu.launch_func @m::@k blocks in (%g, %c1, %c1) threads in (%c256, %c1, %c1) args(%y : memref<?xf64>)
    ```
    becomes
    ```mlir
    %code = call @lac_device_kernel(%name, %image, %c0_i64, %null, %status)
    %place = call @lac_device_array(%address, %bytes, %c2_i32, %status)
    call @lac_device_launch(%code, %g, %c256_i64, %c0_i64, %arguments, %status)
    call @lac_device_finish(%status)
    ```
    Launches that nothing is between which may look at what they wrote, or move it, are finished together: arrays
    stay on the device, and the host reads single numbers by `lac_device_number`.

    With `emulated` kernels become functions of the host, for the device that the runtime emulates: the same
    code, a call for each barrier, shuffle and access to memory.
  }];
  let options = [
    Option<"emulated", "emulated", "bool", /*default=*/"false",
           "Kernels run on the device that is emulated on the CPU">
  ];
}

def MarkSteps : Pass<"mark-steps"> {
  let summary = "Say of a kernel's loops that steps do not overflow, and who unrolls them";
  let description = [{
    A loop ends below the greatest number by more than a step, so that LLVM may count addresses along with it:
    one of 32 bits, which `narrow-launches` made, counts positive numbers. Loops of unknown length are unrolled by
    the assembler, which knows the registers, and not by LLVM too.

    ```mlir
    ^bb1(%p: i32):
      %more = arith.cmpi slt, %p, %end : i32
      cf.cond_br %more, ^bb2, ^bb3
    ^bb2:
      %q = arith.addi %p, %c32 : i32
      cf.br ^bb1(%q : i32)
    ```
    becomes
    ```mlir
    ^bb2:
      %q = arith.addi %p, %c32 overflow<nsw, nuw> : i32
      cf.br ^bb1(%q : i32) {loop_annotation = #llvm.loop_annotation<unroll = <runtimeDisable = true>>}
    ```
  }];
}

def LinkDeviceFunctions : Pass<"link-device-functions", "::mlir::ModuleOp"> {
  let summary = "Say where the functions are that kernels call: CUDA's libdevice";
  let description = [{
    Where kernels call functions of libdevice (`exp`, `pow`, ...), and no variable of the environment that MLIR knows
    says where the toolkit is (`CUDA_ROOT`, `CUDA_HOME`, `CUDA_PATH`), it is looked for where toolkits are installed.
    Without one `lower-images` says what is missing.

    ```mlir
    gpu.module @m [#nvvm.target<chip = "sm_90">] { llvm.func @__nv_exp(f64) -> f64 }
    ```
    becomes
    ```mlir
    gpu.module @m [#nvvm.target<chip = "sm_90", link = ["/usr/local/cuda/nvvm/libdevice/libdevice.10.bc"]>] { ... }
    ```
  }];
}

def LowerImages : Pass<"lower-images", "::mlir::ModuleOp"> {
  let summary = "Lower the code of a GPU's kernels to constants of the program";
  let description = [{
    What `gpu-module-to-binary` made of a module of kernels, PTX or a cubin, becomes the constant that
    `lower-launches` has declared for it.

    ```mlir
    gpu.binary @m [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = "...">]
    ```
    becomes
    ```mlir
    llvm.mlir.global internal constant @lac_image_m("...\00")
    ```
  }];
}

#endif // LACUNA_PASSES
