#include "runtime/library/Library.h"

#ifdef AMP_WITH_ONEDNN
#include "runtime/library/onednn/OneDnnLibrary.h"
#endif

namespace amp::runtime {

const Library *findLibrary(std::string_view name) {
#ifdef AMP_WITH_ONEDNN
  if (name == "onednn")
    return &oneDnnLibrary();
#endif
  return nullptr;
}

} // namespace amp::runtime
