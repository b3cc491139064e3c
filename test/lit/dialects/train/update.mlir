// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK: train.unscale %{{.*}}, %{{.*}} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
// CHECK: train.sum_squares %{{.*}} : tensor<2xf32> -> tensor<3xf64>
// CHECK: train.measure %{{.*}}, %{{.*}} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<i1>, tensor<f32>)
// CHECK: train.sgd %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {dampening = 0.000000e+00 : f64, momentum = 0.000000e+00 : f64, nesterov = false, weight_decay = 0.000000e+00 : f64} : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<i64>) -> tensor<2xf32>
// CHECK: train.sgd %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {dampening = 0.000000e+00 : f64, momentum = 5.000000e-01 : f64, nesterov = false, weight_decay = 0.000000e+00 : f64} : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<i64>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// CHECK: train.adam %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {beta1 = 9.000000e-01 : f64, beta2 = 5.000000e-01 : f64, decoupled = true, eps = 1.000000e-08 : f64, weight_decay = 1.000000e-02 : f64} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<f64>, tensor<f64>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
// CHECK: train.update_scale %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {backoff = 5.000000e-01 : f64, growth = 2.000000e+00 : f64, interval = 2000 : i64, max = 1.000000e+30 : f64, min = 1.000000e+00 : f64} : (tensor<f32>, tensor<i32>, tensor<i1>, tensor<f32>) -> (tensor<f32>, tensor<i32>)
train.program @f0 model inputs ["p", "g", "lr", "n", "b", "q", "t", "f"] outputs [] (%p: tensor<2xf32>, %g: tensor<2xf32>, %lr: tensor<f32>, %n: tensor<i64>, %b: tensor<2xf32>, %q: tensor<f64>, %t: tensor<i32>, %f: tensor<i1>) {
  %u = train.unscale %g, %lr : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %s = train.sum_squares %u : tensor<2xf32> -> tensor<3xf64>
  %c, %d = train.measure %s, %s : (tensor<3xf64>, tensor<3xf64>) -> (tensor<i1>, tensor<f32>)
  %e = train.sgd %p, %g, %lr, %n {dampening = 0.000000e+00 : f64, momentum = 0.000000e+00 : f64, nesterov = false, weight_decay = 0.000000e+00 : f64} : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<i64>) -> tensor<2xf32>
  %h, %i = train.sgd %p, %g, %lr, %n, %b {dampening = 0.000000e+00 : f64, momentum = 5.000000e-01 : f64, nesterov = false, weight_decay = 0.000000e+00 : f64} : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<i64>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %j, %k, %l = train.adam %p, %g, %b, %b, %lr, %q, %q {beta1 = 9.000000e-01 : f64, beta2 = 5.000000e-01 : f64, decoupled = true, eps = 1.000000e-08 : f64, weight_decay = 1.000000e-02 : f64} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<f64>, tensor<f64>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  %m, %o = train.update_scale %lr, %t, %f, %lr {backoff = 5.000000e-01 : f64, growth = 2.000000e+00 : f64, interval = 2000 : i64, max = 1.000000e+30 : f64, min = 1.000000e+00 : f64} : (tensor<f32>, tensor<i32>, tensor<i1>, tensor<f32>) -> (tensor<f32>, tensor<i32>)
  train.return
}
