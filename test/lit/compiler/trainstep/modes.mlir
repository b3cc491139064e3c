// RUN: amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro --amp-trainstep-build-finish --amp-trainstep-build-eval --amp-trainstep-build-derive --amp-trainstep-verify | FileCheck %s
// RUN: amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro="batchnorm-variance=sample" | FileCheck %s --check-prefix=SAMPLE
// RUN: amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro="freeze=running" --amp-trainstep-build-finish | FileCheck %s --check-prefix=FREEZE
// RUN: amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro="freeze=^running_mean$" | FileCheck %s --check-prefix=MEAN
// RUN: not amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro="batchnorm-variance=both" 2>&1 | FileCheck %s --check-prefix=VARIANCE
// RUN: sed 's/tensor<3x2x2xf32>/tensor<1x2x1xf32>/g' %s | not amp-opt --amp-trainstep-declare-states --amp-trainstep-build-micro 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: sed 's/%%v = train.read @running_variance/%%v = train.read @running_mean/' %s | not amp-opt --amp-trainstep-declare-states --amp-trainstep-build-micro 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: sed 's/%%m = train.read .*/%%m = graph.constant dense<0.0> : tensor<2xf32>/' %s | not amp-opt --amp-trainstep-declare-states --amp-trainstep-build-micro 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: amp-opt %s --amp-trainstep-declare-states --amp-trainstep-build-micro --amp-trainstep-build-finish --amp-trainstep-build-eval --amp-trainstep-build-derive > %t
// RUN: sed '/to @running_mean if/d' %t | not amp-opt --amp-trainstep-verify 2>&1 | FileCheck %s --check-prefix=UPDATE
// RUN: sed '/to @"running_mean.pending"/d' %t | not amp-opt --amp-trainstep-verify 2>&1 | FileCheck %s --check-prefix=PENDING
// RUN: sed '/train.state @running_mean /s/ statistic/ frozen/' %t | not amp-opt --amp-trainstep-verify 2>&1 | FileCheck %s --check-prefix=ROLE

// Training normalises by the batch. What running statistics become waits for the update; the one that is committed is
// read, so that a batch that is run again leaves no trace.
// CHECK-DAG: train.state @running_mean : tensor<2xf32> statistic = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: train.state @"running_mean/pending" : tensor<2xf32> pending of @running_mean = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: train.state @running_variance : tensor<2xf32> statistic
// CHECK-DAG: train.state @"running_variance/pending" : tensor<2xf32> pending of @running_variance
// CHECK: train.program @micro micro
// CHECK-DAG: %[[S:.*]] = train.read @scale
// CHECK-DAG: %[[B:.*]] = train.read @bias
// CHECK-DAG: %[[RM:.*]] = train.read @running_mean :
// CHECK-DAG: %[[RV:.*]] = train.read @running_variance :
// CHECK: %[[M:.*]], %[[V:.*]], %[[D:.*]] = graph.batch_moments %[[X:.*]] {axis = 1 : i64, eps = 1.000000e-03 : f64}
// CHECK: %[[Y:.*]] = graph.normalize %[[X]], %[[M]], %[[D]], %[[S]], %[[B]] {axis = 1 : i64, of_batch = true}
// CHECK: %[[NM:.*]], %[[NV:.*]] = graph.update_statistics %[[M]], %[[V]], %[[RM]], %[[RV]] {correction = 1.000000e+00 : f64, momentum = 9.000000e-01 : f64}
// CHECK-DAG: train.commit %[[NM]] to @"running_mean/pending" : tensor<2xf32>
// CHECK-DAG: train.commit %[[NV]] to @"running_variance/pending" : tensor<2xf32>
// CHECK: %[[DS:.*]], %[[DB:.*]] = graph.normalize_sums %[[DY:.*]], %[[X]], %[[M]], %[[D]]
// CHECK: graph.normalize_grad %[[DY]], %[[X]], %[[M]], %[[D]], %[[S]], %[[DS]], %[[DB]]
// CHECK-DAG: train.commit %[[DS]] to @"scale/gradient"
// CHECK-DAG: train.commit %[[DB]] to @"bias/gradient"

// CHECK: train.program @finish finish
// CHECK: %[[FINITE:.*]], %{{.*}} = train.measure
// CHECK: %[[P:.*]] = train.read @"running_mean/pending"
// CHECK: train.commit %[[P]] to @running_mean if %[[FINITE]]
// CHECK: %[[P:.*]] = train.read @"running_variance/pending"
// CHECK: train.commit %[[P]] to @running_variance if %[[FINITE]]

// CHECK: train.program @eval eval
// CHECK-NOT: batch_moments
// CHECK-DAG: %[[RM:.*]] = train.read @running_mean :
// CHECK-DAG: %[[RV:.*]] = train.read @running_variance :
// CHECK: %[[SHIFTED:.*]] = graph.add %[[RV]], %{{.*}} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
// CHECK: %[[ROOT:.*]] = graph.sqrt %[[SHIFTED]]
// CHECK: %[[D:.*]] = graph.div %{{.*}}, %[[ROOT]]
// CHECK: graph.normalize %{{.*}}, %[[RM]], %[[D]], %{{.*}}, %{{.*}} {axis = 1 : i64, of_batch = false}
// CHECK-NOT: pending

// Six values a channel: 6 / 5.
// SAMPLE: graph.update_statistics {{.*}}correction = 1.2{{0*}}e+00

// FREEZE: train.state @running_mean : tensor<2xf32> statistic
// FREEZE-NOT: pending
// FREEZE: train.program @micro
// FREEZE: graph.batch_moments
// FREEZE-NOT: update_statistics
// FREEZE: train.program @finish
// FREEZE-NOT: @running

// MEAN-NOT: @"running_mean/pending"
// MEAN: to @"running_variance/pending"

// VARIANCE: error: batchnorm-variance is 'both', wants population or sample
// FEW: error: {{.*}}'graph.batch_norm' op normalises 1 values a channel; training wants at least 2, in a larger batch
// TWICE: error: {{.*}}moves the running statistic 'running_mean', which another node moves too; give each its own
// CONSTANT: error: {{.*}}normalises with running statistics that are no initializer; wants the running mean and variance as initializers of the model
// UPDATE: breaks the contract of amp-trainstep-build-finish: finish does not commit it
// PENDING: breaks the contract of amp-trainstep-build-micro: micro does not commit it
// ROLE: breaks the contract of amp-trainstep-build-micro: it is not of a statistic of its type
train.state @w : tensor<2x2xf32> parameter
train.state @scale : tensor<2xf32> parameter
train.state @bias : tensor<2xf32> parameter
train.state @running_mean : tensor<2xf32> frozen = dense<[1.0, 2.0]> : tensor<2xf32>
train.state @running_variance : tensor<2xf32> frozen = dense<1.0> : tensor<2xf32>
train.program @model model inputs ["x"] outputs ["y", "loss"] (%x: tensor<3x2x2xf32>) -> (tensor<3x2x2xf32>, tensor<f32>) {
  %w = train.read @w : tensor<2x2xf32>
  %s = train.read @scale : tensor<2xf32>
  %b = train.read @bias : tensor<2xf32>
  %m = train.read @running_mean : tensor<2xf32>
  %v = train.read @running_variance : tensor<2xf32>
  %0 = graph.relu %x : tensor<3x2x2xf32> -> tensor<3x2x2xf32>
  %w1 = graph.reshape %w : tensor<2x2xf32> -> tensor<4xf32>
  %sum = graph.reduce_sum %w1 {axes = array<i64: 0>} : tensor<4xf32> -> tensor<f32>
  %1 = graph.mul %0, %sum : (tensor<3x2x2xf32>, tensor<f32>) -> tensor<3x2x2xf32>
  %2 = graph.batch_norm %1, %s, %b, %m, %v {axis = 1 : i64, eps = 1.0e-3, momentum = 0.9} : (tensor<3x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<3x2x2xf32> loc("norm")
  %3 = graph.mul %2, %2 : (tensor<3x2x2xf32>, tensor<3x2x2xf32>) -> tensor<3x2x2xf32>
  %4 = graph.reduce_sum %3 {axes = array<i64: 0, 1, 2>} : tensor<3x2x2xf32> -> tensor<f32>
  train.return %2, %4 : tensor<3x2x2xf32>, tensor<f32>
}
