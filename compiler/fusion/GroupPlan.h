// Which ops of a program form which group: the decision, before any IR changes.
#ifndef AMP_COMPILER_FUSION_GROUPPLAN_H
#define AMP_COMPILER_FUSION_GROUPPLAN_H

#include "dialects/graph/Graph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <functional>
#include <vector>

namespace amp::compiler {

/// Whether an op computes, so that it must lie in a group: it has a fusion class.
bool computes(mlir::Operation *op);
graph::FusionClass fusionClass(mlir::Operation *op);

struct PlannedGroup {
  llvm::SmallVector<mlir::Operation *> members; ///< in program order; empty once another group took them
  mlir::Operation *root = nullptr;              ///< the Root or Alone op, if there is one
};

class GroupPlan {
public:
  /// Hears why a producer and its user stayed apart.
  using Refusal = std::function<void(mlir::Operation *producer, mlir::Operation *user, llvm::StringRef why)>;

  GroupPlan(mlir::Block &body, Refusal refusal);

  llvm::ArrayRef<PlannedGroup> groups() const { return planned; }
  /// Whether the use computes its operand again, in its own group.
  bool isInlined(mlir::OpOperand &use) const;
  unsigned position(mlir::Operation *op) const { return positions.lookup(op); }
  unsigned joinedCount() const { return joined; }

private:
  struct Candidate {
    unsigned group;
    mlir::Operation *producer;
    mlir::Operation *view; ///< the lone reshape between producer and user, or null
  };

  void findInlined(llvm::ArrayRef<mlir::Operation *> ops);
  bool mayInline(mlir::Operation *op) const;
  bool allUsesInline(mlir::Operation *op) const;
  bool rereadsOne(mlir::Operation *op) const;
  bool acceptsInlined(mlir::OpOperand &use) const;
  bool needsGroup(mlir::Operation *op) const;

  void place(mlir::Operation *op);
  void start(mlir::Operation *op);
  void takePrologue(mlir::Operation *root);
  bool servesOnly(const PlannedGroup &group, mlir::Operation *root) const;
  void placeElementwise(mlir::Operation *op);
  llvm::SmallVector<Candidate> candidates(mlir::Operation *op) const;
  llvm::StringRef whyApart(const Candidate &candidate, mlir::Operation *op) const;
  llvm::StringRef whyNotMerged(unsigned group, unsigned other) const;
  void merge(unsigned into, unsigned from);
  void join(unsigned group, mlir::Operation *op);

  bool mixesPredicates(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<mlir::Operation *> others) const;
  bool reaches(unsigned from, unsigned to, bool directly) const;
  void userGroups(mlir::Operation *op, llvm::SmallVectorImpl<unsigned> &groups) const;
  void operandGroups(mlir::Operation *op, llvm::SmallVectorImpl<unsigned> &groups) const;

  Refusal refusal;
  std::vector<PlannedGroup> planned;
  llvm::DenseMap<mlir::Operation *, unsigned> groupOf;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  llvm::DenseSet<mlir::Operation *> inlined;
  unsigned joined = 0;
};

} // namespace amp::compiler

#endif
