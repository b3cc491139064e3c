// RUN: amp-opt %s --amp-trainstep-declare-states="loss-scale=dynamic" --amp-trainstep-build-micro --amp-trainstep-build-finish="momentum=0.9 weight-decay=0.01" | FileCheck %s --check-prefixes=CHECK,SGD
// RUN: amp-opt %s --amp-trainstep-declare-states="loss-scale=dynamic" --amp-trainstep-build-micro --amp-trainstep-build-finish="optimizer=adamw beta2=0.95 interval=5" | FileCheck %s --check-prefixes=CHECK,ADAM
// RUN: amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro --amp-trainstep-build-finish | FileCheck %s --check-prefixes=FIXED
// RUN: amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro --amp-trainstep-build-finish="nonfinite=ignore" | FileCheck %s --check-prefixes=IGNORE
// RUN: not amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro --amp-trainstep-build-finish="optimizer=lion" 2>&1 | FileCheck %s --check-prefixes=KIND
// RUN: not amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro --amp-trainstep-build-finish="nesterov=true" 2>&1 | FileCheck %s --check-prefixes=NESTEROV
// RUN: not amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-finish 2>&1 | FileCheck %s --check-prefixes=ORDER

// SGD: train.state @"w/momentum" : tensor<2xf32> moment of @w
// ADAM: train.state @beta1_power : tensor<f64> power = dense<1.000000e+00>
// ADAM: train.state @beta2_power : tensor<f64> power = dense<1.000000e+00>
// ADAM: train.state @"w/m" : tensor<2xf32> moment of @w
// ADAM: train.state @"w/v" : tensor<2xf32> moment of @w
// CHECK: train.program @finish finish inputs [] outputs ["finite", "gradient_norm"] () -> (tensor<i1>, tensor<f32>)
// CHECK: %[[SCALE:.*]] = train.read @loss_scale
// CHECK: %[[LR:.*]] = train.read @learning_rate
// CHECK: %[[STEPS:.*]] = train.read @step_count
// CHECK: %[[G:.*]] = train.read @"w/gradient"
// CHECK: %[[U:.*]] = train.unscale %[[G]], %[[SCALE]]
// CHECK: %[[PARTS:.*]] = train.sum_squares %[[U]] : tensor<2xf32> -> tensor<1xf64>
// CHECK: %[[FINITE:.*]], %[[NORM:.*]] = train.measure %[[PARTS]] : (tensor<1xf64>)

// SGD: %[[W:.*]] = train.read @w
// SGD: %[[B:.*]] = train.read @"w/momentum"
// SGD: %[[NEW:.*]], %[[BUFFER:.*]] = train.sgd %[[W]], %[[U]], %[[LR]], %[[STEPS]], %[[B]]
// SGD-SAME: momentum = {{9.0+e-01|0.9}}
// SGD: train.commit %[[NEW]] to @w if %[[FINITE]]
// SGD: train.commit %[[BUFFER]] to @"w/momentum" if %[[FINITE]]

// ADAM: %[[BETA1:.*]] = graph.constant dense<{{9.0+e-01|0.9}}
// ADAM: %[[P1:.*]] = graph.mul %{{.*}}, %[[BETA1]] : (tensor<f64>, tensor<f64>) -> tensor<f64>
// ADAM: train.commit %[[P1]] to @beta1_power if %[[FINITE]]
// ADAM: train.commit %[[P2:.*]] to @beta2_power if %[[FINITE]]
// ADAM: %[[NEW:[^,]*]], %{{.*}}, %{{.*}} = train.adam %{{.*}}, %[[U]], %{{.*}}, %{{.*}}, %[[LR]], %[[P1]], %[[P2]]
// ADAM-SAME: decoupled = true
// ADAM: train.commit %[[NEW]] to @w if %[[FINITE]]

// CHECK: %[[MORE:.*]] = graph.add %[[STEPS]]
// CHECK: train.commit %[[MORE]] to @step_count if %[[FINITE]]

// The scale and its tracker move most when nothing else may.
// CHECK: %[[T:.*]] = train.read @growth_tracker
// CHECK: %[[LOSS:.*]] = train.read @loss
// CHECK: %[[MOVED:[^,]*]], %[[TRACKER:.*]] = train.update_scale %[[SCALE]], %[[T]], %[[FINITE]], %[[LOSS]]
// CHECK: train.commit %[[MOVED]] to @loss_scale : tensor<f32>
// CHECK: train.commit %[[TRACKER]] to @growth_tracker : tensor<i32>
// CHECK: train.return %[[FINITE]], %[[NORM]]

// FIXED: train.program @finish
// FIXED-NOT: update_scale
// FIXED: train.return

// IGNORE: train.program @finish
// IGNORE: train.measure
// IGNORE-NOT: if %
// IGNORE: train.return

// KIND: error: optimizer is 'lion', wants sgd, adam or adamw
// NESTEROV: error: nesterov wants a momentum above 0 and dampening 0; momentum is 0.000000e+00, dampening 0.000000e+00
// ORDER: error: holds no state of role gradient; run amp-trainstep-build-micro first
train.state @w : tensor<2xf32> parameter
train.program @model model inputs ["x"] outputs ["loss"] (%x: tensor<2xf32>) -> tensor<f32> {
  %w = train.read @w : tensor<2xf32>
  %0 = graph.mul %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = graph.reduce_sum %0 {axes = array<i64: 0>} : tensor<2xf32> -> tensor<f32>
  train.return %1 : tensor<f32>
}
