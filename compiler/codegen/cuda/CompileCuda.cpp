// Kernels in batches through NVRTC, for each architecture.
#include "compiler/codegen/cuda/Codegen.h"
#include "compiler/codegen/cuda/Nvrtc.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ThreadPool.h"

using namespace amp::compiler;
using llvm::StringRef;

namespace {

/// Kernels of one program: a program costs some 20 ms of its own, and one for all would leave cores idle. A constant:
/// the bytes of a package must not depend on the machine's cores.
constexpr size_t kBatch = 32;

struct Job {
  CudaImage image;
  Nvrtc::Result result;
};

/// What the log says, and the kernel in whose lines the first error lies: "kernels.cu(128): error: ...".
std::string explain(const CudaImage &image, const std::string &log) {
  size_t line = 0;
  StringRef before = StringRef(log).split("): error").first;
  if (size_t at = before.rfind("kernels.cu("); at != StringRef::npos)
    before.drop_front(at + 11).consumeInteger(10, line);
  std::string name = "its kernels";
  for (size_t count = 1; line && count <= image.kernels.size(); ++count) {
    std::string upTo = CudaCode::sourceOf(llvm::ArrayRef(image.kernels).take_front(count));
    if (line <= size_t(llvm::count(upTo, '\n'))) {
      name = image.kernels[count - 1].name;
      break;
    }
  }
  return image.compiler + " does not compile " + name + " for " + image.arch + ":\n" + log;
}

/// What the assembler says of registers and spills, function by function.
void readResources(StringRef log, std::vector<CudaKernel> &kernels) {
  CudaKernel *kernel = nullptr;
  for (StringRef line : llvm::split(log, '\n')) {
    if (StringRef name = line.split("Compiling entry function '").second; !name.empty()) {
      auto found = llvm::find_if(kernels, [&](const CudaKernel &each) { return name.split('\'').first == each.name; });
      kernel = found == kernels.end() ? nullptr : &*found;
    }
    if (!kernel)
      continue;
    if (StringRef used = line.split(": Used ").second; !used.empty())
      used.consumeInteger(10, kernel->registers);
    if (size_t at = line.find(" bytes spill stores"); at != StringRef::npos)
      line.take_front(at).rsplit(' ').second.getAsInteger(10, kernel->spillBytes);
  }
}

void run(const Nvrtc &nvrtc, Job &job) {
  // As on the CPU: the rules say where a multiplication and an addition are one operation.
  const std::string options[] = {"--gpu-architecture=" + job.image.arch, "--std=c++17", "--fmad=false",
                                 "--diag-suppress=177", // what of the prelude is not used
                                 "--ptxas-options=-v"};
  job.result = nvrtc.compile(CudaCode::sourceOf(job.image.kernels), "kernels.cu", options);
}

} // namespace

llvm::ArrayRef<StringRef> amp::compiler::cudaArchitectures() {
  static const StringRef names[] = {"sm_80", "sm_90"};
  return names;
}

std::string amp::compiler::checkNvrtc(const std::string &library) {
  std::string error;
  Nvrtc::load(library, error);
  return error;
}

std::string amp::compiler::compileCuda(llvm::ArrayRef<CudaKernel> kernels, llvm::ArrayRef<std::string> archs,
                                       const std::string &library, std::vector<CudaImage> &images, bool &internal) {
  std::string error;
  internal = false;
  auto nvrtc = Nvrtc::load(library, error);
  if (!nvrtc)
    return error;
  std::vector<Job> jobs;
  for (const std::string &arch : archs)
    for (size_t first = 0; first < kernels.size(); first += kBatch) {
      Job &job = jobs.emplace_back();
      // Tensor cores of Hopper are reached with its own features alone.
      job.image.arch = arch == "sm_90" ? "sm_90a" : arch;
      job.image.compiler = nvrtc->version();
      llvm::append_range(job.image.kernels, kernels.slice(first, std::min(kBatch, kernels.size() - first)));
    }
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency());
  for (Job &job : jobs)
    pool.async([&nvrtc, &job] { run(*nvrtc, job); });
  pool.wait();
  for (Job &job : jobs) {
    if (!job.result.done) {
      internal = true;
      return explain(job.image, job.result.log);
    }
    readResources(job.result.log, job.image.kernels);
    job.image.cubin = std::move(job.result.cubin);
    images.push_back(std::move(job.image));
  }
  return {};
}
