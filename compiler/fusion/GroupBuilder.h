// Rewrites a program to the groups of a plan.
#ifndef AMP_COMPILER_FUSION_GROUPBUILDER_H
#define AMP_COMPILER_FUSION_GROUPBUILDER_H

#include "compiler/fusion/GroupPlan.h"

namespace amp::compiler {

/// Replaces every op of the block that computes by the groups of the plan, in an order that keeps the program's where
/// dependences allow. Returns the number of groups.
unsigned buildGroups(mlir::Block &body, const GroupPlan &plan);

} // namespace amp::compiler

#endif
