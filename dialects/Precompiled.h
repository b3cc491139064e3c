// What nearly every file above the dialects includes; files still include what they use.
#ifndef AMP_DIALECTS_PRECOMPILED_H
#define AMP_DIALECTS_PRECOMPILED_H

#include "dialects/graph/Graph.h"
#include "dialects/plan/Plan.h"
#include "dialects/train/Train.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

#endif
