// RUN: amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro --amp-trainstep-build-eval --amp-trainstep-build-derive | FileCheck %s
// RUN: not amp-opt %s --amp-trainstep-build-eval 2>&1 | FileCheck %s --check-prefix=ORDER

// Dropout is the identity in an evaluation, and the model is gone.
// CHECK-NOT: train.program @model
// CHECK: train.program @micro
// CHECK: graph.dropout
// CHECK: train.program @eval eval inputs ["x"] outputs ["y", "loss"]
// CHECK-NOT: graph.dropout
// CHECK: %[[Y:.*]] = graph.mul %{{.*}}, %{{.*}}
// CHECK: %[[LOSS:.*]] = graph.reduce_sum %[[Y]]
// CHECK: train.return %[[Y]], %[[LOSS]]
// CHECK: train.program @derive derive inputs [] outputs [] ()
// CHECK-NEXT: train.return
// ORDER: error: holds no program of kind micro; run amp-trainstep-build-micro first
train.state @w : tensor<2xf32> parameter
train.program @model model inputs ["x"] outputs ["y", "loss"] (%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>) {
  %w = train.read @w : tensor<2xf32>
  %d = graph.dropout %x {ratio = 0.5 : f64, number = 0 : i64} : tensor<2xf32> -> tensor<2xf32>
  %0 = graph.mul %d, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = graph.reduce_sum %0 {axes = array<i64: 0>} : tensor<2xf32> -> tensor<f32>
  train.return %0, %1 : tensor<2xf32>, tensor<f32>
}
