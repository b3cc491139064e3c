#!/usr/bin/env python3
"""Writes the npz, safetensors and IDX fixtures of the runtime's tests beside this script.

arrays.npz (stored) and arrays-deflated.npz hold the same arrays as numpy writes them; tiny.safetensors is laid out by
hand after the format's description; two IDX files hold five 2x3 images and their digits.
"""
import io
import json
import pathlib
import struct
import zipfile

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent


def arrays():
    ramp = np.arange(6, dtype=np.float64).reshape(2, 3)
    return {
        "f4": (ramp * 0.5).astype("<f4"),
        "f8": (ramp * 0.25).astype("<f8"),
        "f2": (ramp - 2.5).astype("<f2"),
        "i8": (ramp - 3).astype("<i8"),
        "i4": (ramp * -7).astype("<i4"),
        "i2": (ramp * 100).astype("<i2"),
        "i1": (ramp - 4).astype("i1"),
        "u1": (ramp + 250).astype("u1"),
        "u2": (ramp + 0x3F80).astype("<u2"),
        "v2": (ramp + 0x3F80).astype("<u2").view("V2"),
        "b1": ramp % 2 == 1,
        "scalar": np.float32(1.5).reshape(()),
        "empty": np.zeros((0, 4), dtype="<f4"),
        "enc/fc.weight": np.ones(3, dtype="<f4"),
    }


def write_npz(path, method):
    # Not np.savez: its members carry the time of day.
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in arrays().items():
            payload = io.BytesIO()
            np.lib.format.write_array(payload, value, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(name + ".npy"), payload.getvalue(), compress_type=method)


def write_safetensors(path):
    header = {
        "__metadata__": {"format": "pt", "epoch": "3"},
        "weight": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]},
        "half": {"dtype": "BF16", "shape": [3], "data_offsets": [16, 22]},
        "flags": {"dtype": "BOOL", "shape": [2], "data_offsets": [22, 24]},
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    payload = struct.pack("<4f", 1, 2, 3, 4) + struct.pack("<3H", 0x3F80, 0x4000, 0x4040) + b"\x01\x00"
    path.write_bytes(struct.pack("<Q", len(text)) + text + payload)


def write_idx(folder, prefix, count):
    pixels = bytes((17 * i) % 256 for i in range(count * 6))
    digits = bytes(i % 10 for i in range(count))
    (folder / f"{prefix}-images-idx3-ubyte").write_bytes(struct.pack(">IIII", 0x803, count, 2, 3) + pixels)
    (folder / f"{prefix}-labels-idx1-ubyte").write_bytes(struct.pack(">II", 0x801, count) + digits)


def main():
    write_npz(FOLDER / "arrays.npz", zipfile.ZIP_STORED)
    write_npz(FOLDER / "arrays-deflated.npz", zipfile.ZIP_DEFLATED)
    write_safetensors(FOLDER / "tiny.safetensors")
    (FOLDER / "mnist").mkdir(exist_ok=True)
    write_idx(FOLDER / "mnist", "train", 5)
    write_idx(FOLDER / "mnist", "t10k", 3)


if __name__ == "__main__":
    main()
