// RUN: amp-opt %s -split-input-file -amp-import-recognize-patterns | FileCheck %s
// RUN: amp-opt %s -split-input-file -amp-import-recognize-patterns -verify-diagnostics

// CHECK-LABEL: @erf_by_division
// CHECK-SAME: (%[[X:.*]]: tensor<2x4xf32>)
// CHECK-NEXT: %[[Y:.*]] = graph.gelu %[[X]] :
// CHECK-NEXT: train.return %[[Y]]
train.program @erf_by_division model inputs ["x"] outputs ["y"] (%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %root = graph.constant dense<1.41421354> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.div %x, %root : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %1 = graph.erf %0 : tensor<2x4xf32> -> tensor<2x4xf32>
  %2 = graph.add %1, %one : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %3 = graph.mul %x, %2 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  // expected-remark @below {{[import] recognized graph.gelu where it was spelled out}}
  %y = graph.mul %3, %half : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  train.return %y : tensor<2x4xf32>
}

// -----

// Another order of the factors, and x is computed.
// CHECK-LABEL: @erf_by_product
// CHECK: %[[X:.*]] = graph.exp
// CHECK-NEXT: graph.gelu %[[X]] :
train.program @erf_by_product model inputs ["x"] outputs ["y"] (%z: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %root = graph.constant dense<0.707106769> : tensor<1xf32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %two = graph.constant dense<2.0> : tensor<f32>
  %x = graph.exp %z : tensor<2x4xf32> -> tensor<2x4xf32>
  %0 = graph.mul %x, %root : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  %1 = graph.erf %0 : tensor<2x4xf32> -> tensor<2x4xf32>
  %2 = graph.add %one, %1 : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %3 = graph.div %x, %two : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  // expected-remark @below {{recognized graph.gelu}}
  %y = graph.mul %3, %2 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  train.return %y : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: @tanh_of_a_power
// CHECK-NEXT: graph.gelu %{{.*}} {approximate = true}
// CHECK-NEXT: train.return
train.program @tanh_of_a_power model inputs ["x"] outputs ["y"] (%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %three = graph.constant dense<3.0> : tensor<f32>
  %cubic = graph.constant dense<4.471500e-02> : tensor<f32>
  %slope = graph.constant dense<0.797884583> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.pow %x, %three : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %1 = graph.mul %0, %cubic : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %2 = graph.add %x, %1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %3 = graph.mul %2, %slope : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %4 = graph.tanh %3 : tensor<2x4xf32> -> tensor<2x4xf32>
  %5 = graph.add %4, %one : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %6 = graph.mul %half, %x : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  // expected-remark @below {{recognized graph.gelu}}
  %y = graph.mul %6, %5 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  train.return %y : tensor<2x4xf32>
}

// -----

// sqrt(2/pi) * x * (1 + 0.044715 * x * x).
// CHECK-LABEL: @tanh_of_a_product
// CHECK-NEXT: graph.gelu %{{.*}} {approximate = true}
train.program @tanh_of_a_product model inputs ["x"] outputs ["y"] (%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %cubic = graph.constant dense<4.471500e-02> : tensor<f32>
  %slope = graph.constant dense<0.797884583> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.mul %cubic, %x : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = graph.mul %0, %x : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = graph.add %1, %one : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %3 = graph.mul %x, %slope : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %4 = graph.mul %3, %2 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %5 = graph.tanh %4 : tensor<2x4xf32> -> tensor<2x4xf32>
  %6 = graph.add %5, %one : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %7 = graph.mul %6, %half : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  // expected-remark @below {{recognized graph.gelu}}
  %y = graph.mul %x, %7 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  train.return %y : tensor<2x4xf32>
}

// -----

// Three quarters are no half, and the erf of x is not that of x / sqrt(2).
// CHECK-LABEL: @other_numbers_stay
// CHECK-NOT: gelu
// CHECK-COUNT-2: graph.erf
train.program @other_numbers_stay model inputs ["x"] outputs ["y", "z"] (%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %root = graph.constant dense<1.41421354> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %more = graph.constant dense<0.75> : tensor<f32>
  %0 = graph.div %x, %root : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %1 = graph.erf %0 : tensor<2x4xf32> -> tensor<2x4xf32>
  %2 = graph.add %1, %one : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %3 = graph.mul %x, %2 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %y = graph.mul %3, %more : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %4 = graph.erf %x : tensor<2x4xf32> -> tensor<2x4xf32>
  %5 = graph.add %4, %one : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %6 = graph.mul %x, %5 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %z = graph.mul %6, %half : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  train.return %y, %z : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// CHECK-LABEL: @erf_that_is_an_output_stays
// CHECK-NOT: gelu
// CHECK: graph.erf
train.program @erf_that_is_an_output_stays model inputs ["x"] outputs ["y", "e"] (%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %root = graph.constant dense<1.41421354> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.div %x, %root : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %1 = graph.erf %0 : tensor<2x4xf32> -> tensor<2x4xf32>
  %2 = graph.add %1, %one : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %3 = graph.mul %x, %2 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %y = graph.mul %3, %half : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  train.return %y, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}
