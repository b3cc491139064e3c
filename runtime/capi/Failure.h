// The border of the C ABI: statuses become codes and texts, exceptions become statuses.
#pragma once

#include "runtime/base/Status.h"
#include "runtime/include/amp/amp.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>

namespace amp::runtime::capi {

/// Keeps the text for amp_last_error() and gives the code.
amp_status report(const Status &status);

/// Calls `body`, which returns a Status; nothing that it throws gets out.
template <typename Body> amp_status guarded(Body &&body) noexcept {
  try {
    return report(body());
  } catch (const std::bad_alloc &) {
    return report(Status(StatusCode::Memory, "not enough memory"));
  } catch (const std::exception &error) {
    return report(Status(StatusCode::Internal, std::string(error.what()) + "; please report this"));
  } catch (...) {
    return report(Status(StatusCode::Internal, "an unknown exception; please report this"));
  }
}

inline Status argumentFailure(std::string text) {
  return Status(StatusCode::Argument, std::move(text));
}

/// Fills a struct of the caller, who may know fewer fields: `size` says how many bytes it has.
template <typename T> Status give(T *to, T from) {
  if (!to)
    return argumentFailure("a struct to write to is null");
  if (to->size < sizeof to->size)
    return argumentFailure("a struct has size " + std::to_string(to->size) + "; set it to sizeof the struct first");
  size_t known = std::min(to->size, sizeof(T));
  from.size = to->size;
  std::memcpy(to, &from, known);
  return Status();
}

} // namespace amp::runtime::capi
