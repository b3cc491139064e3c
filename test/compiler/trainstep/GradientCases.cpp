// Every differentiable op over several shapes, broadcasts and attributes.
#include "test/compiler/trainstep/GradientCaseText.h"

namespace amp::test {

namespace {

void addElementwise(std::vector<GradientCase> &cases) {
  for (const Shape &shape : {Shape{}, Shape{7}, Shape{2, 3, 4}}) {
    for (const char *op : {"relu", "tanh", "sigmoid", "neg", "exp"})
      cases.push_back(unary(op, shape, shape, ""));
    for (const char *op : {"log", "sqrt"})
      cases.push_back(unary(op, shape, shape, "", 0.5, 2));
  }
  const std::pair<Shape, Shape> shapes[] = {{{3}, {3}},   {{2, 3}, {3}}, {{3}, {2, 3}}, {{2, 1, 4}, {3, 1}},
                                            {{}, {2, 2}}, {{1}, {2, 3}}, {{}, {}},      {{2, 3, 1}, {1, 1, 4}}};
  for (const auto &[a, b] : shapes)
    for (const char *op : {"add", "sub", "mul", "div"})
      cases.push_back(binary(op, a, b, broadcast(a, b), "", 0.5, 2));
  cases.push_back(binary("bias_add", {2, 3, 2, 2}, {3}, {2, 3, 2, 2}, "{axis = 1 : i64}"));
  cases.push_back(binary("bias_add", {2, 3}, {3}, {2, 3}, "{axis = 1 : i64}"));
  cases.push_back(binary("bias_add", {4}, {4}, {4}, "{axis = 0 : i64}"));
  cases.push_back({"cast to f64 and back",
                   {"tensor<5xf32>"},
                   "tensor<5xf32>",
                   "%d = graph.cast %a : tensor<5xf32> -> tensor<5xf64>\n"
                   "%e = graph.mul %d, %d : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>\n"
                   "%y = graph.cast %e : tensor<5xf64> -> tensor<5xf32>"});
  cases.push_back(
      {"select",
       {"tensor<2x3xf32>", "tensor<3xf32>"},
       "tensor<2x3xf32>",
       "%c = graph.compare lt %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>\n"
       "%q = graph.mul %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>\n"
       "%y = graph.select %c, %q, %b : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>"});
}

void addMatmul(std::vector<GradientCase> &cases) {
  const std::pair<Shape, Shape> batches[] = {{{}, {}},   {{2}, {2}},    {{2}, {}},   {{}, {2}},
                                             {{1}, {3}}, {{2, 1}, {3}}, {{2, 3}, {}}};
  for (const auto &[batchA, batchB] : batches)
    for (int transposes = 0; transposes < 4; ++transposes) {
      const bool left = transposes & 1, right = transposes & 2;
      Shape a = batchA, b = batchB, to = broadcast(batchA, batchB);
      if (batchA.empty() && batchB.empty())
        to.clear();
      a.insert(a.end(), {left ? 4 : 3, left ? 3 : 4});
      b.insert(b.end(), {right ? 2 : 4, right ? 4 : 2});
      to.insert(to.end(), {3, 2});
      cases.push_back(binary("matmul", a, b, to,
                             std::string("{transpose_lhs = ") + (left ? "true" : "false") +
                                 ", transpose_rhs = " + (right ? "true" : "false") + "}"));
    }
}

struct Window {
  int64_t kernel, stride, begin, end, dilation;
  bool ceil = false;
  int64_t count(int64_t length) const {
    int64_t span = length + begin + end - dilation * (kernel - 1) - 1;
    int64_t windows = span / stride + 1;
    if (ceil && span % stride != 0 && windows * stride < length + begin)
      ++windows;
    return windows;
  }
};

void addConvolution(std::vector<GradientCase> &cases) {
  struct Geometry {
    Window height, width;
    int64_t groups;
  };
  const Geometry geometries[] = {{{3, 1, 0, 0, 1}, {3, 1, 0, 0, 1}, 1},
                                 {{3, 2, 1, 1, 1}, {2, 1, 0, 1, 1}, 1},
                                 {{2, 1, 0, 0, 2}, {3, 2, 2, 1, 1}, 2},
                                 {{1, 1, 0, 0, 1}, {1, 2, 0, 0, 1}, 4}};
  for (const Geometry &g : geometries) {
    Shape x = {2, 4, 5, 6}, weight = {4, 4 / g.groups, g.height.kernel, g.width.kernel};
    Shape y = {2, 4, g.height.count(5), g.width.count(6)};
    std::string attributes = "strides = " + array({g.height.stride, g.width.stride}) +
                             ", pads = " + array({g.height.begin, g.width.begin, g.height.end, g.width.end}) +
                             ", dilations = " + array({g.height.dilation, g.width.dilation}) +
                             ", groups = " + std::to_string(g.groups) + " : i64";
    cases.push_back(binary("conv2d", x, weight, y, "{" + attributes + "}"));
    auto last = [](const Shape &s) { return Shape{s[0], s[2], s[3], s[1]}; };
    cases.push_back(
        binary("conv2d", last(x), weight, last(y), "{" + attributes + ", layout = #graph<layout channels_last>}"));
  }
}

void addPooling(std::vector<GradientCase> &cases) {
  const std::pair<Window, Window> windows[] = {{{2, 2, 0, 0, 1}, {2, 2, 0, 0, 1}},
                                               {{3, 2, 1, 1, 1}, {2, 1, 0, 1, 1}},
                                               {{2, 2, 0, 0, 1, true}, {3, 2, 0, 0, 1, true}},
                                               {{2, 1, 1, 0, 2}, {3, 2, 2, 1, 1}}};
  for (const auto &[height, width] : windows) {
    Shape x = {1, 2, 5, 6}, y = {1, 2, height.count(5), width.count(6)};
    std::string attributes = "{kernel = " + array({height.kernel, width.kernel}) +
                             ", strides = " + array({height.stride, width.stride}) +
                             ", pads = " + array({height.begin, width.begin, height.end, width.end}) +
                             ", dilations = " + array({height.dilation, width.dilation}) +
                             ", ceil_mode = " + (height.ceil ? "true" : "false");
    cases.push_back(unary("max_pool2d", x, y, attributes + "}"));
    for (const char *pad : {"true", "false"})
      cases.push_back(unary("average_pool2d", x, y, attributes + ", count_include_pad = " + pad + "}"));
    Shape lastY = {1, y[2], y[3], 2};
    cases.push_back(unary("max_pool2d", x, lastY, attributes + ", result_layout = #graph<layout channels_last>}"));
  }
}

void addReduction(std::vector<GradientCase> &cases) {
  const Shape from = {2, 3, 4};
  for (const char *op : {"reduce_sum", "reduce_mean"}) {
    cases.push_back(unary(op, from, {3}, "{axes = array<i64: 0, 2>}"));
    cases.push_back(unary(op, from, {2, 1, 4}, "{axes = array<i64: 1>, keep_dims = true}"));
    cases.push_back(unary(op, from, {}, "{axes = array<i64: 0, 1, 2>}"));
  }
  for (const char *op : {"softmax", "log_softmax"})
    for (const char *axis : {"{axis = 0 : i64}", "{axis = 1 : i64}", "{axis = 2 : i64}"})
      cases.push_back(unary(op, from, from, axis));
}

void addMovementAndRandom(std::vector<GradientCase> &cases) {
  cases.push_back(unary("reshape", {2, 3, 4}, {6, 4}, ""));
  cases.push_back(unary("transpose", {2, 3, 4}, {4, 2, 3}, "{permutation = array<i64: 2, 0, 1>}"));
  cases.push_back(unary("expand", {3, 1}, {2, 3, 4}, ""));
  cases.push_back(unary("expand", {}, {2, 2}, ""));
  cases.push_back(unary("dropout", {3, 4}, {3, 4}, "{ratio = 0.5 : f64, number = 1 : i64}"));
  cases.push_back(
      {"dropout with keys",
       {"tensor<40xf32>"},
       "tensor<40xf32>",
       "%s = graph.constant dense<7> : tensor<i64>\n%u = graph.constant dense<3> : tensor<i64>\n"
       "%y = graph.dropout %a keyed(%s, %u : tensor<i64>, tensor<i64>) {ratio = 0.25 : f64, number = 2 : i64}"
       " : tensor<40xf32> -> tensor<40xf32>"});
  cases.push_back({"tied operands",
                   {"tensor<3x3xf32>"},
                   "tensor<3x3xf32>",
                   "%t = graph.tanh %a : tensor<3x3xf32> -> tensor<3x3xf32>\n"
                   "%m = graph.matmul %t, %a : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>\n"
                   "%y = graph.mul %m, %t : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>"});
}

void addLoss(std::vector<GradientCase> &cases) {
  for (const char *mean : {"true", "false"}) {
    std::string attribute = std::string(", mean = ") + mean + "}";
    cases.push_back({"cross_entropy mean " + std::string(mean),
                     {"tensor<3x4xf32>"},
                     "tensor<f32>",
                     "%l = graph.constant dense<[2, -100, 0]> : tensor<3xi64>\n"
                     "%y = graph.cross_entropy %a, %l {axis = 1 : i64, ignore_index = -100 : i64" +
                         attribute + " : (tensor<3x4xf32>, tensor<3xi64>) -> tensor<f32>"});
    cases.push_back({"cross_entropy over the last axis, mean " + std::string(mean),
                     {"tensor<2x2x3xf32>"},
                     "tensor<f32>",
                     "%l = graph.constant dense<[[1, 0], [2, 2]]> : tensor<2x2xi64>\n"
                     "%y = graph.cross_entropy %a, %l {axis = 2 : i64, ignore_index = 2 : i64" +
                         attribute + " : (tensor<2x2x3xf32>, tensor<2x2xi64>) -> tensor<f32>"});
    cases.push_back({"cross_entropy over the middle axis, mean " + std::string(mean),
                     {"tensor<2x3x2xf32>"},
                     "tensor<f32>",
                     "%l = graph.constant dense<[[1, 0], [2, 2]]> : tensor<2x2xi64>\n"
                     "%y = graph.cross_entropy %a, %l {axis = 1 : i64, ignore_index = -100 : i64" +
                         attribute + " : (tensor<2x3x2xf32>, tensor<2x2xi64>) -> tensor<f32>"});
    cases.push_back(binary("mse", {2, 3}, {2, 3}, {}, std::string("{mean = ") + mean + "}"));
  }
}

} // namespace

std::vector<GradientCase> gradientCases() {
  std::vector<GradientCase> cases;
  addElementwise(cases);
  addMatmul(cases);
  addConvolution(cases);
  addPooling(cases);
  addReduction(cases);
  addMovementAndRandom(cases);
  addLoss(cases);
  addMath(cases);
  addIndexing(cases);
  addNormalization(cases);
  return cases;
}

} // namespace amp::test
