// Which ops of a program compute in the low type: the analysis that autocast acts on.
#ifndef AMP_COMPILER_AUTOCAST_COLOURING_H
#define AMP_COMPILER_AUTOCAST_COLOURING_H

#include "dialects/graph/Graph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace amp::compiler {

enum class Colour {
  Low,       ///< reads and writes the low type
  Wide,      ///< reads and writes f32
  Either,    ///< reads what comes, writes f32: it computes in f32 inside
  Untouched, ///< has no floating operand that autocast may change
};

/// Whether the operand is one that autocast may give another type: f32 now, and the op agrees.
bool isCastable(mlir::Operation *op, unsigned operand);

/// Whether the value is what a program reads of a weight or of a constant in the state: its low copy costs nothing
/// inside the program.
bool isWeightRead(mlir::Value value);

/// Colours the ops of one program's block. Colours that another program gave to ops of the same node come first, so
/// that eval computes what micro trained.
class Colouring {
public:
  Colouring(mlir::Block &body, mlir::FloatType low, const Colouring *leader);

  Colour colour(mlir::Operation *op) const;
  /// Why, in a few words.
  llvm::StringRef reason(mlir::Operation *op) const;
  /// Whether a low op's result stays f32 because it ends in a gradient state.
  bool leavesWide(mlir::Operation *op) const { return wideResults.contains(op); }

private:
  struct Decision {
    Colour colour;
    llvm::StringRef reason;
  };
  using NodeKey = std::pair<llvm::StringRef, const void *>;

  void classify(mlir::Operation *op, const Colouring *leader);
  void findGradientTails(llvm::ArrayRef<mlir::Operation *> ops);
  void spreadWide(llvm::ArrayRef<mlir::Operation *> ops);
  void fillBetween(llvm::ArrayRef<mlir::Operation *> ops);
  void followLow(llvm::ArrayRef<mlir::Operation *> ops);
  void pullThroughViews(llvm::ArrayRef<mlir::Operation *> ops);

  bool isOpen(mlir::Operation *op) const { return open.contains(op); }
  void decide(mlir::Operation *op, Colour colour, llvm::StringRef reason);
  bool isLow(mlir::Value value) const;
  bool survivesRounding(mlir::Value value) const;
  bool writesAnyFloat(mlir::Operation *op) const;

  mlir::FloatType low;
  llvm::DenseMap<mlir::Operation *, Decision> decisions;
  llvm::DenseMap<NodeKey, Colour> byNode;
  llvm::DenseSet<mlir::Operation *> open;        ///< not decided yet
  llvm::DenseSet<mlir::Operation *> wideResults; ///< low ops whose results stay f32
  llvm::DenseSet<mlir::Operation *> wideSources; ///< class Fp32, and what must follow it
};

} // namespace amp::compiler

#endif
