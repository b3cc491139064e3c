// RUN: amp-opt %s -split-input-file -verify-diagnostics -amp-autocast-verify=precision=bf16

train.program @cast_of_a_cast eval inputs ["x"] outputs ["y"] (%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @below {{first cast here}}
  %0 = graph.cast %x : tensor<4xf32> -> tensor<4xbf16>
  // expected-error @below {{'graph.cast' op breaks the contract of amp-autocast-assign-types: casts 'f32' to 'bf16' to 'f32'; wants one cast at most}}
  %1 = graph.cast %0 : tensor<4xbf16> -> tensor<4xf32>
  train.return %1 : tensor<4xf32>
}

// -----

train.program @value_cast_twice eval inputs ["x"] outputs ["y", "z"] (%x: tensor<4xf32>) -> (tensor<4xbf16>, tensor<4xbf16>) {
  %0 = graph.cast %x : tensor<4xf32> -> tensor<4xbf16>
  // expected-error @below {{'graph.cast' op breaks the contract of amp-autocast-assign-types: the value has a cast to 'bf16' already; casts of one value are shared}}
  %1 = graph.cast %x : tensor<4xf32> -> tensor<4xbf16>
  train.return %0, %1 : tensor<4xbf16>, tensor<4xbf16>
}

// -----

train.state @w : tensor<4xf32> parameter
train.program @parameter_cast_in_micro micro inputs [] outputs ["y"] () -> tensor<4xbf16> {
  %w = train.read @w : tensor<4xf32>
  // expected-error @below {{'graph.cast' op breaks the contract of amp-autocast-assign-types: casts @"w" in a program of a micro-batch; wants a derived copy}}
  %0 = graph.cast %w : tensor<4xf32> -> tensor<4xbf16>
  train.return %0 : tensor<4xbf16>
}

// -----

train.program @low_op_reads_f32 eval inputs ["x"] outputs ["y"] (%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{'graph.matmul' op breaks the contract of amp-autocast-assign-types: operand 0 is 'f32', but the op is of class LOW and reads 'bf16'}}
  %0 = graph.matmul %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  train.return %0 : tensor<4x4xf32>
}

// -----

train.program @fp32_op_reads_low eval inputs ["x"] outputs ["y"] (%x: tensor<4xbf16>) -> tensor<4xbf16> {
  // expected-error @below {{'graph.exp' op breaks the contract of amp-autocast-assign-types: operand 0 is 'bf16', but the op is of class FP32 and reads 'f32'}}
  %0 = graph.exp %x : tensor<4xbf16> -> tensor<4xbf16>
  train.return %0 : tensor<4xbf16>
}

// -----

train.state @w : tensor<4xf32> parameter
// expected-error @below {{'train.state' op breaks the contract of amp-autocast-assign-types: no derive program commits @"w/bf16"}}
train.state @"w/bf16" : tensor<4xbf16> derived of @w
