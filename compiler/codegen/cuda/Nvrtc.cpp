// The seven functions of NVRTC's C interface that are needed; it is the same from version 12 on.
#include "compiler/codegen/cuda/Nvrtc.h"

#include <dlfcn.h>

#include <vector>

using namespace amp::compiler;

struct Nvrtc::Functions {
  using Program = struct OpaqueProgram *;
  int (*version)(int *, int *) = nullptr;
  const char *(*errorString)(int) = nullptr;
  int (*create)(Program *, const char *, const char *, int, const char *const *, const char *const *) = nullptr;
  int (*destroy)(Program *) = nullptr;
  int (*compile)(Program, int, const char *const *) = nullptr;
  int (*logSize)(Program, size_t *) = nullptr;
  int (*log)(Program, char *) = nullptr;
  int (*cubinSize)(Program, size_t *) = nullptr;
  int (*cubin)(Program, char *) = nullptr;

  /// The name of a function that `library` lacks, or nothing.
  std::string resolve(void *library) {
    std::string missing;
    auto take = [&](auto &function, const char *symbol) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(::dlsym(library, symbol));
      if (!function && missing.empty())
        missing = symbol;
    };
    take(version, "nvrtcVersion");
    take(errorString, "nvrtcGetErrorString");
    take(create, "nvrtcCreateProgram");
    take(destroy, "nvrtcDestroyProgram");
    take(compile, "nvrtcCompileProgram");
    take(logSize, "nvrtcGetProgramLogSize");
    take(log, "nvrtcGetProgramLog");
    take(cubinSize, "nvrtcGetCUBINSize");
    take(cubin, "nvrtcGetCUBIN");
    return missing;
  }

  /// A text or bytes that one function measures and another copies.
  template <typename Size, typename Copy> static std::string bytes(Program program, Size size, Copy copy) {
    size_t length = 0;
    if (size(program, &length) != 0 || length == 0)
      return {};
    std::string text(length, '\0');
    return copy(program, text.data()) == 0 ? text : std::string();
  }
};

static void *openLibrary(const std::string &path, std::string &error) {
  // Where CUDA's own installer puts it, for machines whose loader was not told.
  std::vector<std::string> names = {"libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so.13",
                                    "/usr/local/cuda/lib64/libnvrtc.so.12"};
  if (!path.empty())
    names = {path};
  std::string reason;
  for (const std::string &name : names) {
    if (void *library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
    const char *said = ::dlerror();
    reason += (reason.empty() ? "" : "; ") + std::string(said ? said : name + " cannot be loaded");
  }
  error =
      "--target=cuda needs NVRTC, NVIDIA's run-time compiler, and it could not be loaded (" + reason +
      "); install it (pip install nvidia-cuda-nvrtc) and name its libnvrtc.so with --nvrtc=FILE, or compile without "
      "--target=cuda";
  return nullptr;
}

std::unique_ptr<Nvrtc> Nvrtc::load(const std::string &path, std::string &error) {
  void *library = openLibrary(path, error);
  if (!library)
    return nullptr;
  auto functions = std::make_shared<Functions>();
  std::string missing = functions->resolve(library);
  int major = 0, minor = 0;
  if (missing.empty() && (functions->version(&major, &minor) != 0 || major < 12))
    missing = "code for sm_90a: it is version " + std::to_string(major) + "." + std::to_string(minor);
  if (!missing.empty()) {
    error = "the NVRTC " + (path.empty() ? "that was found" : "'" + path + "'") + " lacks " + missing +
            "; --target=cuda wants NVRTC 12.0 or later";
    return nullptr;
  }
  std::unique_ptr<Nvrtc> nvrtc(new Nvrtc);
  nvrtc->functions = std::move(functions);
  nvrtc->name = "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
  return nvrtc;
}

Nvrtc::Result Nvrtc::compile(const std::string &source, const std::string &file,
                             llvm::ArrayRef<std::string> options) const {
  Result result;
  Functions::Program program = nullptr;
  std::vector<const char *> texts;
  for (const std::string &option : options)
    texts.push_back(option.c_str());
  int status = functions->create(&program, source.c_str(), file.c_str(), 0, nullptr, nullptr);
  if (status == 0) {
    status = functions->compile(program, int(texts.size()), texts.data());
    result.log = Functions::bytes(program, functions->logSize, functions->log);
    while (!result.log.empty() && (result.log.back() == '\0' || result.log.back() == '\n'))
      result.log.pop_back();
    if (status == 0)
      result.cubin = Functions::bytes(program, functions->cubinSize, functions->cubin);
    functions->destroy(&program);
  }
  result.done = status == 0 && !result.cubin.empty();
  if (!result.done && result.log.empty())
    result.log = functions->errorString(status);
  return result;
}
