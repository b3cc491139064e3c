// Small nets for the tests of stages.
#include "test/compiler/nets/Nets.h"

#include "compiler/autocast/Passes.h"
#include "compiler/fusion/Passes.h"
#include "compiler/layout/Passes.h"
#include "compiler/trainstep/Passes.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;
using amp::graph::ReferenceTensor;

namespace amp::compiler::test {

static void registerPassesOnce() {
  static const bool registered = [] {
    registerAmpAutocastPasses();
    registerAmpFusionPasses();
    registerAmpLayoutPasses();
    trainstep::registerAmpTrainstepPasses();
    return true;
  }();
  (void)registered;
}

/// What makes the programs of a net that is written as a model.
static constexpr StringLiteral trainstepPasses =
    "amp-trainstep-declare-states,amp-trainstep-build-micro,amp-trainstep-build-finish,amp-trainstep-build-eval,"
    "amp-trainstep-build-derive,amp-trainstep-verify";

Net::Net(const std::string &name, const std::string &pipeline) {
  registerPassesOnce();
  context.loadDialect<graph::GraphDialect, train::TrainDialect>();
  parsed = parseSourceFile<ModuleOp>("test/compiler/nets/" + name + ".mlir", &context);
  EXPECT_TRUE(parsed) << name << " does not parse";
  if (!parsed)
    return;
  PassManager manager(&context);
  if (parsed->lookupSymbol("model"))
    EXPECT_TRUE(succeeded(parsePassPipeline(trainstepPasses, manager)));
  EXPECT_TRUE(succeeded(parsePassPipeline(pipeline, manager))) << pipeline;
  EXPECT_TRUE(succeeded(manager.run(*parsed))) << pipeline;
}

/// Values in [-range, range) that depend on the name alone.
static void fill(ReferenceTensor &tensor, const std::string &name, double range) {
  uint64_t state = 1469598103934665603u;
  for (char letter : name)
    state = (state ^ uint64_t(letter)) * 1099511628211u;
  auto next = [&] { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 33; };
  for (double &value : tensor.floats)
    value = float((double(next()) / double(uint64_t(1) << 30) - 1.0) * range);
  for (int64_t &value : tensor.integers)
    value = int64_t(next() % 5);
  tensor.round();
}

Tensors Net::inputs(StringRef program) {
  Tensors tensors;
  auto op = module().lookupSymbol<train::ProgramOp>(program);
  for (auto [name, type] : llvm::zip_equal(op.getInputNames().getAsValueRange<StringAttr>(), op.getArgumentTypes())) {
    ReferenceTensor tensor(cast<RankedTensorType>(type));
    fill(tensor, name.str(), 1.0);
    tensors[name.str()] = tensor;
  }
  return tensors;
}

Tensors Net::step() {
  ReferenceMachine machine(module());
  EXPECT_TRUE(succeeded(machine.initialize()));
  for (auto state : module().getOps<train::StateOp>())
    if (state.getRole() == train::StateRole::Parameter)
      fill(machine.getStates()[state.getSymName().str()], state.getSymName().str(), 0.25);
  Tensors seen;
  for (const char *program : {"derive", "micro", "finish", "eval"}) {
    FailureOr<Tensors> outputs = machine.run(program, inputs(program));
    EXPECT_TRUE(succeeded(outputs)) << program;
    if (failed(outputs))
      return seen;
    for (auto &[name, tensor] : *outputs)
      seen[std::string(program) + ":" + name] = tensor;
  }
  for (auto &[name, tensor] : machine.getStates())
    seen[name] = tensor;
  return seen;
}

double distance(const ReferenceTensor &seen, const ReferenceTensor &wanted) {
  if (!wanted.isFloat())
    return seen.integers == wanted.integers ? 0.0 : 1.0;
  double largest = 1e-30, difference = 0.0;
  for (size_t index = 0; index < wanted.floats.size(); ++index) {
    largest = std::max(largest, std::fabs(wanted.floats[index]));
    difference = std::max(difference, std::fabs(seen.floats[index] - wanted.floats[index]));
  }
  return difference / largest;
}

double expectNear(const Tensors &seen, const Tensors &wanted, double bound) {
  double worst = 0.0;
  for (auto &[name, tensor] : wanted) {
    auto found = seen.find(name);
    EXPECT_NE(found, seen.end()) << name << " is missing";
    if (found == seen.end())
      continue;
    double here = distance(found->second, tensor);
    EXPECT_LE(here, bound) << name;
    worst = std::max(worst, here);
  }
  return worst;
}

} // namespace amp::compiler::test
