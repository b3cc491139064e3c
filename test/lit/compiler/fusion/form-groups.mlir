// RUN: amp-opt %s -split-input-file -amp-fusion-form-groups=explain=true -verify-diagnostics -amp-fusion-verify | FileCheck %s

// The value that the backward pass saves is a second result of the group.
// CHECK-LABEL: @epilogue_joins_its_root
// CHECK: [[G:%.*]]:2 = graph.group
// CHECK: graph.matmul
// CHECK-NEXT: [[B:%.*]] = graph.bias_add
// CHECK-NEXT: [[R:%.*]] = graph.relu [[B]]
// CHECK-NEXT: graph.yield [[B]], [[R]]
// CHECK-NOT: graph.group
// CHECK: train.return [[G]]#0, [[G]]#1
train.program @epilogue_joins_its_root eval inputs ["x", "w", "b"] outputs ["y", "z"] (%x: tensor<2x4xf32>, %w: tensor<4x3xf32>, %b: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = graph.matmul %x, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = graph.bias_add %0, %b {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2 = graph.relu %1 : tensor<2x3xf32> -> tensor<2x3xf32>
  train.return %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @prologue_joins_a_reduction
// CHECK: graph.group
// CHECK: [[E:%.*]] = graph.exp
// CHECK-NEXT: graph.reduce_sum [[E]]
// CHECK-NOT: graph.group
train.program @prologue_joins_a_reduction eval inputs ["x"] outputs ["y"] (%x: tensor<2x4xf32>) -> tensor<2xf32> {
  %0 = graph.exp %x : tensor<2x4xf32> -> tensor<2x4xf32>
  %1 = graph.reduce_sum %0 {axes = array<i64: 1>} : tensor<2x4xf32> -> tensor<2xf32>
  train.return %1 : tensor<2xf32>
}

// -----

// The sum of two inputs is used by the reduction and behind it: in one group it would wait for itself.
// CHECK-LABEL: @path_out_and_back_keeps_apart
// CHECK: graph.group
// CHECK: graph.add
// CHECK: graph.group
// CHECK: graph.reduce_sum
// CHECK: graph.group
// CHECK: graph.div
train.program @path_out_and_back_keeps_apart eval inputs ["x", "z"] outputs ["y"] (%x: tensor<2x4xf32>, %z: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = graph.add %x, %z : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  // expected-remark @below {{[fusion] kept graph.add (graph.add), graph.reduce_sum (graph.reduce_sum) apart: its result has users outside}}
  %1 = graph.reduce_sum %0 {axes = array<i64: 1>, keep_dims = true} : tensor<2x4xf32> -> tensor<2x1xf32>
  // expected-remark @below {{[fusion] kept graph.reduce_sum (graph.reduce_sum), graph.div (graph.div) apart: their iteration spaces differ}}
  // expected-remark @below {{[fusion] kept graph.add (graph.add), graph.div (graph.div) apart: another operand depends on the group}}
  %2 = graph.div %0, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  train.return %2 : tensor<2x4xf32>
}

// -----

// Two roots meet in an addition: it joins the later one.
// CHECK-LABEL: @two_roots_stay_apart
// CHECK: [[A:%.*]] = graph.group
// CHECK: graph.matmul
// CHECK: graph.group([[X:%.*]], [[W:%.*]], [[A]])
// CHECK: graph.matmul
// CHECK-NEXT: graph.add
train.program @two_roots_stay_apart eval inputs ["x", "w"] outputs ["y"] (%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = graph.matmul %x, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = graph.matmul %x, %w {transpose_rhs = true} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-remark @below {{[fusion] kept graph.matmul (graph.matmul), graph.add (graph.add) apart: two roots in one group}}
  %2 = graph.add %1, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  train.return %2 : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: @constant_is_computed_in_each_group
// CHECK: graph.group
// CHECK: graph.constant
// CHECK: graph.mul
// CHECK: graph.group
// CHECK: graph.constant
// CHECK: graph.mul
train.program @constant_is_computed_in_each_group eval inputs ["x", "z"] outputs ["y", "u"] (%x: tensor<4xf32>, %z: tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>) {
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.mul %x, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.mul %z, %half : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  train.return %0, %1 : tensor<4xf32>, tensor<5xf32>
}

// -----

// A view of a program value moves nothing; one between a root and its epilogue goes along.
// CHECK-LABEL: @reshape_before_an_epilogue_goes_along
// CHECK: graph.group
// CHECK-NEXT: ^bb0
// CHECK-NEXT: graph.reshape
// CHECK-NEXT: graph.yield
// CHECK: graph.group
// CHECK: graph.matmul
// CHECK-NEXT: graph.reshape
// CHECK-NEXT: graph.tanh
// CHECK-NEXT: graph.yield
train.program @reshape_before_an_epilogue_goes_along eval inputs ["x", "w"] outputs ["y"] (%x: tensor<2x2x2xf32>, %w: tensor<4x4xf32>) -> tensor<2x2x2xf32> {
  %0 = graph.reshape %x : tensor<2x2x2xf32> -> tensor<2x4xf32>
  %1 = graph.matmul %0, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %2 = graph.reshape %1 : tensor<2x4xf32> -> tensor<2x2x2xf32>
  %3 = graph.tanh %2 : tensor<2x2x2xf32> -> tensor<2x2x2xf32>
  train.return %3 : tensor<2x2x2xf32>
}

// -----

// The update of a parameter and the cast of its copy are one kernel, under one predicate. The unscaled gradient is
// computed again by each reader: nobody writes it.
train.state @w : tensor<4xf32> parameter
train.state @"w/bf16" : tensor<4xbf16> derived of @w
// CHECK-LABEL: @update_and_copy_are_one_group
// CHECK: graph.group
// CHECK: train.unscale
// CHECK-NEXT: train.sum_squares
// CHECK: graph.group
// CHECK: train.measure
// CHECK: [[U:%.*]]:2 = graph.group
// CHECK: train.unscale
// CHECK: [[P:%.*]] = train.sgd
// CHECK: graph.cast [[P]]
// CHECK: train.commit [[U]]#0 to @w if
// CHECK: train.commit [[U]]#1 to @"w/bf16" if
train.program @update_and_copy_are_one_group finish inputs ["g", "scale", "lr", "steps"] outputs [] (%g: tensor<4xf32>, %scale: tensor<f32>, %lr: tensor<f32>, %steps: tensor<i64>) {
  %p = train.read @w : tensor<4xf32>
  %u = train.unscale %g, %scale : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %parts = train.sum_squares %u : tensor<4xf32> -> tensor<1xf64>
  %finite, %norm = train.measure %parts : (tensor<1xf64>) -> (tensor<i1>, tensor<f32>)
  %p1 = train.sgd %p, %u, %lr, %steps {momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = false} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i64>) -> tensor<4xf32>
  train.commit %p1 to @w if %finite : tensor<i1> : tensor<4xf32>
  %low = graph.cast %p1 : tensor<4xf32> -> tensor<4xbf16>
  train.commit %low to @"w/bf16" if %finite : tensor<i1> : tensor<4xbf16>
  train.return
}

// -----

// Normalisation, the shortcut's normalisation, their sum and the activation are one kernel.
// CHECK-LABEL: @residual_is_one_kernel
// CHECK: graph.group
// CHECK: graph.normalize
// CHECK-NEXT: graph.normalize
// CHECK-NEXT: graph.add
// CHECK-NEXT: [[R:%.*]] = graph.relu
// CHECK-NEXT: graph.yield [[R]]
// CHECK-NOT: graph.group
train.program @residual_is_one_kernel eval inputs ["x", "z", "m", "d", "s", "b"] outputs ["y"] (%x: tensor<2x4x4x8xf32>, %z: tensor<2x4x4x8xf32>, %m: tensor<8xf32>, %d: tensor<8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x4x4x8xf32> {
  %0 = graph.normalize %x, %m, %d, %s, %b {axis = 3 : i64, of_batch = false} : (tensor<2x4x4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x4x8xf32>
  %1 = graph.normalize %z, %m, %d, %s, %b {axis = 3 : i64, of_batch = false} : (tensor<2x4x4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x4x8xf32>
  %2 = graph.add %0, %1 : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  %3 = graph.relu %2 : tensor<2x4x4x8xf32> -> tensor<2x4x4x8xf32>
  train.return %3 : tensor<2x4x4x8xf32>
}

// -----

// The gradient of a pooled activation is computed again by the sums and by the normalisation's gradient: it reads one
// image either way.
// CHECK-LABEL: @activation_gradient_is_not_written
// CHECK: [[S:%.*]]:2 = graph.group
// CHECK: graph.expand
// CHECK-NEXT: graph.relu_grad
// CHECK-NEXT: graph.normalize_sums
// CHECK: graph.group
// CHECK: graph.expand
// CHECK-NEXT: graph.relu_grad
// CHECK-NEXT: graph.normalize_grad
// CHECK-NOT: graph.group
train.program @activation_gradient_is_not_written eval inputs ["g", "y", "x", "m", "d", "s"] outputs ["dx"] (%g: tensor<2x1x1x8xf32>, %y: tensor<2x4x4x8xf32>, %x: tensor<2x4x4x8xf32>, %m: tensor<8xf32>, %d: tensor<8xf32>, %s: tensor<8xf32>) -> tensor<2x4x4x8xf32> {
  %0 = graph.expand %g : tensor<2x1x1x8xf32> -> tensor<2x4x4x8xf32>
  %1 = graph.relu_grad %0, %y : tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32> -> tensor<2x4x4x8xf32>
  %ds, %db = graph.normalize_sums %1, %x, %m, %d {axis = 3 : i64} : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  // expected-remark @below {{[fusion] kept graph.normalize_sums (graph.normalize_sums), graph.normalize_grad (graph.normalize_grad) apart: their iteration spaces differ}}
  %2 = graph.normalize_grad %1, %x, %m, %d, %s, %ds, %db {axis = 3 : i64} : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x4x8xf32>
  train.return %2 : tensor<2x4x4x8xf32>
}
