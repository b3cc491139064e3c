// Files of test/data/onnx and test/models through the importer: the IR that comes out, the problems that are named.
#include "ImportFile.h"

#include <gtest/gtest.h>

using amp::compiler::ImportOptions;

static Imported small(const std::string &name, const ImportOptions &options = {}) {
  return importFile("test/data/onnx/" + name + ".onnx", options);
}

#define EXPECT_TEXT(imported, part) EXPECT_TRUE((imported).has(part)) << (imported).text << (imported).allErrors()
#define EXPECT_SAYS(imported, part) EXPECT_TRUE((imported).says(part)) << (imported).allErrors() << (imported).text

TEST(Import, PerceptronKeepsWeightsInTheFile) {
  Imported model = small("perceptron");
  EXPECT_TEXT(model, "train.state @fc.weight : tensor<3x4xf32>");
  EXPECT_TEXT(model, "frozen = #train.external<\"test/data/onnx/perceptron.onnx\", 121, 48>");
  EXPECT_TEXT(model, "train.program @model model inputs [\"x\"] outputs [\"y\"]");
  EXPECT_TEXT(model, "{transpose_rhs = true} : (tensor<?x4xf32>, tensor<3x4xf32>) -> tensor<?x3xf32>");
  EXPECT_TEXT(model, "graph.bias_add");
  EXPECT_TEXT(model, "graph.relu");
}

TEST(Import, InitializersThatAreInputsToo) {
  Imported model = small("perceptron-ir3");
  EXPECT_TEXT(model, "inputs [\"x\"] outputs [\"y\"]");
}

TEST(Import, NetworksOfTheQuickstart) {
  for (const char *name : {"digits_mlp", "lenet.ts.train.dyn", "mlp_mnist.ts.train.dyn", "lenet.dynamo.train.raw",
                           "mlp_mnist.dynamo.train.raw"}) {
    Imported model = importFile(std::string("test/models/") + name + ".onnx");
    EXPECT_FALSE(model.text.empty()) << model.allErrors();
  }
  Imported lenet = importFile("test/models/lenet.ts.train.dyn.onnx");
  EXPECT_TEXT(lenet, "graph.conv2d");
  EXPECT_TEXT(lenet, "graph.average_pool2d");
  EXPECT_TEXT(lenet, "graph.flatten");
}

TEST(Import, BatchBindsTheLeadingAxis) {
  ImportOptions options;
  options.batch = {8};
  Imported model = small("perceptron", options);
  EXPECT_TEXT(model, "tensor<8x3xf32>");
  EXPECT_FALSE(model.has("?"));
  options.batch = {2, 3};
  EXPECT_SAYS(small("perceptron", options), "--batch has 2 values; wants one");
}

TEST(Import, ShapesNameInputs) {
  ImportOptions options;
  options.shapes["x"] = {8, 4};
  EXPECT_TEXT(small("perceptron", options), "tensor<8x3xf32>");
  options.shapes["x"] = {8, 5};
  EXPECT_SAYS(small("perceptron", options), "input 'x' [batch, 4]: axis 1 has length 4 in the file, not 5");
  options.shapes = {{"z", {1}}};
  EXPECT_SAYS(small("perceptron", options), "--shape names 'z', which is no input; the inputs are 'x'");
}

TEST(Import, BatchThatTheGraphFixesNamesTheNode) {
  ImportOptions options;
  options.batch = {8};
  Imported model = small("fixed-batch", options);
  EXPECT_SAYS(model, "node 'view' (Reshape, opset 17)");
  EXPECT_SAYS(model, "if --batch or --shape replaced a length that the file fixes");
}

TEST(Import, ValueTurnsAnInputIntoAConstant) {
  ImportOptions options;
  options.values["x"] = "1,2";
  Imported model = small("unnamed", options);
  EXPECT_TEXT(model, "inputs [] outputs [\"y\"]");
  options.values["x"] = "1,two";
  EXPECT_SAYS(small("unnamed", options), "'two' is no number of type float32");
}

TEST(Import, GemmWithFactorsAndAMatrix) {
  Imported model = small("gemm");
  EXPECT_TEXT(model, "transpose_lhs = true");
  EXPECT_TEXT(model, "dense<5.000000e-01>");
  EXPECT_TEXT(model, "dense<2.000000e+00>");
  EXPECT_TEXT(model, "graph.add");
}

TEST(Import, MatMulWithABiasAndAVector) {
  Imported model = small("matmul");
  EXPECT_TEXT(model, "graph.bias_add");
  EXPECT_TEXT(model, "{axis = 2 : i64}");
  EXPECT_TEXT(model, "graph.squeeze");
  EXPECT_TEXT(model, "-> tensor<2x5xf32>");
}

TEST(Import, WindowsAndPads) {
  Imported model = small("image");
  EXPECT_TEXT(model, "pads = array<i64: 1, 1, 1, 1>");
  EXPECT_TEXT(model, "tensor<1x4x6x6xf32>");
  EXPECT_TEXT(model, "ceil_mode = true");
  EXPECT_TEXT(model, "count_include_pad = true");
}

TEST(Import, DropoutOnlyWhereTheFileTrains) {
  Imported model = small("dropout");
  EXPECT_TEXT(model, "number = 0 : i64");
  EXPECT_TEXT(model, "ratio = 2.500000e-01 : f64");
  EXPECT_FALSE(model.has("number = 1"));
  EXPECT_FALSE(model.has("train.state")) << "a ratio is no weight";
  EXPECT_TEXT(small("dropout-7"), "ratio = 2.500000e-01 : f64");
}

TEST(Import, SoftmaxBefore13Flattens) {
  Imported model = small("softmax-11");
  EXPECT_TEXT(model, "graph.flatten");
  EXPECT_TEXT(model, "graph.softmax");
  EXPECT_TEXT(model, "graph.log_softmax");
}

TEST(Import, ReductionsAndSlices) {
  EXPECT_TEXT(small("reductions"), "-> tensor<3xf32>");
  EXPECT_TEXT(small("slice-concat"), "graph.slice");
  EXPECT_TEXT(small("shapes"), "graph.dynamic_reshape");
}

TEST(Import, OtherFloatsBecomeFp32Inside) {
  Imported half = small("half");
  EXPECT_TEXT(half, "(%arg0: tensor<2x3xf16>) -> tensor<2x4xf16>");
  EXPECT_TEXT(half, "frozen = dense<[[-3.750000e-01, -2.500000e-01");
  Imported typed = small("typed");
  EXPECT_TEXT(typed, "frozen = dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>");
}

TEST(Import, NodesWithoutANameAreCountedInTheFile) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::vector<std::string> errors;
  auto module = amp::compiler::importOnnx(context, "test/data/onnx/unnamed.onnx", {}, errors);
  ASSERT_TRUE(module) << errors.front();
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  EXPECT_NE(text.find("loc(\"Tanh_1\")"), std::string::npos) << text;
}

TEST(Import, ListsWhatIsMissingAndNeeded) {
  amp::compiler::ImportListing listing;
  std::vector<std::string> errors;
  ASSERT_TRUE(amp::compiler::listMissing("test/data/onnx/bad/unsupported.onnx", {}, listing, errors));
  ASSERT_EQ(listing.missing.size(), 2u);
  EXPECT_EQ(listing.missing[0].name, "Mish");
  EXPECT_EQ(listing.missing[0].nodes, (std::vector<std::string>{"g1", "g2"}));
  EXPECT_EQ(listing.missing[1].name, "com.example.Fused");
  ASSERT_TRUE(amp::compiler::listMissing("test/data/onnx/perceptron.onnx", {}, listing, errors));
  ASSERT_EQ(listing.needs.size(), 1u);
  EXPECT_NE(listing.needs[0].find("axis 0 of input 'x' [batch, 4]"), std::string::npos) << listing.needs[0];
}
