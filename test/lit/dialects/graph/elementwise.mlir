// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK: graph.relu %{{.*}} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.tanh %{{.*}} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.sigmoid %{{.*}} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.neg %{{.*}} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.exp %{{.*}} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.log %{{.*}} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.sqrt %{{.*}} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.add %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: graph.sub %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: graph.mul %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: graph.div %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: graph.relu_grad %{{.*}}, %{{.*}} : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.tanh_grad %{{.*}}, %{{.*}} : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.sigmoid_grad %{{.*}}, %{{.*}} : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.bias_add %{{.*}}, %{{.*}} {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: graph.cast %{{.*}} : tensor<2x3xf32> -> tensor<2x3xbf16>
// CHECK: graph.compare ge %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK: graph.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
train.program @f0 model inputs ["a", "b", "c", "i"] outputs [] (%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %c: tensor<3xf32>, %i: tensor<2x3xi1>) {
  %u0 = graph.relu %a : tensor<2x3xf32> -> tensor<2x3xf32>
  %u1 = graph.tanh %a : tensor<2x3xf32> -> tensor<2x3xf32>
  %u2 = graph.sigmoid %a : tensor<2x3xf32> -> tensor<2x3xf32>
  %u3 = graph.neg %a : tensor<2x3xf32> -> tensor<2x3xf32>
  %u4 = graph.exp %a : tensor<2x3xf32> -> tensor<2x3xf32>
  %u5 = graph.log %a : tensor<2x3xf32> -> tensor<2x3xf32>
  %u6 = graph.sqrt %a : tensor<2x3xf32> -> tensor<2x3xf32>
  %v0 = graph.add %a, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %v1 = graph.sub %a, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %v2 = graph.mul %a, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %v3 = graph.div %a, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %g0 = graph.relu_grad %a, %b : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %g1 = graph.tanh_grad %a, %b : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %g2 = graph.sigmoid_grad %a, %b : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %p = graph.bias_add %a, %c {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %q = graph.cast %a : tensor<2x3xf32> -> tensor<2x3xbf16>
  %r = graph.compare ge %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %s = graph.select %i, %a, %b : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  train.return
}

// CHECK: graph.erf %{{.*}} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.abs %{{.*}} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.reciprocal %{{.*}} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.gelu %{{.*}} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.gelu %{{.*}} {approximate = true} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.gelu_grad %{{.*}}, %{{.*}} : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.pow %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: graph.min %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: graph.max %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: graph.is_nan %{{.*}} : tensor<2x3xf32> -> tensor<2x3xi1>
// CHECK: graph.logical_not %{{.*}} : tensor<2x3xi1> -> tensor<2x3xi1>
// CHECK: graph.logical_and %{{.*}}, %{{.*}} : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
// CHECK: graph.logical_or %{{.*}}, %{{.*}} : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
train.program @f1 model inputs ["a", "b", "c"] outputs [] (%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %c: tensor<3xf32>) {
  %u0 = graph.erf %a : tensor<2x3xf32> -> tensor<2x3xf32>
  %u1 = graph.abs %a : tensor<2x3xf32> -> tensor<2x3xf32>
  %u2 = graph.reciprocal %a : tensor<2x3xf32> -> tensor<2x3xf32>
  %u3 = graph.gelu %a : tensor<2x3xf32> -> tensor<2x3xf32>
  %g0 = graph.gelu %a {approximate = true} : tensor<2x3xf32> -> tensor<2x3xf32>
  %g1 = graph.gelu_grad %a, %b : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %v0 = graph.pow %a, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %v1 = graph.min %a, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %v2 = graph.max %a, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %n = graph.is_nan %a : tensor<2x3xf32> -> tensor<2x3xi1>
  %m = graph.logical_not %n : tensor<2x3xi1> -> tensor<2x3xi1>
  %o = graph.logical_and %n, %m : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %p = graph.logical_or %n, %m : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  train.return
}
