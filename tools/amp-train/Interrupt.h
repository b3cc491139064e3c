// Ctrl-C and SIGTERM ask the loop to stop after the step that is running; a second one ends the process at once.
#pragma once

namespace amp::tools {

void catchInterrupts();
bool interrupted();

} // namespace amp::tools
