// The JSON header of a safetensors file, parsed event by event, so that nothing is built that was not asked for.
#pragma once

#include "runtime/format/Array.h"

#include <map>

namespace amp::runtime {

struct SafetensorsEntry {
  std::string name;
  ScalarType type = ScalarType::F32;
  std::vector<uint64_t> shape;
  std::vector<uint64_t> offsets; // begin and end in the data section
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;
  std::map<std::string, std::string> metadata;
};

/// Proves: an object of the format's form with no key twice, known types, every range inside `dataBytes` and as long
/// as type and shape say. How the ranges lie to each other is left to the caller.
Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view text, uint64_t dataBytes, const std::string &place,
                                                 const Limits &limits);

std::string_view safetensorsTypeName(ScalarType type);

} // namespace amp::runtime
