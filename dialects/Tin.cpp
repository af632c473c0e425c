//===- Tin.cpp - the tensor index notation dialect: assembly and verifiers
//---------------------===//

#include "Tin.hpp"
#include "arena.h"
#include "format_text.h"
#include "mlir/CAPI/AffineExpr.h"
#include "mlir/CAPI/AffineMap.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectImplementation.h"
#include "tin.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lacuna;
using namespace lacuna::tin;

/// The text of a tin.einsum: what is wrong in it is said at its place.
static ParseResult parseStatementText(OpAsmParser &parser, StringAttr &text) {
  std::unique_ptr<arena, decltype(&arena_free)> memory(arena_create(), arena_free);
  const char *quote = parser.getCurrentLocation().getPointer();
  int column = 0;
  if (parser.parseAttribute(text, parser.getBuilder().getNoneType()))
    return failure();
  const char *problem = tinTextProblem(memory.get(), wrap(text.getValue()), &column);
  if (!problem)
    return success();
  return parser.emitError(SMLoc::getFromPointer(quote + column))
         << "column " << column << " of the expression: " << problem;
}

static void printStatementText(OpAsmPrinter &printer, Operation *, StringAttr text) {
  printer.printAttributeWithoutType(text);
}

#include "TinDialect.cpp.inc"
#include "TinEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "TinAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "TinOps.cpp.inc"

namespace {

/// Formats print under a name made of their levels': #dense_compressed = #tin.format<...>.
struct FormatNames : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    auto format = dyn_cast<FormatAttr>(attribute);
    if (!format || format.getLevels().empty())
      return AliasResult::NoAlias;
    llvm::interleave(format.getLevels(), os, [&](LevelAttr level) { os << level.getName(); }, "_");
    return AliasResult::FinalAlias;
  }
};

} // namespace

/* tin.holds: a number of entries, the size of each dimension, and then, where that is known, the
 * most entries with one coordinate of each, and over how many coordinates of each they are spread.
 */
LogicalResult TinDialect::verifyRegionArgAttribute(Operation *op, unsigned region,
                                                   unsigned argument, NamedAttribute attribute) {
  if (attribute.getName() != "tin.holds")
    return success();
  auto numbers = llvm::dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  auto type =
      llvm::dyn_cast<RankedTensorType>(op->getRegion(region).getArgument(argument).getType());
  int64_t rank = type ? type.getRank() : 0;
  if (numbers && type && numbers.size() > rank && numbers.size() <= 3 * rank + 1 &&
      (rank == 0 || numbers.size() % rank == 1 % rank) &&
      llvm::all_of(numbers.asArrayRef(), [](int64_t number) { return number >= 0; }))
    return success();
  return op->emitOpError(
             "expected 'tin.holds' of a tensor to be its number of entries, the size of "
             "each dimension and, if at all, the most entries with one coordinate of each, and "
             "over how many coordinates of each they are spread, found ")
         << attribute.getValue() << " of argument " << argument;
}

void TinDialect::initialize() {
  addInterfaces<FormatNames>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TinAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "TinOps.cpp.inc"
      >();
}

static LevelAttr level(MlirAttribute a) {
  return cast<LevelAttr>(unwrap(a));
}
static FormatAttr format(MlirAttribute a) {
  return cast<FormatAttr>(unwrap(a));
}

static void writeTo(MlirStringRef text, void *stream) {
  *static_cast<raw_ostream *>(stream) << unwrap(text);
}

//===--------------------------------------------------------------------------------------------===//
// #tin.format and #tin.level
//===--------------------------------------------------------------------------------------------===//

/// Reads the parser's text by `read` and says why where it does not read.
static bool readText(AsmParser &parser, arena *memory, decltype(format_text_read) read,
                     format_text &text) {
  const char *start = parser.getCurrentLocation().getPointer();
  if (read(memory, wrap(parser.getContext()), start, &text))
    return true;
  parser.emitError(SMLoc::getFromPointer(text.at)) << text.error;
  return false;
}

Attribute FormatAttr::parse(AsmParser &parser, Type) {
  std::unique_ptr<arena, decltype(&arena_free)> memory(arena_create(), arena_free);
  SMLoc start = parser.getCurrentLocation();
  format_text text;
  if (!readText(parser, memory.get(), format_text_read, text))
    return {};
  auto levels = llvm::map_to_vector(ArrayRef(text.levels, text.level_count), level);
  return FormatAttr::getChecked([&] { return parser.emitError(start); }, parser.getContext(),
                                unwrap(text.map), ArrayRef<LevelAttr>(levels), text.position_width,
                                text.coordinate_width,
                                ArrayRef<int64_t>(text.triangle, text.triangle_count));
}

Attribute LevelAttr::parse(AsmParser &parser, Type) {
  std::unique_ptr<arena, decltype(&arena_free)> memory(arena_create(), arena_free);
  format_text text;
  return readText(parser, memory.get(), level_text_read, text) ? unwrap(text.levels[0])
                                                               : Attribute();
}

void LevelAttr::print(AsmPrinter &printer) const {
  level_text_write(wrap(Attribute(*this)), writeTo, &printer.getStream());
}

void FormatAttr::print(AsmPrinter &printer) const {
  format_text_write(wrap(Attribute(*this)), writeTo, &printer.getStream());
}

static bool hasSymbol(AffineMap map) {
  for (unsigned s = 0; s < map.getNumSymbols(); ++s)
    if (map.isFunctionOfSymbol(s))
      return true;
  return false;
}

static bool isTriangle(ArrayRef<int64_t> triangle, int64_t dims) {
  auto isDim = [&](int64_t dim) { return 0 <= dim && dim < dims; };
  return triangle.size() == 3 && TIN_SYMMETRIC <= triangle[0] &&
         triangle[0] <= TIN_STRICTLY_LOWER && isDim(triangle[1]) && isDim(triangle[2]) &&
         triangle[1] != triangle[2];
}

LogicalResult FormatAttr::verify(function_ref<InFlightDiagnostic()> emitError, AffineMap map,
                                 ArrayRef<LevelAttr> levels, unsigned posWidth, unsigned crdWidth,
                                 ArrayRef<int64_t> triangle) {
  if (levels.size() != map.getNumResults())
    return emitError() << "expected a level for each of " << map.getNumResults()
                       << " coordinate expressions, found " << levels.size();
  for (unsigned width : {posWidth, crdWidth})
    if (!llvm::is_contained({8u, 16u, 32u, 64u}, width))
      return emitError() << "expected widths of 8, 16, 32 or 64 bits, found " << width;
  if (map.getNumSymbols() != (hasSymbol(map) ? map.getNumDims() : 0))
    return emitError() << "expected a symbol (counter) for each dimension or, where none is used, "
                          "no symbols, found "
                       << map.getNumSymbols();
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    if (!map.isFunctionOfDim(dim))
      return emitError() << "expected every dimension in some level, found none with dimension "
                         << dim;
  if (!triangle.empty() && !isTriangle(triangle, map.getNumDims()))
    return emitError() << "expected a triangle of two dimensions of the format";
  return success();
}

static bool isStoredType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() || complex.getElementType().isF64();
  return type.isF64() || type.isF32() || type.isF16() || type.isBF16() ||
         (type.isSignlessInteger() &&
          llvm::is_contained({8u, 16u, 32u, 64u}, type.getIntOrFloatBitWidth()));
}

LogicalResult FormatAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  bool elementTypeParsed = bool(elementType);
  if (!elementTypeParsed)
    return failure();
  if (shape.size() != getMap().getNumDims())
    return emitError() << "expected a tensor of order " << getMap().getNumDims()
                       << " as its format has it, found order " << shape.size();
  if (!isStoredType(elementType))
    return emitError() << "expected elements of type f64, f32, f16, bf16, i8, i16, i32, i64, "
                          "complex<f32> or complex<f64>, found "
                       << elementType;
  return success();
}

FormatAttr tin::formatOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return {};
  if (Attribute encoding = tensor.getEncoding())
    return dyn_cast<FormatAttr>(encoding);
  MLIRContext *context = type.getContext();
  SmallVector<LevelAttr> levels(tensor.getRank(), LevelAttr::get(context, "dense", 0, {}));
  auto identity = AffineMap::getMultiDimIdentityMap(tensor.getRank(), context);
  return FormatAttr::get(context, identity, ArrayRef<LevelAttr>(levels), 64, 64,
                         ArrayRef<int64_t>());
}

//===--------------------------------------------------------------------------------------------===//
// tin.compute (i, k) %x[i + k] pad, %w[k] -> [i] attributes {...} { ... } : (...) -> tensor<?xf64>
//===--------------------------------------------------------------------------------------------===//

using Symbols = ArrayRef<std::pair<StringRef, AffineExpr>>;

/// `[i, j + k]` as a map from the variables.
static ParseResult parseSubscripts(OpAsmParser &parser, Symbols variables,
                                   SmallVectorImpl<AffineMap> &maps) {
  SmallVector<AffineExpr> subscripts;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
        return parser.parseAffineExpr(variables, subscripts.emplace_back());
      }))
    return failure();
  maps.push_back(AffineMap::get(variables.size(), 0, subscripts, parser.getContext()));
  return success();
}

/// An entry for each operand, `false` where it is not padded; none where no operand is.
static void addPads(OpAsmParser &parser, ArrayRef<Attribute> pads, OperationState &result) {
  Attribute none = parser.getBuilder().getBoolAttr(false);
  if (llvm::any_of(pads, [](Attribute pad) { return bool(pad); }))
    result.addAttribute("pads", parser.getBuilder().getArrayAttr(llvm::map_to_vector(
                                    pads, [&](Attribute pad) { return pad ? pad : none; })));
}

ParseResult ComputeOp::parse(OpAsmParser &parser, OperationState &result) {
  ArrayAttr names;
  SmallVector<std::pair<StringRef, AffineExpr>> variables;
  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<Attribute> pads;
  FunctionType type;
  if (parseNames(parser, names))
    return failure();
  for (StringAttr name : names.getAsRange<StringAttr>())
    variables.emplace_back(name, getAffineDimExpr(variables.size(), parser.getContext()));

  if (failed(parser.parseOptionalArrow())) {
    auto parseAccess = [&]() -> ParseResult {
      return failure(parser.parseOperand(inputs.emplace_back()) ||
                     parseSubscripts(parser, variables, maps) ||
                     parsePad(parser, pads.emplace_back()));
    };
    if (parser.parseCommaSeparatedList(parseAccess) || parser.parseArrow())
      return failure();
  }
  SMLoc loc = parser.getCurrentLocation();
  Region *body = result.addRegion();
  if (parseSubscripts(parser, variables, maps) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseRegion(*body) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(inputs, type.getInputs(), loc, result.operands))
    return failure();
  result.addTypes(type.getResults());
  addPads(parser, pads, result);
  result.addAttribute("variables", names);
  result.addAttribute("maps", parser.getBuilder().getAffineMapArrayAttr(maps));
  return success();
}

void ComputeOp::print(OpAsmPrinter &printer) {
  SmallVector<MlirStringRef> names;
  for (StringAttr name : getVariables().getAsRange<StringAttr>())
    names.push_back(wrap(name.getValue()));
  auto printSubscript = [&](AffineExpr subscript) {
    subscript_write(wrap(subscript), names.data(), writeTo, &printer.getStream());
  };
  auto printAccess = [&](Attribute map) {
    printer << '[';
    llvm::interleaveComma(cast<AffineMapAttr>(map).getValue().getResults(), printer,
                          printSubscript);
    printer << ']';
  };
  printer << ' ';
  printNames(printer, *this, getVariables());
  for (auto [n, input] : llvm::enumerate(getInputs())) {
    printer << (n ? ", " : " ") << input;
    printAccess(getMaps()[n]);
    printPad(printer, unwrap(tin_compute_pad(wrap(getOperation()), intptr_t(n))));
  }
  printer << " -> ";
  printAccess(getMaps().getValue().back());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"maps", "variables", "pads"});
  printer << ' ';
  printer.printRegion(getBody());
  printer << " : ";
  printer.printFunctionalType(*this);
}

LogicalResult ComputeOp::verifyRegions() {
  return success(tin_compute_verify(wrap(getOperation())));
}

LACUNA_VERIFY(ReduceOp, tin_reduce_verify)
LACUNA_VERIFY(EinsumOp, tin_einsum_verify)
LACUNA_VERIFY(ConvertOp, tin_convert_verify)
LACUNA_VERIFY(ViewOp, tin_view_verify)
LACUNA_VERIFY(RequireEqualOp, verify_orders)
LACUNA_VERIFY(ReadOp, verify_orders)
LACUNA_VERIFY(WriteOp, verify_orders)
LACUNA_VERIFY(PrintOp, verify_orders)
LACUNA_VERIFY(MatchOp, tin_match_verify)
LACUNA_VERIFY(AssembleOp, tin_assemble_verify)
LACUNA_VERIFY(DisassembleOp, tin_disassemble_verify)

//===--------------------------------------------------------------------------------------------===//
// From C
//===--------------------------------------------------------------------------------------------===//

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tin, tin, TinDialect)

bool tinAttributeIsALevel(MlirAttribute a) {
  return isa_and_nonnull<LevelAttr>(unwrap(a));
}
bool tinAttributeIsAFormat(MlirAttribute a) {
  return isa_and_nonnull<FormatAttr>(unwrap(a));
}

MlirAttribute tinLevelAttrGet(MlirContext context, MlirStringRef name, unsigned properties,
                              intptr_t count, const int64_t *arguments) {
  return wrap(LevelAttr::get(unwrap(context), unwrap(name), properties,
                             ArrayRef<int64_t>(arguments, count)));
}

MlirStringRef tinLevelAttrGetName(MlirAttribute a) {
  return wrap(level(a).getName());
}
unsigned tinLevelAttrGetProperties(MlirAttribute a) {
  return level(a).getProperties();
}
intptr_t tinLevelAttrGetNumArguments(MlirAttribute a) {
  return level(a).getArguments().size();
}
int64_t tinLevelAttrGetArgument(MlirAttribute a, intptr_t i) {
  return level(a).getArguments()[i];
}

MlirAttribute tinFormatAttrGet(MlirContext context, MlirAffineMap map, intptr_t count,
                               const MlirAttribute *levels, unsigned positionWidth,
                               unsigned coordinateWidth) {
  auto levelAttrs = llvm::map_to_vector(ArrayRef<MlirAttribute>(levels, count),
                                        [](MlirAttribute a) { return level(a); });
  Location unknown = UnknownLoc::get(unwrap(context));
  return wrap(FormatAttr::getChecked([&] { return emitError(unknown); }, unwrap(context),
                                     unwrap(map), ArrayRef<LevelAttr>(levelAttrs), positionWidth,
                                     coordinateWidth, ArrayRef<int64_t>()));
}

tin_triangle tinFormatAttrGetTriangle(MlirAttribute a, intptr_t *first, intptr_t *second) {
  ArrayRef<int64_t> triangle = format(a).getTriangle();
  if (triangle.empty())
    return TIN_WHOLE;
  *first = triangle[1];
  *second = triangle[2];
  return tin_triangle(triangle[0]);
}

MlirAttribute tinFormatAttrWithTriangle(MlirAttribute a, tin_triangle triangle, intptr_t first,
                                        intptr_t second) {
  FormatAttr f = format(a);
  SmallVector<int64_t> parts;
  if (triangle != TIN_WHOLE)
    parts = {triangle, first, second};
  return wrap(Attribute(FormatAttr::get(f.getContext(), f.getMap(), f.getLevels(), f.getPosWidth(),
                                        f.getCrdWidth(), parts)));
}

MlirAffineMap tinFormatAttrGetMap(MlirAttribute a) {
  return wrap(format(a).getMap());
}
intptr_t tinFormatAttrGetNumLevels(MlirAttribute a) {
  return format(a).getLevels().size();
}
MlirAttribute tinFormatAttrGetLevel(MlirAttribute a, intptr_t i) {
  return wrap(Attribute(format(a).getLevels()[i]));
}
unsigned tinFormatAttrGetPositionWidth(MlirAttribute a) {
  return format(a).getPosWidth();
}
unsigned tinFormatAttrGetCoordinateWidth(MlirAttribute a) {
  return format(a).getCrdWidth();
}
bool tinTypeIsStored(MlirType element) {
  return isStoredType(unwrap(element));
}

MlirAttribute tinTypeGetFormat(MlirType type) {
  return wrap(Attribute(formatOf(unwrap(type))));
}
