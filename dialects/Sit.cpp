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
#include "sit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lacuna;

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
void PlaceOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), positionName(getTensor(), getLevel()));
}

//===--------------------------------------------------------------------------------------------===//
// Walking: sit.coiterate %B level 1 under %pB, %C level 0 over %n from %lo to %hi fused any
//              on cpu_thread no_races unroll 4 attributes {...} : types { case (0, 1) as (...) ...
//              }, `at %c` in place of `from %lo to %hi`
//===--------------------------------------------------------------------------------------------===//

namespace {

using Operand = OpAsmParser::UnresolvedOperand;

/// The operands of a coiterate while it is read, and what reads them.
struct CoiterateText {
  OpAsmParser &parser;
  OperationState &result;
  SmallVector<Operand> tensors, parents, extent, lower, upper;
  SmallVector<int64_t> levels, scratch;
  SmallVector<Attribute> cases;

  ParseResult iterator();
  OptionalParseResult iterators();
  ParseResult range();
  ParseResult operands();
  ParseResult latticePoint();
  ParseResult name();
  ParseResult latticePoints();
};

} // namespace

/// `%B level 1 under %pB scratch`, its tensor read already
ParseResult CoiterateText::iterator() {
  if (parser.parseKeyword("level") || parser.parseInteger(levels.emplace_back()))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("under")) &&
      parser.parseOperand(parents.emplace_back()))
    return failure();
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

/// The types of the tensors, and all operands in order.
ParseResult CoiterateText::operands() {
  Builder &builder = parser.getBuilder();
  Type position = PositionType::get(parser.getContext()), index = builder.getIndexType();
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if ((!tensors.empty() && parser.parseColonTypeList(types)) ||
      parser.resolveOperands(tensors, types, loc, result.operands) ||
      parser.resolveOperands(parents, position, result.operands) ||
      parser.resolveOperands(extent, index, result.operands) ||
      parser.resolveOperands(lower, index, result.operands) ||
      parser.resolveOperands(upper, index, result.operands))
    return failure();
  auto size = [](ArrayRef<Operand> list) { return int32_t(list.size()); };
  result.addAttribute("operandSegmentSizes",
                      builder.getDenseI32ArrayAttr(
                          {size(tensors), size(parents), size(extent), size(lower), size(upper)}));
  result.addAttribute("levels", builder.getDenseI64ArrayAttr(levels));
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
  for (auto [n, argument] : llvm::enumerate(arguments))
    argument.type =
        n ? Type(PositionType::get(parser.getContext())) : parser.getBuilder().getIndexType();
  cases.push_back(parser.getBuilder().getDenseI64ArrayAttr(members));
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty())
    body->emplaceBlock();
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
  CoiterateText text{parser, result, {}, {}, {}, {}, {}, {}, {}, {}};
  OptionalParseResult iterators = text.iterators();
  if ((iterators.has_value() && failed(*iterators)) || text.range())
    return failure();
  if (succeeded(parser.parseOptionalKeyword("fused")))
    result.addAttribute("fused", parser.getBuilder().getUnitAttr());
  if (succeeded(parser.parseOptionalKeyword("any")))
    result.addAttribute("any", parser.getBuilder().getUnitAttr());
  return failure(cin::parseParallel(parser, result) || text.name() ||
                 parser.parseOptionalAttrDictWithKeyword(result.attributes) || text.operands() ||
                 text.latticePoints());
}

static void printIterators(OpAsmPrinter &printer, CoiterateOp op) {
  auto parents = op.getParents().begin();
  for (auto [n, tensor] : llvm::enumerate(op.getTensors())) {
    int64_t level = op.getLevels()[n];
    printer << (n ? ", " : " ") << tensor << " level " << level;
    if (level > 0)
      printer << " under " << *parents++;
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
  if (getFused())
    printer << " fused";
  if (getAny())
    printer << " any";
  cin::printParallel(printer, *this);
  if (getVariable())
    printer << " named " << getVariableAttr();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"levels", "scratch", "cases", "fused", "any", "unit",
                                            "race", "unroll", "variable", "operandSegmentSizes"});
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
MlirType sitPositionTypeGet(MlirContext context) {
  return wrap(Type(PositionType::get(unwrap(context))));
}
MlirType sitVarTypeGet(MlirType element) {
  return wrap(Type(VarType::get(unwrap(element).getContext(), unwrap(element))));
}
MlirType sitVarTypeGetElement(MlirType var) {
  return wrap(cast<VarType>(unwrap(var)).getElementType());
}
