// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1 of dynamic_expand
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %s: tensor<2xi32>) {
  // expected-error @below {{'graph.dynamic_expand' op has a shape of type 'tensor<2xi32>'; wants rank 1 of i64}}
  %y = graph.dynamic_expand %a, %s : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  train.return
}

// -----

// A shape to which x does not broadcast
train.program @f model inputs ["0"] outputs [] (%a: tensor<2x3xf32>) {
  %s = graph.constant dense<[2, 2]> : tensor<2xi64>
  // expected-error @below {{'graph.dynamic_expand' op expands 2x3 to 2x2, to which it does not broadcast}}
  %y = graph.dynamic_expand %a, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  train.return
}

// -----

// C1 of fill
train.program @f model inputs ["0"] outputs [] (%s: tensor<i64>) {
  // expected-error @below {{'graph.fill' op has a shape of type 'tensor<i64>'; wants rank 1 of i64}}
  %y = graph.fill %s {value = dense<0> : tensor<1xi64>} : tensor<i64> -> tensor<?xi64>
  train.return
}

// -----

// C2 of fill
train.program @f model inputs ["0"] outputs [] (%s: tensor<1xi64>) {
  // expected-error @below {{'graph.fill' op has a value of type 'tensor<2xi64>'; wants one element}}
  %y = graph.fill %s {value = dense<0> : tensor<2xi64>} : tensor<1xi64> -> tensor<?xi64>
  train.return
}

// -----

// A negative length
train.program @f model inputs [] outputs [] () {
  %s = graph.constant dense<[2, -1]> : tensor<2xi64>
  // expected-error @below {{'graph.fill' op has a shape with length -1; wants lengths of 0 or more}}
  %y = graph.fill %s {value = dense<0> : tensor<1xi64>} : tensor<2xi64> -> tensor<?x?xi64>
  train.return
}

// -----

// C1 of range
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<i64>, %b: tensor<i32>) {
  // expected-error @below {{'graph.range' op counts from 'tensor<i64>' with 'tensor<i32>'; wants scalars of one type}}
  %y = graph.range %a, %b, %a : (tensor<i64>, tensor<i32>, tensor<i64>) -> tensor<?xi64>
  train.return
}

// -----

// C2 of range
train.program @f model inputs [] outputs [] () {
  %a = graph.constant dense<0> : tensor<i64>
  %b = graph.constant dense<4> : tensor<i64>
  // expected-error @below {{'graph.range' op counts from 0 to 4 by 0; wants a range that ends}}
  %y = graph.range %a, %b, %a : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  train.return
}

// -----

// C1 of trilu
train.program @f model inputs ["0"] outputs [] (%a: tensor<3xf32>) {
  // expected-error @below {{'graph.trilu' op takes a triangle of rank 1; wants rank 2 or more}}
  %y = graph.trilu %a {upper = true, k = 0 : i64} : tensor<3xf32> -> tensor<3xf32>
  train.return
}

// -----

// C2 of trilu
train.program @f model inputs ["0"] outputs [] (%a: tensor<2x3xf32>) {
  // expected-error @below {{'graph.trilu' op gives 'tensor<3x3xf32>', but its operands and attributes make 'tensor<2x3xf32>'}}
  %y = graph.trilu %a {upper = true, k = 0 : i64} : tensor<2x3xf32> -> tensor<3x3xf32>
  train.return
}

// -----

// C1 of gather_grad
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %i: tensor<2xi64>) {
  // expected-error @below {{'graph.gather_grad' op names axis 2, which lies outside rank 2}}
  %y = graph.gather_grad %a, %i {axis = 2 : i64, length = 5 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  train.return
}

// -----

// C2 of gather_grad
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %i: tensor<4xi64>) {
  // expected-error @below {{'graph.gather_grad' op has dy of 2x3 for indices of 4 along axis 0}}
  %y = graph.gather_grad %a, %i {axis = 0 : i64, length = 5 : i64} : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<5x3xf32>
  train.return
}

// -----

// C1 of gather_elements
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %i: tensor<2x3xi64>) {
  // expected-error @below {{'graph.gather_elements' op names axis 2, which lies outside rank 2}}
  %y = graph.gather_elements %a, %i {axis = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  train.return
}

// -----

// C2 of gather_elements
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %i: tensor<3x1xi64>) {
  // expected-error @below {{'graph.gather_elements' op takes elements of 2x3 at indices of 3x1 along axis 1}}
  %y = graph.gather_elements %a, %i {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3x1xi64>) -> tensor<3x1xf32>
  train.return
}

// -----

// C1 of gather_nd
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %i: tensor<4x3xi64>) {
  // expected-error @below {{'graph.gather_nd' op has indices of 4x3 into 2x3; wants tuples of 1 to 2}}
  %y = graph.gather_nd %a, %i {batch_dims = 0 : i64} : (tensor<2x3xf32>, tensor<4x3xi64>) -> tensor<4xf32>
  train.return
}

// -----

// C2 of gather_nd
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %i: tensor<4x1xi64>) {
  // expected-error @below {{'graph.gather_nd' op takes slices of 2x3 at indices of 4x1, which differ on the first 1 axes}}
  %y = graph.gather_nd %a, %i {batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<4x1xi64>) -> tensor<4xf32>
  train.return
}

// -----

// C2 of gather_nd, with too many axes
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %i: tensor<2x1xi64>) {
  // expected-error @below {{'graph.gather_nd' op shares 2 axes between 2x3 and 2x1; wants less than either rank}}
  %y = graph.gather_nd %a, %i {batch_dims = 2 : i64} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2xf32>
  train.return
}

// -----

// C1 of dynamic_slice
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %s: tensor<2xi64>) {
  // expected-error @below {{'graph.dynamic_slice' op has a list of type 'tensor<2xi64>' for 1 axes; wants rank 1 and that length}}
  %y = graph.dynamic_slice %a, %s, %s {axes = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x3xf32>
  train.return
}

// -----

// C4 of slice_grad
train.program @f model inputs ["0"] outputs [] (%a: tensor<2x3xf32>) {
  // expected-error @below {{'graph.slice_grad' op has dy of 2x3; wants 3x3, what slice takes of 5x3}}
  %y = graph.slice_grad %a {axes = array<i64: 0>, starts = array<i64: 1>, ends = array<i64: 4>, steps = array<i64: 1>, input_shape = array<i64: 5, 3>} : tensor<2x3xf32> -> tensor<5x3xf32>
  train.return
}
