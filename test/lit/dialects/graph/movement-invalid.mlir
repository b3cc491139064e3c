// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1 of reshape
train.program @f model inputs ["0"] outputs [] (%a: tensor<2x3xf32>) {
  // expected-error @below {{'graph.reshape' op turns 2x3 into 4x2, which has another number of elements}}
  %y = graph.reshape %a : tensor<2x3xf32> -> tensor<4x2xf32>
  train.return
}

// -----

// C2 of reshape
train.program @f model inputs ["0"] outputs [] (%a: tensor<2x3xf32>) {
  // expected-error @below {{'graph.reshape' op gives 'tensor<6xf16>', but its operands and attributes make 'tensor<6xf32>'}}
  %y = graph.reshape %a : tensor<2x3xf32> -> tensor<6xf16>
  train.return
}

// -----

// C1 of dynamic_reshape
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %s: tensor<2xi32>) {
  // expected-error @below {{'graph.dynamic_reshape' op has a shape of type 'tensor<2xi32>'; wants rank 1 of i64}}
  %y = graph.dynamic_reshape %a, %s : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  train.return
}

// -----

// C1 of flatten
train.program @f model inputs ["0"] outputs [] (%a: tensor<2x3xf32>) {
  // expected-error @below {{'graph.flatten' op flattens at axis 3, which lies outside [0, 2]}}
  %y = graph.flatten %a {axis = 3 : i64} : tensor<2x3xf32> -> tensor<2x3xf32>
  train.return
}

// -----

// C1 of unsqueeze
train.program @f model inputs ["0"] outputs [] (%a: tensor<2x3xf32>) {
  // expected-error @below {{'graph.unsqueeze' op names axis 0 after axis 1; wants them sorted and unique}}
  %y = graph.unsqueeze %a {axes = array<i64: 1, 0>} : tensor<2x3xf32> -> tensor<1x1x2x3xf32>
  train.return
}

// -----

// C1 of squeeze
train.program @f model inputs ["0"] outputs [] (%a: tensor<1x3xf32>) {
  // expected-error @below {{'graph.squeeze' op names axis 2, which lies outside rank 2}}
  %y = graph.squeeze %a {axes = array<i64: 2>} : tensor<1x3xf32> -> tensor<3xf32>
  train.return
}

// -----

// C2 of squeeze
train.program @f model inputs ["0"] outputs [] (%a: tensor<1x3xf32>) {
  // expected-error @below {{'graph.squeeze' op drops axis 1 of length 3; wants length 1}}
  %y = graph.squeeze %a {axes = array<i64: 1>} : tensor<1x3xf32> -> tensor<1xf32>
  train.return
}

// -----

// C1 of transpose
train.program @f model inputs ["0"] outputs [] (%a: tensor<2x3xf32>) {
  // expected-error @below {{'graph.transpose' op has permutation [1, 1], which does not name each axis of rank 2 once}}
  %y = graph.transpose %a {permutation = array<i64: 1, 1>} : tensor<2x3xf32> -> tensor<3x3xf32>
  train.return
}

// -----

// C1 of expand
train.program @f model inputs ["0"] outputs [] (%a: tensor<2xf32>) {
  // expected-error @below {{'graph.expand' op expands 2 to 3, to which it does not broadcast}}
  %y = graph.expand %a : tensor<2xf32> -> tensor<3xf32>
  train.return
}

// -----

// C2 of expand
train.program @f model inputs ["0"] outputs [] (%a: tensor<1xf32>) {
  // expected-error @below {{'graph.expand' op gives 'tensor<3xf16>', but its operands and attributes make 'tensor<3xf32>'}}
  %y = graph.expand %a : tensor<1xf32> -> tensor<3xf16>
  train.return
}

// -----

// C1 of shape
train.program @f model inputs ["0"] outputs [] (%a: tensor<2xf32>) {
  // expected-error @below {{'graph.shape' op takes axes [0, 2) of rank 1}}
  %y = graph.shape %a {start = 0 : i64, end = 2 : i64} : tensor<2xf32> -> tensor<2xi64>
  train.return
}

// -----

// C1 of concat
train.program @f model inputs ["0"] outputs [] (%a: tensor<2xf32>) {
  // expected-error @below {{'graph.concat' op names axis 1, which lies outside rank 1}}
  %y = graph.concat %a {axis = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  train.return
}

// -----

// C2 of concat
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x1xf32>, %b: tensor<3x1xf32>) {
  // expected-error @below {{'graph.concat' op joins 'tensor<2x1xf32>' and 'tensor<3x1xf32>' along axis 1; wants one element type and equal lengths elsewhere}}
  %y = graph.concat %a, %b {axis = 1 : i64} : (tensor<2x1xf32>, tensor<3x1xf32>) -> tensor<2x2xf32>
  train.return
}

// -----

// C1 of gather
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2xf32>, %i: tensor<i64>) {
  // expected-error @below {{'graph.gather' op names axis 1, which lies outside rank 1}}
  %y = graph.gather %a, %i {axis = 1 : i64} : (tensor<2xf32>, tensor<i64>) -> tensor<f32>
  train.return
}

// -----

// C1 of slice
train.program @f model inputs ["0"] outputs [] (%a: tensor<4xf32>) {
  // expected-error @below {{'graph.slice' op has 1 axes, 1 starts, 2 ends and 1 steps; wants as many of each}}
  %y = graph.slice %a {axes = array<i64: 0>, starts = array<i64: 0>, ends = array<i64: 1, 2>, steps = array<i64: 1>} : tensor<4xf32> -> tensor<1xf32>
  train.return
}

// -----

// C2 of slice
train.program @f model inputs ["0"] outputs [] (%a: tensor<4xf32>) {
  // expected-error @below {{'graph.slice' op names axis 1, which lies outside rank 1}}
  %y = graph.slice %a {axes = array<i64: 1>, starts = array<i64: 0>, ends = array<i64: 1>, steps = array<i64: 1>} : tensor<4xf32> -> tensor<1xf32>
  train.return
}

// -----

// C3 of slice
train.program @f model inputs ["0"] outputs [] (%a: tensor<4xf32>) {
  // expected-error @below {{'graph.slice' op has step 0 along axis 0; wants another}}
  %y = graph.slice %a {axes = array<i64: 0>, starts = array<i64: 0>, ends = array<i64: 1>, steps = array<i64: 0>} : tensor<4xf32> -> tensor<1xf32>
  train.return
}

// -----

// C2 of gather
train.program @f model inputs ["x"] outputs [] (%x: tensor<3xf32>) {
  %i = graph.constant dense<[0, 3]> : tensor<2xi64>
  // expected-error @below {{'graph.gather' op takes index 3 of an axis of length 3}}
  %y = graph.gather %x, %i {axis = 0 : i64} : (tensor<3xf32>, tensor<2xi64>) -> tensor<2xf32>
  train.return
}
