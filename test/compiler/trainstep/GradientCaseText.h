// What the gradient cases are written with: types, attributes, and ops of one or two operands.
#ifndef AMP_TEST_COMPILER_TRAINSTEP_GRADIENTCASETEXT_H
#define AMP_TEST_COMPILER_TRAINSTEP_GRADIENTCASETEXT_H

#include "test/compiler/trainstep/GradientCases.h"

#include <algorithm>
#include <cstdint>

namespace amp::test {

using Shape = std::vector<int64_t>;

inline std::string tensor(const Shape &shape) {
  std::string text = "tensor<";
  for (int64_t length : shape)
    text += std::to_string(length) + "x";
  return text + "f32>";
}

inline std::string array(const Shape &values) {
  std::string text = "array<i64";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : ": ") + std::to_string(values[i]);
  return text + ">";
}

inline Shape broadcast(const Shape &lhs, const Shape &rhs) {
  Shape shape(std::max(lhs.size(), rhs.size()), 1);
  for (const Shape &one : {lhs, rhs})
    for (size_t i = 0; i < one.size(); ++i)
      shape[shape.size() - one.size() + i] = std::max(shape[shape.size() - one.size() + i], one[i]);
  return shape;
}

inline GradientCase unary(const std::string &op, const Shape &from, const Shape &to, const std::string &attributes,
                          double low = -2, double high = 2) {
  GradientCase one{op + " " + attributes + " " + tensor(from), {tensor(from)}, tensor(to), "", low, high};
  one.body = "%y = graph." + op + " %a " + attributes + " : " + tensor(from) + " -> " + tensor(to);
  return one;
}

inline GradientCase binary(const std::string &op, const Shape &a, const Shape &b, const Shape &to,
                           const std::string &attributes = "", double low = -2, double high = 2) {
  GradientCase one{
      op + " " + attributes + " " + tensor(a) + " " + tensor(b), {tensor(a), tensor(b)}, tensor(to), "", low, high};
  one.body =
      "%y = graph." + op + " %a, %b " + attributes + " : (" + tensor(a) + ", " + tensor(b) + ") -> " + tensor(to);
  return one;
}

/// The cases of one file.
void addMath(std::vector<GradientCase> &cases);
void addIndexing(std::vector<GradientCase> &cases);
void addNormalization(std::vector<GradientCase> &cases);

} // namespace amp::test

#endif
