// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %l: tensor<2xi64>) {
  // expected-error @below {{'graph.cross_entropy' op names axis 2, which lies outside rank 2}}
  %y = graph.cross_entropy %a, %l {axis = 2 : i64, ignore_index = -100 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<f32>
  train.return
}

// -----

// C2
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %l: tensor<3xi64>) {
  // expected-error @below {{'graph.cross_entropy' op has labels of type 'tensor<3xi64>'; wants 'tensor<2xi64>'}}
  %y = graph.cross_entropy %a, %l {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<f32>
  train.return
}

// -----

// C3
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %l: tensor<2xi64>) {
  // expected-error @below {{'graph.cross_entropy' op gives 'tensor<2xf32>', but its operands and attributes make 'tensor<f32>'}}
  %y = graph.cross_entropy %a, %l {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2xf32>
  train.return
}

// -----

// C4 of the gradient
train.program @f model inputs ["0", "1", "2"] outputs [] (%d: tensor<f16>, %a: tensor<2x3xf16>, %l: tensor<2xi64>) {
  // expected-error @below {{'graph.cross_entropy_grad' op has dloss of type 'tensor<f16>'; wants tensor<f32>}}
  %y = graph.cross_entropy_grad %d, %a, %l {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<f16>, tensor<2x3xf16>, tensor<2xi64>) -> tensor<2x3xf16>
  train.return
}

// -----

// C1 of mse
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error @below {{'graph.mse' op has x of 2 and a target of 3; wants one shape}}
  %y = graph.mse %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<f32>
  train.return
}

// -----

// C2 of mse
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error @below {{'graph.mse' op gives 'tensor<1xf32>', but its operands and attributes make 'tensor<f32>'}}
  %y = graph.mse %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  train.return
}
