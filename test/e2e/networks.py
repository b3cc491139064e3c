"""resnet18, resnet50 and vit_tiny, as exported at their real size, compile and train: the first step's loss and
gradient norms equal PyTorch's, and resnet50's plan has the layout and the kernels that make it fast."""

import collections
import dataclasses
import importlib
import json
import pathlib
import re
import sys
import tempfile
import time
import unittest

import numpy as np

import amptools

sys.path.insert(0, str(amptools.MODELS))
networks = importlib.import_module("make-networks")

OPTIONS = (f"--batch={networks.BATCH}", "--loss=cross-entropy", "--optimizer=sgd:lr=0.01")
# A tensor whose gradient is smaller than this share of the whole is not compared by itself.
SMALL = 1e-3


@dataclasses.dataclass(frozen=True)
class Gates:
    """Bounds on relative errors: of the loss, of the whole gradient's norm, of each tensor's norm in fp32."""

    loss: float
    norm: float
    tensor: float | None


# In fp32 PyTorch itself is 8e-7 away from its own loss in fp64, 2e-4 from the norm, and up to 1e-2 from a tensor's norm:
# behind batch normalisation thousands of activations lie so near 0 that the order of a sum decides their mask.
RELU = {"fp32": Gates(5e-6, 5e-4, 2e-2), "bf16": Gates(5e-3, 2e-2, None)}
SMOOTH = {"fp32": Gates(1e-6, 1e-5, 1e-5), "bf16": Gates(5e-3, 1e-2, None)}


class FolderTest(unittest.TestCase):
    """The tests of a class share a folder."""

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="amp-test-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)


class FirstStepTest(FolderTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.truth = json.loads((amptools.DATA / "truth" / "networks.json").read_text())

    def compareNetwork(self, name, gatesOf):
        model, batch = networks.makeNetwork(name, self.folder)
        for precision, gates in gatesOf.items():
            with self.subTest(network=name, precision=precision):
                package, gradients = self.folder / "network.amp", self.folder / "gradients.npz"
                start = time.monotonic()
                amptools.compileModel(model, package, *OPTIONS, f"--precision={precision}")
                seconds = time.monotonic() - start
                # One run shows either the gradients or that the next loss is smaller.
                steps = ["--steps=1", f"--save-gradients={gradients}"] if gates.tensor else ["--steps=2"]
                reports = amptools.runSteps(package, f"--inputs={batch}", *steps)
                print(f"{name} {precision}: compiled in {seconds:.1f} s, stepped in {reports[-1]['seconds']:.2f} s",
                      flush=True)
                self.compareStep(reports[0], self.truth[name], gates)
                if gates.tensor:
                    self.compareTensors(amptools.loadArrays(gradients), self.truth[name], gates.tensor)
                else:
                    self.assertLess(reports[1]["loss"], reports[0]["loss"])

    def compareStep(self, report, truth, gates):
        self.assertTrue(report["stepped"], report)
        self.assertFalse(report["found_inf"], report)
        for key, gate in (("loss", gates.loss), ("grad_norm", gates.norm)):
            error = abs(report[key] - truth[key]) / truth[key]
            self.assertLessEqual(error, gate, f"{key} {report[key]}, PyTorch has {truth[key]}")

    def compareTensors(self, gradients, truth, gate):
        self.assertEqual(sorted(gradients), sorted(truth["gradients"]))
        for name, wanted in truth["gradients"].items():
            if wanted >= SMALL * truth["grad_norm"]:
                norm = np.linalg.norm(gradients[name].astype(np.float64))
                self.assertLessEqual(abs(norm - wanted) / wanted, gate, f"gradient of {name}: {norm}, wanted {wanted}")

    def test_resnet18(self):
        self.compareNetwork("resnet18", RELU)

    def test_resnet50(self):
        self.compareNetwork("resnet50", RELU)

    def test_vit_tiny(self):
        self.compareNetwork("vit_tiny", SMOOTH)


def programsOf(text):
    """The lines of each program of a printed plan."""
    programs, lines = {}, []
    for line in text.splitlines():
        if start := re.match(r" *train\.program @(\w+)", line):
            lines = programs[start[1]] = []
        lines.append(line)
    return programs


def operatorOf(line):
    operator = re.match(r"[^\"]*?\b(?:graph|train)\.(\w+)", line)
    return operator[1] if operator else None


def groupsOf(lines):
    """The operators of each group, in order."""
    groups, group = [], None
    for line in lines:
        operator = operatorOf(line)
        if operator == "group":
            group = []
        elif operator == "yield" and group is not None:
            groups.append(tuple(group))
            group = None
        elif operator and group is not None:
            group.append(operator)
    return groups


class ResidualPlanTest(FolderTest):
    """resnet50 has 53 convolutions and normalisations, 49 activations and 16 residual additions."""

    CONVOLUTIONS, ACTIVATIONS, ADDITIONS = 53, 49, 16

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        model, _ = networks.makeNetwork("resnet50", cls.folder)
        cls.plans = {stage: programsOf(amptools.succeed("amp-compile", model, *OPTIONS, "--precision=bf16",
                                                        f"--emit={stage}")) for stage in ("layout", "fusion")}
        cls.groups = {program: groupsOf(lines) for program, lines in cls.plans["fusion"].items()}

    def count(self, program, operator):
        return sum(group.count(operator) for group in self.groups[program])

    def test_the_images_are_transposed_at_the_border_alone(self):
        for program, lines in self.plans["layout"].items():
            transposes = [line for line in lines if operatorOf(line) == "transpose"]
            self.assertEqual(len(transposes), 1 if program in ("micro", "eval") else 0, program)
            for line in transposes:
                self.assertRegex(line, r"graph\.transpose %arg0 .*tensor<8x3x224x224xf32>")
            images = [line for line in lines if operatorOf(line) in ("conv2d", "max_pool2d", "conv2d_weight_grad")]
            self.assertTrue(all("channels_last" in line for line in images), program)
        micro = collections.Counter(map(operatorOf, self.plans["layout"]["micro"]))
        self.assertEqual(micro["conv2d"], self.CONVOLUTIONS)
        self.assertEqual(micro["conv2d_weight_grad"], self.CONVOLUTIONS)
        # The images' own gradient is nobody's.
        self.assertEqual(micro["conv2d_input_grad"], self.CONVOLUTIONS - 1)

    def test_no_activation_addition_or_cast_stands_alone(self):
        for program, groups in self.groups.items():
            for group in groups:
                self.assertFalse(set(group) <= {"relu", "relu_grad", "add"}, f"{program}: {group}")
            casts = [group for group in groups if set(group) == {"cast"}]
            # The images, at most; and after a checkpoint was read the low-precision copies of the weights.
            if program != "derive":
                self.assertLessEqual(len(casts), 1 if program in ("micro", "eval") else 0, program)

    def test_activations_and_additions_join_normalisations(self):
        forward = [group for group in self.groups["micro"] if "relu" in group]
        self.assertEqual(len(forward), self.ACTIVATIONS)
        self.assertTrue(all(group[0] == "normalize" and group[-1] == "relu" for group in forward), forward)
        self.assertEqual(sum("add" in group for group in forward), self.ADDITIONS)
        self.assertEqual(self.count("micro", "normalize"), self.CONVOLUTIONS)
        self.assertEqual(self.groups["micro"].count(("batch_moments", "update_statistics")), self.CONVOLUTIONS)

    def test_gradients_of_activations_join_convolutions(self):
        masked = [group for group in self.groups["micro"] if "relu_grad" in group]
        producers = collections.Counter(group[0] for group in masked)
        # Behind the last activation are the pooling's gradient's two readers, before the first the pooling itself.
        self.assertEqual(producers["conv2d_input_grad"] + producers["max_pool2d_grad"], self.ACTIVATIONS - 1)
        self.assertEqual(producers["max_pool2d_grad"], 1)

    def test_evaluation_is_convolutions_with_all_that_follows(self):
        convolutions = [group for group in self.groups["eval"] if group[0] == "conv2d"]
        self.assertEqual(len(convolutions), self.CONVOLUTIONS)
        self.assertTrue(all("normalize" in group for group in convolutions))
        self.assertEqual(sum("relu" in group for group in convolutions), self.ACTIVATIONS)


if __name__ == "__main__":
    unittest.main()
