"""A C program that uses only amp.h trains LeNet: docs/examples/train_lenet.c, on digits of 8x8 drawn three times as large."""

import os
import re
import struct
import subprocess
import unittest

import numpy as np

import amptools

PROGRAM = os.environ.get("AMP_TRAIN_LENET", "train_lenet")
TRAINING_ROWS, EPOCHS, WANTED_ACCURACY = 1437, 8, 0.85


def writeIdx(path, array):
    path.write_bytes(struct.pack(f">BBBB{array.ndim}I", 0, 0, 8, array.ndim, *array.shape) + array.tobytes())


class CProgramTest(amptools.AmpTestCase):
    def writeImages(self):
        digits = amptools.loadArrays(amptools.DATA / "digits.npz")
        large = np.repeat(np.repeat(digits["x"].astype(np.int32), 3, axis=1), 3, axis=2)
        images = np.zeros((len(large), 28, 28), np.uint8)
        images[:, 2:26, 2:26] = np.minimum(large * 16, 255)
        for prefix, rows in (("train", slice(0, TRAINING_ROWS)), ("t10k", slice(TRAINING_ROWS, None))):
            writeIdx(self.folder / f"{prefix}-images-idx3-ubyte", images[rows])
            writeIdx(self.folder / f"{prefix}-labels-idx1-ubyte", digits["y"][rows])

    def trainLenet(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300)

    def test_trains_lenet(self):
        self.writeImages()
        for precision in amptools.PRECISIONS:
            with self.subTest(precision=precision):
                package = amptools.compileModel(amptools.LENET, self.folder / "lenet.amp", "--batch=32",
                                                f"--precision={precision}", "--loss=cross-entropy",
                                                "--optimizer=sgd:lr=0.02,momentum=0.9")
                result = self.trainLenet(package, self.folder, EPOCHS)
                self.assertEqual(result.returncode, 0, result.stderr)
                accuracies = [float(text) for text in re.findall(r"accuracy ([0-9.]+)", result.stdout)]
                self.assertEqual(len(accuracies), EPOCHS)
                self.assertGreater(accuracies[-1], WANTED_ACCURACY, result.stdout)

    def test_says_what_is_wrong(self):
        result = self.trainLenet(self.folder / "nowhere.amp", self.folder, 1)
        self.assertEqual(result.returncode, 1)
        self.assertIn("nowhere.amp", result.stderr)


if __name__ == "__main__":
    unittest.main()
