#include "runtime/base/Status.h"

namespace amp::runtime {

std::string_view statusCodeName(StatusCode code) {
  switch (code) {
  case StatusCode::Ok:
    return "ok";
  case StatusCode::Argument:
    return "argument";
  case StatusCode::NotFound:
    return "not-found";
  case StatusCode::Damaged:
    return "damaged";
  case StatusCode::Version:
    return "version";
  case StatusCode::Unsupported:
    return "unsupported";
  case StatusCode::Io:
    return "io";
  case StatusCode::NonFinite:
    return "non-finite";
  case StatusCode::Memory:
    return "memory";
  case StatusCode::Internal:
    return "internal";
  }
  return "internal";
}

std::string quoted(std::string_view name) {
  // A hostile name may be megabytes long; nobody reads more than its head.
  constexpr size_t longest = 200;
  static const char digits[] = "0123456789abcdef";
  std::string out = "'";
  for (char c : name.substr(0, longest)) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c; // bytes of UTF-8 stay readable
    }
  }
  if (name.size() > longest)
    out += "...";
  return out + "'";
}

} // namespace amp::runtime
