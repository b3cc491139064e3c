#!/usr/bin/env python3
"""A training step of a large network against PyTorch's, in turn, in one run.

usage: against-pytorch.py [--network=resnet50] [--precisions=fp32,bf16] [--rounds=5] [--steps=3] [--threads=1]
                          [--bin=DIR] [--python=PYTHON --modes=fp32,fp32-channels-last,bf16-autocast]
Prints the median seconds of a step in each form and, with a Python that has torch, torchvision and timm, the ratio of
amp's median to PyTorch's best. Forms take turns of some steps, of which the first does not count, so that a slower
spell of the machine meets all; who waits is stopped. The same batch, cross-entropy and AdamW for all. Without --python
only amp is measured. PyTorch's bf16 is slow on a CPU without bf16 instructions: leave it out with --modes.
"""

import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
RATE = 3e-4
# The worker is this text, run by the other Python; it must not need what amp's tests need.
WORKER = """
import contextlib, sys, time
import numpy as np, torch
network, mode, threads, path = sys.argv[1:]
torch.manual_seed(0)
torch.set_num_threads(int(threads))
if network == "vit_tiny":
    import timm
    model = timm.create_model("vit_tiny_patch16_224")
else:
    import torchvision
    model = getattr(torchvision.models, network)()
with np.load(path) as batch:
    images, labels = torch.from_numpy(batch["x"]), torch.from_numpy(batch["labels"])
if mode == "fp32-channels-last":
    model, images = model.to(memory_format=torch.channels_last), images.to(memory_format=torch.channels_last)
optimizer = torch.optim.AdamW(model.train().parameters(), lr=3e-4, weight_decay=0.01)
half = lambda: torch.autocast("cpu", torch.bfloat16) if mode == "bf16-autocast" else contextlib.nullcontext()
print("ready", flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    optimizer.zero_grad(set_to_none=True)
    with half():
        loss = torch.nn.functional.cross_entropy(model(images), labels)
    loss.backward()
    optimizer.step()
    loss.item()
    print(time.perf_counter() - start, flush=True)
"""


class Pytorch:
    """A process that trains when asked, and is stopped otherwise: its threads must not spin in another's turn."""

    def __init__(self, options, mode, batch):
        self.name = f"PyTorch {mode}"
        command = [options.python, "-c", WORKER, options.network, mode, str(options.threads), str(batch)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answer("ready")
        self.process.send_signal(signal.SIGSTOP)
        self.steps = options.steps

    def answer(self, wanted=None):
        line = self.process.stdout.readline().strip()
        if not line or (wanted and line != wanted):
            raise SystemExit(f"{self.name}: ended with {self.process.wait()}, said {line!r}")
        return line

    def turn(self):
        self.process.send_signal(signal.SIGCONT)
        seconds = []
        for _ in range(self.steps):
            self.process.stdin.write("step\n")
            self.process.stdin.flush()
            seconds.append(float(self.answer()))
        self.process.send_signal(signal.SIGSTOP)
        return seconds[1:]

    def close(self):
        self.process.kill()
        self.process.wait()


class Amp:
    def __init__(self, options, precision, model, batch):
        self.name = f"amp {precision}"
        self.package = model.with_suffix(f".{precision}.amp")
        subprocess.run([options.bin / "amp-compile", model, "-o", self.package, "--batch=8", "--loss=cross-entropy",
                        f"--optimizer=adamw:lr={RATE},weight-decay=0.01", f"--precision={precision}"],
                       check=True, stdout=subprocess.DEVNULL)
        self.command = [options.bin / "amp-run", self.package, f"--inputs={batch}", f"--steps={options.steps}",
                        "--json", f"--threads={options.threads}"]

    def turn(self):
        lines = subprocess.run(self.command, check=True, capture_output=True, text=True).stdout.splitlines()
        return [json.loads(line)["seconds"] for line in lines][1:]

    def close(self):
        pass


def peaks(threads):
    """GFLOP/s of numpy's matrix product in fp32 and GB/s of a copy: what this machine gives at this moment."""
    code = """
import time, numpy as np
def best(work): return min((lambda s: (work(), time.perf_counter() - s)[1])(time.perf_counter()) for _ in range(5))
a = np.ones((2048, 2048), np.float32); b = a.copy(); out = a.copy()
flops = 2 * 2048**3 / best(lambda: np.matmul(a, b, out=out))
big = np.ones(1 << 27, np.float32); to = np.zeros_like(big)
print(flops / 1e9, 2 * big.nbytes / best(lambda: np.copyto(to, big)) / 1e9)
"""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": str(threads)}
    result = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
    return map(float, result.stdout.split())


def measure(forms, rounds):
    seconds = {form.name: [] for form in forms}
    for round in range(rounds):
        # The next round begins with another: no form always follows the same one.
        for form in forms[round % len(forms):] + forms[: round % len(forms)]:
            seconds[form.name] += form.turn()
    return seconds


def report(seconds):
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    for name, values in seconds.items():
        print(f"{name:28} median {medians[name]:8.3f} s   best {min(values):8.3f} s   {len(values)} steps")
    theirs = {name: value for name, value in medians.items() if name.startswith("PyTorch")}
    if not theirs:
        return
    best = min(theirs, key=theirs.get)
    for name, value in medians.items():
        if name not in theirs:
            print(f"{name} / {best}: {value / theirs[best]:.2f}")


def parseOptions():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", default="resnet50", choices=["resnet18", "resnet50", "vit_tiny"])
    parser.add_argument("--precisions", default="fp32,bf16", type=lambda text: text.split(","))
    parser.add_argument("--modes", default="fp32,fp32-channels-last,bf16-autocast", type=lambda text: text.split(","))
    parser.add_argument("--rounds", default=5, type=int)
    parser.add_argument("--steps", default=3, type=int, choices=range(2, 100), metavar="N")
    parser.add_argument("--threads", default=1, type=int)
    parser.add_argument("--bin", default=ROOT / "build" / "bin", type=pathlib.Path)
    parser.add_argument("--python")
    return parser.parse_args()


def main():
    options = parseOptions()
    with tempfile.TemporaryDirectory(prefix="amp-bench-") as name:
        folder = pathlib.Path(name)
        maker = ROOT / "test" / "models" / "make-networks.py"
        subprocess.run([sys.executable, maker, folder, options.network], check=True)
        model, batch = folder / f"{options.network}.onnx", folder / f"{options.network}.npz"
        forms = [Amp(options, precision, model, batch) for precision in options.precisions]
        flops, copied = peaks(options.threads)
        print(f"machine: {flops:.0f} GFLOP/s in numpy's matrix product, {copied:.1f} GB/s in a copy, "
              f"{options.threads} of {os.cpu_count()} threads, load {os.getloadavg()[0]:.1f}", flush=True)
        try:
            if options.python:
                forms += [Pytorch(options, mode, batch) for mode in options.modes]
            report(measure(forms, options.rounds))
        finally:
            for form in forms:
                form.close()


if __name__ == "__main__":
    main()
