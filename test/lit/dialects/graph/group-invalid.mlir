// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1
train.program @f model inputs ["x"] outputs [] (%x: tensor<2xf32>) {
  // expected-error @below {{'graph.group' op has block argument 0 of type 'tensor<3xf32>' for operand 0 of type 'tensor<2xf32>'}}
  %y = graph.group(%x) : (tensor<2xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    graph.yield %a : tensor<3xf32>
  }
  train.return
}

// -----

// C2
train.program @f model inputs ["x"] outputs [] (%x: tensor<2xf32>) {
  // expected-error @below {{'graph.group' op has 0 yielded values for 1 results}}
  %y = graph.group(%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    graph.yield
  }
  train.return
}

// -----

// C3
train.program @f model inputs ["x"] outputs [] (%x: tensor<2x2xf32>) {
  // expected-error @below {{'graph.group' op holds 'graph.matmul' and 'graph.reduce_sum'; wants at most one root}}
  %y = graph.group(%x) : (tensor<2x2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2x2xf32>):
    %p = graph.matmul %a, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    // expected-note @below {{second root here}}
    %q = graph.reduce_sum %p {axes = array<i64: 0>} : tensor<2x2xf32> -> tensor<2xf32>
    graph.yield %q : tensor<2xf32>
  }
  train.return
}
