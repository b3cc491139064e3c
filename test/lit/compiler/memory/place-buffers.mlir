// RUN: amp-opt %s -split-input-file -amp-memory-place-states -amp-memory-place-buffers -amp-memory-verify | FileCheck %s

// A chain of three: the first and the third result share a slot, the second has its own.
plan.kernel @double attributes {implementation = "generated", tiles = 1 : i64, workspace = 0 : i64,
                                aliases = array<i64: -1>, steps = [#plan.generated<"whole">]} {
^bb0(%x: tensor<32xf32>):
  %y = graph.add %x, %x : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  graph.yield %y : tensor<32xf32>
}
// CHECK-LABEL: train.program @chain
// CHECK-SAME: scratch 256
train.program @chain micro inputs ["x"] outputs ["y"] (%x: tensor<32xf32>) -> tensor<32xf32> {
  // CHECK: %[[X:.*]] = plan.argument 0 bytes 128
  // CHECK: %[[A:.*]] = plan.slot 0 bytes 128
  // CHECK: %[[B:.*]] = plan.slot 128 bytes 128
  // CHECK: %[[C:.*]] = plan.slot 0 bytes 128
  // CHECK: plan.launch @double(%[[X]], %[[A]])
  // CHECK: plan.launch @double(%[[A]], %[[B]])
  // CHECK: plan.launch @double(%[[B]], %[[C]])
  // CHECK: train.return %[[C]] : !plan.buffer
  %a = plan.call @double(%x) : (tensor<32xf32>) -> tensor<32xf32>
  %b = plan.call @double(%a) : (tensor<32xf32>) -> tensor<32xf32>
  %c = plan.call @double(%b) : (tensor<32xf32>) -> tensor<32xf32>
  train.return %c : tensor<32xf32>
}

// -----

// A view keeps its operand's slot alive and has none of its own.
plan.kernel @negate attributes {implementation = "generated", tiles = 1 : i64, workspace = 0 : i64,
                                aliases = array<i64: -1>, steps = [#plan.generated<"whole">]} {
^bb0(%x: tensor<32xf32>):
  %y = graph.neg %x : tensor<32xf32> -> tensor<32xf32>
  graph.yield %y : tensor<32xf32>
}
plan.kernel @negate2d attributes {implementation = "generated", tiles = 1 : i64, workspace = 0 : i64,
                                  aliases = array<i64: -1>, steps = [#plan.generated<"whole">]} {
^bb0(%x: tensor<4x8xf32>):
  %y = graph.neg %x : tensor<4x8xf32> -> tensor<4x8xf32>
  graph.yield %y : tensor<4x8xf32>
}
// CHECK-LABEL: train.program @view
train.program @view micro inputs ["x"] outputs ["y"] (%x: tensor<32xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[A:.*]] = plan.slot 0 bytes 128
  // CHECK: %[[B:.*]] = plan.slot 128 bytes 128
  // CHECK: plan.launch @negate(%{{.*}}, %[[A]])
  // CHECK: plan.launch @negate2d(%[[A]], %[[B]])
  // CHECK-NOT: plan.view
  %a = plan.call @negate(%x) : (tensor<32xf32>) -> tensor<32xf32>
  %v = plan.view %a : tensor<32xf32> -> tensor<4x8xf32>
  %b = plan.call @negate2d(%v) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  train.return %b : tensor<4x8xf32>
}

// -----

// An update happens in its state, under its predicate; the predicate's slot lives until the launch.
// CHECK: train.state @w : tensor<32xf32> parameter at 0
// CHECK: train.state @g : tensor<32xf32> gradient of @w at 128
train.state @w : tensor<32xf32> parameter
train.state @g : tensor<32xf32> gradient of @w
plan.kernel @test attributes {implementation = "generated", tiles = 1 : i64, workspace = 0 : i64,
                              aliases = array<i64: -1, -1>, steps = [#plan.generated<"whole">]} {
^bb0(%g: tensor<32xf32>):
  %parts = train.sum_squares %g : tensor<32xf32> -> tensor<1xf64>
  %finite, %norm = train.measure %parts : (tensor<1xf64>) -> (tensor<i1>, tensor<f32>)
  graph.yield %finite, %norm : tensor<i1>, tensor<f32>
}
plan.kernel @update attributes {implementation = "generated", tiles = 1 : i64, workspace = 0 : i64,
                                aliases = array<i64: 0>, steps = [#plan.generated<"whole">]} {
^bb0(%w: tensor<32xf32>, %g: tensor<32xf32>):
  %y = graph.sub %w, %g : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  graph.yield %y : tensor<32xf32>
}
// CHECK-LABEL: train.program @update_in_place
train.program @update_in_place finish inputs [] outputs ["finite"] () -> tensor<i1> {
  // CHECK-DAG: %[[G:.*]] = plan.state_slot @g at 128 bytes 128
  // CHECK-DAG: %[[W:.*]] = plan.state_slot @w at 0 bytes 128
  // CHECK: plan.launch @test(%[[G]], %[[FINITE:.*]], %{{.*}})
  // CHECK: plan.launch @update(%[[W]], %[[G]], %[[W]]) if %[[FINITE]]
  %w = train.read @w : tensor<32xf32>
  %g = train.read @g : tensor<32xf32>
  %finite, %norm = plan.call @test(%g) : (tensor<32xf32>) -> (tensor<i1>, tensor<f32>)
  %y = plan.call @update(%w, %g) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  train.commit %y to @w if %finite : tensor<i1> : tensor<32xf32>
  train.return %finite : tensor<i1>
}
