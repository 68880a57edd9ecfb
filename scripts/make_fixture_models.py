#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes fixtures/models/: tiny llama models that cover head layouts and tensor types, each with
the logits of the oracle (scripts/oracle_llama.py) for fixed prompts. Seeded, no network; the
models come out byte for byte the same, the logits up to the last bits of the local BLAS.

    f32-gqa    F32, 4 query heads on 2 KV heads, separate output matrix
    q4_1-mqa   Q4_1, Q8_0 embedding tied to the head (as SmolLM2), 4 query heads on 1 KV head
    f16-mha    F16, 2 heads with their own K and V, tied
    k-quants   Q4_K, Q5_K, Q6_K, width 256, tied
    mixed      Q4_0, Q5_0, Q5_1, Q8_0, BF16, F16 side by side, untied

NAME.logits, all little-endian:
    "FLOG", version u32 = 1, n_vocab u32, n_prompts u32,
    a prompt: n_ids u32, ids u32[n_ids], logits float32[n_ids][n_vocab] (after each id)

The vocabulary is byte-level BPE: 3 control tokens, the 256 bytes in GPT-2's printable stand-ins,
and merges for common words and JSON punctuation.
"""
import os
import sys

import gguf
import numpy as np
from gguf import GGMLQuantizationType as T

import oracle_llama

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "fixtures", "models")

CHAT_TEMPLATE = (
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
    "{{ '<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face"
    "<|im_end|>\n' }}{% endif %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + "
    "'<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}"
    "{{ '<|im_start|>assistant\n' }}{% endif %}"
)

CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]

# Texts whose pieces become tokens: each is merged from left to right.
WORDS = [
    " the", " and", " a", "er", "in", "on", "true", "false", "null", "user", "name", '":', '",',
    '{"', '"}', ' "', '["', '"]', "},", ' {"', "\n\n", "  ", "    ",
]

PROMPTS = [
    [1, 120, 5],
    [259, 84, 72, 260, 80, 3, 258, 271, 68, 285, 111, 290, 17, 222, 140, 263, 69, 104, 262, 33],
]


def byte_stand_ins():
    """GPT-2's bijection from bytes to printable characters: printable Latin-1 stands for itself,
    the rest for U+0100 and up, in order."""
    keep = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    table, extra = {}, 0
    for b in range(256):
        if b in keep:
            table[b] = chr(b)
        else:
            table[b] = chr(0x100 + extra)
            extra += 1
    return table


def vocabulary():
    stand_in = byte_stand_ins()
    tokens = CONTROL + [stand_in[b] for b in range(256)]
    merges = []
    for word in WORDS:
        left, *rest = [stand_in[b] for b in word.encode()]
        for right in rest:
            if left + right not in tokens:
                merges.append(f"{left} {right}")
                tokens.append(left + right)
            left += right
    types = [gguf.TokenType.CONTROL] * len(CONTROL)
    types += [gguf.TokenType.NORMAL] * (len(tokens) - len(CONTROL))
    return tokens, types, merges


def half(x):
    return np.asarray(x, dtype="<f2").view(np.uint8).reshape(-1, 2)


def pack_scales(scale, minimum):
    """Eight 6-bit scales and minima a block in 12 bytes, (n, 8) each."""
    out = np.zeros((len(scale), 12), dtype=np.uint8)
    out[:, 0:4] = (scale[:, :4] & 63) | (scale[:, 4:] >> 4 << 6)
    out[:, 4:8] = (minimum[:, :4] & 63) | (minimum[:, 4:] >> 4 << 6)
    out[:, 8:12] = (scale[:, 4:] & 15) | (minimum[:, 4:] & 15) << 4
    return out


def random_k_blocks(rng, kind, n, deviation):
    """n blocks of 256 weights with about this standard deviation and mean 0: drawn as blocks,
    since the gguf package reads the K types but does not write them."""
    if kind == T.Q6_K:
        levels = rng.integers(0, 256, (n, 192), dtype=np.uint8)
        scales = rng.integers(20, 128, (n, 16)) * rng.choice([-1, 1], (n, 16))
        d = deviation / (18.5 * 80) * rng.uniform(0.7, 1.3, n)
        return np.concatenate([levels, scales.astype(np.int8).view(np.uint8), half(d)], 1)
    top = 15 if kind == T.Q4_K else 31
    scale = rng.integers(20, 64, (n, 8), dtype=np.uint8)
    minimum = np.clip(scale.astype(int) + rng.integers(-2, 3, (n, 8)), 0, 63).astype(np.uint8)
    d = deviation / (0.29 * top * 42) * rng.uniform(0.7, 1.3, n)
    parts = [half(d), half(d * top / 2), pack_scales(scale, minimum)]
    if kind == T.Q5_K:
        parts.append(rng.integers(0, 256, (n, 32), dtype=np.uint8))
    parts.append(rng.integers(0, 256, (n, 128), dtype=np.uint8))
    return np.concatenate(parts, 1)


def add_matrix(writer, rng, name, rows, columns, kind, gain=1.0):
    deviation = gain / np.sqrt(columns)
    if kind in (T.Q4_K, T.Q5_K, T.Q6_K):
        blocks = random_k_blocks(rng, kind, rows * columns // 256, deviation)
        writer.add_tensor(name, blocks.reshape(rows, -1), raw_dtype=kind)
        return
    x = (rng.standard_normal((rows, columns)) * deviation).astype(np.float32)
    data = gguf.quants.quantize(x, kind)
    writer.add_tensor(name, data, raw_dtype=kind)


def add_norm(writer, rng, name, n):
    writer.add_tensor(name, (1 + 0.1 * rng.standard_normal(n)).astype(np.float32))


def write_metadata(writer, name, shape, tokens, types, merges):
    writer.add_type("model")
    writer.add_name(f"forma fixture {name}")
    writer.add_license("MIT")
    writer.add_block_count(shape["layers"])
    writer.add_context_length(512)
    writer.add_embedding_length(shape["embd"])
    writer.add_feed_forward_length(shape["ff"])
    writer.add_head_count(shape["heads"])
    writer.add_head_count_kv(shape["kv"])
    writer.add_rope_freq_base(shape.get("rope_base", 10000.0))
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_file_type(shape["file_type"])
    writer.add_vocab_size(len(tokens))
    writer.add_rope_dimension_count(shape["embd"] // shape["heads"])
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges(merges)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_pad_token_id(2)
    writer.add_add_bos_token(False)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(CHAT_TEMPLATE)
    writer.add_quantization_version(2)


def write_tensors(writer, rng, shape, n_vocab):
    embd, ff = shape["embd"], shape["ff"]
    kv = embd // shape["heads"] * shape["kv"]
    kind = shape["types"]

    def matrix(name, rows, columns, gain=1.0):
        role = name.split(".")[-2]
        add_matrix(writer, rng, name, rows, columns, kind.get(role, kind["*"]), gain)

    matrix("token_embd.weight", n_vocab, embd, 1.5)
    for i in range(shape["layers"]):
        add_norm(writer, rng, f"blk.{i}.attn_norm.weight", embd)
        matrix(f"blk.{i}.attn_q.weight", embd, embd, 1.5)
        matrix(f"blk.{i}.attn_k.weight", kv, embd, 1.5)
        matrix(f"blk.{i}.attn_v.weight", kv, embd)
        matrix(f"blk.{i}.attn_output.weight", embd, embd)
        add_norm(writer, rng, f"blk.{i}.ffn_norm.weight", embd)
        matrix(f"blk.{i}.ffn_gate.weight", ff, embd)
        matrix(f"blk.{i}.ffn_up.weight", ff, embd)
        matrix(f"blk.{i}.ffn_down.weight", embd, ff)
    add_norm(writer, rng, "output_norm.weight", embd)
    if not shape.get("tied"):
        matrix("output.weight", n_vocab, embd, 2.0)


MODELS = {
    "f32-gqa": dict(layers=2, embd=32, ff=48, heads=4, kv=2, file_type=0, types={"*": T.F32}),
    "q4_1-mqa": dict(layers=3, embd=64, ff=96, heads=4, kv=1, file_type=3, tied=True,
                     rope_base=100000.0, types={"*": T.Q4_1, "token_embd": T.Q8_0}),
    "f16-mha": dict(layers=1, embd=32, ff=64, heads=2, kv=2, file_type=1, tied=True,
                    types={"*": T.F16}),
    "k-quants": dict(layers=1, embd=256, ff=256, heads=4, kv=1, file_type=15, tied=True,
                     types={"*": T.Q4_K, "attn_output": T.Q5_K, "attn_v": T.Q6_K,
                            "token_embd": T.Q6_K}),
    "mixed": dict(layers=1, embd=64, ff=64, heads=2, kv=1, file_type=2,
                  types={"*": T.Q4_0, "attn_q": T.Q5_0, "attn_k": T.Q5_1, "attn_v": T.BF16,
                         "ffn_down": T.F16, "token_embd": T.Q4_0, "output": T.Q8_0}),
}


def write_logits(path, model):
    with open(path, "wb") as f:
        f.write(b"FLOG")
        np.array([1, model.n_vocab, len(PROMPTS)], dtype="<u4").tofile(f)
        for ids in PROMPTS:
            np.array([len(ids), *ids], dtype="<u4").tofile(f)
            np.ascontiguousarray(oracle_llama.forward(model, ids), dtype="<f4").tofile(f)


def main():
    os.makedirs(OUT, exist_ok=True)
    tokens, types, merges = vocabulary()
    for seed, (name, shape) in enumerate(MODELS.items(), 1):
        path = os.path.join(OUT, name + ".gguf")
        writer = gguf.GGUFWriter(path, "llama")
        write_metadata(writer, name, shape, tokens, types, merges)
        write_tensors(writer, np.random.default_rng(seed), shape, len(tokens))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        model = oracle_llama.Model(path)
        write_logits(os.path.join(OUT, name + ".logits"), model)
        print(f"{name}: {os.path.getsize(path)} bytes, {len(tokens)} tokens", file=sys.stderr)


if __name__ == "__main__":
    main()
