// The exit form passes; each line below breaks one rule of it.
// RUN: amp-opt %s --amp-trainstep-verify
// RUN: sed 's/@eval eval/@eval model/' %s | not amp-opt --amp-trainstep-verify 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: sed 's/@derive derive/@derive eval/' %s | not amp-opt --amp-trainstep-verify 2>&1 | FileCheck %s --check-prefix=DERIVE
// RUN: sed 's/@seed : tensor<i64> seed/@seed : tensor<i64> constant/' %s | not amp-opt --amp-trainstep-verify 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: sed 's/gradient of @w/moment of @w/' %s | not amp-opt --amp-trainstep-verify 2>&1 | FileCheck %s --check-prefix=GRADIENT
// RUN: sed 's/w.gradient/w_g/' %s | not amp-opt --amp-trainstep-verify 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: sed '/MICRO-COMMIT/d' %s | not amp-opt --amp-trainstep-verify 2>&1 | FileCheck %s --check-prefix=COMMIT
// RUN: sed '/FINISH-COMMIT/d' %s | not amp-opt --amp-trainstep-verify 2>&1 | FileCheck %s --check-prefix=UPDATE
// RUN: sed 's/ if %%finite : tensor<i1>//' %s | not amp-opt --amp-trainstep-verify 2>&1 | FileCheck %s --check-prefix=PREDICATE
// RUN: sed 's/ if %%finite : tensor<i1>//' %s | amp-opt --amp-trainstep-verify=nonfinite=ignore
// RUN: not amp-opt %s --amp-trainstep-verify=nonfinite=ignore 2>&1 | FileCheck %s --check-prefix=IGNORE
// RUN: sed 's/ keyed(%%seed, %%steps : tensor<i64>, tensor<i64>)//' %s | not amp-opt --amp-trainstep-verify 2>&1 | FileCheck %s --check-prefix=KEYED
// RUN: sed 's/2xf32/2xbf16/g' %s | not amp-opt --amp-trainstep-verify 2>&1 | FileCheck %s --check-prefix=TYPE

// MODEL: breaks the contract of amp-trainstep-build-eval: a program of kind model is left
// DERIVE: breaks the contract of amp-trainstep-build-eval: there are 2 programs of kind eval, wants 1
// SEED: breaks the contract of amp-trainstep-declare-states: there are 0 states of role seed, wants 1
// GRADIENT: breaks the contract of amp-trainstep-build-micro: it has 0 gradient states, wants 1
// NAME: breaks the contract of amp-trainstep-build-micro: it is not called 'w/gradient'
// COMMIT: breaks the contract of amp-trainstep-build-micro: micro does not commit it
// UPDATE: breaks the contract of amp-trainstep-build-finish: finish does not commit it
// PREDICATE: breaks the contract of amp-trainstep-build-finish: the commit of 'w' is not predicated, wants the output 'finite'
// IGNORE: breaks the contract of amp-trainstep-build-finish: the commit of 'w' is predicated, wants no predicate
// KEYED: breaks the contract of amp-trainstep-build-micro: it has not entered training
// TYPE: breaks the contract of this stage: a float is 'bf16', wants f32
train.state @w : tensor<2xf32> parameter
train.state @learning_rate : tensor<f32> learning_rate
train.state @loss_scale : tensor<f32> loss_scale
train.state @step_count : tensor<i64> step_count
train.state @seed : tensor<i64> seed
train.state @loss : tensor<f32> loss
train.state @"w/gradient" : tensor<2xf32> gradient of @w
train.program @micro micro inputs ["x"] outputs ["loss"] (%x: tensor<f32>) -> tensor<f32> {
  %w = train.read @w : tensor<2xf32>
  %seed = train.read @seed : tensor<i64>
  %steps = train.read @step_count : tensor<i64>
  %d = graph.dropout %w keyed(%seed, %steps : tensor<i64>, tensor<i64>) {ratio = 0.5 : f64, number = 0 : i64} : tensor<2xf32> -> tensor<2xf32>
  train.commit %d to @"w/gradient" : tensor<2xf32> // MICRO-COMMIT
  train.return %x : tensor<f32>
}
train.program @finish finish inputs [] outputs ["finite"] () -> tensor<i1> {
  %w = train.read @w : tensor<2xf32>
  %finite = graph.constant dense<true> : tensor<i1>
  train.commit %w to @w if %finite : tensor<i1> : tensor<2xf32> // FINISH-COMMIT
  train.return %finite : tensor<i1>
}
train.program @eval eval inputs ["x"] outputs ["loss"] (%x: tensor<f32>) -> tensor<f32> {
  train.return %x : tensor<f32>
}
train.program @derive derive inputs [] outputs [] () {
  train.return
}
