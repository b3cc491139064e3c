// REQUIRES: onednn
// RUN: amp-opt %s -split-input-file -amp-select-make-kernels=select=onednn -amp-select-verify | FileCheck %s
// Steps of a library are text that parses again.
// RUN: amp-opt %s -split-input-file -amp-select-make-kernels=select=onednn | amp-opt -split-input-file | FileCheck %s
// RUN: amp-opt %s -split-input-file -amp-select-make-kernels=select=auto -amp-select-verify | FileCheck %s --check-prefix=AUTO
// RUN: amp-opt %s -split-input-file -amp-select-make-kernels=select=generated -amp-select-verify | FileCheck %s --check-prefix=GENERATED

// GENERATED-COUNT-4: implementation = "generated"
// GENERATED-NOT: implementation = "onednn"

// Each image is a tile; the epilogue reads what the library staged at the start of the workspace.
// CHECK: plan.kernel @kernel_0 attributes {{{.*}}implementation = "onednn"
// CHECK-SAME: #plan.library<library = "onednn", operation = "convolution_forward"
// CHECK-SAME: #plan.operand<workspace = false, index = 0, offset = 0, tile_stride = 1024>
// CHECK-SAME: #plan.operand<workspace = false, index = 1, offset = 0, tile_stride = 0>
// CHECK-SAME: #plan.operand<workspace = true, index = 0, offset = 0, tile_stride = 0>
// CHECK-SAME: #plan.operand<workspace = true, index = 0, offset = 2048, tile_stride = 0>
// CHECK-SAME: #plan.generated<"epilogue">], tiles = 2 : i64
// Too small to be worth a call.
// AUTO: plan.kernel @kernel_0 attributes {{{.*}}implementation = "generated"
train.program @convolution_with_epilogue eval inputs ["x", "w"] outputs ["y"] (%x: tensor<2x8x8x4xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<2x8x8x8xf32> {
  %0 = graph.group(%x, %w) : (tensor<2x8x8x4xf32>, tensor<8x4x3x3xf32>) -> tensor<2x8x8x8xf32> {
  ^bb0(%a: tensor<2x8x8x4xf32>, %b: tensor<8x4x3x3xf32>):
    %c = graph.conv2d %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #graph<layout channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x8x8x4xf32>, tensor<8x4x3x3xf32>) -> tensor<2x8x8x8xf32>
    %r = graph.relu %c : tensor<2x8x8x8xf32> -> tensor<2x8x8x8xf32>
    graph.yield %r : tensor<2x8x8x8xf32>
  }
  train.return %0 : tensor<2x8x8x8xf32>
}

// -----

// Without an epilogue the library writes the result itself. Large enough for auto, too.
// CHECK: plan.kernel @kernel_0 attributes {{{.*}}implementation = "onednn"
// CHECK-SAME: operation = "matmul"
// CHECK-SAME: #plan.operand<workspace = false, index = 0, offset = 0, tile_stride = 65536>
// CHECK-SAME: #plan.operand<workspace = false, index = 1, offset = 0, tile_stride = 0>
// CHECK-SAME: #plan.operand<workspace = false, index = 2, offset = 0, tile_stride = 65536>
// CHECK-SAME: >], tiles = 4 : i64
// AUTO: plan.kernel @kernel_0 attributes {{{.*}}implementation = "onednn"
train.program @matmul_tiles_rows eval inputs ["x", "w"] outputs ["y"] (%x: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %0 = graph.group(%x, %w) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32> {
  ^bb0(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>):
    %c = graph.matmul %a, %b : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    graph.yield %c : tensor<256x256xf32>
  }
  train.return %0 : tensor<256x256xf32>
}

// -----

// What the rows do not take stays generated: an element type, a layout.
// CHECK: plan.kernel @kernel_0 attributes {{{.*}}implementation = "generated"
// CHECK: plan.kernel @kernel_1 attributes {{{.*}}implementation = "generated"
// AUTO: plan.kernel @kernel_0 attributes {{{.*}}implementation = "generated"
train.program @others_stay_generated eval inputs ["x", "w", "i", "k"] outputs ["y", "z"] (%x: tensor<64x64xf64>, %w: tensor<64x64xf64>, %i: tensor<2x4x8x8xf32>, %k: tensor<8x4x3x3xf32>) -> (tensor<64x64xf64>, tensor<2x8x6x6xf32>) {
  %0 = graph.group(%x, %w) : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64> {
  ^bb0(%a: tensor<64x64xf64>, %b: tensor<64x64xf64>):
    %c = graph.matmul %a, %b : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64>
    graph.yield %c : tensor<64x64xf64>
  }
  %1 = graph.group(%i, %k) : (tensor<2x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<2x8x6x6xf32> {
  ^bb0(%a: tensor<2x4x8x8xf32>, %b: tensor<8x4x3x3xf32>):
    %c = graph.conv2d %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #graph<layout channels_first>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<2x8x6x6xf32>
    graph.yield %c : tensor<2x8x6x6xf32>
  }
  train.return %0, %1 : tensor<64x64xf64>, tensor<2x8x6x6xf32>
}
