"""What holds whatever the numbers are: the same bits at any thread count, after resuming, and for every compile."""

import re
import shutil
import subprocess
import unittest

import numpy as np
import onnx

import amptools

SGD = "--optimizer=sgd:lr=0.05,momentum=0.9,weight-decay=5e-4"
ADAMW = "--optimizer=adamw:lr=1e-3,eps=1e-4"
FOREIGN_LIBRARY = re.compile(r"LLVM|MLIR|protobuf|python|onnx\b", re.IGNORECASE)


def lenetOptions(precision, *more):
    return ["--batch=16", f"--precision={precision}", "--loss=cross-entropy", *more]


class PropertyTest(amptools.AmpTestCase):
    def lenetBatches(self, count):
        truth = amptools.loadArrays(amptools.DATA / "truth" / "lenet.npz")
        return [amptools.saveBatch(self.folder, f"batch-{step}", **amptools.truthArrays(truth, step))
                for step in range(count)]

    def stateAfter(self, package, batches, *options):
        """What the steps reported, and all state after them."""
        path = self.folder / "state.npz"
        reports = amptools.runSteps(package, f"--steps={len(batches)}", *amptools.inputOptions(batches),
                                    f"--save-state={path}", *options)
        return reports, amptools.loadArrays(path)


class ThreadTest(PropertyTest):
    def test_thread_count_changes_no_bit(self):
        batches = self.lenetBatches(5)
        for precision in amptools.PRECISIONS:
            for optimizer in (SGD, ADAMW):
                package = amptools.compileModel(amptools.LENET, self.folder / "lenet.amp",
                                                *lenetOptions(precision, optimizer))
                _, expected = self.stateAfter(package, batches, "--threads=1")
                for threads in (1, 2, 3):
                    with self.subTest(precision=precision, optimizer=optimizer, threads=threads):
                        _, got = self.stateAfter(package, batches, f"--threads={threads}")
                        self.assertSameBits(got, expected)

    def test_training_moves_every_parameter(self):
        # Without this, equal bits could mean that nothing was trained.
        batches = self.lenetBatches(1)
        package = amptools.compileModel(amptools.LENET, self.folder / "lenet.amp", *lenetOptions("fp32", SGD))
        before, after = self.folder / "before.npz", self.folder / "after.npz"
        for path, steps in ((before, 1), (after, 2)):
            amptools.runSteps(package, f"--steps={steps}", *amptools.inputOptions(batches), f"--save-parameters={path}")
        before, after = amptools.loadArrays(before), amptools.loadArrays(after)
        for name in before:
            self.assertFalse(np.array_equal(before[name], after[name]), name)

    def test_saving_gradients_changes_no_bit(self):
        batches = self.lenetBatches(3)
        package = amptools.compileModel(amptools.LENET, self.folder / "lenet.amp", *lenetOptions("bf16", SGD))
        _, expected = self.stateAfter(package, batches)
        _, got = self.stateAfter(package, batches, f"--save-gradients={self.folder / 'gradients.npz'}")
        self.assertSameBits(got, expected)


class ResumeTest(PropertyTest):
    STEPS, STOP = 10, 5

    def train(self, package, data, checkpoint, steps, *options):
        amptools.succeed("amp-train", package, f"--data={data}", f"--steps={steps}", "--seed=7", "--shuffle",
                         f"--checkpoint={checkpoint}", f"--checkpoint-every={self.STOP}", *options)
        return checkpoint / f"step-{steps:08d}"

    def test_resuming_equals_never_stopping(self):
        digits = amptools.loadArrays(amptools.DATA / "digits.npz")
        # 7 batches an epoch: the run crosses an epoch, and stops within one.
        images = digits["x"][:448].astype(np.float32)[:, None] / 16
        data = amptools.saveBatch(self.folder, "data", x=images, labels=digits["y"][:448].astype(np.int64))
        for precision in amptools.PRECISIONS:
            for optimizer in (SGD, ADAMW):
                with self.subTest(precision=precision, optimizer=optimizer):
                    package = amptools.compileModel(amptools.DIGITS, self.folder / "digits.amp", "--batch=64",
                                                    optimizer, f"--precision={precision}", "--loss=cross-entropy")
                    whole, parts = self.folder / "whole", self.folder / "parts"
                    for checkpoint in (whole, parts):
                        shutil.rmtree(checkpoint, ignore_errors=True)
                    expected = self.train(package, data, whole, self.STEPS)
                    self.train(package, data, parts, self.STOP)
                    got = self.train(package, data, parts, self.STEPS, "--resume")
                    self.assertSameFiles(got, expected)

    def test_a_checkpoint_of_single_steps_holds_all_state(self):
        batches = self.lenetBatches(self.STEPS)
        first, second = batches[: self.STOP], batches[self.STOP :]
        for precision in amptools.PRECISIONS:
            with self.subTest(precision=precision):
                package = amptools.compileModel(amptools.LENET, self.folder / "lenet.amp",
                                                *lenetOptions(precision, ADAMW))
                reports, expected = self.stateAfter(package, batches)
                checkpoint = self.folder / f"checkpoint-{precision}"
                self.stateAfter(package, first, f"--save={checkpoint}")
                resumed, got = self.stateAfter(package, second, f"--load={checkpoint}", "--threads=3")
                self.assertEqual([report["loss"] for report in resumed],
                                 [report["loss"] for report in reports[self.STOP :]])
                self.assertSameBits(got, expected)

    def assertSameFiles(self, got, expected):
        names = sorted(path.name for path in expected.iterdir())
        self.assertTrue(names)
        self.assertEqual(sorted(path.name for path in got.iterdir()), names)
        for name in names:
            self.assertEqual((got / name).read_bytes(), (expected / name).read_bytes(), name)


class PackageTest(PropertyTest):
    def test_compiling_twice_gives_the_same_bytes(self):
        for model, batch in ((amptools.LENET, 16), (amptools.MLP, 32)):
            for precision in amptools.PRECISIONS:
                with self.subTest(model=model.name, precision=precision):
                    first, second = [
                        amptools.compileModel(model, self.folder / name, f"--batch={batch}", SGD,
                                              f"--precision={precision}", "--loss=cross-entropy").read_bytes()
                        for name in ("first.amp", "second.amp")
                    ]
                    self.assertEqual(first, second)

    def test_runtime_links_no_compiler(self):
        programs = [amptools.BIN / "amp-run", amptools.BIN / "amp-train", *amptools.LIB.glob("libamp.so*")]
        self.assertGreaterEqual(len(programs), 3, f"no libamp.so in {amptools.LIB}")
        for program in programs:
            listing = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
            self.assertIn("libc.so", listing)
            self.assertIsNone(FOREIGN_LIBRARY.search(listing), listing)


class OverflowTest(PropertyTest):
    def initialWeights(self):
        """The weights of the ONNX file."""
        model = onnx.load(amptools.LENET)
        return {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}

    def test_overflow_skips_the_step_and_halves_the_scale(self):
        batches = self.lenetBatches(2)
        for optimizer, moments in ((SGD, ["momentum"]), (ADAMW, ["m", "v"])):
            with self.subTest(optimizer=optimizer):
                package = amptools.compileModel(amptools.LENET, self.folder / "lenet.amp",
                                                *lenetOptions("fp16", optimizer, "--loss-scale=dynamic:init=1e30"))
                reports, state = self.stateAfter(package, batches)
                self.assertEqual([report["stepped"] for report in reports], [False, False])
                self.assertEqual([report["found_inf"] for report in reports], [True, True])
                self.assertEqual([np.float32(report["scale"]) for report in reports],
                                 [np.float32(1e30), np.float32(1e30) / 2])
                self.assertEqual(state["loss_scale"], np.float32(1e30) / 4)
                self.assertEqual(state["step_count"], 0)
                self.assertEqual(state["growth_tracker"], 0)
                parameters = self.initialWeights()
                self.assertSameBits(state, parameters, parameters)
                for name in parameters:
                    for moment in moments:
                        self.assertFalse(np.any(state[f"{name}/{moment}"]), f"{name}/{moment}")

    def test_skipped_step_after_good_ones_leaves_no_trace(self):
        batches = self.lenetBatches(3)
        spoiled = amptools.loadArrays(batches[0])
        spoiled["x"][0, 0, 14, 14] = np.nan
        bad = amptools.saveBatch(self.folder, "spoiled", **spoiled)
        for precision in amptools.PRECISIONS:
            with self.subTest(precision=precision):
                package = amptools.compileModel(amptools.LENET, self.folder / "lenet.amp",
                                                *lenetOptions(precision, ADAMW))
                _, before = self.stateAfter(package, batches)
                reports, after = self.stateAfter(package, [*batches, bad])
                self.assertFalse(reports[-1]["stepped"])
                self.assertIsNone(reports[-1]["loss"])
                kept = [name for name in before if not name.endswith("/gradient") and name not in ("loss", "growth_tracker")]
                # A loss that is not finite is not the scale's fault: the scale is among what stays.
                self.assertIn("loss_scale", kept)
                self.assertSameBits(after, before, kept)


if __name__ == "__main__":
    unittest.main()
