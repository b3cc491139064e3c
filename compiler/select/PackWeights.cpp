// Weights that a library packs become derived state: packed once an update, not once a tile.
#include "compiler/select/Passes.h"

#ifdef AMP_WITH_ONEDNN
#include "compiler/select/OneDnnPacking.h"
#endif

#include "dialects/graph/Graph.h"
#include "dialects/plan/Plan.h"
#include "dialects/train/Train.h"

#include "llvm/ADT/MapVector.h"

namespace amp::compiler {
#define GEN_PASS_DEF_PACKWEIGHTSPASS
#include "compiler/select/Passes.h.inc"
} // namespace amp::compiler

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

#ifdef AMP_WITH_ONEDNN
/// Whether the kernel's input is the root's weight and nothing else, maybe reshaped.
bool servesOnce(BlockArgument input) {
  Value value = input;
  while (value.hasOneUse())
    if (auto reshape = dyn_cast<graph::ReshapeOp>(*value.user_begin()))
      value = reshape.getY();
    else
      return isa<graph::Conv2dOp, graph::Conv2dInputGradOp>(*value.user_begin());
  return false;
}

class WeightPacker {
public:
  WeightPacker(ModuleOp module, train::ProgramOp derive) : module(module), symbols(module), derive(derive) {
    for (auto call : allCalls())
      calls[call.getKernel()].push_back(call);
  }

  void pack(plan::KernelOp kernel) {
    std::optional<WeightPacking> packing = oneDnnWeightPacking(kernel);
    if (!packing || !servesOnce(kernel.getBody().getArgument(packing->input)))
      return;
    auto found = calls.find(kernel.getSymName());
    if (found == calls.end() ||
        !llvm::all_of(found->second, [&](plan::CallOp call) { return weightOf(call, *packing); }))
      return;
    for (plan::CallOp call : found->second)
      readPacked(call, *packing);
    takePacked(kernel, *packing);
  }

  unsigned stateCount() const { return unsigned(states.size()); }

private:
  SmallVector<plan::CallOp> allCalls() {
    SmallVector<plan::CallOp> all;
    module.walk([&](plan::CallOp call) { all.push_back(call); });
    return all;
  }

  static train::ReadOp readOf(plan::CallOp call, const WeightPacking &packing) {
    return call.getInputs()[packing.input].getDefiningOp<train::ReadOp>();
  }

  /// The state that a call reads as its weight, a master or its low-precision copy; null where the weight is another.
  train::StateOp weightOf(plan::CallOp call, const WeightPacking &packing) {
    train::ReadOp read = readOf(call, packing);
    auto state = read ? symbols.lookup<train::StateOp>(read.getState()) : train::StateOp();
    bool isWeight =
        state && llvm::is_contained({train::StateRole::Parameter, train::StateRole::Frozen, train::StateRole::Derived},
                                    state.getRole());
    return isWeight && isa<FloatType>(cast<RankedTensorType>(state.getType()).getElementType()) ? state
                                                                                                : train::StateOp();
  }

  void readPacked(plan::CallOp call, const WeightPacking &packing) {
    train::ReadOp plain = readOf(call, packing);
    train::StateOp packed = packedState(weightOf(call, packing), packing);
    OpBuilder builder(call);
    Value read = train::ReadOp::create(builder, plain.getLoc(), packed.getType(), packed.getSymName());
    call->setOperand(packing.input, read);
    if (plain->use_empty())
      plain->erase();
  }

  /// The body still says what is computed: of the weight that the packed bytes stand for.
  void takePacked(plan::KernelOp kernel, const WeightPacking &packing) {
    BlockArgument input = kernel.getBody().getArgument(packing.input);
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    Location loc = (*input.user_begin())->getLoc();
    auto unpack = plan::UnpackOp::create(builder, loc, input.getType(), input);
    input.replaceAllUsesExcept(unpack.getWeight(), unpack);
    input.setType(packedType(packing));
    SmallVector<Attribute> steps(kernel.getSteps().getValue());
    steps[packing.step] = packing.call;
    kernel.setStepsAttr(builder.getArrayAttr(steps));
    kernel.setWorkspace(packing.workspace);
  }

  RankedTensorType packedType(const WeightPacking &packing) {
    return RankedTensorType::get({packing.packedBytes}, IntegerType::get(module.getContext(), 8));
  }

  /// The weight's state in a format: equal steps make equal bytes.
  train::StateOp packedState(train::StateOp weight, const WeightPacking &packing) {
    train::StateOp &state = states[{weight, packing.pack}];
    if (state)
      return state;
    // A model's own name wins: the packed weight then gets a number.
    StringRef master = weight.getOf() ? *weight.getOf() : weight.getSymName();
    std::string name = (master + "/" + packing.purpose).str(), free = name;
    for (unsigned number = 1; symbols.lookup(free); ++number)
      free = name + "_" + std::to_string(number);
    OpBuilder builder(weight->getContext());
    builder.setInsertionPointAfter(weight);
    state = train::StateOp::create(builder, weight.getLoc(), free, packedType(packing), train::StateRole::Derived,
                                   FlatSymbolRefAttr::get(builder.getContext(), master), /*initial=*/Attribute(),
                                   /*offset=*/IntegerAttr());
    symbols.insert(state);
    keepPacked(weight, state, packing);
    return state;
  }

  /// Packs where the weight changes, and in derive: there of what derive makes of a copy, or of the master as it is.
  void keepPacked(train::StateOp weight, train::StateOp packed, const WeightPacking &packing) {
    FlatSymbolRefAttr kernel = packKernel(weight, packing);
    SmallVector<train::CommitOp> commits;
    module.walk([&](train::CommitOp commit) {
      if (commit.getState() == weight.getSymName())
        commits.push_back(commit);
    });
    Block *block = &derive.getBody().front();
    bool derived = false;
    for (train::CommitOp commit : commits) {
      packAtEnd(commit->getBlock(), commit.getValue(), commit.getPredicate(), kernel, packed);
      derived |= commit->getBlock() == block;
    }
    if (derived)
      return;
    OpBuilder builder(block->getTerminator());
    Value value = train::ReadOp::create(builder, weight.getLoc(), weight.getType(), weight.getSymName());
    packAtEnd(block, value, Value(), kernel, packed);
  }

  /// At the end of a program every reader of the old packed weight has run.
  void packAtEnd(Block *block, Value weight, Value predicate, FlatSymbolRefAttr kernel, train::StateOp packed) {
    OpBuilder builder(block->getTerminator());
    Location loc = weight.getLoc();
    auto call = plan::CallOp::create(builder, loc, TypeRange{packed.getType()}, kernel, weight);
    train::CommitOp::create(builder, loc, call.getResult(0), packed.getSymName(), predicate);
  }

  FlatSymbolRefAttr packKernel(train::StateOp state, const WeightPacking &packing) {
    FlatSymbolRefAttr &known = packKernels[{packing.pack, state.getType()}];
    if (known)
      return known;
    OpBuilder builder(*module.getOps<train::ProgramOp>().begin());
    SmallVector<Attribute> steps{packing.pack};
    if (packing.widens)
      steps.insert(steps.begin(), plan::GeneratedAttr::get(builder.getContext(), "prologue"));
    auto kernel = plan::KernelOp::create(builder, state.getLoc(), freeKernelName(), "onednn", 1, packing.packWorkspace,
                                         ArrayRef<int64_t>{-1}, builder.getArrayAttr(steps));
    Block *body = builder.createBlock(&kernel.getBody());
    Value weight = body->addArgument(state.getType(), state.getLoc());
    Value packed = plan::PackOp::create(builder, state.getLoc(), packedType(packing), weight);
    graph::YieldOp::create(builder, state.getLoc(), packed);
    symbols.insert(kernel);
    return known = FlatSymbolRefAttr::get(kernel);
  }

  std::string freeKernelName() {
    while (symbols.lookup("kernel_" + std::to_string(nextKernel)))
      ++nextKernel;
    return "kernel_" + std::to_string(nextKernel);
  }

  ModuleOp module;
  SymbolTable symbols;
  train::ProgramOp derive;
  unsigned nextKernel = 0;
  llvm::StringMap<SmallVector<plan::CallOp>> calls; ///< by kernel
  llvm::DenseMap<std::pair<Operation *, Attribute>, train::StateOp> states;
  llvm::DenseMap<std::pair<Attribute, Type>, FlatSymbolRefAttr> packKernels;
};
#endif

class PackWeights : public amp::compiler::impl::PackWeightsPassBase<PackWeights> {
public:
  void runOnOperation() override {
#ifdef AMP_WITH_ONEDNN
    auto programs = getOperation().getOps<train::ProgramOp>();
    auto derive = llvm::find_if(
        programs, [](train::ProgramOp program) { return program.getKind() == train::ProgramKind::Derive; });
    // Without it nothing would pack what a package starts with.
    if (derive == programs.end())
      return;
    WeightPacker packer(getOperation(), *derive);
    for (auto kernel : llvm::to_vector(getOperation().getOps<plan::KernelOp>()))
      packer.pack(kernel);
    packed += packer.stateCount();
#endif
  }
};

} // namespace
