//===- Tin.td - tensor index notation ----------------------------------------------------------===//
//
// The rung that says *what* is computed, and how each tensor is stored.
//
//===--------------------------------------------------------------------------------------------===//

#ifndef LACUNA_TIN_TD
#define LACUNA_TIN_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/TensorEncoding.td"
include "Common.td"

def Tin_Dialect : Dialect {
  let name = "tin";
  let cppNamespace = "::lacuna::tin";
  let summary = "Tensor index notation: what is computed, and how each tensor is stored";
  let description = [{
    A statement of tensor index notation assigns to every coordinate of a result an expression of the
    operands' values, summed (or reduced by another operator) over the index variables that the result
    does not have:

    ```mlir
    #CSR = #tin.format<(i, j) -> (i : dense, j : compressed)>
    %y = tin.einsum "y(i) = A(i,j) * x(j)" (%A, %x)
       : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
    ```

    `tin.einsum` is the notation as people write it, `tin.compute` the same with the algebra spelled
    out. A tensor without an encoding is dense and row-major. Element types are `f64 f32 f16 bf16`,
    `i8 i16 i32 i64` and `complex<f32>`, `complex<f64>`.

    An argument of a function may say what there will be, for choices that depend on it, such as those of
    loops and workspaces: `tin.holds = array<i64: 21000, 3000, 2000>` is a tensor of 3000 x 2000 with 21000 entries, or about so,
    `array<i64: 21000, 3000, 2000, 800, 20>` one of which a row has up to 800 and a column up to 20 entries (0: not known),
    `array<i64: 21000, 3000, 2000, 0, 0, 50, 1000>` one whose entries are in about 50 rows and 1000 columns (where `n` are at a
    coordinate: `(sum n)^2 / sum n^2`; 0: not known, as where they are spread over about all).
    Results do not depend on it.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasRegionArgAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::complex::ComplexDialect"];
}

//===--------------------------------------------------------------------------------------------===//
// Formats
//===--------------------------------------------------------------------------------------------===//

class Tin_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Tin_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Tin_Reduction : I32EnumAttr<"Reduction", "the operator of a reduction", [
    I32EnumAttrCase<"Add", 1, "add">, I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"Max", 4, "max">, I32EnumAttrCase<"And", 5, "and">, I32EnumAttrCase<"Or", 6, "or">,
    I32EnumAttrCase<"Xor", 7, "xor">]> {
  let cppNamespace = "::lacuna::tin";
  let genSpecializedAttr = 0;
}

def Tin_ReductionAttr : EnumAttr<Tin_Dialect, Tin_Reduction, "reduction"> {
  let assemblyFormat = "`<` $value `>`";
}

def Tin_LevelAttr : Tin_Attr<"Level", "level"> {
  let summary = "One level: a level format by name, with its properties and parameters";
  let description = [{
    `compressed`, `compressed(nonunique)`, `singleton(nonunique, unordered)`, `nm(2, 4)`: a name, then
    in parentheses what it lacks of its properties and its integer parameters. The verifier of the
    format asks only that the text reads; the passes look the name up in the registry of level formats.
    `properties` is a set of bits: 1 nonunique, 2 unordered.
  }];
  let parameters = (ins StringRefParameter<"the level format">:$name, "unsigned":$properties,
                        ArrayRefParameter<"int64_t">:$arguments);
  let hasCustomAssemblyFormat = 1;
}

def Tin_FormatAttr : Tin_Attr<"Format", "format",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "How a tensor is stored: dimensions on the left, levels on the right";
  let description = [{
    ```
    #tin.format<(i, j) -> (i : dense, j : compressed)>
    #tin.format<(i, j) -> (j : dense, i : compressed), pos = 32, crd = 32>
    #tin.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
    #tin.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>
    #tin.format<(i, j) -> (#i : dense, i : dense, j : singleton)>
    #tin.format<(i, j) -> (i : dense, j : compressed), symmetric(i, j)>
    ```

    `map` takes the dimensions (and as symbol number d the counter `#d`, which numbers the stored entries
    of each coordinate of dimension d) to the levels' coordinates, outermost level first. `posWidth` and
    `crdWidth` are the widths in bits of stored positions and coordinates: 8, 16, 32 or 64 (the default).

    `triangle` is empty, or a kind and two dimensions. `symmetric(i, j)`: the tensor is the same with i and
    j exchanged, and only entries with i >= j are stored. `lower(i, j)` (i >= j) and `strictly_lower(i, j)`
    (i > j): others may be stored, but are not seen (`tin.view`).

    A module prints its formats first, each under a name made of its levels' (`#dense_compressed`).
  }];
  let parameters = (ins "::mlir::AffineMap":$map, ArrayRefParameter<"LevelAttr">:$levels,
                        "unsigned":$posWidth, "unsigned":$crdWidth,
                        ArrayRefParameter<"int64_t">:$triangle);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===--------------------------------------------------------------------------------------------===//
// Operations
//===--------------------------------------------------------------------------------------------===//

// Tensors are values, but what they store may be borrowed (tin.assemble, tin.disassemble), or be a
// file: an op that looks at it is not moved past a write of memory, and is one with its like only
// where nothing is written in between. Nor is it speculated: it may end the program with a status.
def ReadsStored : MemoryEffects<[MemRead]>;

// An op that stands for what it does: it writes a file, or ends the program where something is wrong.
def Acts : MemoryEffects<[MemRead, MemWrite]>;

class Tin_Op<string mnemonic, list<Trait> traits = []> : Op<Tin_Dialect, mnemonic, traits>;

def Tin_EinsumOp : Tin_Op<"einsum", [ReadsStored]> {
  let summary = "A statement in tensor index notation, as text";
  let description = [{
    The operands stand in the order in which their names first appear on the right-hand side; with `+=`
    the result's previous value comes first. Expands to `tin.compute`.

    The grammar: `name(subscripts) = expression` or `+=`; expressions of `+ - * /`, unary minus,
    parentheses, numbers, accesses `A(i, j+k)`, scalars `beta` or `beta()`, and named functions (`exp`,
    `sqrt`, `abs`, `max(x, y)`, `min(x, y)`, ...). Each term of a sum is reduced over those of its index
    variables that the result does not have, by sum or by the semiring given; docs/language.md has
    the rules and examples.

    ```mlir
    %d = tin.einsum "d(i) = A(i,j) * x(j)" (%A, %x) semiring "min_plus" : (...) -> tensor<?xf64>
    ```

    `extents = {k = 4}`, in the attribute dictionary, says how far index variables go; what they
    subscript must agree, or reach as far. `schedule = "split(i,i0,i1,32)"` has commands for its loops
    (docs/schedules.md).
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$expression, OptionalAttr<StrAttr>:$semiring,
                       OptionalAttr<DictionaryAttr>:$extents, OptionalAttr<StrAttr>:$schedule);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    custom<StatementText>($expression) `(` $inputs `)` (`semiring` $semiring^)? attr-dict `:` functional-type($inputs, $result)
  }];
  let hasVerifier = 1;
}

def Tin_ComputeOp : Tin_Op<"compute", [ReadsStored]> {
  let summary = "A statement in tensor index notation, with its algebra spelled out";
  let description = [{
    ```mlir
    %y = tin.compute (i, j) %A[i, j], %x[j] -> [i] {
    ^bb0(%a: f64, %b: f64):
      %p = arith.mulf %a, %b : f64
      %s = tin.reduce add %p over (j) : f64
      tin.yield %s : f64
    } : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?xf64>
    ```

    - `variables` are the names of the index variables; `maps` holds an affine map from them to the
      subscripts, for each operand and, last, for the result (bare variables, each at most once).
    - `subscripts = {s = affine_map<(i, k, s) -> (i + k)>}`, where present, says that the result has a compound
      subscript, i + k, and calls it s: the map is from all variables. A `tin.reduce` over i and k `at` s holds, at each
      value of s, of those i and k alone that have it as their subscript (scatter).
    - The block arguments are the operands' values at the subscripts.
    - `fills`, where present, holds the value where nothing is stored, for each operand and, last, for
      the result (default: zero).
    - `%x[i + k - 1] pad` is the operand's fill where the subscripts that are more than a variable are out of
      range, `%x[i + k - 1] pad(1.0 : f64)` that value; without, they must be in range. `pads` holds a unit or
      the value for each operand, `false` for one that is not padded.
    - Loops leave out where the value follows from fills: of floats, what annihilates an operator does
      so where nothing is stored (0 of `arith.mulf`, an infinite fill of `arith.addf`). What is said of
      integers holds of all: `arith.addi` wraps, and a greatest integer that stands for infinity is one
      where an `arith.select` says so, as `tin.einsum` writes for a semiring.
    - `tensor_names`, where present, names operands and result for people.
    - `alike = {j_1 = "j"}`, where present, says that the variable `j_1` goes as far as `j`: two sums
      over what was one variable, whose sizes must agree, or of which only one is told.
    - `extents = {k = 4}`, where present, says how far variables go: bare subscripts must agree with
      it, compound ones stay within their dimensions.
    - `record`, where present, says that entries of the result may come in any order, several at one
      coordinate too: they are scattered, and ordered and added up afterwards.
    - `order`, where present, has the index variables as their loops stand, outermost first: what is stored
      otherwise is converted for them (`cin-insert-conversions`).
    - `order_is_chosen`, where present, says that nobody asked for `order`: it was estimated to be the cheapest
      (`tin-insert-conversions`).
    - `schedule`, where present, has the commands that `cin-schedule` applies to the loops of the statement:
      `schedule = "split(i,i0,i1,32) unroll(i1,4)"`.
    - `drop_zeros`, where present, says that entries whose value equals the result's fill are left out.
    - `conversion`, where present, says that nobody wrote the statement: it converts a tensor, and no
      schedule is for it.
    - Every index variable that the result does not have, and that its value depends on, is reduced by
      exactly one `tin.reduce`; nothing outside that reduction depends on it. An operand whose value is
      not used still has to have a shape that fits.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, AffineMapArrayAttr:$maps, StrArrayAttr:$variables,
                       OptionalAttr<ArrayAttr>:$pads, OptionalAttr<ArrayAttr>:$fills, OptionalAttr<StrArrayAttr>:$tensor_names,
                       OptionalAttr<DictionaryAttr>:$alike, OptionalAttr<DictionaryAttr>:$extents, OptionalAttr<DictionaryAttr>:$subscripts, OptionalAttr<StrArrayAttr>:$order, UnitAttr:$order_is_chosen, UnitAttr:$record, UnitAttr:$drop_zeros,
                       UnitAttr:$conversion, OptionalAttr<StrAttr>:$schedule);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Tin_ReduceOp : Tin_Op<"reduce", [Pure, SameOperandsAndResultType]> {
  let summary = "Reduction of a term over index variables";
  let description = [{
    `tin.reduce add %p over (j, k) : f64`. `kind` is `add mul min max and or xor`. The identity is the
    operator's (zero for add, +infinity for min, ...) unless `identity`, in the attribute dictionary,
    says otherwise. `variables` are names of the enclosing `tin.compute`'s variables. `factored`: it was a part of a
    sum as the statement is written (`tin-factor-reductions`).

    `tin.reduce add %p over (i, k) at (s) : f64` reduces, where `subscripts` of the tin.compute has s = i + k, over those
    i and k whose sum is s: what comes to one coordinate of the result. It may be over no variables: where s = i + 1
    and the result has i, %p counts at one s alone, and the identity everywhere else.
  }];
  let arguments = (ins AnyType:$value, Reduction:$kind, StrArrayAttr:$variables,
                       OptionalAttr<TypedAttrInterface>:$identity, OptionalAttr<StrArrayAttr>:$at, UnitAttr:$factored);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<Reduction>($kind) $value `over` custom<Names>($variables) (`at` custom<Names>($at)^)? attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
}

def Tin_YieldOp : Tin_Op<"yield", [Pure, Terminator, HasParent<"ComputeOp">]> {
  let summary = "The value of a tin.compute at one coordinate of its result";
  let description = [{
    `tin.yield %s : f64` ends the body of a `tin.compute`.
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Tin_ConvertOp : Tin_Op<"convert", [ReadsStored]> {
  let summary = "The same tensor, stored otherwise";
  let description = [{
    ```mlir
    %B = tin.convert %A : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSR>
    ```
    Shapes and element types agree. `fill`, in the attribute dictionary, is the value where nothing is stored (default: zero);
    levels that store all coordinates store it. With `drop_zeros` entries whose value equals it are not stored where levels
    can do without, sums of duplicates too; a block stays as it is once some entry is in it. `tensor_name` is what messages
    call the tensor.
  }];
  let arguments = (ins AnyRankedTensor:$source, OptionalAttr<TypedAttrInterface>:$fill, UnitAttr:$drop_zeros);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def Tin_ViewOp : Tin_Op<"view", [Pure]> {
  let summary = "The same stored tensor, seen as symmetric, or in part";
  let description = [{
    The formats differ in their triangle alone: nothing is copied.

    ```mlir
    %L = tin.view %A : tensor<?x?xf64, #symmetric> to tensor<?x?xf64, #CSR>
    %U = tin.view %A : tensor<?x?xf64, #symmetric> to tensor<?x?xf64, #strictly_lower_CSR>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def Tin_RequireEqualOp : Tin_Op<"require_equal", [Acts]> {
  let summary = "An error unless two tensors store the same";
  let description = [{
    Both have the same levels over their own dimensions, in their own order. A matrix by rows and by
    columns stores the same where it is symmetric. `reason` is the error's message.

    ```mlir
    tin.require_equal %by_rows, %by_columns else "expected a symmetric matrix"
      : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$left, AnyRankedTensor:$right, StrAttr:$reason);
  let assemblyFormat = "$left `,` $right `else` $reason attr-dict `:` type($left) `,` type($right)";
  let hasVerifier = 1;
}

def Tin_ReadOp : Tin_Op<"read", [ReadsStored]> {
  let summary = "A tensor from a file";
  let description = [{
    ```mlir
    %A = tin.read "web.mtx" : tensor<?x?xf64, #CSR>
    ```
    Matrix Market and FROSTT `.tns`, plain or gzip. A tensor of any format can be read: other formats
    than a list of entries in any order are converted to (`tin-lower-conversions`).
  }];
  let arguments = (ins StrAttr:$file);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$file attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tin_WriteOp : Tin_Op<"write", [Acts]> {
  let summary = "A tensor to a file";
  let description = [{
    `tin.write %y, "y.mtx" : tensor<?xf64>`. The end of the name says what is written: `.mtx`, `.tns`,
    and either with `.gz`.
  }];
  let arguments = (ins AnyRankedTensor:$source, StrAttr:$file);
  let assemblyFormat = "$source `,` $file attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def Tin_PrintOp : Tin_Op<"print", [Acts]> {
  let summary = "The stored entries of a tensor to standard output, one a line";
  let description = [{
    `tin.print %y : tensor<?xf64>`. Coordinates count from 1, as in a `.tns` file.
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def Tin_MatchOp : Tin_Op<"match", [Acts]> {
  let summary = "Ends the program with a shape error unless two dimensions have one size";
  let description = [{
    `tin.match "j" %A[1], %x[0] : tensor<?x?xf64, #CSR>, tensor<?xf64>`: what is left of a statement on both
    when it is split in two (`tin-split-terms`).
  }];
  let arguments = (ins StrAttr:$variable, AnyRankedTensor:$expected, I64Attr:$expected_dimension,
                       AnyRankedTensor:$found, I64Attr:$found_dimension);
  let assemblyFormat = [{
    $variable $expected `[` $expected_dimension `]` `,` $found `[` $found_dimension `]` attr-dict `:`
    type($expected) `,` type($found)
  }];
  let hasVerifier = 1;
}

def Tin_AssembleOp : Tin_Op<"assemble", [ReadsStored, AttrSizedOperandSegments]> {
  let summary = "A stored tensor from its arrays";
  let description = [{
    The dimensions, then for each level the arrays that its format stores (positions, coordinates),
    then the values; the tensor borrows them. That they are sound is checked where it is made. What is
    written to them later is for a tensor assembled anew: one made before may show it, or not.

    ```mlir
    %A = tin.assemble [%m, %n] (%pos, %crd, %vals)
       : (memref<?xi64>, memref<?xi64>, memref<?xf64>) -> tensor<?x?xf64, #CSR>
    ```
  }];
  let arguments = (ins Variadic<Index>:$dimensions, Variadic<AnyMemRef>:$arrays);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    `[` $dimensions `]` `(` $arrays `)` attr-dict `:` functional-type($arrays, $result)
  }];
}

def Tin_DisassembleOp : Tin_Op<"disassemble", [Pure]> {
  let summary = "The arrays of a stored tensor, as tin.assemble takes them";
  let description = [{
    ```mlir
    %pos, %crd, %vals = tin.disassemble %A : tensor<?x?xf64, #CSR>
       to memref<?xi64>, memref<?xi64>, memref<?xf64>
    ```
    The tensor goes on owning them.
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs Variadic<AnyMemRef>:$arrays);
  let hasVerifier = 1;
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($arrays)";
}

#endif // LACUNA_TIN_TD
