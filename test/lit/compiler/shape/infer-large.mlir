// RUN: amp-opt %s -amp-shape-infer=max-fold-elements=4 | FileCheck %s

// CHECK-LABEL: @large_constants_stay
// CHECK: graph.constant dense<4>
// CHECK: graph.add %{{.*}} : (tensor<8xi64>
train.program @large_constants_stay model inputs [] outputs ["y", "z"] () -> (tensor<2xi64>, tensor<8xi64>) {
  %a = graph.constant dense<2> : tensor<2xi64>
  %b = graph.constant dense<2> : tensor<8xi64>
  %0 = graph.add %a, %a : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %1 = graph.add %b, %b : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi64>
  train.return %0, %1 : tensor<2xi64>, tensor<8xi64>
}
