// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<3xf32>, %b: tensor<3x2xf32>) {
  // expected-error @below {{'graph.matmul' op multiplies ranks 1 and 2; wants at least 2}}
  %y = graph.matmul %a, %b : (tensor<3xf32>, tensor<3x2xf32>) -> tensor<2xf32>
  train.return
}

// -----

// C2
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x64xf32>, %b: tensor<32x2xf32>) {
  // expected-error @below {{'graph.matmul' op contracts 64 with 32}}
  %y = graph.matmul %a, %b : (tensor<2x64xf32>, tensor<32x2xf32>) -> tensor<2x2xf32>
  train.return
}

// -----

// C3
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x1x3xf32>, %b: tensor<4x3x1xf32>) {
  // expected-error @below {{'graph.matmul' op has leading axes 2 and 4, which do not broadcast}}
  %y = graph.matmul %a, %b : (tensor<2x1x3xf32>, tensor<4x3x1xf32>) -> tensor<2x1x1xf32>
  train.return
}

// -----

// C4
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %b: tensor<3x2xbf16>) {
  // expected-error @below {{'graph.matmul' op mixes element types 'f32' and 'bf16'; wants one}}
  %y = graph.matmul %a, %b : (tensor<2x3xf32>, tensor<3x2xbf16>) -> tensor<2x2xf32>
  train.return
}

// -----

// C5
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error @below {{'graph.matmul' op gives 'tensor<2x2xbf16>', but its operands and attributes make 'tensor<2x2xf32>'}}
  %y = graph.matmul %a, %b : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xbf16>
  train.return
}
