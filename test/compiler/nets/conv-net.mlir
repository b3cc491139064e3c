// A small LeNet, forward and backward, as trainstep leaves it: the stages' tests run it before and after.
train.state @"conv1.weight" : tensor<2x1x3x3xf32> parameter
train.state @"conv1.bias" : tensor<2xf32> parameter
train.state @"conv2.weight" : tensor<4x2x3x3xf32> parameter
train.state @"conv2.bias" : tensor<4xf32> parameter
train.state @"fc1.weight" : tensor<6x16xf32> parameter
train.state @"fc1.bias" : tensor<6xf32> parameter
train.state @"fc2.weight" : tensor<5x6xf32> parameter
train.state @"fc2.bias" : tensor<5xf32> parameter
train.state @"conv1.weight/gradient" : tensor<2x1x3x3xf32> gradient of @"conv1.weight"
train.state @"conv1.bias/gradient" : tensor<2xf32> gradient of @"conv1.bias"
train.state @"conv2.weight/gradient" : tensor<4x2x3x3xf32> gradient of @"conv2.weight"
train.state @"conv2.bias/gradient" : tensor<4xf32> gradient of @"conv2.bias"
train.state @"fc1.weight/gradient" : tensor<6x16xf32> gradient of @"fc1.weight"
train.state @"fc1.bias/gradient" : tensor<6xf32> gradient of @"fc1.bias"
train.state @"fc2.weight/gradient" : tensor<5x6xf32> gradient of @"fc2.weight"
train.state @"fc2.bias/gradient" : tensor<5xf32> gradient of @"fc2.bias"
train.state @loss_scale : tensor<f32> loss_scale = dense<4.0> : tensor<f32>
train.state @learning_rate : tensor<f32> learning_rate = dense<0.1> : tensor<f32>
train.state @step_count : tensor<i64> step_count
train.state @growth_tracker : tensor<i32> growth_tracker
train.state @loss : tensor<f32> loss
train.program @micro micro inputs ["x", "labels"] outputs ["loss"] (%x: tensor<2x1x12x12xf32>, %labels: tensor<2xi64>) -> tensor<f32> {
  %conv1_weight = train.read @"conv1.weight" : tensor<2x1x3x3xf32>
  %conv1_bias = train.read @"conv1.bias" : tensor<2xf32>
  %conv2_weight = train.read @"conv2.weight" : tensor<4x2x3x3xf32>
  %conv2_bias = train.read @"conv2.bias" : tensor<4xf32>
  %fc1_weight = train.read @"fc1.weight" : tensor<6x16xf32>
  %fc1_bias = train.read @"fc1.bias" : tensor<6xf32>
  %fc2_weight = train.read @"fc2.weight" : tensor<5x6xf32>
  %fc2_bias = train.read @"fc2.bias" : tensor<5xf32>
  %scale = train.read @loss_scale : tensor<f32>
  %c1 = graph.conv2d %x, %conv1_weight {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<2x1x12x12xf32>, tensor<2x1x3x3xf32>) -> tensor<2x2x12x12xf32> loc("conv1")
  %b1 = graph.bias_add %c1, %conv1_bias {axis = 1 : i64} : (tensor<2x2x12x12xf32>, tensor<2xf32>) -> tensor<2x2x12x12xf32> loc("conv1")
  %t1 = graph.tanh %b1 : tensor<2x2x12x12xf32> -> tensor<2x2x12x12xf32> loc("tanh1")
  %p1 = graph.average_pool2d %t1 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<2x2x12x12xf32> -> tensor<2x2x6x6xf32> loc("pool1")
  %c2 = graph.conv2d %p1, %conv2_weight {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<2x2x6x6xf32>, tensor<4x2x3x3xf32>) -> tensor<2x4x4x4xf32> loc("conv2")
  %b2 = graph.bias_add %c2, %conv2_bias {axis = 1 : i64} : (tensor<2x4x4x4xf32>, tensor<4xf32>) -> tensor<2x4x4x4xf32> loc("conv2")
  %t2 = graph.tanh %b2 : tensor<2x4x4x4xf32> -> tensor<2x4x4x4xf32> loc("tanh2")
  %p2 = graph.average_pool2d %t2 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<2x4x4x4xf32> -> tensor<2x4x2x2xf32> loc("pool2")
  %f = graph.reshape %p2 : tensor<2x4x2x2xf32> -> tensor<2x16xf32> loc("flatten")
  %m1 = graph.matmul %f, %fc1_weight {transpose_rhs = true} : (tensor<2x16xf32>, tensor<6x16xf32>) -> tensor<2x6xf32> loc("fc1")
  %a1 = graph.bias_add %m1, %fc1_bias {axis = 1 : i64} : (tensor<2x6xf32>, tensor<6xf32>) -> tensor<2x6xf32> loc("fc1")
  %t3 = graph.tanh %a1 : tensor<2x6xf32> -> tensor<2x6xf32> loc("tanh3")
  %m2 = graph.matmul %t3, %fc2_weight {transpose_rhs = true} : (tensor<2x6xf32>, tensor<5x6xf32>) -> tensor<2x5xf32> loc("fc2")
  %y = graph.bias_add %m2, %fc2_bias {axis = 1 : i64} : (tensor<2x5xf32>, tensor<5xf32>) -> tensor<2x5xf32> loc("fc2")
  %loss = graph.cross_entropy %y, %labels {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<2x5xf32>, tensor<2xi64>) -> tensor<f32> loc("loss")
  %dy = graph.cross_entropy_grad %scale, %y, %labels {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<f32>, tensor<2x5xf32>, tensor<2xi64>) -> tensor<2x5xf32> loc("loss")
  %dfc2_bias = graph.reduce_sum %dy {axes = array<i64: 0>} : tensor<2x5xf32> -> tensor<5xf32> loc("fc2")
  %dt3 = graph.matmul %dy, %fc2_weight : (tensor<2x5xf32>, tensor<5x6xf32>) -> tensor<2x6xf32> loc("fc2")
  %dfc2_weight = graph.matmul %dy, %t3 {transpose_lhs = true} : (tensor<2x5xf32>, tensor<2x6xf32>) -> tensor<5x6xf32> loc("fc2")
  %da1 = graph.tanh_grad %dt3, %t3 : tensor<2x6xf32>, tensor<2x6xf32> -> tensor<2x6xf32> loc("tanh3")
  %dfc1_bias = graph.reduce_sum %da1 {axes = array<i64: 0>} : tensor<2x6xf32> -> tensor<6xf32> loc("fc1")
  %df = graph.matmul %da1, %fc1_weight : (tensor<2x6xf32>, tensor<6x16xf32>) -> tensor<2x16xf32> loc("fc1")
  %dfc1_weight = graph.matmul %da1, %f {transpose_lhs = true} : (tensor<2x6xf32>, tensor<2x16xf32>) -> tensor<6x16xf32> loc("fc1")
  %dp2 = graph.reshape %df : tensor<2x16xf32> -> tensor<2x4x2x2xf32> loc("flatten")
  %dt2 = graph.average_pool2d_grad %dp2 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, input_shape = array<i64: 2, 4, 4, 4>} : tensor<2x4x2x2xf32> -> tensor<2x4x4x4xf32> loc("pool2")
  %db2 = graph.tanh_grad %dt2, %t2 : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32> -> tensor<2x4x4x4xf32> loc("tanh2")
  %dconv2_bias = graph.reduce_sum %db2 {axes = array<i64: 0, 2, 3>} : tensor<2x4x4x4xf32> -> tensor<4xf32> loc("conv2")
  %dp1 = graph.conv2d_input_grad %db2, %conv2_weight {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, input_shape = array<i64: 2, 2, 6, 6>} : (tensor<2x4x4x4xf32>, tensor<4x2x3x3xf32>) -> tensor<2x2x6x6xf32> loc("conv2")
  %dconv2_weight = graph.conv2d_weight_grad %p1, %db2 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, weight_shape = array<i64: 4, 2, 3, 3>} : (tensor<2x2x6x6xf32>, tensor<2x4x4x4xf32>) -> tensor<4x2x3x3xf32> loc("conv2")
  %dt1 = graph.average_pool2d_grad %dp1 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, input_shape = array<i64: 2, 2, 12, 12>} : tensor<2x2x6x6xf32> -> tensor<2x2x12x12xf32> loc("pool1")
  %db1 = graph.tanh_grad %dt1, %t1 : tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32> -> tensor<2x2x12x12xf32> loc("tanh1")
  %dconv1_bias = graph.reduce_sum %db1 {axes = array<i64: 0, 2, 3>} : tensor<2x2x12x12xf32> -> tensor<2xf32> loc("conv1")
  %dconv1_weight = graph.conv2d_weight_grad %x, %db1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, weight_shape = array<i64: 2, 1, 3, 3>} : (tensor<2x1x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x1x3x3xf32> loc("conv1")
  train.commit %dconv1_weight to @"conv1.weight/gradient" : tensor<2x1x3x3xf32>
  train.commit %dconv1_bias to @"conv1.bias/gradient" : tensor<2xf32>
  train.commit %dconv2_weight to @"conv2.weight/gradient" : tensor<4x2x3x3xf32>
  train.commit %dconv2_bias to @"conv2.bias/gradient" : tensor<4xf32>
  train.commit %dfc1_weight to @"fc1.weight/gradient" : tensor<6x16xf32>
  train.commit %dfc1_bias to @"fc1.bias/gradient" : tensor<6xf32>
  train.commit %dfc2_weight to @"fc2.weight/gradient" : tensor<5x6xf32>
  train.commit %dfc2_bias to @"fc2.bias/gradient" : tensor<5xf32>
  train.commit %loss to @loss : tensor<f32>
  train.return %loss : tensor<f32>
}
train.program @finish finish inputs [] outputs ["finite", "gradient_norm"] () -> (tensor<i1>, tensor<f32>) {
  %conv1_weight = train.read @"conv1.weight" : tensor<2x1x3x3xf32>
  %conv1_bias = train.read @"conv1.bias" : tensor<2xf32>
  %conv2_weight = train.read @"conv2.weight" : tensor<4x2x3x3xf32>
  %conv2_bias = train.read @"conv2.bias" : tensor<4xf32>
  %fc1_weight = train.read @"fc1.weight" : tensor<6x16xf32>
  %fc1_bias = train.read @"fc1.bias" : tensor<6xf32>
  %fc2_weight = train.read @"fc2.weight" : tensor<5x6xf32>
  %fc2_bias = train.read @"fc2.bias" : tensor<5xf32>
  %g_conv1_weight = train.read @"conv1.weight/gradient" : tensor<2x1x3x3xf32>
  %g_conv1_bias = train.read @"conv1.bias/gradient" : tensor<2xf32>
  %g_conv2_weight = train.read @"conv2.weight/gradient" : tensor<4x2x3x3xf32>
  %g_conv2_bias = train.read @"conv2.bias/gradient" : tensor<4xf32>
  %g_fc1_weight = train.read @"fc1.weight/gradient" : tensor<6x16xf32>
  %g_fc1_bias = train.read @"fc1.bias/gradient" : tensor<6xf32>
  %g_fc2_weight = train.read @"fc2.weight/gradient" : tensor<5x6xf32>
  %g_fc2_bias = train.read @"fc2.bias/gradient" : tensor<5xf32>
  %scale = train.read @loss_scale : tensor<f32>
  %lr = train.read @learning_rate : tensor<f32>
  %steps = train.read @step_count : tensor<i64>
  %u_conv1_weight = train.unscale %g_conv1_weight, %scale : (tensor<2x1x3x3xf32>, tensor<f32>) -> tensor<2x1x3x3xf32>
  %u_conv1_bias = train.unscale %g_conv1_bias, %scale : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %u_conv2_weight = train.unscale %g_conv2_weight, %scale : (tensor<4x2x3x3xf32>, tensor<f32>) -> tensor<4x2x3x3xf32>
  %u_conv2_bias = train.unscale %g_conv2_bias, %scale : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u_fc1_weight = train.unscale %g_fc1_weight, %scale : (tensor<6x16xf32>, tensor<f32>) -> tensor<6x16xf32>
  %u_fc1_bias = train.unscale %g_fc1_bias, %scale : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  %u_fc2_weight = train.unscale %g_fc2_weight, %scale : (tensor<5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
  %u_fc2_bias = train.unscale %g_fc2_bias, %scale : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %s_u_conv1_weight = train.sum_squares %u_conv1_weight : tensor<2x1x3x3xf32> -> tensor<1xf64>
  %s_u_conv1_bias = train.sum_squares %u_conv1_bias : tensor<2xf32> -> tensor<1xf64>
  %s_u_conv2_weight = train.sum_squares %u_conv2_weight : tensor<4x2x3x3xf32> -> tensor<1xf64>
  %s_u_conv2_bias = train.sum_squares %u_conv2_bias : tensor<4xf32> -> tensor<1xf64>
  %s_u_fc1_weight = train.sum_squares %u_fc1_weight : tensor<6x16xf32> -> tensor<1xf64>
  %s_u_fc1_bias = train.sum_squares %u_fc1_bias : tensor<6xf32> -> tensor<1xf64>
  %s_u_fc2_weight = train.sum_squares %u_fc2_weight : tensor<5x6xf32> -> tensor<1xf64>
  %s_u_fc2_bias = train.sum_squares %u_fc2_bias : tensor<5xf32> -> tensor<1xf64>
  %finite, %norm = train.measure %s_u_conv1_weight, %s_u_conv1_bias, %s_u_conv2_weight, %s_u_conv2_bias, %s_u_fc1_weight, %s_u_fc1_bias, %s_u_fc2_weight, %s_u_fc2_bias : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> (tensor<i1>, tensor<f32>)
  %new_conv1_weight = train.sgd %conv1_weight, %u_conv1_weight, %lr, %steps {momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = false} : (tensor<2x1x3x3xf32>, tensor<2x1x3x3xf32>, tensor<f32>, tensor<i64>) -> tensor<2x1x3x3xf32>
  train.commit %new_conv1_weight to @"conv1.weight" if %finite : tensor<i1> : tensor<2x1x3x3xf32>
  %new_conv1_bias = train.sgd %conv1_bias, %u_conv1_bias, %lr, %steps {momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = false} : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<i64>) -> tensor<2xf32>
  train.commit %new_conv1_bias to @"conv1.bias" if %finite : tensor<i1> : tensor<2xf32>
  %new_conv2_weight = train.sgd %conv2_weight, %u_conv2_weight, %lr, %steps {momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = false} : (tensor<4x2x3x3xf32>, tensor<4x2x3x3xf32>, tensor<f32>, tensor<i64>) -> tensor<4x2x3x3xf32>
  train.commit %new_conv2_weight to @"conv2.weight" if %finite : tensor<i1> : tensor<4x2x3x3xf32>
  %new_conv2_bias = train.sgd %conv2_bias, %u_conv2_bias, %lr, %steps {momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = false} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i64>) -> tensor<4xf32>
  train.commit %new_conv2_bias to @"conv2.bias" if %finite : tensor<i1> : tensor<4xf32>
  %new_fc1_weight = train.sgd %fc1_weight, %u_fc1_weight, %lr, %steps {momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = false} : (tensor<6x16xf32>, tensor<6x16xf32>, tensor<f32>, tensor<i64>) -> tensor<6x16xf32>
  train.commit %new_fc1_weight to @"fc1.weight" if %finite : tensor<i1> : tensor<6x16xf32>
  %new_fc1_bias = train.sgd %fc1_bias, %u_fc1_bias, %lr, %steps {momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = false} : (tensor<6xf32>, tensor<6xf32>, tensor<f32>, tensor<i64>) -> tensor<6xf32>
  train.commit %new_fc1_bias to @"fc1.bias" if %finite : tensor<i1> : tensor<6xf32>
  %new_fc2_weight = train.sgd %fc2_weight, %u_fc2_weight, %lr, %steps {momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = false} : (tensor<5x6xf32>, tensor<5x6xf32>, tensor<f32>, tensor<i64>) -> tensor<5x6xf32>
  train.commit %new_fc2_weight to @"fc2.weight" if %finite : tensor<i1> : tensor<5x6xf32>
  %new_fc2_bias = train.sgd %fc2_bias, %u_fc2_bias, %lr, %steps {momentum = 0.0, dampening = 0.0, weight_decay = 0.0, nesterov = false} : (tensor<5xf32>, tensor<5xf32>, tensor<f32>, tensor<i64>) -> tensor<5xf32>
  train.commit %new_fc2_bias to @"fc2.bias" if %finite : tensor<i1> : tensor<5xf32>
  %one = graph.constant dense<1> : tensor<i64>
  %next = graph.add %steps, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
  train.commit %next to @step_count if %finite : tensor<i1> : tensor<i64>
  train.return %finite, %norm : tensor<i1>, tensor<f32>
}
train.program @eval eval inputs ["x", "labels"] outputs ["y", "loss"] (%x: tensor<2x1x12x12xf32>, %labels: tensor<2xi64>) -> (tensor<2x5xf32>, tensor<f32>) {
  %conv1_weight = train.read @"conv1.weight" : tensor<2x1x3x3xf32>
  %conv1_bias = train.read @"conv1.bias" : tensor<2xf32>
  %conv2_weight = train.read @"conv2.weight" : tensor<4x2x3x3xf32>
  %conv2_bias = train.read @"conv2.bias" : tensor<4xf32>
  %fc1_weight = train.read @"fc1.weight" : tensor<6x16xf32>
  %fc1_bias = train.read @"fc1.bias" : tensor<6xf32>
  %fc2_weight = train.read @"fc2.weight" : tensor<5x6xf32>
  %fc2_bias = train.read @"fc2.bias" : tensor<5xf32>
  %c1 = graph.conv2d %x, %conv1_weight {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<2x1x12x12xf32>, tensor<2x1x3x3xf32>) -> tensor<2x2x12x12xf32> loc("conv1")
  %b1 = graph.bias_add %c1, %conv1_bias {axis = 1 : i64} : (tensor<2x2x12x12xf32>, tensor<2xf32>) -> tensor<2x2x12x12xf32> loc("conv1")
  %t1 = graph.tanh %b1 : tensor<2x2x12x12xf32> -> tensor<2x2x12x12xf32> loc("tanh1")
  %p1 = graph.average_pool2d %t1 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<2x2x12x12xf32> -> tensor<2x2x6x6xf32> loc("pool1")
  %c2 = graph.conv2d %p1, %conv2_weight {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<2x2x6x6xf32>, tensor<4x2x3x3xf32>) -> tensor<2x4x4x4xf32> loc("conv2")
  %b2 = graph.bias_add %c2, %conv2_bias {axis = 1 : i64} : (tensor<2x4x4x4xf32>, tensor<4xf32>) -> tensor<2x4x4x4xf32> loc("conv2")
  %t2 = graph.tanh %b2 : tensor<2x4x4x4xf32> -> tensor<2x4x4x4xf32> loc("tanh2")
  %p2 = graph.average_pool2d %t2 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<2x4x4x4xf32> -> tensor<2x4x2x2xf32> loc("pool2")
  %f = graph.reshape %p2 : tensor<2x4x2x2xf32> -> tensor<2x16xf32> loc("flatten")
  %m1 = graph.matmul %f, %fc1_weight {transpose_rhs = true} : (tensor<2x16xf32>, tensor<6x16xf32>) -> tensor<2x6xf32> loc("fc1")
  %a1 = graph.bias_add %m1, %fc1_bias {axis = 1 : i64} : (tensor<2x6xf32>, tensor<6xf32>) -> tensor<2x6xf32> loc("fc1")
  %t3 = graph.tanh %a1 : tensor<2x6xf32> -> tensor<2x6xf32> loc("tanh3")
  %m2 = graph.matmul %t3, %fc2_weight {transpose_rhs = true} : (tensor<2x6xf32>, tensor<5x6xf32>) -> tensor<2x5xf32> loc("fc2")
  %y = graph.bias_add %m2, %fc2_bias {axis = 1 : i64} : (tensor<2x5xf32>, tensor<5xf32>) -> tensor<2x5xf32> loc("fc2")
  %loss = graph.cross_entropy %y, %labels {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<2x5xf32>, tensor<2xi64>) -> tensor<f32> loc("loss")
  train.return %y, %loss : tensor<2x5xf32>, tensor<f32>
}
train.program @derive derive inputs [] outputs [] () {
  train.return
}
