// Fibers, and the rendezvous of barriers and warps.
#include "test/cuda/simt/Machine.h"

#include <algorithm>
#include <memory>

#include <ucontext.h>

namespace simt {
namespace {

constexpr unsigned kLanes = 32;
constexpr size_t kStackBytes = 64 << 10;
constexpr size_t kSharedBytes = 48 << 10; ///< what a kernel may have without asking

enum class State { Ready, AtBarrier, InWarp, Done };

struct Thread {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  State state = State::Ready;
  unsigned long long bits = 0; ///< given to a warp's exchange, then what came of it
};

/// One exchange that not all lanes have come to.
struct Exchange {
  unsigned mask = 0, arrived = 0;
  int distance = 0;
};

class Machine {
public:
  Machine(Entry entry, void *const *arguments, const Launch &launch);
  Report run();

  // For the thread that runs.
  unsigned thread = 0, block = 0;
  void barrier();
  unsigned long long exchange(unsigned mask, unsigned long long bits, int distance);
  void *shared(const void *key, size_t bytes);
  Races races;

private:
  static void begin(unsigned low, unsigned high);
  void runBlock();
  bool pass();
  void resume(unsigned number);
  void wait(State state);
  void leaveBarrier();
  void finish();
  void fail(const std::string &text);
  std::string deadlock() const;
  std::vector<unsigned> shuffled(unsigned count);
  static std::vector<Region> memoryOf(const Launch &launch, const void *shared);

  Entry entry;
  void *const *arguments;
  const Launch &launch;
  std::unique_ptr<char[]> sharedMemory;
  size_t sharedUsed = 0;
  std::vector<std::pair<const void *, size_t>> sharedKeys;
  std::vector<Thread> threads;
  std::vector<Exchange> exchanges; ///< one a warp
  unsigned waiting = 0, alive = 0, epoch = 1;
  ucontext_t scheduler;
  std::mt19937 engine{7};
  Report report;
};

/// Kernels have no argument to find the machine by, and run on the machine's one thread.
Machine *running = nullptr;

std::vector<Region> Machine::memoryOf(const Launch &launch, const void *shared) {
  std::vector<Region> regions = {{shared, kSharedBytes, 4, "shared memory"}};
  regions.insert(regions.end(), launch.memory.begin(), launch.memory.end());
  return regions;
}

Machine::Machine(Entry entry, void *const *arguments, const Launch &launch)
    : races({}), entry(entry), arguments(arguments), launch(launch),
      sharedMemory(new char[kSharedBytes + 2 * Region::kGuard]), threads(launch.threads),
      exchanges((launch.threads + kLanes - 1) / kLanes) {
  races = Races(memoryOf(launch, sharedMemory.get() + Region::kGuard));
}

void Machine::begin(unsigned low, unsigned high) {
  auto *machine = reinterpret_cast<Machine *>(uintptr_t(low) | uintptr_t(high) << 32);
  // A fiber serves one block after the other.
  for (;;) {
    machine->entry(machine->arguments);
    machine->finish();
  }
}

Report Machine::run() {
  auto self = reinterpret_cast<uintptr_t>(this);
  for (Thread &each : threads) {
    each.stack.reset(new char[kStackBytes]);
    getcontext(&each.context);
    each.context.uc_stack.ss_sp = each.stack.get();
    each.context.uc_stack.ss_size = kStackBytes;
    each.context.uc_link = nullptr;
    makecontext(&each.context, reinterpret_cast<void (*)()>(&Machine::begin), 2, unsigned(self), unsigned(self >> 32));
  }
  std::vector<unsigned> blocks = shuffled(launch.blocks);
  for (unsigned number : blocks) {
    block = number;
    runBlock();
    if (!report.error.empty())
      break;
  }
  report.races = races.texts();
  report.raceCount = races.count();
  return report;
}

/// 0, 1, ... as the order wants them; warps run greedily in an order of chance.
std::vector<unsigned> Machine::shuffled(unsigned count) {
  std::vector<unsigned> numbers(count);
  for (unsigned i = 0; i < count; ++i)
    numbers[i] = launch.order == Order::Reverse ? count - 1 - i : i;
  if (launch.order == Order::Random || launch.order == Order::Greedy)
    std::shuffle(numbers.begin(), numbers.end(), engine);
  return numbers;
}

void Machine::runBlock() {
  std::fill_n(sharedMemory.get(), kSharedBytes + 2 * Region::kGuard, char(0xff));
  sharedUsed = 0;
  sharedKeys.clear();
  races.forgetShared();
  std::fill(exchanges.begin(), exchanges.end(), Exchange());
  for (Thread &each : threads)
    each.state = State::Ready;
  alive = launch.threads;
  waiting = 0;
  ++epoch;
  while (alive > 0 && report.error.empty())
    if (!pass() && report.error.empty())
      report.error = deadlock();
}

/// Lets threads run, each at most once but for greedy warps; false where none could.
bool Machine::pass() {
  bool moved = false;
  if (launch.order == Order::Greedy) {
    for (unsigned warp : shuffled(unsigned(exchanges.size())))
      for (bool more = true; more;) {
        more = false;
        for (unsigned number = warp * kLanes; number < std::min((warp + 1) * kLanes, launch.threads); ++number)
          if (threads[number].state == State::Ready && report.error.empty()) {
            resume(number);
            more = moved = true;
          }
      }
    return moved;
  }
  for (unsigned number : shuffled(launch.threads))
    if (threads[number].state == State::Ready && report.error.empty()) {
      resume(number);
      moved = true;
    }
  return moved;
}

void Machine::resume(unsigned number) {
  thread = number;
  races.enter(block, number, epoch);
  swapcontext(&scheduler, &threads[number].context);
}

void Machine::wait(State state) {
  Thread &self = threads[thread];
  self.state = state;
  swapcontext(&self.context, &scheduler);
}

void Machine::leaveBarrier() {
  for (Thread &each : threads)
    if (each.state == State::AtBarrier)
      each.state = State::Ready;
  waiting = 0;
  ++epoch;
}

void Machine::barrier() {
  if (++waiting == alive) {
    leaveBarrier();
    // This thread goes on in the new epoch.
    threads[thread].state = State::Ready;
    races.enter(block, thread, epoch);
    return;
  }
  wait(State::AtBarrier);
}

void Machine::finish() {
  --alive;
  if (alive > 0 && waiting == alive)
    leaveBarrier();
  wait(State::Done);
}

void Machine::fail(const std::string &text) {
  report.error = text + " (thread " + std::to_string(thread) + " of block " + std::to_string(block) + ")";
  // The scheduler sees the error and lets no thread of this launch run again.
  wait(State::Done);
}

unsigned long long Machine::exchange(unsigned mask, unsigned long long bits, int distance) {
  unsigned lane = thread % kLanes, first = thread - lane;
  Exchange &all = exchanges[thread / kLanes];
  if (all.arrived && (all.mask != mask || all.distance != distance))
    fail("lanes of a warp meet in different shuffles");
  if (!(mask >> lane & 1))
    fail("a lane takes part in a shuffle whose mask leaves it out");
  all.mask = mask;
  all.distance = distance;
  all.arrived |= 1u << lane;
  threads[thread].bits = bits;
  if (all.arrived != mask) {
    wait(State::InWarp);
    return threads[thread].bits;
  }
  unsigned long long given[kLanes] = {};
  for (unsigned each = 0; each < kLanes; ++each)
    if (mask >> each & 1)
      given[each] = threads[first + each].bits;
  for (unsigned each = 0; each < kLanes; ++each) {
    if (!(mask >> each & 1))
      continue;
    threads[first + each].bits = given[(each ^ unsigned(distance)) % kLanes];
    threads[first + each].state = State::Ready;
  }
  all = Exchange();
  return threads[thread].bits;
}

void *Machine::shared(const void *key, size_t bytes) {
  char *start = sharedMemory.get() + Region::kGuard;
  for (auto &[known, offset] : sharedKeys)
    if (known == key)
      return start + offset;
  size_t offset = (sharedUsed + 15) / 16 * 16;
  if (offset + bytes > kSharedBytes)
    fail("the block wants more than " + std::to_string(kSharedBytes) + " bytes of shared memory");
  sharedKeys.emplace_back(key, offset);
  sharedUsed = offset + bytes;
  return start + offset;
}

std::string Machine::deadlock() const {
  auto count = [&](State state) {
    return std::to_string(
        std::count_if(threads.begin(), threads.end(), [&](const Thread &each) { return each.state == state; }));
  };
  return "deadlock in block " + std::to_string(block) + ": " + count(State::AtBarrier) + " threads at a barrier, " +
         count(State::InWarp) + " in a shuffle, " + count(State::Done) + " ended";
}

} // namespace

Report run(Entry entry, void *const *arguments, const Launch &launch) {
  Machine machine(entry, arguments, launch);
  running = &machine;
  Report report = machine.run();
  running = nullptr;
  return report;
}

Place threadPlace() {
  return {running->thread, 0, 0};
}
Place blockPlace() {
  return {running->block, 0, 0};
}
void barrier() {
  running->barrier();
}
unsigned long long exchange(unsigned mask, unsigned long long bits, int distance) {
  return running->exchange(mask, bits, distance);
}
void *shared(const void *key, size_t bytes) {
  return running->shared(key, bytes);
}

void watch(const void *address, size_t bytes, bool writes) {
  if (running)
    running->races.access(address, bytes, writes);
}

float widenF16(unsigned short word) {
  return float(bits<_Float16>(word));
}
unsigned short narrowF16(float value) {
  return bits<unsigned short>(_Float16(value));
}

} // namespace simt
