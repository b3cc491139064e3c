// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1 of a reduction
train.program @f model inputs ["0"] outputs [] (%a: tensor<2x3xf32>) {
  // expected-error @below {{'graph.reduce_sum' op names axis 0 after axis 0; wants them sorted and unique}}
  %y = graph.reduce_sum %a {axes = array<i64: 0, 0>} : tensor<2x3xf32> -> tensor<3xf32>
  train.return
}

// -----

// C2 of a reduction
train.program @f model inputs ["0"] outputs [] (%a: tensor<2x3xf32>) {
  // expected-error @below {{'graph.reduce_mean' op gives 'tensor<3xf32>', but its operands and attributes make 'tensor<1x3xf32>'}}
  %y = graph.reduce_mean %a {axes = array<i64: 0>, keep_dims = true} : tensor<2x3xf32> -> tensor<3xf32>
  train.return
}

// -----

// C1 of softmax
train.program @f model inputs ["0"] outputs [] (%a: tensor<2x3xf32>) {
  // expected-error @below {{'graph.softmax' op names axis -1, which lies outside rank 2}}
  %y = graph.softmax %a {axis = -1 : i64} : tensor<2x3xf32> -> tensor<2x3xf32>
  train.return
}

// -----

// C2 of softmax
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %b: tensor<2x3xf16>) {
  // expected-error @below {{'graph.softmax_grad' op has operands of types 'tensor<2x3xf32>' and 'tensor<2x3xf16>'; wants one type}}
  %y = graph.softmax_grad %a, %b {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x3xf16> -> tensor<2x3xf32>
  train.return
}
