// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1 of unscale
train.program @f model inputs ["p", "g", "lr", "n", "b", "q", "t", "f"] outputs [] (%p: tensor<2xf32>, %g: tensor<2xf32>, %lr: tensor<f32>, %n: tensor<i64>, %b: tensor<2xf32>, %q: tensor<f64>, %t: tensor<i32>, %f: tensor<i1>) {
  // expected-error @below {{'train.unscale' op has a scale of type 'tensor<2xf32>'; wants 'tensor<f32>'}}
  %u = train.unscale %g, %p : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  train.return
}

// -----

// C2 of unscale
train.program @f model inputs ["p", "g", "lr", "n", "b", "q", "t", "f"] outputs [] (%p: tensor<2xf32>, %g: tensor<2xf32>, %lr: tensor<f32>, %n: tensor<i64>, %b: tensor<2xf32>, %q: tensor<f64>, %t: tensor<i32>, %f: tensor<i1>) {
  // expected-error @below {{'train.unscale' op has a gradient of 'f64'; wants f32}}
  %u = train.unscale %q, %lr : (tensor<f64>, tensor<f32>) -> tensor<f64>
  train.return
}

// -----

// C1 of sum_squares
train.program @f model inputs ["g"] outputs [] (%g: tensor<2xf16>) {
  // expected-error @below {{'train.sum_squares' op has a gradient of 'f16'; wants f32}}
  %s = train.sum_squares %g : tensor<2xf16> -> tensor<1xf64>
  train.return
}

// -----

// C2 of sum_squares
train.program @f model inputs ["g"] outputs [] (%g: tensor<2xf32>) {
  // expected-error @below {{'train.sum_squares' op has parts of type 'tensor<f64>'; wants an f64 vector}}
  %s = train.sum_squares %g : tensor<2xf32> -> tensor<f64>
  train.return
}

// -----

// C1 of measure
train.program @f model inputs ["s"] outputs [] (%s: tensor<2xf32>) {
  // expected-error @below {{'train.measure' op has parts of type 'tensor<2xf32>'; wants an f64 vector}}
  %c, %d = train.measure %s : (tensor<2xf32>) -> (tensor<i1>, tensor<f32>)
  train.return
}

// -----

// C2 of measure
train.program @f model inputs ["s"] outputs [] (%s: tensor<2xf64>) {
  // expected-error @below {{'train.measure' op has norm of type 'tensor<f64>'; wants 'tensor<f32>'}}
  %c, %d = train.measure %s : (tensor<2xf64>) -> (tensor<i1>, tensor<f64>)
  train.return
}

// -----

// C1 of sgd
train.program @f model inputs ["p", "g", "lr", "n", "b", "q", "t", "f"] outputs [] (%p: tensor<2xf32>, %g: tensor<3xf32>, %lr: tensor<f32>, %n: tensor<i64>, %b: tensor<2xf32>, %q: tensor<f64>, %t: tensor<i32>, %f: tensor<i1>) {
  // expected-error @below {{'train.sgd' op has a gradient of type 'tensor<3xf32>'; wants 'tensor<2xf32>'}}
  %e = train.sgd %p, %g, %lr, %n {dampening = 0.000000e+00 : f64, momentum = 0.0 : f64, nesterov = false, weight_decay = 0.000000e+00 : f64} : (tensor<2xf32>, tensor<3xf32>, tensor<f32>, tensor<i64>) -> tensor<2xf32>
  train.return
}

// -----

// C2 of sgd
train.program @f model inputs ["p", "g", "lr", "n", "b", "q", "t", "f"] outputs [] (%p: tensor<2xf32>, %g: tensor<2xf32>, %lr: tensor<f32>, %n: tensor<i64>, %b: tensor<2xf32>, %q: tensor<f64>, %t: tensor<i32>, %f: tensor<i1>) {
  // expected-error @below {{'train.sgd' op has momentum 5.000000e-01 with 0 buffers; wants an old and a new one}}
  %e = train.sgd %p, %g, %lr, %n {dampening = 0.000000e+00 : f64, momentum = 0.5 : f64, nesterov = false, weight_decay = 0.000000e+00 : f64} : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<i64>) -> tensor<2xf32>
  train.return
}

// -----

// C3 of sgd
train.program @f model inputs ["p", "g", "lr", "n", "b", "q", "t", "f"] outputs [] (%p: tensor<2xf32>, %g: tensor<2xf32>, %lr: tensor<f32>, %n: tensor<i64>, %b: tensor<2xf32>, %q: tensor<f64>, %t: tensor<i32>, %f: tensor<i1>) {
  // expected-error @below {{'train.sgd' op has steps of type 'tensor<i32>'; wants 'tensor<i64>'}}
  %e = train.sgd %p, %g, %lr, %t {dampening = 0.000000e+00 : f64, momentum = 0.0 : f64, nesterov = false, weight_decay = 0.000000e+00 : f64} : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<i32>) -> tensor<2xf32>
  train.return
}

// -----

// C1 of adam
train.program @f model inputs ["p", "g", "lr", "n", "b", "q", "t", "f"] outputs [] (%p: tensor<2xf32>, %g: tensor<2xf32>, %lr: tensor<f32>, %n: tensor<i64>, %b: tensor<3xf32>, %q: tensor<f64>, %t: tensor<i32>, %f: tensor<i1>) {
  // expected-error @below {{'train.adam' op has m of type 'tensor<3xf32>'; wants 'tensor<2xf32>'}}
  %j, %k, %l = train.adam %p, %g, %b, %p, %lr, %q, %q {beta1 = 9.000000e-01 : f64, beta2 = 5.000000e-01 : f64, decoupled = true, eps = 1.000000e-08 : f64, weight_decay = 1.000000e-02 : f64} : (tensor<2xf32>, tensor<2xf32>, tensor<3xf32>, tensor<2xf32>, tensor<f32>, tensor<f64>, tensor<f64>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  train.return
}

// -----

// C2 of adam
train.program @f model inputs ["p", "g", "lr", "n", "b", "q", "t", "f"] outputs [] (%p: tensor<2xf32>, %g: tensor<2xf32>, %lr: tensor<f32>, %n: tensor<i64>, %b: tensor<2xf32>, %q: tensor<f64>, %t: tensor<i32>, %f: tensor<i1>) {
  // expected-error @below {{'train.adam' op has power1 of type 'tensor<f32>'; wants 'tensor<f64>'}}
  %j, %k, %l = train.adam %p, %g, %b, %b, %lr, %lr, %q {beta1 = 9.000000e-01 : f64, beta2 = 5.000000e-01 : f64, decoupled = true, eps = 1.000000e-08 : f64, weight_decay = 1.000000e-02 : f64} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f64>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  train.return
}

// -----

// C1 of update_scale
train.program @f model inputs ["p", "g", "lr", "n", "b", "q", "t", "f"] outputs [] (%p: tensor<2xf32>, %g: tensor<2xf32>, %lr: tensor<f32>, %n: tensor<i64>, %b: tensor<2xf32>, %q: tensor<f64>, %t: tensor<i32>, %f: tensor<i1>) {
  // expected-error @below {{'train.update_scale' op has a tracker of type 'tensor<i64>'; wants 'tensor<i32>'}}
  %m, %o = train.update_scale %lr, %n, %f, %lr {backoff = 5.000000e-01 : f64, growth = 2.000000e+00 : f64, interval = 2000 : i64, max = 1.000000e+30 : f64, min = 1.000000e+00 : f64} : (tensor<f32>, tensor<i64>, tensor<i1>, tensor<f32>) -> (tensor<f32>, tensor<i32>)
  train.return
}
