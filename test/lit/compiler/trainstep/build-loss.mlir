// RUN: amp-opt %s -split-input-file --amp-trainstep-build-loss 2>/dev/null | FileCheck %s
// RUN: amp-opt %s -split-input-file --amp-trainstep-build-loss -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A matrix is trained with cross-entropy over axis 1; the labels come last and have the classes as limit.
// REMARK: remark: [loss] output 'y' has rank 2: trains with cross-entropy
// CHECK-LABEL: train.program @model
// CHECK-SAME: inputs ["x", "labels"] outputs ["y", "loss"]
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>, %[[LABELS:.*]]: tensor<2xi64>) -> (tensor<2x3xf32>, tensor<f32>)
// CHECK: %[[Y:.*]] = graph.relu %[[X]]
// CHECK: %[[LOSS:.*]] = graph.cross_entropy %[[Y]], %[[LABELS]] {axis = 1 : i64, ignore_index = -100 : i64}
// CHECK: train.return %[[Y]], %[[LOSS]]
train.program @model model inputs ["x"] outputs ["y"] (%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.relu %x : tensor<2x3xf32> -> tensor<2x3xf32>
  train.return %0 : tensor<2x3xf32>
}

// -----

// The classes of rank 3 lie on the last axis, and a remark says so.
// REMARK: remark: [loss] output 'y' has rank 3: trains with cross-entropy
// REMARK: remark: [loss] output 'y' has rank 3: its classes lie on the last axis; choose another with axis=N
// CHECK-LABEL: train.program @model
// CHECK: graph.cross_entropy {{.*}} {axis = 2 : i64
// CHECK-SAME: tensor<2x5xi64>
train.program @model model inputs ["x"] outputs ["y"] (%x: tensor<2x5x3xf32>) -> tensor<2x5x3xf32> {
  train.return %x : tensor<2x5x3xf32>
}

// -----

// A scalar is minimised as it is: no labels. It is reshaped to rank 0, and its name is given once.
// REMARK: remark: [loss] output 'loss' is a scalar: it is minimised as it is
// CHECK-LABEL: train.program @model
// CHECK-SAME: inputs ["x"] outputs ["loss"]
// CHECK: %[[S:.*]] = graph.reshape %{{.*}} : tensor<1xf32> -> tensor<f32>
// CHECK: train.return %[[S]] : tensor<f32>
train.program @model model inputs ["x"] outputs ["loss"] (%x: tensor<1xf32>) -> tensor<1xf32> {
  %0 = graph.relu %x : tensor<1xf32> -> tensor<1xf32>
  train.return %0 : tensor<1xf32>
}
