// RUN: amp-opt %s -split-input-file -verify-diagnostics --amp-trainstep-build-loss

// expected-error@+1 {{loss: output 'y' has rank 1, which does not tell its loss; choose one with --loss=mse or --loss=cross-entropy}}
train.program @model model inputs ["x"] outputs ["y"] (%x: tensor<3xf32>) -> tensor<3xf32> {
  train.return %x : tensor<3xf32>
}

// -----

// expected-remark@+2 {{trains with cross-entropy}}
// expected-error@+1 {{loss: the model has an input called 'labels' already; rename it, the labels of the loss get this name}}
train.program @model model inputs ["labels"] outputs ["y"] (%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  train.return %x : tensor<2x3xf32>
}

// -----

// expected-remark@+2 {{trains with cross-entropy}}
// expected-error@+1 {{loss: the model has an output called 'loss' already; rename it, or minimise it with --loss=output:loss}}
train.program @model model inputs ["x"] outputs ["loss"] (%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  train.return %x : tensor<2x3xf32>
}

// -----

// expected-error@+1 {{holds no program of kind model; run amp-import-onnx first}}
module {
}
