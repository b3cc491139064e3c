// RUN: amp-opt %s --amp-trainstep-select-parameters 2>&1 | FileCheck %s --check-prefixes=ALL
// RUN: amp-opt %s --amp-trainstep-select-parameters="freeze=^b$" 2>&1 | FileCheck %s --check-prefix=FREEZE
// RUN: amp-opt %s --amp-trainstep-select-parameters="trainable=b" 2>&1 | FileCheck %s --check-prefix=TRAIN
// RUN: not amp-opt %s --amp-trainstep-select-parameters="freeze=conv" 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not amp-opt %s --amp-trainstep-select-parameters="freeze=(" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not amp-opt %s --amp-trainstep-select-parameters="freeze=." 2>&1 | FileCheck %s --check-prefix=EMPTY

// What the loss reaches through floats trains; what it reaches through integers or not at all stays frozen.
// ALL-DAG: remark: [parameters] trains 'a', 2
// ALL-DAG: remark: [parameters] trains 'b', 2
// ALL-DAG: remark: [parameters] keeps 'compared': the loss does not depend on it
// ALL-DAG: remark: [parameters] keeps 'unused': the loss does not depend on it
// ALL-DAG: remark: [parameters] trains 'scale', 2
// ALL-DAG: remark: [parameters] keeps 'running': it is a running statistic, which moves without a gradient
// ALL: train.state @a : tensor<2xf32> parameter
// ALL: train.state @b : tensor<2xf32> parameter
// ALL: train.state @compared : tensor<2xf32> frozen
// ALL: train.state @unused : tensor<2xf32> frozen
// ALL: train.state @scale : tensor<2xf32> parameter
// ALL: train.state @running : tensor<2xf32> frozen
// ALL: train.state @indices : tensor<2xi64> frozen

// FREEZE: remark: [parameters] keeps 'b': --freeze names it
// FREEZE: train.state @a : tensor<2xf32> parameter
// FREEZE: train.state @b : tensor<2xf32> frozen

// TRAIN: remark: [parameters] keeps 'a': --trainable does not name it
// TRAIN: train.state @a : tensor<2xf32> frozen
// TRAIN: train.state @b : tensor<2xf32> parameter

// NOTHING: error: --freeze: 'conv' names no initializer; --explain=parameters lists them
// NONE: error: --freeze: '(' is no regular expression: parentheses not balanced
// EMPTY: error: no initializer trains: the loss depends on none that --freeze and --trainable leave
train.state @a : tensor<2xf32> frozen
train.state @b : tensor<2xf32> frozen
train.state @compared : tensor<2xf32> frozen
train.state @unused : tensor<2xf32> frozen
train.state @scale : tensor<2xf32> frozen
train.state @running : tensor<2xf32> frozen
train.state @indices : tensor<2xi64> frozen
train.program @model model inputs [] outputs ["loss"] () -> tensor<f32> {
  %a = train.read @a : tensor<2xf32>
  %b = train.read @b : tensor<2xf32>
  %c = train.read @compared : tensor<2xf32>
  %u = train.read @unused : tensor<2xf32>
  %less = graph.compare lt %c, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %0 = graph.select %less, %a, %b : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %s = train.read @scale : tensor<2xf32>
  %r = train.read @running : tensor<2xf32>
  %n = graph.batch_norm %0, %s, %b, %r, %r {axis = 0 : i64, eps = 0.1, momentum = 0.9} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = graph.reduce_sum %n {axes = array<i64: 0>} : tensor<2xf32> -> tensor<f32>
  train.return %1 : tensor<f32>
}
