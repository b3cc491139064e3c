"""Dropout and batch normalisation: updates alone move running statistics and the place in the stream of masks."""

import unittest

import numpy as np
import onnx

import amptools

STEPS, STOP = 6, 3
OPTIONS = ("--batch=8", "--loss=cross-entropy", "--optimizer=adamw:lr=1e-3,eps=1e-4")


class ModeTest(amptools.AmpTestCase):
    """A network with both: running statistics are state, and the masks are drawn by the count of updates."""

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(3)
        batches = [{"x": random.standard_normal((8, 8, 8), np.float32), "labels": random.integers(0, 10, 8)}
                   for _ in range(STEPS)]
        spoiled = {**batches[0], "x": batches[0]["x"].copy()}
        spoiled["x"][3, 1, 2] = np.nan
        self.batches = [amptools.saveBatch(self.folder, f"batch-{step}", **batch)
                        for step, batch in enumerate(batches)]
        self.spoiled = amptools.saveBatch(self.folder, "spoiled", **spoiled)

    def compile(self, precision, *options):
        return amptools.compileModel(amptools.MLP_BN, self.folder / "net.amp", *OPTIONS, f"--precision={precision}",
                                     *options)

    def stateAfter(self, package, batches, *options):
        path = self.folder / "state.npz"
        reports = amptools.runSteps(package, f"--steps={len(batches)}", *amptools.inputOptions(batches),
                                    f"--save-state={path}", *options)
        return reports, amptools.loadArrays(path)

    def statistics(self, state):
        return sorted(name for name in state if ".running_" in name)

    def test_a_skipped_step_leaves_no_trace_in_those_that_follow(self):
        for precision in amptools.PRECISIONS:
            with self.subTest(precision=precision):
                package = self.compile(precision)
                _, expected = self.stateAfter(package, self.batches)
                batches = [self.spoiled, *self.batches[:STOP], self.spoiled, *self.batches[STOP:]]
                reports, got = self.stateAfter(package, batches)
                self.assertEqual([report["stepped"] for report in reports].count(False), 2)
                self.assertSameBits(got, expected)

    def test_an_evaluation_leaves_no_trace(self):
        package, checkpoint = self.compile("bf16"), self.folder / "checkpoint"
        _, expected = self.stateAfter(package, self.batches[:STOP], f"--save={checkpoint}")
        outputs = []
        for _ in range(2):
            path = self.folder / "outputs.npz"
            _, got = self.stateAfter(package, self.batches[STOP:], "--mode=eval", f"--load={checkpoint}",
                                     f"--save-outputs={path}")
            self.assertSameBits(got, expected)
            outputs.append(amptools.loadArrays(path))
        self.assertSameBits(*outputs)

    def test_a_checkpoint_holds_statistics_and_the_place_of_the_masks(self):
        package, checkpoint = self.compile("fp16"), self.folder / "checkpoint"
        _, expected = self.stateAfter(package, self.batches)
        self.stateAfter(package, self.batches[:STOP], f"--save={checkpoint}")
        _, got = self.stateAfter(package, self.batches[STOP:], f"--load={checkpoint}", "--threads=3")
        self.assertSameBits(got, expected)
        self.assertEqual(self.statistics(got), ["2.running_mean", "2.running_var"])
        self.assertFalse([name for name in got if "pending" in name])

    def test_masks_follow_the_seed(self):
        package = self.compile("fp32")
        losses = [[report["loss"] for report in self.stateAfter(package, self.batches, *options)[0]]
                  for options in ([], ["--seed=0"], ["--seed=1"])]
        self.assertEqual(losses[0], losses[1])
        self.assertNotEqual(losses[0], losses[2])

    def test_statistics_that_freeze_names_stay(self):
        _, moving = self.stateAfter(self.compile("fp32"), self.batches)
        _, frozen = self.stateAfter(self.compile("fp32", "--freeze=running_mean"), self.batches)
        self.assertEqual(self.statistics(frozen), self.statistics(moving))
        self.assertFalse(frozen["2.running_mean"].tobytes() == moving["2.running_mean"].tobytes())
        self.assertSameBits(frozen, moving, [name for name in moving if name != "2.running_mean"])

    def test_the_variance_is_the_populations_unless_asked(self):
        tensors = onnx.load(amptools.MLP_BN).graph.initializer
        start = next(onnx.numpy_helper.to_array(tensor) for tensor in tensors if tensor.name == "2.running_var")
        moved = []
        for options in ([], ["--batchnorm-variance=population"], ["--batchnorm-variance=sample"]):
            package = self.compile("fp32", "--dropout=off", *options)
            _, state = self.stateAfter(package, self.batches[:1])
            moved.append(state["2.running_var"].astype(np.float64) - 0.9 * start)
        np.testing.assert_array_equal(moved[0], moved[1])
        # Of 8 values a channel.
        np.testing.assert_allclose(moved[2], moved[0] * 8 / 7, rtol=1e-4)


if __name__ == "__main__":
    unittest.main()
