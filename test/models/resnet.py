"""torchvision's resnet18 and resnet50: their weights, freshly drawn, and their graphs as exported for training."""

import numpy as np

import exporter

# Blocks of each stage, and convolutions (kernel, whether it carries the stride, channels over the block's width).
BASIC = [(3, True, 1), (3, False, 1)]
BOTTLENECK = [(1, False, 1), (3, True, 1), (1, False, 4)]
NETWORKS = {"resnet18": ((2, 2, 2, 2), BASIC), "resnet50": ((3, 4, 6, 3), BOTTLENECK)}
IMAGE, CLASSES = (3, 224, 224), 1000


def blocks(name):
    """Each block: its scope's name, channels into it, width, stride, and whether its shortcut has a convolution."""
    depths, convolutions = NETWORKS[name]
    channels = 64
    for stage, depth in enumerate(depths, 1):
        width = 64 << (stage - 1)
        for index in range(depth):
            stride = 2 if stage > 1 and index == 0 else 1
            output = width * convolutions[-1][2]
            yield f"layer{stage}.{index}", channels, width, stride, stride > 1 or channels != output
            channels = output


class Weights:
    """torchvision's initialization: normal convolutions by their outgoing connections, normalisation as identity."""

    def __init__(self, random):
        self.random = random
        self.arrays = {}

    def convolution(self, name, outputs, inputs, kernel):
        deviation = np.sqrt(2 / (outputs * kernel * kernel))
        values = self.random.standard_normal((outputs, inputs, kernel, kernel), np.float32)
        self.arrays[f"{name}.weight"] = values * np.float32(deviation)

    def normalization(self, name, channels):
        for part, value in (("weight", 1), ("bias", 0), ("running_mean", 0), ("running_var", 1)):
            self.arrays[f"{name}.{part}"] = np.full(channels, value, np.float32)

    def linear(self, name, outputs, inputs):
        bound = 1 / np.sqrt(inputs)
        for part, shape in (("weight", (outputs, inputs)), ("bias", (outputs,))):
            values = self.random.uniform(-bound, bound, shape)
            self.arrays[f"{name}.{part}"] = values.astype(np.float32)


def drawWeights(name, random):
    weights = Weights(random)
    weights.convolution("conv1", 64, 3, 7)
    weights.normalization("bn1", 64)
    for block, channels, width, _, projects in blocks(name):
        inputs = channels
        for index, (kernel, _, factor) in enumerate(NETWORKS[name][1], 1):
            weights.convolution(f"{block}.conv{index}", width * factor, inputs, kernel)
            inputs = width * factor
            weights.normalization(f"{block}.bn{index}", inputs)
        if projects:
            weights.convolution(f"{block}.downsample.0", inputs, channels, 1)
            weights.normalization(f"{block}.downsample.1", inputs)
    weights.linear("fc", CLASSES, inputs)
    return weights.arrays


class Network(exporter.Graph):
    def __init__(self, name, parameters):
        super().__init__(parameters)
        value = self.relu("", self.normalized("/conv1", "conv1", "/bn1", "bn1", "x", 2))
        value = self.node("/maxpool", "MaxPool", value, ceil_mode=0, dilations=[1, 1], kernel_shape=[3, 3],
                          pads=[1, 1, 1, 1], strides=[2, 2])
        for block, _, _, stride, projects in blocks(name):
            value = self.block(name, block, value, stride, projects)
        value = self.node("/avgpool", "GlobalAveragePool", value)
        value = self.node("", "Flatten", value, axis=1)
        self.node("/fc", "Gemm", value, "fc.weight", "fc.bias", result="logits", alpha=1.0, beta=1.0, transB=1)

    def relu(self, scope, value):
        """A block has one module for all its activations, so their scopes carry the number of the call."""
        module = f"{scope}/relu"
        return self.node(module + self.number(module), "Relu", value)

    def normalized(self, scope, convolution, normScope, normalization, value, stride):
        """A convolution and its normalisation, each with the scope and the name of its module."""
        kernel = self.parameters[f"{convolution}.weight"].shape[2]
        value = self.node(scope, "Conv", value, f"{convolution}.weight", dilations=[1, 1], group=1,
                          kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4, strides=[stride] * 2)
        names = [f"{normalization}.{part}" for part in ("weight", "bias", "running_mean", "running_var")]
        return self.node(normScope, "BatchNormalization", value, *names, outputs=3, epsilon=1e-5, momentum=0.9,
                         training_mode=1)[0]

    def block(self, name, block, value, stride, projects):
        scope = f"/{block.split('.')[0]}/{block}"
        shortcut, convolutions = value, NETWORKS[name][1]
        for index, (_, strided, _) in enumerate(convolutions, 1):
            value = self.normalized(f"{scope}/conv{index}", f"{block}.conv{index}", f"{scope}/bn{index}",
                                    f"{block}.bn{index}", value, stride if strided else 1)
            if index < len(convolutions):
                value = self.relu(scope, value)
        if projects:
            shortcut = self.projection(scope, block, shortcut, stride)
        return self.relu(scope, self.node(scope, "Add", value, shortcut))

    def projection(self, scope, block, value, stride):
        scope = f"{scope}/downsample/downsample"
        return self.normalized(f"{scope}.0", f"{block}.downsample.0", f"{scope}.1", f"{block}.downsample.1", value,
                               stride)
