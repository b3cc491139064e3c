"""amp, installed and moved, serves the project of a stranger: docs/examples/own-program finds it, builds and trains."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import numpy as np

import amptools

EXAMPLE = amptools.ROOT / "docs" / "examples" / "own-program"
ROWS, STEPS = 32, 3
# A stranger has no variables of ours, above all no path to the build folder.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("AMP_", "LD_", "CMAKE_"))}
SYSTEM_LIBRARIES = re.compile(r"(libstdc\+\+|libgcc_s|libm|libc|libz|libdnnl|libgomp|ld-linux-x86-64)\.so")


def command(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, env=ENVIRONMENT)


def succeed(*words):
    result = command(*words)
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}\nexit {result.returncode}\n{result.stderr}{result.stdout}")
    return result.stdout


class FindPackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="amp-test-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.prefix = cls.folder / "moved" / "amp"
        succeed("cmake", "--install", amptools.BIN.parent, "--prefix", cls.folder / "first")
        cls.prefix.parent.mkdir()
        shutil.move(cls.folder / "first", cls.prefix)

    def configure(self, source, *options):
        build = self.folder / f"build-{self.id()}"
        return build, command("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}", *options)

    def project(self, text):
        """A project of C alone."""
        source = self.folder / f"source-{self.id()}"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.16)\nproject(p LANGUAGES C)\n{text}\n")
        return source

    def writeBatch(self):
        digits = amptools.loadArrays(amptools.DATA / "digits.npz")
        images = np.ascontiguousarray(digits["x"][:ROWS, None].astype(np.float32) / 16)
        labels = digits["y"][:ROWS].astype(np.int64)
        images.tofile(self.folder / "x.bin")
        labels.tofile(self.folder / "labels.bin")
        return amptools.saveBatch(self.folder, "batch", x=images, labels=labels)

    def test_programs_of_a_stranger_train_as_amp_run(self):
        build, configured = self.configure(EXAMPLE)
        self.assertEqual(configured.returncode, 0, configured.stderr)
        succeed("cmake", "--build", build)
        package, batch = self.folder / "digits.amp", self.writeBatch()
        succeed(self.prefix / "bin" / "amp-compile", amptools.DIGITS, "-o", package, f"--batch={ROWS}",
                "--precision=bf16", "--loss=cross-entropy", "--optimizer=sgd:lr=0.1,momentum=0.9")
        expected = [line["loss"] for line in amptools.runSteps(package, f"--inputs={batch}", f"--steps={STEPS}")]
        self.assertEqual(len(expected), STEPS)
        lasts = set()
        for program in ("train_c", "train_cpp"):
            with self.subTest(program=program):
                printed = succeed(build / program, package, self.folder, STEPS)
                losses = [float(text) for text in re.findall(r"^step \d+ loss (\S+)$", printed, re.MULTILINE)]
                self.assertEqual(np.float32(losses).tobytes(), np.float32(expected).tobytes(), printed)
                last = re.search(rf"^loss (\S+) after {STEPS} updates$", printed, re.MULTILINE)
                self.assertIsNotNone(last, printed)
                self.assertIn(f"output logits: {ROWS * 10} elements", printed)
                lasts.add(last.group(1))
                refused = command(build / program, self.folder / "nowhere.amp", self.folder, 1)
                self.assertEqual(refused.returncode, 1)
                self.assertIn("nowhere.amp", refused.stderr)
        self.assertEqual(len(lasts), 1)

    def test_tools_run_where_they_are(self):
        for tool in ("amp-compile", "amp-inspect", "amp-run", "amp-train"):
            self.assertRegex(succeed(self.prefix / "bin" / tool, "--version"), rf"^{tool} \d+\.\d+")

    def test_what_is_missing_is_named(self):
        _, refused = self.configure(self.project("find_package(amp REQUIRED COMPONENTS runtime television)"))
        self.assertNotEqual(refused.returncode, 0)
        words = " ".join(refused.stderr.split())
        self.assertIn("components wanted: runtime, television; this installation of amp has: runtime, tools", words)

    def test_another_version_is_not_taken(self):
        _, refused = self.configure(self.project("find_package(amp 99 REQUIRED)"))
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("99", refused.stderr)

    def test_tools_are_targets(self):
        _, found = self.configure(self.project(
            "find_package(amp REQUIRED COMPONENTS compiler)\n"
            "get_target_property(place amp::amp-compile LOCATION)\nmessage(STATUS \"at ${place}\")"))
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertIn(f"at {self.prefix / 'bin' / 'amp-compile'}", found.stdout)

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_pkg_config_knows_the_moved_place(self):
        flags = succeed("env", f"PKG_CONFIG_PATH={self.prefix}/lib/pkgconfig", "pkg-config", "--cflags", "--libs", "amp")
        include = re.search(r"-I(\S+)", flags).group(1)
        self.assertTrue((pathlib.Path(include) / "amp" / "amp.h").exists(), flags)

    def test_library_shows_and_needs_nothing_else(self):
        library = next(self.prefix.glob("lib*/**/libamp.so"))
        for line in succeed("nm", "-D", "--defined-only", library).splitlines():
            self.assertRegex(line.split()[-1], r"^amp_[a-z_]+$")
        header = succeed("readelf", "-d", library)
        needed = re.findall(r"NEEDED.*\[(.*)\]", header)
        self.assertTrue(needed)
        for name in needed:
            self.assertRegex(name, SYSTEM_LIBRARIES)
        self.assertIn("libamp.so.0", header)
        self.assertNotIn("RUNPATH", header)

    def test_no_file_knows_where_it_was_made(self):
        """A path of the build or of the first prefix would break a moved installation."""
        for path in self.prefix.glob("lib*/**/*"):
            if path.suffix in (".cmake", ".pc"):
                text = path.read_text()
                for place in (amptools.BIN.parent, amptools.ROOT, self.folder / "first"):
                    self.assertNotIn(str(place), text, path)


if __name__ == "__main__":
    unittest.main()
