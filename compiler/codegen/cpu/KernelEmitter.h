// Emits the code of one kernel: values at indices, loops, loads and stores. Every emitter of a family works through it.
#ifndef AMP_COMPILER_CODEGEN_CPU_KERNELEMITTER_H
#define AMP_COMPILER_CODEGEN_CPU_KERNELEMITTER_H

#include "compiler/codegen/cpu/Target.h"
#include "compiler/tiling/Tiling.h"

#include "dialects/plan/Plan.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>

namespace amp::compiler {

/// A place in a tensor: one i64 an axis or, `flat`, one for the row-major position. With lanes > 1 it stands for that
/// many places, one after the other along `vectorAxis`. A flat place may know its position, `column`, in its row of
/// `row` elements; its lanes then lie in that row.
struct Index {
  llvm::SmallVector<mlir::Value, 4> axes;
  int vectorAxis = -1;
  int64_t lanes = 1;
  bool flat = false;
  int64_t row = 0;
  mlir::Value column = {};

  static Index at(mlir::Value position, int64_t lanes, int64_t row = 0, mlir::Value column = {}) {
    return {{position}, 0, lanes, true, row, column};
  }
  bool operator==(const Index &other) const {
    return axes == other.axes && vectorAxis == other.vectorAxis && lanes == other.lanes && flat == other.flat &&
           row == other.row && column == other.column;
  }
};

/// Elements in memory, of an argument or in the workspace.
struct Memory {
  mlir::Value pointer;
  mlir::Type element;       ///< as the tensor has it
  mlir::Value origin = {};  ///< row-major position that `pointer` stands for; null is 0
  bool computeType = false; ///< holds the compute type: staged values
};

class KernelEmitter {
public:
  /// For one generated step of the kernel.
  KernelEmitter(mlir::ImplicitLocOpBuilder &builder, plan::KernelOp kernel, plan::GeneratedAttr step,
                const CpuTarget &target);

  /// Emits the function; errors are reported on the kernel.
  llvm::LogicalResult emit();

  mlir::ImplicitLocOpBuilder &b;
  const CpuTarget &target;
  Tiling tiling;
  mlir::Value tile, workspace, begin, end; ///< the tile and its elements

  // Types and constants.
  mlir::Type f32() { return b.getF32Type(); }
  mlir::Type i64() { return b.getI64Type(); }
  static mlir::Type computeType(mlir::Type element);
  static mlir::RankedTensorType typeOf(mlir::Value value);
  mlir::Type withLanes(mlir::Type scalar, int64_t lanes);
  mlir::Value constant(int64_t value);                                     ///< i64, defined at the function's entry
  mlir::Value number(mlir::Type element, double value, int64_t lanes = 1); ///< of a compute type
  mlir::Value spread(mlir::Value value, int64_t lanes);                    ///< a scalar in every lane
  mlir::Value indexVector(mlir::Value first, int64_t lanes);               ///< first, first + 1, ...

  // Integer arithmetic on i64.
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value add(mlir::Value lhs, int64_t rhs) { return rhs == 0 ? lhs : add(lhs, constant(rhs)); }
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, int64_t rhs);
  mlir::Value divide(mlir::Value lhs, int64_t rhs); ///< of what is not negative
  mlir::Value rest(mlir::Value lhs, int64_t rhs);
  mlir::Value smaller(mlir::Value lhs, mlir::Value rhs);
  mlir::Value larger(mlir::Value lhs, mlir::Value rhs);

  // Floating arithmetic on scalars or vectors.
  mlir::Value addf(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mulf(mlir::Value lhs, mlir::Value rhs);
  mlir::Value multiplyAdd(mlir::Value lhs, mlir::Value rhs, mlir::Value sum);
  mlir::Value sumLanes(mlir::Value vector);              ///< a fixed tree
  mlir::Value maximumLanes(mlir::Value vector);          ///< NaN wins
  mlir::Value maximum(mlir::Value lhs, mlir::Value rhs); ///< NaN wins
  mlir::Value allLanes(mlir::Value condition);

  // Control flow. Bodies start with an empty memory of computed values.
  using Body = llvm::function_ref<void(mlir::Value)>;
  using SumBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)>;
  void loop(mlir::Value first, mlir::Value last, int64_t step, Body body);
  llvm::SmallVector<mlir::Value> accumulate(mlir::Value first, mlir::Value last, int64_t step, mlir::ValueRange start,
                                            SumBody body);
  void when(mlir::Value condition, llvm::function_ref<void()> body);
  llvm::SmallVector<mlir::Value> choose(mlir::Value condition, mlir::ValueRange otherwise,
                                        llvm::function_ref<llvm::SmallVector<mlir::Value>()> body);
  /// Pieces of [0, length): a loop over whole vectors, then the rest as one narrower vector.
  void vectors(int64_t length, int64_t lanes, llvm::function_ref<void(mlir::Value, int64_t)> body);
  /// The same of [first, last), which starts at a multiple of `lanes` and ends at one or at `length`.
  void vectorsBetween(mlir::Value first, mlir::Value last, int64_t length, int64_t lanes,
                      llvm::function_ref<void(mlir::Value, int64_t)> body);
  /// Sums of f32 terms over [0, length), `count` of them, each a scalar.
  using Terms = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, int64_t)>; ///< position, lanes
  llvm::SmallVector<mlir::Value> sumsAlong(int64_t length, int64_t lanes, unsigned count, Terms terms);

  // Places.
  mlir::Value linear(llvm::ArrayRef<int64_t> shape, const Index &index);
  /// The distance between lanes.
  static int64_t laneStride(llvm::ArrayRef<int64_t> shape, const Index &index);
  Index delinearise(llvm::ArrayRef<int64_t> shape, mlir::Value position);

  // Memory.
  mlir::Value load(const Memory &memory, mlir::Value position, int64_t lanes = 1, int64_t laneStride = 1);
  void store(const Memory &memory, mlir::Value position, mlir::Value value, int64_t laneStride = 1);
  /// Asks for the memory that the element of `value` at a row-major position will be computed from; the position may
  /// lie behind the end.
  void fetchAhead(mlir::Value value, mlir::Value position);
  Memory scratch(int64_t offset, mlir::Type element); ///< of the workspace, in the compute type
  Memory staged(unsigned result);                     ///< where the emitter of a staged root writes
  /// Where the emitter of a direct root writes; none if nobody reads the result.
  std::optional<Memory> directMemory(unsigned result);

  /// The value of a tensor of the body at a place, in the compute type: a scalar, or a vector of index.lanes.
  mlir::Value at(mlir::Value value, const Index &index);
  mlir::Value scalar(mlir::Value value); ///< of a tensor with one element
  /// Whether the value lies in memory, so that its row-major position says where.
  bool isArgument(mlir::Value value) const { return memories.contains(value); }
  /// Asks for the cache line of an argument at a place, which need not lie inside; nothing of another value.
  void prefetch(mlir::Value value, const Index &index);
  Memory argument(mlir::BlockArgument input) const { return memories.lookup(input); }
  /// at() for places that need not lie side by side in memory: one lane after the other.
  mlir::Value laneByLane(mlir::Value value, const Index &index);
  /// Whether flat places of the value pay; with `row`, the length of its last axis, such that know their column.
  bool isFlat(mlir::Value value, int64_t row = 0) const {
    return readsFlat(value, typeOf(value).getNumElements(), row, tiling);
  }
  /// A loaded index of any integer type as i64 inside [0, length): what is negative counts from the end.
  mlir::Value wrapped(mlir::Value index, mlir::Type element, int64_t length);

private:
  void begins();
  void makeStage();
  llvm::LogicalResult checkOps();
  /// The number of the kernel's result that is this result of the root.
  std::optional<unsigned> direct(unsigned result);
  llvm::LogicalResult emitRoot();
  llvm::LogicalResult emitBody();
  void emitResults();
  void emitSpace(llvm::ArrayRef<unsigned> results);
  int64_t lanesFor(int64_t elements);
  void emitFlat(llvm::ArrayRef<unsigned> results, int64_t elements);
  void emitRows(llvm::ArrayRef<unsigned> results, llvm::ArrayRef<int64_t> shape, bool flat);
  void storeResults(llvm::ArrayRef<unsigned> results, const Index &index);
  bool canVectorise(mlir::Value value, int vectorAxis);
  mlir::Value compute(mlir::Value value, const Index &index);
  mlir::Value pulled(mlir::Operation *op, const Index &index);
  mlir::Value viewed(mlir::Operation *op, const Index &index);
  mlir::Value reshaped(mlir::Operation *op, const Index &index);
  mlir::Value constantAt(mlir::Value value, const Index &index);
  mlir::Value elementwise(mlir::Value value, const Index &index);
  Index operandIndex(mlir::Operation *op, unsigned operand, const Index &index);

  mlir::Value fromStorage(mlir::Value raw, mlir::Type element);
  mlir::Value toStorage(mlir::Value value, mlir::Type element);
  mlir::Value rounded(mlir::Value value, mlir::Type element);
  mlir::Type storageType(const Memory &memory);

  plan::KernelOp kernel;
  plan::GeneratedAttr step;
  mlir::Block &body;
  bool isEpilogue; ///< a library computes the root
  mlir::Block *entry = nullptr;
  llvm::DenseMap<mlir::Value, Memory> memories; ///< arguments, and staged results of the root
  llvm::SmallVector<Memory> resultMemories;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars; ///< arguments of one element, loaded once at the entry
  std::map<int64_t, mlir::Value> constants;
  using Computed = llvm::DenseMap<mlir::Value, llvm::SmallVector<std::pair<Index, mlir::Value>, 1>>;
  Computed computed;
  friend struct ComputedScope;
};

/// What is computed inside a region is not known outside it.
struct ComputedScope {
  explicit ComputedScope(KernelEmitter &emitter) : emitter(emitter), outer(emitter.computed) {}
  ~ComputedScope() { emitter.computed = std::move(outer); }
  KernelEmitter &emitter;
  KernelEmitter::Computed outer;
};

/// The body of a "prologue" step (compiler/tiling/Staging.h).
llvm::LogicalResult emitPrologue(KernelEmitter &k, plan::KernelOp kernel);

// Staged roots: fill staged(0), .. for elements [begin, end).
void emitMatMul(KernelEmitter &k, mlir::Operation *op);
void emitConvolution(KernelEmitter &k, mlir::Operation *op);
void emitConvolutionWeightGradient(KernelEmitter &k, mlir::Operation *op);
/// Whether it takes the op (compiler/tiling/WeightGradient.h); then it has emitted it.
bool emitPackedWeightGradient(KernelEmitter &k, mlir::Operation *op);
void emitSoftmax(KernelEmitter &k, mlir::Operation *op);
void emitCrossEntropy(KernelEmitter &k, mlir::Operation *op);
void emitCrossEntropyGradient(KernelEmitter &k, mlir::Operation *op);
void emitMeanSquaredError(KernelEmitter &k, mlir::Operation *op);
void emitMeasure(KernelEmitter &k, mlir::Operation *op);
void emitSumSquares(KernelEmitter &k, mlir::Operation *op);
void emitBatchMoments(KernelEmitter &k, mlir::Operation *op);
void emitNormalizeSums(KernelEmitter &k, mlir::Operation *op);
void emitColumnReduction(KernelEmitter &k, mlir::Operation *op);
void emitLayerNorm(KernelEmitter &k, mlir::Operation *op);
void emitMaxPoolGradient(KernelEmitter &k, mlir::Operation *op);

// Direct roots: fill directMemory(0), .. for the rows or parts [begin, end).
void emitLayerNormGradient(KernelEmitter &k, mlir::Operation *op);
void emitGatherGradient(KernelEmitter &k, mlir::Operation *op);
void emitConcat(KernelEmitter &k, mlir::Operation *op);

// Pulled roots: one value, or a vector of them, of their result.
mlir::Value emitPool(KernelEmitter &k, mlir::Operation *op, const Index &index);
mlir::Value emitPoolGradient(KernelEmitter &k, mlir::Operation *op, const Index &index);
mlir::Value emitReduction(KernelEmitter &k, mlir::Operation *op, const Index &index);
mlir::Value emitDropout(KernelEmitter &k, mlir::Operation *op, const Index &index);
mlir::Value emitGather(KernelEmitter &k, mlir::Operation *op, const Index &index);

// Views that move or hide elements.
mlir::Value emitSlice(KernelEmitter &k, mlir::Operation *op, const Index &index);
mlir::Value emitSliceGradient(KernelEmitter &k, mlir::Operation *op, const Index &index);
mlir::Value emitTrilu(KernelEmitter &k, mlir::Operation *op, const Index &index);
/// Whether lanes along that axis of the result of a slice or its gradient lie side by side in the operand.
bool slicesVectors(mlir::Operation *op, int vectorAxis);

/// Whether the code of a pulled root takes lanes along that axis of its result.
bool pullsVectors(mlir::Operation *op, int vectorAxis);

} // namespace amp::compiler

#endif
