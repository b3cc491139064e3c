// RUN: amp-opt %s --amp-trainstep-declare-states="lr=0.5" | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: amp-opt %s --amp-trainstep-declare-states="loss-scale=static init=128" | FileCheck %s --check-prefixes=CHECK,STATIC
// RUN: amp-opt %s --amp-trainstep-declare-states="loss-scale=dynamic init=1024" | FileCheck %s --check-prefixes=CHECK,DYNAMIC
// RUN: not amp-opt %s --amp-trainstep-declare-states="loss-scale=auto" 2>&1 | FileCheck %s --check-prefix=AUTO

// States come after the model's; a name that the model has taken gets a suffix; only a scale that moves has a tracker.
// CHECK: train.state @seed : tensor<2xf32> frozen
// NONE: train.state @learning_rate : tensor<f32> learning_rate = dense<5.000000e-01>
// NONE: train.state @loss_scale : tensor<f32> loss_scale = dense<1.000000e+00>
// NONE-NOT: growth_tracker
// STATIC: train.state @loss_scale : tensor<f32> loss_scale = dense<1.280000e+02>
// STATIC-NOT: growth_tracker
// DYNAMIC: train.state @loss_scale : tensor<f32> loss_scale = dense<1.024000e+03>
// DYNAMIC: train.state @growth_tracker : tensor<i32> growth_tracker
// CHECK: train.state @step_count : tensor<i64> step_count
// CHECK: train.state @seed_1 : tensor<i64> seed
// CHECK: train.state @loss : tensor<f32> loss
// AUTO: error: loss-scale is 'auto', wants none, static or dynamic
train.state @seed : tensor<2xf32> frozen
