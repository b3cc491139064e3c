// Finds accesses of one launch that nothing orders: kernels are compiled with -fsanitize=thread, whose calls end here
// instead of in its own library.
#ifndef AMP_TEST_CUDA_SIMT_RACES_H
#define AMP_TEST_CUDA_SIMT_RACES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace simt {

/// Memory of a launch: a buffer of elements of `width` bytes, with kGuard bytes before and behind it that are nobody's.
struct Region {
  const void *begin = nullptr;
  size_t bytes = 0;
  size_t width = 4;
  std::string name; ///< for reports: "argument 2", "shared memory"

  static constexpr size_t kGuard = 64;
};

/// Two accesses to an element are ordered if one thread makes both, or a barrier of their block lies between them. A
/// shuffle orders nothing: CUDA does not promise it.
class Races {
public:
  explicit Races(std::vector<Region> regions);

  /// What runs now; `epoch` counts the barriers and blocks of the launch.
  void enter(unsigned block, unsigned thread, unsigned epoch) { current = {block, thread, epoch}; }
  /// A new block: what the last one did to its shared memory (region 0) is over.
  void forgetShared();
  void access(const void *address, size_t bytes, bool writes);

  const std::vector<std::string> &texts() const { return reports; }
  size_t count() const { return found; }

private:
  struct Access {
    unsigned block = 0, thread = 0, epoch = 0; ///< epoch 0: there is none
  };
  /// Two readers are enough to know of one that is another thread than the writer.
  struct Cell {
    Access writer, readers[2];
  };
  bool conflicts(const Access &before) const;
  void touch(Cell &cell, const Region &region, size_t element, bool writes);
  void report(const std::string &text);

  std::vector<Region> regions;
  std::vector<std::vector<Cell>> cells; ///< one an element, a vector a region
  Access current;
  std::vector<std::string> reports;
  size_t found = 0;
};

} // namespace simt

#endif
