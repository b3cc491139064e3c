#include "test/cuda/PlanFromText.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace mlir;
using namespace amp;
using namespace amp::test;

PlanFromText::PlanFromText(const std::vector<std::string> &bodies) : context(MLIRContext::Threading::DISABLED) {
  DialectRegistry registry;
  compiler::registerCudaCodegen(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  std::string text;
  for (const std::string &body : bodies) {
    // One -1 a result: the number of types of the yield.
    std::string yield = body.substr(body.find("graph.yield")), aliases = "-1";
    for (auto comma = std::count(yield.begin(), yield.begin() + std::ptrdiff_t(yield.find(':')), ','); comma > 0;
         --comma)
      aliases += ", -1";
    text += "plan.kernel @k" + std::to_string(&body - bodies.data()) +
            " attributes {implementation = \"generated\", tiles = 1 : i64, workspace = 0 : i64, aliases = array<i64: " +
            aliases + ">, steps = [#plan.generated<\"whole\">]} {\n" + body + "\n}\n";
  }
  module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module) << "does not parse: " << text;
}

std::vector<plan::KernelOp> PlanFromText::kernels() {
  auto ops = module->getOps<plan::KernelOp>();
  return {ops.begin(), ops.end()};
}
