"""timm's vit_tiny_patch16_224: its weights, freshly drawn, and its graph as exported for training."""

import numpy as np

import exporter

WIDTH, HEADS, DEPTH, HIDDEN, PATCH = 192, 3, 12, 768, 16
IMAGE, CLASSES = (3, 224, 224), 1000
POSITIONS = (IMAGE[1] // PATCH) * (IMAGE[2] // PATCH) + 1
DEVIATION = np.float32(0.02)
EPSILON = 1e-6


def drawWeights(random):
    """timm's initialization: narrow normal matrices, biases 0; the patches' convolution is PyTorch's own."""
    arrays = {}

    def normal(name, *shape, deviation=DEVIATION):
        arrays[name] = random.standard_normal(shape, np.float32) * deviation

    def linear(name, outputs, inputs):
        normal(f"{name}.weight", outputs, inputs)
        arrays[f"{name}.bias"] = np.zeros(outputs, np.float32)

    def normalization(name):
        arrays[f"{name}.weight"], arrays[f"{name}.bias"] = np.ones(WIDTH, np.float32), np.zeros(WIDTH, np.float32)

    normal("cls_token", 1, 1, WIDTH, deviation=np.float32(1e-6))
    normal("pos_embed", 1, POSITIONS, WIDTH)
    patch = (IMAGE[0], PATCH, PATCH)
    bound = 1 / np.sqrt(np.prod(patch))
    for part, shape in (("weight", (WIDTH, *patch)), ("bias", (WIDTH,))):
        arrays[f"patch_embed.proj.{part}"] = random.uniform(-bound, bound, shape).astype(np.float32)
    for index in range(DEPTH):
        block = f"blocks.{index}"
        normalization(f"{block}.norm1")
        linear(f"{block}.attn.qkv", 3 * WIDTH, WIDTH)
        linear(f"{block}.attn.proj", WIDTH, WIDTH)
        normalization(f"{block}.norm2")
        linear(f"{block}.mlp.fc1", HIDDEN, WIDTH)
        linear(f"{block}.mlp.fc2", WIDTH, HIDDEN)
    normalization("norm")
    linear("head", CLASSES, WIDTH)
    return arrays


class Network(exporter.Graph):
    def __init__(self, parameters):
        super().__init__(parameters)
        self.sizes = {}
        value = self.embedded(*self.patches("/patch_embed"))
        value = self.dropout("/pos_drop", self.node("", "Add", value, "pos_embed"))
        for index in range(DEPTH):
            block = f"blocks.{index}"
            scope = f"/blocks/{block}"
            attended = self.attention(f"{scope}/attn", f"{block}.attn", self.normalized(scope, block, "norm1", value))
            value = self.node(scope, "Add", value, attended)
            hidden = self.perceptron(f"{scope}/mlp", f"{block}.mlp", self.normalized(scope, block, "norm2", value))
            value = self.node(scope, "Add", value, hidden)
        value = self.node("/norm", "LayerNormalization", value, "norm.weight", "norm.bias", axis=-1, epsilon=EPSILON)
        value = self.dropout("/head_drop", self.node("", "Gather", value, self.first, axis=1))
        self.node("/head", "Gemm", value, "head.weight", "head.bias", result="logits", alpha=1.0, beta=1.0, transB=1)

    def patches(self, scope):
        """The image's patches as rows, and the -1 that the exporter keeps for the axes an expansion leaves alone."""
        value = self.node(f"{scope}/proj", "Conv", "x", "patch_embed.proj.weight", "patch_embed.proj.bias",
                          dilations=[1, 1], group=1, kernel_shape=[PATCH] * 2, pads=[0] * 4, strides=[PATCH] * 2)
        unchanged = self.constant(scope, -1)
        shape = self.node(scope, "Shape", value)
        axes, start, stop = [self.constant(scope, [number]) for number in (0, 0, 2)]
        leading = self.node(scope, "Slice", shape, start, stop, axes)
        target = self.node(scope, "Concat", leading, self.constant(scope, [-1]), axis=0)
        value = self.node(scope, "Reshape", value, target, allowzero=0)
        return self.node(scope, "Transpose", value, perm=[0, 2, 1]), unchanged

    def embedded(self, rows, unchanged):
        """The class token, once for each image, before the rows."""
        self.first = self.constant("", 0)
        shape = self.node("", "Shape", rows)
        batch = self.node("", "Gather", shape, self.constant("", 0), axis=0)
        sizes = [self.node("", "Unsqueeze", size, self.constant("", [0])) for size in (batch, unchanged, unchanged)]
        wanted = self.node("", "Concat", *sizes, axis=0)
        wanted = self.node("", "Reshape", wanted, self.constant("", [-1]), allowzero=0)
        ones = exporter.numpy_helper.from_array(np.array([1]))
        ones = self.node("", "ConstantOfShape", self.node("", "Shape", wanted), value=ones)
        same = self.node("", "Equal", wanted, self.node("", "Mul", ones, self.constant("", -1)))
        token = self.node("", "Expand", "cls_token", self.node("", "Where", same, ones, wanted))
        return self.node("", "Concat", token, rows, axis=1)

    def normalized(self, scope, block, name, value):
        return self.node(f"{scope}/{name}", "LayerNormalization", value, f"{block}.{name}.weight",
                         f"{block}.{name}.bias", axis=-1, epsilon=EPSILON)

    def linear(self, scope, name, value):
        weight = self.node(scope, "Transpose", f"{name}.weight", perm=[1, 0])
        return self.node(scope, "Add", f"{name}.bias", self.node(scope, "MatMul", value, weight))

    def perceptron(self, scope, name, value):
        value = self.node(f"{scope}/act", "Gelu", self.linear(f"{scope}/fc1", f"{name}.fc1", value), approximate="none")
        value = self.dropout(f"{scope}/drop1", value)
        return self.dropout(f"{scope}/drop2", self.linear(f"{scope}/fc2", f"{name}.fc2", value))

    def attention(self, scope, name, value):
        sizes = []
        for axis in (0, 1):
            shape = self.node(scope, "Shape", value)
            sizes.append(self.node(scope, "Gather", shape, self.constant(scope, axis), axis=0))
        value = self.linear(f"{scope}/qkv", f"{name}.qkv", value)
        value = self.node(scope, "Softmax", *self.scores(scope, *self.heads(scope, value, sizes)), axis=-1)
        value = self.node(scope, "MatMul", value, self.values)
        value = self.node(scope, "Transpose", value, perm=[0, 2, 1, 3])
        value = self.reshaped(scope, value, *sizes, self.size(scope, WIDTH))
        return self.dropout(f"{scope}/proj_drop", self.linear(f"{scope}/proj", f"{name}.proj", value))

    def size(self, scope, number):
        """A constant of the first block, which the exporter has all others use."""
        if number not in self.sizes:
            self.sizes[number] = self.constant(scope, number)
        return self.sizes[number]

    def reshaped(self, scope, value, *sizes):
        target = self.node(scope, "Concat", *[self.unsqueeze(scope, size) for size in sizes], axis=0)
        return self.node(scope, "Reshape", value, target, allowzero=0)

    def heads(self, scope, value, sizes):
        """Queries and keys of each head; the values are kept for later."""
        three, features = self.size(scope, 3), self.size(scope, WIDTH // HEADS)
        value = self.reshaped(scope, value, *sizes, three, three, features)
        value = self.node(scope, "Transpose", value, perm=[2, 0, 3, 1, 4])
        parts = self.node(scope, "Split", value, self.constant(scope, [1, 1, 1]), outputs=3, axis=0)
        queries, keys, self.values = [self.node(scope, "Squeeze", part, self.constant(scope, [0])) for part in parts]
        return queries, keys

    def scores(self, scope, queries, keys):
        """Scaled products: the exporter scales both sides by the root of the scale, and computes it from the shape."""
        shape = self.node(scope, "Shape", queries)
        last, end = self.constant(scope, [-1]), self.constant(scope, [np.iinfo(np.int64).max])
        features = self.node(scope, "Cast", self.node(scope, "Slice", shape, last, end), to=exporter.TensorProto.FLOAT)
        root = self.node(scope, "Sqrt", features)
        scale = self.node(scope, "Div", self.constant(scope, np.array([1], np.float32)), root)
        scale = self.node(scope, "Cast", scale, to=exporter.TensorProto.FLOAT)
        keys = self.node(scope, "Transpose", keys, perm=[0, 1, 3, 2])
        queries = self.node(scope, "Mul", queries, self.node(scope, "Sqrt", scale))
        keys = self.node(scope, "Mul", keys, self.node(scope, "Sqrt", scale))
        return [self.node(scope, "MatMul", queries, keys)]
