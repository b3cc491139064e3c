// RUN: amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro | FileCheck %s
// RUN: amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC
// RUN: amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro="dropout=false" | FileCheck %s --check-prefix=OFF

// Only the loss leaves; the backward starts from the scale; a weight that is read twice has one gradient, added in fp32;
// dropout is keyed, and its gradient draws the same mask.
// CHECK: train.state @"w/gradient" : tensor<3x3xf32> gradient of @w
// CHECK: train.program @micro micro inputs ["x", "labels"] outputs ["loss"]
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>, %[[LABELS:.*]]: tensor<2xi64>) -> tensor<f32>
// CHECK-DAG: %[[SEED:.*]] = train.read @seed
// CHECK-DAG: %[[STEP:.*]] = train.read @step_count
// CHECK: %[[W:.*]] = train.read @w
// CHECK-NOT: train.read @w
// CHECK: %[[H:.*]] = graph.matmul %[[X]], %[[W]]
// CHECK: %[[D:.*]] = graph.dropout %[[H]] keyed(%[[SEED]], %[[STEP]]
// CHECK: %[[Y:.*]] = graph.matmul %[[D]], %[[W]]
// CHECK: %[[LOSS:.*]] = graph.cross_entropy %[[Y]], %[[LABELS]]
// CHECK: %[[SCALE:.*]] = train.read @loss_scale
// CHECK: %[[DY:.*]] = graph.cross_entropy_grad %[[SCALE]], %[[Y]], %[[LABELS]]
// CHECK-DAG: %[[DD:.*]] = graph.matmul %[[DY]], %[[W]] {transpose_rhs = true}
// CHECK-DAG: %[[DW2:.*]] = graph.matmul %[[D]], %[[DY]] {transpose_lhs = true}
// CHECK: %[[DH:.*]] = graph.dropout %[[DD]] keyed(%[[SEED]], %[[STEP]]
// CHECK: %[[DW1:.*]] = graph.matmul %[[X]], %[[DH]] {transpose_lhs = true}
// CHECK: %[[DW:.*]] = graph.add %[[DW2]], %[[DW1]] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
// CHECK: train.commit %[[DW]] to @"w/gradient"
// CHECK: train.commit %[[LOSS]] to @loss
// CHECK: train.return %[[LOSS]] : tensor<f32>

// LOC: train.program @micro
// LOC: graph.cross_entropy_grad {{.*}} loc(#[[AT:loc[0-9]*]])
// LOC-DAG: #[[NAME:loc[0-9]*]] = loc("loss node")
// LOC-DAG: #[[AT]] = loc(fused<"gradient">[#[[NAME]]])

// OFF: train.program @micro
// OFF-NOT: graph.dropout
// OFF: train.return
train.state @w : tensor<3x3xf32> parameter
train.program @model model inputs ["x", "labels"] outputs ["y", "loss"] (%x: tensor<2x3xf32>, %labels: tensor<2xi64>) -> (tensor<2x3xf32>, tensor<f32>) {
  %w = train.read @w : tensor<3x3xf32>
  %h = graph.matmul %x, %w : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  %d = graph.dropout %h {ratio = 0.5 : f64, number = 4 : i64} : tensor<2x3xf32> -> tensor<2x3xf32>
  %again = train.read @w : tensor<3x3xf32>
  %y = graph.matmul %d, %again : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  %loss = graph.cross_entropy %y, %labels {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<f32> loc("loss node")
  train.return %y, %loss : tensor<2x3xf32>, tensor<f32>
}
