"""Packages whose kernels call oneDNN train as generated ones do, and to the same bits at any thread count."""

import unittest

import numpy as np

import amptools

STEPS = 5
NETWORKS = {"lenet": (amptools.LENET, 16), "mlp_mnist": (amptools.MLP, 32)}
LARGEST_ERROR = 1e-5


class OneDnnTest(amptools.AmpTestCase):
    def compile(self, network, select):
        model, batch = NETWORKS[network]
        options = [f"--batch={batch}", "--precision=fp32", "--loss=cross-entropy", f"--select={select}",
                   "--optimizer=sgd:lr=0.05,momentum=0.9"]
        plan = amptools.succeed("amp-compile", model, "--emit=select", *options)
        self.assertEqual('implementation = "onednn"' in plan, select == "onednn")
        return amptools.compileModel(model, self.folder / f"{network}-{select}.amp", *options)

    def train(self, package, network, threads=1):
        truth = amptools.loadArrays(amptools.DATA / "truth" / f"{network}.npz")
        batches = [amptools.saveBatch(self.folder, f"batch-{step}", x=truth[f"x.{step}"], labels=truth[f"labels.{step}"])
                   for step in range(STEPS)]
        path = self.folder / "parameters.npz"
        amptools.runSteps(package, f"--steps={STEPS}", f"--threads={threads}", *amptools.inputOptions(batches),
                          f"--save-parameters={path}")
        return amptools.loadArrays(path)

    def test_trains_like_generated_code_at_any_thread_count(self):
        for network in NETWORKS:
            wanted = self.train(self.compile(network, "generated"), network)
            package = self.compile(network, "onednn")
            seen = self.train(package, network)
            for name, values in wanted.items():
                error = np.linalg.norm(seen[name] - values) / np.linalg.norm(values)
                self.assertLess(error, LARGEST_ERROR, f"{network}: {name}")
            for threads in (2, 3):
                with self.subTest(network=network, threads=threads):
                    self.assertSameBits(self.train(package, network, threads), seen)


if __name__ == "__main__":
    unittest.main()
