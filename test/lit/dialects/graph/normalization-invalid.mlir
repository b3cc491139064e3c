// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1 of batch_norm
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.batch_norm' op names axis 2, which lies outside rank 2}}
  %y = graph.batch_norm %x, %v, %v, %v, %v {axis = 2 : i64, eps = 0.1, momentum = 0.5} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  train.return
}

// -----

// C2 of batch_norm
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{'graph.batch_norm' op has operand 1 of type 'tensor<4xf32>'; wants 'tensor<3xf32>', one value a channel}}
  %y = graph.batch_norm %x, %v, %v, %v, %v {axis = 1 : i64, eps = 0.1, momentum = 0.5} : (tensor<4x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  train.return
}

// -----

// C3 of batch_norm
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.batch_norm' op gives 'tensor<4x3xf16>', but its operands and attributes make 'tensor<4x3xf32>'}}
  %y = graph.batch_norm %x, %v, %v, %v, %v {axis = 1 : i64, eps = 0.1, momentum = 0.5} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf16>
  train.return
}

// -----

// C4 of batch_norm
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.batch_norm' op has momentum 1.500000e+00; wants 0 to 1}}
  %y = graph.batch_norm %x, %v, %v, %v, %v {axis = 1 : i64, eps = 0.1, momentum = 1.5} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  train.return
}

// -----

// C4 of batch_norm
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.batch_norm' op has eps -1.000000e-01; wants a number that is not negative}}
  %y = graph.batch_norm %x, %v, %v, %v, %v {axis = 1 : i64, eps = -0.1, momentum = 0.5} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  train.return
}

// -----

// C1 of batch_moments
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.batch_moments' op names axis 2, which lies outside rank 2}}
  %m, %w, %d = graph.batch_moments %x {axis = 2 : i64, eps = 0.1} : (tensor<4x3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  train.return
}

// -----

// C2 of batch_moments
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.batch_moments' op gives 'tensor<4xf32>', but its operands and attributes make 'tensor<3xf32>'}}
  %m, %w, %d = graph.batch_moments %x {axis = 1 : i64, eps = 0.1} : (tensor<4x3xf32>) -> (tensor<3xf32>, tensor<4xf32>, tensor<3xf32>)
  train.return
}

// -----

// C1 of normalize
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.normalize' op names axis -1, which lies outside rank 2}}
  %y = graph.normalize %x, %v, %v, %v, %v {axis = -1 : i64, of_batch = false} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  train.return
}

// -----

// C2 of normalize
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf16>) {
  // expected-error @below {{'graph.normalize' op has operand 1 of type 'tensor<3xf16>'; wants 'tensor<3xf32>', one value a channel}}
  %y = graph.normalize %x, %v, %v, %v, %v {axis = 1 : i64, of_batch = false} : (tensor<4x3xf32>, tensor<3xf16>, tensor<3xf16>, tensor<3xf16>, tensor<3xf16>) -> tensor<4x3xf32>
  train.return
}

// -----

// C3 of normalize
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.normalize' op gives 'tensor<3x4xf32>', but its operands and attributes make 'tensor<4x3xf32>'}}
  %y = graph.normalize %x, %v, %v, %v, %v {axis = 1 : i64, of_batch = false} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  train.return
}

// -----

// C1 of normalize_sums
train.program @f model inputs ["x", "v", "d"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>, %d: tensor<4x3xf16>) {
  // expected-error @below {{'graph.normalize_sums' op has operands of types 'tensor<4x3xf16>' and 'tensor<4x3xf32>'; wants one type}}
  %a, %b = graph.normalize_sums %d, %x, %v, %v {axis = 1 : i64} : (tensor<4x3xf16>, tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  train.return
}

// -----

// C2 of normalize_sums
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.normalize_sums' op has operand 2 of type 'tensor<3xf32>'; wants 'tensor<4xf32>', one value a channel}}
  %a, %b = graph.normalize_sums %x, %x, %v, %v {axis = 0 : i64} : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  train.return
}

// -----

// C1 of normalize_grad
train.program @f model inputs ["x", "v", "d"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>, %d: tensor<4x3xf16>) {
  // expected-error @below {{'graph.normalize_grad' op has operands of types 'tensor<4x3xf16>' and 'tensor<4x3xf32>'; wants one type}}
  %a = graph.normalize_grad %d, %x, %v, %v, %v, %v, %v {axis = 1 : i64} : (tensor<4x3xf16>, tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  train.return
}

// -----

// C2 of normalize_grad
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.normalize_grad' op has operand 2 of type 'tensor<3xf32>'; wants 'tensor<4xf32>', one value a channel}}
  %a = graph.normalize_grad %x, %x, %v, %v, %v, %v, %v {axis = 0 : i64} : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  train.return
}

// -----

// C1 of update_statistics
train.program @f model inputs ["v", "u"] outputs [] (%v: tensor<3xf32>, %u: tensor<4xf32>) {
  // expected-error @below {{'graph.update_statistics' op has operands of types 'tensor<3xf32>' and 'tensor<4xf32>'; wants one type}}
  %a, %b = graph.update_statistics %v, %v, %u, %u {momentum = 0.5, correction = 1.0} : (tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  train.return
}

// -----

// C1 of layer_norm
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.layer_norm' op names axis 2, which lies outside rank 2}}
  %y = graph.layer_norm %x, %v {axis = 2 : i64, eps = 0.1} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  train.return
}

// -----

// C2 of layer_norm
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.layer_norm' op has scale or bias of type 'tensor<3xf32>'; wants f32 of shape 4x3}}
  %y = graph.layer_norm %x, %v {axis = 0 : i64, eps = 0.1} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  train.return
}

// -----

// C3 of layer_norm
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.layer_norm' op gives 'tensor<4x3xf16>', but its operands and attributes make 'tensor<4x3xf32>'}}
  %y = graph.layer_norm %x, %v {axis = 1 : i64, eps = 0.1} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf16>
  train.return
}

// -----

// layer_norm
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.layer_norm' op has eps -1.000000e+00; wants a number that is not negative}}
  %y = graph.layer_norm %x, %v {axis = 1 : i64, eps = -1.0} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  train.return
}

// -----

// C1 of layer_norm_grad
train.program @f model inputs ["x", "v", "d"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>, %d: tensor<4x3xf16>) {
  // expected-error @below {{'graph.layer_norm_grad' op has operands of types 'tensor<4x3xf16>' and 'tensor<4x3xf32>'; wants one type}}
  %a, %b, %c = graph.layer_norm_grad %d, %x, %v {axis = 1 : i64, eps = 0.1, parts = 1 : i64} : (tensor<4x3xf16>, tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>)
  train.return
}

// -----

// C2 of layer_norm_grad
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.layer_norm_grad' op has scale or bias of type 'tensor<3xf32>'; wants f32 of shape 4x3}}
  %a, %b, %c = graph.layer_norm_grad %x, %x, %v {axis = 0 : i64, eps = 0.1, parts = 1 : i64} : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>)
  train.return
}

// -----

// C3 of layer_norm_grad
train.program @f model inputs ["x", "v"] outputs [] (%x: tensor<4x3xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{'graph.layer_norm_grad' op has 0 parts; wants at least 1}}
  %a, %b, %c = graph.layer_norm_grad %x, %x, %v {axis = 1 : i64, eps = 0.1, parts = 0 : i64} : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<0x3xf32>, tensor<0x3xf32>)
  train.return
}
