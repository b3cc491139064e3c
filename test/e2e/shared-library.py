"""The shared library in one process: two packages side by side, and a package damaged in every place."""

import ctypes
import os
import unittest

import amptools
import libamp

LENET_OPTIONS = ["--batch=16", "--precision=fp32", "--optimizer=sgd:lr=0.05,momentum=0.9", "--loss=cross-entropy"]
MLP_OPTIONS = ["--batch=32", "--precision=bf16", "--optimizer=adamw:lr=1e-3", "--loss=cross-entropy"]
STEPS = 3


class TwoPackagesTest(amptools.AmpTestCase):
    def batchesOf(self, network):
        truth = amptools.loadArrays(amptools.DATA / "truth" / f"{network}.npz")
        return [amptools.truthArrays(truth, step) for step in range(STEPS)]

    def trainAlone(self, package, batches):
        """The weights of amp-run, a process of its own."""
        path = self.folder / "alone.npz"
        files = [amptools.saveBatch(self.folder, f"batch-{index}", **batch) for index, batch in enumerate(batches)]
        amptools.runSteps(package, f"--steps={STEPS}", *amptools.inputOptions(files), f"--save-parameters={path}")
        return amptools.loadArrays(path)

    def test_packages_do_not_mix_their_kernels(self):
        packages = [amptools.compileModel(amptools.LENET, self.folder / "lenet.amp", *LENET_OPTIONS),
                    amptools.compileModel(amptools.MLP, self.folder / "mlp.amp", *MLP_OPTIONS)]
        batches = [self.batchesOf("lenet"), self.batchesOf("mlp_mnist")]
        library = libamp.loadLibrary()
        trainers = [libamp.Trainer(library, package) for package in packages]
        for step in range(STEPS):
            for trainer, inputs in zip(trainers, batches):
                trainer.step(inputs[step])
        for trainer, package, inputs in zip(trainers, packages, batches):
            self.assertSameBits(trainer.parameters(), self.trainAlone(package, inputs))
            trainer.close()


class DamageTest(amptools.AmpTestCase):
    """Opening runs no code of the package: a damaged one must be refused before."""

    def setUp(self):
        super().setUp()
        self.library = libamp.loadLibrary()
        self.package = amptools.compileModel(amptools.DIGITS, self.folder / "digits.amp", "--batch=4",
                                             "--precision=fp32", "--loss=cross-entropy", "--optimizer=sgd:lr=0.1")

    def open(self):
        program = ctypes.c_void_p()
        status = self.library.amp_program_open(str(self.package).encode(), ctypes.byref(program))
        if status == libamp.OK:
            self.library.amp_program_close(program)
        return status

    def assertRefused(self, what):
        self.assertNotEqual(self.open(), libamp.OK, what)
        self.assertTrue(self.library.amp_last_error())

    def test_whole_package_opens(self):
        self.assertEqual(self.open(), libamp.OK)

    def test_every_flipped_byte_is_refused(self):
        whole = self.package.read_bytes()
        file = os.open(self.package, os.O_RDWR)
        self.addCleanup(os.close, file)
        for place, value in enumerate(whole):
            os.pwrite(file, bytes([value ^ (1 << place % 8)]), place)
            self.assertRefused(f"byte {place}")
            os.pwrite(file, bytes([value]), place)
        self.assertEqual(self.open(), libamp.OK)

    def test_every_truncation_is_refused(self):
        for length in reversed(range(self.package.stat().st_size)):
            os.truncate(self.package, length)
            self.assertRefused(f"length {length}")


if __name__ == "__main__":
    unittest.main()
