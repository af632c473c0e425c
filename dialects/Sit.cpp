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

//===--------------------------------------------------------------------------------------------===//
// Walking: sit.coiterate %B level 1 under %pB, %C level 0 over %n from %lo to %hi fused
//              on cpu_thread no_races unroll 4 attributes {...} : types { case (0, 1) as (...) ...
//              }
//===--------------------------------------------------------------------------------------------===//

namespace {

using Operand = OpAsmParser::UnresolvedOperand;

/// The operands of a coiterate while it is read, and what reads them.
struct CoiterateText {
  OpAsmParser &parser;
  OperationState &result;
  SmallVector<Operand> tensors, parents, extent, lower, upper;
  SmallVector<int64_t> levels;
  SmallVector<Attribute> cases;

  ParseResult iterator();
  OptionalParseResult iterators();
  ParseResult range();
  ParseResult operands();
  ParseResult latticePoint();
  ParseResult latticePoints();
};

} // namespace

/// `%B level 1 under %pB`, its tensor read already
ParseResult CoiterateText::iterator() {
  if (parser.parseKeyword("level") || parser.parseInteger(levels.emplace_back()))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("under")))
    return parser.parseOperand(parents.emplace_back());
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

/// `over %n from %lo to %hi`
ParseResult CoiterateText::range() {
  if (succeeded(parser.parseOptionalKeyword("over")) && parser.parseOperand(extent.emplace_back()))
    return failure();
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
  CoiterateText text{parser, result, {}, {}, {}, {}, {}, {}, {}};
  OptionalParseResult iterators = text.iterators();
  if ((iterators.has_value() && failed(*iterators)) || text.range())
    return failure();
  if (succeeded(parser.parseOptionalKeyword("fused")))
    result.addAttribute("fused", parser.getBuilder().getUnitAttr());
  return failure(cin::parseParallel(parser, result) ||
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
  if (getLower())
    printer << " from " << getLower() << " to " << getUpper();
  if (getFused())
    printer << " fused";
  cin::printParallel(printer, *this);
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {"levels", "cases", "fused", "unit", "race", "unroll", "operandSegmentSizes"});
  if (!getTensors().empty())
    printer << " : " << getTensors().getTypes();
  printer << " {";
  for (auto [members, body] : llvm::zip_equal(getCases(), getBodies()))
    printCase(printer, members, body);
  printer.printNewline();
  printer << '}';
}

//===--------------------------------------------------------------------------------------------===//
// Verifiers
//===--------------------------------------------------------------------------------------------===//

/// The level is one of the tensor's.
static LogicalResult verifyLevel(Operation *op, Type tensor, int64_t level) {
  tin::FormatAttr format = tin::formatOf(tensor);
  if (!format)
    return op->emitOpError() << "expected a tensor with a #tin.format, found " << tensor;
  int64_t count = format.getLevels().size();
  if (level < 0 || level >= count)
    return op->emitOpError() << "expected one of the " << count << " levels of " << tensor
                             << ", found level " << level;
  return success();
}

/// The same, and there is a parent's position exactly below level 0.
static LogicalResult verifyLevel(Operation *op, Type tensor, int64_t level, Value parent) {
  if (failed(verifyLevel(op, tensor, level)))
    return failure();
  if (level > 0 && !parent)
    return op->emitOpError() << "expected a parent's position for level " << level
                             << ", found none";
  if (level == 0 && parent)
    return op->emitOpError() << "expected no parent's position for level 0, found one";
  return success();
}

/// A value at a position of the last level, or of a tensor of order 0.
static LogicalResult verifyStored(Operation *op, Type tensor, Value position, Type value) {
  tin::FormatAttr format = tin::formatOf(tensor);
  if (!format)
    return op->emitOpError() << "expected a tensor with a #tin.format, found " << tensor;
  if (format.getLevels().empty() == bool(position))
    return op->emitOpError() << "expected " << (position ? "no" : "a") << " position in " << tensor
                             << ", found " << (position ? "one" : "none");
  return verifyType(op, "a value", accessedType(tensor), value);
}

LogicalResult KernelOp::verify() {
  return verifyKernel(*this, getFillsAttr(), getTensorNamesAttr());
}

void KernelOp::getAsmBlockArgumentNames(Region &body, OpAsmSetValueNameFn set) {
  nameKernelArguments(body, getTensorNamesAttr(), set);
}

LogicalResult ExtentOp::verify() {
  int64_t dim = getDimension(), rank = accessedRank(getTensor().getType());
  if (dim >= 0 && dim < rank)
    return success();
  return emitOpError() << "expected a dimension less than the order " << rank << ", found " << dim;
}

LogicalResult LocateOp::verify() {
  return verifyLevel(*this, getTensor().getType(), getLevel(), getParent());
}
LogicalResult FindOp::verify() {
  return verifyLevel(*this, getTensor().getType(), getLevel(), getParent());
}
LogicalResult InsertOp::verify() {
  return verifyLevel(*this, getTensor().getType(), getLevel(), getParent());
}
LogicalResult CloseOp::verify() {
  return verifyLevel(*this, getTensor().getType(), getLevel(), getParent());
}
LogicalResult EndOp::verify() {
  return verifyLevel(*this, getTensor().getType(), getLevel());
}
LogicalResult AppendOp::verify() {
  return verifyLevel(*this, getTensor().getType(), getLevel());
}
LogicalResult SortOp::verify() {
  return verifyLevel(*this, getTensor().getType(), getLevel());
}

LogicalResult ValueOp::verify() {
  return verifyStored(*this, getTensor().getType(), getPosition(), getResult().getType());
}
LogicalResult StoreOp::verify() {
  return verifyStored(*this, getTensor().getType(), getPosition(), getValue().getType());
}
LogicalResult AccumulateOp::verify() {
  return verifyStored(*this, getTensor().getType(), getPosition(), getValue().getType());
}

/// An empty tensor: an extent for each dimension and, where it is said, the value it starts from.
static LogicalResult verifyEmpty(Operation *op, Type type, size_t dimensions, TypedAttr initial) {
  if (initial && failed(verifyType(op, "an initial value", accessedType(type), initial.getType())))
    return failure();
  return verifyCount(op, "dimensions", accessedRank(type), dimensions);
}

LogicalResult ResultOp::verify() {
  return verifyEmpty(*this, getTensor().getType(), getDimensions().size(), getInitialAttr());
}

LogicalResult WorkspaceOp::verify() {
  return verifyEmpty(*this, getResult().getType(), getDimensions().size(), getIdentityAttr());
}

static LogicalResult verifyIterators(CoiterateOp op) {
  if (failed(verifyCount(op, "levels (one for each tensor)", op.getTensors().size(),
                         op.getLevels().size())))
    return failure();
  for (auto [tensor, level] : llvm::zip_equal(op.getTensors(), op.getLevels()))
    if (failed(verifyLevel(op, tensor.getType(), level)))
      return failure();
  int64_t below = llvm::count_if(op.getLevels(), [](int64_t level) { return level > 0; });
  return verifyCount(op, "parents' positions (one for each level below level 0)", below,
                     op.getParents().size());
}

/// Ascending numbers of iterators, and an argument for the coordinate and for each of them.
static LogicalResult verifyCase(CoiterateOp op, ArrayRef<int64_t> members, Region &body) {
  int64_t count = op.getTensors().size(), last = -1;
  for (int64_t member : members) {
    if (member < 0 || member >= count)
      return op.emitOpError() << "expected cases of the " << count << " iterators, found number "
                              << member;
    if (member <= last)
      return op.emitOpError() << "expected a case's iterators in ascending order, found " << member
                              << " after " << last;
    last = member;
  }
  if (members.empty() && !op.getExtent())
    return op.emitOpError() << "expected `over` an extent where a case has no iterators";
  if (failed(verifyCount(op,
                         "arguments of a case (the coordinate and a position for each iterator)",
                         members.size() + 1, body.getNumArguments())))
    return failure();
  Type index = IndexType::get(op.getContext()), position = PositionType::get(op.getContext());
  for (auto [n, argument] : llvm::enumerate(body.getArguments()))
    if (failed(verifyType(op, "an argument of a case", n ? position : index, argument.getType())))
      return failure();
  return success();
}

static LogicalResult verifyCases(CoiterateOp op) {
  if (failed(verifyCount(op, "cases (one for each region)", op.getBodies().size(),
                         op.getCases().size())))
    return failure();
  llvm::SmallPtrSet<Attribute, 8> seen;
  for (auto [attribute, body] : llvm::zip_equal(op.getCases(), op.getBodies())) {
    auto members = dyn_cast<DenseI64ArrayAttr>(attribute);
    if (!members)
      return op.emitOpError() << "expected cases as arrays of i64, found " << attribute;
    if (!seen.insert(attribute).second)
      return op.emitOpError() << "expected distinct cases, found one twice: " << members;
    if (failed(verifyCase(op, members, body)))
      return failure();
  }
  return success();
}

LogicalResult CoiterateOp::verify() {
  if (bool(getLower()) != bool(getUpper()))
    return emitOpError() << "expected both a lower and an upper bound, found one";
  if (getTensors().empty() && !getExtent())
    return emitOpError() << "expected levels or `over` an extent, found neither";
  if (getFused() && (getTensors().size() != 1 || getBodies().size() != 1))
    return emitOpError() << "expected one level and one case with `fused`, found "
                         << getTensors().size() << " and " << getBodies().size();
  if (auto unroll = getUnroll(); unroll && *unroll < 1)
    return emitOpError() << "expected a positive unroll factor, found " << *unroll;
  return failure(failed(verifyIterators(*this)) || failed(verifyCases(*this)));
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
