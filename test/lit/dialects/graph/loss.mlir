// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK: graph.cross_entropy %{{.*}}, %{{.*}} {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<2x3xbf16>, tensor<2xi64>) -> tensor<f32>
// CHECK: graph.cross_entropy_grad %{{.*}}, %{{.*}}, %{{.*}} {axis = 1 : i64, ignore_index = -100 : i64, mean = false} : (tensor<f32>, tensor<2x3xbf16>, tensor<2xi64>) -> tensor<2x3xbf16>
// CHECK: graph.mse %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<f32>
train.program @f0 model inputs ["d", "a", "l", "b"] outputs [] (%d: tensor<f32>, %a: tensor<2x3xbf16>, %l: tensor<2xi64>, %b: tensor<2x3xf32>) {
  %p = graph.cross_entropy %a, %l {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<2x3xbf16>, tensor<2xi64>) -> tensor<f32>
  %q = graph.cross_entropy_grad %d, %a, %l {axis = 1 : i64, ignore_index = -100 : i64, mean = false} : (tensor<f32>, tensor<2x3xbf16>, tensor<2xi64>) -> tensor<2x3xbf16>
  %r = graph.mse %b, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<f32>
  train.return
}
