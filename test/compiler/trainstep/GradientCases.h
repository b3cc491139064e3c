// The functions whose gradients are compared with finite differences.
#ifndef AMP_TEST_COMPILER_TRAINSTEP_GRADIENTCASES_H
#define AMP_TEST_COMPILER_TRAINSTEP_GRADIENTCASES_H

#include <string>
#include <vector>

namespace amp::test {

/// A function of float tensors %a, %b, ... that gives %y.
struct GradientCase {
  std::string name;
  std::vector<std::string> inputs; ///< types of %a, %b, ...
  std::string result;              ///< type of %y
  std::string body;                ///< ops that define %y
  double low = -2, high = 2;       ///< inputs are drawn from here
};

std::vector<GradientCase> gradientCases();

} // namespace amp::test

#endif
