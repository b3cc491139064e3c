train.state @"fc1.weight" : tensor<16x64xf32> parameter
train.state @"fc1.bias" : tensor<16xf32> parameter
train.state @"fc2.weight" : tensor<10x16xf32> parameter
train.state @"fc2.bias" : tensor<10xf32> parameter
train.state @"fc1.weight/gradient" : tensor<16x64xf32> gradient of @"fc1.weight"
train.state @"fc1.bias/gradient" : tensor<16xf32> gradient of @"fc1.bias"
train.state @"fc2.weight/gradient" : tensor<10x16xf32> gradient of @"fc2.weight"
train.state @"fc2.bias/gradient" : tensor<10xf32> gradient of @"fc2.bias"
train.state @loss_scale : tensor<f32> loss_scale = dense<1.0> : tensor<f32>
train.state @learning_rate : tensor<f32> learning_rate
train.state @step_count : tensor<i64> step_count
train.state @growth_tracker : tensor<i32> growth_tracker
train.state @loss : tensor<f32> loss
train.program @micro micro inputs ["x", "labels"] outputs ["loss"] (%x: tensor<8x1x8x8xf32>, %labels: tensor<8xi64>) -> tensor<f32> {
  %w1 = train.read @"fc1.weight" : tensor<16x64xf32>
  %b1 = train.read @"fc1.bias" : tensor<16xf32>
  %w2 = train.read @"fc2.weight" : tensor<10x16xf32>
  %b2 = train.read @"fc2.bias" : tensor<10xf32>
  %scale = train.read @loss_scale : tensor<f32>
  %f = graph.reshape %x : tensor<8x1x8x8xf32> -> tensor<8x64xf32> loc("flat")
  %0 = graph.matmul %f, %w1 {transpose_rhs = true} : (tensor<8x64xf32>, tensor<16x64xf32>) -> tensor<8x16xf32> loc("fc1")
  %1 = graph.bias_add %0, %b1 {axis = 1 : i64} : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32> loc("fc1")
  %2 = graph.relu %1 : tensor<8x16xf32> -> tensor<8x16xf32> loc("relu")
  %3 = graph.matmul %2, %w2 {transpose_rhs = true} : (tensor<8x16xf32>, tensor<10x16xf32>) -> tensor<8x10xf32> loc("fc2")
  %4 = graph.bias_add %3, %b2 {axis = 1 : i64} : (tensor<8x10xf32>, tensor<10xf32>) -> tensor<8x10xf32> loc("fc2")
  %loss = graph.cross_entropy %4, %labels {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<8x10xf32>, tensor<8xi64>) -> tensor<f32>  loc("loss")
  %d4 = graph.cross_entropy_grad %scale, %4, %labels {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<f32>, tensor<8x10xf32>, tensor<8xi64>) -> tensor<8x10xf32> loc("loss")
  %db2 = graph.reduce_sum %d4 {axes = array<i64: 0>} : tensor<8x10xf32> -> tensor<10xf32> loc("fc2")
  %dw2 = graph.matmul %d4, %2 {transpose_lhs = true} : (tensor<8x10xf32>, tensor<8x16xf32>) -> tensor<10x16xf32> loc("fc2.w")
  %d2 = graph.matmul %d4, %w2 : (tensor<8x10xf32>, tensor<10x16xf32>) -> tensor<8x16xf32> loc("fc2.x")
  %d1 = graph.relu_grad %d2, %2 : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32> loc("relu")
  %db1 = graph.reduce_sum %d1 {axes = array<i64: 0>} : tensor<8x16xf32> -> tensor<16xf32> loc("fc1")
  %dw1 = graph.matmul %d1, %f {transpose_lhs = true} : (tensor<8x16xf32>, tensor<8x64xf32>) -> tensor<16x64xf32> loc("fc1.w")
  train.commit %dw1 to @"fc1.weight/gradient" : tensor<16x64xf32>
  train.commit %db1 to @"fc1.bias/gradient" : tensor<16xf32>
  train.commit %dw2 to @"fc2.weight/gradient" : tensor<10x16xf32>
  train.commit %db2 to @"fc2.bias/gradient" : tensor<10xf32>
  train.commit %loss to @loss : tensor<f32>
  train.return %loss : tensor<f32>
}
train.program @finish finish inputs [] outputs ["finite", "gradient_norm"] () -> (tensor<i1>, tensor<f32>) {
  %p = train.read @"fc1.weight" : tensor<16x64xf32>
  %g = train.read @"fc1.weight/gradient" : tensor<16x64xf32>
  %scale = train.read @loss_scale : tensor<f32>
  %lr = train.read @learning_rate : tensor<f32>
  %steps = train.read @step_count : tensor<i64>
  %tracker = train.read @growth_tracker : tensor<i32>
  %loss = train.read @loss : tensor<f32>
  %u = train.unscale %g, %scale : (tensor<16x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %s_u = train.sum_squares %u : tensor<16x64xf32> -> tensor<1xf64>
  %finite, %norm = train.measure %s_u : (tensor<1xf64>) -> (tensor<i1>, tensor<f32>)
  %p1 = train.sgd %p, %u, %lr, %steps {momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = false} : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<f32>, tensor<i64>) -> tensor<16x64xf32>
  train.commit %p1 to @"fc1.weight" if %finite : tensor<i1> : tensor<16x64xf32>
  %s1, %t1 = train.update_scale %scale, %tracker, %finite, %loss {growth = 2.0, backoff = 0.5, interval = 2000 : i64, min = 1.0, max = 1.0e30} : (tensor<f32>, tensor<i32>, tensor<i1>, tensor<f32>) -> (tensor<f32>, tensor<i32>)
  train.commit %s1 to @loss_scale : tensor<f32>
  train.commit %t1 to @growth_tracker : tensor<i32>
  %one = graph.constant dense<1> : tensor<i64>
  %n = graph.add %steps, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
  train.commit %n to @step_count if %finite : tensor<i1> : tensor<i64>
  train.return %finite, %norm : tensor<i1>, tensor<f32>
}
train.program @eval eval inputs ["x"] outputs ["y"] (%x: tensor<8x64xf32>) -> tensor<8x10xf32> {
  %w1 = train.read @"fc1.weight" : tensor<16x64xf32>
  %b1 = train.read @"fc1.bias" : tensor<16xf32>
  %w2 = train.read @"fc2.weight" : tensor<10x16xf32>
  %b2 = train.read @"fc2.bias" : tensor<10xf32>
  %0 = graph.matmul %x, %w1 {transpose_rhs = true} : (tensor<8x64xf32>, tensor<16x64xf32>) -> tensor<8x16xf32> loc("fc1")
  %1 = graph.bias_add %0, %b1 {axis = 1 : i64} : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32> loc("fc1")
  %2 = graph.relu %1 : tensor<8x16xf32> -> tensor<8x16xf32> loc("relu")
  %3 = graph.matmul %2, %w2 {transpose_rhs = true} : (tensor<8x16xf32>, tensor<10x16xf32>) -> tensor<8x10xf32> loc("fc2")
  %4 = graph.bias_add %3, %b2 {axis = 1 : i64} : (tensor<8x10xf32>, tensor<10xf32>) -> tensor<8x10xf32> loc("fc2")
  train.return %4 : tensor<8x10xf32>
}
train.program @derive derive inputs [] outputs [] () {
  train.return
}
