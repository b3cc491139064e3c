// Two residual blocks with batch normalisation, the second with a strided shortcut, and a pooled head.
train.state @"conv1.weight" : tensor<4x3x3x3xf32> parameter
train.state @"norm1.weight" : tensor<4xf32> parameter
train.state @"norm1.bias" : tensor<4xf32> parameter
train.state @"norm1.mean" : tensor<4xf32> frozen = dense<0.125> : tensor<4xf32>
train.state @"norm1.variance" : tensor<4xf32> frozen = dense<1.5> : tensor<4xf32>
train.state @"conv2.weight" : tensor<4x4x3x3xf32> parameter
train.state @"norm2.weight" : tensor<4xf32> parameter
train.state @"norm2.bias" : tensor<4xf32> parameter
train.state @"norm2.mean" : tensor<4xf32> frozen = dense<0.125> : tensor<4xf32>
train.state @"norm2.variance" : tensor<4xf32> frozen = dense<1.5> : tensor<4xf32>
train.state @"conv3.weight" : tensor<6x4x3x3xf32> parameter
train.state @"norm3.weight" : tensor<6xf32> parameter
train.state @"norm3.bias" : tensor<6xf32> parameter
train.state @"norm3.mean" : tensor<6xf32> frozen = dense<0.125> : tensor<6xf32>
train.state @"norm3.variance" : tensor<6xf32> frozen = dense<1.5> : tensor<6xf32>
train.state @"conv4.weight" : tensor<6x4x1x1xf32> parameter
train.state @"norm4.weight" : tensor<6xf32> parameter
train.state @"norm4.bias" : tensor<6xf32> parameter
train.state @"norm4.mean" : tensor<6xf32> frozen = dense<0.125> : tensor<6xf32>
train.state @"norm4.variance" : tensor<6xf32> frozen = dense<1.5> : tensor<6xf32>
train.state @"fc.weight" : tensor<5x6xf32> parameter
train.state @"fc.bias" : tensor<5xf32> parameter
train.program @model model inputs ["x", "labels"] outputs ["y", "loss"] (%x: tensor<4x3x6x6xf32>, %labels: tensor<4xi64>) -> (tensor<4x5xf32>, tensor<f32>) {
  %conv1_w = train.read @"conv1.weight" : tensor<4x3x3x3xf32>
  %c1 = graph.conv2d %x, %conv1_w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<4x3x6x6xf32>, tensor<4x3x3x3xf32>) -> tensor<4x4x6x6xf32> loc("conv1")
  %norm1_weight = train.read @"norm1.weight" : tensor<4xf32>
  %norm1_bias = train.read @"norm1.bias" : tensor<4xf32>
  %norm1_mean = train.read @"norm1.mean" : tensor<4xf32>
  %norm1_variance = train.read @"norm1.variance" : tensor<4xf32>
  %n1 = graph.batch_norm %c1, %norm1_weight, %norm1_bias, %norm1_mean, %norm1_variance {axis = 1 : i64, eps = 1.0e-5, momentum = 0.9} : (tensor<4x4x6x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4x6x6xf32> loc("norm1")
  %t1 = graph.tanh %n1 : tensor<4x4x6x6xf32> -> tensor<4x4x6x6xf32> loc("t1")
  %conv2_w = train.read @"conv2.weight" : tensor<4x4x3x3xf32>
  %c2 = graph.conv2d %t1, %conv2_w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) -> tensor<4x4x6x6xf32> loc("conv2")
  %norm2_weight = train.read @"norm2.weight" : tensor<4xf32>
  %norm2_bias = train.read @"norm2.bias" : tensor<4xf32>
  %norm2_mean = train.read @"norm2.mean" : tensor<4xf32>
  %norm2_variance = train.read @"norm2.variance" : tensor<4xf32>
  %n2 = graph.batch_norm %c2, %norm2_weight, %norm2_bias, %norm2_mean, %norm2_variance {axis = 1 : i64, eps = 1.0e-5, momentum = 0.9} : (tensor<4x4x6x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4x6x6xf32> loc("norm2")
  %a2 = graph.add %n2, %t1 : (tensor<4x4x6x6xf32>, tensor<4x4x6x6xf32>) -> tensor<4x4x6x6xf32> loc("a2")
  %t2 = graph.tanh %a2 : tensor<4x4x6x6xf32> -> tensor<4x4x6x6xf32> loc("t2")
  %conv3_w = train.read @"conv3.weight" : tensor<6x4x3x3xf32>
  %c3 = graph.conv2d %t2, %conv3_w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<4x4x6x6xf32>, tensor<6x4x3x3xf32>) -> tensor<4x6x3x3xf32> loc("conv3")
  %norm3_weight = train.read @"norm3.weight" : tensor<6xf32>
  %norm3_bias = train.read @"norm3.bias" : tensor<6xf32>
  %norm3_mean = train.read @"norm3.mean" : tensor<6xf32>
  %norm3_variance = train.read @"norm3.variance" : tensor<6xf32>
  %n3 = graph.batch_norm %c3, %norm3_weight, %norm3_bias, %norm3_mean, %norm3_variance {axis = 1 : i64, eps = 1.0e-5, momentum = 0.9} : (tensor<4x6x3x3xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<4x6x3x3xf32> loc("norm3")
  %conv4_w = train.read @"conv4.weight" : tensor<6x4x1x1xf32>
  %c4 = graph.conv2d %t2, %conv4_w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<4x4x6x6xf32>, tensor<6x4x1x1xf32>) -> tensor<4x6x3x3xf32> loc("conv4")
  %norm4_weight = train.read @"norm4.weight" : tensor<6xf32>
  %norm4_bias = train.read @"norm4.bias" : tensor<6xf32>
  %norm4_mean = train.read @"norm4.mean" : tensor<6xf32>
  %norm4_variance = train.read @"norm4.variance" : tensor<6xf32>
  %n4 = graph.batch_norm %c4, %norm4_weight, %norm4_bias, %norm4_mean, %norm4_variance {axis = 1 : i64, eps = 1.0e-5, momentum = 0.9} : (tensor<4x6x3x3xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<4x6x3x3xf32> loc("norm4")
  %a3 = graph.add %n3, %n4 : (tensor<4x6x3x3xf32>, tensor<4x6x3x3xf32>) -> tensor<4x6x3x3xf32> loc("a3")
  %t3 = graph.tanh %a3 : tensor<4x6x3x3xf32> -> tensor<4x6x3x3xf32> loc("t3")
  %p = graph.reduce_mean %t3 {axes = array<i64: 2, 3>, keep_dims = true} : tensor<4x6x3x3xf32> -> tensor<4x6x1x1xf32> loc("pool")
  %f = graph.reshape %p : tensor<4x6x1x1xf32> -> tensor<4x6xf32> loc("flat")
  %fw = train.read @"fc.weight" : tensor<5x6xf32>
  %fb = train.read @"fc.bias" : tensor<5xf32>
  %m = graph.matmul %f, %fw {transpose_rhs = true} : (tensor<4x6xf32>, tensor<5x6xf32>) -> tensor<4x5xf32> loc("fc")
  %y = graph.bias_add %m, %fb {axis = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xf32> loc("fc")
  %loss = graph.cross_entropy %y, %labels {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<4x5xf32>, tensor<4xi64>) -> tensor<f32> loc("loss")
  train.return %y, %loss : tensor<4x5xf32>, tensor<f32>
}
