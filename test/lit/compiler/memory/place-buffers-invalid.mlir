// RUN: amp-opt %s -split-input-file -verify-diagnostics -amp-memory-place-states -amp-memory-place-buffers

train.state @w : tensor<4xf32> parameter
plan.kernel @negate attributes {implementation = "generated", tiles = 1 : i64, workspace = 0 : i64,
                                aliases = array<i64: -1>, steps = [#plan.generated<"whole">]} {
^bb0(%x: tensor<4xf32>):
  %y = graph.neg %x : tensor<4xf32> -> tensor<4xf32>
  graph.yield %y : tensor<4xf32>
}
train.program @late_reader micro inputs ["x"] outputs ["y"] (%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = train.read @w : tensor<4xf32>
  %n = plan.call @negate(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{overwrites 'w' before its last reader; amp-select-make-kernels should have moved the call}}
  train.commit %n to @w : tensor<4xf32>
  %y = plan.call @negate(%w) : (tensor<4xf32>) -> tensor<4xf32>
  train.return %y : tensor<4xf32>
}

// -----

train.state @w : tensor<4xf32> parameter
train.program @no_call micro inputs ["x"] outputs [] (%x: tensor<4xf32>) -> () {
  // expected-error @below {{commits to 'w' a value that no call makes; amp-select-make-kernels should have copied it}}
  train.commit %x to @w : tensor<4xf32>
  train.return
}

// -----

train.program @op_left micro inputs ["x"] outputs ["y"] (%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{is left in program 'op_left'; amp-select-make-kernels should have put it into a kernel}}
  %y = graph.neg %x : tensor<4xf32> -> tensor<4xf32>
  train.return %y : tensor<4xf32>
}
