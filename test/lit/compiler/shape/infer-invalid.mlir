// RUN: amp-opt %s -split-input-file -verify-diagnostics -amp-shape-infer

train.program @reshape_that_a_batch_breaks model inputs ["x"] outputs ["y"] (%x: tensor<8x6xf32>) -> tensor<?x?xf32> {
  %a = graph.constant dense<4> : tensor<1xi64>
  %b = graph.constant dense<6> : tensor<1xi64>
  %t = graph.concat %a, %b {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  // expected-error @unknown {{node 'view' (graph.dynamic_reshape) turns 8x6 into 4x6, which has another number of elements; if --batch or --shape replaced a length that the file fixes, this node still holds the old one: export the model with symbolic axes}}
  %y = graph.dynamic_reshape %x, %t : (tensor<8x6xf32>, tensor<2xi64>) -> tensor<?x?xf32> loc("view")
  train.return %y : tensor<?x?xf32>
}
