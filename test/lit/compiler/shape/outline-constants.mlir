// RUN: amp-opt %s -amp-shape-outline-constants=max-elements=3 -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s

// Equal constants share a state; small ones and splats stay.
// CHECK: train.state @"mask/constant" : tensor<4xf32> constant = dense<[0.000000e+00, 0xFF800000, 0.000000e+00, 1.000000e+00]>
// CHECK: train.state @"mask/constant2" : tensor<4xi64> constant = dense<[3, 2, 1, 0]>
// CHECK-LABEL: @large_constants_become_state
// CHECK: %[[A:.*]] = train.read @"mask/constant"
// CHECK: graph.constant dense<[1, 2, 3]>
// CHECK: graph.constant dense<7>
// CHECK: %[[B:.*]] = train.read @"mask/constant2"
// CHECK: %[[C:.*]] = train.read @"mask/constant" :
// CHECK: train.return %[[A]], %{{.*}}, %{{.*}}, %[[B]], %[[C]]
train.program @large_constants_become_state model inputs [] outputs ["a", "b", "c", "d", "e"] () -> (tensor<4xf32>, tensor<3xi64>, tensor<8xi64>, tensor<4xi64>, tensor<4xf32>) {
  %a = graph.constant dense<[0.0, 0xFF800000, 0.0, 1.0]> : tensor<4xf32> loc("mask")
  %b = graph.constant dense<[1, 2, 3]> : tensor<3xi64> loc("small")
  %c = graph.constant dense<7> : tensor<8xi64> loc("splat")
  %d = graph.constant dense<[3, 2, 1, 0]> : tensor<4xi64> loc("mask")
  %e = graph.constant dense<[0.0, 0xFF800000, 0.0, 1.0]> : tensor<4xf32> loc("other")
  train.return %a, %b, %c, %d, %e : tensor<4xf32>, tensor<3xi64>, tensor<8xi64>, tensor<4xi64>, tensor<4xf32>
}
