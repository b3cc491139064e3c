// The checks behind the FlatBuffers verifier, in three files: the package as a whole (PackageCheck.cpp), its states
// (StateCheck.cpp), its kernels and programs (ProgramCheck.cpp).
#pragma once

#include "runtime/format/PackageReader.h"

namespace amp::runtime::check {

/// What is refused, in the words of the message.
using Place = std::string;

Status refuse(const Place &place, const std::string &text);
Place named(const char *kind, const flatbuffers::String *name);
Status checkName(const flatbuffers::String *name, const Place &place, const Limits &limits);
/// The bytes of a tensor; refuses unknown types, ranks over the limit and overflow.
Result<uint64_t> tensorBytes(format::ElementType type, Span<const uint64_t> shape, const Place &place,
                             const Limits &limits);

Status checkStates(const format::Package &package, uint64_t blobBytes, const Limits &limits);
Status checkPrograms(const format::Package &package, const Limits &limits);

} // namespace amp::runtime::check
