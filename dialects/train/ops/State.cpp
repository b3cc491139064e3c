// State, programs, reads and commits: definitions, syntax, verifiers.
#include "dialects/train/Train.h"

#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace amp::train;

#define GET_OP_CLASSES
#include "dialects/train/ops/State.cpp.inc"

//===- state
//-------------------------------------------------------------------------------------------------------===//

static LogicalResult verifyInitial(StateOp op, Attribute initial) {
  RankedTensorType type = op.getType();
  if (auto elements = dyn_cast<ElementsAttr>(initial)) {
    if (elements.getShapedType() != type)
      return op.emitOpError() << "of type " << type << " starts from elements of type "
                              << elements.getShapedType(); // C2
    return success();
  }
  auto external = dyn_cast<ExternalAttr>(initial);
  if (!external)
    return op.emitOpError() << "starts from " << initial << "; wants elements or #train.external";
  int64_t bits = type.getElementTypeBitWidth();
  int64_t wanted = type.getNumElements() * std::max<int64_t>(1, bits / 8);
  if (external.getLength() != wanted || external.getOffset() < 0)
    return op.emitOpError() << "of type " << type << " starts from " << external.getLength() << " bytes at "
                            << external.getOffset() << "; wants " << wanted << " bytes"; // C3
  return success();
}

LogicalResult StateOp::verify() {
  if (!getType().hasStaticShape())
    return emitOpError() << "has type " << getType() << "; wants a static shape";
  StateRole role = getRole();
  bool hasMaster = role == StateRole::Gradient || role == StateRole::Moment || role == StateRole::Derived ||
                   role == StateRole::Pending;
  if (hasMaster && !getOf())
    return emitOpError() << "has role " << stringifyStateRole(role) << " and no master; wants one in 'of'"; // C1
  return getInitial() ? verifyInitial(*this, *getInitial()) : success();
}

//===- program: syntax
//---------------------------------------------------------------------------------------------===//

static ParseResult parseNames(OpAsmParser &parser, StringRef keyword, StringAttr name, OperationState &result) {
  ArrayAttr names;
  if (parser.parseKeyword(keyword) || parser.parseAttribute(names))
    return failure();
  result.addAttribute(name, names);
  return success();
}

static ParseResult parseOptionalNumbers(OpAsmParser &parser, StringAttr name, OperationState &result) {
  if (failed(parser.parseOptionalKeyword(name)))
    return success();
  Attribute numbers = DenseI64ArrayAttr::parse(parser, Type());
  if (!numbers)
    return failure();
  result.addAttribute(name, numbers);
  return success();
}

static ParseResult parseKind(OpAsmParser &parser, StringAttr name, OperationState &result) {
  StringRef keyword;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<ProgramKind> kind = symbolizeProgramKind(keyword);
  if (!kind)
    return parser.emitError(place) << "'" << keyword
                                   << "' is no kind of program; wants model, micro, finish, eval or derive";
  result.addAttribute(name, ProgramKindAttr::get(parser.getContext(), *kind));
  return success();
}

static ParseResult parseOptionalScratch(OpAsmParser &parser, StringAttr name, OperationState &result) {
  int64_t bytes = 0;
  if (failed(parser.parseOptionalKeyword("scratch")))
    return success();
  if (parser.parseInteger(bytes))
    return failure();
  result.addAttribute(name, parser.getBuilder().getI64IntegerAttr(bytes));
  return success();
}

static ParseResult parseSignatureAndBody(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> types, resultTypes;
  SmallVector<DictionaryAttr> resultAttributes;
  bool isVariadic = false;
  if (function_interface_impl::parseFunctionSignatureWithArguments(parser, /*allowVariadic=*/false, arguments,
                                                                   isVariadic, resultTypes, resultAttributes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (OpAsmParser::Argument &argument : arguments)
    types.push_back(argument.type);
  result.addAttribute(ProgramOp::getFunctionTypeAttrName(result.name),
                      TypeAttr::get(parser.getBuilder().getFunctionType(types, resultTypes)));
  call_interface_impl::addArgAndResultAttrs(parser.getBuilder(), result, arguments, resultAttributes,
                                            ProgramOp::getArgAttrsAttrName(result.name),
                                            ProgramOp::getResAttrsAttrName(result.name));
  return parser.parseRegion(*result.addRegion(), arguments);
}

ParseResult ProgramOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name), result.attributes) ||
      parseKind(parser, getKindAttrName(result.name), result) ||
      parseNames(parser, "inputs", getInputNamesAttrName(result.name), result) ||
      parseNames(parser, "outputs", getOutputNamesAttrName(result.name), result) ||
      parseOptionalNumbers(parser, getIndexLimitsAttrName(result.name), result) ||
      parseOptionalNumbers(parser, getIgnoreIndicesAttrName(result.name), result) ||
      parseOptionalScratch(parser, getScratchBytesAttrName(result.name), result))
    return failure();
  return parseSignatureAndBody(parser, result);
}

void ProgramOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << ' ' << stringifyProgramKind(getKind()) << " inputs " << getInputNames() << " outputs " << getOutputNames();
  if (DenseI64ArrayAttr limits = getIndexLimitsAttr()) {
    printer << " index_limits ";
    limits.print(printer);
  }
  if (DenseI64ArrayAttr ignored = getIgnoreIndicesAttr()) {
    printer << " ignore_indices ";
    ignored.print(printer);
  }
  if (getScratchBytes())
    printer << " scratch " << *getScratchBytes();
  printer << ' ';
  function_interface_impl::printFunctionSignature(printer, *this, getArgumentTypes(), /*isVariadic=*/false,
                                                  getResultTypes());
  function_interface_impl::printFunctionAttributes(
      printer, *this,
      {getFunctionTypeAttrName(), getKindAttrName(), getInputNamesAttrName(), getOutputNamesAttrName(),
       getIndexLimitsAttrName(), getIgnoreIndicesAttrName(), getScratchBytesAttrName(), getArgAttrsAttrName(),
       getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===- program: rules
//----------------------------------------------------------------------------------------------===//

ReturnOp ProgramOp::getReturn() {
  return cast<ReturnOp>(getBody().front().getTerminator());
}

static LogicalResult verifyCount(ProgramOp op, size_t seen, StringRef what, size_t wanted, StringRef of) {
  if (seen != wanted)
    return op.emitOpError() << "has " << seen << " " << what << " for " << wanted << " " << of;
  return success();
}

LogicalResult ProgramOp::verify() {
  size_t arguments = getArgumentTypes().size();
  if (failed(verifyCount(*this, getInputNames().size(), "input names", arguments, "arguments")) ||
      failed(verifyCount(*this, getOutputNames().size(), "output names", getResultTypes().size(), "results")))
    return failure(); // C1
  if (getIndexLimits() && failed(verifyCount(*this, getIndexLimits()->size(), "index limits", arguments, "arguments")))
    return failure(); // C2
  if (getIgnoreIndices() &&
      failed(verifyCount(*this, getIgnoreIndices()->size(), "ignore indices", arguments, "arguments")))
    return failure(); // C2
  if (!getBody().hasOneBlock() || getBody().front().empty() || !isa<ReturnOp>(getBody().front().back()))
    return emitOpError() << "has no single block that ends with 'train.return'";
  return success();
}

LogicalResult ProgramOp::verifyRegions() {
  llvm::DenseMap<StringAttr, CommitOp> commits;
  for (CommitOp commit : getBody().front().getOps<CommitOp>()) {
    auto [earlier, isFirst] = commits.try_emplace(commit.getStateAttr().getAttr(), commit);
    if (isFirst)
      continue;
    InFlightDiagnostic diagnostic = commit.emitOpError() << "commits @" << commit.getState()
                                                         << " again; wants at most one commit a state"; // C2 of commit
    diagnostic.attachNote(earlier->second.getLoc()) << "first committed here";
    return diagnostic;
  }
  return success();
}

LogicalResult ReturnOp::verify() {
  ArrayRef<Type> wanted = cast<ProgramOp>((*this)->getParentOp()).getResultTypes();
  if (getValues().size() != wanted.size())
    return emitOpError() << "gives " << getValues().size() << " values for " << wanted.size() << " results"; // C1
  for (auto [index, value] : llvm::enumerate(getValues())) {
    // After memory a value is a buffer of the plan dialect, which lies above this one.
    bool isBuffer = value.getType().getDialect().getNamespace() == "plan";
    if (!isBuffer && value.getType() != wanted[index])
      return emitOpError() << "gives " << value.getType() << " for result " << index << " of type "
                           << wanted[index]; // C1
  }
  return success();
}

//===- read and commit
//---------------------------------------------------------------------------------------------===//

static LogicalResult verifyState(Operation *op, FlatSymbolRefAttr symbol, Type type, SymbolTableCollection &symbols) {
  auto state = symbols.lookupNearestSymbolFrom<StateOp>(op, symbol);
  if (!state)
    return op->emitOpError() << "names @" << symbol.getValue() << ", which is no state of this module";
  if (state.getType() == type)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError() << "has type " << type << " for state @" << symbol.getValue()
                                                    << " of type " << state.getType();
  diagnostic.attachNote(state.getLoc()) << "state declared here";
  return diagnostic;
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyState(*this, getStateAttr(), getValue().getType(), symbols); // C1
}

LogicalResult CommitOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (failed(verifyState(*this, getStateAttr(), getValue().getType(), symbols)))
    return failure(); // C1
  if (getPredicate() && cast<RankedTensorType>(getPredicate().getType()).getRank() != 0)
    return emitOpError() << "has a predicate of type " << getPredicate().getType() << "; wants tensor<i1>"; // C3
  return success();
}
