// Evaluates a few lines of IR with the reference machine: what the tests of ops are written with.
#ifndef AMP_TEST_DIALECTS_EVALUATE_H
#define AMP_TEST_DIALECTS_EVALUATE_H

#include "compiler/reference/ReferenceMachine.h"
#include "dialects/plan/Plan.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace amp::test {

/// A context that knows the three dialects.
inline std::unique_ptr<mlir::MLIRContext> makeContext() {
  auto context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  context->loadDialect<graph::GraphDialect, train::TrainDialect, plan::PlanDialect>();
  return context;
}

/// The value %y of type `type` that `lines` define.
inline graph::ReferenceTensor evaluate(const std::string &lines, const std::string &type) {
  auto context = makeContext();
  std::string text = "train.program @f model inputs [] outputs [\"y\"] () -> " + type + " {\n" + lines +
                     "\ntrain.return %y : " + type + "\n}";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  if (!module) {
    ADD_FAILURE() << "does not parse: " << text;
    return {};
  }
  compiler::ReferenceMachine machine(*module);
  mlir::FailureOr<compiler::ReferenceMachine::Tensors> outputs = machine.run("f", {});
  if (failed(outputs)) {
    ADD_FAILURE() << "does not evaluate: " << text;
    return {};
  }
  graph::ReferenceTensor result = outputs->at("y");
  result.type = {}; // it dies with the context
  return result;
}

inline std::vector<double> floats(const std::string &lines, const std::string &type) {
  return evaluate(lines, type).floats;
}
inline std::vector<int64_t> integers(const std::string &lines, const std::string &type) {
  return evaluate(lines, type).integers;
}

inline void expectNear(const std::vector<double> &seen, const std::vector<double> &wanted, double bound = 1e-12) {
  ASSERT_EQ(seen.size(), wanted.size());
  for (size_t i = 0; i < seen.size(); ++i)
    EXPECT_NEAR(seen[i], wanted[i], bound) << "element " << i;
}

} // namespace amp::test

#endif
