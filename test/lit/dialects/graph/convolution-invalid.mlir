// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1
train.program @f model inputs ["x", "w"] outputs [] (%x: tensor<2x4x4xf32>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{'graph.conv2d' op convolves ranks 3 and 4; wants 4 and 4}}
  %y = graph.conv2d %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x2x2xf32>
  train.return
}

// -----

// C2
train.program @f model inputs ["x", "w"] outputs [] (%x: tensor<1x3x4x4xf32>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{'graph.conv2d' op has 3 input channels, but 1 groups of 2 in its weight}}
  %y = graph.conv2d %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x2x2xf32>
  train.return
}

// -----

// C3
train.program @f model inputs ["x", "w"] outputs [] (%x: tensor<1x4x4x4xf32>, %w: tensor<3x2x3x3xf32>) {
  // expected-error @below {{'graph.conv2d' op has 3 output channels, which do not divide into 2 groups}}
  %y = graph.conv2d %x, %w {dilations = array<i64: 1, 1>, groups = 2 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x2x2x2xf32>
  train.return
}

// -----

// C4
train.program @f model inputs ["x", "w"] outputs [] (%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{'graph.conv2d' op has 0 among its strides; wants at least 1 and less than 2^31}}
  %y = graph.conv2d %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 0, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x2x2xf32>
  train.return
}

// -----

// C4
train.program @f model inputs ["x", "w"] outputs [] (%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{'graph.conv2d' op has -1 among its pads; wants at least 0 and less than 2^31}}
  %y = graph.conv2d %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, pads = array<i64: 0, -1, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x2x2xf32>
  train.return
}

// -----

// C4
train.program @f model inputs ["x", "w"] outputs [] (%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{'graph.conv2d' op has 1 dilations; wants 2}}
  %y = graph.conv2d %x, %w {dilations = array<i64: 1>, groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x2x2xf32>
  train.return
}

// -----

// C5
train.program @f model inputs ["x", "w"] outputs [] (%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x5x5xf32>) {
  // expected-error @below {{'graph.conv2d' op has a kernel of 5x5, which does not fit into 1x2x4x4 with pads 0, 0, 0, 0}}
  %y = graph.conv2d %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x5x5xf32>) -> tensor<1x2x2x2xf32>
  train.return
}

// -----

// C6
train.program @f model inputs ["x", "w"] outputs [] (%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x3x3xbf16>) {
  // expected-error @below {{'graph.conv2d' op mixes element types 'f32' and 'bf16'; wants one}}
  %y = graph.conv2d %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xbf16>) -> tensor<1x2x2x2xf32>
  train.return
}

// -----

// C7
train.program @f model inputs ["x", "w"] outputs [] (%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{'graph.conv2d' op gives 'tensor<1x2x4x4xf32>', but its operands and attributes make 'tensor<1x2x2x2xf32>'}}
  %y = graph.conv2d %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x4x4xf32>
  train.return
}

// -----

// C1 of the input gradient
train.program @f model inputs ["d", "w"] outputs [] (%d: tensor<1x2x3x2xf32>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{'graph.conv2d_input_grad' op has dy of 1x2x3x2; the convolution gives 1x2x2x2}}
  %y = graph.conv2d_input_grad %d, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, input_shape = array<i64: 1, 2, 4, 4>} : (tensor<1x2x3x2xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x4x4xf32>
  train.return
}

// -----

// C2 of the input gradient
train.program @f model inputs ["d", "w"] outputs [] (%d: tensor<1x2x2x2xf16>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{'graph.conv2d_input_grad' op mixes element types 'f16' and 'f32'; wants one}}
  %y = graph.conv2d_input_grad %d, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, input_shape = array<i64: 1, 2, 4, 4>} : (tensor<1x2x2x2xf16>, tensor<2x2x3x3xf32>) -> tensor<1x2x4x4xf16>
  train.return
}

// -----

// C1 of the weight gradient
train.program @f model inputs ["x", "d"] outputs [] (%x: tensor<1x2x4x4xf32>, %d: tensor<1x2x4x4xf32>) {
  // expected-error @below {{'graph.conv2d_weight_grad' op has dy of 1x2x4x4; the convolution gives 1x2x2x2}}
  %y = graph.conv2d_weight_grad %x, %d {dilations = array<i64: 1, 1>, groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, weight_shape = array<i64: 2, 2, 3, 3>} : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<2x2x3x3xf32>
  train.return
}

// -----

// C2 of the weight gradient
train.program @f model inputs ["x", "d"] outputs [] (%x: tensor<1x2x4x4xf32>, %d: tensor<1x2x2x2xf16>) {
  // expected-error @below {{'graph.conv2d_weight_grad' op mixes element types 'f32' and 'f16'; wants one}}
  %y = graph.conv2d_weight_grad %x, %d {dilations = array<i64: 1, 1>, groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, weight_shape = array<i64: 2, 2, 3, 3>} : (tensor<1x2x4x4xf32>, tensor<1x2x2x2xf16>) -> tensor<2x2x3x3xf32>
  train.return
}
