"""The loss scale follows torch.amp.GradScaler step by step, with overflows injected at given steps.

The model's loss is built so that a step's true gradient is (0.5, 0.25), exactly, and so that a second input can make
it not finite while the loss stays finite: relu(-inf) is 0, and its gradient 0 times inf is NaN.
"""

import json
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import amptools

DIRECTION = np.array([[0.5, 0.25]], dtype=np.float32)
FIRST_WEIGHT = np.array([[1.0], [-2.0]], dtype=np.float32)


def makeModel(path):
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["linear"], name="linear"),
        helper.make_node("MatMul", ["z", "w"], ["spoiler"], name="spoiler"),
        helper.make_node("Relu", ["spoiler"], ["hidden"], name="hidden"),
        helper.make_node("Add", ["linear", "hidden"], ["y"], name="sum"),
    ]
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 2]) for name in ("x", "z")]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 1])
    graph = helper.make_graph(nodes, "scaler", inputs, [output], [numpy_helper.from_array(FIRST_WEIGHT, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, path)


class ScalerTest(amptools.AmpTestCase):
    def batches(self, machine):
        """The squared error's gradient is 2 (y - label); a label half below y makes it 1."""
        weight = FIRST_WEIGHT
        for row in machine["rows"]:
            bad = str(row["step"]) in machine["injected"]
            spoiler = np.array([[0.0, np.inf if bad else 0.0]], dtype=np.float32)
            label = DIRECTION @ weight - np.float32(0.5)
            yield amptools.saveBatch(self.folder, f"batch-{row['step']}", x=DIRECTION, z=spoiler, labels=label)
            weight = np.array(row["weight"], dtype=np.float32)[:, None]

    def scaleOption(self, config):
        names = {"init_scale": "init", "growth_factor": "growth", "backoff_factor": "backoff",
                 "growth_interval": "interval"}
        pairs = [f"{names[key]}={value:g}" for key, value in config.items()]
        return "--loss-scale=dynamic:" + ",".join([*pairs, "min=0.0625"])

    def test_state_machine(self):
        model = self.folder / "scaler.onnx"
        makeModel(model)
        truth = json.loads((amptools.DATA / "scaler_truth.json").read_text())
        self.assertEqual(len(truth["machine"]), 3)
        for machine in truth["machine"]:
            with self.subTest(config=machine["config"], injected=machine["injected"]):
                package = amptools.compileModel(
                    model, self.folder / "scaler.amp", "--loss=mse", "--precision=fp32",
                    "--optimizer=sgd:lr=0.125,momentum=0.5", self.scaleOption(machine["config"]))
                self.compare(package, list(self.batches(machine)), machine["rows"])

    def compare(self, package, batches, rows):
        path = self.folder / "state.npz"
        for count, row in enumerate(rows, 1):
            reports = amptools.runSteps(package, f"--steps={count}", *amptools.inputOptions(batches[:count]),
                                        f"--save-state={path}")
            state = amptools.loadArrays(path)
            self.assertEqual(reports[-1]["scale"], row["scale"], row)
            self.assertEqual(reports[-1]["stepped"], not row["skipped"], row)
            self.assertEqual(reports[-1]["loss"], 0.25, row)
            self.assertEqual(state["loss_scale"], row["scale_after"], row)
            self.assertEqual(state["growth_tracker"], row["growth_tracker"], row)
            self.assertEqual(state["w"].ravel().tolist(), row["weight"], row)


if __name__ == "__main__":
    unittest.main()
