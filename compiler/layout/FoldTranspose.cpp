// amp-layout-fold-transpose: removes the transposes that a neighbour makes needless.
#include "compiler/layout/ImageTranspose.h"
#include "compiler/layout/Passes.h"
#include "compiler/support/Remarks.h"
#include "dialects/train/Train.h"

using namespace mlir;
using namespace amp::graph;

namespace amp::compiler {

#define GEN_PASS_DEF_FOLDTRANSPOSE
#include "compiler/layout/Passes.h.inc"

namespace {

void replace(TransposeOp transpose, Value value) {
  transpose.getY().replaceAllUsesWith(value);
  transpose->erase();
}

/// A permutation of a permutation is one. Returns false where the operand is no transpose.
bool compose(TransposeOp outer) {
  auto inner = outer.getX().getDefiningOp<TransposeOp>();
  if (!inner)
    return false;
  SmallVector<int64_t> permutation;
  for (int64_t axis : outer.getPermutation())
    permutation.push_back(inner.getPermutation()[axis]);
  OpBuilder builder(outer);
  replace(outer, transposed(builder, inner.getX(), permutation));
  return true;
}

bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
}

/// Lets the users that can read the operand itself do so.
bool giveToUsers(TransposeOp transpose) {
  bool changed = false;
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : transpose.getY().getUses())
    uses.push_back(&use);
  for (OpOperand *use : uses) {
    // One use can have taken its neighbour along.
    if (use->get() != transpose.getY() || !canTake(*use, transpose.getPermutation()))
      continue;
    take(*use, transpose.getX(), transpose.getPermutation());
    changed = true;
  }
  return changed;
}

/// One step at a transpose; false if nothing can be done. The transpose may be gone afterwards.
bool fold(TransposeOp transpose) {
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  if (transpose->use_empty()) {
    transpose->erase();
    return true;
  }
  if (isIdentity(permutation)) {
    replace(transpose, transpose.getX());
    return true;
  }
  if (movesUnitAxesOnly(transpose.getX().getType(), permutation)) {
    OpBuilder builder(transpose);
    replace(transpose, ReshapeOp::create(builder, transpose.getLoc(), transpose.getY().getType(), transpose.getX()));
    return true;
  }
  if (compose(transpose))
    return true;
  if (canGive(transpose.getX(), permutation)) {
    // The source changes its type in place: its one user, the transpose, goes away.
    SmallVector<int64_t> copy(permutation);
    Value source = transpose.getX();
    Value given = give(source, copy);
    replace(transpose, given);
    return true;
  }
  return giveToUsers(transpose);
}

SmallVector<TransposeOp> transposesOf(train::ProgramOp program) {
  return llvm::to_vector(program.getBody().getOps<TransposeOp>());
}

struct FoldTransposePass : impl::FoldTransposeBase<FoldTransposePass> {
  using FoldTransposeBase::FoldTransposeBase;

  void runOnOperation() override {
    for (auto program : getOperation().getOps<train::ProgramOp>()) {
      size_t before = transposesOf(program).size();
      foldAll(program);
      SmallVector<TransposeOp> left = transposesOf(program);
      folded += before - left.size();
      kept += left.size();
      if (explain)
        llvm::for_each(left, explainKept);
    }
  }

  /// Every step removes a transpose or a use of one, so this ends.
  static void foldAll(train::ProgramOp program) {
    bool changed = true;
    while (changed) {
      changed = false;
      // Only one a round: a step can erase the others.
      for (TransposeOp transpose : transposesOf(program))
        if ((changed = fold(transpose)))
          break;
    }
  }

  static void explainKept(TransposeOp transpose) {
    Operation *producer = transpose.getX().getDefiningOp();
    InFlightDiagnostic diagnostic = remark(transpose, "layout");
    diagnostic << "kept the transpose " << nodeName(transpose) << ": ";
    if (!producer || isa<train::ReadOp>(producer))
      diagnostic << "it stands at the border of the program";
    else if (!transpose.getX().hasOneUse())
      diagnostic << nodeName(producer) << " has other users, and no user of the transpose can absorb it";
    else
      diagnostic << "neither " << nodeName(producer) << " nor a user of the transpose can absorb it";
  }
};

} // namespace
} // namespace amp::compiler
