// A transformer block over an embedding that is tied to the head, with a causal mask and dropout.
train.state @"table" : tensor<7x8xf32> parameter
train.state @"positions" : tensor<4x8xf32> parameter
train.state @"norm1.weight" : tensor<8xf32> parameter
train.state @"norm1.bias" : tensor<8xf32> parameter
train.state @"qkv.weight" : tensor<24x8xf32> parameter
train.state @"qkv.bias" : tensor<24xf32> parameter
train.state @"mask" : tensor<4x4xf32> constant = dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
train.state @"out.weight" : tensor<8x8xf32> parameter
train.state @"out.bias" : tensor<8xf32> parameter
train.state @"norm2.weight" : tensor<8xf32> parameter
train.state @"norm2.bias" : tensor<8xf32> parameter
train.state @"up.weight" : tensor<16x8xf32> parameter
train.state @"up.bias" : tensor<16xf32> parameter
train.state @"down.weight" : tensor<8x16xf32> parameter
train.state @"down.bias" : tensor<8xf32> parameter
train.state @"norm3.weight" : tensor<8xf32> parameter
train.state @"norm3.bias" : tensor<8xf32> parameter
train.program @model model inputs ["ids", "labels"] outputs ["y", "loss"] (%ids: tensor<2x4xi64>, %labels: tensor<2x4xi64>) -> (tensor<2x4x7xf32>, tensor<f32>) {
  %table = train.read @"table" : tensor<7x8xf32>
  %positions = train.read @"positions" : tensor<4x8xf32>
  %e = graph.gather %table, %ids {axis = 0 : i64} : (tensor<7x8xf32>, tensor<2x4xi64>) -> tensor<2x4x8xf32> loc("embed")
  %x = graph.add %e, %positions : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32> loc("place")
  %norm1_weight = train.read @"norm1.weight" : tensor<8xf32>
  %norm1_bias = train.read @"norm1.bias" : tensor<8xf32>
  %n1 = graph.layer_norm %x, %norm1_weight, %norm1_bias {axis = 2 : i64, eps = 1.0e-5} : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32> loc("norm1")
  %qkv_weight = train.read @"qkv.weight" : tensor<24x8xf32>
  %qkv_bias = train.read @"qkv.bias" : tensor<24xf32>
  %qkv_t = graph.transpose %qkv_weight {permutation = array<i64: 1, 0>} : tensor<24x8xf32> -> tensor<8x24xf32> loc("qkv")
  %qkv_m = graph.matmul %n1, %qkv_t : (tensor<2x4x8xf32>, tensor<8x24xf32>) -> tensor<2x4x24xf32> loc("qkv")
  %qkv = graph.bias_add %qkv_m, %qkv_bias {axis = 2 : i64} : (tensor<2x4x24xf32>, tensor<24xf32>) -> tensor<2x4x24xf32> loc("qkv")
  %split = graph.reshape %qkv : tensor<2x4x24xf32> -> tensor<2x4x3x2x4xf32> loc("heads")
  %heads = graph.transpose %split {permutation = array<i64: 2, 0, 3, 1, 4>} : tensor<2x4x3x2x4xf32> -> tensor<3x2x2x4x4xf32> loc("heads.turn")
  %q_part = graph.slice %heads {axes = array<i64: 0>, starts = array<i64: 0>, ends = array<i64: 1>, steps = array<i64: 1>} : tensor<3x2x2x4x4xf32> -> tensor<1x2x2x4x4xf32> loc("q")
  %q = graph.reshape %q_part : tensor<1x2x2x4x4xf32> -> tensor<2x2x4x4xf32> loc("q")
  %k_part = graph.slice %heads {axes = array<i64: 0>, starts = array<i64: 1>, ends = array<i64: 2>, steps = array<i64: 1>} : tensor<3x2x2x4x4xf32> -> tensor<1x2x2x4x4xf32> loc("k")
  %k = graph.reshape %k_part : tensor<1x2x2x4x4xf32> -> tensor<2x2x4x4xf32> loc("k")
  %v_part = graph.slice %heads {axes = array<i64: 0>, starts = array<i64: 2>, ends = array<i64: 3>, steps = array<i64: 1>} : tensor<3x2x2x4x4xf32> -> tensor<1x2x2x4x4xf32> loc("v")
  %v = graph.reshape %v_part : tensor<1x2x2x4x4xf32> -> tensor<2x2x4x4xf32> loc("v")
  %mask = train.read @"mask" : tensor<4x4xf32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %raw = graph.matmul %q, %k {transpose_rhs = true} : (tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32> loc("scores")
  %scaled = graph.mul %raw, %half : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4x4xf32> loc("scale")
  %masked = graph.add %scaled, %mask : (tensor<2x2x4x4xf32>, tensor<4x4xf32>) -> tensor<2x2x4x4xf32> loc("mask")
  %weights = graph.softmax %masked {axis = 3 : i64} : tensor<2x2x4x4xf32> -> tensor<2x2x4x4xf32> loc("softmax")
  %mixed = graph.matmul %weights, %v : (tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32> loc("mix")
  %turned = graph.transpose %mixed {permutation = array<i64: 0, 2, 1, 3>} : tensor<2x2x4x4xf32> -> tensor<2x4x2x4xf32> loc("mix.turn")
  %joined = graph.reshape %turned : tensor<2x4x2x4xf32> -> tensor<2x4x8xf32> loc("mix.join")
  %out_weight = train.read @"out.weight" : tensor<8x8xf32>
  %out_bias = train.read @"out.bias" : tensor<8xf32>
  %out_t = graph.transpose %out_weight {permutation = array<i64: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32> loc("out")
  %out_m = graph.matmul %joined, %out_t : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32> loc("out")
  %out = graph.bias_add %out_m, %out_bias {axis = 2 : i64} : (tensor<2x4x8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32> loc("out")
  %dropped = graph.dropout %out {ratio = 0.25 : f64, number = 0 : i64} : tensor<2x4x8xf32> -> tensor<2x4x8xf32> loc("drop")
  %r1 = graph.add %x, %dropped : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32> loc("residual1")
  %norm2_weight = train.read @"norm2.weight" : tensor<8xf32>
  %norm2_bias = train.read @"norm2.bias" : tensor<8xf32>
  %n2 = graph.layer_norm %r1, %norm2_weight, %norm2_bias {axis = 2 : i64, eps = 1.0e-5} : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32> loc("norm2")
  %up_weight = train.read @"up.weight" : tensor<16x8xf32>
  %up_bias = train.read @"up.bias" : tensor<16xf32>
  %up_t = graph.transpose %up_weight {permutation = array<i64: 1, 0>} : tensor<16x8xf32> -> tensor<8x16xf32> loc("up")
  %up_m = graph.matmul %n2, %up_t : (tensor<2x4x8xf32>, tensor<8x16xf32>) -> tensor<2x4x16xf32> loc("up")
  %up = graph.bias_add %up_m, %up_bias {axis = 2 : i64} : (tensor<2x4x16xf32>, tensor<16xf32>) -> tensor<2x4x16xf32> loc("up")
  %g = graph.gelu %up : tensor<2x4x16xf32> -> tensor<2x4x16xf32> loc("gelu")
  %down_weight = train.read @"down.weight" : tensor<8x16xf32>
  %down_bias = train.read @"down.bias" : tensor<8xf32>
  %down_t = graph.transpose %down_weight {permutation = array<i64: 1, 0>} : tensor<8x16xf32> -> tensor<16x8xf32> loc("down")
  %down_m = graph.matmul %g, %down_t : (tensor<2x4x16xf32>, tensor<16x8xf32>) -> tensor<2x4x8xf32> loc("down")
  %down = graph.bias_add %down_m, %down_bias {axis = 2 : i64} : (tensor<2x4x8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32> loc("down")
  %r2 = graph.add %r1, %down : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32> loc("residual2")
  %norm3_weight = train.read @"norm3.weight" : tensor<8xf32>
  %norm3_bias = train.read @"norm3.bias" : tensor<8xf32>
  %n3 = graph.layer_norm %r2, %norm3_weight, %norm3_bias {axis = 2 : i64, eps = 1.0e-5} : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32> loc("norm3")
  %head = graph.transpose %table {permutation = array<i64: 1, 0>} : tensor<7x8xf32> -> tensor<8x7xf32> loc("head")
  %y = graph.matmul %n3, %head : (tensor<2x4x8xf32>, tensor<8x7xf32>) -> tensor<2x4x7xf32> loc("head")
  %loss = graph.cross_entropy %y, %labels {axis = 2 : i64, ignore_index = -100 : i64} : (tensor<2x4x7xf32>, tensor<2x4xi64>) -> tensor<f32> loc("loss")
  train.return %y, %loss : tensor<2x4x7xf32>, tensor<f32>
}
