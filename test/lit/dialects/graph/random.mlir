// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK: graph.dropout %{{.*}} {number = 3 : i64, ratio = 5.000000e-01 : f64} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.dropout %{{.*}} keyed(%{{.*}}, %{{.*}} : tensor<i64>, tensor<i64>) {number = 3 : i64, ratio = 5.000000e-01 : f64} : tensor<2x3xf32> -> tensor<2x3xf32>
train.program @f0 model inputs ["a", "s", "u"] outputs [] (%a: tensor<2x3xf32>, %s: tensor<i64>, %u: tensor<i64>) {
  %p = graph.dropout %a {number = 3 : i64, ratio = 5.000000e-01 : f64} : tensor<2x3xf32> -> tensor<2x3xf32>
  %q = graph.dropout %a keyed(%s, %u : tensor<i64>, tensor<i64>) {number = 3 : i64, ratio = 5.000000e-01 : f64} : tensor<2x3xf32> -> tensor<2x3xf32>
  train.return
}
