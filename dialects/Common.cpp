//===- Common.cpp - what the three rungs' verifiers and assembly share
//-------------------------===//

#include "Common.hpp"
#include "Sit.hpp"
#include "mlir/IR/Builders.h"
#include "tin.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

static constexpr StringLiteral reductions = "add, mul, min, max, and, or, xor";

Type lacuna::accessedType(Type operand) {
  if (auto tensor = dyn_cast<RankedTensorType>(operand))
    return tensor.getElementType();
  return is_tensor_or_scalar(wrap(operand)) ? operand : Type();
}

void lacuna::nameKernelArguments(Region &body, ArrayAttr names,
                                 function_ref<void(Value, StringRef)> setName) {
  if (names && !body.empty())
    for (auto [argument, name] : llvm::zip(body.getArguments(), names.getAsRange<StringAttr>()))
      setName(argument, name);
}

ParseResult lacuna::parseReduction(OpAsmParser &parser, tin::ReductionAttr &kind) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    return parser.emitError(loc) << "expected a reduction (" << reductions << ")";
  std::optional<tin::Reduction> found = tin::symbolizeReduction(word);
  if (!found)
    return parser.emitError(loc) << "expected a reduction (" << reductions << "), found '" << word
                                 << "'";
  kind = tin::ReductionAttr::get(parser.getContext(), *found);
  return success();
}

void lacuna::printReduction(OpAsmPrinter &printer, Operation *, tin::ReductionAttr kind) {
  printer << tin::stringifyReduction(kind.getValue());
}

ParseResult lacuna::parseAssembly(OpAsmParser &parser, cin::AssemblyAttr &way) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<cin::Assembly> found = cin::symbolizeAssembly(word);
  if (!found)
    return parser.emitError(loc)
           << "expected insert, append, scatter, collect, record or copy, found '" << word << "'";
  way = cin::AssemblyAttr::get(parser.getContext(), *found);
  return success();
}

void lacuna::printAssembly(OpAsmPrinter &printer, Operation *, cin::AssemblyAttr way) {
  printer << cin::stringifyAssembly(way.getValue());
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

ParseResult lacuna::parsePad(OpAsmParser &parser, Attribute &pad) {
  if (failed(parser.parseOptionalKeyword("pad")))
    return success();
  pad = parser.getBuilder().getUnitAttr();
  if (failed(parser.parseOptionalLParen()))
    return success();
  return failure(parser.parseAttribute(pad) || parser.parseRParen());
}

void lacuna::printPad(OpAsmPrinter &printer, Attribute pad) {
  if (!pad)
    return;
  printer << " pad";
  if (!isa<UnitAttr>(pad))
    printer << '(' << pad << ')';
}

void lacuna::printIsolatedBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer.printRegion(body);
}

//===--------------------------------------------------------------------------------------------===//
// What statements have on each rung
//===--------------------------------------------------------------------------------------------===//

using lacuna::tin::ComputeOp;
using CinKernelOp = lacuna::cin::KernelOp;
using SitKernelOp = lacuna::sit::KernelOp;

MlirAttribute statement_op_fill(MlirOperation op, intptr_t i) {
  ArrayAttr fills =
      llvm::TypeSwitch<Operation *, ArrayAttr>(unwrap(op))
          .Case<ComputeOp, CinKernelOp, SitKernelOp>([](auto o) { return o.getFillsAttr(); })
          .Default(ArrayAttr());
  return fills && size_t(i) < fills.size() ? wrap(fills[i]) : MlirAttribute{};
}

MlirStringRef statement_op_tensor_name(MlirOperation op, intptr_t i) {
  ArrayAttr names =
      llvm::TypeSwitch<Operation *, ArrayAttr>(unwrap(op))
          .Case<ComputeOp, CinKernelOp, SitKernelOp>([](auto o) { return o.getTensorNamesAttr(); })
          .Default(ArrayAttr());
  return names && size_t(i) < names.size() ? wrap(cast<StringAttr>(names[i]).getValue())
                                           : MlirStringRef{"", 0};
}

bool statement_op_drops_zeros(MlirOperation op) {
  return llvm::TypeSwitch<Operation *, bool>(unwrap(op))
      .Case<ComputeOp, CinKernelOp>([](auto o) { return o.getDropZeros(); })
      .Default(false);
}

bool statement_op_is_conversion(MlirOperation op) {
  return llvm::TypeSwitch<Operation *, bool>(unwrap(op))
      .Case<ComputeOp, CinKernelOp>([](auto o) { return o.getConversion(); })
      .Default(false);
}
