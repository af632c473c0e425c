//===- Cin.cpp - the concrete index notation dialect: assembly and verifiers
//-------------------===//

#include "Cin.hpp"
#include "Tin.hpp"
#include "cin.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lacuna;

#include "CinDialect.cpp.inc"
#include "CinEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "CinAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "CinTypes.cpp.inc"

using lacuna::cin::AssemblyAttr;
using lacuna::cin::BoundKindAttr;

/// `by append`
static ParseResult parseBoundKind(OpAsmParser &parser, BoundKindAttr &kind) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<lacuna::cin::BoundKind> found = lacuna::cin::symbolizeBoundKind(word);
  if (!found)
    return parser.emitError(loc)
           << "expected max_exact, min_exact, max_constraint or min_constraint, found '" << word
           << "'";
  kind = BoundKindAttr::get(parser.getContext(), *found);
  return success();
}

static void printBoundKind(OpAsmPrinter &printer, Operation *, BoundKindAttr kind) {
  printer << lacuna::cin::stringifyBoundKind(kind.getValue());
}

#define GET_OP_CLASSES
#include "CinOps.cpp.inc"

using namespace lacuna::cin;

void CinDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "CinAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "CinTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "CinOps.cpp.inc"
      >();
}

LACUNA_VERIFY(KernelOp, cin_kernel_head_verify)
LogicalResult KernelOp::verifyRegions() {
  return success(cin_kernel_verify(wrap(getOperation())));
}
LACUNA_VERIFY(ForallOp, cin_forall_verify)
LACUNA_VERIFY(CollapseOp, cin_collapse_verify)
LACUNA_VERIFY(PosOp, cin_pos_verify)
LACUNA_VERIFY(RemapOp, cin_remap_verify)
LACUNA_VERIFY(SubscriptOp, cin_subscript_verify)
LACUNA_VERIFY(WindowOp, cin_window_verify)
LACUNA_VERIFY(WhereOp, cin_where_verify)
LACUNA_VERIFY(WorkspaceOp, cin_workspace_verify)
LACUNA_VERIFY(ReadOp, cin_read_verify)
LACUNA_VERIFY(StoredOp, cin_stored_verify)
LACUNA_VERIFY(AssignOp, cin_assign_verify)

//===--------------------------------------------------------------------------------------------===//
// Names
//===--------------------------------------------------------------------------------------------===//

using SetName = OpAsmSetValueNameFn;

void IndexOp::getAsmResultNames(SetName set) {
  set(getResult(), getName());
}
void CollapseOp::getAsmResultNames(SetName set) {
  set(getResult(), getName());
}
void RemapOp::getAsmResultNames(SetName set) {
  set(getResult(), getName());
}
void WindowOp::getAsmResultNames(SetName set) {
  set(getResult(), getName());
}
void PosOp::getAsmResultNames(SetName set) {
  set(getResult(), getName());
}
void CoordOp::getAsmResultNames(SetName set) {
  set(getResult(), getName());
}
void BoundOp::getAsmResultNames(SetName set) {
  set(getResult(), getName());
}
void TwinOp::getAsmResultNames(SetName set) {
  set(getResult(), getName());
}
void WorkspaceOp::getAsmResultNames(SetName set) {
  set(getResult(), getName().value_or(getVariables().empty() ? "t" : "w"));
}
void SplitOp::getAsmResultNames(SetName set) {
  set(getOuter(), getOuterName());
  set(getInner(), getInnerName());
}

void KernelOp::getAsmBlockArgumentNames(Region &body, SetName set) {
  nameKernelArguments(body, getTensorNamesAttr(), set);
}

//===--------------------------------------------------------------------------------------------===//
// cin.forall %i on cpu_thread no_races unroll 4 strategies {lanes = 4} { ... }
//===--------------------------------------------------------------------------------------------===//

static ParseResult parseUnit(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<Unit> unit = symbolizeUnit(word);
  if (!unit)
    return parser.emitError(loc) << "expected serial, cpu_thread, cpu_vector, gpu_block, gpu_warp "
                                    "or gpu_thread, found '"
                                 << word << "'";
  result.addAttribute("unit", parser.getBuilder().getI32IntegerAttr(int32_t(*unit)));
  if (succeeded(parser.parseOptionalKeyword(
          &word, {"no_races", "ignore_races", "atomics", "temporary", "parallel_reduction"})))
    result.addAttribute("race",
                        parser.getBuilder().getI32IntegerAttr(int32_t(*symbolizeRace(word))));
  return success();
}

ParseResult cin::parseParallel(OpAsmParser &parser, OperationState &result) {
  int64_t unroll;
  if (succeeded(parser.parseOptionalKeyword("on")) && parseUnit(parser, result))
    return failure();
  if (failed(parser.parseOptionalKeyword("unroll")))
    return success();
  if (parser.parseInteger(unroll))
    return failure();
  result.addAttribute("unroll", parser.getBuilder().getI64IntegerAttr(unroll));
  return success();
}

void cin::printParallel(OpAsmPrinter &printer, Operation *op) {
  cin_unit unit = cin_op_unit(wrap(op));
  cin_race race = cin_op_race(wrap(op));
  if (unit != CIN_SERIAL || race != CIN_NO_RACES)
    printer << " on " << cin_unit_name(unit) << ' ' << cin_race_name(race);
  if (auto unroll = op->getAttrOfType<IntegerAttr>("unroll"))
    printer << " unroll " << unroll.getInt();
}

ParseResult cin::parseStrategies(OpAsmParser &parser, OperationState &result) {
  NamedAttrList all;
  if (failed(parser.parseOptionalKeyword("strategies")))
    return success();
  if (parser.parseOptionalAttrDict(all))
    return failure();
  result.addAttribute("strategies", all.getDictionary(parser.getContext()));
  return success();
}

void cin::printStrategies(OpAsmPrinter &printer, Operation *op) {
  auto all = op->getAttrOfType<DictionaryAttr>("strategies");
  if (!all)
    return;
  printer << " strategies {";
  llvm::interleaveComma(all, printer, [&](NamedAttribute strategy) {
    printer.printKeywordOrString(strategy.getName());
    if (isa<mlir::UnitAttr>(strategy.getValue()))
      return;
    printer << " = ";
    if (auto number = dyn_cast<IntegerAttr>(strategy.getValue());
        number && number.getType().isInteger(64))
      printer.printAttributeWithoutType(strategy.getValue());
    else
      printer << strategy.getValue();
  });
  printer << '}';
}

ParseResult ForallOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand variable;
  Region *body = result.addRegion();
  if (parser.parseOperand(variable) ||
      parser.resolveOperand(variable, IndexVariableType::get(parser.getContext()),
                            result.operands) ||
      parseParallel(parser, result) || parseStrategies(parser, result) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseRegion(*body))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  return success();
}

void ForallOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getVariable();
  printParallel(printer, *this);
  printStrategies(printer, *this);
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"unit", "race", "unroll", "strategies"});
  printer << ' ';
  printer.printRegion(getBody());
}

//===--------------------------------------------------------------------------------------------===//
// cin.read %A[%i + %k, 2 * %j] : tensor<?x?xf64>
// cin.assign %y[%i] add %v : tensor<?xf64>
//===--------------------------------------------------------------------------------------------===//

/// `%A[%i + %k]`
static ParseResult parseAccess(OpAsmParser &parser, OpAsmParser::UnresolvedOperand &tensor,
                               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &variables,
                               OperationState &result) {
  Attribute map;
  return failure(parser.parseOperand(tensor) ||
                 parser.parseAffineMapOfSSAIds(variables, map, "map", result.attributes));
}

/// The type of the tensor (or scalar) accessed and, from it, that of the value.
static ParseResult parseAccessedType(OpAsmParser &parser, Type &type, Type &element) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(type))
    return failure();
  element = accessedType(type);
  if (!element)
    return parser.emitError(loc) << "expected a ranked tensor or a scalar, found " << type;
  return success();
}

ParseResult ReadOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand tensor;
  SmallVector<OpAsmParser::UnresolvedOperand> variables;
  Type type, element, index = IndexVariableType::get(parser.getContext());
  Attribute pad;
  if (parseAccess(parser, tensor, variables, result) || parsePad(parser, pad) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parseAccessedType(parser, type, element) ||
      parser.resolveOperand(tensor, type, result.operands) ||
      parser.resolveOperands(variables, index, result.operands))
    return failure();
  if (pad)
    result.addAttribute("pad", pad);
  result.addTypes(element);
  return success();
}

void ReadOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getTensor() << '[';
  printer.printAffineMapOfSSAIds(getMapAttr(), getVariables());
  printer << ']';
  printPad(printer, getPadAttr());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"map", "pad"});
  printer << " : " << getTensor().getType();
}

ParseResult AssignOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand tensor, value;
  SmallVector<OpAsmParser::UnresolvedOperand> variables;
  tin::ReductionAttr kind;
  Type type, element, index = IndexVariableType::get(parser.getContext());
  if (parseAccess(parser, tensor, variables, result))
    return failure();
  if (failed(parser.parseOptionalEqual())) {
    if (parseReduction(parser, kind))
      return failure();
    result.addAttribute("kind", kind);
  }
  return failure(parser.parseOperand(value) || parser.parseOptionalAttrDict(result.attributes) ||
                 parser.parseColon() || parseAccessedType(parser, type, element) ||
                 parser.resolveOperand(tensor, type, result.operands) ||
                 parser.resolveOperands(variables, index, result.operands) ||
                 parser.resolveOperand(value, element, result.operands));
}

void AssignOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getTensor() << '[';
  printer.printAffineMapOfSSAIds(getMapAttr(), getVariables());
  printer << "] " << (getKind() ? tin::stringifyReduction(*getKind()) : "=") << ' ' << getValue();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"map", "kind"});
  printer << " : " << getTensor().getType();
}

//===--------------------------------------------------------------------------------------------===//
// From C
//===--------------------------------------------------------------------------------------------===//

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Cin, cin, CinDialect)

bool cinTypeIsAIndexVariable(MlirType type) {
  return isa<IndexVariableType>(unwrap(type));
}
MlirType cinIndexVariableTypeGet(MlirContext context) {
  return wrap(Type(IndexVariableType::get(unwrap(context))));
}

const char *cin_unit_name(cin_unit unit) {
  return stringifyUnit(Unit(unit)).data();
}
const char *cin_race_name(cin_race race) {
  return stringifyRace(Race(race)).data();
}
const char *cin_bound_kind_name(cin_bound_kind kind) {
  return stringifyBoundKind(BoundKind(kind)).data();
}

bool cin_unit_from_name(MlirStringRef name, cin_unit *unit) {
  std::optional<Unit> found = symbolizeUnit(unwrap(name));
  if (found)
    *unit = cin_unit(*found);
  return found.has_value();
}

bool cin_race_from_name(MlirStringRef name, cin_race *race) {
  std::optional<Race> found = symbolizeRace(unwrap(name));
  if (found)
    *race = cin_race(*found);
  return found.has_value();
}

static int64_t enumOf(MlirOperation op, StringRef name) {
  auto attribute = unwrap(op)->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getInt() : 0;
}

cin_unit cin_op_unit(MlirOperation op) {
  return cin_unit(enumOf(op, "unit"));
}
bool cin_unit_is_gpu(cin_unit unit) {
  return unit == CIN_GPU_BLOCK || unit == CIN_GPU_WARP || unit == CIN_GPU_THREAD;
}

bool cin_unit_is_concurrent(cin_unit unit) {
  return unit == CIN_CPU_THREAD || cin_unit_is_gpu(unit);
}

bool cin_race_is_private(cin_race race) {
  return race == CIN_TEMPORARY || race == CIN_PARALLEL_REDUCTION;
}
cin_race cin_op_race(MlirOperation op) {
  return cin_race(enumOf(op, "race"));
}

const char *cin_assembly_name(cin_assembly way) {
  return stringifyAssembly(Assembly(way)).data();
}

bool cin_op_assembly(MlirOperation kernel, cin_assembly *way) {
  auto attribute = unwrap(kernel)->getAttrOfType<AssemblyAttr>("assembly");
  if (attribute)
    *way = cin_assembly(attribute.getValue());
  return attribute != nullptr;
}

void cin_op_set_assembly(MlirOperation kernel, cin_assembly way) {
  unwrap(kernel)->setAttr("assembly",
                          AssemblyAttr::get(unwrap(kernel)->getContext(), Assembly(way)));
}

void cin_op_set_parallel(MlirOperation op, cin_unit unit, cin_race race) {
  Builder builder(unwrap(op)->getContext());
  unwrap(op)->setAttr("unit", builder.getI32IntegerAttr(unit));
  unwrap(op)->setAttr("race", builder.getI32IntegerAttr(race));
}
