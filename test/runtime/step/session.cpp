#include "runtime/step/Session.h"
#include "test/runtime/fixture/Files.h"
#include "test/runtime/fixture/TinyPackage.h"

#include <gtest/gtest.h>

#include <xmmintrin.h>

using namespace amp::runtime;
using namespace amp::test;

namespace {

std::shared_ptr<const PackageReader> openTiny(const TemporaryDirectory &directory, const TinyOptions &options = {}) {
  std::string path = writeTiny(directory / (options.otherKernels ? "other.amp" : "tiny.amp"), options);
  Result<PackageReader> reader = PackageReader::open(posixFileSystem(), path);
  EXPECT_TRUE(reader.isOk()) << reader.status().message();
  return std::make_shared<const PackageReader>(std::move(*reader));
}

std::unique_ptr<Session> makeSession(const TemporaryDirectory &directory, const TinyOptions &options = {}) {
  Result<std::unique_ptr<Session>> session = Session::create(openTiny(directory, options), SessionOptions{2});
  EXPECT_TRUE(session.isOk()) << session.status().message();
  return std::move(*session);
}

float firstOutput(Session &session) {
  TinyBatch batch;
  std::vector<TensorView> views = batch.views();
  Status status = session.run("eval", Span<const TensorView>(views));
  EXPECT_TRUE(status.isOk()) << status.message();
  return *reinterpret_cast<const float *>(session.output("eval", "y")->data);
}

std::string refusal(Session &session, const std::vector<TensorView> &views) {
  Status status = session.run("micro", Span<const TensorView>(views));
  EXPECT_EQ(status.code(), StatusCode::Argument);
  return status.text();
}

} // namespace

TEST(Session, TwoPackagesInOneProcessKeepTheirKernels) {
  TemporaryDirectory directory;
  std::unique_ptr<Session> first = makeSession(directory);
  TinyOptions other;
  other.otherKernels = true;
  std::unique_ptr<Session> second = makeSession(directory, other);
  TinyBatch batch;
  float expected = -0.3f * batch.x[0];
  EXPECT_FLOAT_EQ(firstOutput(*first), expected);
  EXPECT_FLOAT_EQ(firstOutput(*second), expected + 1000);
  first.reset();
  // The descriptor of the first is free again: a third package must not get its kernels.
  std::unique_ptr<Session> third = makeSession(directory, other);
  EXPECT_FLOAT_EQ(firstOutput(*third), expected + 1000);
  EXPECT_FLOAT_EQ(firstOutput(*second), expected + 1000);
}

TEST(Session, InputsAreRefusedByNameTypeAndShape) {
  TemporaryDirectory directory;
  std::unique_ptr<Session> session = makeSession(directory);
  TinyBatch batch;
  std::vector<TensorView> views = batch.views();
  EXPECT_EQ(refusal(*session, {views[0]}), "input 'labels' is missing; give a tensor of int64 [2]");
  EXPECT_EQ(refusal(*session, {views[0], views[1], views[1]}), "input 'labels' is given twice; give it once");
  TensorView wrong = views[0];
  wrong.name = "z";
  EXPECT_EQ(refusal(*session, {views[0], views[1], wrong}), "there is no input 'z'; the model takes 'x', 'labels'");
  wrong = views[0];
  wrong.type = ElementType::I32;
  EXPECT_EQ(refusal(*session, {wrong, views[1]}),
            "input 'x' has int32 [2, 64], the package was compiled for float32 [2, 64]; convert the tensor");
  const uint64_t shape[] = {64, 2};
  wrong = views[0];
  wrong.shape = Span<const uint64_t>(shape, 2);
  EXPECT_EQ(refusal(*session, {wrong, views[1]}),
            "input 'x' has float32 [64, 2], the package was compiled for float32 [2, 64]; give that shape, or "
            "recompile with --batch or --shape");
  wrong = views[0];
  wrong.bytes -= 1;
  EXPECT_EQ(refusal(*session, {wrong, views[1]}), "input 'x' has 511 bytes, its shape needs 512");
}

TEST(Session, ALabelOutOfRangeIsRefusedBeforeAnythingRuns) {
  TemporaryDirectory directory;
  std::unique_ptr<Session> session = makeSession(directory);
  TinyBatch batch;
  batch.labels[1] = 3;
  EXPECT_EQ(refusal(*session, batch.views()),
            "input 'labels': value 3 at position [1] is out of range, wanted 0 to 2, or -100 to ignore an element");
  batch.labels[1] = -1;
  EXPECT_NE(refusal(*session, batch.views()).find("value -1 at position [1]"), std::string::npos);
  const StateView *gradient = session->state("w/gradient");
  for (uint64_t i = 0; i < gradient->bytes; ++i)
    ASSERT_EQ(gradient->data[i], 0);
  batch.labels[1] = -100;
  std::vector<TensorView> views = batch.views();
  EXPECT_TRUE(session->run("micro", Span<const TensorView>(views)).isOk());
}

TEST(Session, IntegersAreConvertedWhereTheyFit) {
  TemporaryDirectory directory;
  std::unique_ptr<Session> session = makeSession(directory);
  TinyBatch batch;
  std::vector<TensorView> views = batch.views();
  ASSERT_TRUE(session->run("micro", Span<const TensorView>(views)).isOk());
  const StateView *gradient = session->state("w/gradient");
  std::vector<uint8_t> expected(gradient->data, gradient->data + gradient->bytes);

  std::vector<uint8_t> small = {uint8_t(batch.labels[0]), uint8_t(batch.labels[1])};
  views[1].type = ElementType::U8;
  views[1].data = small.data();
  views[1].bytes = 2;
  ASSERT_TRUE(session->run("micro", Span<const TensorView>(views)).isOk());
  EXPECT_EQ(expected, std::vector<uint8_t>(gradient->data, gradient->data + gradient->bytes));
}

TEST(Session, UnalignedInputsGiveTheSameBits) {
  TemporaryDirectory directory;
  std::unique_ptr<Session> session = makeSession(directory);
  float expected = firstOutput(*session);
  TinyBatch batch;
  std::vector<TensorView> views = batch.views();
  std::vector<uint8_t> shifted(views[0].bytes + 1);
  std::memcpy(shifted.data() + 1, views[0].data, views[0].bytes);
  views[0].data = shifted.data() + 1;
  ASSERT_TRUE(session->run("eval", Span<const TensorView>(views)).isOk());
  EXPECT_EQ(*reinterpret_cast<const float *>(session->output("eval", "y")->data), expected);
}

TEST(Session, AMissingCpuFeatureIsNamed) {
  TemporaryDirectory directory;
  TinyOptions options;
  options.features = {"sse2", "amx-fp4096"};
  Result<std::unique_ptr<Session>> session = Session::create(openTiny(directory, options), SessionOptions{1});
  ASSERT_FALSE(session.isOk());
  EXPECT_EQ(session.status().code(), StatusCode::Unsupported);
  EXPECT_NE(session.status().text().find("the CPU feature 'amx-fp4096'"), std::string::npos);
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f"))
    GTEST_SKIP() << "this processor has avx512f, so its lack cannot be shown";
  options.features = {"avx512f"};
  Result<std::unique_ptr<Session>> lacking = Session::create(openTiny(directory, options), SessionOptions{1});
  ASSERT_FALSE(lacking.isOk());
  EXPECT_NE(lacking.status().text().find("this processor lacks avx512f"), std::string::npos) << lacking.status().text();
}

TEST(Session, ALibraryThatIsNotBuiltInIsNamed) {
  TemporaryDirectory directory;
  TinyOptions options;
  options.library = "nosuch";
  Result<std::unique_ptr<Session>> session = Session::create(openTiny(directory, options), SessionOptions{1});
  ASSERT_FALSE(session.isOk());
  EXPECT_NE(session.status().text().find("it calls library 'nosuch'"), std::string::npos) << session.status().text();
}

TEST(Session, FlushingSubnormalsIsTurnedOffForKernelsAndOnAgainAfter) {
  TemporaryDirectory directory;
  std::unique_ptr<Session> session = makeSession(directory);
  TinyBatch batch;
  batch.x[0] = 1e-40f; // subnormal
  std::vector<TensorView> views = batch.views();
  unsigned flushing = _mm_getcsr() | 0x8040u;
  unsigned before = _mm_getcsr();
  _mm_setcsr(flushing);
  Status status = session->run("eval", Span<const TensorView>(views));
  EXPECT_EQ(_mm_getcsr() & 0x8040u, 0x8040u);
  _mm_setcsr(before);
  ASSERT_TRUE(status.isOk());
  EXPECT_NE(*reinterpret_cast<const float *>(session->output("eval", "y")->data), 0.0f);
}

TEST(Session, AProgramThatIsNotThereIsNamed) {
  TemporaryDirectory directory;
  std::unique_ptr<Session> session = makeSession(directory);
  EXPECT_EQ(session->run("other", {}).code(), StatusCode::NotFound);
  EXPECT_FALSE(session->output("eval", "z").isOk());
}
