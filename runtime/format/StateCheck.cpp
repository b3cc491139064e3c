// States of a package: shapes, places, roles, and that no two share bytes.
#include "runtime/base/Checked.h"
#include "runtime/format/PackageCheck.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace amp::runtime::check {
namespace {

class StateChecker {
public:
  StateChecker(const format::Package &package, uint64_t blobBytes, const Limits &limits)
      : package(package), blobBytes(blobBytes), limits(limits) {}

  Status checkAll();
  Status checkOverlap();

private:
  Status checkState(const format::State &state);
  Status checkRole(const format::State &state, const Place &place);

  const format::Package &package;
  uint64_t blobBytes;
  const Limits &limits;
  std::unordered_map<std::string_view, const format::State *> states;
};

/// Roles by which a state is found, so that there is one of each.
bool isSingle(format::Role role) {
  using format::Role;
  return role == Role::LearningRate || role == Role::LossScale || role == Role::GrowthTracker ||
         role == Role::StepCount || role == Role::Seed || role == Role::Loss;
}

Status StateChecker::checkAll() {
  states.reserve(package.states()->size());
  for (const format::State *state : *package.states()) {
    if (Status status = checkState(*state); !status.isOk())
      return status;
    if (!states.emplace(viewOf(state->name()), state).second)
      return refuse(named("state", state->name()), "is there twice");
  }
  std::set<format::Role> single;
  for (const format::State *state : *package.states()) {
    if (Status status = checkRole(*state, named("state", state->name())); !status.isOk())
      return status;
    if (isSingle(state->role()) && !single.insert(state->role()).second)
      return refuse(named("state", state->name()),
                    std::string("is a second state of role ") + format::EnumNameRole(state->role()));
  }
  return Status();
}

Status StateChecker::checkState(const format::State &state) {
  Place place = named("state", state.name());
  if (Status status = checkName(state.name(), "a state", limits); !status.isOk())
    return status;
  if (state.role() > format::Role::MAX)
    return refuse(place, "has role number " + std::to_string(int(state.role())));
  Result<uint64_t> bytes = tensorBytes(state.type(), spanOf(state.shape()), place, limits);
  if (!bytes.isOk())
    return bytes.status();
  if (*bytes != state.bytes() && state.role() != format::Role::Derived)
    return refuse(place,
                  "has " + std::to_string(state.bytes()) + " bytes where its shape needs " + std::to_string(*bytes));
  if (state.offset() % 64 != 0 || !fitsInside(state.offset(), state.bytes(), package.state_bytes()))
    return refuse(place, "lies at " + std::to_string(state.offset()) + ", " + std::to_string(state.bytes()) +
                             " bytes, in a state section of " + std::to_string(package.state_bytes()));
  if (state.has_blob() && (state.blob() % 64 != 0 || !fitsInside(state.blob(), state.bytes(), blobBytes)))
    return refuse(place, "takes its bytes from blob " + std::to_string(state.blob()) + " in a section of " +
                             std::to_string(blobBytes));
  return Status();
}

Status StateChecker::checkRole(const format::State &state, const Place &place) {
  using format::ElementType;
  using format::Role;
  auto scalar = [&](ElementType type) {
    return state.type() == type && elementCount(spanOf(state.shape())) == uint64_t(1);
  };
  const format::State *of = nullptr;
  if (state.of()) {
    auto found = states.find(viewOf(state.of()));
    if (found == states.end())
      return refuse(place, "belongs to " + quoted(viewOf(state.of())) + ", which is no state");
    of = found->second;
  }
  bool fits = true;
  switch (state.role()) {
  case Role::Parameter:
    fits = state.type() == ElementType::F32 || state.type() == ElementType::F64;
    break;
  case Role::Gradient:
    fits = of && of->role() == Role::Parameter && state.type() == ElementType::F32 && state.bytes() == of->bytes();
    break;
  case Role::Moment:
    fits = of && of->role() == Role::Parameter;
    break;
  case Role::Pending:
    fits = of && of->role() == Role::Statistic && state.type() == of->type() && state.bytes() == of->bytes();
    break;
  case Role::LearningRate:
  case Role::LossScale:
  case Role::Loss:
    fits = scalar(ElementType::F32);
    break;
  case Role::GrowthTracker:
    fits = scalar(ElementType::I32);
    break;
  case Role::StepCount:
  case Role::Seed:
    fits = scalar(ElementType::I64);
    break;
  case Role::Power:
    fits = scalar(ElementType::F64);
    break;
  case Role::Frozen:
  case Role::Constant:
  case Role::Statistic:
  case Role::Derived:
    break;
  }
  return fits ? Status()
              : refuse(place, std::string("of role ") + format::EnumNameRole(state.role()) + " has type " +
                                  std::string(elementName(elementTypeOf(state.type()))) + ", shape " +
                                  shapeText(spanOf(state.shape())) + " and belongs to " + quoted(viewOf(state.of())));
}

Status StateChecker::checkOverlap() {
  std::vector<const format::State *> order(package.states()->begin(), package.states()->end());
  std::sort(order.begin(), order.end(),
            [](const format::State *a, const format::State *b) { return a->offset() < b->offset(); });
  const format::State *before = nullptr;
  for (const format::State *state : order) {
    if (state->bytes() == 0)
      continue;
    if (before && before->offset() + before->bytes() > state->offset())
      return refuse(named("state", state->name()), "shares bytes with " + named("state", before->name()));
    before = state;
  }
  return Status();
}

} // namespace

Status checkStates(const format::Package &package, uint64_t blobBytes, const Limits &limits) {
  StateChecker checker(package, blobBytes, limits);
  Status status = checker.checkAll();
  return status.isOk() ? checker.checkOverlap() : status;
}

} // namespace amp::runtime::check
