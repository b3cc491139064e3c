// Between the runtime's requests and the adaptor: a plan is taken only as it was made.
#include "runtime/library/onednn/OneDnnLibrary.h"

#include "runtime/library/onednn/Adaptor.h"

namespace amp::runtime {

using namespace onednn;

namespace {

constexpr const char *remedy = "; recompile the model on this machine, or with --select=generated";

class OneDnnCall : public LibraryCall {
public:
  explicit OneDnnCall(std::unique_ptr<CompiledCall> call) : call(std::move(call)) {}

  uint64_t operandCount() const override { return call->operandCount(); }
  Status execute(void *const *operands, void *) const override { return call->execute(operands); }

private:
  std::unique_ptr<CompiledCall> call;
};

/// Another implementation, version or instruction set gives other bits, and other sizes would write past a buffer.
Status checkAsPlanned(const LibraryRequest &request, const RecordedSizes &sizes, const Description &found) {
  std::string what = "operation " + quoted(request.operation) + " of oneDNN was planned ";
  auto differs = [&](const char *with, std::string planned, std::string here) {
    return Status(StatusCode::Unsupported, what + with + planned + ", this machine has " + here + remedy);
  };
  if (!request.version.empty() && request.version != found.version)
    return differs("for version ", quoted(request.version), quoted(found.version));
  if (!request.implementation.empty() && request.implementation != found.implementation)
    return differs("with code ", quoted(request.implementation), quoted(found.implementation));
  if (sizes.packedBytes != found.packedBytes)
    return differs("for a packed weight of bytes ", std::to_string(sizes.packedBytes),
                   std::to_string(found.packedBytes));
  if (sizes.scratchBytes < found.scratchBytes)
    return differs("with scratch of bytes ", std::to_string(sizes.scratchBytes), std::to_string(found.scratchBytes));
  return Status();
}

template <typename Call>
Result<std::unique_ptr<LibraryCall>> createCall(const LibraryRequest &request, const Result<Call> &call,
                                                const RecordedSizes &sizes) {
  if (!call.isOk())
    return call.status();
  Result<std::unique_ptr<CompiledCall>> compiled = compile(request.operation, *call);
  if (!compiled.isOk())
    return compiled.status();
  if (Status status = checkAsPlanned(request, sizes, (*compiled)->description()); !status.isOk())
    return status;
  return std::unique_ptr<LibraryCall>(std::make_unique<OneDnnCall>(std::move(*compiled)));
}

class OneDnn : public Library {
public:
  std::string_view name() const override { return "onednn"; }
  std::string version() const override { return libraryVersion(); }

  Result<std::unique_ptr<LibraryCall>> create(const LibraryRequest &request) const override {
    RecordedSizes sizes;
    if (request.operation == matmul) {
      Result<MatMul> call = matMulOf(request.numbers, sizes);
      return createCall(request, call, sizes);
    }
    Result<Convolution> call = convolutionOf(request.numbers, sizes);
    return createCall(request, call, sizes);
  }
};

} // namespace

const Library &oneDnnLibrary() {
  static const OneDnn library;
  return library;
}

} // namespace amp::runtime
