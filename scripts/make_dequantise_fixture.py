#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes fixtures/dequantise.bin: blocks of every tensor type that forma reads and the floats that
the `gguf` package makes of them. Seeded, no network.

All little-endian: "FDEQ", version u32 = 1, n_records u32, then a record: type u32 (the code of the
format), n_weights u32, n_bytes u32, the bytes, float32[n_weights].

Random bytes alone meet halves of every kind (about 1 in 32 is infinite or not a number); the first
blocks get chosen halves: zeros, the least and largest subnormal, 1, the largest, infinities, NaN.
"""
import os

import gguf
import numpy as np
from gguf import GGMLQuantizationType as T

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fixtures", "dequantise.bin")
HALVES = [0x0000, 0x8000, 0x0001, 0x03FF, 0x0400, 0x3C00, 0xBC00, 0x7BFF, 0x7C00, 0xFC00, 0x7E00]

# Where a block keeps its halves: byte offsets.
TYPES = {
    T.F32: [], T.F16: [0], T.BF16: [0], T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0],
    T.Q5_1: [0, 2], T.Q8_0: [0], T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208],
}


def blocks_of(rng, kind, places):
    weights, size = gguf.GGML_QUANT_SIZES[kind]
    n = {1: 512, 32: 32, 256: 16}[weights]
    blocks = rng.integers(0, 256, (n, size), dtype=np.uint8)
    for i, bits in enumerate(HALVES):
        for p in places:
            blocks[i, p : p + 2] = bits & 255, bits >> 8
    # All-zero and all-one quants under an ordinary scale.
    for i, fill in ((n - 2, 0x00), (n - 1, 0xFF)):
        blocks[i] = fill
        for p in places:
            blocks[i, p : p + 2] = 0x66, 0x2E
    return blocks


def main():
    rng = np.random.default_rng(7)
    with open(OUT, "wb") as f:
        f.write(b"FDEQ")
        np.array([1, len(TYPES)], dtype="<u4").tofile(f)
        for kind, places in TYPES.items():
            blocks = blocks_of(rng, kind, places)
            with np.errstate(all="ignore"):
                floats = gguf.quants.dequantize(blocks.reshape(1, -1), kind).reshape(-1)
            np.array([int(kind), floats.size, blocks.size], dtype="<u4").tofile(f)
            blocks.tofile(f)
            floats.astype("<f4").tofile(f)


if __name__ == "__main__":
    main()
