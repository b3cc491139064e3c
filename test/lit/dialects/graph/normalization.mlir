// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK: graph.batch_norm %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {axis = 1 : i64, eps = 1.000000e-01 : f64, momentum = 5.000000e-01 : f64} : (tensor<4x3x2x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3x2x2xf32>
// CHECK: %{{.*}}, %{{.*}}, %{{.*}} = graph.batch_moments %{{.*}} {axis = 1 : i64, eps = 1.000000e-01 : f64} : (tensor<4x3x2x2xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
// CHECK: graph.normalize %{{.*}} {axis = 1 : i64, of_batch = true}
// CHECK: %{{.*}}, %{{.*}} = graph.normalize_sums %{{.*}} {axis = 1 : i64}
// CHECK: graph.normalize_grad %{{.*}} {axis = 1 : i64}
// CHECK: %{{.*}}, %{{.*}} = graph.update_statistics %{{.*}} {correction = 1.000000e+00 : f64, momentum = 5.000000e-01 : f64}
// CHECK: graph.layer_norm %{{.*}}, %{{.*}} {axis = 2 : i64, eps = 1.000000e-01 : f64} : (tensor<4x3x2x2xf32>, tensor<2x2xf32>) -> tensor<4x3x2x2xf32>
// CHECK: %{{.*}}, %{{.*}}, %{{.*}} = graph.layer_norm_grad %{{.*}} {axis = 2 : i64, eps = 1.000000e-01 : f64, parts = 5 : i64} : (tensor<4x3x2x2xf32>, tensor<4x3x2x2xf32>, tensor<2x2xf32>) -> (tensor<4x3x2x2xf32>, tensor<5x2x2xf32>, tensor<5x2x2xf32>)
train.program @f model inputs ["x", "v", "s"] outputs [] (%x: tensor<4x3x2x2xf32>, %v: tensor<3xf32>, %s: tensor<2x2xf32>) {
  %0 = graph.batch_norm %x, %v, %v, %v, %v {axis = 1 : i64, eps = 0.1, momentum = 0.5} : (tensor<4x3x2x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3x2x2xf32>
  %m, %w, %d = graph.batch_moments %x {axis = 1 : i64, eps = 0.1} : (tensor<4x3x2x2xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  %1 = graph.normalize %x, %m, %d, %v, %v {axis = 1 : i64, of_batch = true} : (tensor<4x3x2x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3x2x2xf32>
  %ds, %db = graph.normalize_sums %1, %x, %m, %d {axis = 1 : i64} : (tensor<4x3x2x2xf32>, tensor<4x3x2x2xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  %2 = graph.normalize_grad %1, %x, %m, %d, %v, %ds, %db {axis = 1 : i64} : (tensor<4x3x2x2xf32>, tensor<4x3x2x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3x2x2xf32>
  %nm, %nv = graph.update_statistics %m, %w, %v, %v {momentum = 0.5, correction = 1.0} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  %3 = graph.layer_norm %x, %s {axis = 2 : i64, eps = 0.1} : (tensor<4x3x2x2xf32>, tensor<2x2xf32>) -> tensor<4x3x2x2xf32>
  %dx, %a, %b = graph.layer_norm_grad %3, %x, %s {axis = 2 : i64, eps = 0.1, parts = 5 : i64} : (tensor<4x3x2x2xf32>, tensor<4x3x2x2xf32>, tensor<2x2xf32>) -> (tensor<4x3x2x2xf32>, tensor<5x2x2xf32>, tensor<5x2x2xf32>)
  train.return
}
