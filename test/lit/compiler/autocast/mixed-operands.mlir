// RUN: amp-opt %s -split-input-file -amp-autocast-assign-types=precision=bf16 -amp-autocast-verify=precision=bf16 | FileCheck %s

// Class SPLIT: images follow, statistics and what belongs to a channel stay f32, without a cast either way.
train.state @w : tensor<4x4xf32> parameter
train.state @scale : tensor<4xf32> parameter
train.state @running : tensor<4xf32> statistic
train.state @"scale/gradient" : tensor<4xf32> gradient of @scale
train.state @"running/pending" : tensor<4xf32> pending of @running
// CHECK-LABEL: train.program @vectors_of_channels_stay_f32
train.program @vectors_of_channels_stay_f32 micro inputs ["x"] outputs ["y"] (%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %w = train.read @w : tensor<4x4xf32>
  %s = train.read @scale : tensor<4xf32>
  %r = train.read @running : tensor<4xf32>
  // CHECK: [[X:%.*]] = graph.cast %{{.*}} : tensor<8x4xf32> -> tensor<8x4xbf16>
  // CHECK-NOT: graph.cast
  // CHECK: graph.batch_moments %{{.*}} : (tensor<8x4xbf16>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: graph.normalize %{{.*}} : (tensor<8x4xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x4xbf16>
  // CHECK: graph.update_statistics %{{.*}} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  // CHECK: graph.normalize_sums %{{.*}} : (tensor<8x4xbf16>, tensor<8x4xbf16>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  // CHECK: graph.normalize_grad %{{.*}} -> tensor<8x4xbf16>
  // CHECK: graph.cast %{{.*}} : tensor<8x4xbf16> -> tensor<8x4xf32>
  // CHECK-NOT: graph.cast
  // CHECK: train.return
  %0 = graph.matmul %x, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %m, %v, %d = graph.batch_moments %0 {axis = 1 : i64, eps = 0.1} : (tensor<8x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %1 = graph.normalize %0, %m, %d, %s, %s {axis = 1 : i64, of_batch = true} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %nm, %nv = graph.update_statistics %m, %v, %r, %r {momentum = 0.9, correction = 1.0} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  train.commit %nm to @"running/pending" : tensor<4xf32>
  %2 = graph.matmul %1, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %ds, %db = graph.normalize_sums %2, %0, %m, %d {axis = 1 : i64} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %3 = graph.normalize_grad %2, %0, %m, %d, %s, %ds, %db {axis = 1 : i64} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  train.commit %ds to @"scale/gradient" : tensor<4xf32>
  %4 = graph.matmul %3, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  train.return %4 : tensor<8x4xf32>
}

// -----

// Ops of class FP32 that compute in f32 inside read and write what comes; the parts of a gradient are f32.
train.state @w : tensor<4x4xf32> parameter
train.state @s : tensor<4xf32> parameter
train.state @"s/gradient" : tensor<4xf32> gradient of @s
// CHECK-LABEL: train.program @wide_inside
train.program @wide_inside micro inputs ["x"] outputs [] (%x: tensor<8x4xf32>) {
  %w = train.read @w : tensor<4x4xf32>
  %s = train.read @s : tensor<4xf32>
  // CHECK: graph.cast %{{.*}} : tensor<8x4xf32> -> tensor<8x4xbf16>
  // CHECK-NOT: graph.cast
  // CHECK: graph.layer_norm %{{.*}} : (tensor<8x4xbf16>, tensor<4xf32>) -> tensor<8x4xbf16>
  // CHECK: graph.softmax %{{.*}} : tensor<8x4xbf16> -> tensor<8x4xbf16>
  // CHECK: graph.layer_norm_grad %{{.*}} : (tensor<8x4xbf16>, tensor<8x4xbf16>, tensor<4xf32>) -> (tensor<8x4xbf16>, tensor<1x4xf32>, tensor<1x4xf32>)
  // CHECK-NOT: graph.cast
  // CHECK: graph.is_nan %{{.*}} : tensor<8x4xbf16> -> tensor<8x4xi1>
  // CHECK-NOT: graph.cast
  // CHECK: train.return
  %0 = graph.matmul %x, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %1 = graph.layer_norm %0, %s {axis = 1 : i64, eps = 0.1} : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %2 = graph.matmul %1, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %3 = graph.softmax %2 {axis = 1 : i64} : tensor<8x4xf32> -> tensor<8x4xf32>
  %4 = graph.matmul %3, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %dx, %ds, %db = graph.layer_norm_grad %4, %0, %s {axis = 1 : i64, eps = 0.1, parts = 1 : i64} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>)
  %5 = graph.reduce_sum %ds {axes = array<i64: 0>} : tensor<1x4xf32> -> tensor<4xf32>
  train.commit %5 to @"s/gradient" : tensor<4xf32>
  %6 = graph.matmul %dx, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %7 = graph.is_nan %6 : tensor<8x4xf32> -> tensor<8x4xi1>
  train.return
}

// -----

// An embedding is read, and its gradient summed, in f32.
train.state @table : tensor<9x4xf32> parameter
train.state @"table/gradient" : tensor<9x4xf32> gradient of @table
train.state @w : tensor<4x4xf32> parameter
// CHECK-LABEL: train.program @embedding_stays_f32
train.program @embedding_stays_f32 micro inputs ["ids"] outputs [] (%ids: tensor<8xi64>) {
  %table = train.read @table : tensor<9x4xf32>
  %w = train.read @w : tensor<4x4xf32>
  // CHECK: [[E:%.*]] = graph.gather %{{.*}} : (tensor<9x4xf32>, tensor<8xi64>) -> tensor<8x4xf32>
  // CHECK: [[LOW:%.*]] = graph.cast [[E]]
  // CHECK: graph.matmul [[LOW]], %{{.*}} : (tensor<8x4xbf16>, tensor<4x4xbf16>) -> tensor<8x4xf32>
  // CHECK: graph.gather_grad %{{.*}} : (tensor<8x4xf32>, tensor<8xi64>) -> tensor<9x4xf32>
  %0 = graph.gather %table, %ids {axis = 0 : i64} : (tensor<9x4xf32>, tensor<8xi64>) -> tensor<8x4xf32>
  %1 = graph.matmul %0, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %2 = graph.gather_grad %1, %ids {axis = 0 : i64, length = 9 : i64} : (tensor<8x4xf32>, tensor<8xi64>) -> tensor<9x4xf32>
  train.commit %2 to @"table/gradient" : tensor<9x4xf32>
  train.return
}

// -----

// What low ops read through a view is cast before it, in one cast with the other low users; a slice of an f32 value
// is not worth the cast of the whole.
train.state @w : tensor<4x4xf32> parameter
// CHECK-LABEL: train.program @views_of_f32_are_cast_before
train.program @views_of_f32_are_cast_before eval inputs ["x"] outputs ["y", "z", "s"] (%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<2x4xf32>) {
  %w = train.read @w : tensor<4x4xf32>
  // CHECK: [[E:%.*]] = graph.exp
  // CHECK: [[LOW:%.*]] = graph.cast [[E]] : tensor<8x4xf32> -> tensor<8x4xbf16>
  // CHECK: graph.matmul [[LOW]]
  // CHECK: [[R:%.*]] = graph.reshape [[LOW]]
  // CHECK: [[T:%.*]] = graph.transpose [[R]]
  // CHECK: graph.matmul [[T]]
  // CHECK: [[S:%.*]] = graph.slice [[E]]
  // CHECK: graph.cast [[S]] : tensor<2x4xf32> -> tensor<2x4xbf16>
  %0 = graph.exp %x : tensor<8x4xf32> -> tensor<8x4xf32>
  %1 = graph.matmul %0, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %2 = graph.reshape %0 : tensor<8x4xf32> -> tensor<4x8xf32>
  %3 = graph.transpose %2 {permutation = array<i64: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  %4 = graph.matmul %3, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %5 = graph.slice %0 {axes = array<i64: 0>, starts = array<i64: 2>, ends = array<i64: 4>, steps = array<i64: 1>} : tensor<8x4xf32> -> tensor<2x4xf32>
  %6 = graph.matmul %5, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  train.return %1, %4, %6 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<2x4xf32>
}

// -----

// A constant in the state has a low copy as a weight has; one that the low type cannot hold keeps its readers in f32.
train.state @w : tensor<2x2xf32> parameter
train.state @mask : tensor<2x2xf32> constant = dense<[[0.0, 0xFF800000], [0.0, 0.0]]> : tensor<2x2xf32>
train.state @large : tensor<2x2xf32> constant = dense<[[0.0, -3.4028235e38], [0.0, 0.0]]> : tensor<2x2xf32>
// CHECK: train.state @"mask/bf16" : tensor<2x2xbf16> derived of @mask
// CHECK-NOT: @"large/bf16"
// CHECK-LABEL: train.program @constants_in_the_state
train.program @constants_in_the_state eval inputs ["x"] outputs ["y", "z"] (%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %w = train.read @w : tensor<2x2xf32>
  %mask = train.read @mask : tensor<2x2xf32>
  %large = train.read @large : tensor<2x2xf32>
  // CHECK: graph.add %{{.*}} : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  %0 = graph.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = graph.add %0, %mask : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = graph.matmul %1, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK: graph.add %{{.*}} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = graph.add %0, %large : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = graph.matmul %3, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  train.return %2, %4 : tensor<2x2xf32>, tensor<2x2xf32>
}
