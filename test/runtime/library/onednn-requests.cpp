// What the oneDNN library refuses, and in which words.
#include "test/runtime/library/OneDnnCalls.h"

extern "C" int omp_get_max_threads();
extern "C" void omp_set_num_threads(int);

using namespace amp::runtime;
using namespace amp::runtime::onednn;

namespace {

class OneDnnRequests : public testing::Test {
protected:
  OneDnnRequests() {
    c.channels = c.outChannels = 16;
    c.height = c.width = c.outHeight = c.outWidth = 8;
    c.kernelHeight = c.kernelWidth = 3;
    c.padTop = c.padLeft = c.padBottom = c.padRight = 1;
    Result<Description> described = describe(convolutionForward, c);
    EXPECT_TRUE(described.isOk()) << described.status().message();
    description = *described;
    numbers = numbersOf(c, description);
  }

  Status create(std::string_view operation = convolutionForward) {
    auto made = findLibrary("onednn")->create(requestOf(operation, numbers, description));
    return made.isOk() ? Status() : made.status();
  }
  void expectRefused(StatusCode code, const std::string &text, std::string_view operation = convolutionForward) {
    Status status = create(operation);
    EXPECT_EQ(status.code(), code);
    EXPECT_NE(status.text().find(text), std::string::npos) << status.text();
  }

  Convolution c;
  Description description;
  std::vector<int64_t> numbers;
};

TEST_F(OneDnnRequests, AsPlannedIsTaken) {
  EXPECT_TRUE(create().isOk());
  EXPECT_EQ(description.version, findLibrary("onednn")->version());
}

TEST_F(OneDnnRequests, NumbersDescribeLikeTheCall) {
  Result<Description> same = describe(convolutionForward, Span<const int64_t>(numbers));
  ASSERT_TRUE(same.isOk()) << same.status().message();
  EXPECT_EQ(same->implementation, description.implementation);
  EXPECT_EQ(same->packedBytes, description.packedBytes);
  EXPECT_EQ(same->scratchBytes, description.scratchBytes);
}

TEST_F(OneDnnRequests, AnotherPackedSizeIsRefused) {
  numbers[numbers.size() - 2] += 64;
  expectRefused(StatusCode::Unsupported, "for a packed weight of bytes");
}

TEST_F(OneDnnRequests, TooLittleScratchIsRefused) {
  ASSERT_GT(description.scratchBytes, 0);
  numbers.back() = description.scratchBytes - 1;
  expectRefused(StatusCode::Unsupported, "with scratch of bytes");
}

TEST_F(OneDnnRequests, AnotherVersionIsRefused) {
  description.version = "1.0.0 avx512_core";
  expectRefused(StatusCode::Unsupported, "'1.0.0 avx512_core', this machine has");
}

TEST_F(OneDnnRequests, AnotherImplementationIsRefused) {
  description.implementation = "jit:abacus";
  expectRefused(StatusCode::Unsupported, "with code 'jit:abacus'");
}

TEST_F(OneDnnRequests, UnknownOperationIsRefused) {
  expectRefused(StatusCode::Unsupported, "no operation 'convolve'", "convolve");
}

TEST_F(OneDnnRequests, WrongCountOfNumbersIsRefused) {
  numbers.pop_back();
  expectRefused(StatusCode::Damaged, "22 numbers, its operation wants 23");
  expectRefused(StatusCode::Damaged, "22 numbers, its operation wants 12", matmul);
}

TEST_F(OneDnnRequests, EachNumberOutOfRangeIsRefused) {
  std::vector<int64_t> good = numbers;
  for (size_t i = 0; i < good.size(); ++i) {
    numbers = good;
    numbers[i] = -1;
    EXPECT_EQ(create().code(), StatusCode::Damaged) << "number " << i;
    numbers[i] = INT64_MAX;
    EXPECT_EQ(create().code(), StatusCode::Damaged) << "number " << i;
  }
}

TEST_F(OneDnnRequests, ShapesThatDisagreeAreRefused) {
  numbers[8] += 1; // the output height
  expectRefused(StatusCode::Unsupported, "refuses operation 'convolution_forward'");
}

TEST_F(OneDnnRequests, GroupsThatDoNotDivideAreRefused) {
  numbers[3] = 3;
  expectRefused(StatusCode::Damaged, "3 groups, which do not divide 16 and 16 channels");
}

TEST_F(OneDnnRequests, ThreadsOfTheApplicationAreLeftAlone) {
  int before = omp_get_max_threads();
  omp_set_num_threads(7);
  EXPECT_TRUE(create().isOk());
  EXPECT_EQ(omp_get_max_threads(), 7);
  omp_set_num_threads(before);
}

TEST_F(OneDnnRequests, DescriptionsDoNotDependOnThreads) {
  int before = omp_get_max_threads();
  for (std::string_view operation : {convolutionForward, convolutionInputGradient, convolutionWeightGradient}) {
    omp_set_num_threads(1);
    Result<Description> one = describe(operation, c);
    omp_set_num_threads(8);
    Result<Description> eight = describe(operation, c);
    ASSERT_TRUE(one.isOk() && eight.isOk());
    EXPECT_EQ(one->scratchBytes, eight->scratchBytes);
    EXPECT_EQ(one->implementation, eight->implementation);
  }
  omp_set_num_threads(before);
}

} // namespace
