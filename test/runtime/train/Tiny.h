// A trainer of the tiny package, and its whole state as bytes.
#pragma once

#include "runtime/train/Trainer.h"
#include "test/runtime/fixture/Files.h"
#include "test/runtime/fixture/TinyPackage.h"

namespace amp::test {

inline std::unique_ptr<runtime::Trainer> makeTrainer(const TinyOptions &options = {}, unsigned threads = 1) {
  using namespace amp::runtime;
  TemporaryDirectory directory; // the mapping outlives the name
  Result<PackageReader> reader = PackageReader::open(posixFileSystem(), writeTiny(directory / "tiny.amp", options));
  EXPECT_TRUE(reader.isOk()) << reader.status().message();
  Result<std::unique_ptr<Trainer>> trainer =
      Trainer::create(std::make_shared<const PackageReader>(std::move(*reader)), {threads, 42});
  EXPECT_TRUE(trainer.isOk()) << trainer.status().message();
  return std::move(*trainer);
}

inline runtime::Result<runtime::StepResult> stepWith(runtime::Trainer &trainer, const TinyBatch &batch) {
  std::vector<runtime::TensorView> views = batch.views();
  return trainer.step(runtime::Span<const runtime::TensorView>(views));
}

/// Bytes of every state that a checkpoint holds, and of derived copies.
inline std::vector<uint8_t> stateBytes(runtime::Trainer &trainer, bool withScale = true) {
  std::vector<uint8_t> bytes;
  for (const runtime::StateView &state : trainer.session().states()) {
    bool scale = state.role == format::Role::LossScale || state.role == format::Role::GrowthTracker;
    if ((!scale || withScale) && (runtime::isSaved(state.role) || state.role == format::Role::Derived))
      bytes.insert(bytes.end(), state.data, state.data + state.bytes);
  }
  return bytes;
}

} // namespace amp::test
