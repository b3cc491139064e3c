// Operators of residual networks and transformers through the importer: the ops that come out, the problems that are
// named.
#include "ImportFile.h"

#include <gtest/gtest.h>

using amp::compiler::ImportOptions;

static Imported small(const std::string &name, const ImportOptions &options = {}) {
  return importFile("test/data/onnx/" + name + ".onnx", options);
}

#define EXPECT_TEXT(imported, part) EXPECT_TRUE((imported).has(part)) << (imported).text << (imported).allErrors()
#define EXPECT_SAYS(imported, part) EXPECT_TRUE((imported).says(part)) << (imported).allErrors() << (imported).text

static size_t count(const Imported &imported, const std::string &part) {
  size_t found = 0;
  for (size_t at = imported.text.find(part); at != std::string::npos; at = imported.text.find(part, at + 1))
    ++found;
  return found;
}

TEST(ImportOperators, BatchNormalizationHasNoModeOfItsOwn) {
  Imported model = small("batch-norm");
  EXPECT_EQ(count(model, "graph.batch_norm"), 2u) << model.text << model.allErrors();
  EXPECT_TEXT(model, "axis = 1 : i64, eps = 1.250000e-01 : f64, momentum = 7.500000e-01 : f64");
  EXPECT_TEXT(model, "eps = 1.000000e-05 : f64, momentum = 9.000000e-01 : f64");
  EXPECT_TEXT(model, "train.read @trains.mean : tensor<4xf32>");
  EXPECT_TEXT(small("batch-norm-9"), "graph.batch_norm");
}

TEST(ImportOperators, LayerNormalization) {
  Imported model = small("layer-norm");
  EXPECT_TEXT(model, "axis = 2 : i64, eps = 2.500000e-01 : f64} : (tensor<?x3x4xf32>, tensor<4xf32>, tensor<4xf32>)");
  EXPECT_TEXT(model, "axis = 1 : i64");
  EXPECT_TEXT(model, "(tensor<?x3x4xf32>, tensor<3x4xf32>) -> tensor<?x3x4xf32>");
}

TEST(ImportOperators, PowersThatNeedNoPower) {
  Imported model = small("elementwise");
  EXPECT_EQ(count(model, "graph.pow"), 1u) << "an exponent of rank 1 may train\n" << model.text << model.allErrors();
  EXPECT_TEXT(model, "graph.sqrt");
  EXPECT_EQ(count(model, "graph.mul"), 3u) << "a square, and a cube of two\n" << model.text;
  EXPECT_FALSE(model.has("@two")) << "an exponent is no weight";
}

TEST(ImportOperators, ElementByElement) {
  Imported model = small("elementwise");
  for (const char *op : {"graph.erf", "graph.abs", "graph.reciprocal", "graph.gelu"})
    EXPECT_TEXT(model, op);
  EXPECT_EQ(count(model, "graph.add"), 2u) << "Sum of three\n" << model.text;
  EXPECT_EQ(count(model, "graph.max"), 2u) << "Max of two, and the lower bound of Clip\n" << model.text;
  EXPECT_EQ(count(model, "graph.min"), 3u) << "Min of three, and the upper bound of Clip\n" << model.text;
  EXPECT_EQ(count(model, "approximate = true"), 1u) << model.text;
  Imported old = small("clip-6");
  EXPECT_TEXT(old, "dense<6.000000e+00>");
  EXPECT_TEXT(old, "graph.min");
}

TEST(ImportOperators, ConditionsAndChoices) {
  Imported model = small("logic");
  for (const char *op : {" eq %", " gt %", " ge %", " lt %", " le %", "graph.is_nan", "graph.logical_and",
                         "graph.logical_or", "graph.logical_not", "graph.select"})
    EXPECT_TEXT(model, op);
}

TEST(ImportOperators, Gathers) {
  Imported model = small("gathers");
  EXPECT_TEXT(model, "graph.gather ");
  EXPECT_TEXT(model, "-> tensor<?x3x4xf32>");
  EXPECT_TEXT(model, "graph.gather_elements");
  EXPECT_TEXT(model, "graph.gather_nd");
}

TEST(ImportOperators, SplitIsSlices) {
  Imported model = small("splits");
  EXPECT_TEXT(model, "ends = array<i64: 7>, starts = array<i64: 3>");
  EXPECT_TEXT(model, "ends = array<i64: 4>, starts = array<i64: 2>");
  EXPECT_TEXT(model, "ends = array<i64: 3>, starts = array<i64: 2>") << "the last part is the shorter one";
  EXPECT_TEXT(small("split-11"), "ends = array<i64: 6>, starts = array<i64: 2>");
}

TEST(ImportOperators, ShapesThatAreComputed) {
  Imported model = small("computed-shapes");
  for (const char *op : {"graph.fill", "graph.range", "graph.dynamic_expand", "graph.dynamic_slice", "graph.trilu"})
    EXPECT_TEXT(model, op);
}

TEST(ImportOperators, GlobalAveragePoolIsAMean) {
  EXPECT_TEXT(small("global-pool"), "graph.reduce_mean");
  EXPECT_TEXT(small("global-pool"), "axes = array<i64: 2, 3>, keep_dims = true");
}

TEST(ImportOperators, ProblemsOfNormalisations) {
  Imported norms = small("bad/norms");
  EXPECT_SAYS(norms, "node 'extra' (BatchNormalization, opset 17): output 1 'am' is read, but amp does not give it");
  EXPECT_SAYS(norms, "node 'computed' (BatchNormalization, opset 17): input 3 'moved' (a running statistic) is no "
                     "initializer; export the model with track_running_stats=True");
  EXPECT_SAYS(norms, "node 'range' (BatchNormalization, opset 17): momentum is 1.5");
  EXPECT_SAYS(norms, "node 'axis' (LayerNormalization, opset 17): axis 2 is outside rank 2");
}

TEST(ImportOperators, ProblemsOfOthers) {
  Imported operators = small("bad/operators");
  EXPECT_SAYS(operators, "node 'choose' (Where, opset 20): input 0 'x' has elements that are no bool");
  EXPECT_SAYS(operators, "node 'not' (Not, opset 20): input 0 'x' has elements that are no bool");
  EXPECT_SAYS(operators, "node 'float' (Gather, opset 20): the indices 'x' are floating");
  EXPECT_SAYS(operators, "node 'form' (Gelu, opset 20): attribute 'approximate' is 'fast'; wants 'none' or 'tanh'");
  EXPECT_SAYS(operators, "node 'sum' (Split, opset 20): the sizes [1, 2] add up to 3; the axis has length 4");
  EXPECT_SAYS(operators, "node 'range' (Range, opset 20): input 0 'x' has the shape 2x4; wants a scalar");
  EXPECT_FALSE(operators.says("node 'fine'")) << operators.allErrors();
}

TEST(ImportOperators, ScalarsThatTheExporterLiftedAreNoWeights) {
  Imported model = small("lifted");
  EXPECT_TEXT(model, "train.state @s : tensor<f32>");
  EXPECT_FALSE(model.has("@val_1")) << model.text;
  EXPECT_TEXT(model, "graph.constant dense<3.000000e+00> : tensor<f32>");
}

TEST(ImportOperators, WarnsWhereTheExporterFoldedANormalisation) {
  for (const char *name : {"folded-dynamo", "folded-torchscript"}) {
    Imported model = small(name);
    ASSERT_EQ(model.warnings.size(), 1u) << name;
    EXPECT_EQ(model.warnings[0].find("the exporter folded batch normalisation into 1 node ('conv')"), 0u)
        << model.warnings[0];
    EXPECT_NE(model.warnings[0].find("do_constant_folding=False"), std::string::npos) << model.warnings[0];
  }
  for (const char *name : {"plain-dynamo", "plain-torchscript", "image", "batch-norm"})
    EXPECT_TRUE(small(name).warnings.empty()) << name;
}

TEST(ImportOperators, WarnsWhereTheExporterMergedParameters) {
  for (const char *name : {"merged-dynamo", "merged-torchscript"}) {
    Imported model = small(name);
    ASSERT_EQ(model.warnings.size(), 1u) << name << model.allErrors();
    EXPECT_EQ(model.warnings[0].find("the exporter optimised 1 parameter ('b.weight') away"), 0u) << model.warnings[0];
  }
  for (const char *name : {"tied-dynamo", "transposed-dynamo", "lifted"})
    EXPECT_TRUE(small(name).warnings.empty()) << name;
}

TEST(ImportOperators, NetworksOfTheWiderWay) {
  for (const char *name : {"resnet8_cifar", "mlp_bn_dropout", "nano_gpt", "bert_tiny_classifier"}) {
    Imported model = importFile(std::string("test/models/") + name + ".ts.train.dyn.onnx");
    EXPECT_FALSE(model.text.empty()) << model.allErrors();
    EXPECT_TRUE(model.warnings.empty()) << name;
  }
}
