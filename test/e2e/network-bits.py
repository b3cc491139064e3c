"""What holds to the last bit for a residual network and a transformer: any thread count, resuming, skipped steps and
evaluations between steps. The transformer trains with its dropout."""

import dataclasses
import functools
import pathlib
import tempfile
import unittest

import numpy as np

import amptools

STEPS, STOP = 6, 3
ADAMW = "--optimizer=adamw:lr=1e-3,eps=1e-4"
# Dynamic scales that reach fp16's default of 65536: from above in three tries, and again after a burst of growth.
FROM_ABOVE = "--loss-scale=dynamic:init=1099511627776,backoff=0.00390625"
TRIES = 3
BURST = f"--loss-scale=dynamic:init=65536,growth=4294967296,backoff=2.3283064365386963e-10,interval={STOP}"


@dataclasses.dataclass(frozen=True)
class Network:
    name: str
    model: pathlib.Path
    inputs: tuple
    options: tuple

    def arrays(self, step):
        truth = amptools.loadArrays(amptools.DATA / "truth" / f"{self.name}.npz")
        return amptools.truthArrays(truth, step, self.inputs)


RESNET = Network("resnet8_cifar", amptools.RESNET8, ("x",), ("--batch=8",))
BERT = Network("bert_tiny_classifier", amptools.BERT, ("ids", "mask"), ("--shape=ids=2x32", "--shape=mask=2x32"))
NETWORKS = (RESNET, BERT)
PACKAGES = tempfile.TemporaryDirectory(prefix="amp-test-")
unittest.addModuleCleanup(PACKAGES.cleanup)


@functools.cache
def compilePackage(network, precision, *options):
    """Compiled once for all tests."""
    package = pathlib.Path(PACKAGES.name) / f"{len(list(pathlib.Path(PACKAGES.name).iterdir()))}.amp"
    return amptools.compileModel(network.model, package, *network.options, "--loss=cross-entropy", ADAMW,
                                 f"--precision={precision}", *options)


class NetworkTest(amptools.AmpTestCase):
    def batches(self, network, count=STEPS):
        return [amptools.saveBatch(self.folder, f"{network.name}-{step}", **network.arrays(step))
                for step in range(count)]

    def stateAfter(self, package, batches, *options):
        path = self.folder / "state.npz"
        reports = amptools.runSteps(package, f"--steps={len(batches)}", *amptools.inputOptions(batches),
                                    f"--save-state={path}", *options)
        return reports, amptools.loadArrays(path)

    def losses(self, reports):
        return [report["loss"] for report in reports]


class BitsTest(NetworkTest):
    def test_thread_count_evaluation_and_resuming_change_no_bit(self):
        for network in NETWORKS:
            batches = self.batches(network)
            for precision in amptools.PRECISIONS:
                with self.subTest(network=network.name, precision=precision):
                    package = compilePackage(network, precision)
                    reports, expected = self.stateAfter(package, batches, "--threads=1")
                    self.assertEqual([report["stepped"] for report in reports], [True] * STEPS)
                    for threads in (2, 3):
                        again, got = self.stateAfter(package, batches, f"--threads={threads}")
                        self.assertEqual(self.losses(again), self.losses(reports))
                        self.assertSameBits(got, expected)
                    self.compareResumed(package, batches, reports, expected)

    def compareResumed(self, package, batches, reports, expected):
        """Stops, evaluates other batches, saves again, and goes on."""
        first, second = self.folder / "first", self.folder / "second"
        self.stateAfter(package, batches[:STOP], f"--save={first}")
        evaluated, _ = self.stateAfter(package, batches[STOP:], "--mode=eval", f"--load={first}", f"--save={second}")
        self.assertTrue(all(np.isfinite(self.losses(evaluated))))
        resumed, got = self.stateAfter(package, batches[STOP:], f"--load={second}", "--threads=2")
        self.assertEqual(self.losses(resumed), self.losses(reports[STOP:]))
        self.assertSameBits(got, expected)

    def test_the_bits_could_differ(self):
        # Without this, equal bits could mean that nothing trains, or that no mask is drawn.
        before, after, seeded = [
            self.stateAfter(compilePackage(network, "bf16"), self.batches(network, count), *options)[1]
            for network, count, options in ((RESNET, 1, ()), (RESNET, 2, ()), (RESNET, 2, ("--seed=5",)))]
        moving = [name for name in before if ".running_" in name or name.endswith("weight")]
        self.assertGreaterEqual(len(moving), 20)
        for name in moving:
            self.assertFalse(np.array_equal(before[name], after[name]), name)
        self.assertSameBits(seeded, after, moving)
        losses = [self.losses(self.stateAfter(compilePackage(BERT, "bf16"), self.batches(BERT, 1), option)[0])
                  for option in ("--seed=0", "--seed=5")]
        self.assertNotEqual(*losses)


class SkippedStepTest(NetworkTest):
    def assertSameButGrowth(self, got, expected):
        """A skip sets the count of good steps back, and nothing else."""
        self.assertSameBits(got, expected, [name for name in expected if name != "growth_tracker"])

    def test_overflows_at_the_start_leave_no_trace(self):
        # None of the tries moves statistics, moments or masks.
        for network in NETWORKS:
            with self.subTest(network=network.name):
                batches = self.batches(network, STOP)
                calm, expected = self.stateAfter(compilePackage(network, "fp16"), batches)
                package = compilePackage(network, "fp16", FROM_ABOVE)
                reports, got = self.stateAfter(package, batches[:1] * TRIES + batches)
                self.assertEqual([report["stepped"] for report in reports], [False] * TRIES + [True] * STOP)
                self.assertEqual([report["found_inf"] for report in reports], [True] * TRIES + [False] * STOP)
                self.assertEqual(self.losses(calm), self.losses(reports[TRIES:]))
                self.assertSameBits(got, expected)

    def test_an_overflow_between_steps_leaves_no_trace(self):
        # After three good steps the scale grows beyond what fp16 holds; the fourth skips and brings it back.
        for network in NETWORKS:
            with self.subTest(network=network.name):
                batches = self.batches(network, STEPS - 1)
                calm, expected = self.stateAfter(compilePackage(network, "fp16"), batches)
                tries = [*batches[:STOP], *batches[STOP:STOP + 1], *batches[STOP:]]
                reports, got = self.stateAfter(compilePackage(network, "fp16", BURST), tries)
                self.assertEqual([report["stepped"] for report in reports],
                                 [True] * STOP + [False] + [True] * (STEPS - 1 - STOP))
                self.assertEqual(self.losses(calm), self.losses(reports[:STOP] + reports[STOP + 1:]))
                self.assertSameButGrowth(got, expected)

    def test_an_infinite_pixel_leaves_no_trace(self):
        batches = self.batches(RESNET, 4)
        arrays = RESNET.arrays(4)
        arrays["x"][5, 1, 7, 9] = np.inf
        spoiled = amptools.saveBatch(self.folder, "spoiled", **arrays)
        for precision in amptools.PRECISIONS:
            with self.subTest(precision=precision):
                package = compilePackage(RESNET, precision)
                _, expected = self.stateAfter(package, batches)
                reports, got = self.stateAfter(package, [*batches[:2], spoiled, *batches[2:]])
                self.assertEqual([report["stepped"] for report in reports], [True, True, False, True, True])
                self.assertSameButGrowth(got, expected)


if __name__ == "__main__":
    unittest.main()
