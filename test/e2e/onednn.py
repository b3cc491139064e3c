"""Packages whose kernels call oneDNN train as generated ones do, and to the same bits at any thread count."""

import json
import unittest

import numpy as np

import amptools

STEPS = 5
NETWORKS = {"lenet": (amptools.LENET, 16), "mlp_mnist": (amptools.MLP, 32)}
LARGEST_ERROR = 1e-5
PACKED = {"0.weight/packed_forward", "3.weight/packed_forward", "3.weight/packed_input_gradient"}


class OneDnnTest(amptools.AmpTestCase):
    def compile(self, network, select):
        model, batch = NETWORKS[network]
        options = [f"--batch={batch}", "--precision=fp32", "--loss=cross-entropy", f"--select={select}",
                   "--optimizer=sgd:lr=0.05,momentum=0.9"]
        plan = amptools.succeed("amp-compile", model, "--emit=select", *options)
        self.assertEqual('implementation = "onednn"' in plan, select == "onednn")
        return amptools.compileModel(model, self.folder / f"{network}-{select}.amp", *options)

    def batches(self, network):
        truth = amptools.loadArrays(amptools.DATA / "truth" / f"{network}.npz")
        return [amptools.saveBatch(self.folder, f"batch-{step}", **amptools.truthArrays(truth, step))
                for step in range(STEPS)]

    def train(self, package, network, threads=1):
        batches = self.batches(network)
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

    def losses(self, package, *options):
        inputs = amptools.inputOptions(self.batches("lenet"))
        return [report["loss"] for report in amptools.runSteps(package, *inputs, *options)]

    def test_packed_weights_follow_their_masters(self):
        package = self.compile("lenet", "onednn")
        states = json.loads(amptools.succeed("amp-inspect", package, "--precision", "--json"))["precision"]["states"]
        self.assertEqual({state["name"] for state in states if state["role"] == "Derived"}, PACKED)
        generated = self.compile("lenet", "generated")
        np.testing.assert_allclose(self.losses(package, f"--steps={STEPS}"), self.losses(generated, f"--steps={STEPS}"),
                                   rtol=LARGEST_ERROR)
        checkpoint = f"{self.folder / 'checkpoint'}"
        self.losses(package, f"--steps={STEPS}", f"--save={checkpoint}")
        evaluated = [self.losses(each, "--steps=1", "--mode=eval", f"--load={checkpoint}")
                     for each in (package, generated)]
        np.testing.assert_allclose(*evaluated, rtol=LARGEST_ERROR)

    def test_resumes_with_packed_weights(self):
        package = self.compile("lenet", "onednn")
        checkpoint, state = self.folder / "half", self.folder / "state.npz"
        whole = self.losses(package, f"--steps={2 * STEPS}", "--threads=3", f"--save-state={state}")
        wanted = amptools.loadArrays(state)
        parts = self.losses(package, f"--steps={STEPS}", f"--save={checkpoint}")
        parts += self.losses(package, f"--steps={STEPS}", f"--load={checkpoint}", f"--save-state={state}")
        self.assertEqual(parts, whole)
        self.assertSameBits(amptools.loadArrays(state), wanted)


if __name__ == "__main__":
    unittest.main()
