// RUN: amp-opt %s --amp-trainstep-build-loss="loss=mse of=b reduction=sum" | FileCheck %s --check-prefix=MSE
// RUN: amp-opt %s --amp-trainstep-build-loss="loss=cross-entropy of=a axis=-2 ignore-index=7" 2>&1 | FileCheck %s --check-prefix=CE
// RUN: not amp-opt %s --amp-trainstep-build-loss 2>&1 | FileCheck %s --check-prefix=BAD-TWO
// RUN: not amp-opt %s --amp-trainstep-build-loss="of=c" 2>&1 | FileCheck %s --check-prefix=BAD-NAME
// RUN: not amp-opt %s --amp-trainstep-build-loss="loss=cross-entropy of=b axis=2" 2>&1 | FileCheck %s --check-prefix=BAD-AXIS
// RUN: not amp-opt %s --amp-trainstep-build-loss="loss=nll of=b" 2>&1 | FileCheck %s --check-prefix=BAD-KIND
// RUN: not amp-opt %s --amp-trainstep-build-loss="loss=output of=b" 2>&1 | FileCheck %s --check-prefix=BAD-SCALAR

// MSE: inputs ["x", "labels"] outputs ["a", "b", "loss"]
// MSE: graph.mse %{{.*}}, %{{.*}} {mean = false} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<f32>

// CE: output 'a' is a softmax, and cross-entropy takes the softmax of what it reads
// CE: graph.cross_entropy %{{.*}}, %{{.*}} {axis = 0 : i64, ignore_index = 7 : i64} : (tensor<2x3xf32>, tensor<3xi64>)

// BAD-TWO: error: loss: the model has 2 float outputs, wants exactly one to decide from: 'a' (2x3), 'b' (2x3); name one with --loss=KIND:of=OUTPUT
// BAD-NAME: error: loss: no float output is called 'c'; the outputs are 'a' (2x3), 'b' (2x3)
// BAD-AXIS: error: loss: class axis 2 is outside rank 2 of output 'b'; choose another output or axis with --loss=cross-entropy:of=OUTPUT,axis=N
// BAD-KIND: error: loss: kind is 'nll', wants auto, cross-entropy, mse or output
// BAD-SCALAR: error: loss: output 'b' is 2x3, wants one element to be minimised; choose --loss=mse or --loss=cross-entropy
train.program @model model inputs ["x"] outputs ["a", "b"] (%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = graph.softmax %x {axis = 1 : i64} : tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = graph.relu %x : tensor<2x3xf32> -> tensor<2x3xf32>
  train.return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}
