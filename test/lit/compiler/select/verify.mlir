// RUN: amp-opt %s -split-input-file -verify-diagnostics -amp-select-verify

train.program @group_left eval inputs ["x"] outputs ["y"] (%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'graph.group' op is left after select; please report this}}
  %0 = graph.group(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    graph.yield %a : tensor<4xf32>
  }
  train.return %0 : tensor<4xf32>
}

// -----

train.state @p : tensor<4xf32> parameter
train.program @commit_of_an_input micro inputs ["x"] outputs [] (%x: tensor<4xf32>) -> () {
  // expected-error @below {{'train.commit' op commits what is not the result of a call; please report this}}
  train.commit %x to @p : tensor<4xf32>
  train.return
}

// -----

plan.kernel @k attributes {aliases = array<i64: 0>, implementation = "generated", steps = [#plan.generated<"whole">], tiles = 1 : i64, workspace = 0 : i64} {
^bb0(%a: tensor<4xf32>):
  %r = graph.neg %a : tensor<4xf32> -> tensor<4xf32>
  graph.yield %r : tensor<4xf32>
}
train.state @p : tensor<4xf32> parameter
train.program @late_reader micro inputs [] outputs ["y"] () -> tensor<4xf32> {
  %p = train.read @p : tensor<4xf32>
  %0 = plan.call @k(%p) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{'plan.call' op reads the old value of @p after a call overwrote it; please report this}}
  %1 = plan.call @k(%p) : (tensor<4xf32>) -> tensor<4xf32>
  train.commit %0 to @p : tensor<4xf32>
  train.return %1 : tensor<4xf32>
}
