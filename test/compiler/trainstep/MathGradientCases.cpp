// Gradient cases of functions, powers, extrema, reductions of images, joins, gathers, slices and triangles.
#include "test/compiler/trainstep/GradientCaseText.h"

namespace amp::test {

static GradientCase power(const Shape &shape, const std::string &exponent, double low) {
  std::string type = tensor(shape);
  return {"pow " + exponent,
          {type},
          type,
          "%e = graph.constant dense<" + exponent + "> : tensor<f32>\n%y = graph.pow %a, %e : (" + type +
              ", tensor<f32>) -> " + type,
          low,
          2};
}

void addMath(std::vector<GradientCase> &cases) {
  for (const Shape &shape : {Shape{}, Shape{2, 3, 4}}) {
    for (const char *op : {"erf", "abs", "gelu"})
      cases.push_back(unary(op, shape, shape, ""));
    cases.push_back(unary("gelu", shape, shape, "{approximate = true}"));
    cases.push_back(unary("reciprocal", shape, shape, "", 0.5, 2));
    for (const char *exponent : {"1.0", "2.0", "3.0"})
      cases.push_back(power(shape, exponent, -2));
    for (const char *exponent : {"0.0", "0.5", "-1.0", "-2.5"})
      cases.push_back(power(shape, exponent, 0.5));
  }
  const std::pair<Shape, Shape> shapes[] = {
      {{3}, {3}}, {{2, 3}, {3}}, {{3}, {2, 3}}, {{2, 1, 4}, {3, 1}}, {{}, {2, 2}}};
  for (const auto &[a, b] : shapes) {
    cases.push_back(binary("pow", a, b, broadcast(a, b), "", 0.5, 2));
    for (const char *op : {"min", "max"})
      cases.push_back(binary(op, a, b, broadcast(a, b)));
  }
  for (const char *op : {"reduce_sum", "reduce_mean"}) {
    cases.push_back(unary(op, {2, 3, 4, 5}, {2, 3, 1, 1}, "{axes = array<i64: 2, 3>, keep_dims = true}"));
    cases.push_back(unary(op, {2, 3, 4, 5}, {2, 3}, "{axes = array<i64: 2, 3>}"));
  }
}

static GradientCase gather(const Shape &from, const Shape &to, const std::string &indices, const Shape &indexShape,
                           int64_t axis) {
  std::string type = tensor(indexShape);
  type.replace(type.find("f32"), 3, "i64");
  return {"gather along " + std::to_string(axis),
          {tensor(from)},
          tensor(to),
          "%i = graph.constant dense<" + indices + "> : " + type + "\n%y = graph.gather %a, %i {axis = " +
              std::to_string(axis) + " : i64} : (" + tensor(from) + ", " + type + ") -> " + tensor(to)};
}

static std::string ranges(const Shape &axes, const Shape &starts, const Shape &ends, const Shape &steps) {
  return "{axes = " + array(axes) + ", starts = " + array(starts) + ", ends = " + array(ends) +
         ", steps = " + array(steps) + "}";
}

void addIndexing(std::vector<GradientCase> &cases) {
  cases.push_back(binary("concat", {2, 3}, {2, 1}, {2, 4}, "{axis = 1 : i64}"));
  cases.push_back(binary("concat", {1, 2, 3}, {4, 2, 3}, {5, 2, 3}, "{axis = 0 : i64}"));
  cases.push_back(gather({4, 3}, {2, 2, 3}, "[[1, -1], [1, 0]]", {2, 2}, 0));
  cases.push_back(gather({2, 4, 3}, {2, 3, 3}, "[3, 3, 0]", {3}, 1));
  cases.push_back(gather({2, 4}, {2}, "-2", {}, 1));
  cases.push_back(unary("slice", {5, 4}, {2, 4}, ranges({0}, {1}, {100}, {2})));
  cases.push_back(unary("slice", {5, 4}, {3, 2}, ranges({1, 0}, {-1, 1}, {-100, 4}, {-2, 1})));
  cases.push_back(unary("trilu", {2, 3, 4}, {2, 3, 4}, "{upper = true, k = 1 : i64}"));
  cases.push_back(unary("trilu", {4, 3}, {4, 3}, "{upper = false, k = 0 : i64}"));
}

} // namespace amp::test
