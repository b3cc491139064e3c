// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK: plan.kernel @negate attributes {aliases = array<i64: 0>, implementation = "generated", steps = [#plan.generated<"whole">], tiles = 1 : i64, workspace = 0 : i64} {
// CHECK: ^bb0(%{{.*}}: tensor<4xf32>):
// CHECK: graph.yield %{{.*}} : tensor<4xf32>
plan.kernel @negate attributes {implementation = "generated", tiles = 1 : i64, workspace = 0 : i64,
                                aliases = array<i64: 0>, steps = [#plan.generated<"whole">]} {
^bb0(%x: tensor<4xf32>):
  %y = graph.neg %x : tensor<4xf32> -> tensor<4xf32>
  graph.yield %y : tensor<4xf32>
}

// CHECK-LABEL: @on_tensors
// CHECK: %[[Y:.*]] = plan.call @negate(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: plan.view %[[Y]] : tensor<4xf32> -> tensor<2x2xf32>
train.program @on_tensors model inputs ["x"] outputs ["y"] (%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %y = plan.call @negate(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %v = plan.view %y : tensor<4xf32> -> tensor<2x2xf32>
  train.return %v : tensor<2x2xf32>
}

// CHECK-LABEL: @on_buffers
// CHECK: %[[A:.*]] = plan.argument 0 bytes 16
// CHECK: %[[W:.*]] = plan.state_slot @w at 64 bytes 16
// CHECK: %[[S:.*]] = plan.slot 128 bytes 16
// CHECK: plan.launch @negate(%[[A]], %[[S]])
// CHECK: plan.launch @negate(%[[W]], %[[W]]) if %[[S]]
// CHECK: train.return %[[S]] : !plan.buffer
train.state @w : tensor<4xf32> parameter at 64
train.program @on_buffers model inputs ["x"] outputs ["y"] scratch 192 (%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = plan.argument 0 bytes 16
  %w = plan.state_slot @w at 64 bytes 16
  %s = plan.slot 128 bytes 16
  plan.launch @negate(%a, %s)
  plan.launch @negate(%w, %w) if %s
  train.return %s : !plan.buffer
}
