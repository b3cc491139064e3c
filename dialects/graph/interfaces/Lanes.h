// Arithmetic on a value of an emitted kernel that is a scalar or a vector: what the emit rules are written with.
#ifndef AMP_DIALECTS_GRAPH_INTERFACES_LANES_H
#define AMP_DIALECTS_GRAPH_INTERFACES_LANES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace amp::graph {

/// The type in which values of an element type are computed: f32 for 16-bit floats, else the type itself; integers
/// lose their sign mark, which arith does not know.
mlir::Type computeType(mlir::Type element);

/// Builds arith ops on scalars or vectors. A scalar that meets a vector is broadcast.
class Lanes {
public:
  Lanes(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;

  /// A constant of `like`'s shape and element type.
  mlir::Value real(mlir::Value like, double value);
  mlir::Value integer(mlir::Value like, int64_t value);

  /// Arithmetic on two values of one element type; `isUnsigned` matters to integer division and comparison alone.
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b, bool isUnsigned = false);
  /// a * b + c, rounded once.
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  /// and, or of conditions.
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value either(mlir::Value a, mlir::Value b);
  mlir::Value absolute(mlir::Value a);
  mlir::Value sqrt(mlir::Value a);

  /// The same bits as another element type of the same width.
  mlir::Value bits(mlir::Value a, mlir::Type element);
  /// fp64 to fp32 and back, rounding to nearest even.
  mlir::Value narrow(mlir::Value a);
  mlir::Value widen(mlir::Value a);

  /// exp of an f32: at most 1.1 ulp from exact, subnormal results included.
  mlir::Value exp(mlir::Value x);
  /// Natural logarithm of an f32: at most 1.1 ulp from exact, subnormal arguments included.
  mlir::Value log(mlir::Value x);
  /// Error function of an f32: at most 1 ulp from exact.
  mlir::Value erf(mlir::Value x);
  /// x^y of f32: at most 1 ulp from exact, with the special cases of C's pow.
  mlir::Value pow(mlir::Value x, mlir::Value y);

  /// Rounds an f32 or f64 to the 16-bit type `element` and gives it back as f32; NaN stays NaN.
  mlir::Value roundTo(mlir::Value a, mlir::FloatType element);

  /// Makes all values the shape of the first vector among them.
  void match(llvm::MutableArrayRef<mlir::Value> values);

private:
  mlir::Value constant(mlir::Value like, mlir::TypedAttr scalar);
  mlir::Value roundToOdd(mlir::Value a);
  mlir::Value roundToBFloat(mlir::Value a);
  mlir::Value scaleByPowerOfTwo(mlir::Value a, mlir::Value exponent);
  mlir::Value logBase2(mlir::Value x);
  mlir::Value powerOfTwo(mlir::Value t);
};

/// `shape` with another element type: a vector of the same shape, or the element type itself.
mlir::Type withElement(mlir::Type shape, mlir::Type element);

} // namespace amp::graph

#endif
