"""nano_gpt learns the characters of a licence: the validation loss in bf16 and fp16 comes within 1 % of fp32's.

usage: licence-text.py [--steps=300] [--text=FILE]
The text is the GNU General Public License that Debian's base-files install; a tenth, in pieces, is the validation.
Prints a line a precision. AMP_BIN says where the tools are.
"""

import argparse
import json
import pathlib
import sys
import tempfile
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import amptools

TEXT = pathlib.Path("/usr/share/common-licenses/GPL-3")
CHARACTERS = 128
PIECE = 1024
OPTIMIZER = "--optimizer=adamw:lr=5e-3,beta2=0.95"
GATE = 0.01


def writeTokens(text, folder):
    """Training and validation as files of uint16; characters outside ASCII become question marks."""
    characters = np.frombuffer(text.encode("ascii", "replace"), np.uint8).astype("<u2")
    assert characters.max() < CHARACTERS
    # Pieces from all over: the end of a licence, how to apply it, reads unlike the rest.
    piece = np.arange(len(characters)) // PIECE % 10 == 9
    paths = folder / "training.bin", folder / "validation.bin"
    for path, chosen in zip(paths, (~piece, piece)):
        path.write_bytes(characters[chosen].tobytes())
    return paths


def frequencyLoss(path):
    """What knowing how often each character comes, and nothing of what came before, would leave."""
    counts = np.bincount(np.frombuffer(path.read_bytes(), "<u2"))
    shares = counts[counts > 0] / counts.sum()
    return -float(shares @ np.log(shares))


def train(precision, training, validation, steps, folder):
    """The last training loss, the validation loss after it, steps skipped, and seconds."""
    package, log = folder / f"{precision}.amp", folder / f"{precision}.jsonl"
    amptools.compileModel(amptools.NANO_GPT, package, "--batch=16", "--loss=cross-entropy", OPTIMIZER,
                          f"--precision={precision}")
    start = time.monotonic()
    amptools.succeed("amp-train", package, f"--data=tokens:{training}", f"--validation=tokens:{validation}",
                     f"--steps={steps}", "--shuffle", "--seed=1", "--lr-schedule=cosine:warmup=20", f"--log={log}")
    seconds = time.monotonic() - start
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert lines[-1]["step"] == steps, lines[-1]
    losses = [line["loss"] for line in lines if line.get("loss") is not None]
    validations = [line["validation_loss"] for line in lines if "validation_loss" in line]
    skipped = sum(bool(line.get("skipped")) for line in lines)
    return losses[-1], validations[-1], skipped, seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--text", type=pathlib.Path, default=TEXT)
    options = parser.parse_args()
    if not options.text.is_file():
        sys.exit(f"licence-text: no file {options.text}; install base-files, or give another text by --text=FILE")
    reached = {}
    with tempfile.TemporaryDirectory(prefix="amp-test-") as name:
        folder = pathlib.Path(name)
        parts = writeTokens(options.text.read_text(), folder)
        unlearnt = frequencyLoss(parts[1])
        print(f"the characters' frequencies alone: {unlearnt:.4f}")
        print("precision  training loss  validation loss  against fp32  skipped  seconds")
        for precision in amptools.PRECISIONS:
            loss, validation, skipped, seconds = train(precision, *parts, options.steps, folder)
            reached[precision] = validation
            apart = validation / reached["fp32"] - 1
            print(f"{precision:9}  {loss:13.4f}  {validation:15.4f}  {apart:+12.2%}  {skipped:7}  {seconds:7.1f}",
                  flush=True)
    wrong = [f"{precision}: validation loss {value:.4f}, wanted {reached['fp32']:.4f} +- {GATE:.0%}"
             for precision, value in reached.items() if abs(value / reached["fp32"] - 1) > GATE]
    if reached["fp32"] > unlearnt:
        wrong.append(f"fp32: validation loss {reached['fp32']:.4f}, wanted below {unlearnt:.4f}")
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()
