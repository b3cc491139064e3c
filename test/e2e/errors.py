"""What a user gets wrong ends with one clear message, exit 1, and no output file."""

import re
import subprocess
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import amptools

CRASH = re.compile(r"terminate called|Assertion|Segmentation|stack dump|AddressSanitizer|please report", re.IGNORECASE)
NOT_YET = {
    "amp-compile": ["--mode=infer", "--target=cuda", "--accumulate=4", "--clip-norm=1", "--memory-limit=8G",
                    "--value=k=3", "--tuning=t.json", "--cache=folder", "--autocast=rules.json", "--report=r.html",
                    "--optimizer=lion", "--loss=huber", "--precision=fp64"],
    "amp-run": ["--device=cuda", "--tune"],
    "amp-train": ["--tensorboard=folder", "--augment=flip", "--lr-schedule=one-cycle", "--workers=2", "--profile=wait=1:f.json",
                  "--export=trained.onnx", "--report=r.html"],
    "amp-inspect": ["--layout"],
}
VERSION_OFFSET = 8


def flippedBits(data, place):
    return data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :]


class ErrorTest(amptools.AmpTestCase):
    def setUp(self):
        super().setUp()
        self.output = self.folder / "output"

    def expectError(self, tool, *arguments, says=()):
        """Runs what must be refused; `says` are the words its message owes."""
        before = sorted(self.folder.rglob("*"))
        result = amptools.run(tool, *arguments)
        self.assertEqual(result.returncode, 1, f"{arguments}: {result.stderr}{result.stdout}")
        message = result.stderr.strip()
        self.assertTrue(message, arguments)
        self.assertIsNone(CRASH.search(message), message)
        for word in [says] if isinstance(says, str) else says:
            self.assertIn(word, message)
        self.assertEqual(sorted(self.folder.rglob("*")), before, f"{arguments} left a file behind; {message}")
        return message

    def expectCompileError(self, model, *options, says=(), batch="--batch=4"):
        return self.expectError("amp-compile", model, "-o", self.output, *([batch] if batch else []), *options,
                                says=says)

    def digitsPackage(self):
        return amptools.compileModel(amptools.DIGITS, self.folder / "digits.amp", "--batch=4", "--precision=fp32",
                                     "--loss=cross-entropy", "--optimizer=sgd:lr=0.1,momentum=0.9")

    def digitsBatch(self, name="batch", **changes):
        arrays = {"x": np.ones((4, 1, 8, 8), np.float32), "labels": np.arange(4, dtype=np.int64)} | changes
        return amptools.saveBatch(self.folder, name, **{key: value for key, value in arrays.items() if value is not None})


class CompileErrorTest(ErrorTest):
    def test_reader_that_had_enough_is_no_crash(self):
        output = self.folder / "model.amp"
        command = f"'{amptools.BIN / 'amp-compile'}' '{amptools.MLP_BN}' --batch=8 --emit=llvm -o '{output}' | head -c 9"
        result = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
        self.assertNotIn("crashed", result.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_missing_file(self):
        self.expectCompileError(self.folder / "nowhere.onnx", says="nowhere.onnx")

    def test_folder_instead_of_file(self):
        self.expectCompileError(self.folder)

    def test_truncated_file(self):
        whole = amptools.DIGITS.read_bytes()
        model = self.folder / "cut.onnx"
        for length in (0, 1, 7, 100, len(whole) // 2, len(whole) - 100, len(whole) - 1):
            with self.subTest(length=length):
                model.write_bytes(whole[:length])
                self.expectCompileError(model, says="cut.onnx")

    def test_text_file(self):
        model = self.folder / "notes.onnx"
        model.write_text("This is no model, but a text about one.\n" * 20)
        self.expectCompileError(model, says="notes.onnx")

    def test_all_unsupported_operators_are_listed(self):
        nodes = [
            helper.make_node("Mystery", ["x"], ["a"], name="first", domain="com.example"),
            helper.make_node("Relu", ["a"], ["b"], name="fine"),
            helper.make_node("Det", ["b"], ["c"], name="second"),
            helper.make_node("Mystery", ["c"], ["y"], name="third", domain="com.example"),
        ]
        value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 2])
        graph = helper.make_graph(nodes, "unsupported", [value("x")], [value("y")])
        opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.example", 1)]
        model = self.folder / "unsupported.onnx"
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), model)
        self.expectCompileError(model, batch=None, says=["Mystery", "Det", "first", "second", "third"])

    def test_missing_batch_size(self):
        self.expectCompileError(amptools.LENET, batch=None, says=["batch", "--batch"])

    def test_no_parameter(self):
        nodes = [helper.make_node("Relu", ["x"], ["y"], name="only")]
        value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 2])
        model = self.folder / "fixed.onnx"
        onnx.save(helper.make_model(helper.make_graph(nodes, "fixed", [value("x")], [value("y")]),
                                    opset_imports=[helper.make_opsetid("", 20)], ir_version=9), model)
        self.expectCompileError(model, batch=None)

    def test_shapes_that_do_not_fit(self):
        weight = numpy_helper.from_array(np.zeros((5, 3), np.float32), "w")
        nodes = [helper.make_node("MatMul", ["x", "w"], ["y"], name="product")]
        value = lambda name, shape: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        graph = helper.make_graph(nodes, "misfit", [value("x", [2, 4])], [value("y", [2, 3])], [weight])
        model = self.folder / "misfit.onnx"
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), model)
        self.expectCompileError(model, batch=None, says="product")

    def test_wrong_options(self):
        for option in ("--nonsense", "--batch=0", "--batch=-3", "--batch=many", "--precision=fp7",
                       "--optimizer=sgd:speed=3", "--optimizer=sgd:lr=fast", "--loss-scale=dynamic:backoff=2",
                       "--emit=nothing"):
            with self.subTest(option=option):
                self.expectCompileError(amptools.DIGITS, option, batch=None)

    def test_no_model(self):
        self.expectError("amp-compile")


class OptionTest(ErrorTest):
    def test_options_of_the_future_are_refused_by_name(self):
        package = self.digitsPackage()
        for tool, options in NOT_YET.items():
            for option in options:
                with self.subTest(tool=tool, option=option):
                    subject = amptools.DIGITS if tool == "amp-compile" else package
                    says = [option.split("=")[0]]
                    more = {"amp-compile": ["-o", self.output, "--batch=4"],
                            "amp-run": [f"--inputs={amptools.DATA / 'digits.npz'}"],
                            "amp-train": [f"--data={amptools.DATA / 'digits.npz'}", "--steps=1"],
                            "amp-inspect": []}[tool]
                    self.expectError(tool, subject, *more, option, says=says)

    def test_help_and_version(self):
        for tool in ("amp-compile", "amp-run", "amp-train", "amp-inspect", "amp-opt"):
            with self.subTest(tool=tool):
                self.assertRegex(amptools.succeed(tool, "--version"), r"\d+\.\d+")
                self.assertIn(tool, amptools.succeed(tool, "--help"))


class PackageErrorTest(ErrorTest):
    def expectPackageError(self, data, says=()):
        package = self.folder / "damaged.amp"
        package.write_bytes(data)
        batch = self.folder / "batch.npz"
        if not batch.exists():
            self.digitsBatch()
        message = self.expectError("amp-run", package, f"--inputs={batch}", f"--save-parameters={self.output}",
                                   says=says)
        self.expectError("amp-inspect", package)
        return message

    def test_missing_package(self):
        for tool in ("amp-run", "amp-inspect", "amp-train"):
            self.expectError(tool, self.folder / "nowhere.amp", *(["--data=x.npz", "--steps=1"] * (tool == "amp-train")),
                             says="nowhere.amp")

    def test_onnx_file_instead_of_package(self):
        self.expectPackageError(amptools.DIGITS.read_bytes(), says="amp-compile")

    def test_text_instead_of_package(self):
        self.expectPackageError(b"no package\n" * 40)

    def test_truncated_package(self):
        whole = self.digitsPackage().read_bytes()
        for length in sorted({0, 1, 8, 63, 64, 65, len(whole) - 1, *range(100, len(whole), len(whole) // 12)}):
            with self.subTest(length=length):
                self.expectPackageError(whole[:length])

    def test_longer_package(self):
        self.expectPackageError(self.digitsPackage().read_bytes() + b"\0")

    def test_flipped_bytes(self):
        whole = self.digitsPackage().read_bytes()
        for place in sorted({*range(0, 64, 9), *range(64, len(whole), len(whole) // 12), len(whole) - 1}):
            with self.subTest(place=place):
                self.expectPackageError(flippedBits(whole, place))

    def test_package_of_another_version(self):
        whole = self.digitsPackage().read_bytes()
        for version in (0, 99):
            data = whole[:VERSION_OFFSET] + version.to_bytes(4, "little") + whole[VERSION_OFFSET + 4 :]
            self.expectPackageError(data, says=["version", str(version)])


class DataErrorTest(ErrorTest):
    def expectRunError(self, package, batch, says=()):
        return self.expectError("amp-run", package, f"--inputs={batch}", f"--save-parameters={self.output}", says=says)

    def test_label_out_of_range(self):
        package = self.digitsPackage()
        for label in (10, -1, 2**40):
            batch = self.digitsBatch(labels=np.array([0, 1, label, 3], np.int64))
            with self.subTest(label=label):
                self.expectRunError(package, batch, says=["labels", str(label)])
                self.expectError("amp-train", package, f"--data={batch}", "--steps=1", says=["labels", str(label)])

    def test_wrong_inputs(self):
        package = self.digitsPackage()
        cases = {
            "missing": (dict(labels=None), "labels"),
            "shape": (dict(x=np.ones((4, 1, 8, 9), np.float32)), "x"),
            "batch": (dict(x=np.ones((5, 1, 8, 8), np.float32)), "x"),
            "floats as labels": (dict(labels=np.ones(4, np.float32)), "labels"),
        }
        for name, (changes, says) in cases.items():
            with self.subTest(case=name):
                self.expectRunError(package, self.digitsBatch(**changes), says=says)

    def test_damaged_inputs(self):
        package = self.digitsPackage()
        batch = self.digitsBatch()
        whole = batch.read_bytes()
        for length in (0, 10, len(whole) // 2, len(whole) - 1):
            with self.subTest(length=length):
                batch.write_bytes(whole[:length])
                self.expectRunError(package, batch, says="batch.npz")

    def test_missing_inputs_and_data(self):
        package = self.digitsPackage()
        self.expectRunError(package, self.folder / "nowhere.npz", says="nowhere.npz")
        self.expectError("amp-train", package, "--data=mnist:" + str(self.folder / "nowhere"), "--steps=1",
                         says="nowhere")
        self.expectError("amp-train", package, f"--data=images:{self.folder}", "--steps=1", says="images")

    def test_output_that_cannot_be_written(self):
        package, batch = self.digitsPackage(), self.digitsBatch()
        target = self.folder / "missing-folder" / "p.npz"
        self.expectError("amp-run", package, f"--inputs={batch}", f"--save-parameters={target}", says="missing-folder")


if __name__ == "__main__":
    unittest.main()
