"""Builds ONNX graphs node by node, with the names that PyTorch's TorchScript exporter gives."""

import collections

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# What torch.onnx.export(dynamo=False) of PyTorch 2.13 writes.
OPSET, IR_VERSION = 20, 9


class Graph:
    def __init__(self, parameters):
        self.parameters = parameters
        self.nodes = []
        self.counts = collections.Counter()

    def number(self, prefix):
        """The suffix of the next name with this prefix: none, then _1, _2 and so on."""
        count = self.counts[prefix]
        self.counts[prefix] += 1
        return f"_{count}" if count else ""

    def node(self, scope, op, *inputs, outputs=1, result=None, **attributes):
        """Adds a node in the scope of a module; returns its output, or its outputs if there are several."""
        prefix = f"{scope}/{op}"
        name = prefix + self.number(prefix)
        results = [result] if result else [f"{name}_output_{index}" for index in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, results, name=name, **attributes))
        return results[0] if len(results) == 1 else results

    def constant(self, scope, value):
        return self.node(scope, "Constant", value=numpy_helper.from_array(np.asarray(value)))

    def unsqueeze(self, scope, value):
        """A scalar as a list of one, with the constant outside every scope that the exporter makes on its own."""
        suffix = self.number("Constant") or "_0"
        axes = f"onnx::Unsqueeze{suffix}"
        self.nodes.append(helper.make_node("Constant", [], [axes], name=f"Constant{suffix}",
                                           value=numpy_helper.from_array(np.array([0]))))
        return self.node(scope, "Unsqueeze", value, axes)

    def dropout(self, scope, value, ratio=0.0):
        ratio, training = self.constant(scope, np.float32(ratio)), self.constant(scope, np.bool_(True))
        return self.node(scope, "Dropout", value, ratio, training, outputs=2)[0]

    def save(self, path, image, classes):
        """Writes the graph of a classifier of images, with a symbolic batch."""
        value = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", *image])
        logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", classes])
        weights = [numpy_helper.from_array(values, name) for name, values in self.parameters.items()]
        graph = helper.make_graph(self.nodes, "main_graph", [value], [logits], weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION,
                                  producer_name="pytorch", producer_version="2.13.0")
        onnx.checker.check_model(model)
        onnx.save(model, path)
