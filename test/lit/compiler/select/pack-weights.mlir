// REQUIRES: onednn
// RUN: amp-opt %s -split-input-file -amp-select-make-kernels=select=onednn -amp-select-pack-weights -amp-select-verify | FileCheck %s
// What reads and overwrites packed weights can be placed, and is text that parses again.
// RUN: amp-opt %s -split-input-file -amp-select-make-kernels=select=onednn -amp-select-pack-weights | amp-opt -split-input-file -amp-select-verify -amp-memory-place-states -amp-memory-place-buffers -amp-memory-verify | FileCheck %s --check-prefix=MEMORY
// RUN: amp-opt %s -split-input-file -amp-select-make-kernels=select=generated -amp-select-pack-weights | FileCheck %s --check-prefix=GENERATED

// GENERATED-NOT: plan.pack
// GENERATED-NOT: xi8> derived

// One state for the forward pass of both programs, one for the backward; each is packed in derive and after the update.
// CHECK: train.state @w : tensor<8x8x3x3xf32> parameter
// CHECK-DAG: train.state @"w/packed_forward" : tensor<[[N:[0-9]+]]xi8> derived of @w
// CHECK-DAG: train.state @"w/packed_input_gradient" : tensor<[[M:[0-9]+]]xi8> derived of @w
// CHECK-NOT: derived
// Tiles no longer pack: what is left of the workspace is the stage.
// CHECK: plan.kernel @kernel_0 attributes {{{.*}}implementation = "onednn"
// CHECK-SAME: operation = "convolution_forward"
// CHECK-SAME: workspace = 2048 : i64
// CHECK: ^bb0([[X:%.*]]: tensor<2x8x8x8xf32>, [[P:%.*]]: tensor<[[N]]xi8>):
// CHECK: [[W:%.*]] = plan.unpack [[P]] : tensor<[[N]]xi8> -> tensor<8x8x3x3xf32>
// CHECK: graph.conv2d [[X]], [[W]]
// CHECK: plan.kernel @kernel_1
// CHECK-SAME: operation = "convolution_input_gradient"
// CHECK-SAME: workspace = 0 : i64
// CHECK: plan.kernel @kernel_2 attributes {{{.*}}implementation = "generated"
// CHECK: plan.kernel @kernel_3
// CHECK-SAME: implementation = "onednn"
// CHECK-SAME: operation = "pack_forward"
// CHECK-SAME: operands = [#plan.operand<workspace = false, index = 0, offset = 0, tile_stride = 0>, #plan.operand<workspace = false, index = 1, offset = 0, tile_stride = 0>, #plan.operand<workspace = true, index = 0, offset = 0, tile_stride = 0>]
// CHECK-SAME: tiles = 1 : i64
// CHECK: plan.pack %{{.*}} : tensor<8x8x3x3xf32> -> tensor<[[N]]xi8>
// CHECK: plan.kernel @kernel_4
// CHECK-SAME: operation = "pack_input_gradient"
// CHECK-NOT: plan.kernel
// CHECK: train.program @micro
// CHECK-NOT: train.read @w
// CHECK: [[F:%.*]] = train.read @"w/packed_forward"
// CHECK: plan.call @kernel_0(%{{.*}}, [[F]])
// CHECK: [[B:%.*]] = train.read @"w/packed_input_gradient"
// CHECK: plan.call @kernel_1(%{{.*}}, [[B]])
// CHECK: train.program @finish
// CHECK: [[FINITE:%.*]] = train.read @flag
// CHECK: [[NEW:%.*]] = plan.call @kernel_2(
// CHECK: train.commit [[NEW]] to @w if [[FINITE]]
// CHECK: [[F:%.*]] = plan.call @kernel_3([[NEW]])
// CHECK: train.commit [[F]] to @"w/packed_forward" if [[FINITE]]
// CHECK: [[B:%.*]] = plan.call @kernel_4([[NEW]])
// CHECK: train.commit [[B]] to @"w/packed_input_gradient" if [[FINITE]]
// CHECK: train.program @eval
// CHECK: [[F:%.*]] = train.read @"w/packed_forward"
// CHECK: plan.call @kernel_0(%{{.*}}, [[F]])
// CHECK: train.program @derive
// CHECK: [[OLD:%.*]] = train.read @w
// CHECK: [[F:%.*]] = plan.call @kernel_3([[OLD]])
// CHECK: train.commit [[F]] to @"w/packed_forward" :
// CHECK: plan.call @kernel_4(

// The pack reads the new weight where the update left it, and under its predicate.
// MEMORY: train.program @finish
// MEMORY-DAG: [[W:%.*]] = plan.state_slot @w at
// MEMORY-DAG: [[P:%.*]] = plan.state_slot @"w/packed_forward" at
// MEMORY: plan.launch @kernel_2([[W]], [[W]]) if [[FINITE:%.*]]{{$}}
// MEMORY: plan.launch @kernel_3([[W]], [[P]]) if [[FINITE]]
train.state @w : tensor<8x8x3x3xf32> parameter = dense<1.0> : tensor<8x8x3x3xf32>
train.state @flag : tensor<i1> constant = dense<true> : tensor<i1>
train.program @micro micro inputs ["x"] outputs ["y"] (%x: tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32> {
  %w = train.read @w : tensor<8x8x3x3xf32>
  %0 = graph.group(%x, %w) : (tensor<2x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x8x8xf32> {
  ^bb0(%a: tensor<2x8x8x8xf32>, %b: tensor<8x8x3x3xf32>):
    %c = graph.conv2d %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #graph<layout channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x8x8xf32>
    %r = graph.relu %c : tensor<2x8x8x8xf32> -> tensor<2x8x8x8xf32>
    graph.yield %r : tensor<2x8x8x8xf32>
  }
  %1 = graph.group(%0, %w) : (tensor<2x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x8x8xf32> {
  ^bb0(%a: tensor<2x8x8x8xf32>, %b: tensor<8x8x3x3xf32>):
    %c = graph.conv2d_input_grad %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, input_shape = array<i64: 2, 8, 8, 8>, layout = #graph<layout channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x8x8xf32>
    graph.yield %c : tensor<2x8x8x8xf32>
  }
  train.return %1 : tensor<2x8x8x8xf32>
}
train.program @finish finish inputs [] outputs [] () -> () {
  %finite = train.read @flag : tensor<i1>
  %w = train.read @w : tensor<8x8x3x3xf32>
  %0 = graph.group(%w) : (tensor<8x8x3x3xf32>) -> tensor<8x8x3x3xf32> {
  ^bb0(%a: tensor<8x8x3x3xf32>):
    %n = graph.neg %a : tensor<8x8x3x3xf32> -> tensor<8x8x3x3xf32>
    graph.yield %n : tensor<8x8x3x3xf32>
  }
  train.commit %0 to @w if %finite : tensor<i1> : tensor<8x8x3x3xf32>
  train.return
}
train.program @eval eval inputs ["x"] outputs ["y"] (%x: tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32> {
  %w = train.read @w : tensor<8x8x3x3xf32>
  %0 = graph.group(%x, %w) : (tensor<2x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x8x8xf32> {
  ^bb0(%a: tensor<2x8x8x8xf32>, %b: tensor<8x8x3x3xf32>):
    %c = graph.conv2d %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #graph<layout channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x8x8xf32>
    %r = graph.relu %c : tensor<2x8x8x8xf32> -> tensor<2x8x8x8xf32>
    graph.yield %r : tensor<2x8x8x8xf32>
  }
  train.return %0 : tensor<2x8x8x8xf32>
}
train.program @derive derive inputs [] outputs [] () -> () {
  train.return
}

// -----

// A weight that is no state is packed tile by tile, and with it every call of its kernel.
// CHECK-NOT: derived
// CHECK-NOT: plan.pack
// CHECK: train.program @weight_is_an_input
train.state @w : tensor<8x8x3x3xf32> frozen = dense<1.0> : tensor<8x8x3x3xf32>
train.program @weight_is_an_input eval inputs ["x", "k"] outputs ["y"] (%x: tensor<2x8x8x8xf32>, %k: tensor<8x8x3x3xf32>) -> tensor<2x8x8x8xf32> {
  %w = train.read @w : tensor<8x8x3x3xf32>
  %0 = graph.group(%x, %k) : (tensor<2x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x8x8xf32> {
  ^bb0(%a: tensor<2x8x8x8xf32>, %b: tensor<8x8x3x3xf32>):
    %c = graph.conv2d %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #graph<layout channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x8x8xf32>
    graph.yield %c : tensor<2x8x8x8xf32>
  }
  %1 = graph.group(%0, %w) : (tensor<2x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x8x8xf32> {
  ^bb0(%a: tensor<2x8x8x8xf32>, %b: tensor<8x8x3x3xf32>):
    %c = graph.conv2d %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #graph<layout channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x8x8xf32>
    graph.yield %c : tensor<2x8x8x8xf32>
  }
  train.return %1 : tensor<2x8x8x8xf32>
}
train.program @derive derive inputs [] outputs [] () -> () {
  train.return
}

// -----

// A low-precision copy is packed as fp32 of the same values, from what derive makes of it.
// CHECK: train.state @w : tensor<8x8x3x3xf32> parameter
// CHECK: train.state @"w/f16" : tensor<8x8x3x3xf16> derived of @w
// CHECK: train.state @"w/packed_forward" : tensor<[[N:[0-9]+]]xi8> derived of @w
// Tiles widen their image alone, behind the stage of 2048 bytes.
// CHECK: plan.kernel @kernel_0
// CHECK-SAME: steps = [#plan.generated<"prologue">, #plan.library<library = "onednn", operation = "convolution_forward"
// CHECK-SAME: operands = [#plan.operand<workspace = true, index = 0, offset = 2048, tile_stride = 0>, #plan.operand<workspace = false, index = 1, offset = 0, tile_stride = 0>, #plan.operand<workspace = true, index = 0, offset = 0, tile_stride = 0>
// CHECK-SAME: #plan.generated<"epilogue">]
// CHECK-SAME: workspace = 4096 : i64
// CHECK: plan.unpack %{{.*}} : tensor<[[N]]xi8> -> tensor<8x8x3x3xf16>
// CHECK: plan.kernel @kernel_2
// CHECK-SAME: steps = [#plan.generated<"prologue">, #plan.library<library = "onednn", operation = "pack_forward"
// CHECK: plan.pack %{{.*}} : tensor<8x8x3x3xf16> -> tensor<[[N]]xi8>
// CHECK: train.program @low_precision
// CHECK: train.read @"w/packed_forward"
// CHECK: train.program @derive
// CHECK: [[COPY:%.*]] = plan.call @kernel_1(
// CHECK: train.commit [[COPY]] to @"w/f16"
// CHECK: [[F:%.*]] = plan.call @kernel_2([[COPY]])
// CHECK: train.commit [[F]] to @"w/packed_forward"
// CHECK-NOT: plan.call
train.state @w : tensor<8x8x3x3xf32> parameter = dense<1.0> : tensor<8x8x3x3xf32>
train.state @"w/f16" : tensor<8x8x3x3xf16> derived of @w
train.program @low_precision eval inputs ["x"] outputs ["y"] (%x: tensor<2x8x8x8xf16>) -> tensor<2x8x8x8xf16> {
  %w = train.read @"w/f16" : tensor<8x8x3x3xf16>
  %0 = graph.group(%x, %w) : (tensor<2x8x8x8xf16>, tensor<8x8x3x3xf16>) -> tensor<2x8x8x8xf16> {
  ^bb0(%a: tensor<2x8x8x8xf16>, %b: tensor<8x8x3x3xf16>):
    %c = graph.conv2d %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #graph<layout channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x8x8x8xf16>, tensor<8x8x3x3xf16>) -> tensor<2x8x8x8xf16>
    graph.yield %c : tensor<2x8x8x8xf16>
  }
  train.return %0 : tensor<2x8x8x8xf16>
}
train.program @derive derive inputs [] outputs [] () -> () {
  %w = train.read @w : tensor<8x8x3x3xf32>
  %0 = graph.group(%w) : (tensor<8x8x3x3xf32>) -> tensor<8x8x3x3xf16> {
  ^bb0(%a: tensor<8x8x3x3xf32>):
    %c = graph.cast %a : tensor<8x8x3x3xf32> -> tensor<8x8x3x3xf16>
    graph.yield %c : tensor<8x8x3x3xf16>
  }
  train.commit %0 to @"w/f16" : tensor<8x8x3x3xf16>
  train.return
}
