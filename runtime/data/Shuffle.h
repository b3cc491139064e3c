// The order of samples in an epoch: a function of (seed, epoch) and of nothing else, so that a resumed run goes on
// where it stood with two numbers in its checkpoint.
#pragma once

#include <cstdint>
#include <vector>

namespace amp::data {

// A permutation of 0..count-1. The same arguments give the same order on every machine.
std::vector<uint64_t> shuffledOrder(uint64_t count, uint64_t seed, uint64_t epoch);

} // namespace amp::data
