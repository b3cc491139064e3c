// amp-autocast-verify: checks what autocast promises.
#include "compiler/autocast/Passes.h"
#include "compiler/support/Remarks.h"
#include "dialects/train/Train.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace amp::graph;

namespace amp::compiler {

#define GEN_PASS_DEF_AUTOCASTVERIFY
#include "compiler/autocast/Passes.h.inc"

namespace {

constexpr StringLiteral assignPass = "amp-autocast-assign-types";

bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}
bool castsFloats(CastOp cast) {
  return isFloat(cast.getX()) && isFloat(cast.getY());
}

/// The class Low reads the low type, and class Fp32 reads f32 unless it computes wide inside.
LogicalResult checkOperands(Operation *op, FloatType low) {
  auto precision = dyn_cast<PrecisionOpInterface>(op);
  if (!precision)
    return success();
  PrecisionClass precisionClass = precision.getPrecisionClass();
  bool wantsLow = precisionClass == PrecisionClass::Low;
  bool wantsWide = precisionClass == PrecisionClass::Fp32 && !precision.computesWide();
  if (!wantsLow && !wantsWide)
    return success();
  Type wanted = wantsLow ? Type(low) : Type(Float32Type::get(op->getContext()));
  for (auto [index, value] : llvm::enumerate(op->getOperands())) {
    Type type = getElementTypeOrSelf(value.getType());
    if (!isa<Float32Type, Float16Type, BFloat16Type>(type) || !precision.mayCastOperand(index) || type == wanted)
      continue;
    return brokenContract(op, assignPass) << "operand " << index << " is " << type << ", but the op is of class "
                                          << (wantsLow ? "LOW" : "FP32") << " and reads " << wanted;
  }
  return success();
}

bool hasLowCopy(train::StateOp state) {
  return state.getRole() == train::StateRole::Parameter || state.getRole() == train::StateRole::Frozen ||
         state.getRole() == train::StateRole::Constant;
}

LogicalResult checkCast(CastOp cast, const SymbolTable &symbols, DenseSet<std::pair<Value, Type>> &seen) {
  if (!castsFloats(cast))
    return success();
  auto inner = cast.getX().getDefiningOp<CastOp>();
  if (inner && castsFloats(inner)) {
    InFlightDiagnostic diagnostic = brokenContract(cast, assignPass)
                                    << "casts " << inner.getX().getType().getElementType() << " to "
                                    << cast.getX().getType().getElementType() << " to "
                                    << cast.getY().getType().getElementType() << "; wants one cast at most";
    diagnostic.attachNote(inner.getLoc()) << "first cast here";
    return diagnostic;
  }
  if (!seen.insert({cast.getX(), cast.getY().getType()}).second)
    return brokenContract(cast, assignPass) << "the value has a cast to " << cast.getY().getType().getElementType()
                                            << " already; casts of one value are shared";
  auto read = cast.getX().getDefiningOp<train::ReadOp>();
  auto state = read ? symbols.lookup<train::StateOp>(read.getState()) : train::StateOp();
  if (state && hasLowCopy(state))
    return brokenContract(cast, assignPass)
           << "casts @\"" << state.getSymName() << "\" in a program of a micro-batch; wants a derived copy";
  return success();
}

LogicalResult checkCommit(train::CommitOp commit, const SymbolTable &symbols) {
  auto state = symbols.lookup<train::StateOp>(commit.getState());
  auto cast = commit.getValue().getDefiningOp<CastOp>();
  Operation *producer = cast ? cast.getX().getDefiningOp() : nullptr;
  auto precision = dyn_cast_if_present<PrecisionOpInterface>(producer);
  if (!state || state.getRole() != train::StateRole::Gradient || !precision ||
      precision.getPrecisionClass() != PrecisionClass::Low)
    return success();
  return brokenContract(commit, assignPass) << "the gradient was rounded to " << cast.getX().getType().getElementType()
                                            << "; it leaves '" << producer->getName() << "' in f32";
}

LogicalResult checkProgram(train::ProgramOp program, const SymbolTable &symbols, FloatType low) {
  DenseSet<std::pair<Value, Type>> casts;
  for (Operation &op : program.getBody().front()) {
    if (!low.isF32() && failed(checkOperands(&op, low)))
      return failure();
    auto cast = dyn_cast<CastOp>(op);
    if (cast && failed(checkCast(cast, symbols, casts)))
      return failure();
    auto commit = dyn_cast<train::CommitOp>(op);
    if (commit && failed(checkCommit(commit, symbols)))
      return failure();
  }
  return success();
}

/// The commits of each program, by state.
struct ProgramCommits {
  train::ProgramOp program;
  llvm::MapVector<StringRef, train::CommitOp> commits;
};

ProgramCommits commitsOf(train::ProgramOp program) {
  ProgramCommits found{program, {}};
  for (auto commit : program.getBody().getOps<train::CommitOp>())
    found.commits[commit.getState()] = commit;
  return found;
}

LogicalResult checkCopy(train::StateOp copy, ArrayRef<ProgramCommits> programs) {
  StringRef master = copy.getOf().value_or("");
  bool isDerived = false;
  for (auto [program, commits] : programs) {
    train::CommitOp ofMaster = commits.lookup(master), ofCopy = commits.lookup(copy.getSymName());
    isDerived |= ofCopy && program.getKind() == train::ProgramKind::Derive;
    if (ofMaster && !ofCopy)
      return brokenContract(ofMaster, assignPass)
             << "commits @\"" << master << "\" but not its copy @\"" << copy.getSymName() << "\"";
    if (ofMaster && ofMaster.getPredicate() != ofCopy.getPredicate())
      return brokenContract(ofCopy, assignPass) << "the predicate is not that of the commit to @\"" << master << "\"";
  }
  if (!isDerived)
    return brokenContract(copy, assignPass) << "no derive program commits @\"" << copy.getSymName() << "\"";
  return success();
}

struct AutocastVerifyPass : impl::AutocastVerifyBase<AutocastVerifyPass> {
  using AutocastVerifyBase::AutocastVerifyBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    FloatType low = lowType(precision, &getContext());
    SmallVector<ProgramCommits> programs;
    for (auto program : module.getOps<train::ProgramOp>())
      programs.push_back(commitsOf(program));
    for (auto &[program, commits] : programs) {
      train::ProgramKind kind = program.getKind();
      bool isUpdate = kind == train::ProgramKind::Finish || kind == train::ProgramKind::Derive;
      if (!isUpdate && failed(checkProgram(program, symbols, low)))
        return signalPassFailure();
    }
    for (auto state : module.getOps<train::StateOp>())
      if (state.getRole() == train::StateRole::Derived && failed(checkCopy(state, programs)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace amp::compiler
