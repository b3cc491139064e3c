#include "tools/amp-train/Interrupt.h"

#include <csignal>
#include <signal.h>

namespace amp::tools {
namespace {

// A signal handler can reach nothing but a global.
volatile std::sig_atomic_t asked = 0;

void remember(int) {
  asked = 1;
}

} // namespace

void catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = remember;
  action.sa_flags = int(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
  return asked != 0;
}

} // namespace amp::tools
