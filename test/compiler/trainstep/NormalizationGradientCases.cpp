// Gradient cases of batch and layer normalisation.
#include "test/compiler/trainstep/GradientCaseText.h"

namespace amp::test {

static GradientCase ofBatch(const Shape &x, int64_t axis) {
  const std::string type = tensor(x), vector = tensor({x[axis]}), at = "axis = " + std::to_string(axis) + " : i64";
  return {"batch normalisation of " + type + " on axis " + std::to_string(axis),
          {type, vector, vector},
          type,
          "%m, %v, %d = graph.batch_moments %a {" + at + ", eps = 0.1 : f64} : (" + type + ") -> (" + vector + ", " +
              vector + ", " + vector + ")\n%y = graph.normalize %a, %m, %d, %b, %c {" + at + ", of_batch = true} : (" +
              type + ", " + vector + ", " + vector + ", " + vector + ", " + vector + ") -> " + type};
}

static GradientCase ofRunningStatistics(const Shape &x, int64_t axis) {
  const std::string type = tensor(x), vector = tensor({x[axis]});
  return {"normalisation of " + type + " by running statistics",
          {type, vector, vector},
          type,
          "%m = graph.constant dense<0.25> : " + vector + "\n%d = graph.constant dense<1.5> : " + vector +
              "\n%y = graph.normalize %a, %m, %d, %b, %c {axis = " + std::to_string(axis) +
              " : i64, of_batch = false} : (" + type + ", " + vector + ", " + vector + ", " + vector + ", " + vector +
              ") -> " + type};
}

static GradientCase ofRows(const Shape &x, int64_t axis, bool hasBias) {
  const std::string type = tensor(x), vector = tensor(Shape(x.begin() + axis, x.end()));
  GradientCase one{"layer_norm of " + type + " from axis " + std::to_string(axis) + (hasBias ? " with bias" : ""),
                   {type, vector},
                   type,
                   ""};
  if (hasBias)
    one.inputs.push_back(vector);
  one.body = std::string("%y = graph.layer_norm %a, %b") + (hasBias ? ", %c" : "") +
             " {axis = " + std::to_string(axis) + " : i64, eps = 0.1 : f64} : (" + type + ", " + vector +
             (hasBias ? ", " + vector : "") + ") -> " + type;
  return one;
}

void addNormalization(std::vector<GradientCase> &cases) {
  cases.push_back(ofBatch({3, 2, 2, 3}, 1));
  cases.push_back(ofBatch({2, 3, 2, 4}, 3));
  cases.push_back(ofBatch({5, 3}, 1));
  cases.push_back(ofRunningStatistics({2, 3, 2, 2}, 1));
  for (bool hasBias : {false, true}) {
    cases.push_back(ofRows({3, 2, 4}, 2, hasBias));
    cases.push_back(ofRows({3, 2, 4}, 1, hasBias));
  }
  cases.push_back(ofRows({5}, 0, true));
}

} // namespace amp::test
