"""Runs the built tools for the end-to-end tests, as a user would: by command line, files and exit codes."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "test" / "models"
DATA = ROOT / "test" / "data"
BIN = pathlib.Path(os.environ.get("AMP_BIN", ROOT / "build" / "bin"))
LIB = pathlib.Path(os.environ.get("AMP_LIB", ROOT / "build" / "lib"))
LENET = MODELS / "lenet.ts.train.dyn.onnx"
MLP = MODELS / "mlp_mnist.ts.train.dyn.onnx"
RESNET8 = MODELS / "resnet8_cifar.ts.train.dyn.onnx"
MLP_BN = MODELS / "mlp_bn_dropout.ts.train.dyn.onnx"
NANO_GPT = MODELS / "nano_gpt.ts.train.dyn.onnx"
BERT = MODELS / "bert_tiny_classifier.ts.train.dyn.onnx"
DIGITS = MODELS / "digits_mlp.onnx"
PRECISIONS = ("fp32", "bf16", "fp16")


def run(tool, *arguments, timeout=300):
    command = [str(BIN / tool), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, errors="replace")


def succeed(tool, *arguments, timeout=300):
    """The standard output of a run that must end well."""
    result = run(tool, *arguments, timeout=timeout)
    if result.returncode != 0:
        line = " ".join([tool, *map(str, arguments)])
        raise AssertionError(f"{line}\nexit {result.returncode}\n{result.stderr}{result.stdout}")
    return result.stdout


def compileModel(model, package, *options):
    succeed("amp-compile", model, "-o", package, *options)
    return package


def runSteps(package, *options):
    """What each step reported."""
    return [json.loads(line) for line in succeed("amp-run", package, "--json", *options).splitlines() if line]


def loadArrays(path):
    with np.load(path) as arrays:
        return {name: arrays[name] for name in arrays.files}


def saveBatch(folder, name, **arrays):
    path = pathlib.Path(folder) / f"{name}.npz"
    np.savez(path, **arrays)
    return path


def truthArrays(truth, step, inputs=("x",)):
    """The inputs, by name, and the labels of one step of a recorded run."""
    arrays = {name: truth[f"input{index}.{step}"] for index, name in enumerate(inputs)}
    return arrays | {"labels": truth[f"labels.{step}"]}


def inputOptions(paths):
    return [f"--inputs={path}" for path in paths]


class AmpTestCase(unittest.TestCase):
    """A test with a folder of its own."""

    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="amp-test-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def assertSameBits(self, left, right, names=None):
        """Arrays equal to the last bit, NaNs and zeros included."""
        if names is None:
            self.assertEqual(sorted(left), sorted(right))
            names = left
        for name in names:
            self.assertEqual(left[name].dtype, right[name].dtype, name)
            self.assertEqual(left[name].tobytes(), right[name].tobytes(), f"'{name}' differs")
