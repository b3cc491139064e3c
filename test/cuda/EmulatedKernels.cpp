#include "test/cuda/EmulatedKernels.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <dlfcn.h>
#include <unistd.h>

using namespace mlir;
using namespace amp;
using namespace amp::test;

/// Runs a command; its words are ours, but for paths in quotes.
static bool succeeds(const std::string &command) {
  int status = std::system(command.c_str());
  EXPECT_EQ(status, 0) << command;
  return status == 0;
}

EmulatedKernels::EmulatedKernels(const std::string &source) {
  std::string folder = (std::filesystem::temp_directory_path() / "amp-simt-XXXXXX").string();
  if (!mkdtemp(folder.data())) {
    ADD_FAILURE() << "no temporary folder";
    return;
  }
  std::string base = folder + "/kernels", simt = AMP_SIMT_HEADER;
  std::ofstream(base + ".cu") << source;
  // Instrumented, but linked without the library of the instrumentation: its calls end in the emulator.
  bool made = succeeds(std::string(AMP_HOST_CXX) + " -std=c++17 -O1 -fPIC -ffp-contract=off -fvisibility=hidden " +
                       "-fsanitize=thread '-DAMP_SIMT=\"" + simt + "\"' -x c++ -c " + base + ".cu -o " + base + ".o") &&
              succeeds(std::string(AMP_HOST_CXX) + " -shared " + base + ".o -o " + base + ".so");
  if (made) {
    library = ::dlopen((base + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_TRUE(library) << ::dlerror();
  }
  for (const char *end : {".cu", ".o", ".so"})
    std::remove((base + end).c_str());
  ::rmdir(folder.c_str());
}

EmulatedKernels::~EmulatedKernels() {
  if (library)
    ::dlclose(library);
}

simt::Entry EmulatedKernels::entry(const std::string &name) const {
  auto code = library ? reinterpret_cast<simt::Entry>(::dlsym(library, ("simt_" + name).c_str())) : nullptr;
  EXPECT_TRUE(code) << name;
  return code;
}

Emulated EmulatedKernels::run(plan::KernelOp kernel, unsigned blocks, const std::vector<Tensor> &inputs,
                              simt::Order order) const {
  KernelArguments arguments(kernel, inputs);
  simt::Launch launch;
  launch.blocks = blocks;
  launch.threads = compiler::kCudaThreads;
  launch.order = order;
  launch.memory = arguments.regions();
  Emulated emulated;
  simt::Entry code = entry(kernel.getSymName().str());
  if (!code)
    return emulated;
  emulated.report = simt::run(code, arguments.pointers().data(), launch);
  emulated.results = arguments.results();
  return emulated;
}

void amp::test::expectRight(const EmulatedKernels &kernels, plan::KernelOp kernel, unsigned blocks,
                            const std::vector<Tensor> &inputs, double tolerance) {
  std::vector<Tensor> want = referenceOf(kernel, inputs), first;
  for (simt::Order order : kOrders) {
    SCOPED_TRACE(kernel.getSymName().str() + ", order " + std::to_string(int(order)));
    Emulated emulated = kernels.run(kernel, blocks, inputs, order);
    EXPECT_EQ(emulated.report.error, "");
    EXPECT_EQ(emulated.report.races, std::vector<std::string>());
    expectNear(emulated.results, want, tolerance);
    if (first.empty())
      first = emulated.results;
    else
      expectSame(emulated.results, first);
  }
}
