//===- Sit.td - sparse iteration ---------------------------------------------------------------===//
//
// The rung that says how the stored coordinates are *walked*, merged and built (Chou et al. 2018).
//
//===--------------------------------------------------------------------------------------------===//

#ifndef LACUNA_SIT_TD
#define LACUNA_SIT_TD

include "Cin.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Sit_Dialect : Dialect {
  let name = "sit";
  let cppNamespace = "::lacuna::sit";
  let summary = "Sparse iteration: walking, merging and building stored coordinates";
  let description = [{
    Level functions stay abstract here, so that nothing above the lowering knows how a level format stores
    anything:

    ```mlir
    %y = sit.kernel (%A, %x) {
    ^bb0(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64>):
      %m = sit.extent %A[0] : tensor<?x?xf64, #CSR>
      %n = sit.extent %A[1] : tensor<?x?xf64, #CSR>
      %n0 = sit.extent %x[0] : tensor<?xf64>
      sit.match "j" %n, %n0
      sit.result %y[%m] : tensor<?xf64>
      sit.coiterate over %m {
      case () as (%i) {
        %pA0 = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>
        %s = sit.var %zero : f64
        sit.coiterate %A level 1 under %pA0 : tensor<?x?xf64, #CSR> {
        case (0) as (%j, %pA1) {
          ...
          sit.set %s, %sum : f64
        }}
        ...
      }}
      sit.finish %y : tensor<?xf64>
    } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
    ```
    Beside its own ops a kernel holds `arith`, `math`, `complex` and `scf.if`.

    A tensor is a handle on arrays that the ops change in place: the result (`sit.result` to `sit.finish`) and each
    `sit.workspace`. What an op reads and writes it says on that operand: `sit.value`, `sit.locate` and
    `sit.coiterate` read; `sit.insert`, `sit.append`, `sit.close`, `sit.count`, `sit.edges`, `sit.place`,
    `sit.store` and `sit.accumulate` write. Operands of the kernel are only read. A `sit.var` is a place too.
    From outside a kernel is one value made of its operands.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::lacuna::tin::TinDialect", "::lacuna::cin::CinDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::complex::ComplexDialect", "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}

class Sit_Type<string name, string typeMnemonic> : TypeDef<Sit_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Sit_PositionType : Sit_Type<"Position", "pos"> {
  let summary = "A position of a level, or the segment of positions that hold duplicates of one coordinate";
  let description = [{
    `!sit.pos<tensor<?x?xf64, #CSR>, 1>`: a position is of one level of one tensor, those of the operation that
    makes it, or of the iterator whose position a case of `sit.coiterate` has. Only there it may be used: as the
    parent of what is below it in that tensor, or, at the last level, as the place of a value. The type says
    the level and the tensor's type, and follows from them: operations do not print it.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tensor, "int64_t":$level);
  let assemblyFormat = "`<` $tensor `,` $level `>`";
}

def Sit_VarType : Sit_Type<"Var", "var"> {
  let summary = "A scalar variable";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

class Sit_Op<string mnemonic, list<Trait> traits = []> : Op<Sit_Dialect, mnemonic, traits>;

// An op whose result prints as the position of a tensor's level: %pA1.
def Sit_NamesPosition : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;

// An op whose first result is a position of its tensor's level.
defvar Sit_MakesPosition = [Sit_NamesPosition, InferTypeOpAdaptor];

//===--------------------------------------------------------------------------------------------===//
// Kernels and extents
//===--------------------------------------------------------------------------------------------===//

def Sit_KernelOp : Sit_Op<"kernel", [IsolatedFromAbove, NoTerminator, SingleBlock, MemoryEffects<[MemRead]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "A kernel: its block arguments are the operands and, last, the result";
  let description = [{
    Its block has, in this order: extents, checks of shapes, the empty result, workspaces, walks, and
    the end of the result.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, OptionalAttr<ArrayAttr>:$fills,
                       OptionalAttr<StrArrayAttr>:$tensor_names);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` attr-dict-with-keyword custom<IsolatedBody>($body) `:` functional-type($inputs, $result)
  }];
  let hasVerifier = 1;
}

def Sit_ExtentOp : Sit_Op<"extent", [Pure]> {
  let summary = "The size of a dimension";
  let description = [{
    `%m = sit.extent %A[0] : tensor<?x?xf64, #CSR>`. Where the type tells the size it folds to that: a kernel
    checks first that its operands are as their types say.
  }];
  let hasFolder = 1;
  let arguments = (ins AnyRankedTensor:$tensor, I64Attr:$dimension);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor `[` $dimension `]` attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def Sit_MatchOp : Sit_Op<"match", [HasParent<"KernelOp">, MemoryEffects<[MemWrite]>]> {
  let summary = "Ends the kernel with a shape error unless two extents of a variable agree";
  let description = [{ `sit.match "j" %n, %n0`; stands only in the kernel's own block. Of one value it goes away. }];
  let hasCanonicalizeMethod = 1;
  let arguments = (ins StrAttr:$variable, Index:$expected, Index:$found);
  let assemblyFormat = "$variable $expected `,` $found attr-dict";
}

def Sit_WithinOp : Sit_Op<"within", [HasParent<"KernelOp">, MemoryEffects<[MemWrite]>]> {
  let summary = "Ends the kernel with a shape error unless low..high (inclusive) lies within 0..extent-1";
  let description = [{ `sit.within "i + k" %low, %high, %extent`; stands only in the kernel's own block. }];
  let arguments = (ins StrAttr:$subscript, Index:$low, Index:$high, Index:$extent);
  let assemblyFormat = "$subscript $low `,` $high `,` $extent attr-dict";
}

//===--------------------------------------------------------------------------------------------===//
// Walking
//===--------------------------------------------------------------------------------------------===//

def Sit_CoiterateOp : Sit_Op<"coiterate", [NoTerminator, AttrSizedOperandSegments, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "Walks levels together, one region for each point of the merge lattice";
  let description = [{
    ```mlir
    sit.coiterate %B level 1 under %pB, %C level 1 under %pC : tensor<...>, tensor<...> {
    case (0, 1) as (%j, %pb, %pc) { ... }
    case (0) as (%j, %pb) { ... }
    case (1) as (%j, %pc) { ... }
    }
    ```
    For each coordinate at which some level has an entry, in ascending order, the first case runs all
    of whose levels have it; where no case matches nothing happens. A case's arguments are the
    coordinate and the positions of its levels, in their order. With `over %n` the walk visits every
    coordinate of 0..n-1 and each case implies it; the case `()` then runs where no other does. With
    `from %lo to %hi` only coordinates of lo..hi-1 are visited, with `at %c` only that one. With `padded` these may be
    out of a level's range, where it has no entry.

    Duplicates of one coordinate in a nonunique level make one visit, its position a segment; with
    `fused` (one level, one case) each entry is visited by itself. With `any` the one case, of all levels,
    runs where some level has an entry: positions in the others are none, which `sit.present` tells, and
    below none nothing is walked. One level may be unordered if it is
    walked alone, without `over`; others are located.

    A level with `scratch` goes through a scratch array: below each parent, and below each of the
    positions of a segment, its coordinates are gathered with their positions, sorted, and walked there
    (Chou et al. 2018, section 4.3). So a level that is unordered is walked in order, and what branches
    repeat is one segment:

    ```mlir
    sit.coiterate %B level 1 under %pB scratch, %C level 1 under %pC : ... { ... }
    ```

    A level with `offset` is walked as the subsection that begins there (Liu et al. 2024): at coordinates that are those
    stored less the offset, so that it is walked together with levels at other coordinates, within `from` and `to`:

    ```mlir
    sit.coiterate %x level 0 offset %i, %f level 0 from %zero to %n : ... {   // x(i + k) * f(k)
    case (0, 1) as (%k, %px, %pf) { ... }
    }
    ```

    `under` names the parent's position; level 0 has none. `on cpu_thread` runs iterations in parallel;
    where they append to the result, a range of coordinates of its first level at a time, into a piece of it.
    `on gpu_thread` around another such one it has `groups 8`: as many groups of lanes, of which a warp has 2, 4, 8 or 16,
    take its iterations, and the lanes of a group those of the other one.

    After the levels stand, in this order and each where needed: `over %n`, `from %lo to %hi` or `at %c`, `padded`, `fused`, `any`,
    `on UNIT RACE`, `unroll 4`, `groups 8`, `named "j"`, `strategies {...}`, `attributes {...}`. Each of `cases` is an array of i64, `scratch` and `offset` the numbers
    of the levels with it. `variable`, said by
    `named`, is what the coordinate is called for people: arguments of the cases print as it.

    `strategies {blocks, search, read_ahead = 16}` says what a machine does with the loops that would be right
    without: their names and numbers are those of the target that the kernel is lowered for. For the CPU
    `sit-choose-strategies` writes them, and has a word on each.
  }];
  let arguments = (ins Arg<Variadic<AnyRankedTensor>, "", [MemRead]>:$tensors, Variadic<Sit_PositionType>:$parents,
                       Optional<Index>:$extent, Optional<Index>:$lower, Optional<Index>:$upper, Variadic<Index>:$offsets,
                       DenseI64ArrayAttr:$levels, OptionalAttr<DenseI64ArrayAttr>:$offset, OptionalAttr<DenseI64ArrayAttr>:$scratch, ArrayAttr:$cases, UnitAttr:$padded, UnitAttr:$fused, UnitAttr:$any,
                       DefaultValuedAttr<Cin_Unit, "::lacuna::cin::Unit::Serial">:$unit,
                       DefaultValuedAttr<Cin_Race, "::lacuna::cin::Race::NoRaces">:$race, OptionalAttr<I64Attr>:$unroll,
                       OptionalAttr<I64Attr>:$groups, OptionalAttr<StrAttr>:$variable,
                       OptionalAttr<DictionaryAttr>:$strategies);
  let regions = (region VariadicRegion<SizedRegion<1>>:$bodies);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Sit_LocateOp : Sit_Op<"locate", Sit_MakesPosition> {
  let summary = "The position of a coordinate in a full level";
  let description = [{
    `%p = sit.locate %A level 0 at %i : tensor<?x?xf64, #CSR>`; below level 0 with `under %parent`. With `padded` the
    coordinate may be out of range: then the position is none, which `sit.present` tells. With
    `scratch` the parent is a segment: the coordinate's positions below all that is in it are gathered in a
    scratch array, and are one segment.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead]>:$tensor, I64Attr:$level, Index:$coordinate, Optional<Sit_PositionType>:$parent,
                       UnitAttr:$scratch, UnitAttr:$padded);
  let results = (outs Sit_PositionType:$result);
  let assemblyFormat = [{
    $tensor `level` $level `at` $coordinate (`padded` $padded^)? (`under` $parent^)? (`scratch` $scratch^)? attr-dict `:` type($tensor) ``
    custom<ParentType>(ref($parent), ref(type($tensor)), ref($level), type($parent))
  }];
  let hasVerifier = 1;
}

def Sit_FindOp : Sit_Op<"find", [InferTypeOpAdaptor]> {
  let summary = "The position of a coordinate in a level that can locate, and whether it is there";
  let description = [{
    `%p, %there = sit.find %A level 0 at %i : tensor<?xf64, #format>`; `%p` means something only where `%there`.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead]>:$tensor, I64Attr:$level, Index:$coordinate, Optional<Sit_PositionType>:$parent);
  let results = (outs Sit_PositionType:$position, I1:$found);
  let assemblyFormat = [{
    $tensor `level` $level `at` $coordinate (`under` $parent^)? attr-dict `:` type($tensor) ``
    custom<ParentType>(ref($parent), ref(type($tensor)), ref($level), type($parent))
  }];
  let hasVerifier = 1;
}

def Sit_PositionsOp : Sit_Op<"positions"> {
  let summary = "The positions of a level below a position, or all that there are";
  let description = [{
    `%begin, %end = sit.positions %A level 1 under %p : tensor<?x?xf64, #CSR>`; of the whole level, without
    `under`: 0 and their number.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead]>:$tensor, I64Attr:$level, Optional<Sit_PositionType>:$parent);
  let results = (outs Index:$begin, Index:$end);
  let assemblyFormat = [{
    $tensor `level` $level (`under` $parent^)? attr-dict `:` type($tensor) ``
    custom<ParentType>(ref($parent), ref(type($tensor)), ref($level), type($parent))
  }];
  let hasVerifier = 1;
}

def Sit_CoordinateOp : Sit_Op<"coordinate"> {
  let summary = "The coordinate at a position of a level, below a position";
  let description = [{
    `%j = sit.coordinate %A level 1 at %q under %p : tensor<?x?xf64, #CSR>`, `%q` an index: -1 before the first that is
    below `%p`, and the last of all coordinates that the level can hold from the end on.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead]>:$tensor, I64Attr:$level, Index:$position, Optional<Sit_PositionType>:$parent);
  let results = (outs Index:$result);
  let assemblyFormat = [{
    $tensor `level` $level `at` $position (`under` $parent^)? attr-dict `:` type($tensor) ``
    custom<ParentType>(ref($parent), ref(type($tensor)), ref($level), type($parent))
  }];
  let hasVerifier = 1;
}

def Sit_ParentsOp : Sit_Op<"parents"> {
  let summary = "How many positions of the level above have theirs of a level begin before one";
  let description = [{
    `%n = sit.parents %A level 1 before %q : tensor<?x?xf64, #CSR>`; found by search in what is stored, in a loop from what
    was found last on.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead]>:$tensor, I64Attr:$level, Index:$position);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor `level` $level `before` $position attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def Sit_OrdinalOp : Sit_Op<"ordinal", [Pure]> {
  let summary = "A position as a number: of how many before it";
  let description = [{
    `%n = sit.ordinal %pA1 : !sit.pos<tensor<?x?xf64, #CSR>, 1>`, of a position that is one, in the order of those that
    `sit.positions` counts.
  }];
  let arguments = (ins Sit_PositionType:$position);
  let results = (outs Index:$result);
  let assemblyFormat = "$position attr-dict `:` type($position)";
}

def Sit_PresentOp : Sit_Op<"present", [Pure]> {
  let summary = "Whether a position is one: that of a case with `any` is none where its level has no entry";
  let description = [{
    `%there = sit.present %pA1 : !sit.pos<tensor<?x?xf64, #CSR>, 1>`. So is what is located below it. Of other
    positions it folds to true.
  }];
  let hasFolder = 1;
  let arguments = (ins Sit_PositionType:$position);
  let results = (outs I1:$result);
  let assemblyFormat = "$position attr-dict `:` type($position)";
}

def Sit_ValueOp : Sit_Op<"value"> {
  let summary = "The stored value at a position of the last level; the sum over a segment of duplicates";
  let description = [{
    `%a = sit.value %A at %pA1 : tensor<?x?xf64, #CSR> -> f64`. A tensor of order 0 has one value and no
    position.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead]>:$tensor, Optional<Sit_PositionType>:$position);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $tensor (`at` $position^)? attr-dict `:` type($tensor) `->` type($result) ``
    custom<PlaceType>(ref($position), ref(type($tensor)), type($position))
  }];
  let hasVerifier = 1;
}

//===--------------------------------------------------------------------------------------------===//
// Building
//===--------------------------------------------------------------------------------------------===//

def Sit_ResultOp : Sit_Op<"result"> {
  let summary = "Makes the result empty, with these dimensions";
  let description = [{
    `sit.result %y[%m] initial 0.0 : f64 : tensor<?xf64>`: where levels are full, values start as
    `initial` (default zero). With `stored` each value is stored before it is read or reduced into, so that none needs
    to start as anything.

    `by` says how the result is built, as on a `cin.kernel`; without, as with `by insert` and `by append`, levels that
    can insert do, and others are appended to. With `by scatter` one level (and the branchless ones below it) is not
    appended to but scattered into: `sit.count`, `sit.edges`, `sit.place`; with `by record` so, and a `sit.order` comes
    last; with `by collect` all levels that cannot insert are collected, by the same operations: with `apart` by threads
    at once, which have no entry, and no coordinate that is numbered, in common. With `by copy` levels are copied from
    the operand of which `sit.copied` has the positions.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemWrite]>:$tensor, Variadic<Index>:$dimensions, OptionalAttr<TypedAttrInterface>:$initial,
                       OptionalAttr<Cin_AssemblyAttr>:$assembly, UnitAttr:$stored, UnitAttr:$apart);
  let assemblyFormat = [{
    $tensor `[` $dimensions `]` (`initial` $initial^)? (`by` custom<Assembly>($assembly)^)? (`stored` $stored^)?
    (`apart` $apart^)? attr-dict `:` type($tensor)
  }];
  let hasVerifier = 1;
}

def Sit_FinishOp : Sit_Op<"finish"> {
  let summary = "Completes the result: closes its levels and trims its arrays";
  let description = [{
    `sit.finish %y : tensor<?xf64>`; the last op of a kernel.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead, MemWrite]>:$tensor);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
}

def Sit_WorkspaceOp : Sit_Op<"workspace"> {
  let summary = "An empty workspace with these dimensions, released at the end of the enclosing block";
  let description = [{
    `%w = sit.workspace[%n] : tensor<?xf64, #accumulator>`; values start as `identity` (default zero).
  }];
  let arguments = (ins Variadic<Index>:$dimensions, OptionalAttr<TypedAttrInterface>:$identity);
  let results = (outs Res<AnyRankedTensor, "", [MemAlloc, MemWrite]>:$result);
  let assemblyFormat = "`[` $dimensions `]` (`identity` $identity^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Sit_InsertOp : Sit_Op<"insert", Sit_MakesPosition> {
  let summary = "The position of a coordinate in a level that can insert; made present if it is not";
  let description = [{
    `%p = sit.insert %y level 0 at %i : tensor<?xf64>`; below level 0 with `under %parent`.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead, MemWrite]>:$tensor, I64Attr:$level, Index:$coordinate, Optional<Sit_PositionType>:$parent);
  let results = (outs Sit_PositionType:$result);
  let assemblyFormat = [{
    $tensor `level` $level `at` $coordinate (`under` $parent^)? attr-dict `:` type($tensor) ``
    custom<ParentType>(ref($parent), ref(type($tensor)), ref($level), type($parent))
  }];
  let hasVerifier = 1;
}

def Sit_EndOp : Sit_Op<"end"> {
  let summary = "The number of entries appended to a level so far";
  let description = [{
    `%b = sit.end %A level 1 : tensor<?x?xf64, #CSR>`; what `sit.close` takes as `begin`.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead]>:$tensor, I64Attr:$level);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor `level` $level attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def Sit_AppendOp : Sit_Op<"append", Sit_MakesPosition> {
  let summary = "Appends a coordinate to a level and returns its position";
  let description = [{
    `%p = sit.append %A level 1 at %j : tensor<?x?xf64, #CSR>`.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead, MemWrite]>:$tensor, I64Attr:$level, Index:$coordinate);
  let results = (outs Sit_PositionType:$result);
  let assemblyFormat = "$tensor `level` $level `at` $coordinate attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def Sit_CloseOp : Sit_Op<"close"> {
  let summary = "Makes the entries appended to a level since `begin` the children of a position";
  let description = [{
    ```mlir
    %b = sit.end %A level 1 : tensor<?x?xf64, #CSR>
    ... // sit.append %A level 1 ...
    sit.close %A level 1 from %b under %pA0 : tensor<?x?xf64, #CSR>
    ```
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead, MemWrite]>:$tensor, I64Attr:$level, Index:$begin, Optional<Sit_PositionType>:$parent);
  let assemblyFormat = [{
    $tensor `level` $level `from` $begin (`under` $parent^)? attr-dict `:` type($tensor) ``
    custom<ParentType>(ref($parent), ref(type($tensor)), ref($level), type($parent))
  }];
  let hasVerifier = 1;
}

def Sit_CountOp : Sit_Op<"count"> {
  let summary = "Counts an entry that will be placed under a position";
  let description = [{
    A level into which entries are scattered, in any order of their parents, wants a walk that counts them before
    the one that places them (Chou et al. 2020):

    ```mlir
    sit.result %A[%m, %n] by scatter : tensor<?x?xf64, #CSC>
    ... // for each entry: sit.count %A level 1 at %i under %pA0 : tensor<?x?xf64, #CSC>
    sit.edges %A level 1 : tensor<?x?xf64, #CSC>
    ... // for each entry: %pA1 = sit.place %A level 1 at %i under %pA0 : tensor<?x?xf64, #CSC>
    ```

    A result that is collected takes entries in any order at all, and several of one coordinate, which gets one
    position. Each level that is collected wants a walk of its own, in which those above it are placed:

    ```mlir
    sit.result %A[%m, %n] by collect : tensor<?x?xf64, #HASH>
    ... // for each entry: sit.count %A level 0 at %i : tensor<?x?xf64, #HASH>
    sit.edges %A level 0 : tensor<?x?xf64, #HASH>
    ... // %pA0 = sit.place %A level 0 at %i, sit.count %A level 1 at %j under %pA0 : tensor<?x?xf64, #HASH>
    sit.edges %A level 1 : tensor<?x?xf64, #HASH>
    ... // %pA0 = sit.place %A level 0 at %i, %pA1 = sit.place %A level 1 at %j under %pA0 : tensor<?x?xf64, #HASH>
    ```
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead, MemWrite]>:$tensor, I64Attr:$level, Index:$coordinate, Optional<Sit_PositionType>:$parent);
  let assemblyFormat = [{
    $tensor `level` $level `at` $coordinate (`under` $parent^)? attr-dict `:` type($tensor) ``
    custom<ParentType>(ref($parent), ref(type($tensor)), ref($level), type($parent))
  }];
  let hasVerifier = 1;
}

def Sit_EdgesOp : Sit_Op<"edges"> {
  let summary = "Makes edges of a level's counts, and room for its entries";
  let description = [{
    `sit.edges %A level 1 : tensor<?x?xf64, #CSC>`; stands between the walk that counts and the one that places, in the
    kernel's own block. The rest of it runs only where there is memory for that many entries.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead, MemWrite]>:$tensor, I64Attr:$level);
  let assemblyFormat = "$tensor `level` $level attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def Sit_PlaceOp : Sit_Op<"place", Sit_MakesPosition> {
  let summary = "Stores a coordinate at its position under a parent, among those that were counted";
  let description = [{
    `%pA1 = sit.place %A level 1 at %i under %pA0 : tensor<?x?xf64, #CSC>`; siblings stand in the order in which they are
    placed. In a branchless level the position is the parent's; where the result is collected, it is the one that the
    coordinate got before, if it did.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead, MemWrite]>:$tensor, I64Attr:$level, Index:$coordinate, Optional<Sit_PositionType>:$parent);
  let results = (outs Sit_PositionType:$result);
  let assemblyFormat = [{
    $tensor `level` $level `at` $coordinate (`under` $parent^)? attr-dict `:` type($tensor) ``
    custom<ParentType>(ref($parent), ref(type($tensor)), ref($level), type($parent))
  }];
  let hasVerifier = 1;
}

def Sit_CopiedOp : Sit_Op<"copied", Sit_MakesPosition> {
  let summary = "The position, in a level that is copied from an operand, of what has this position there";
  let description = [{
    `%pC1 = sit.copied %C level 1 from %A as %pA1 : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, !sit.pos<tensor<?x?xf64, #CSR>, 1>`.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead]>:$tensor, I64Attr:$level, AnyRankedTensor:$source, Sit_PositionType:$position);
  let results = (outs Sit_PositionType:$result);
  let assemblyFormat = [{
    $tensor `level` $level `from` $source `as` $position attr-dict `:` type($tensor) `,` type($source) `,` type($position)
  }];
  let hasVerifier = 1;
}

def Sit_NumberOp : Sit_Op<"number"> {
  let summary = "The counter of a new entry of the result: how many of its coordinate came before";
  let description = [{
    `%n = sit.number %A level 0 at %i : tensor<?x?xf64, #ELL>`; level 0 holds the counter `#i`. The first entry with a
    coordinate `%i` has the number 0, the next one 1, in each of the walks that count and place.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead, MemWrite]>:$tensor, I64Attr:$level, Index:$coordinate);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor `level` $level `at` $coordinate attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def Sit_OrderOp : Sit_Op<"order"> {
  let summary = "Orders what was placed under each parent, and combines entries of one coordinate";
  let description = [{
    `sit.order %A level 1 : tensor<?x?xf64, #CSR>`; stands after the walk that places, in the kernel's own block, where
    that walk comes to siblings in any order, and to one several times. Their values are added in the order in which they
    were placed.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead, MemWrite]>:$tensor, I64Attr:$level);
  let assemblyFormat = "$tensor `level` $level attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def Sit_StoreOp : Sit_Op<"store"> {
  let summary = "Stores a value at a position of the last level";
  let description = [{
    `sit.store %v to %y at %p : f64, tensor<?xf64>`.
  }];
  let arguments = (ins AnyType:$value, Arg<AnyRankedTensor, "", [MemWrite]>:$tensor, Optional<Sit_PositionType>:$position);
  let assemblyFormat = [{
    $value `to` $tensor (`at` $position^)? attr-dict `:` type($value) `,` type($tensor) ``
    custom<PlaceType>(ref($position), ref(type($tensor)), type($position))
  }];
  let hasVerifier = 1;
}

def Sit_AccumulateOp : Sit_Op<"accumulate"> {
  let summary = "Reduces a value into the one at a position of the last level";
  let description = [{
    `sit.accumulate add %v to %y at %p : f64, tensor<?xf64>`; with `atomic` safely from several threads.
  }];
  let arguments = (ins Reduction:$kind, AnyType:$value, Arg<AnyRankedTensor, "", [MemRead, MemWrite]>:$tensor, Optional<Sit_PositionType>:$position,
                       UnitAttr:$atomic);
  let assemblyFormat = [{
    custom<Reduction>($kind) $value `to` $tensor (`at` $position^)? (`atomic` $atomic^)? attr-dict `:` type($value) `,` type($tensor) ``
    custom<PlaceType>(ref($position), ref(type($tensor)), type($position))
  }];
  let hasVerifier = 1;
}

def Sit_SortOp : Sit_Op<"sort"> {
  let summary = "Makes a workspace's level ready to be walked in ascending order";
  let description = [{
    `sit.sort %w level 0 : tensor<?xf64, #accumulator>`.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead, MemWrite]>:$tensor, I64Attr:$level);
  let assemblyFormat = "$tensor `level` $level attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def Sit_ClearOp : Sit_Op<"clear"> {
  let summary = "Empties a workspace, at the cost of what was inserted";
  let description = [{
    `sit.clear %w : tensor<?xf64, #accumulator>`; it is as new, to be filled again. Of dense levels all values
    are set.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemWrite]>:$tensor);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
}

//===--------------------------------------------------------------------------------------------===//
// Scalar variables
//===--------------------------------------------------------------------------------------------===//

class VarOf<string var, string value>
    : TypesMatchWith<"variable holds values of the type", value, var,
                     "::lacuna::sit::VarType::get($_ctxt, $_self)">;

def Sit_VarOp : Sit_Op<"var", [VarOf<"result", "init">]> {
  let summary = "A scalar variable, seen in the rest of the block";
  let description = [{
    `%s = sit.var %zero : f64`; `sit.get` and `sit.set` read and set it. One that threads may reduce into, each
    chunk of a `sit.coiterate` with a value of its own, says how these are put together: `sit.var %zero by add : f64`.
  }];
  let arguments = (ins AnyType:$init, OptionalAttr<Reduction>:$kind);
  let results = (outs Res<Sit_VarType, "", [MemAlloc, MemWrite]>:$result);
  let assemblyFormat = "$init (`by` custom<Reduction>($kind)^)? attr-dict `:` type($init)";
}

def Sit_GetOp : Sit_Op<"get", [VarOf<"var", "result">]> {
  let summary = "The value of a variable";
  let description = [{
    `%v = sit.get %s : f64`.
  }];
  let arguments = (ins Arg<Sit_VarType, "", [MemRead]>:$var);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$var attr-dict `:` type($result)";
}

def Sit_SetOp : Sit_Op<"set", [VarOf<"var", "value">]> {
  let summary = "Sets a variable";
  let description = [{
    `sit.set %s, %v : f64`.
  }];
  let arguments = (ins Arg<Sit_VarType, "", [MemWrite]>:$var, AnyType:$value);
  let assemblyFormat = "$var `,` $value attr-dict `:` type($value)";
}

//===--------------------------------------------------------------------------------------------===//
// Below kernels
//===--------------------------------------------------------------------------------------------===//

def Sit_CallOp : Sit_Op<"call", [MemoryEffects<[MemRead]>, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A call of a lowered kernel";
  let description = [{
    ```mlir
    %y = sit.call @f_kernel(%A, %x) : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
    ```
    What `lower-sit` leaves of a `sit.kernel`: the callee is a function `(!llvm.ptr, ...) -> i32` of the
    result's handle and the operands' (a scalar operand is itself), that returns a status.
    `lower-handles` makes it an ordinary call.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$inputs);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $result)";
}

// A stored tensor's handle, or memory: `!llvm.ptr`.
def Sit_Pointer : Type<CPred<"::llvm::isa<::mlir::LLVM::LLVMPointerType>($_self)">, "pointer">,
                  BuildableType<"::mlir::LLVM::LLVMPointerType::get($_builder.getContext())">;
def Sit_Array : MemRefRankOf<[AnyType], [1]>;

def Sit_ArrayOp : Sit_Op<"array", [MemoryEffects<[MemRead]>]> {
  let summary = "An array of a level, read from a stored tensor's handle";
  let description = [{
    `%pos = sit.array %A level 1 slot 0 : memref<?xi64>`; positions are in slot 0, coordinates in slot 1.
    `lower-arrays` makes it loads from the handle.
  }];
  let arguments = (ins Sit_Pointer:$handle, I64Attr:$level, I64Attr:$slot);
  let results = (outs Sit_Array:$result);
  let assemblyFormat = "$handle `level` $level `slot` $slot attr-dict `:` type($result)";
}

def Sit_ValuesOp : Sit_Op<"values", [MemoryEffects<[MemRead]>]> {
  let summary = "The values, read from a stored tensor's handle";
  let description = [{
    `%v = sit.values %A : memref<?xf64>`. `lower-arrays` makes it loads from the handle.
  }];
  let arguments = (ins Sit_Pointer:$handle);
  let results = (outs Sit_Array:$result);
  let assemblyFormat = "$handle attr-dict `:` type($result)";
}

def Sit_MemoryOp : Sit_Op<"memory", [Pure]> {
  let summary = "Memory at a pointer, as an array of so many elements";
  let description = [{
    `%v = sit.memory %data[%n] : memref<?xf64>`.
  }];
  let arguments = (ins Sit_Pointer:$pointer, Index:$length);
  let results = (outs Sit_Array:$result);
  let assemblyFormat = "$pointer `[` $length `]` attr-dict `:` type($result)";
}

#endif // LACUNA_SIT_TD
