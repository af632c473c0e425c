//===- Common.cpp - what the three rungs' verifiers and assembly share
//-------------------------===//

#include "Common.hpp"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

static constexpr StringLiteral reductions = "add, mul, min, max, and, or, xor";

bool lacuna::isReduction(StringRef kind) {
  return llvm::is_contained({"add", "mul", "min", "max", "and", "or", "xor"}, kind);
}

bool lacuna::isScalar(Type type) {
  return isa<FloatType, IntegerType, IndexType, ComplexType>(type);
}

Type lacuna::accessedType(Type operand) {
  if (auto tensor = dyn_cast<RankedTensorType>(operand))
    return tensor.getElementType();
  return isScalar(operand) ? operand : Type();
}

int64_t lacuna::accessedRank(Type operand) {
  auto tensor = dyn_cast<RankedTensorType>(operand);
  return tensor ? tensor.getRank() : 0;
}

LogicalResult lacuna::verifyType(Operation *op, StringRef what, Type expected, Type found) {
  if (expected == found)
    return success();
  return op->emitOpError() << "expected " << what << " of type " << expected << ", found " << found;
}

LogicalResult lacuna::verifyCount(Operation *op, StringRef what, int64_t expected, int64_t found) {
  if (expected == found)
    return success();
  return op->emitOpError() << "expected " << expected << " " << what << ", found " << found;
}

LogicalResult lacuna::verifyFillsAndNames(Operation *op, TypeRange types, ArrayAttr fills,
                                          ArrayAttr names) {
  if (names && failed(verifyCount(op, "tensor names", types.size(), names.size())))
    return failure();
  if (!fills)
    return success();
  if (failed(verifyCount(op, "fills", types.size(), fills.size())))
    return failure();
  for (auto [fill, type] : llvm::zip_equal(fills, types)) {
    auto typed = dyn_cast<TypedAttr>(fill);
    // A complex fill is a pair of its parts.
    if (!typed && isa<ArrayAttr>(fill) && isa<ComplexType>(accessedType(type)))
      continue;
    if (!typed)
      return op->emitOpError() << "expected a typed fill, found " << fill;
    if (failed(verifyType(op, "a fill", accessedType(type), typed.getType())))
      return failure();
  }
  return success();
}

LogicalResult lacuna::verifyKernel(Operation *op, ArrayAttr fills, ArrayAttr names) {
  SmallVector<Type> types(op->getOperandTypes());
  types.append(op->result_type_begin(), op->result_type_end());
  for (Type type : types)
    if (!accessedType(type))
      return op->emitOpError() << "expected ranked tensors or scalars, found " << type;
  Block &body = op->getRegion(0).front();
  if (failed(verifyCount(op, "block arguments (the operands and the result)", types.size(),
                         body.getNumArguments())))
    return failure();
  for (auto [argument, type] : llvm::zip_equal(body.getArguments(), types))
    if (failed(verifyType(op, "a block argument", type, argument.getType())))
      return failure();
  return verifyFillsAndNames(op, types, fills, names);
}

void lacuna::nameKernelArguments(Region &body, ArrayAttr names,
                                 function_ref<void(Value, StringRef)> setName) {
  if (names && !body.empty())
    for (auto [argument, name] : llvm::zip(body.getArguments(), names.getAsRange<StringAttr>()))
      setName(argument, name);
}

ParseResult lacuna::parseReduction(OpAsmParser &parser, StringAttr &kind) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    return parser.emitError(loc) << "expected a reduction (" << reductions << ")";
  if (!isReduction(word))
    return parser.emitError(loc) << "expected a reduction (" << reductions << "), found '" << word
                                 << "'";
  kind = parser.getBuilder().getStringAttr(word);
  return success();
}

void lacuna::printReduction(OpAsmPrinter &printer, Operation *, StringAttr kind) {
  printer << kind.getValue();
}

ParseResult lacuna::parseNames(OpAsmParser &parser, ArrayAttr &names) {
  SmallVector<StringRef> words;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        return parser.parseKeyword(&words.emplace_back());
      }))
    return failure();
  names = parser.getBuilder().getStrArrayAttr(words);
  return success();
}

void lacuna::printNames(OpAsmPrinter &printer, Operation *, ArrayAttr names) {
  auto print = [&](StringAttr name) { printer << name.getValue(); };
  printer << '(';
  llvm::interleaveComma(names.getAsRange<StringAttr>(), printer, print);
  printer << ')';
}

ParseResult lacuna::parseIsolatedBody(OpAsmParser &parser, Region &body) {
  if (parser.parseRegion(body, {}, /*enableNameShadowing=*/true))
    return failure();
  if (body.empty())
    body.emplaceBlock();
  return success();
}

void lacuna::printIsolatedBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer.printRegion(body);
}
