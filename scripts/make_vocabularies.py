# SPDX-License-Identifier: MIT
"""Makes fixtures/vocabularies/: one small tokenizer file of each kind that forma reads.

    python3 scripts/make_vocabularies.py

The output depends on nothing but this file.
"""
import json
import pathlib
import struct

OUT = pathlib.Path(__file__).resolve().parent.parent / "fixtures" / "vocabularies"


def stand_ins():
    """Character of each byte in byte-level tokenizers: itself where printable, else U+0100 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in printable]
    return {**{b: chr(b) for b in printable}, **{b: chr(256 + i) for i, b in enumerate(others)}}


def write_json(name, value):
    (OUT / name).write_text(json.dumps(value, ensure_ascii=True, indent=1) + "\n")


def added(token_id, content, special):
    return {"id": token_id, "content": content, "special": special}


def byte_level_pieces():
    table = stand_ins()
    texts = [bytes([b]) for b in range(256)] + [b'"}', b'": ', b" the", b"\xc3\xa9", b"\n\n"]
    return ["".join(table[b] for b in text) for text in texts]


def byte_level():
    pieces = byte_level_pieces()
    vocab = {piece: i for i, piece in enumerate(pieces)}
    return {
        "added_tokens": [
            added(261, "<|endoftext|>", True),
            added(262, "<|im_start|>", True),
            added(265, "<tool_call>", False),  # 263 and 264 are holes
            added(266, "</s>", False),
            added(267, "\u0120x", False),  # as it is written
        ],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False},
        "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "vocab": vocab, "merges": []},
    }


def sentence():
    vocab = {"<unk>": 0, "<s>": 1, "</s>": 2}
    for b in range(256):
        vocab[f"<0x{b:02X}>"] = len(vocab)
    for piece in ["\u2581", "\u2581the", "a", "\u00e9", '"', "a\u2581b", "<0x4>", "\n"]:
        vocab[piece] = len(vocab)
    return {
        "added_tokens": [
            added(0, "<unk>", True),
            added(1, "<s>", True),
            added(2, "</s>", True),
            added(len(vocab), "\u2581\u2581", False),
        ],
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
                {"type": "Strip", "content": " ", "start": 1, "stop": 0},
            ],
        },
        "model": {"type": "BPE", "byte_fallback": True, "unk_token": "<unk>", "vocab": vocab},
    }


def unigram():
    pieces = ["<unk>", "</s>", "\u2581", "\u2581of", "x", "<0x41>"]
    return {
        "added_tokens": [added(1, "</s>", True)],
        "decoder": {"type": "Metaspace", "replacement": "\u2581"},
        "model": {"type": "Unigram", "unk_id": 0, "vocab": [[p, -i] for i, p in enumerate(pieces)]},
    }


def gguf_string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def gguf(model, tokens, types, ids):
    values = [
        gguf_string("tokenizer.ggml.model") + struct.pack("<I", 8) + gguf_string(model),
        gguf_string("tokenizer.ggml.tokens")
        + struct.pack("<IIQ", 9, 8, len(tokens))
        + b"".join(map(gguf_string, tokens)),
        gguf_string("tokenizer.ggml.token_type")
        + struct.pack("<IIQ", 9, 5, len(types))
        + b"".join(struct.pack("<i", t) for t in types),
    ]
    values += [
        gguf_string(f"tokenizer.ggml.{name}_token_id") + struct.pack("<II", 4, i)
        for name, i in ids.items()
    ]
    data = b"GGUF" + struct.pack("<IQQ", 3, 0, len(values)) + b"".join(values)
    return data + bytes(-len(data) % 32)


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    write_json("byte_level.tokenizer.json", byte_level())
    write_json("sentence.tokenizer.json", sentence())
    write_json("unigram.tokenizer.json", unigram())
    pieces = byte_level_pieces()
    extra = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "unused", "\u0120x", "<stop>"]
    types = [1] * len(pieces) + [3, 3, 4, 5, 4, 3]
    ids = {"eos": len(pieces), "eot": len(pieces) + 5}
    (OUT / "byte_level.gguf").write_bytes(gguf("gpt2", pieces + extra, types, ids))
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)]
    tokens += ["\u2581the", "a", "\u2581\u2581", "</s>"]
    types = [2, 3, 3] + [6] * 256 + [1, 1, 4, 4]
    (OUT / "sentence.gguf").write_bytes(gguf("llama", tokens, types, {"eos": 2}))


if __name__ == "__main__":
    main()
