// The operations of oneDNN that plans may call, and what their numbers mean. Says nothing of oneDNN's own types.
#pragma once

#include "runtime/base/ElementType.h"
#include "runtime/base/Span.h"
#include "runtime/base/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace amp::runtime::onednn {

// Operation                      operands, in order
//   convolution_forward          x, weight, y, scratch
//   convolution_input_gradient   dy, weight, dx, scratch
//   convolution_weight_gradient  x, dy, dw, scratch
//   pack_forward                 weight, packed weight, scratch
//   pack_input_gradient          weight, packed weight, scratch
//   matmul                       lhs, rhs, y, scratch
// `scratch` lies in the workspace of the tile. Images are N x H x W x C and dense.
constexpr std::string_view convolutionForward = "convolution_forward";
constexpr std::string_view convolutionInputGradient = "convolution_input_gradient";
constexpr std::string_view convolutionWeightGradient = "convolution_weight_gradient";
constexpr std::string_view packForward = "pack_forward";
constexpr std::string_view packInputGradient = "pack_input_gradient";
constexpr std::string_view matmul = "matmul";

/// A convolution of one tile, or the pack for it. The weight is O x I/groups x KH x KW in float32 or `type`.
struct Convolution {
  ElementType type = ElementType::F32;       ///< of the operands: F32 or BF16
  ElementType resultType = ElementType::F32; ///< of y, dx or dw
  int64_t batch = 1, groups = 1;
  int64_t channels = 1, height = 1, width = 1;          ///< of x
  int64_t outChannels = 1, outHeight = 1, outWidth = 1; ///< of y
  int64_t kernelHeight = 1, kernelWidth = 1;
  int64_t strideHeight = 1, strideWidth = 1;
  int64_t dilationHeight = 1, dilationWidth = 1; ///< 1: dense
  int64_t padTop = 0, padLeft = 0, padBottom = 0, padRight = 0;
  /// The weight operand is what pack_forward or pack_input_gradient made; else it is plain, of `type`, and every tile
  /// packs it into its scratch.
  bool packedWeight = false;
};

/// y = lhs * rhs for one tile: `rows` rows of the result. Strides are distances in elements of neighbouring rows as
/// they are stored.
struct MatMul {
  ElementType type = ElementType::F32;       ///< of the operands: F32 or BF16
  ElementType resultType = ElementType::F32; ///< of y
  int64_t rows = 1, columns = 1, depth = 1;
  bool transposeLhs = false; ///< lhs is stored depth x rows
  bool transposeRhs = false; ///< rhs is stored columns x depth
  int64_t lhsStride = 1, rhsStride = 1, resultStride = 1;
};

/// What this machine's oneDNN does with a call. A plan records all of it.
struct Description {
  std::string implementation; ///< oneDNN's name for the code that it chooses
  std::string version;        ///< of oneDNN, with the instruction set that it uses
  int64_t packedBytes = 0;    ///< of the weight as the code wants it; 0 for a matmul
  int64_t scratchBytes = 0;   ///< of the operand `scratch`
};

/// Version and instruction set, as plans record them: "2.6.3 avx2".
std::string libraryVersion();

/// Refuses what oneDNN cannot do, or does only by its reference code, which is some hundred times slower.
Result<Description> describe(std::string_view operation, const Convolution &call);
Result<Description> describe(std::string_view operation, const MatMul &call);
/// The same of the numbers of a request; the sizes recorded in them are not looked at.
Result<Description> describe(std::string_view operation, Span<const int64_t> numbers);

// The numbers of a LibraryRequest: the fields above in their order, booleans as 0 and 1, then packedBytes and
// scratchBytes of the description that the plan was made with.
std::vector<int64_t> numbersOf(const Convolution &call, const Description &description);
std::vector<int64_t> numbersOf(const MatMul &call, const Description &description);

/// The numbers of a request, taken apart and checked.
struct RecordedSizes {
  int64_t packedBytes = 0, scratchBytes = 0;
};
Result<Convolution> convolutionOf(Span<const int64_t> numbers, RecordedSizes &sizes);
Result<MatMul> matMulOf(Span<const int64_t> numbers, RecordedSizes &sizes);

} // namespace amp::runtime::onednn
