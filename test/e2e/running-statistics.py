"""Running means and variances through amp.h: listed apart from parameters, as amp-run saves them, and writable."""

import unittest

import numpy as np

import amptools
import libamp

MODEL = amptools.DATA / "onnx" / "batch-norm.onnx"
STEPS = 2


class RunningStatisticsTest(amptools.AmpTestCase):
    def setUp(self):
        super().setUp()
        self.package = amptools.compileModel(MODEL, self.folder / "norm.amp", "--batch=4", "--precision=fp32",
                                             "--loss=cross-entropy", "--optimizer=sgd:lr=0.1")
        random = np.random.default_rng(7)
        self.batch = {"x": random.standard_normal((4, 4, 5), np.float32) + 3,
                      "labels": random.integers(0, 5, (4, 4))}
        self.trainer = libamp.Trainer(libamp.loadLibrary(), self.package)
        self.addCleanup(self.trainer.close)

    def test_they_are_what_amp_run_saves(self):
        path = self.folder / "saved.npz"
        batch = amptools.saveBatch(self.folder, "batch", **self.batch)
        amptools.runSteps(self.package, f"--steps={STEPS}", f"--inputs={batch}", f"--save-parameters={path}")
        before = self.trainer.statistics()
        for _ in range(STEPS):
            self.trainer.step(self.batch)
        statistics, parameters = self.trainer.statistics(), self.trainer.parameters()
        trained = ["trains.mean", "trains.variance"]
        self.assertEqual(sorted(statistics), ["evaluates.mean", "evaluates.variance", *trained])
        self.assertSameBits({**statistics, **parameters}, amptools.loadArrays(path))
        for name in trained:
            self.assertNotEqual(statistics[name].tobytes(), before[name].tobytes(), name)

    def test_one_is_written_by_name(self):
        name = sorted(self.trainer.statistics())[0]
        wanted = np.full_like(self.trainer.statistics()[name], 2)
        self.trainer.write(name, wanted)
        self.assertEqual(self.trainer.statistics()[name].tobytes(), wanted.tobytes())
        with self.assertRaisesRegex(libamp.AmpError, f"buffer for '{name}'"):
            self.trainer.write(name, wanted[:-1])


if __name__ == "__main__":
    unittest.main()
