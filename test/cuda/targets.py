"""--target, --arch, --nvrtc and --emit=cuda as a user meets them, with NVRTC and without."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

import numpy as np

import amptools

BATCH = 32
NOWHERE = "--nvrtc=/nowhere/libnvrtc.so.13"


class TargetsTest(amptools.AmpTestCase):
    def setUp(self):
        super().setUp()
        self.output = self.folder / "mlp.amp"

    def compile(self, *options, output=None):
        return amptools.run("amp-compile", amptools.MLP, f"--batch={BATCH}", "-o", output or self.output, *options)

    def needNvrtc(self, *options, output=None):
        """A compilation that must end well where there is NVRTC."""
        result = self.compile(*options, output=output)
        if "needs NVRTC" in result.stderr:
            self.skipTest(result.stderr.strip())
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def inspect(self, *options):
        return json.loads(amptools.succeed("amp-inspect", self.output, "--json", *options))

    def refuse(self, *options):
        result = self.compile(*options)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertFalse(self.output.exists())
        return result.stderr


class PackageTest(TargetsTest):
    def test_a_package_for_both_says_what_it_holds(self):
        result = self.needNvrtc("--target=cpu", "--target=cuda")
        self.assertRegex(result.stderr, r"remark: \d+ of \d+ kernels have no CUDA code yet and run on a CPU only")
        self.assertRegex(result.stderr, r"kernel_\d+: graph\.matmul has no CUDA code yet \(node '")
        binaries = [(binary["target"], binary["arch"]) for binary in self.inspect()["targets"]]
        self.assertEqual(binaries[0][0], "cpu")
        self.assertEqual(binaries[1:], [("cuda", "sm_80"), ("cuda", "sm_90a")])
        kernels = self.inspect("--kernels")["kernels"]
        self.assertEqual({kernel["target"] for kernel in kernels}, {"cpu", "cpu, cuda"})
        for kernel in kernels:
            if kernel["target"] == "cpu":
                self.assertIsNone(kernel["registers"])
                continue
            self.assertEqual(kernel["images"], ["sm_80", "sm_90a"])
            self.assertEqual(kernel["threads"], 256)
            self.assertEqual(kernel["spill_bytes"], 0)
            self.assertGreater(kernel["registers"], 0)

    def test_it_trains_on_a_cpu_as_one_for_a_cpu_alone(self):
        self.needNvrtc("--target=cpu", "--target=cuda")
        alone = self.folder / "alone.amp"
        self.assertEqual(self.compile("--select=generated", output=alone).returncode, 0)
        random = np.random.default_rng(1)
        inputs = json.loads(amptools.succeed("amp-run", alone, "--list-inputs"))
        shapes = {entry["name"]: entry["shape"] for entry in inputs}
        arrays = {name: random.random(shape, np.float32) for name, shape in shapes.items() if name != "labels"}
        batch = amptools.saveBatch(self.folder, "batch", labels=random.integers(0, 10, BATCH), **arrays)
        runs = [amptools.runSteps(package, f"--inputs={batch}", "--steps=3") for package in (self.output, alone)]
        self.assertEqual(*[[step["loss"] for step in run] for run in runs])

    def test_compiling_twice_gives_the_same_bytes(self):
        again = self.folder / "again.amp"
        self.needNvrtc("--target=cpu", "--target=cuda")
        self.needNvrtc("--target=cpu", "--target=cuda", output=again)
        self.assertTrue(self.output.read_bytes() == again.read_bytes())

    def test_arch_chooses_the_images(self):
        self.needNvrtc("--target=cpu", "--target=cuda", "--arch=x86-64-v3,sm_80")
        binaries = [(binary["target"], binary["arch"]) for binary in self.inspect()["targets"]]
        self.assertEqual(binaries, [("cpu", "x86-64-v3"), ("cuda", "sm_80")])

    def test_cuda_alone_names_every_kernel_without_code(self):
        message = self.refuse("--target=cuda")
        if "needs NVRTC" in message:
            self.skipTest(message.strip())
        self.assertIn("compile with --target=cpu --target=cuda", message)
        self.assertGreater(message.count("graph.matmul has no CUDA code yet (node '"), 3)


class SourceTest(TargetsTest):
    def test_emit_cuda_needs_no_nvrtc_and_no_header(self):
        result = self.compile("--emit=cuda", NOWHERE)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("AMP_KERNEL(256) kernel_0(", result.stdout)
        self.assertIn("is not here: graph.matmul has no CUDA code yet", result.stdout)
        self.assertEqual([line for line in result.stdout.splitlines() if line.startswith("#include")],
                         ["#include AMP_SIMT"])
        self.assertFalse(self.output.exists())


class RefusalTest(TargetsTest):
    def test_without_nvrtc_that_target_is_refused_by_name(self):
        for targets in (["--target=cuda"], ["--target=cpu", "--target=cuda"]):
            message = self.refuse(*targets, NOWHERE)
            self.assertIn("--target=cuda needs NVRTC", message)
            self.assertIn("/nowhere/libnvrtc.so.13", message)
        self.assertEqual(self.compile("--target=cpu", NOWHERE).returncode, 0)

    def test_architectures_that_are_not_there(self):
        self.assertIn("'sm_70' has no CUDA code; sm_80 and sm_90 have", self.refuse("--target=cuda", "--arch=sm_70"))
        self.assertIn("is for --target=cuda", self.refuse("--arch=sm_80"))
        self.assertIn("wants one CPU at most", self.refuse("--arch=native,x86-64-v3"))

    def test_device_cuda_is_refused_by_name(self):
        for tool in ("amp-run", "amp-train"):
            result = amptools.run(tool, self.output, "--device=cuda")
            self.assertEqual(result.returncode, 1)
            self.assertIn("--device=cuda is not there yet", result.stderr)
            self.assertIn("leave --device out to run on the CPU", result.stderr)


if __name__ == "__main__":
    unittest.main()
