// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1 of state
// expected-error @below {{'train.state' op has role gradient and no master; wants one in 'of'}}
train.state @g : tensor<2xf32> gradient

// -----

// C1 of state
// expected-error @below {{'train.state' op has role pending and no master; wants one in 'of'}}
train.state @p : tensor<2xf32> pending

// -----

// C2 of state
// expected-error @below {{'train.state' op of type 'tensor<2xf32>' starts from elements of type 'tensor<3xf32>'}}
train.state @w : tensor<2xf32> parameter = dense<0.0> : tensor<3xf32>

// -----

// C3 of state
// expected-error @below {{'train.state' op of type 'tensor<2xf32>' starts from 7 bytes at 0; wants 8 bytes}}
train.state @w : tensor<2xf32> parameter = #train.external<"w.bin", 0, 7>

// -----

// expected-error @below {{'train.state' op starts from 3 : i64; wants elements or #train.external}}
train.state @w : tensor<2xf32> parameter = 3 : i64

// -----

// C1 of program
// expected-error @below {{'train.program' op has 1 input names for 2 arguments}}
train.program @f model inputs ["x"] outputs [] (%x: tensor<f32>, %y: tensor<f32>) {
  train.return
}

// -----

// C2 of program
// expected-error @below {{'train.program' op has 2 index limits for 1 arguments}}
train.program @f model inputs ["x"] outputs [] index_limits [0, 1] (%x: tensor<f32>) {
  train.return
}

// -----

// expected-error @below {{'sometimes' is no kind of program; wants model, micro, finish, eval or derive}}
train.program @f sometimes inputs [] outputs [] () {
  train.return
}

// -----

// C1 of return
train.program @f model inputs ["x"] outputs ["y"] (%x: tensor<f32>) -> tensor<f64> {
  // expected-error @below {{'train.return' op gives 'tensor<f32>' for result 0 of type 'tensor<f64>'}}
  train.return %x : tensor<f32>
}

// -----

// C1 of read
train.program @f model inputs [] outputs [] () {
  // expected-error @below {{'train.read' op names @w, which is no state of this module}}
  %w = train.read @w : tensor<f32>
  train.return
}

// -----

// C1 of commit
// expected-note @below {{state declared here}}
train.state @w : tensor<2xf32> parameter
train.program @f model inputs ["x"] outputs [] (%x: tensor<f32>) {
  // expected-error @below {{'train.commit' op has type 'tensor<f32>' for state @w of type 'tensor<2xf32>'}}
  train.commit %x to @w : tensor<f32>
  train.return
}

// -----

// C2 of commit
train.state @w : tensor<f32> parameter
train.program @f model inputs ["x"] outputs [] (%x: tensor<f32>) {
  // expected-note @below {{first committed here}}
  train.commit %x to @w : tensor<f32>
  // expected-error @below {{'train.commit' op commits @w again; wants at most one commit a state}}
  train.commit %x to @w : tensor<f32>
  train.return
}

// -----

// C3 of commit
train.state @w : tensor<f32> parameter
train.program @f model inputs ["x", "p"] outputs [] (%x: tensor<f32>, %p: tensor<1xi1>) {
  // expected-error @below {{'train.commit' op has a predicate of type 'tensor<1xi1>'; wants tensor<i1>}}
  train.commit %x to @w if %p : tensor<1xi1> : tensor<f32>
  train.return
}
