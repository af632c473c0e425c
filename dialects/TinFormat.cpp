//===- TinFormat.cpp - #tin.format, how a tensor is stored
//-------------------------------------===//
//
//     (i, j)     ->  (i floordiv 4 : dense, j : compressed(nonunique)), pos = 32, crd = 32
//     dimensions      levels, outermost first: a coordinate expression and a level format
//
// The text is read from the source buffer itself, since `#i` (the counter of i) is an alias to
// MLIR's lexer.  MLIR has found the end of the attribute by its brackets before it calls.
//
//===--------------------------------------------------------------------------------------------===//

#include "Tin.hpp"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectImplementation.h"
#include "tin.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace lacuna;
using namespace lacuna::tin;

//===--------------------------------------------------------------------------------------------===//
// Reading
//===--------------------------------------------------------------------------------------------===//

namespace {

class FormatText {
public:
  explicit FormatText(AsmParser &parser)
      : parser(parser), at(parser.getCurrentLocation().getPointer()) {}

  Attribute format();
  Attribute level();
  bool expect(StringRef token);

private:
  enum { MaxDepth = 64 };

  void skipSpace();
  InFlightDiagnostic error() { return parser.emitError(SMLoc::getFromPointer(at)); }
  std::string found();
  bool take(StringRef token);
  bool word(StringRef what, StringRef &result);
  bool integer(int64_t &result);
  template <typename Element> bool list(Element element);
  bool dimension();
  bool index(unsigned &dim);
  AffineExpr sum();
  AffineExpr term();
  AffineExpr factor();
  AffineExpr constantRight(StringRef op, AffineExpr left);
  bool property(unsigned &properties, SmallVectorImpl<int64_t> &arguments);
  bool mappedLevel();
  bool width();

  AsmParser &parser;
  const char *at;
  int depth = 0;
  bool hasCounters = false;
  SmallVector<StringRef> dimensions;
  SmallVector<AffineExpr> expressions;
  SmallVector<LevelAttr> levels;
  std::optional<unsigned> posWidth, crdWidth;
};

} // namespace

static bool isWordChar(char c) {
  return llvm::isAlnum(c) || c == '_';
}

void FormatText::skipSpace() {
  while (llvm::isSpace(*at) || (at[0] == '/' && at[1] == '/'))
    if (*at == '/')
      at += strcspn(at, "\n");
    else
      ++at;
}

bool FormatText::take(StringRef token) {
  skipSpace();
  if (strncmp(at, token.data(), token.size()) != 0)
    return false;
  if (isWordChar(token.back()) && isWordChar(at[token.size()]))
    return false;
  at += token.size();
  return true;
}

std::string FormatText::found() {
  return *at ? std::string("'") + *at + "'" : std::string("the end");
}

bool FormatText::expect(StringRef token) {
  if (take(token))
    return true;
  error() << "expected '" << token << "', found " << found();
  return false;
}

bool FormatText::word(StringRef what, StringRef &result) {
  skipSpace();
  const char *end = at;
  while (isWordChar(*end))
    ++end;
  result = StringRef(at, end - at);
  if (!result.empty() && !llvm::isDigit(result[0])) {
    at = end;
    return true;
  }
  error() << "expected " << what << ", found " << found();
  return false;
}

bool FormatText::integer(int64_t &result) {
  skipSpace();
  StringRef digits = StringRef(at, strspn(at, "0123456789"));
  if (digits.getAsInteger(10, result)) {
    error() << "expected an integer of 64 bits";
    return false;
  }
  at += digits.size();
  return true;
}

/// `(` element, ... `)`
template <typename Element> bool FormatText::list(Element element) {
  if (!expect("("))
    return false;
  if (take(")"))
    return true;
  do
    if (!element())
      return false;
  while (take(","));
  return expect(")");
}

bool FormatText::dimension() {
  StringRef name;
  if (!word("a dimension's name", name))
    return false;
  if (llvm::is_contained(dimensions, name)) {
    error() << "expected distinct dimensions, found '" << name << "' twice";
    return false;
  }
  dimensions.push_back(name);
  return true;
}

bool FormatText::index(unsigned &dim) {
  const char *start = at;
  StringRef name;
  if (!word("a dimension", name))
    return false;
  auto *found = llvm::find(dimensions, name);
  if (found == dimensions.end()) {
    at = start;
    error() << "expected a dimension of this format, found '" << name << "'";
    return false;
  }
  dim = found - dimensions.begin();
  return true;
}

AffineExpr FormatText::sum() {
  AffineExpr result = term();
  while (result) {
    bool minus = take("-");
    if (!minus && !take("+"))
      break;
    AffineExpr right = term();
    result = !right ? right : minus ? result - right : result + right;
  }
  return result;
}

/// The right-hand side of a product, quotient or remainder, where `left` is no constant.
AffineExpr FormatText::constantRight(StringRef op, AffineExpr left) {
  AffineExpr right = factor();
  auto constant = dyn_cast_or_null<AffineConstantExpr>(right);
  if (!right || op == "*") {
    if (!right || constant || isa<AffineConstantExpr>(left))
      return right;
    error() << "expected a product with a constant";
    return {};
  }
  if (constant && constant.getValue() > 0)
    return right;
  error() << "expected a positive constant on the right of '" << op << "'";
  return {};
}

AffineExpr FormatText::term() {
  AffineExpr result = factor();
  while (result) {
    StringRef op = take("*") ? "*" : take("floordiv") ? "floordiv" : take("mod") ? "mod" : "";
    if (op.empty())
      break;
    AffineExpr right = constantRight(op, result);
    result = !right        ? right
             : op == "*"   ? result * right
             : op == "mod" ? result % right
                           : result.floorDiv(right);
  }
  return result;
}

AffineExpr FormatText::factor() {
  MLIRContext *context = parser.getContext();
  unsigned dim;
  int64_t value;
  skipSpace();
  if (depth == MaxDepth)
    return error() << "expected at most " << int(MaxDepth) << " nested terms", AffineExpr();
  if (take("-")) {
    ++depth;
    AffineExpr result = factor();
    --depth;
    return result ? -result : result;
  }
  if (take("(")) {
    ++depth;
    AffineExpr result = sum();
    --depth;
    return result && expect(")") ? result : AffineExpr();
  }
  if (take("#")) {
    hasCounters = true;
    return index(dim) ? getAffineSymbolExpr(dim, context) : AffineExpr();
  }
  if (llvm::isDigit(*at))
    return integer(value) ? getAffineConstantExpr(value, context) : AffineExpr();
  return index(dim) ? getAffineDimExpr(dim, context) : AffineExpr();
}

/// nonunique, unordered, or an integer argument
bool FormatText::property(unsigned &properties, SmallVectorImpl<int64_t> &arguments) {
  StringRef name;
  skipSpace();
  if (llvm::isDigit(*at))
    return integer(arguments.emplace_back());
  if (take("nonunique"))
    return properties |= TIN_NONUNIQUE, true;
  if (take("unordered"))
    return properties |= TIN_UNORDERED, true;
  if (!word("nonunique, unordered or an integer", name))
    return false;
  error() << "expected nonunique, unordered or an integer, found '" << name << "'";
  return false;
}

Attribute FormatText::level() {
  StringRef name;
  unsigned properties = 0;
  SmallVector<int64_t> arguments;
  if (!word("a level format", name))
    return {};
  skipSpace();
  if (*at == '(' && !list([&] { return property(properties, arguments); }))
    return {};
  return LevelAttr::get(parser.getContext(), name, properties, ArrayRef<int64_t>(arguments));
}

/// `j floordiv 4 : compressed(nonunique)`
bool FormatText::mappedLevel() {
  AffineExpr expr = sum();
  if (!expr || !expect(":"))
    return false;
  expressions.push_back(expr);
  levels.push_back(llvm::cast_or_null<LevelAttr>(level()));
  return levels.back() != nullptr;
}

/// `pos = 32` or `crd = 32`
bool FormatText::width() {
  int64_t value;
  std::optional<unsigned> &slot = take("pos") ? posWidth : crdWidth;
  if (&slot == &crdWidth && !expect("crd"))
    return false;
  if (slot) {
    error() << "expected each width once";
    return false;
  }
  if (!expect("=") || !integer(value))
    return false;
  slot = std::min<int64_t>(value, 1 << 16);
  return true;
}

Attribute FormatText::format() {
  SMLoc start = SMLoc::getFromPointer(at);
  if (!expect("<") || !list([&] { return dimension(); }) || !expect("->") ||
      !list([&] { return mappedLevel(); }))
    return {};
  while (take(","))
    if (!width())
      return {};
  if (!expect(">"))
    return {};
  auto map = AffineMap::get(dimensions.size(), hasCounters ? dimensions.size() : 0, expressions,
                            parser.getContext());
  return FormatAttr::getChecked([&] { return parser.emitError(start); }, parser.getContext(), map,
                                ArrayRef<LevelAttr>(levels), posWidth.value_or(64),
                                crdWidth.value_or(64));
}

Attribute FormatAttr::parse(AsmParser &parser, Type) {
  return FormatText(parser).format();
}

Attribute LevelAttr::parse(AsmParser &parser, Type) {
  FormatText text(parser);
  if (!text.expect("<"))
    return {};
  Attribute level = text.level();
  return level && text.expect(">") ? level : Attribute();
}

//===--------------------------------------------------------------------------------------------===//
// Writing
//===--------------------------------------------------------------------------------------------===//

/// The factor -c of an expression x * -c, or of a constant -c, as c; otherwise 0.
static int64_t negated(AffineExpr expr) {
  if (expr.getKind() == AffineExprKind::Mul)
    expr = cast<AffineBinaryOpExpr>(expr).getRHS();
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  return constant && constant.getValue() < 0 && constant.getValue() != INT64_MIN
             ? -constant.getValue()
             : 0;
}

void tin::printSubscript(raw_ostream &os, AffineExpr expr, function_ref<void(unsigned)> dimension,
                         function_ref<void(unsigned)> symbol, bool asFactor) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dimension(dim.getPosition());
  if (auto sym = dyn_cast<AffineSymbolExpr>(expr))
    return symbol(sym.getPosition());
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return void(os << constant.getValue());

  auto binary = cast<AffineBinaryOpExpr>(expr);
  bool isSum = expr.getKind() == AffineExprKind::Add;
  AffineExpr left = binary.getLHS(), right = binary.getRHS();
  auto print = [&](AffineExpr e, bool factor) { printSubscript(os, e, dimension, symbol, factor); };
  if (asFactor)
    os << '(';
  print(left, !isSum && left.getKind() == AffineExprKind::Add);
  int64_t minus = isSum ? negated(right) : 0;
  os << (minus                                       ? " - "
         : isSum                                     ? " + "
         : expr.getKind() == AffineExprKind::Mul     ? " * "
         : expr.getKind() == AffineExprKind::Mod     ? " mod "
         : expr.getKind() == AffineExprKind::CeilDiv ? " ceildiv "
                                                     : " floordiv ");
  if (minus && right.getKind() == AffineExprKind::Mul) {
    AffineExpr positive = cast<AffineBinaryOpExpr>(right).getLHS();
    right = positive * minus;
    print(right, right.getKind() == AffineExprKind::Add);
  } else if (minus) {
    os << minus;
  } else {
    print(right, isSum ? right.getKind() == AffineExprKind::Add : isa<AffineBinaryOpExpr>(right));
  }
  if (asFactor)
    os << ')';
}

static void printDimension(raw_ostream &os, unsigned dim) {
  static constexpr StringLiteral letters = "ijklmnopqr";
  if (dim < letters.size())
    os << letters[dim];
  else
    os << 'd' << dim;
}

static void printLevel(raw_ostream &os, LevelAttr level) {
  SmallVector<std::string> words;
  if (level.getProperties() & TIN_NONUNIQUE)
    words.push_back("nonunique");
  if (level.getProperties() & TIN_UNORDERED)
    words.push_back("unordered");
  for (int64_t argument : level.getArguments())
    words.push_back(std::to_string(argument));
  os << level.getName();
  if (!words.empty())
    os << '(' << llvm::join(words, ", ") << ')';
}

void LevelAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printLevel(printer.getStream(), *this);
  printer << '>';
}

void FormatAttr::print(AsmPrinter &printer) const {
  raw_ostream &os = printer.getStream();
  auto dimension = [&](unsigned dim) { printDimension(os, dim); };
  auto counter = [&](unsigned dim) { printDimension(os << '#', dim); };
  os << "<(";
  llvm::interleaveComma(llvm::seq(getMap().getNumDims()), os, dimension);
  os << ") -> (";
  llvm::interleaveComma(llvm::zip_equal(getMap().getResults(), getLevels()), os, [&](auto pair) {
    printSubscript(os, std::get<0>(pair), dimension, counter);
    printLevel(os << " : ", std::get<1>(pair));
  });
  os << ')';
  if (getPosWidth() != 64)
    os << ", pos = " << getPosWidth();
  if (getCrdWidth() != 64)
    os << ", crd = " << getCrdWidth();
  os << '>';
}

//===--------------------------------------------------------------------------------------------===//
// Verifying
//===--------------------------------------------------------------------------------------------===//

static bool hasSymbol(AffineMap map) {
  for (unsigned s = 0; s < map.getNumSymbols(); ++s)
    if (map.isFunctionOfSymbol(s))
      return true;
  return false;
}

LogicalResult FormatAttr::verify(function_ref<InFlightDiagnostic()> emitError, AffineMap map,
                                 ArrayRef<LevelAttr> levels, unsigned posWidth, unsigned crdWidth) {
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
  return success();
}

bool tin::isStoredType(Type type) {
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
  return FormatAttr::get(context, identity, ArrayRef<LevelAttr>(levels), 64, 64);
}
