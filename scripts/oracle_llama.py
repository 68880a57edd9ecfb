#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The definition of the llama graph in numpy, in double precision: what the C runtime is tested
against. Slow and obvious on purpose; weights come dequantised from the GGUF file through the
`gguf` package, so neither the formats nor the graph are shared with forma's code.

    oracle_llama.py MODEL --ids 1,2,3 --out FILE [--npy] [--top N]

writes the logits after each of the ids: float32, little-endian, (n_ids, n_vocab), raw or .npy.

The graph, for token x at position t of a sequence:
    h = token_embd[x]
    every layer:
        a = rmsnorm(h) * attn_norm
        q, k, v = attn_q a, attn_k a, attn_v a            (n_heads / n_kv_heads heads of head_dim)
        q, k: rotate the *adjacent* pairs (2i, 2i+1) by t * base^(-2i / rope_dims)
        head j reads the K and V of head j / (n_heads / n_kv_heads), positions 0..t,
            weights softmax(q k / sqrt(head_dim))
        h += attn_output (heads side by side)
        f = rmsnorm(h) * ffn_norm
        h += ffn_down (silu(ffn_gate f) * (ffn_up f))
    logits = output (rmsnorm(h) * output_norm)            (output = token_embd when it is absent)
"""
import argparse
import sys

import gguf
import numpy as np


class Model:
    """Shape and weights of a llama GGUF, every tensor as float64 of shape (rows, columns)."""

    def __init__(self, path):
        reader = gguf.GGUFReader(path)
        self.fields = reader.fields
        arch = self.get("general.architecture")
        if arch != "llama":
            raise ValueError(f"{path}: architecture {arch}, but this is the llama graph")
        self.n_layers = self.get("llama.block_count")
        self.n_embd = self.get("llama.embedding_length")
        self.n_heads = self.get("llama.attention.head_count")
        self.n_kv_heads = self.get("llama.attention.head_count_kv", self.n_heads)
        self.head_dim = self.get("llama.attention.key_length", self.n_embd // self.n_heads)
        self.rope_dims = self.get("llama.rope.dimension_count", self.head_dim)
        self.rope_base = self.get("llama.rope.freq_base", 10000.0)
        self.epsilon = self.get("llama.attention.layer_norm_rms_epsilon")
        self.tensors = {
            t.name: gguf.quants.dequantize(t.data, t.tensor_type)
            .reshape([int(d) for d in reversed(t.shape)])
            .astype(np.float64)
            for t in reader.tensors
        }
        # Anything this graph does not use would make its logits silently wrong.
        known = {"token_embd", "output_norm", "output", "attn_norm", "attn_q", "attn_k", "attn_v",
                 "attn_output", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down"}
        for name in self.tensors:
            if not name.endswith(".weight") or name.split(".")[-2] not in known:
                raise ValueError(f"the tensor {name} is not part of the plain llama graph")
        if self.get("llama.rope.scaling.type", "none") != "none":
            raise ValueError("rope scaling is not part of this oracle")
        self.n_vocab = self.tensors["token_embd.weight"].shape[0]

    def get(self, key, default=None):
        field = self.fields.get(key)
        if field is None:
            if default is None:
                raise ValueError(f"the key {key} is missing")
            return default
        return field.contents()

    def weight(self, name, layer=None):
        return self.tensors[(f"blk.{layer}." if layer is not None else "") + name + ".weight"]


def rmsnorm(x, weight, epsilon):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * weight


def rope(x, positions, dims, base):
    """x (n, heads, head_dim); the pairs (0, 1), (2, 3), ... of the first `dims` elements turn."""
    angle = positions[:, None] * base ** (-np.arange(0, dims, 2) / dims)  # (n, dims / 2)
    c, s = np.cos(angle)[:, None, :], np.sin(angle)[:, None, :]
    even, odd = x[..., 0:dims:2], x[..., 1:dims:2]
    out = x.copy()
    out[..., 0:dims:2] = even * c - odd * s
    out[..., 1:dims:2] = even * s + odd * c
    return out


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(m, layer, a, positions):
    n = len(positions)
    q = (a @ m.weight("attn_q", layer).T).reshape(n, m.n_heads, m.head_dim)
    k = (a @ m.weight("attn_k", layer).T).reshape(n, m.n_kv_heads, m.head_dim)
    v = (a @ m.weight("attn_v", layer).T).reshape(n, m.n_kv_heads, m.head_dim)
    q = rope(q, positions, m.rope_dims, m.rope_base)
    k = rope(k, positions, m.rope_dims, m.rope_base)
    group = m.n_heads // m.n_kv_heads
    future = np.triu(np.full((n, n), -np.inf), 1)
    heads = []
    for j in range(m.n_heads):
        scores = q[:, j] @ k[:, j // group].T / np.sqrt(m.head_dim) + future
        heads.append(softmax(scores) @ v[:, j // group])
    return np.concatenate(heads, -1) @ m.weight("attn_output", layer).T


def feed_forward(m, layer, f):
    gate = f @ m.weight("ffn_gate", layer).T
    with np.errstate(over="ignore"):
        gate = gate / (1 + np.exp(-gate))
    return (gate * (f @ m.weight("ffn_up", layer).T)) @ m.weight("ffn_down", layer).T


def forward(m, ids):
    """Logits (n_ids, n_vocab), float64, of one sequence that starts at position 0."""
    ids = np.asarray(ids)
    positions = np.arange(len(ids), dtype=np.float64)
    h = m.weight("token_embd")[ids]
    for layer in range(m.n_layers):
        a = rmsnorm(h, m.weight("attn_norm", layer), m.epsilon)
        h = h + attention(m, layer, a, positions)
        f = rmsnorm(h, m.weight("ffn_norm", layer), m.epsilon)
        h = h + feed_forward(m, layer, f)
    h = rmsnorm(h, m.weight("output_norm"), m.epsilon)
    head = "output" if "output.weight" in m.tensors else "token_embd"
    return h @ m.weight(head).T


def main():
    p = argparse.ArgumentParser(description="Logits of a llama GGUF in double precision.")
    p.add_argument("model")
    p.add_argument("--ids", required=True, help="token ids, separated by commas")
    p.add_argument("--out", help="file for float32 logits, one row an id")
    p.add_argument("--npy", action="store_true", help="write .npy instead of raw floats")
    p.add_argument("--top", type=int, default=0, help="print the N best next ids of each row")
    args = p.parse_args()
    try:
        ids = [int(x) for x in args.ids.split(",")]
        model = Model(args.model)
        bad = [i for i in ids if not 0 <= i < model.n_vocab]
        if bad:
            raise ValueError(f"id {bad[0]} is not in the vocabulary of {model.n_vocab}")
        logits = forward(model, ids)
    except (OSError, ValueError, KeyError) as e:
        sys.exit(f"oracle_llama: {args.model}: {e}")
    for row, id_ in zip(logits, ids):
        if args.top:
            best = np.argsort(-row)[: args.top]
            print(id_, " ".join(f"{b}:{row[b]:.4f}" for b in best))
    if args.out:
        out = np.ascontiguousarray(logits, dtype="<f4")
        np.save(args.out, out) if args.npy else out.tofile(args.out)


if __name__ == "__main__":
    main()
