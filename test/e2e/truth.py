"""Ten training steps of six networks equal PyTorch's: losses, gradients by initializer name, weights,
running statistics.

The truth is float32; the gates for bf16 and fp16 are what PyTorch's own autocast keeps of it.
"""

import dataclasses
import unittest

import numpy as np
import onnx

import amptools

OPTIMIZERS = {
    "sgd": "--optimizer=sgd:lr=0.05,momentum=0.9,weight-decay=5e-4",
    "adamw": "--optimizer=adamw:lr=1e-3,eps=1e-4,weight-decay=0.01",
}
STEPS = 10


@dataclasses.dataclass(frozen=True)
class Gates:
    """Bounds on relative errors; gradient's and weights' are for each tensor in fp32 and for the whole otherwise."""

    firstLoss: float
    loss: float
    firstNorm: float
    norm: float
    gradient: float
    firstWeights: float
    weights: float


# A tanh network is smooth; in a ReLU network one rounding flips a mask, so its gradient is compared by its direction.
SMOOTH = {
    "fp32": Gates(1e-6, 1e-6, 1e-5, 1e-5, 2e-5, 1e-5, 1e-5),
    "bf16": Gates(5e-3, 5e-3, 1e-2, 2e-2, 2e-2, 2e-2, 2e-2),
    "fp16": Gates(2e-3, 2e-3, 1e-2, 1e-2, 3e-3, 5e-3, 5e-3),
}
RELU = SMOOTH | {
    # Rounding every operand to bf16 by hand, in numpy, moves AdamW's weights by 2.2e-2 within ten steps.
    "bf16": Gates(5e-3, 5e-3, 2e-2, 2e-2, None, 3e-2, 3e-2),
    "fp16": Gates(2e-3, 2e-3, 2e-2, 2e-2, None, 5e-3, 5e-3),
}
# Behind batch normalisation some activation lies so near 0 that the order of a sum decides its mask: that alone moves a
# norm by 1.5e-5 at once and by 1e-3 within ten steps, in fp32, at another step for each order.
RELU_BATCHNORM = {
    "fp32": Gates(1e-6, 1e-3, 1e-5, 5e-3, 2e-5, 1e-5, 5e-3),
    "bf16": Gates(5e-3, 1e-2, 2e-2, 5e-2, None, 3e-2, 5e-2),
    "fp16": Gates(2e-3, 5e-3, 2e-2, 2e-2, None, 5e-3, 2e-2),
}
# The truth's running variances are PyTorch's.
PYTORCH_VARIANCE = "--batchnorm-variance=sample"
# PyTorch gives the padding token's row no gradient; ONNX's Gather knows no such token, so row 0 trains like the others
# and moves the later losses by some 1e-6.
PADDED = "net.bert.embeddings.word_embeddings.weight"
SMOOTH_PADDED = SMOOTH | {"fp32": dataclasses.replace(SMOOTH["fp32"], loss=1e-5, norm=1e-4, weights=1e-4)}
SMALLEST_COSINE = 0.99
# A tensor whose true gradient is rounding noise beside the others has no meaningful relative error.
NEGLIGIBLE = 1e-6
# The same for weights that have hardly left 0.
SMALL = 1e-3


def relative(got, want):
    got, want = got.astype(np.float64), want.astype(np.float64)
    return np.linalg.norm((got - want).ravel()) / max(np.linalg.norm(want.ravel()), 1e-30)


def withoutPadding(arrays):
    return arrays | {PADDED: arrays[PADDED][1:]} if PADDED in arrays else arrays


def flat(arrays, names):
    return np.concatenate([arrays[name].ravel().astype(np.float64) for name in names])


def startingWith(arrays, prefix):
    return {name[len(prefix) :]: values for name, values in arrays.items() if name.startswith(prefix)}


def withFreshStatistics(folder, model):
    """The model with running statistics as PyTorch starts them: tracing it for the export has moved them."""
    network = onnx.load(model)
    for initializer in network.graph.initializer:
        if initializer.name.endswith((".running_mean", ".running_var")):
            fresh = np.full(initializer.dims, initializer.name.endswith("var"), np.float32)
            initializer.CopyFrom(onnx.numpy_helper.from_array(fresh, initializer.name))
    path = folder / model.name
    onnx.save(network, path)
    return path


class TruthTest(amptools.AmpTestCase):
    def compareNetwork(self, network, model, batch, gatesOf, *options, inputs=("x",)):
        truth = amptools.loadArrays(amptools.DATA / "truth" / f"{network}.npz")
        model = withFreshStatistics(self.folder, model)
        batches = [
            amptools.saveBatch(self.folder, f"batch-{step}", **amptools.truthArrays(truth, step, inputs))
            for step in range(STEPS)
        ]
        for precision in amptools.PRECISIONS:
            for optimizer, option in OPTIMIZERS.items():
                with self.subTest(network=network, precision=precision, optimizer=optimizer):
                    package = self.folder / f"{precision}-{optimizer}.amp"
                    amptools.compileModel(model, package, f"--batch={batch}", option, f"--precision={precision}",
                                          "--loss=cross-entropy", *options)
                    self.compareRun(package, batches, truth, optimizer, gatesOf[precision])

    def compareRun(self, package, batches, truth, optimizer, gates):
        parameters, gradients = self.folder / "parameters.npz", self.folder / "gradients.npz"
        amptools.runSteps(package, "--steps=1", *amptools.inputOptions(batches[:1]),
                          f"--save-parameters={parameters}", f"--save-gradients={gradients}")
        self.compareGradients(amptools.loadArrays(gradients), startingWith(truth, "gradient."), gates.gradient)
        self.compareWeights(amptools.loadArrays(parameters), startingWith(truth, f"{optimizer}.step1."), gates.firstWeights)

        reports = amptools.runSteps(package, f"--steps={STEPS}", *amptools.inputOptions(batches),
                                    f"--save-parameters={parameters}")
        self.compareReports(reports, truth[f"{optimizer}.loss"], truth[f"{optimizer}.gnorm"], gates)
        self.compareWeights(amptools.loadArrays(parameters), startingWith(truth, f"{optimizer}.step10."), gates.weights)

    def compareReports(self, reports, losses, norms, gates):
        self.assertEqual([report["step"] for report in reports], list(range(1, STEPS + 1)))
        for index, (report, loss, norm) in enumerate(zip(reports, losses, norms)):
            self.assertTrue(report["stepped"], report)
            self.assertFalse(report["found_inf"], report)
            gate = gates.firstLoss if index == 0 else gates.loss
            self.assertLessEqual(abs(report["loss"] - loss) / abs(loss), gate, f"loss of step {index + 1}")
            gate = gates.firstNorm if index == 0 else gates.norm
            self.assertLessEqual(abs(report["grad_norm"] - norm) / norm, gate, f"norm of step {index + 1}")

    def compareGradients(self, got, want, gate):
        self.assertEqual(sorted(got), sorted(want))
        names = sorted(want)
        whole = flat(want, names)
        if gate is None:
            ours = flat(got, names)
            cosine = ours @ whole / (np.linalg.norm(ours) * np.linalg.norm(whole))
            self.assertGreater(cosine, SMALLEST_COSINE)
            return
        for name in names if gate < 1e-4 else []:
            self.assertEqual(got[name].dtype, np.float32, name)
            if np.linalg.norm(want[name]) >= NEGLIGIBLE * np.linalg.norm(whole):
                self.assertLessEqual(relative(got[name], want[name]), gate, f"gradient of {name}")
        self.assertLessEqual(relative(flat(got, names), whole), gate, "whole gradient")

    def compareWeights(self, got, want, gate):
        got, want = withoutPadding(got), withoutPadding(want)
        self.assertEqual(sorted(got), sorted(want))
        whole = np.linalg.norm(flat(want, sorted(want)))
        for name in want:
            self.assertEqual(got[name].shape, want[name].shape, name)
            if gate < 1e-4:
                error = np.linalg.norm(got[name].astype(np.float64) - want[name])
                self.assertLessEqual(error, gate * max(np.linalg.norm(want[name]), SMALL * whole), f"weights {name}")
        statistics = [name for name in sorted(want) if ".running_" in name]
        for names in [sorted(set(want) - set(statistics)), statistics]:
            self.assertLessEqual(relative(flat(got, names), flat(want, names)) if names else 0, gate, names)

    def test_lenet(self):
        self.compareNetwork("lenet", amptools.LENET, 16, SMOOTH)

    def test_mlp_mnist(self):
        self.compareNetwork("mlp_mnist", amptools.MLP, 32, RELU)

    def test_resnet8_cifar(self):
        self.compareNetwork("resnet8_cifar", amptools.RESNET8, 8, RELU_BATCHNORM, PYTORCH_VARIANCE)

    def test_mlp_bn_dropout(self):
        self.compareNetwork("mlp_bn_dropout", amptools.MLP_BN, 32, SMOOTH, PYTORCH_VARIANCE, "--dropout=off")

    def test_nano_gpt(self):
        self.compareNetwork("nano_gpt", amptools.NANO_GPT, 4, SMOOTH, inputs=("ids",))

    def test_a_sentence_without_words_gives_a_finite_gradient(self):
        """Its attention is masked as a whole: softmax gives NaN there, which the model replaces by 0."""
        package = amptools.compileModel(amptools.BERT, self.folder / "bert.amp", "--precision=fp32", "--dropout=off",
                                        "--shape=ids=2x32", "--shape=mask=2x32", "--loss=cross-entropy")
        truth = amptools.loadArrays(amptools.DATA / "truth" / "bert_tiny_classifier.npz")
        arrays = amptools.truthArrays(truth, 0, ("ids", "mask"))
        arrays["mask"] = np.stack([arrays["mask"][0], np.zeros_like(arrays["mask"][1])])
        batch = amptools.saveBatch(self.folder, "batch", **arrays)
        self.assertTrue(amptools.runSteps(package, "--steps=1", *amptools.inputOptions([batch]))[0]["stepped"])

    def test_bert_tiny_classifier(self):
        self.compareNetwork("bert_tiny_classifier", amptools.BERT, 2, SMOOTH_PADDED, "--dropout=off", "--shape=ids=2x32",
                            "--shape=mask=2x32", inputs=("ids", "mask"))


if __name__ == "__main__":
    unittest.main()
