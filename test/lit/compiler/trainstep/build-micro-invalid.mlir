// RUN: not amp-opt %s -split-input-file --amp-trainstep-declare-states --amp-trainstep-build-micro 2>&1 | FileCheck %s
// RUN: not amp-opt %s -split-input-file --amp-trainstep-build-micro 2>&1 | FileCheck %s --check-prefix=STATES

// STATES: error: holds no state of role loss_scale; run amp-trainstep-declare-states first

// All at once, with the names of their nodes.
// CHECK: error: 2 operators between a parameter and the loss have no gradient:
// CHECK-NEXT: node 'head/GatherElements_3' (graph.gather_elements)
// CHECK-NEXT: node 'head/GatherElements_4' (graph.gather_elements)
// CHECK-NEXT: freeze what lies before them with --freeze=REGEX, or take them out of the model
train.state @w : tensor<3xf32> parameter
train.program @model model inputs [] outputs ["loss"] () -> tensor<f32> {
  %w = train.read @w : tensor<3xf32>
  %i = graph.constant dense<[0, 1]> : tensor<2xi64>
  %0 = graph.gather_elements %w, %i {axis = 0 : i64} : (tensor<3xf32>, tensor<2xi64>) -> tensor<2xf32> loc("head/GatherElements_3")
  %j = graph.constant dense<[1]> : tensor<1xi64>
  %1 = graph.gather_elements %0, %j {axis = 0 : i64} : (tensor<2xf32>, tensor<1xi64>) -> tensor<1xf32> loc("head/GatherElements_4")
  %2 = graph.reshape %1 : tensor<1xf32> -> tensor<f32>
  train.return %2 : tensor<f32>
}

// -----

// CHECK: error: 'train.state' op is a parameter that the loss does not depend on; give it the role frozen
train.state @w : tensor<f32> parameter
train.program @model model inputs ["x"] outputs ["loss"] (%x: tensor<f32>) -> tensor<f32> {
  train.return %x : tensor<f32>
}
