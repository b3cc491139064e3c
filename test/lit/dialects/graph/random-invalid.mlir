// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1
train.program @f model inputs ["0"] outputs [] (%a: tensor<2xf32>) {
  // expected-error @below {{'graph.dropout' op has ratio 1.500000e+00; wants 0 to 1}}
  %y = graph.dropout %a {ratio = 1.5 : f64, number = 0 : i64} : tensor<2xf32> -> tensor<2xf32>
  train.return
}

// -----

// C2
train.program @f model inputs ["0"] outputs [] (%a: tensor<2xf32>) {
  // expected-error @below {{'graph.dropout' op gives 'tensor<2xf16>', but its operands and attributes make 'tensor<2xf32>'}}
  %y = graph.dropout %a {ratio = 0.5 : f64, number = 0 : i64} : tensor<2xf32> -> tensor<2xf16>
  train.return
}

// -----

// C3
train.program @f model inputs ["0", "1"] outputs [] (%a: tensor<2xf32>, %s: tensor<i32>) {
  // expected-error @below {{'graph.dropout' op has a key of type 'tensor<i32>'; wants tensor<i64>}}
  %y = graph.dropout %a keyed(%s, %s : tensor<i32>, tensor<i32>) {ratio = 0.5 : f64, number = 0 : i64} : tensor<2xf32> -> tensor<2xf32>
  train.return
}
