// Damaged and malicious files: each gives problems that name what is wrong, and none breaks the process.
#include "ImportFile.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <unistd.h>

static Imported bad(const std::string &name) {
  return importFile("test/data/onnx/" + name + ".onnx");
}

#define EXPECT_SAYS(imported, part) EXPECT_TRUE((imported).says(part)) << (imported).allErrors() << (imported).text

namespace {

/// A file of the test's own, gone with it.
class Scratch {
public:
  Scratch() : path(testing::TempDir() + "amp-import-" + std::to_string(getpid()) + ".onnx") {}
  ~Scratch() { std::remove(path.c_str()); }
  const std::string &write(const std::string &bytes) const {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    return path;
  }
  const std::string path;
};

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

} // namespace

TEST(HostileFiles, FilesThatAreNoModel) {
  Scratch scratch;
  EXPECT_SAYS(importFile("test/data/onnx/none.onnx"), "test/data/onnx/none.onnx: ");
  EXPECT_SAYS(importFile("test/data/onnx"), "test/data/onnx: ");
  EXPECT_SAYS(importFile(scratch.write("")), "the file is empty");
  EXPECT_SAYS(importFile(scratch.write("ir_version: 8\ngraph {\n}\n")), "is a text file");
  EXPECT_SAYS(importFile(scratch.write("PK\x03\x04zip")), ": ");
  EXPECT_SAYS(importFile(scratch.write(std::string("\x08\x08", 2))), "holds no graph");
  EXPECT_SAYS(importFile(scratch.write(std::string("\x3a\xff\xff\xff\xff\x07\x00", 7))),
              "announces 2147483647 bytes, but 1 are left; the file is truncated or damaged");
}

TEST(HostileFiles, NestingBeyondTheLimit) {
  // graph.node.attribute.g, wrapped 200 times.
  std::string graph;
  auto wrap = [](uint8_t tag, const std::string &inner) {
    std::string text(1, char(tag));
    for (size_t rest = inner.size();; rest >>= 7) {
      text.push_back(char((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0)));
      if (rest <= 0x7f)
        break;
    }
    return text + inner;
  };
  for (int level = 0; level < 200; ++level)
    graph = wrap(0x0a, wrap(0x2a, wrap(0x32, graph)));
  Scratch scratch;
  EXPECT_SAYS(importFile(scratch.write("\x08\x08" + wrap(0x3a, graph))), "nested deeper than 100");
}

TEST(HostileFiles, StructureProblemsAreAllNamed) {
  Imported unsupported = bad("bad/unsupported");
  EXPECT_SAYS(unsupported, "operator Mish is not supported; 2 nodes: 'g1', 'g2'");
  EXPECT_SAYS(unsupported, "operator com.example.Fused is not supported; 1 node: 'f'");
  EXPECT_SAYS(bad("bad/cycle"), "node 'first' (Add, opset 17) reads 'b', which node 'second' makes later");
  Imported names = bad("bad/names");
  EXPECT_SAYS(names, "the name 'a' is given twice: by node 'first' and by node 'second'");
  EXPECT_SAYS(names, "reads 'nothing', which no input, initializer or node makes");
  Imported versions = bad("bad/versions");
  EXPECT_SAYS(versions, "IR version 2 is outside [3, 14]");
  EXPECT_SAYS(versions, "opset 6 is outside [7, 28]");
  EXPECT_SAYS(bad("bad/future"), "opset 99 is outside [7, 28]");
  EXPECT_SAYS(bad("bad/untyped"), "input 'x' has no tensor type");
  EXPECT_SAYS(bad("bad/no-float"), "no output has floating elements");
  EXPECT_SAYS(bad("bad/declared"), "output 'y' is declared as 2x5, but the graph gives 2x4");
}

TEST(HostileFiles, AttributesAndShapesAreChecked) {
  Imported attributes = bad("bad/attributes");
  EXPECT_SAYS(attributes, "node 'text' (Softmax, opset 17): attribute 'axis' is of type STRING; wants INT");
  EXPECT_SAYS(attributes, "node 'far' (Softmax, opset 17): axis -9223372036854775808 is outside rank 2");
  EXPECT_SAYS(attributes, "attribute 'perm' is [0, 0]; wants each axis of rank 2 once");
  EXPECT_SAYS(attributes, "attribute 'alpha' means nothing to amp");
  Imported windows = bad("bad/windows");
  EXPECT_SAYS(windows, "node 'stride' (Conv, opset 17): attribute 'strides' is [0, 1]; wants numbers in [1, 2^31)");
  EXPECT_SAYS(windows, "attribute 'kernel_shape' is [2, 2], but the weight has [3, 3]");
  EXPECT_SAYS(windows, "node 'missing' (MaxPool, opset 17): attribute 'kernel_shape' is missing");
  EXPECT_SAYS(windows, "attribute 'kernel_shape' has 1 values [2]; wants 2");
  Imported shapes = bad("bad/shapes");
  EXPECT_SAYS(shapes, "node 'product' (MatMul, opset 17): contracts 4 with 3");
  EXPECT_SAYS(shapes, "node 'view' (Reshape, opset 17)");
}

TEST(HostileFiles, InitializersAreChecked) {
  Imported initializers = bad("bad/initializers");
  EXPECT_SAYS(initializers, "initializer 'short' has 20 bytes of raw data; its shape 2x3 of float32 wants 24");
  EXPECT_SAYS(initializers, "initializer 'negative' has the negative dimension -2");
  EXPECT_SAYS(initializers, "initializer 'huge' has the shape 4611686018427387904x4611686018427387904, more elements");
  EXPECT_SAYS(initializers, "initializer 'words' has elements of string");
  EXPECT_SAYS(initializers, "initializer 'counts' has 2 elements; its shape 3 wants 3");
}

TEST(HostileFiles, ExternalDataStaysInTheFolder) {
  Imported fine = bad("external/fine");
  EXPECT_TRUE(fine.has("#train.external<\"test/data/onnx/external/w.bin\", 8, 24>")) << fine.allErrors();
  EXPECT_SAYS(bad("external/offset-beyond-end"),
              "has external data at offset 16, length 24, but the file 'w.bin' has 32");
  EXPECT_SAYS(bad("external/offset-negative"), "has the external data offset '-8'; wants a number, 0 or more");
  EXPECT_SAYS(bad("external/length-wrong"), "has 20 bytes of external data; its shape 2x3 of float32 wants 24");
  EXPECT_SAYS(bad("external/outside"), "leads outside the folder of the model");
  EXPECT_SAYS(bad("external/absolute"), "must stay inside the folder of the model");
  EXPECT_SAYS(bad("external/directory"), "is no regular file");
  EXPECT_SAYS(bad("external/missing"), "'none.bin' cannot be opened: No such file or directory");
  EXPECT_SAYS(bad("external/link"), "is a symbolic link");
}

TEST(HostileFiles, EveryTruncationIsRefused) {
  const std::string whole = readFile("test/data/onnx/perceptron.onnx");
  Scratch scratch;
  for (size_t length = 0; length < whole.size(); ++length) {
    Imported cut = importFile(scratch.write(whole.substr(0, length)));
    // The last fields of a model may be cut off whole; then the opset is missing.
    EXPECT_TRUE(cut.text.empty()) << "length " << length;
    EXPECT_FALSE(cut.errors.empty()) << "length " << length;
  }
}

TEST(HostileFiles, FlippedBytesNeverBreakTheProcess) {
  for (const char *name : {"perceptron", "image", "shapes", "dropout", "splits", "merged-dynamo"}) {
    const std::string whole = readFile("test/data/onnx/" + std::string(name) + ".onnx");
    Scratch scratch;
    for (size_t at = 0; at < whole.size(); ++at) {
      // One kind of damage a byte; three kinds on every byte take three times as long and found nothing more.
      static constexpr uint8_t flips[] = {0x01, 0x80, 0xff};
      std::string damaged = whole;
      damaged[at] = char(damaged[at] ^ flips[at % 3]);
      Imported imported = importFile(scratch.write(damaged));
      EXPECT_NE(imported.text.empty(), imported.errors.empty()) << name << " byte " << at;
    }
  }
}
