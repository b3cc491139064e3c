// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1 of a unary op
train.program @f model inputs ["0"] outputs [] (%a: tensor<2xf32>) {
  // expected-error @below {{'graph.relu' op gives 'tensor<3xf32>', but its operands and attributes make 'tensor<2xf32>'}}
  %y = graph.relu %a : tensor<2xf32> -> tensor<3xf32>
  train.return
}

// -----

// C1 of a binary op
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2xf32>, %b: tensor<2xf16>) {
  // expected-error @below {{'graph.add' op mixes element types 'f32' and 'f16'; wants one}}
  %y = graph.add %a, %b : (tensor<2xf32>, tensor<2xf16>) -> tensor<2xf32>
  train.return
}

// -----

// C2 of a binary op
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @below {{'graph.mul' op has operands of 2x3 and 2, which do not broadcast}}
  %y = graph.mul %a, %b : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  train.return
}

// -----

// C3 of a binary op
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x1xf32>, %b: tensor<3xf32>) {
  // expected-error @below {{'graph.sub' op gives 'tensor<2x1xf32>', but its operands and attributes make 'tensor<2x3xf32>'}}
  %y = graph.sub %a, %b : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x1xf32>
  train.return
}

// -----

// C1 of an activation gradient
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error @below {{'graph.tanh_grad' op has dy of type 'tensor<2xf32>' and y of type 'tensor<3xf32>'; wants one type}}
  %y = graph.tanh_grad %a, %b : tensor<2xf32>, tensor<3xf32> -> tensor<2xf32>
  train.return
}

// -----

// C1 of bias_add
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @below {{'graph.bias_add' op has a bias of 2 along axis 1 of 2x3}}
  %y = graph.bias_add %a, %b {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  train.return
}

// -----

// C2 of bias_add
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error @below {{'graph.bias_add' op names axis 2, which lies outside rank 2}}
  %y = graph.bias_add %a, %b {axis = 2 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  train.return
}

// -----

// C3 of bias_add
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error @below {{'graph.bias_add' op gives 'tensor<2x3xf16>', but its operands and attributes make 'tensor<2x3xf32>'}}
  %y = graph.bias_add %a, %b {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf16>
  train.return
}

// -----

// C1 of cast
train.program @f model inputs ["0"] outputs [] (%a: tensor<2xf32>) {
  // expected-error @below {{'graph.cast' op gives 'tensor<3xf16>', but its operands and attributes make 'tensor<2xf16>'}}
  %y = graph.cast %a : tensor<2xf32> -> tensor<3xf16>
  train.return
}

// -----

// C1 of compare
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2xf32>, %b: tensor<2xi64>) {
  // expected-error @below {{'graph.compare' op mixes element types 'f32' and 'i64'; wants one}}
  %y = graph.compare eq %a, %b : (tensor<2xf32>, tensor<2xi64>) -> tensor<2xi1>
  train.return
}

// -----

// C2 of compare
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error @below {{'graph.compare' op has operands of 2 and 3, which do not broadcast}}
  %y = graph.compare lt %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xi1>
  train.return
}

// -----

// C3 of compare
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error @below {{'graph.compare' op gives 'tensor<1xi1>', but its operands and attributes make 'tensor<2xi1>'}}
  %y = graph.compare lt %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xi1>
  train.return
}

// -----

// C1 of select
train.program @f model inputs ["0", "1", "2"] outputs [] (%c: tensor<2xi1>, %a: tensor<2xf32>, %b: tensor<2xf16>) {
  // expected-error @below {{'graph.select' op mixes element types 'f32' and 'f16'; wants one}}
  %y = graph.select %c, %a, %b : (tensor<2xi1>, tensor<2xf32>, tensor<2xf16>) -> tensor<2xf32>
  train.return
}

// -----

// C2 of select
train.program @f model inputs ["0", "1", "2"] outputs [] (%c: tensor<3xi1>, %a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error @below {{'graph.select' op has a condition of 3 and branches of 2, which do not broadcast}}
  %y = graph.select %c, %a, %b : (tensor<3xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  train.return
}

// -----

// C3 of select
train.program @f model inputs ["0", "1", "2"] outputs [] (%c: tensor<2xi1>, %a: tensor<f32>, %b: tensor<f32>) {
  // expected-error @below {{'graph.select' op gives 'tensor<f32>', but its operands and attributes make 'tensor<2xf32>'}}
  %y = graph.select %c, %a, %b : (tensor<2xi1>, tensor<f32>, tensor<f32>) -> tensor<f32>
  train.return
}

// -----

// C1 of a logical op
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2xi1>, %b: tensor<2xi32>) {
  // expected-error @below {{'graph.logical_and' op operand #1 must be ranked tensor of 1-bit signless integer values, but got 'tensor<2xi32>'}}
  %y = graph.logical_and %a, %b : (tensor<2xi1>, tensor<2xi32>) -> tensor<2xi1>
  train.return
}

// -----

// C2 of a logical op
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2xi1>, %b: tensor<3xi1>) {
  // expected-error @below {{'graph.logical_or' op has operands of 2 and 3, which do not broadcast}}
  %y = graph.logical_or %a, %b : (tensor<2xi1>, tensor<3xi1>) -> tensor<3xi1>
  train.return
}

// -----

// C3 of a logical op
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2xi1>, %b: tensor<i1>) {
  // expected-error @below {{'graph.logical_or' op gives 'tensor<i1>', but its operands and attributes make 'tensor<2xi1>'}}
  %y = graph.logical_or %a, %b : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  train.return
}

// -----

// C1 of a predicate
train.program @f model inputs ["0"] outputs [] (%a: tensor<2xf32>) {
  // expected-error @below {{'graph.is_nan' op gives 'tensor<3xi1>', but its operands and attributes make 'tensor<2xi1>'}}
  %y = graph.is_nan %a : tensor<2xf32> -> tensor<3xi1>
  train.return
}

// -----

// C1 of gelu
train.program @f model inputs ["0"] outputs [] (%a: tensor<2xf32>) {
  // expected-error @below {{'graph.gelu' op gives 'tensor<2xf16>', but its operands and attributes make 'tensor<2xf32>'}}
  %y = graph.gelu %a : tensor<2xf32> -> tensor<2xf16>
  train.return
}

// -----

// C1 of gelu_grad
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2xf32>, %b: tensor<2xf16>) {
  // expected-error @below {{'graph.gelu_grad' op has dy of type 'tensor<2xf32>' and x of type 'tensor<2xf16>'; wants one type}}
  %y = graph.gelu_grad %a, %b : tensor<2xf32>, tensor<2xf16> -> tensor<2xf32>
  train.return
}
