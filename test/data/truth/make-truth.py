"""Packs PyTorch's recorded training runs into the truth that test/e2e/truth.py compares with.

usage: make-truth.py FOLDER NETWORK...
FOLDER holds NETWORK.sgd.fp32.safetensors and NETWORK.adamw-eps4.fp32.safetensors; NETWORK.npz is written beside this
script. Both optimizers saw the same batches and the same first gradients, which are therefore stored once; the initial
weights are those of the ONNX file and are not stored at all. `input0.3` is the first input of step 3.
"""

import json
import pathlib
import struct
import sys

import numpy as np

DTYPES = {"F32": np.float32, "F64": np.float64, "I64": np.int64}
# PyTorch lists a tied weight under both names; the ONNX file has one initializer.
TIED = {"nano_gpt": ["head.weight"]}
OPTIMIZERS = {"sgd": "sgd", "adamw": "adamw-eps4"}


def readSafetensors(path):
    raw = path.read_bytes()
    (headerBytes,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + headerBytes])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        body = raw[8 + headerBytes + begin : 8 + headerBytes + end]
        tensors[name] = np.frombuffer(body, DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def sharedArrays(runs):
    sgd, adamw = runs["sgd"], runs["adamw"]
    for name, values in sgd.items():
        kind, _, rest = name.partition(".")
        if not kind.startswith("input") and kind not in ("target", "grad0"):
            continue
        if not np.array_equal(values, adamw[name]):
            raise SystemExit(f"{name} differs between the optimizers; they cannot share it")
        yield {"target": "labels", "grad0": "gradient"}.get(kind, kind) + "." + rest, values


def ownArrays(runs):
    for optimizer, tensors in runs.items():
        for name, values in tensors.items():
            kind, _, rest = name.partition(".")
            if kind in ("loss", "gnorm"):
                yield f"{optimizer}.{kind}", values
            elif kind in ("step1", "step10") and not rest.endswith("num_batches_tracked"):
                yield f"{optimizer}.{kind}.{rest}", values


def main():
    folder = pathlib.Path(sys.argv[1])
    for network in sys.argv[2:]:
        runs = {key: readSafetensors(folder / f"{network}.{kind}.fp32.safetensors") for key, kind in OPTIMIZERS.items()}
        arrays = dict(sharedArrays(runs)) | dict(ownArrays(runs))
        for tied in TIED.get(network, []):
            arrays = {name: values for name, values in arrays.items() if not name.endswith("." + tied)}
        np.savez_compressed(pathlib.Path(__file__).parent / f"{network}.npz", **arrays)


if __name__ == "__main__":
    main()
