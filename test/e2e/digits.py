"""amp-train on the 8x8 digits follows PyTorch's losses for an epoch and reaches its accuracy."""

import json
import unittest

import numpy as np

import amptools

TRAINING_ROWS = 1437
OPTIMIZERS = {
    "sgd": "--optimizer=sgd:lr=0.1,momentum=0.9",
    "adam": "--optimizer=adamw:lr=3e-3,weight-decay=0.01",
}
EPOCHS = 15
# An epoch of losses, then accuracies: SGD at this rate swings by 0.1 from epoch to epoch, so that in the half
# precisions the last epochs are held to a wider gate than those before the runs part.
LOSS_GATE = {"fp32": 1e-6, "bf16": 2e-3, "fp16": 1e-3}
EARLY_EPOCHS, EARLY_GATE, LAST_GATE = 6, 0.015, {"fp32": 0.01, "bf16": 0.05, "fp16": 0.05}


class DigitsTest(amptools.AmpTestCase):
    def setUp(self):
        super().setUp()
        digits = amptools.loadArrays(amptools.DATA / "digits.npz")
        images = digits["x"].astype(np.float32)[:, None] / 16
        labels = digits["y"].astype(np.int64)
        split = TRAINING_ROWS
        self.training = amptools.saveBatch(self.folder, "training", x=images[:split], labels=labels[:split])
        self.test = amptools.saveBatch(self.folder, "test", x=images[split:], labels=labels[split:])
        self.truth = json.loads((amptools.DATA / "truth" / "digits.json").read_text())

    def train(self, precision, optimizer):
        package, log = self.folder / "digits.amp", self.folder / f"{precision}-{optimizer}.jsonl"
        amptools.compileModel(amptools.DIGITS, package, f"--batch={self.truth['batch']}", OPTIMIZERS[optimizer],
                              f"--precision={precision}", "--loss=cross-entropy")
        amptools.succeed("amp-train", package, f"--data={self.training}", f"--validation={self.test}",
                         f"--epochs={EPOCHS}", f"--log={log}", "--threads=2")
        return [json.loads(line) for line in log.read_text().splitlines()]

    def runOf(self, optimizer):
        for run in self.truth["runs"]:
            if run["optimizer"] == optimizer and run["precision"] == "fp32":
                return run
        raise KeyError(optimizer)

    def test_losses_and_accuracy(self):
        steps = self.truth["steps_per_epoch"]
        for precision in amptools.PRECISIONS:
            for optimizer in OPTIMIZERS:
                with self.subTest(precision=precision, optimizer=optimizer):
                    truth, log = self.runOf(optimizer), self.train(precision, optimizer)
                    losses = [line["loss"] for line in log if line.get("loss") is not None]
                    self.assertEqual(len(losses), EPOCHS * steps)
                    np.testing.assert_allclose(losses[:steps], truth["loss"][:steps], rtol=LOSS_GATE[precision])
                    accuracy = [line["validation_accuracy"] for line in log if "validation_accuracy" in line]
                    self.assertEqual(len(accuracy), EPOCHS)
                    np.testing.assert_allclose(accuracy[:EARLY_EPOCHS], truth["test_accuracy"][:EARLY_EPOCHS],
                                               atol=EARLY_GATE)
                    self.assertLess(abs(accuracy[-1] - truth["test_accuracy"][-1]), LAST_GATE[precision])


if __name__ == "__main__":
    unittest.main()
