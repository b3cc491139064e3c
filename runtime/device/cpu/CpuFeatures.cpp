#include "runtime/device/cpu/CpuFeatures.h"

#include <string>

namespace amp::runtime {
namespace {

enum class Answer { No, Yes, Unknown };

#if defined(__x86_64__)
struct Feature {
  std::string_view name; // as LLVM spells it
  bool (*present)();
};

// __builtin_cpu_supports takes literals only. It asks the operating system too (XCR0), so a kernel that does not
// save AVX-512 registers counts as a processor without them.
const Feature features[] = {
    {"x86-64", [] { return true; }},
    {"x86-64-v2", [] { return __builtin_cpu_supports("x86-64-v2") != 0; }},
    {"x86-64-v3", [] { return __builtin_cpu_supports("x86-64-v3") != 0; }},
    {"x86-64-v4", [] { return __builtin_cpu_supports("x86-64-v4") != 0; }},
    {"sse2", [] { return true; }},
    {"sse3", [] { return __builtin_cpu_supports("sse3") != 0; }},
    {"ssse3", [] { return __builtin_cpu_supports("ssse3") != 0; }},
    {"sse4.1", [] { return __builtin_cpu_supports("sse4.1") != 0; }},
    {"sse4.2", [] { return __builtin_cpu_supports("sse4.2") != 0; }},
    {"popcnt", [] { return __builtin_cpu_supports("popcnt") != 0; }},
    {"avx", [] { return __builtin_cpu_supports("avx") != 0; }},
    {"avx2", [] { return __builtin_cpu_supports("avx2") != 0; }},
    {"fma", [] { return __builtin_cpu_supports("fma") != 0; }},
    {"f16c", [] { return __builtin_cpu_supports("f16c") != 0; }},
    {"bmi", [] { return __builtin_cpu_supports("bmi") != 0; }},
    {"bmi2", [] { return __builtin_cpu_supports("bmi2") != 0; }},
    {"lzcnt", [] { return __builtin_cpu_supports("lzcnt") != 0; }},
    {"movbe", [] { return __builtin_cpu_supports("movbe") != 0; }},
    {"avx512f", [] { return __builtin_cpu_supports("avx512f") != 0; }},
    {"avx512bw", [] { return __builtin_cpu_supports("avx512bw") != 0; }},
    {"avx512cd", [] { return __builtin_cpu_supports("avx512cd") != 0; }},
    {"avx512dq", [] { return __builtin_cpu_supports("avx512dq") != 0; }},
    {"avx512vl", [] { return __builtin_cpu_supports("avx512vl") != 0; }},
    {"avx512ifma", [] { return __builtin_cpu_supports("avx512ifma") != 0; }},
    {"avx512vbmi", [] { return __builtin_cpu_supports("avx512vbmi") != 0; }},
    {"avx512vbmi2", [] { return __builtin_cpu_supports("avx512vbmi2") != 0; }},
    {"avx512vnni", [] { return __builtin_cpu_supports("avx512vnni") != 0; }},
    {"avx512bitalg", [] { return __builtin_cpu_supports("avx512bitalg") != 0; }},
    {"avx512vpopcntdq", [] { return __builtin_cpu_supports("avx512vpopcntdq") != 0; }},
    {"avx512bf16", [] { return __builtin_cpu_supports("avx512bf16") != 0; }},
    {"avx512fp16", [] { return __builtin_cpu_supports("avx512fp16") != 0; }},
    {"avxvnni", [] { return __builtin_cpu_supports("avxvnni") != 0; }},
    {"amx-tile", [] { return __builtin_cpu_supports("amx-tile") != 0; }},
    {"amx-bf16", [] { return __builtin_cpu_supports("amx-bf16") != 0; }},
    {"amx-int8", [] { return __builtin_cpu_supports("amx-int8") != 0; }},
};

Answer ask(std::string_view name) {
  __builtin_cpu_init();
  for (const Feature &feature : features)
    if (feature.name == name)
      return feature.present() ? Answer::Yes : Answer::No;
  return Answer::Unknown;
}
#else
Answer ask(std::string_view name) {
  return name.substr(0, 3) == "x86" ? Answer::No : Answer::Unknown;
}
#endif

} // namespace

Status checkCpu(std::string_view arch, const std::vector<std::string_view> &needed) {
  std::string missing;
  auto add = [&](std::string_view name) {
    missing += missing.empty() ? "" : ", ";
    missing += name;
  };
  // A CPU's own name (znver3) is not asked for: its features are.
  if (ask(arch) == Answer::No)
    add(arch);
  for (std::string_view name : needed) {
    Answer answer = ask(name);
    if (answer == Answer::Unknown)
      return Status(StatusCode::Unsupported, "the package needs the CPU feature " + quoted(name) +
                                                 ", which this runtime cannot ask for; recompile the model with "
                                                 "--arch=x86-64-v3, or update the runtime");
    if (answer == Answer::No)
      add(name);
  }
  if (missing.empty())
    return Status();
  return Status(StatusCode::Unsupported, "this processor lacks " + missing + ", which the package was compiled for (" +
                                             std::string(arch) +
                                             "); recompile the model on this machine or with --arch=x86-64-v3");
}

} // namespace amp::runtime
