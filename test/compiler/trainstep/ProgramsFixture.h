// A model's programs in the oracle: what the tests of whole programs are written with.
#ifndef AMP_TEST_COMPILER_TRAINSTEP_PROGRAMSFIXTURE_H
#define AMP_TEST_COMPILER_TRAINSTEP_PROGRAMSFIXTURE_H

#include "compiler/reference/ReferenceMachine.h"
#include "compiler/trainstep/Passes.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <random>

namespace amp::test {

using Tensors = compiler::ReferenceMachine::Tensors;
using Numbers = std::vector<double>;

class ProgramsFixture : public testing::Test {
protected:
  explicit ProgramsFixture(const char *text) : text(text) {
    context.loadDialect<graph::GraphDialect, train::TrainDialect>();
  }

  void build(const compiler::trainstep::BuildFinishPassOptions &finish,
             const compiler::trainstep::DeclareStatesPassOptions &states = {}, bool dropout = true) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    mlir::PassManager passes(&context);
    passes.addPass(compiler::trainstep::createBuildLossPass());
    passes.addPass(compiler::trainstep::createSelectParametersPass());
    passes.addPass(compiler::trainstep::createDeclareStatesPass(states));
    compiler::trainstep::BuildMicroPassOptions micro;
    micro.dropout = dropout;
    micro.batchnormVariance = variance;
    passes.addPass(compiler::trainstep::createBuildMicroPass(micro));
    passes.addPass(compiler::trainstep::createBuildFinishPass(finish));
    passes.addPass(compiler::trainstep::createBuildEvalPass());
    passes.addPass(compiler::trainstep::createBuildDerivePass());
    compiler::trainstep::VerifyPassOptions verify;
    verify.nonfinite = finish.nonfinite;
    passes.addPass(compiler::trainstep::createVerifyPass(verify));
    ASSERT_TRUE(succeeded(passes.run(*module)));
    machine = std::make_unique<compiler::ReferenceMachine>(*module);
    ASSERT_TRUE(succeeded(machine->initialize()));
  }

  Tensors batch() {
    graph::ReferenceTensor x(mlir::RankedTensorType::get({3, 4}, mlir::Float32Type::get(&context)));
    graph::ReferenceTensor labels(mlir::RankedTensorType::get({3}, mlir::IntegerType::get(&context, 64)));
    std::mt19937 random(1);
    std::uniform_real_distribution<double> draw(-1, 1);
    for (double &element : x.floats)
      element = draw(random);
    labels.integers = {2, 0, -100};
    return {{"x", x}, {"labels", labels}};
  }

  Numbers &state(const std::string &name) { return machine->getStates().at(name).floats; }

  /// Runs finish with these unscaled gradients and gives what the parameter @bias became.
  Numbers update(const Numbers &gradient) {
    state("bias/gradient") = gradient;
    EXPECT_TRUE(succeeded(machine->run("finish", {})));
    return state("bias");
  }

  static void expectNear(const Numbers &got, const Numbers &wanted, double bound = 1e-7) {
    ASSERT_EQ(got.size(), wanted.size());
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_NEAR(got[i], wanted[i], bound) << "element " << i;
  }

  const char *text;
  std::string variance = "population";
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<compiler::ReferenceMachine> machine;
};

} // namespace amp::test

#endif
