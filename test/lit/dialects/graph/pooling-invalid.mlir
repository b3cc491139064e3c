// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1
train.program @f model inputs ["x"] outputs [] (%x: tensor<2x4x4xf32>) {
  // expected-error @below {{'graph.max_pool2d' op pools rank 3; wants 4}}
  %y = graph.max_pool2d %x {dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<2x4x4xf32> -> tensor<1x2x2x2xf32>
  train.return
}

// -----

// C2
train.program @f model inputs ["x"] outputs [] (%x: tensor<1x2x4x4xf32>) {
  // expected-error @below {{'graph.max_pool2d' op has 0 among its kernel lengths; wants at least 1 and less than 2^31}}
  %y = graph.max_pool2d %x {dilations = array<i64: 1, 1>, kernel = array<i64: 0, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x4x4xf32> -> tensor<1x2x2x2xf32>
  train.return
}

// -----

// C3
train.program @f model inputs ["x"] outputs [] (%x: tensor<1x2x4x4xf32>) {
  // expected-error @below {{'graph.max_pool2d' op has a pad of 2 for a kernel of 2; wants 0 or more and less than the kernel}}
  %y = graph.max_pool2d %x {dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 2, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x4x4xf32> -> tensor<1x2x2x2xf32>
  train.return
}

// -----

// C4
train.program @f model inputs ["x"] outputs [] (%x: tensor<1x2x4x4xf32>) {
  // expected-error @below {{'graph.max_pool2d' op has a kernel of 5x5, which does not fit into 1x2x4x4 with pads 0, 0, 0, 0}}
  %y = graph.max_pool2d %x {dilations = array<i64: 1, 1>, kernel = array<i64: 5, 5>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x4x4xf32> -> tensor<1x2x2x2xf32>
  train.return
}

// -----

// C4
train.program @f model inputs ["x"] outputs [] (%x: tensor<1x2x4x4xf32>) {
  // expected-error @below {{'graph.max_pool2d' op gives 'tensor<1x2x3x2xf32>', but its operands and attributes make 'tensor<1x2x2x2xf32>'}}
  %y = graph.max_pool2d %x {dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x4x4xf32> -> tensor<1x2x3x2xf32>
  train.return
}

// -----

// C1 of the gradient of max_pool2d
train.program @f model inputs ["d", "x"] outputs [] (%d: tensor<1x2x4x4xf32>, %x: tensor<1x2x4x4xf32>) {
  // expected-error @below {{'graph.max_pool2d_grad' op has dy of 1x2x4x4; max_pool2d gives 1x2x2x2 for 1x2x4x4}}
  %y = graph.max_pool2d_grad %d, %x {dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32> -> tensor<1x2x4x4xf32>
  train.return
}

// -----

// C2 of the gradient of max_pool2d
train.program @f model inputs ["d", "x"] outputs [] (%d: tensor<1x2x2x2xf16>, %x: tensor<1x2x4x4xf32>) {
  // expected-error @below {{'graph.max_pool2d_grad' op mixes element types 'f16' and 'f32'; wants one}}
  %y = graph.max_pool2d_grad %d, %x {dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x2x2xf16>, tensor<1x2x4x4xf32> -> tensor<1x2x4x4xf32>
  train.return
}

// -----

// C1 of the gradient of average_pool2d
train.program @f model inputs ["d"] outputs [] (%d: tensor<1x2x4x4xf32>) {
  // expected-error @below {{'graph.average_pool2d_grad' op has dy of 1x2x4x4; average_pool2d gives 1x2x2x2 for 1x2x4x4}}
  %y = graph.average_pool2d_grad %d {dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, input_shape = array<i64: 1, 2, 4, 4>} : tensor<1x2x4x4xf32> -> tensor<1x2x4x4xf32>
  train.return
}
