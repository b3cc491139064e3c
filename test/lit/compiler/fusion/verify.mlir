// RUN: amp-opt %s -split-input-file -verify-diagnostics -amp-fusion-verify

train.program @op_outside eval inputs ["x"] outputs ["y"] (%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'graph.relu' op breaks the contract of amp-fusion-form-groups: stands outside every group}}
  %0 = graph.relu %x : tensor<4xf32> -> tensor<4xf32>
  train.return %0 : tensor<4xf32>
}

// -----

train.program @alone_with_others eval inputs ["x", "labels"] outputs ["y"] (%x: tensor<2x4xf32>, %labels: tensor<2xi64>) -> tensor<f32> {
  %0 = graph.group(%x, %labels) : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<f32> {
  ^bb0(%a: tensor<2x4xf32>, %l: tensor<2xi64>):
    %1 = graph.relu %a : tensor<2x4xf32> -> tensor<2x4xf32>
    // expected-error @below {{'graph.cross_entropy' op breaks the contract of amp-fusion-form-groups: is of class Alone, but shares its group}}
    %2 = graph.cross_entropy %1, %l {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<f32>
    graph.yield %2 : tensor<f32>
  }
  train.return %0 : tensor<f32>
}

// -----

train.program @result_of_another_size eval inputs ["x"] outputs ["y", "z"] (%x: tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2x4xf32>) {
  // expected-error @below {{'graph.group' op breaks the contract of amp-fusion-form-groups: result 1 has 8 elements, its root 'graph.reduce_sum' has 2}}
  %0:2 = graph.group(%x) : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2x4xf32>) {
  ^bb0(%a: tensor<2x4xf32>):
    %1 = graph.exp %a : tensor<2x4xf32> -> tensor<2x4xf32>
    %2 = graph.reduce_sum %1 {axes = array<i64: 1>} : tensor<2x4xf32> -> tensor<2xf32>
    graph.yield %2, %1 : tensor<2xf32>, tensor<2x4xf32>
  }
  train.return %0#0, %0#1 : tensor<2xf32>, tensor<2x4xf32>
}
