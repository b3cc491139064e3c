// One line an op. In the patterns $0, $1, .. are the operands, $T the result's type, $U the unsigned twin of the first
// operand's type, and $f the suffix of functions on f32. Integers wrap as arith says, so they are added unsigned.
#include "compiler/codegen/cuda/OpPrinter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace amp::compiler;

std::string amp::compiler::cudaType(Type type) {
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (type.isInteger(1))
    return "bool";
  return cudaStorageType(type);
}

std::string amp::compiler::cudaStorageType(Type element) {
  if (element.isF32() || element.isF64())
    return cudaType(element);
  if (element.isF16())
    return "f16";
  if (element.isBF16())
    return "bf16";
  std::string width = std::to_string(element.getIntOrFloatBitWidth());
  return (element.isUnsignedInteger() ? "u" : "i") + width;
}

static std::string unsignedType(Type type) {
  if (!isa<IntegerType>(type) || type.isInteger(1))
    return cudaType(type);
  return "u" + std::to_string(type.getIntOrFloatBitWidth());
}

static std::string realLiteral(const llvm::APFloat &value, Type type) {
  bool single = type.isF32();
  if (!value.isFinite()) {
    std::string bits = "0x" + llvm::toString(value.bitcastToAPInt(), 16, false);
    return single ? "asFloat((i32)" + bits + "u)" : "asDouble((i64)" + bits + "ull)";
  }
  std::string text;
  // Enough digits to read back the same number.
  llvm::raw_string_ostream(text) << llvm::format(single ? "%.9g" : "%.17g",
                                                 single ? double(value.convertToFloat()) : value.convertToDouble());
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  text += single ? "f" : "";
  return value.isNegative() ? "(" + text + ")" : text;
}

std::string amp::compiler::cudaLiteral(TypedAttr value) {
  Type type = value.getType();
  if (auto real = dyn_cast<FloatAttr>(value))
    return type.isF32() || type.isF64() ? realLiteral(real.getValue(), type) : std::string();
  auto integer = dyn_cast<IntegerAttr>(value);
  if (!integer)
    return {};
  if (type.isInteger(1))
    return integer.getValue().isZero() ? "false" : "true";
  int64_t number = integer.getValue().getSExtValue();
  std::string suffix = type.getIntOrFloatBitWidth() == 64 ? "ll" : "";
  // The least integer has no literal of its own.
  if (integer.getValue().isMinSignedValue())
    return "(" + std::to_string(number + 1) + suffix + " - 1)";
  std::string text = std::to_string(number) + suffix;
  return number < 0 ? "(" + text + ")" : text;
}

static std::string comparison(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OEQ:
    return "$0 == $1";
  case P::OLT:
    return "$0 < $1";
  case P::OLE:
    return "$0 <= $1";
  case P::OGT:
    return "$0 > $1";
  case P::OGE:
    return "$0 >= $1";
  case P::ONE:
    return "$0 < $1 || $0 > $1";
  case P::UEQ:
    return "!($0 < $1 || $0 > $1)";
  case P::ULT:
    return "!($0 >= $1)";
  case P::ULE:
    return "!($0 > $1)";
  case P::UGT:
    return "!($0 <= $1)";
  case P::UGE:
    return "!($0 < $1)";
  case P::UNE:
    return "$0 != $1";
  case P::ORD:
    return "$0 == $0 && $1 == $1";
  case P::UNO:
    return "$0 != $0 || $1 != $1";
  case P::AlwaysFalse:
    return "false";
  case P::AlwaysTrue:
    return "true";
  }
  return {};
}

static std::string comparison(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  const std::pair<P, const char *> table[] = {{P::eq, "$0 == $1"},         {P::ne, "$0 != $1"},
                                              {P::slt, "$0 < $1"},         {P::sle, "$0 <= $1"},
                                              {P::sgt, "$0 > $1"},         {P::sge, "$0 >= $1"},
                                              {P::ult, "($U)$0 < ($U)$1"}, {P::ule, "($U)$0 <= ($U)$1"},
                                              {P::ugt, "($U)$0 > ($U)$1"}, {P::uge, "($U)$0 >= ($U)$1"}};
  for (auto [known, pattern] : table)
    if (known == predicate)
      return pattern;
  return {};
}

/// Conversions, whose pattern depends on both types.
static std::string conversion(Operation *op) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  bool toWide = to.isF32() || to.isF64();
  if (isa<arith::ExtFOp>(op))
    return (from.isF16() || from.isBF16()) && to.isF32() ? "widen($0)" : from.isF32() && to.isF64() ? "($T)$0" : "";
  if (isa<arith::TruncFOp>(op)) {
    if (from.isF64())
      return to.isF32() ? "($T)$0" : "";
    return to.isF16() ? "toF16($0)" : to.isBF16() ? "toBf16($0)" : "";
  }
  if (isa<arith::BitcastOp>(op)) {
    if (from.isF32() || to.isF32())
      return from.isF32() ? "asInt($0)" : "asFloat($0)";
    return from.isF64() ? "asLong($0)" : to.isF64() ? "asDouble($0)" : "";
  }
  // A one of i1 is -1 where it is signed.
  if (isa<arith::SIToFPOp, arith::ExtSIOp>(op))
    return from.isInteger(1) || (isa<FloatType>(to) && !toWide) ? "" : "($T)$0";
  if (isa<arith::UIToFPOp>(op))
    return toWide ? "($T)($U)$0" : "";
  if (isa<arith::FPToSIOp>(op))
    return to.isInteger(1) ? "" : "($T)$0";
  if (isa<arith::FPToUIOp>(op))
    return to.isInteger(1) ? "" : "(" + cudaType(to) + ")(" + unsignedType(to) + ")$0";
  if (isa<arith::TruncIOp>(op))
    return to.isInteger(1) ? "($0 & 1) != 0" : "($T)$0";
  return isa<arith::ExtUIOp>(op) ? "($T)($U)$0" : "";
}

/// Ops with one pattern for all types that the table admits: r reals, i integers but i1, b integers and i1.
static const llvm::StringMap<std::pair<char, const char *>> &patterns() {
  static const llvm::StringMap<std::pair<char, const char *>> table = {
      {"arith.addf", {'r', "$0 + $1"}},
      {"arith.subf", {'r', "$0 - $1"}},
      {"arith.mulf", {'r', "$0 * $1"}},
      {"arith.divf", {'r', "$0 / $1"}},
      {"arith.remf", {'r', "fmod$f($0, $1)"}},
      {"arith.negf", {'r', "-$0"}},
      {"arith.maximumf", {'r', "maximum($0, $1)"}},
      {"arith.minimumf", {'r', "minimum($0, $1)"}},
      {"arith.maxnumf", {'r', "fmax$f($0, $1)"}},
      {"arith.minnumf", {'r', "fmin$f($0, $1)"}},
      {"arith.addi", {'i', "($T)(($U)$0 + ($U)$1)"}},
      {"arith.subi", {'i', "($T)(($U)$0 - ($U)$1)"}},
      {"arith.muli", {'i', "($T)(($U)$0 * ($U)$1)"}},
      {"arith.divsi", {'i', "($T)($0 / $1)"}},
      {"arith.divui", {'i', "($T)(($U)$0 / ($U)$1)"}},
      {"arith.remsi", {'i', "($T)($0 % $1)"}},
      {"arith.remui", {'i', "($T)(($U)$0 % ($U)$1)"}},
      {"arith.shli", {'i', "($T)(($U)$0 << $1)"}},
      {"arith.shrsi", {'i', "($T)($0 >> $1)"}},
      {"arith.shrui", {'i', "($T)(($U)$0 >> $1)"}},
      {"arith.maxsi", {'i', "$0 > $1 ? $0 : $1"}},
      {"arith.minsi", {'i', "$0 < $1 ? $0 : $1"}},
      {"arith.maxui", {'i', "($U)$0 > ($U)$1 ? $0 : $1"}},
      {"arith.minui", {'i', "($U)$0 < ($U)$1 ? $0 : $1"}},
      {"arith.andi", {'b', "($T)($0 & $1)"}},
      {"arith.ori", {'b', "($T)($0 | $1)"}},
      {"arith.xori", {'b', "($T)($0 ^ $1)"}},
      {"math.absf", {'r', "fabs$f($0)"}},
      {"math.absi", {'i', "$0 < 0 ? ($T)(0 - ($U)$0) : $0"}},
      {"math.ceil", {'r', "ceil$f($0)"}},
      {"math.copysign", {'r', "copysign$f($0, $1)"}},
      {"math.cos", {'r', "cos$f($0)"}},
      {"math.erf", {'r', "erf$f($0)"}},
      {"math.exp", {'r', "exp$f($0)"}},
      {"math.exp2", {'r', "exp2$f($0)"}},
      {"math.expm1", {'r', "expm1$f($0)"}},
      {"math.floor", {'r', "floor$f($0)"}},
      {"math.fma", {'r', "fma$f($0, $1, $2)"}},
      {"math.log", {'r', "log$f($0)"}},
      {"math.log1p", {'r', "log1p$f($0)"}},
      {"math.log2", {'r', "log2$f($0)"}},
      {"math.powf", {'r', "pow$f($0, $1)"}},
      {"math.round", {'r', "round$f($0)"}},
      {"math.roundeven", {'r', "rint$f($0)"}},
      {"math.rsqrt", {'r', "($T)1 / sqrt$f($0)"}},
      {"math.sin", {'r', "sin$f($0)"}},
      {"math.sqrt", {'r', "sqrt$f($0)"}},
      {"math.tanh", {'r', "tanh$f($0)"}},
      {"math.trunc", {'r', "trunc$f($0)"}},
  };
  return table;
}

static std::string patternOf(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return comparison(compare.getPredicate());
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return comparison(compare.getPredicate());
  if (isa<arith::SelectOp>(op))
    return "$0 ? $1 : $2";
  auto known = patterns().find(op->getName().getStringRef());
  if (known == patterns().end())
    return conversion(op);
  Type type = op->getResult(0).getType();
  bool isReal = type.isF32() || type.isF64();
  bool admitted = known->second.first == 'r'   ? isReal
                  : known->second.first == 'i' ? isa<IntegerType>(type) && !type.isInteger(1)
                                               : isa<IntegerType>(type);
  return admitted ? known->second.second : "";
}

std::string amp::compiler::cudaExpression(Operation *op, ArrayRef<std::string> operands) {
  if (op->getNumResults() != 1 || operands.empty())
    return {};
  std::string pattern = patternOf(op), text;
  Type first = op->getOperand(0).getType();
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '$') {
      text += pattern[i];
      continue;
    }
    char what = pattern[++i];
    text += what == 'T'   ? cudaType(op->getResult(0).getType())
            : what == 'U' ? unsignedType(first)
            : what == 'f' ? (first.isF32() ? "f" : "")
                          : operands[size_t(what - '0')];
  }
  return text;
}
