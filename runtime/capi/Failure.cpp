#include "runtime/capi/Failure.h"

namespace amp::runtime::capi {
namespace {

static_assert(int(AMP_STATUS_OK) == int(StatusCode::Ok) && int(AMP_STATUS_ARGUMENT) == int(StatusCode::Argument) &&
                  int(AMP_STATUS_NOT_FOUND) == int(StatusCode::NotFound) &&
                  int(AMP_STATUS_DAMAGED) == int(StatusCode::Damaged) &&
                  int(AMP_STATUS_VERSION) == int(StatusCode::Version) &&
                  int(AMP_STATUS_UNSUPPORTED) == int(StatusCode::Unsupported) &&
                  int(AMP_STATUS_IO) == int(StatusCode::Io) &&
                  int(AMP_STATUS_NONFINITE) == int(StatusCode::NonFinite) &&
                  int(AMP_STATUS_MEMORY) == int(StatusCode::Memory) &&
                  int(AMP_STATUS_INTERNAL) == int(StatusCode::Internal),
              "codes of the ABI and of the runtime are numbered alike");

// A thread reads the text of its own last failure, as with errno.
std::string &lastText() {
  static thread_local std::string text;
  return text;
}

} // namespace

amp_status report(const Status &status) {
  if (status.isOk())
    return AMP_STATUS_OK;
  try {
    lastText() = status.message();
  } catch (...) {
    lastText().clear(); // no memory even for the text
  }
  return static_cast<amp_status>(status.code());
}

} // namespace amp::runtime::capi

extern "C" {

const char *amp_last_error(void) {
  return amp::runtime::capi::lastText().c_str();
}

const char *amp_status_name(amp_status status) {
  if (status < AMP_STATUS_OK || status > AMP_STATUS_INTERNAL)
    return "internal";
  return amp::runtime::statusCodeName(static_cast<amp::runtime::StatusCode>(status)).data();
}

const char *amp_version(void) {
  return AMP_VERSION;
}
}
