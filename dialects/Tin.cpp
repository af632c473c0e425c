//===- Tin.cpp - the tensor index notation dialect: assembly and verifiers
//---------------------===//

#include "Tin.hpp"
#include "mlir/CAPI/AffineMap.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "tin.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lacuna;
using namespace lacuna::tin;

#include "TinDialect.cpp.inc"
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

//===--------------------------------------------------------------------------------------------===//
// tin.compute (i, j) %A[i, j], %x[j] -> [i] attributes {...} { ... } : (...) -> tensor<?xf64>
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

ParseResult ComputeOp::parse(OpAsmParser &parser, OperationState &result) {
  ArrayAttr names;
  SmallVector<std::pair<StringRef, AffineExpr>> variables;
  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  SmallVector<AffineMap> maps;
  FunctionType type;
  if (parseNames(parser, names))
    return failure();
  for (StringAttr name : names.getAsRange<StringAttr>())
    variables.emplace_back(name, getAffineDimExpr(variables.size(), parser.getContext()));

  if (failed(parser.parseOptionalArrow())) {
    auto parseAccess = [&]() -> ParseResult {
      return failure(parser.parseOperand(inputs.emplace_back()) ||
                     parseSubscripts(parser, variables, maps));
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
  result.addAttribute("variables", names);
  result.addAttribute("maps", parser.getBuilder().getAffineMapArrayAttr(maps));
  return success();
}

void ComputeOp::print(OpAsmPrinter &printer) {
  raw_ostream &os = printer.getStream();
  auto printVariable = [&](unsigned dim) {
    os << cast<StringAttr>(getVariables()[dim]).getValue();
  };
  auto printAccess = [&](Attribute map) {
    os << '[';
    llvm::interleaveComma(
        cast<AffineMapAttr>(map).getValue().getResults(), os,
        [&](AffineExpr expr) { printSubscript(os, expr, printVariable, printVariable); });
    os << ']';
  };
  printer << ' ';
  printNames(printer, *this, getVariables());
  for (auto [n, input] : llvm::enumerate(getInputs())) {
    printer << (n ? ", " : " ") << input;
    printAccess(getMaps()[n]);
  }
  printer << " -> ";
  printAccess(getMaps().getValue().back());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"maps", "variables"});
  printer << ' ';
  printer.printRegion(getBody());
  printer << " : ";
  printer.printFunctionalType(*this);
}

/// Name of variable number `dim`, for messages.
static StringRef variableName(ComputeOp op, unsigned dim) {
  return cast<StringAttr>(op.getVariables()[dim]).getValue();
}

static AffineMap mapOf(ComputeOp op, unsigned access) {
  return cast<AffineMapAttr>(op.getMaps()[access]).getValue();
}

static LogicalResult verifyVariables(ComputeOp op) {
  llvm::DenseSet<StringRef> seen;
  for (StringAttr name : op.getVariables().getAsRange<StringAttr>()) {
    StringRef word = name.getValue();
    bool isWord = !word.empty() && !llvm::isDigit(word[0]) &&
                  llvm::all_of(word, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (!isWord)
      return op.emitOpError() << "expected variables named by words, found " << name;
    if (!seen.insert(word).second)
      return op.emitOpError() << "expected distinct variables, found '" << word << "' twice";
  }
  return success();
}

/// The access of number `n` has a subscript of the statement's variables for each dimension.
static LogicalResult verifyAccess(ComputeOp op, unsigned n, Type type) {
  AffineMap map = mapOf(op, n);
  if (!accessedType(type))
    return op.emitOpError() << "expected ranked tensors or scalars, found " << type;
  if (map.getNumDims() != op.getVariables().size() || map.getNumSymbols() != 0)
    return op.emitOpError() << "expected maps from the " << op.getVariables().size()
                            << " variables, found " << AffineMapAttr::get(map);
  if (map.getNumResults() != accessedRank(type))
    return op.emitOpError() << "expected " << accessedRank(type) << " subscripts of " << type
                            << ", found " << map.getNumResults();
  return success();
}

static LogicalResult verifyResultAccess(ComputeOp op, AffineMap map) {
  llvm::SmallBitVector seen(map.getNumDims());
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return op.emitOpError() << "expected bare variables as the result's subscripts";
    if (seen.test(dim.getPosition()))
      return op.emitOpError() << "expected each variable once in the result, found '"
                              << variableName(op, dim.getPosition()) << "' twice";
    seen.set(dim.getPosition());
  }
  return success();
}

/// The coefficient of a variable in a linear expression; none where it is not linear.
static std::optional<int64_t> coefficient(AffineExpr expr, unsigned dim) {
  if (auto d = dyn_cast<AffineDimExpr>(expr))
    return d.getPosition() == dim;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 0;
  auto left = coefficient(binary.getLHS(), dim), right = coefficient(binary.getRHS(), dim);
  if (expr.getKind() == AffineExprKind::Add && left && right)
    return *left + *right;
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mul && left && factor)
    return *left * factor.getValue();
  return left == 0 ? std::optional<int64_t>(0) : std::nullopt;
}

/// Whether the subscript tells the extent of a variable, those in `known` being told.
static bool tellsExtent(AffineExpr subscript, unsigned dim, const llvm::SmallBitVector &known) {
  if (coefficient(subscript, dim) != 1)
    return false;
  for (unsigned other = 0; other < known.size(); ++other)
    if (other != dim && !known.test(other) && subscript.isFunctionOfDim(other))
      return false;
  return true;
}

static bool findExtent(ComputeOp op, unsigned dim, const llvm::SmallBitVector &known) {
  for (unsigned n = 0; n < op.getInputs().size(); ++n)
    for (AffineExpr subscript : mapOf(op, n).getResults())
      if (tellsExtent(subscript, dim, known))
        return true;
  AffineMap result = mapOf(op, op.getInputs().size());
  auto type = cast<RankedTensorType>(op.getResult().getType());
  for (auto [n, subscript] : llvm::enumerate(result.getResults()))
    if (subscript == getAffineDimExpr(dim, op.getContext()) && !type.isDynamicDim(n))
      return true;
  return false;
}

/// Every variable has an extent: subscripts tell it, some only when others are known.
static LogicalResult verifyExtents(ComputeOp op) {
  llvm::SmallBitVector known(op.getVariables().size());
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned dim = 0; dim < known.size(); ++dim)
      if (!known.test(dim) && findExtent(op, dim, known)) {
        known.set(dim);
        changed = true;
      }
  }
  if (known.all())
    return success();
  return op.emitOpError() << "expected an extent for each variable, found none for '"
                          << variableName(op, known.find_first_unset())
                          << "' (no operand has it as a bare subscript, and it is no static "
                             "dimension of the result)";
}

static LogicalResult verifyBody(ComputeOp op) {
  Block &body = op.getBody().front();
  if (failed(verifyCount(op, "block arguments (one for each operand)", op.getInputs().size(),
                         body.getNumArguments())))
    return failure();
  for (auto [argument, input] : llvm::zip_equal(body.getArguments(), op.getInputs()))
    if (failed(
            verifyType(op, "a block argument", accessedType(input.getType()), argument.getType())))
      return failure();
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  if (!yield)
    return op.emitOpError() << "expected a tin.yield at the end of the region";
  return verifyType(yield, "a value", accessedType(op.getResult().getType()),
                    yield.getValue().getType());
}

namespace {

/// Which variables each value of a compute's region depends on, with reductions taken off.
class Dependences {
public:
  explicit Dependences(ComputeOp op) : op(op), count(op.getVariables().size()), reduced(count) {}
  LogicalResult verify();

private:
  llvm::SmallBitVector of(Value value);
  LogicalResult reduce(ReduceOp reduce, llvm::SmallBitVector &uses);
  LogicalResult visit(Operation *inner);

  ComputeOp op;
  unsigned count;
  llvm::SmallBitVector reduced;
  DenseMap<Value, llvm::SmallBitVector> known;
};

} // namespace

llvm::SmallBitVector Dependences::of(Value value) {
  auto found = known.find(value);
  return found == known.end() ? llvm::SmallBitVector(count) : found->second;
}

LogicalResult Dependences::reduce(ReduceOp reduce, llvm::SmallBitVector &uses) {
  for (StringAttr name : reduce.getVariables().getAsRange<StringAttr>()) {
    auto *found = llvm::find(op.getVariables(), name);
    if (found == op.getVariables().end())
      return reduce.emitOpError() << "expected variables of the tin.compute " << op.getVariables()
                                  << ", found " << name;
    unsigned dim = found - op.getVariables().begin();
    if (mapOf(op, op.getInputs().size()).isFunctionOfDim(dim))
      return reduce.emitOpError() << "expected variables that the result does not have, found "
                                  << name;
    if (reduced.test(dim))
      return reduce.emitOpError() << "expected one reduction of each variable, found two of "
                                  << name;
    reduced.set(dim);
    uses.reset(dim);
  }
  return success();
}

LogicalResult Dependences::visit(Operation *inner) {
  llvm::SmallBitVector uses(count);
  inner->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      uses |= of(operand);
  });
  auto reduction = dyn_cast<ReduceOp>(inner);
  if (reduction && failed(reduce(reduction, uses)))
    return failure();
  for (Value result : inner->getResults())
    known[result] = uses;
  return success();
}

LogicalResult Dependences::verify() {
  Block &body = op.getBody().front();
  AffineMap result = mapOf(op, op.getInputs().size());
  for (auto [n, argument] : llvm::enumerate(body.getArguments())) {
    llvm::SmallBitVector uses(count);
    for (unsigned dim = 0; dim < count; ++dim)
      uses[dim] = mapOf(op, n).isFunctionOfDim(dim);
    known[argument] = uses;
  }
  for (Operation &inner : body)
    if (failed(visit(&inner)))
      return failure();
  llvm::SmallBitVector left = of(cast<YieldOp>(body.back()).getValue());
  for (unsigned dim = 0; dim < count; ++dim) {
    if (result.isFunctionOfDim(dim))
      continue;
    if (!reduced.test(dim))
      return op.emitOpError() << "expected a tin.reduce over '" << variableName(op, dim)
                              << "', which the result does not have, found none";
    if (left.test(dim))
      return op.emitOpError() << "expected all that depends on '" << variableName(op, dim)
                              << "' inside its tin.reduce, found a use outside";
  }
  return success();
}

LogicalResult ComputeOp::verifyRegions() {
  SmallVector<Type> types(getOperandTypes());
  types.push_back(getResult().getType());
  if (failed(verifyVariables(*this)) ||
      failed(verifyCount(*this, "maps (operands and result)", types.size(), getMaps().size())))
    return failure();
  for (auto [n, type] : llvm::enumerate(types))
    if (failed(verifyAccess(*this, n, type)))
      return failure();
  if (failed(verifyResultAccess(*this, mapOf(*this, getInputs().size()))) ||
      failed(verifyFillsAndNames(*this, types, getFillsAttr(), getTensorNamesAttr())) ||
      failed(verifyBody(*this)) || failed(Dependences(*this).verify()))
    return failure();
  return verifyExtents(*this);
}

LogicalResult ReduceOp::verify() {
  if (!(*this)->getParentOfType<ComputeOp>())
    return emitOpError() << "expected to stand in a tin.compute";
  if (auto identity = getIdentityAttr())
    return verifyType(*this, "an identity", getValue().getType(), identity.getType());
  return success();
}

//===--------------------------------------------------------------------------------------------===//
// Other operations
//===--------------------------------------------------------------------------------------------===//

LogicalResult EinsumOp::verify() {
  for (Type type : getOperandTypes())
    if (!accessedType(type))
      return emitOpError() << "expected ranked tensors or scalars, found " << type;
  return success();
}

static LogicalResult verifySameTensor(Operation *op, Type source, Type result) {
  auto from = cast<RankedTensorType>(source), to = cast<RankedTensorType>(result);
  if (failed(verifyCompatibleShape(from, to)))
    return op->emitOpError() << "expected a result of the shape of " << from << ", found " << to;
  return verifyType(op, "elements", from.getElementType(), to.getElementType());
}

LogicalResult ConvertOp::verify() {
  return verifySameTensor(*this, getSource().getType(), getResult().getType());
}

/// A compressed level, then singletons, in some order of the dimensions.
static bool isCoordinateList(FormatAttr format) {
  if (!format || format.getLevels().empty() || !format.getMap().isPermutation())
    return false;
  return format.getLevels().front().getName() == "compressed" &&
         llvm::all_of(format.getLevels().drop_front(),
                      [](LevelAttr level) { return level.getName() == "singleton"; });
}

LogicalResult SortOp::verify() {
  for (Type type : {getSource().getType(), getResult().getType()})
    if (!isCoordinateList(formatOf(type)))
      return emitOpError()
             << "expected coordinate lists (a compressed level and singletons), found " << type;
  return verifySameTensor(*this, getSource().getType(), getResult().getType());
}

/// Arrays of one dimension, and the last of them the values.
static LogicalResult verifyArrays(Operation *op, Type tensor, TypeRange arrays) {
  if (!formatOf(tensor))
    return op->emitOpError() << "expected a tensor with a #tin.format, found " << tensor;
  if (arrays.empty())
    return op->emitOpError() << "expected the levels' arrays and the values, found none";
  for (Type array : arrays)
    if (cast<MemRefType>(array).getRank() != 1)
      return op->emitOpError() << "expected arrays of one dimension, found " << array;
  return verifyType(op, "values", accessedType(tensor),
                    cast<MemRefType>(arrays.back()).getElementType());
}

LogicalResult AssembleOp::verify() {
  Type type = getResult().getType();
  if (failed(verifyCount(*this, "dimensions", accessedRank(type), getDimensions().size())))
    return failure();
  return verifyArrays(*this, type, getArrays().getTypes());
}

LogicalResult DisassembleOp::verify() {
  return verifyArrays(*this, getSource().getType(), getArrays().getTypes());
}

//===--------------------------------------------------------------------------------------------===//
// From C
//===--------------------------------------------------------------------------------------------===//

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tin, tin, TinDialect)

static LevelAttr level(MlirAttribute a) {
  return cast<LevelAttr>(unwrap(a));
}
static FormatAttr format(MlirAttribute a) {
  return cast<FormatAttr>(unwrap(a));
}

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
                                     coordinateWidth));
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
MlirAttribute tinTypeGetFormat(MlirType type) {
  return wrap(Attribute(formatOf(unwrap(type))));
}
