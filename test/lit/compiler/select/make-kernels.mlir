// RUN: amp-opt %s -split-input-file -amp-select-make-kernels -amp-select-verify | FileCheck %s

// Two uses, one kernel: names are in locations alone. A lone reshape needs no kernel.
// CHECK-LABEL: plan.kernel @kernel_0
// CHECK-SAME: aliases = array<i64: -1>
// CHECK-SAME: implementation = "generated"
// CHECK-SAME: steps = [#plan.generated<"whole">]
// CHECK-SAME: tiles = 1 : i64
// CHECK: graph.relu
// CHECK-NOT: plan.kernel
// CHECK: train.program @equal_groups_share_a_kernel
// CHECK: [[A:%.*]] = plan.call @kernel_0(%{{.*}}) : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK: [[B:%.*]] = plan.call @kernel_0([[A]])
// CHECK: [[V:%.*]] = plan.view [[B]] : tensor<2x4xf32> -> tensor<8xf32>
// CHECK: train.return [[V]]
train.program @equal_groups_share_a_kernel eval inputs ["x"] outputs ["y"] (%x: tensor<2x4xf32>) -> tensor<8xf32> {
  %0 = graph.group(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32> {
  ^bb0(%a: tensor<2x4xf32>):
    %r = graph.relu %a : tensor<2x4xf32> -> tensor<2x4xf32> loc("first")
    graph.yield %r : tensor<2x4xf32>
  }
  %1 = graph.group(%0) : (tensor<2x4xf32>) -> tensor<2x4xf32> {
  ^bb0(%b: tensor<2x4xf32>):
    %r = graph.relu %b : tensor<2x4xf32> -> tensor<2x4xf32> loc("second")
    graph.yield %r : tensor<2x4xf32>
  }
  %2 = graph.group(%1) : (tensor<2x4xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<2x4xf32>):
    %r = graph.reshape %a : tensor<2x4xf32> -> tensor<8xf32>
    graph.yield %r : tensor<8xf32>
  }
  train.return %2 : tensor<8xf32>
}

// -----

// An update overwrites its state in place, after the reader that stands below it.
// CHECK: plan.kernel @kernel_0 {{.*}}aliases = array<i64: 0>
// CHECK: plan.kernel @kernel_1 {{.*}}aliases = array<i64: -1>
// CHECK: train.program @update_comes_after_readers
// CHECK: [[P:%.*]] = train.read @p
// CHECK: [[Y:%.*]] = plan.call @kernel_1([[P]])
// CHECK: [[N:%.*]] = plan.call @kernel_0([[P]])
// CHECK: train.commit [[N]] to @p
// CHECK: train.return [[Y]]
train.state @p : tensor<4xf32> parameter
train.program @update_comes_after_readers micro inputs [] outputs ["y"] () -> tensor<4xf32> {
  %p = train.read @p : tensor<4xf32>
  %0 = graph.group(%p) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %r = graph.neg %a : tensor<4xf32> -> tensor<4xf32>
    graph.yield %r : tensor<4xf32>
  }
  train.commit %0 to @p : tensor<4xf32>
  %1 = graph.group(%p) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %r = graph.exp %a : tensor<4xf32> -> tensor<4xf32>
    graph.yield %r : tensor<4xf32>
  }
  train.return %1 : tensor<4xf32>
}

// -----

// Each of two calls reads what the other overwrites: one goes through a copy.
// CHECK: plan.kernel @kernel_1
// CHECK-NEXT: ^bb0([[IN:%.*]]: tensor<4xf32>):
// CHECK-NEXT: graph.yield [[IN]]
// CHECK: train.program @swapped_states_need_a_copy
// CHECK-DAG: [[P:%.*]] = train.read @p
// CHECK-DAG: [[Q:%.*]] = train.read @q
// CHECK: [[NEWP:%.*]] = plan.call @kernel_0([[Q]])
// CHECK: [[NEWQ:%.*]] = plan.call @kernel_0([[P]])
// CHECK: [[COPY:%.*]] = plan.call @kernel_1([[NEWP]])
// CHECK: train.commit [[COPY]] to @p
train.state @p : tensor<4xf32> parameter
train.state @q : tensor<4xf32> parameter
train.program @swapped_states_need_a_copy micro inputs [] outputs [] () -> () {
  %p = train.read @p : tensor<4xf32>
  %q = train.read @q : tensor<4xf32>
  %0 = graph.group(%q) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %r = graph.neg %a : tensor<4xf32> -> tensor<4xf32>
    graph.yield %r : tensor<4xf32>
  }
  %1 = graph.group(%p) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %r = graph.neg %a : tensor<4xf32> -> tensor<4xf32>
    graph.yield %r : tensor<4xf32>
  }
  train.commit %0 to @p : tensor<4xf32>
  train.commit %1 to @q : tensor<4xf32>
  train.return
}

// -----

// The launch of a predicated commit may not run: a value that is wanted all the same is copied.
// CHECK: train.program @predicated_value_with_another_user
// CHECK: [[N:%.*]] = plan.call @kernel_0(
// CHECK: [[COPY:%.*]] = plan.call @kernel_1([[N]])
// CHECK: train.commit [[COPY]] to @p if %{{.*}} : tensor<i1> : tensor<4xf32>
// CHECK: train.return [[N]]
train.state @p : tensor<4xf32> parameter
train.program @predicated_value_with_another_user finish inputs ["x", "ok"] outputs ["y"] (%x: tensor<4xf32>, %ok: tensor<i1>) -> tensor<4xf32> {
  %0 = graph.group(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %r = graph.neg %a : tensor<4xf32> -> tensor<4xf32>
    graph.yield %r : tensor<4xf32>
  }
  train.commit %0 to @p if %ok : tensor<i1> : tensor<4xf32>
  train.return %0 : tensor<4xf32>
}
