//===- Sit.cpp - the sparse iteration dialect: assembly and verifiers
//--------------------------===//

#include "Sit.hpp"
#include "Tin.hpp"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "sit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lacuna;

/// The position of a tensor's level; null, after an error, where it is no tensor.
static Type positionOf(Type tensor, int64_t level, function_ref<InFlightDiagnostic()> error) {
  if (auto ranked = dyn_cast<RankedTensorType>(tensor))
    return sit::PositionType::get(tensor.getContext(), ranked, level);
  error() << "expected a ranked tensor, found " << tensor;
  return Type();
}

/// The type of the position, where there is one, of a level of the tensor; what is above level 0
/// has none, which `none` says.
static ParseResult parsePosition(OpAsmParser &parser,
                                 std::optional<OpAsmParser::UnresolvedOperand> position,
                                 Type tensor, int64_t level, StringRef none, Type &type) {
  if (!position)
    return success();
  auto error = [&] { return parser.emitError(position->location); };
  if (level < 0)
    return error() << none;
  type = positionOf(tensor, level, error);
  return success(type != Type());
}

/// The type of a parent's position, which is not printed: it is of the level above.
static ParseResult parseParentType(OpAsmParser &parser,
                                   std::optional<OpAsmParser::UnresolvedOperand> parent,
                                   Type tensor, IntegerAttr level, Type &type) {
  std::string number = std::to_string(level.getInt());
  return parsePosition(parser, parent, tensor, level.getInt() - 1,
                       "expected no parent's position for level " + number + ", found one", type);
}
static void printParentType(OpAsmPrinter &, Operation *, Value, Type, IntegerAttr, Type) {}

/// The type of the position of a value, likewise: it is of the last level.
static ParseResult parsePlaceType(OpAsmParser &parser,
                                  std::optional<OpAsmParser::UnresolvedOperand> position,
                                  Type tensor, Type &type) {
  MlirAttribute format = tinTypeGetFormat(wrap(tensor));
  if (position && mlirAttributeIsNull(format))
    return parser.emitError(position->location)
           << "expected a tensor with a #tin.format, found '" << tensor << "'";
  int64_t levels = position ? tinFormatAttrGetNumLevels(format) : 0;
  return parsePosition(parser, position, tensor, levels - 1,
                       "expected no position in a tensor without levels, found one", type);
}
static void printPlaceType(OpAsmPrinter &, Operation *, Value, Type, Type) {}

#include "SitDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "SitTypes.cpp.inc"
#define GET_OP_CLASSES
#include "SitOps.cpp.inc"

using namespace lacuna::sit;

void SitDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "SitTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "SitOps.cpp.inc"
      >();
}

LACUNA_VERIFY(KernelOp, kernel_verify)
LACUNA_VERIFY(CoiterateOp, sit_coiterate_verify)
LACUNA_VERIFY(ExtentOp, sit_extent_verify)
LACUNA_VERIFY(AppendOp, sit_level_verify)
LACUNA_VERIFY(EndOp, sit_level_verify)
LACUNA_VERIFY(SortOp, sit_level_verify)
LACUNA_VERIFY(EdgesOp, sit_level_verify)
LACUNA_VERIFY(NumberOp, sit_level_verify)
LACUNA_VERIFY(OrderOp, sit_level_verify)
LACUNA_VERIFY(CountOp, sit_entry_verify)
LACUNA_VERIFY(PlaceOp, sit_entry_verify)
LACUNA_VERIFY(CopiedOp, sit_copied_verify)
LACUNA_VERIFY(LocateOp, sit_entry_verify)
LACUNA_VERIFY(FindOp, sit_entry_verify)
LACUNA_VERIFY(PositionsOp, sit_positions_verify)
LACUNA_VERIFY(CoordinateOp, sit_entry_verify)
LACUNA_VERIFY(ParentsOp, sit_level_verify)
LACUNA_VERIFY(InsertOp, sit_entry_verify)
LACUNA_VERIFY(CloseOp, sit_entry_verify)
LACUNA_VERIFY(ValueOp, sit_stored_verify)
LACUNA_VERIFY(StoreOp, sit_stored_verify)
LACUNA_VERIFY(AccumulateOp, sit_stored_verify)
LACUNA_VERIFY(ResultOp, sit_empty_verify)
LACUNA_VERIFY(WorkspaceOp, sit_empty_verify)

void KernelOp::getAsmBlockArgumentNames(Region &body, OpAsmSetValueNameFn set) {
  nameKernelArguments(body, getTensorNamesAttr(), set);
}

//===--------------------------------------------------------------------------------------------===//
// Names: %i for a coordinate, %pA1 for a position of level 1 of the tensor A
//===--------------------------------------------------------------------------------------------===//

/// The name of a kernel's tensor, "" where it has none.
static StringRef tensorName(Value tensor) {
  auto argument = dyn_cast<BlockArgument>(tensor);
  auto kernel = argument ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp()) : KernelOp();
  ArrayAttr names = kernel ? kernel.getTensorNamesAttr() : ArrayAttr();
  if (!names || argument.getArgNumber() >= names.size())
    return "";
  return cast<StringAttr>(names[argument.getArgNumber()]).getValue();
}

static std::string positionName(Value tensor, int64_t level) {
  return ("p" + tensorName(tensor) + Twine(level)).str();
}

void CoiterateOp::getAsmBlockArgumentNames(Region &body, OpAsmSetValueNameFn set) {
  if (body.empty() || !getVariable())
    return;
  set(body.getArgument(0), *getVariable());
  auto members = cast<DenseI64ArrayAttr>(getCases()[body.getRegionNumber()]).asArrayRef();
  for (auto [member, position] : llvm::zip(members, body.getArguments().drop_front()))
    set(position, positionName(getTensors()[member], getLevels()[member]));
}

void LocateOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), positionName(getTensor(), getLevel()));
}
void InsertOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), positionName(getTensor(), getLevel()));
}
void AppendOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), positionName(getTensor(), getLevel()));
}
void CopiedOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), positionName(getTensor(), getLevel()));
}
void PlaceOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), positionName(getTensor(), getLevel()));
}

//===--------------------------------------------------------------------------------------------===//
// Folding
//===--------------------------------------------------------------------------------------------===//

Operation *SitDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                           Location location) {
  return arith::ConstantOp::materialize(builder, value, type, location);
}

LogicalResult MatchOp::canonicalize(MatchOp op, PatternRewriter &rewriter) {
  if (op.getExpected() != op.getFound())
    return failure();
  rewriter.eraseOp(op);
  return success();
}

/// Whether a position is always one: no case with `any` has it, nor what it is located below, and
/// it is located in range.
static bool isAlwaysPresent(Value position) {
  if (!position)
    return true;
  if (auto argument = dyn_cast<BlockArgument>(position)) {
    auto coiterate = dyn_cast_or_null<CoiterateOp>(argument.getOwner()->getParentOp());
    return coiterate && !coiterate.getAny();
  }
  if (auto locate = position.getDefiningOp<LocateOp>())
    return !locate.getPadded() && isAlwaysPresent(locate.getParent());
  return isa_and_nonnull<InsertOp, AppendOp, PlaceOp, CopiedOp>(position.getDefiningOp());
}

OpFoldResult ExtentOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getTensor().getType());
  int64_t dimension = getDimension();
  return type.isDynamicDim(dimension)
             ? OpFoldResult()
             : IntegerAttr::get(IndexType::get(getContext()), type.getDimSize(dimension));
}

OpFoldResult PresentOp::fold(FoldAdaptor) {
  return isAlwaysPresent(getPosition()) ? BoolAttr::get(getContext(), true) : OpFoldResult();
}

//===--------------------------------------------------------------------------------------------===//
// What is a position of a level is so by its type
//===--------------------------------------------------------------------------------------------===//

template <typename Adaptor>
static LogicalResult inferPosition(MLIRContext *context, std::optional<Location> location,
                                   Adaptor op, SmallVectorImpl<Type> &types) {
  Location at = location ? *location : UnknownLoc::get(context);
  Type position =
      positionOf(op.getTensor().getType(), op.getLevel(), [&] { return emitError(at); });
  types.push_back(position);
  return success(position != Type());
}

#define LACUNA_INFER_POSITION(Op)                                                                  \
  LogicalResult Op::inferReturnTypes(MLIRContext *context, std::optional<Location> location,       \
                                     Op::Adaptor op, SmallVectorImpl<Type> &types) {               \
    return inferPosition(context, location, op, types);                                            \
  }

LACUNA_INFER_POSITION(LocateOp)
LACUNA_INFER_POSITION(InsertOp)
LACUNA_INFER_POSITION(AppendOp)
LACUNA_INFER_POSITION(PlaceOp)
LACUNA_INFER_POSITION(CopiedOp)

LogicalResult FindOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                       FindOp::Adaptor op, SmallVectorImpl<Type> &types) {
  LogicalResult inferred = inferPosition(context, location, op, types);
  types.push_back(IntegerType::get(context, 1));
  return inferred;
}

//===--------------------------------------------------------------------------------------------===//
// Walking: sit.coiterate %B level 1 under %pB, %C level 0 over %n from %lo to %hi fused any
//              on cpu_thread no_races unroll 4 groups 8 attributes {...} : types { case (0, 1) as (...) ...
//              }, `at %c` in place of `from %lo to %hi`
//===--------------------------------------------------------------------------------------------===//

namespace {

using Operand = OpAsmParser::UnresolvedOperand;

/// The operands of a coiterate while it is read, and what reads them.
struct CoiterateText {
  OpAsmParser &parser;
  OperationState &result;
  SmallVector<Operand> tensors, parents, extent, lower, upper, offsets;
  SmallVector<int64_t> levels, offset, scratch;
  SmallVector<Attribute> cases;
  SmallVector<Type> types; // of the tensors

  Type positionType(int64_t iterator, int64_t level);
  void parentTypes(SmallVectorImpl<Type> &parentTypes);
  ParseResult iterator();
  OptionalParseResult iterators();
  ParseResult range();
  ParseResult operands();
  ParseResult groups();
  ParseResult latticePoint();
  ParseResult name();
  ParseResult latticePoints();
};

} // namespace

/// `%B level 1 under %pB offset %k scratch`, its tensor read already
ParseResult CoiterateText::iterator() {
  if (parser.parseKeyword("level") || parser.parseInteger(levels.emplace_back()))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("under"))) {
    if (levels.back() <= 0)
      return parser.emitError(loc)
             << "expected no parent's position for level " << levels.back() << ", found one";
    if (parser.parseOperand(parents.emplace_back()))
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("offset"))) {
    offset.push_back(levels.size() - 1);
    if (parser.parseOperand(offsets.emplace_back()))
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("scratch")))
    scratch.push_back(levels.size() - 1);
  return success();
}

OptionalParseResult CoiterateText::iterators() {
  Operand tensor;
  OptionalParseResult first = parser.parseOptionalOperand(tensor);
  if (!first.has_value() || failed(*first))
    return first;
  tensors.push_back(tensor);
  if (iterator())
    return failure();
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseOperand(tensors.emplace_back()) || iterator())
      return failure();
  return success();
}

/// `over %n from %lo to %hi`, `over %n at %c`
ParseResult CoiterateText::range() {
  if (succeeded(parser.parseOptionalKeyword("over")) && parser.parseOperand(extent.emplace_back()))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("at")))
    return parser.parseOperand(lower.emplace_back());
  if (failed(parser.parseOptionalKeyword("from")))
    return success();
  return failure(parser.parseOperand(lower.emplace_back()) || parser.parseKeyword("to") ||
                 parser.parseOperand(upper.emplace_back()));
}

/// Of a level of an iterator's tensor; where there is none, `index`, which the verifier refuses.
Type CoiterateText::positionType(int64_t iterator, int64_t level) {
  auto tensor = iterator >= 0 && iterator < int64_t(types.size())
                    ? dyn_cast<RankedTensorType>(types[iterator])
                    : RankedTensorType();
  return tensor ? Type(PositionType::get(parser.getContext(), tensor, level))
                : parser.getBuilder().getIndexType();
}

/// A parent's position is of the level above its iterator's.
void CoiterateText::parentTypes(SmallVectorImpl<Type> &parentTypes) {
  for (auto [n, level] : llvm::enumerate(levels))
    if (level > 0 && parentTypes.size() < parents.size())
      parentTypes.push_back(positionType(n, level - 1));
  parentTypes.resize(parents.size(), parser.getBuilder().getIndexType());
}

/// The types of the tensors, and all operands in order.
ParseResult CoiterateText::operands() {
  Builder &builder = parser.getBuilder();
  Type index = builder.getIndexType();
  SmallVector<Type> above;
  SMLoc loc = parser.getCurrentLocation();
  if ((!tensors.empty() && parser.parseColonTypeList(types)) ||
      parser.resolveOperands(tensors, types, loc, result.operands))
    return failure();
  parentTypes(above);
  if (parser.resolveOperands(parents, above, loc, result.operands) ||
      parser.resolveOperands(extent, index, result.operands) ||
      parser.resolveOperands(lower, index, result.operands) ||
      parser.resolveOperands(upper, index, result.operands) ||
      parser.resolveOperands(offsets, index, result.operands))
    return failure();
  auto size = [](ArrayRef<Operand> list) { return int32_t(list.size()); };
  result.addAttribute("operandSegmentSizes",
                      builder.getDenseI32ArrayAttr({size(tensors), size(parents), size(extent),
                                                    size(lower), size(upper), size(offsets)}));
  result.addAttribute("levels", builder.getDenseI64ArrayAttr(levels));
  if (!offset.empty())
    result.addAttribute("offset", builder.getDenseI64ArrayAttr(offset));
  if (!scratch.empty())
    result.addAttribute("scratch", builder.getDenseI64ArrayAttr(scratch));
  return success();
}

/// `(0, 1) as (%j, %pb, %pc) { ... }`
ParseResult CoiterateText::latticePoint() {
  SmallVector<int64_t> members;
  SmallVector<OpAsmParser::Argument> arguments;
  auto member = [&] { return parser.parseInteger(members.emplace_back()); };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, member) ||
      parser.parseKeyword("as") ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren))
    return failure();
  for (auto [n, argument] : llvm::enumerate(arguments)) {
    int64_t iterator = n && n <= members.size() ? members[n - 1] : -1;
    int64_t level = iterator >= 0 && iterator < int64_t(levels.size()) ? levels[iterator] : 0;
    argument.type = positionType(iterator, level);
  }
  cases.push_back(parser.getBuilder().getDenseI64ArrayAttr(members));
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  return success();
}

/// `groups 8`
ParseResult CoiterateText::groups() {
  int64_t groups;
  if (failed(parser.parseOptionalKeyword("groups")))
    return success();
  if (parser.parseInteger(groups))
    return failure();
  result.addAttribute("groups", parser.getBuilder().getI64IntegerAttr(groups));
  return success();
}

/// `named "j"`
ParseResult CoiterateText::name() {
  std::string variable;
  if (failed(parser.parseOptionalKeyword("named")))
    return success();
  if (parser.parseString(&variable))
    return failure();
  result.addAttribute("variable", parser.getBuilder().getStringAttr(variable));
  return success();
}

ParseResult CoiterateText::latticePoints() {
  if (parser.parseLBrace())
    return failure();
  while (succeeded(parser.parseOptionalKeyword("case")))
    if (latticePoint())
      return failure();
  result.addAttribute("cases", parser.getBuilder().getArrayAttr(cases));
  return parser.parseRBrace();
}

ParseResult CoiterateOp::parse(OpAsmParser &parser, OperationState &result) {
  CoiterateText text{parser, result, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  OptionalParseResult iterators = text.iterators();
  if ((iterators.has_value() && failed(*iterators)) || text.range())
    return failure();
  if (succeeded(parser.parseOptionalKeyword("padded")))
    result.addAttribute("padded", parser.getBuilder().getUnitAttr());
  if (succeeded(parser.parseOptionalKeyword("fused")))
    result.addAttribute("fused", parser.getBuilder().getUnitAttr());
  if (succeeded(parser.parseOptionalKeyword("any")))
    result.addAttribute("any", parser.getBuilder().getUnitAttr());
  return failure(cin::parseParallel(parser, result) || text.groups() || text.name() ||
                 cin::parseStrategies(parser, result) ||
                 parser.parseOptionalAttrDictWithKeyword(result.attributes) || text.operands() ||
                 text.latticePoints());
}

static void printIterators(OpAsmPrinter &printer, CoiterateOp op) {
  auto parents = op.getParents().begin();
  auto offsets = op.getOffsets().begin();
  for (auto [n, tensor] : llvm::enumerate(op.getTensors())) {
    int64_t level = op.getLevels()[n];
    printer << (n ? ", " : " ") << tensor << " level " << level;
    if (level > 0)
      printer << " under " << *parents++;
    if (op.getOffset() && llvm::is_contained(*op.getOffset(), int64_t(n)))
      printer << " offset " << *offsets++;
    if (op.getScratch() && llvm::is_contained(*op.getScratch(), int64_t(n)))
      printer << " scratch";
  }
}

static void printCase(OpAsmPrinter &printer, Attribute members, Region &body) {
  printer.printNewline();
  printer << "case (";
  llvm::interleaveComma(cast<DenseI64ArrayAttr>(members).asArrayRef(), printer);
  printer << ") as (";
  llvm::interleaveComma(body.getArguments(), printer, [&](BlockArgument argument) {
    printer.printRegionArgument(argument, {}, /*omitType=*/true);
  });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

void CoiterateOp::print(OpAsmPrinter &printer) {
  printIterators(printer, *this);
  if (getExtent())
    printer << " over " << getExtent();
  if (getUpper())
    printer << " from " << getLower() << " to " << getUpper();
  else if (getLower())
    printer << " at " << getLower();
  if (getPadded())
    printer << " padded";
  if (getFused())
    printer << " fused";
  if (getAny())
    printer << " any";
  cin::printParallel(printer, *this);
  if (getGroups())
    printer << " groups " << *getGroups();
  if (getVariable())
    printer << " named " << getVariableAttr();
  cin::printStrategies(printer, *this);
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"levels", "offset", "scratch", "cases", "padded",
                                            "fused", "any", "unit", "race", "unroll", "groups",
                                            "variable", "strategies", "operandSegmentSizes"});
  if (!getTensors().empty())
    printer << " : " << getTensors().getTypes();
  printer << " {";
  for (auto [members, body] : llvm::zip_equal(getCases(), getBodies()))
    printCase(printer, members, body);
  printer.printNewline();
  printer << '}';
}

//===--------------------------------------------------------------------------------------------===//
// Below kernels
//===--------------------------------------------------------------------------------------------===//

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (symbols.lookupNearestSymbolFrom(*this, getCalleeAttr()))
    return success();
  return emitOpError() << "expected a function, found no symbol " << getCalleeAttr();
}

//===--------------------------------------------------------------------------------------------===//
// From C
//===--------------------------------------------------------------------------------------------===//

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Sit, sit, SitDialect)

bool sitTypeIsAPosition(MlirType type) {
  return isa<PositionType>(unwrap(type));
}
bool sitTypeIsAVar(MlirType type) {
  return isa<VarType>(unwrap(type));
}
MlirType sitPositionTypeGet(MlirType tensor, int64_t level) {
  auto ranked = cast<RankedTensorType>(unwrap(tensor));
  return wrap(Type(PositionType::get(ranked.getContext(), ranked, level)));
}
MlirType sitPositionTypeGetTensor(MlirType position) {
  return wrap(Type(cast<PositionType>(unwrap(position)).getTensor()));
}
int64_t sitPositionTypeGetLevel(MlirType position) {
  return cast<PositionType>(unwrap(position)).getLevel();
}
MlirType sitVarTypeGet(MlirType element) {
  return wrap(Type(VarType::get(unwrap(element).getContext(), unwrap(element))));
}
MlirType sitVarTypeGetElement(MlirType var) {
  return wrap(cast<VarType>(unwrap(var)).getElementType());
}
