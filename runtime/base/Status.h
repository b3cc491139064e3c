// How the runtime reports failure: a code, a text in the user's words, and the place; no exceptions, no printing.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace amp::runtime {

enum class StatusCode : uint8_t {
  Ok,
  Argument,    ///< what the caller passed does not fit: name, type, shape, value
  NotFound,    ///< a file, tensor or program that is not there
  Damaged,     ///< bytes of a file that do not agree with themselves
  Version,     ///< a file written by another version of amp
  Unsupported, ///< this machine or build lacks what is asked for
  Io,          ///< the operating system refused: disk full, permission
  NonFinite,   ///< training went non-finite and the policy says stop
  Memory,      ///< not enough memory
  Internal     ///< our fault: a broken contract; ask for a report
};

/// One lower-case word a code, as tools and logs print it.
std::string_view statusCodeName(StatusCode code);

class [[nodiscard]] Status {
public:
  Status() = default;
  /// `place` is a file, program or tensor in the user's words; it comes before the text in message().
  Status(StatusCode code, std::string text, std::string place = {})
      : statusCode(code), statusText(std::move(text)), statusPlace(std::move(place)) {}

  bool isOk() const { return statusCode == StatusCode::Ok; }
  StatusCode code() const { return statusCode; }
  const std::string &text() const { return statusText; }
  const std::string &place() const { return statusPlace; }
  /// "place: text", or the text alone.
  std::string message() const { return statusPlace.empty() ? statusText : statusPlace + ": " + statusText; }
  /// The same status at a place; keeps a place that is already there.
  Status at(std::string place) && {
    if (statusPlace.empty())
      statusPlace = std::move(place);
    return std::move(*this);
  }

private:
  StatusCode statusCode = StatusCode::Ok;
  std::string statusText;
  std::string statusPlace;
};

/// A value or the status that says why there is none. Ask isOk() before value().
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : held(std::move(value)) {}
  Result(Status failure) : failure(std::move(failure)) { assert(!this->failure.isOk()); }

  bool isOk() const { return held.has_value(); }
  const Status &status() const & { return failure; }
  Status status() && { return std::move(failure); }
  T &value() & { return *held; }
  const T &value() const & { return *held; }
  T &&value() && { return *std::move(held); }
  T *operator->() { return &*held; }
  const T *operator->() const { return &*held; }
  T &operator*() & { return *held; }
  const T &operator*() const & { return *held; }
  T &&operator*() && { return *std::move(held); }

private:
  std::optional<T> held;
  Status failure;
};

/// `name` in single quotes, control bytes escaped, cut after 200 bytes: names from files are data.
std::string quoted(std::string_view name);
// Without these, argument-dependent lookup finds std::quoted of <iomanip> as the better match for a std::string.
inline std::string quoted(const std::string &name) {
  return quoted(std::string_view(name));
}
inline std::string quoted(std::string &name) {
  return quoted(std::string_view(name));
}
inline std::string quoted(const char *name) {
  return quoted(std::string_view(name));
}

} // namespace amp::runtime
