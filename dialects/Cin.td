//===- Cin.td - concrete index notation --------------------------------------------------------===//
//
// The rung that says in what *order*, with which *temporaries*, on which *hardware*
// (Kjolstad et al. 2019; Senanayake et al. 2020).
//
//===--------------------------------------------------------------------------------------------===//

#ifndef LACUNA_CIN_TD
#define LACUNA_CIN_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Common.td"

def Cin_Dialect : Dialect {
  let name = "cin";
  let cppNamespace = "::lacuna::cin";
  let summary = "Concrete index notation: loop order, temporaries, hardware";
  let description = [{
    A kernel is a tree of foralls, wheres and assignments over index variables:

    ```mlir
    %y = cin.kernel (%A, %x) {
    ^bb0(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64>):
      %i = cin.index "i"
      %j = cin.index "j"
      cin.forall %i {
        cin.forall %j {
          %a = cin.read %A[%i, %j] : tensor<?x?xf64, #CSR>
          %b = cin.read %x[%j] : tensor<?xf64>
          %p = arith.mulf %a, %b : f64
          cin.assign %y[%i] add %p : tensor<?xf64>
        }
      }
    } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
    ```

    An index variable is a value. An op that derives index variables from others (`cin.split`,
    `cin.remap`, `cin.collapse`, `cin.pos`, `cin.coord`, `cin.bound`, `cin.twin`) is a relation, and the ops of these
    values are the provenance graph. Subscripts are affine in *underived* variables; foralls range over
    derived ones once a relation has consumed the variable. Code is made for all of them.

    Within a kernel tensors are places, not values: the result's block argument and each `cin.workspace` are
    written to, which `cin.assign` and `cin.where` say as `MemWrite` on that operand, and `cin.read` as `MemRead`.
    So reads are not moved over assignments, two workspaces alike stay two, and nothing is copied. From outside
    a kernel is one value made of its operands, which it does not change.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::lacuna::tin::TinDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::complex::ComplexDialect"];
}

def Cin_IndexType : TypeDef<Cin_Dialect, "IndexVariable"> {
  let mnemonic = "index";
  let summary = "An index variable";
}

// A relation holds whether its results are used or not: that a level of the result holds `i floordiv 4`
// is said by a `cin.remap` that no forall need go over. The graph of relations is what it writes to.
def Cin_Relations : Resource<"::lacuna::cin::RelationsResource">;
def StatesRelation : MemoryEffects<[MemWrite<Cin_Relations>]>;

class Cin_Op<string mnemonic, list<Trait> traits = []> : Op<Cin_Dialect, mnemonic, traits>;

// Within a kernel the result and the workspaces are written to: ops say which tensor they read and
// write. A kernel as a whole is one value made of its operands.

// An op whose results are named after its `name`-like attributes (%i, %j) when it prints.
class Cin_NamedOp<string mnemonic, list<Trait> traits = []>
    : Cin_Op<mnemonic, !listconcat([DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>], traits)>;

def Cin_Assembly : I32EnumAttr<"Assembly", "how the result of a kernel is built", [
    I32EnumAttrCase<"Insert", 0, "insert">, I32EnumAttrCase<"Append", 1, "append">,
    I32EnumAttrCase<"Scatter", 2, "scatter">, I32EnumAttrCase<"Collect", 3, "collect">,
    I32EnumAttrCase<"Record", 4, "record">, I32EnumAttrCase<"Copy", 5, "copy">]> {
  let cppNamespace = "::lacuna::cin";
  let genSpecializedAttr = 0;
}
def Cin_AssemblyAttr : EnumAttr<Cin_Dialect, Cin_Assembly, "assembly">;

def Cin_KernelOp : Cin_Op<"kernel", [IsolatedFromAbove, NoTerminator, SingleBlock, MemoryEffects<[MemRead]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "A statement as loops over index variables";
  let description = [{
    The block arguments are the operands and, last, the result. `fills`, where present, has the value
    where nothing is stored for each of them. `tensor_names`, where present, names them; they print so.
    With `drop_zeros` entries whose value equals the result's fill are left out. Schedules leave a
    `conversion` alone. `schedule` has commands that `cin-schedule` applies to this one.

    `by`, where `cin-choose-assembly` has put it, says how the result is built. Its levels must allow that:

    | | entries | levels |
    | --- | --- | --- |
    | `by insert` | go where they belong, as they come | all can insert |
    | `by append` | come in the order of the levels | those that do not insert append |
    | `by scatter` | are counted, then placed under their parents | one that can be scattered into, below levels that insert |
    | `by collect` | are counted level by level, then placed, in any order | all can insert or be collected |
    | `by record` | come in any order, several at one coordinate too, and are sorted, added up and appended last | those that do not insert append, right above the values |
    | `by copy` | are those of an operand, whose levels are copied; each value goes where that has its own | those of the operand, above others that insert |

    Index variables have distinct names, and no forall stands inside another one over its variable. What is
    subscripted with is known there: by a forall over it, or by a relation from those that are. Operands are
    read, the result is assigned to; a workspace is assigned to in the producer of its `cin.where`, and read
    in the consumer.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, OptionalAttr<ArrayAttr>:$fills,
                       OptionalAttr<StrArrayAttr>:$tensor_names, UnitAttr:$drop_zeros,
                       UnitAttr:$conversion, OptionalAttr<StrAttr>:$schedule,
                       OptionalAttr<Cin_AssemblyAttr>:$assembly);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` (`by` custom<Assembly>($assembly)^)? attr-dict-with-keyword custom<IsolatedBody>($body) `:`
    functional-type($inputs, $result)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Cin_IndexOp : Cin_NamedOp<"index", [Pure]> {
  let summary = "An index variable of the statement";
  let description = [{
    `%i = cin.index "i"`. Its extent is that of the dimensions that it subscripts bare, or `extent`; of a subscript
    (`cin.subscript`) that nothing else tells it of, that of its range.
    `%i_1 = cin.index "i_1" like %i` has the extent of another variable.
  }];
  let arguments = (ins Optional<Cin_IndexType>:$like, StrAttr:$name, OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$extent);
  let results = (outs Cin_IndexType:$result);
  let assemblyFormat = "$name (`like` $like^)? (`extent` $extent^)? attr-dict";
}

def Cin_SplitOp : Cin_NamedOp<"split", [StatesRelation]> {
  let summary = "Splits a variable into an outer and an inner one";
  let description = [{
    `%i0, %i1 = cin.split %i by 32("i0", "i1")`: i = 32 * i0 + i1, 0 <= i1 < 32. The inner extent is the
    constant; with `up` the outer one is.
  }];
  let arguments = (ins Cin_IndexType:$parent, ConfinedAttr<I64Attr, [IntPositive]>:$size, StrAttr:$outer_name, StrAttr:$inner_name,
                       UnitAttr:$up);
  let results = (outs Cin_IndexType:$outer, Cin_IndexType:$inner);
  let assemblyFormat = "$parent (`up` $up^)? `by` $size `(` $outer_name `,` $inner_name `)` attr-dict";
}

def Cin_CollapseOp : Cin_NamedOp<"collapse", [StatesRelation]> {
  let summary = "Collapses nested variables into one";
  let description = [{
    `%f = cin.collapse %j under %i("f")`: f = i * (extent of j) + j; under several, `under %i1, %i2`, of one inside
    the other. Foralls over `f`, or what it is split into, stand in the place of those over `j`. Outside of the
    forall over `i` pieces of `f` bound `i` as well: inside of them i and j are gone through from where the
    piece begins to where it ends.
  }];
  let arguments = (ins Cin_IndexType:$inner, Variadic<Cin_IndexType>:$above, StrAttr:$name);
  let results = (outs Cin_IndexType:$result);
  let assemblyFormat = "$inner `under` $above `(` $name `)` attr-dict";
  let hasVerifier = 1;
}

def Cin_RemapOp : Cin_NamedOp<"remap", [StatesRelation]> {
  let summary = "A variable that is an expression of others, as a level holds it";
  let description = [{
    `%k = cin.remap(%i, %j) by affine_map<(d0, d1) -> (d1 - d0)>("k")`: the coordinate of a level that holds a
    quotient `i floordiv 4`, a remainder `i mod 4`, or a linear form `2 * i - j + 1`, the negative terms of which
    are counted from their least. Foralls over a quotient and its remainder make the variable itself known
    (i = 4 * ib + ir), and so do those over a linear form and all but one of its variables (j = k + i). A remap may
    be of remaps, one operation each: `(i floordiv 4) mod 4`. A subscript `i + 2 * k` of a `cin.read` is walked along
    its remap, where there is one: the operand's access is bare in it. That of a form with negative parts, `i - k + 3`, is
    counted from zero, not from its least: `%s = cin.remap(%i, %k) by affine_map<(d0, d1) -> (d0 - d1 + 3)>("s") value`. The symbol of a variable is its counter `#i`, the
    number of the entry among those of its `i`: `%n = cin.remap(%i) by affine_map<()[s0] -> (s0)>("n")`; no variable
    follows from it, and one operand alone is walked along it.
  }];
  let arguments = (ins Variadic<Cin_IndexType>:$variables, AffineMapAttr:$map, StrAttr:$name, UnitAttr:$is_value);
  let results = (outs Cin_IndexType:$result);
  let assemblyFormat = "`(` $variables `)` `by` $map `(` $name `)` (`value` $is_value^)? attr-dict";
  let hasVerifier = 1;
}

def Cin_SubscriptOp : Op<Cin_Dialect, "subscript", [StatesRelation]> {
  let summary = "An index variable that is a compound subscript of the result";
  let description = [{
    `cin.subscript %s is (%i, %k) by affine_map<(d0, d1) -> (d0 + d1)>`: %s, a `cin.index`, is the subscript i + k of the
    result, which is assigned to at %s. Foralls over %i and %k make %s known (scatter), foralls over %s and %i make
    %k known where it is in bounds (gather). All i and k keep within the extent of %s, which is checked.
  }];
  let arguments = (ins Cin_IndexType:$subscript, Variadic<Cin_IndexType>:$variables, AffineMapAttr:$map);
  let assemblyFormat = "$subscript `is` `(` $variables `)` `by` $map attr-dict";
  let hasVerifier = 1;
}

def Cin_WindowOp : Cin_NamedOp<"window", [StatesRelation, AttrSizedOperandSegments]> {
  let summary = "What a compound subscript goes through while some of its variables stand still";
  let description = [{
    `%s = cin.window %f at (%j0) by affine_map<(d0) -> (d0 * 64 - 1)> over (%j1, %l) by affine_map<(d0, d1) -> (d0 + d1)>("s")`:
    of `%f`, the form j + l - 1 with j = 64 * j0 + j1, what is left of it where `%j0` is known, counted from where that
    begins: s = f - (64 * j0 - 1). It goes as far as the second map does over its variables, and bounds `%f` by as much. A
    workspace over `%s` has a place for each coordinate that a block of j meets, all values of l included. Factors in the
    second map are positive, and it has no constant.
  }];
  let arguments = (ins Cin_IndexType:$form, Variadic<Cin_IndexType>:$outer, AffineMapAttr:$start,
                       Variadic<Cin_IndexType>:$inner, AffineMapAttr:$reach, StrAttr:$name);
  let results = (outs Cin_IndexType:$result);
  let assemblyFormat = "$form `at` ` ` `(` $outer `)` `by` $start `over` ` ` `(` $inner `)` `by` $reach `(` $name `)` attr-dict";
  let hasVerifier = 1;
}

def Cin_PosOp : Cin_NamedOp<"pos", [StatesRelation]> {
  let summary = "From the coordinate space of a variable to the position space of an operand";
  let description = [{
    `%p = cin.pos %j in %A level 1 under %i("p") : tensor<?x?xf64, #CSR>`: `p` numbers the stored entries of
    `A` at the level that holds `j`, below those that hold `i`: one variable for each level above. Foralls over `p`, or
    what it is split into, stand in the place of those over `j`. The positions are those of the whole level: outside
    of the forall over `i` pieces of `p` bound `i` as well. Below the levels above, `p` is counted up: it is
    not gone through in strides.
  }];
  let arguments = (ins Cin_IndexType:$parent, AnyRankedTensor:$tensor, I64Attr:$level, Variadic<Cin_IndexType>:$above, StrAttr:$name);
  let results = (outs Cin_IndexType:$result);
  let assemblyFormat = "$parent `in` $tensor `level` $level (`under` $above^)? `(` $name `)` attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def Cin_CoordOp : Cin_NamedOp<"coord", [StatesRelation]> {
  let summary = "From a position space back to the coordinate space";
  let description = [{
    `%c = cin.coord %p1 of %j under %p0("c")`: where `p1` goes through positions of the piece `p0`, in the place of `j`,
    `c` goes through the coordinates j of that piece. Foralls over `c` stand in the place of those over `p1`.
  }];
  let arguments = (ins Cin_IndexType:$parent, Cin_IndexType:$variable, Variadic<Cin_IndexType>:$pieces, StrAttr:$name);
  let results = (outs Cin_IndexType:$result);
  let assemblyFormat = "$parent `of` $variable (`under` $pieces^)? `(` $name `)` attr-dict";
}

def Cin_TwinOp : Cin_NamedOp<"twin", [StatesRelation]> {
  let summary = "A variable that is to one what another one is to another whole";
  let description = [{
    `%iw = cin.twin %v of %i1("iw")`: where `%i0, %i1 = cin.split %i by 32("i0", "i1")`, `iw` is to `v` what `i1` is to
    `i`, with the same `i0`: v = 32 * i0 + iw. So the producer of a workspace goes through the pieces that its consumer
    goes through, over variables of its own. Foralls over `iw` stand in the place of those over `v`.
  }];
  let arguments = (ins Cin_IndexType:$parent, Cin_IndexType:$twin, StrAttr:$name);
  let results = (outs Cin_IndexType:$result);
  let assemblyFormat = "$parent `of` $twin `(` $name `)` attr-dict";
}

def Cin_BoundKind : I32EnumAttr<"BoundKind", "what is said of an extent", [
    I32EnumAttrCase<"MaxExact", 0, "max_exact">, I32EnumAttrCase<"MinExact", 1, "min_exact">,
    I32EnumAttrCase<"MaxConstraint", 2, "max_constraint">, I32EnumAttrCase<"MinConstraint", 3, "min_constraint">]> {
  let cppNamespace = "::lacuna::cin";
  let genSpecializedAttr = 0;
}

def Cin_BoundKindAttr : EnumAttr<Cin_Dialect, Cin_BoundKind, "bound_kind">;

def Cin_BoundOp : Cin_NamedOp<"bound", [StatesRelation]> {
  let summary = "States where a variable begins and ends";
  let description = [{
    `%b = cin.bound %i max_exact 100("b")`: i ends before 100, with `max_constraint` there or earlier; code is made
    for 100 as a constant. With `min_exact` and `min_constraint` it begins there, or later: at 0, as all variables do.
    Foralls over `b` stand in the place of those over `i`. What does not hold of the operands is an error where the
    kernel begins.
  }];
  let arguments = (ins Cin_IndexType:$parent, ConfinedAttr<I64Attr, [IntNonNegative]>:$size, Cin_BoundKindAttr:$kind, StrAttr:$name);
  let results = (outs Cin_IndexType:$result);
  let assemblyFormat = "$parent custom<BoundKind>($kind) $size `(` $name `)` attr-dict";
}

def Cin_Unit : I32EnumAttr<"Unit", "what runs the iterations of a forall", [
    I32EnumAttrCase<"Serial", 0, "serial">, I32EnumAttrCase<"CpuThread", 1, "cpu_thread">,
    I32EnumAttrCase<"CpuVector", 2, "cpu_vector">, I32EnumAttrCase<"GpuBlock", 3, "gpu_block">,
    I32EnumAttrCase<"GpuWarp", 4, "gpu_warp">, I32EnumAttrCase<"GpuThread", 5, "gpu_thread">]> {
  let cppNamespace = "::lacuna::cin";
}

def Cin_Race : I32EnumAttr<"Race", "how races between iterations are resolved", [
    I32EnumAttrCase<"NoRaces", 0, "no_races">, I32EnumAttrCase<"IgnoreRaces", 1, "ignore_races">,
    I32EnumAttrCase<"Atomics", 2, "atomics">, I32EnumAttrCase<"Temporary", 3, "temporary">,
    I32EnumAttrCase<"ParallelReduction", 4, "parallel_reduction">]> {
  let cppNamespace = "::lacuna::cin";
}

def Cin_ForallOp : Cin_Op<"forall", [NoTerminator, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "All iterations of an index variable";
  let description = [{
    ```mlir
    cin.forall %i on cpu_thread no_races { ... }
    cin.forall %j unroll 4 { ... }
    cin.forall %j strategies {lanes = 4, read_ahead = 64} { ... }
    ```
    The unit says what runs the iterations, the race strategy what happens where several of them
    write to one place. Made into code today: `serial`, `cpu_thread`, and
    `cpu_vector` (with `no_races` lanes lie across the variable, with `parallel_reduction` along it); all race strategies. `strategies` are those of the `sit.coiterate` ops
    that become of it, in place of what would be chosen; `{}` for none.
  }];
  let arguments = (ins Cin_IndexType:$variable, DefaultValuedAttr<Cin_Unit, "::lacuna::cin::Unit::Serial">:$unit,
                       DefaultValuedAttr<Cin_Race, "::lacuna::cin::Race::NoRaces">:$race, OptionalAttr<I64Attr>:$unroll,
                       OptionalAttr<DictionaryAttr>:$strategies);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Cin_WorkspaceOp : Cin_NamedOp<"workspace"> {
  let summary = "A temporary over index variables";
  let description = [{
    A tensor of the given format whose dimensions have the extents of `variables`; of order 0, a scalar.
    Prints as `%w`, a scalar as `%t`.

    ```mlir
    %w = cin.workspace(%k) : tensor<?xf64, #tin.format<(k) -> (k : accumulator)>>
    %v = cin.workspace(%j, %k) : tensor<?x?xf64>
    %t = cin.workspace() : tensor<f64>
    ```
    One of several variables has dense levels. A schedule names it: `%v = cin.workspace(%j) named "v" : tensor<?xf64>`.
  }];
  let arguments = (ins Variadic<Cin_IndexType>:$variables, OptionalAttr<StrAttr>:$name);
  let results = (outs Res<AnyRankedTensor, "", [MemAlloc]>:$result);
  let assemblyFormat = "`(` $variables `)` (`named` $name^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Cin_WhereOp : Cin_Op<"where", [NoTerminator, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "A consumer that reads a workspace, and the producer that fills it before";
  let description = [{
    ```mlir
    cin.where {
      cin.forall %k { %v = cin.read %w[%k] ...  cin.assign %A[%i, %k] = %v }
    } producing %w {
      cin.forall %j { cin.forall %k { ... cin.assign %w[%k] add %p } }
    } : tensor<?xf64, #tin.format<(k) -> (k : accumulator)>>
    ```
    The workspace is empty (its reduction's identity everywhere) when the producer starts. `factored`, of one without
    dimensions: the sum that is produced was a part of another as the statement is written.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemWrite]>:$workspace, UnitAttr:$factored);
  let regions = (region SizedRegion<1>:$consumer, SizedRegion<1>:$producer);
  let assemblyFormat = "$consumer `producing` $workspace $producer attr-dict `:` type($workspace)";
  let hasVerifier = 1;
}

def Cin_ReadOp : Cin_Op<"read", [StatesRelation]> {
  let summary = "The value of a tensor at subscripts";
  let description = [{
    `%a = cin.read %A[%i + %k, 2 * %j] : tensor<?x?xf64, #CSR>`. That the subscripts fit the dimensions of the
    tensor is a relation, which holds though the value is not used. With `pad` those that are more than a variable
    need not: out of range the value is the tensor's fill, or with `pad(1.0 : f64)` that value.
  }];
  let arguments = (ins Arg<AnyType, "", [MemRead]>:$tensor, Variadic<Cin_IndexType>:$variables, AffineMapAttr:$map,
                       OptionalAttr<AnyAttr>:$pad);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Cin_StoredOp : Cin_Op<"stored", [Pure]> {
  let summary = "Whether a value that is read is stored";
  let description = [{
    `%s = cin.stored %a : f64`: of a `cin.read`, true where its tensor has an entry, whatever the value. So what is computed
    can be told from what stands for it elsewhere: with `arith.select %s, %v, %z`, where `%z` is nothing, loops go
    through the entries alone.
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs I1:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Cin_AssignOp : Cin_Op<"assign"> {
  let summary = "Assigns to, or reduces into, a tensor at subscripts";
  let description = [{
    `cin.assign %y[%i] = %v : tensor<?xf64>` or, with a reduction (`add mul min max and or xor`),
    `cin.assign %y[%i] add %v : tensor<?xf64>`. `identity`, where present in the attribute dictionary, is
    the value that the reduction starts from.
  }];
  let arguments = (ins Arg<AnyRankedTensor, "", [MemRead, MemWrite]>:$tensor, Variadic<Cin_IndexType>:$variables, AnyType:$value, AffineMapAttr:$map,
                       OptionalAttr<Reduction>:$kind, OptionalAttr<TypedAttrInterface>:$identity);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // LACUNA_CIN_TD
