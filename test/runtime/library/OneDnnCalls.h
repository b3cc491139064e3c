// Runs calls of the oneDNN library as the runtime does: planned, created, then executed on operands.
#pragma once

#include "runtime/library/Library.h"
#include "runtime/library/onednn/Catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace amp::runtime::onednn {

using Floats = std::vector<float>;

/// Values in [-1, 1) that follow from the seed alone.
inline Floats makeFloats(int64_t count, uint32_t seed) {
  Floats values(static_cast<size_t>(count));
  for (float &value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = float(int32_t(seed)) / 2147483648.0f;
  }
  return values;
}

/// 64-byte aligned, and full of NaN: what a call forgets to write shows.
struct Scratch {
  explicit Scratch(int64_t bytes)
      : size((static_cast<size_t>(bytes) + 127) / 64 * 64), data(static_cast<float *>(std::aligned_alloc(64, size))) {
    std::fill(data, data + size / 4, std::nanf(""));
  }
  ~Scratch() { std::free(data); }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  size_t size;
  float *data;
};

inline LibraryRequest requestOf(std::string_view operation, const std::vector<int64_t> &numbers,
                                const Description &description) {
  LibraryRequest request;
  request.operation = operation;
  request.numbers = Span<const int64_t>(numbers);
  request.implementation = description.implementation;
  request.version = description.version;
  return request;
}

struct Planned {
  std::unique_ptr<LibraryCall> call;
  Description description;
};

template <typename Call> Planned planned(std::string_view operation, const Call &call) {
  Result<Description> description = describe(operation, call);
  EXPECT_TRUE(description.isOk()) << description.status().message();
  if (!description.isOk())
    return {};
  std::vector<int64_t> numbers = numbersOf(call, *description);
  Result<std::unique_ptr<LibraryCall>> made =
      findLibrary("onednn")->create(requestOf(operation, numbers, *description));
  EXPECT_TRUE(made.isOk()) << made.status().message();
  if (!made.isOk())
    return {};
  return {std::move(*made), *description};
}

/// Executes the call on copies of its inputs; operand `resultOperand` is made here and given back.
inline Floats run(const Planned &planned, std::vector<const Floats *> inputs, unsigned resultOperand,
                  int64_t elements) {
  Scratch result(elements * 4), scratch(planned.description.scratchBytes);
  std::vector<void *> operands;
  for (const Floats *input : inputs)
    operands.push_back(const_cast<float *>(input->data()));
  operands.insert(operands.begin() + resultOperand, result.data);
  operands.push_back(scratch.data);
  EXPECT_EQ(planned.call->operandCount(), operands.size());
  Status status = planned.call->execute(operands.data(), scratch.data);
  EXPECT_TRUE(status.isOk()) << status.message();
  return Floats(result.data, result.data + elements);
}

/// The same from three threads at once, several times each: every result must have the bits of `wanted`.
inline void expectSameBitsFromThreads(const Planned &planned, std::vector<const Floats *> inputs,
                                      unsigned resultOperand, const Floats &wanted) {
  std::vector<std::thread> threads;
  std::vector<Floats> seen(3);
  for (Floats &mine : seen)
    threads.emplace_back([&planned, &inputs, &mine, resultOperand, elements = int64_t(wanted.size())] {
      for (int repeat = 0; repeat < 3; ++repeat)
        mine = run(planned, inputs, resultOperand, elements);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const Floats &mine : seen)
    EXPECT_EQ(0, std::memcmp(mine.data(), wanted.data(), wanted.size() * sizeof(float)));
}

/// Relative to the sum of magnitudes of an element's terms, which bounds what rounding may do.
inline void expectClose(const Floats &seen, const std::vector<double> &wanted, const std::vector<double> &magnitudes) {
  ASSERT_EQ(seen.size(), wanted.size());
  for (size_t i = 0; i < seen.size(); ++i)
    ASSERT_LE(std::abs(seen[i] - wanted[i]), 1e-5 * std::max(magnitudes[i], 1e-3)) << "element " << i;
}

} // namespace amp::runtime::onednn
