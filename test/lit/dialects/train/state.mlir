// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK: train.state @fc.weight : tensor<3x4xf32> parameter = #train.external<"model.onnx", 120, 48>
train.state @"fc.weight" : tensor<3x4xf32> parameter = #train.external<"model.onnx", 120, 48>
// CHECK: train.state @"fc.weight/gradient" : tensor<3x4xf32> gradient of @fc.weight at 64
train.state @"fc.weight/gradient" : tensor<3x4xf32> gradient of @"fc.weight" at 64
// CHECK: train.state @loss_scale : tensor<f32> loss_scale = dense<6.553600e+04> : tensor<f32>
train.state @loss_scale : tensor<f32> loss_scale = dense<65536.0> : tensor<f32>

// CHECK-LABEL: train.program @micro micro inputs ["x", "labels"] outputs ["loss"]
// CHECK-SAME: index_limits [0, 10] ignore_indices [0, -100] scratch 128
// CHECK-SAME: (%[[X:.*]]: tensor<3x4xf32>, %{{.*}}: tensor<8xi64>) -> tensor<f32>
train.program @micro micro inputs ["x", "labels"] outputs ["loss"] index_limits [0, 10] ignore_indices [0, -100]
    scratch 128 (%x: tensor<3x4xf32>, %labels: tensor<8xi64>) -> tensor<f32> {
  // CHECK: %[[SCALE:.*]] = train.read @loss_scale : tensor<f32>
  %scale = train.read @loss_scale : tensor<f32>
  // CHECK: %[[FLAG:.*]] = graph.compare
  %flag = graph.compare eq %scale, %scale : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK: train.commit %[[X]] to @"fc.weight/gradient" if %[[FLAG]] : tensor<i1> : tensor<3x4xf32>
  train.commit %x to @"fc.weight/gradient" if %flag : tensor<i1> : tensor<3x4xf32>
  // CHECK: train.commit %[[SCALE]] to @loss_scale : tensor<f32>
  train.commit %scale to @loss_scale : tensor<f32>
  // CHECK: train.return %[[SCALE]] : tensor<f32>
  train.return %scale : tensor<f32>
}

// CHECK: train.program @derive derive inputs [] outputs [] () {
// CHECK-NEXT: train.return
train.program @derive derive inputs [] outputs [] () {
  train.return
}
