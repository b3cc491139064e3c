// RUN: amp-opt %s -split-input-file -amp-autocast-assign-types=precision=bf16 -amp-autocast-verify=precision=bf16 | FileCheck %s
// RUN: amp-opt %s -split-input-file -amp-autocast-assign-types=precision=fp16 | FileCheck %s --check-prefix=FP16
// RUN: amp-opt %s -split-input-file -amp-autocast-assign-types=precision=fp32 | FileCheck %s --check-prefix=FP32

// A weight has a low copy, which derive remakes; the bias is read as it is, and outputs keep their type.
train.state @w : tensor<3x4xf32> parameter
train.state @b : tensor<3xf32> parameter
// CHECK: train.state @"w/bf16" : tensor<3x4xbf16> derived of @w
// FP16: train.state @"w/f16" : tensor<3x4xf16> derived of @w
// FP32-NOT: derived
// CHECK-LABEL: @weight_is_read_as_a_copy
// CHECK-SAME: [[X:%.*]]: tensor<2x4xf32>
// FP32-LABEL: @weight_is_read_as_a_copy
// FP32-NOT: graph.cast
train.program @weight_is_read_as_a_copy eval inputs ["x"] outputs ["y"] (%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  // CHECK: [[LOW:%.*]] = graph.cast [[X]] : tensor<2x4xf32> -> tensor<2x4xbf16>
  // CHECK: [[W:%.*]] = train.read @"w/bf16"
  // CHECK: [[B:%.*]] = train.read @b : tensor<3xf32>
  %w = train.read @w : tensor<3x4xf32>
  %b = train.read @b : tensor<3xf32>
  // CHECK: [[M:%.*]] = graph.matmul [[LOW]], [[W]]
  // CHECK-SAME: -> tensor<2x3xbf16>
  %0 = graph.matmul %x, %w {transpose_rhs = true} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  // CHECK: [[A:%.*]] = graph.bias_add [[M]], [[B]]
  // CHECK-SAME: (tensor<2x3xbf16>, tensor<3xf32>) -> tensor<2x3xbf16>
  %1 = graph.bias_add %0, %b {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: [[R:%.*]] = graph.relu [[A]] : tensor<2x3xbf16>
  %2 = graph.relu %1 : tensor<2x3xf32> -> tensor<2x3xf32>
  // CHECK: [[Y:%.*]] = graph.cast [[R]] : tensor<2x3xbf16> -> tensor<2x3xf32>
  // CHECK: train.return [[Y]]
  train.return %2 : tensor<2x3xf32>
}
// CHECK: train.program @derive derive
// CHECK: [[MASTER:%.*]] = train.read @w
// CHECK: [[COPY:%.*]] = graph.cast [[MASTER]]
// CHECK: train.commit [[COPY]] to @"w/bf16"

// -----

// A cast of one value is shared.
train.state @w : tensor<4x4xf32> parameter
// CHECK-LABEL: @cast_is_shared
train.program @cast_is_shared eval inputs ["x"] outputs ["y", "z"] (%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: [[LOW:%.*]] = graph.cast %{{.*}} : tensor<4x4xf32> -> tensor<4x4xbf16>
  // CHECK-NOT: tensor<4x4xf32> -> tensor<4x4xbf16>
  // CHECK: graph.matmul [[LOW]]
  // CHECK: graph.matmul [[LOW]]
  %w = train.read @w : tensor<4x4xf32>
  %0 = graph.matmul %x, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = graph.matmul %x, %w {transpose_rhs = true} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  train.return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A weight's gradient leaves in f32, also behind a transpose; the sum of a bias gradient reads the low type.
train.state @w : tensor<4x3xf32> parameter
train.state @"w/gradient" : tensor<4x3xf32> gradient of @w
train.state @"b/gradient" : tensor<3xf32> gradient of @w
// CHECK-LABEL: @gradient_leaves_in_f32
train.program @gradient_leaves_in_f32 micro inputs ["x", "dy"] outputs [] (%x: tensor<2x4xf32>, %dy: tensor<2x4xf32>) {
  %w = train.read @w : tensor<4x3xf32>
  // CHECK: [[D:%.*]] = graph.matmul {{.*}} -> tensor<2x3xbf16>
  %d = graph.matmul %dy, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  // CHECK: [[G:%.*]] = graph.matmul [[D]], {{.*}} -> tensor<3x4xf32>
  %g = graph.matmul %d, %x {transpose_lhs = true} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  // CHECK: [[T:%.*]] = graph.transpose [[G]] {{.*}} -> tensor<4x3xf32>
  %t = graph.transpose %g {permutation = array<i64: 1, 0>} : tensor<3x4xf32> -> tensor<4x3xf32>
  // CHECK: [[B:%.*]] = graph.reduce_sum [[D]] {{.*}} : tensor<2x3xbf16> -> tensor<3xf32>
  %b = graph.reduce_sum %d {axes = array<i64: 0>} : tensor<2x3xf32> -> tensor<3xf32>
  // CHECK: train.commit [[T]] to @"w/gradient"
  // CHECK: train.commit [[B]] to @"b/gradient"
  train.commit %t to @"w/gradient" : tensor<4x3xf32>
  train.commit %b to @"b/gradient" : tensor<3xf32>
  train.return
}

// -----

// The loss reads low logits as they are, and its gradient leaves in the low type.
train.state @w : tensor<4x3xf32> parameter
train.state @loss_scale : tensor<f32> loss_scale
train.state @"w/gradient" : tensor<4x3xf32> gradient of @w
// CHECK-LABEL: @loss_reads_low_logits
train.program @loss_reads_low_logits micro inputs ["x", "labels"] outputs ["loss"] (%x: tensor<2x4xf32>, %labels: tensor<2xi64>) -> tensor<f32> {
  %w = train.read @w : tensor<4x3xf32>
  %scale = train.read @loss_scale : tensor<f32>
  // CHECK: [[Y:%.*]] = graph.matmul
  %y = graph.matmul %x, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  // CHECK: graph.cross_entropy [[Y]], {{.*}} : (tensor<2x3xbf16>, tensor<2xi64>) -> tensor<f32>
  %loss = graph.cross_entropy %y, %labels {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<f32>
  // CHECK: graph.cross_entropy_grad {{.*}}, [[Y]], {{.*}} -> tensor<2x3xbf16>
  %d = graph.cross_entropy_grad %scale, %y, %labels {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<f32>, tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %g = graph.matmul %x, %d {transpose_lhs = true} : (tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  train.commit %g to @"w/gradient" : tensor<4x3xf32>
  train.return %loss : tensor<f32>
}

// -----

// What a low type cannot hold stays f32, and so does what it is added to; a constant that it can hold is folded.
train.state @w : tensor<4x4xf32> parameter
// CHECK-LABEL: @constant_that_overflows_stays_f32
train.program @constant_that_overflows_stays_f32 eval inputs ["x"] outputs ["y"] (%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %w = train.read @w : tensor<4x4xf32>
  %0 = graph.matmul %x, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: graph.constant dense<5.000000e-01> : tensor<bf16>
  %half = graph.constant dense<0.5> : tensor<f32>
  // CHECK: graph.mul {{.*}} -> tensor<4x4xbf16>
  // FP16: graph.mul {{.*}} -> tensor<4x4xf16>
  %1 = graph.mul %0, %half : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %tiny = graph.constant dense<1.0e-12> : tensor<f32>
  // CHECK: graph.add {{.*}} -> tensor<4x4xbf16>
  // FP16: graph.add {{.*}} -> tensor<4x4xf32>
  %2 = graph.add %1, %tiny : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  train.return %2 : tensor<4x4xf32>
}

// -----

// The update commits the copy beside its master, under the same predicate.
train.state @w : tensor<4x4xf32> parameter
// CHECK-LABEL: @copy_is_committed_with_its_master
train.program @copy_is_committed_with_its_master finish inputs ["new", "finite"] outputs [] (%new: tensor<4x4xf32>, %finite: tensor<i1>) {
  // CHECK: train.commit [[NEW:%.*]] to @w if [[FINITE:%.*]] : tensor<i1> : tensor<4x4xf32>
  // CHECK: [[LOW:%.*]] = graph.cast [[NEW]]
  // CHECK: train.commit [[LOW]] to @"w/bf16" if [[FINITE]]
  train.commit %new to @w if %finite : tensor<i1> : tensor<4x4xf32>
  train.return
}
train.program @eval eval inputs ["x"] outputs ["y"] (%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %w = train.read @w : tensor<4x4xf32>
  %0 = graph.matmul %x, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  train.return %0 : tensor<4x4xf32>
}
