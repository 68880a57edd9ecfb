#!/bin/sh
# SPDX-License-Identifier: MIT
# `make check`: runs every part, shows a line for each result, adds them up. The last line is
# "N passed, N failed". A part that ends badly without a result counts as one failure.
set -u
cd "$(dirname "$0")/.."
passed=0 failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

part() { # name, make target
    echo "== $1"
    started=$(date +%s)
    ${MAKE:-make} --no-print-directory "$2" >"$log" 2>&1
    status=$?
    # A part's own sum is its last "N passed, N failed", with or without a name before it.
    sum=$(grep -E '(^|: )[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    p=$(echo "$sum" | sed -n 's/^\(.*: \)\{0,1\}\([0-9]*\) passed.*/\2/p')
    f=$(echo "$sum" | sed -n 's/.* \([0-9]*\) failed.*/\1/p')
    if [ -z "$sum" ]; then p=$((status == 0)) f=$((status != 0)); fi
    if [ $status != 0 ] && [ "$f" = 0 ]; then f=1; fi
    if [ "$f" != 0 ]; then tail -n 80 "$log"; else
        grep -E ': [0-9]+ passed|skipped|not run' "$log"
    fi
    echo "$1: $p passed, $f failed ($(($(date +%s) - started)) s)"
    passed=$((passed + p))
    failed=$((failed + f))
}
part "tests, at full length" check-tests
part "address and undefined behaviour" check-asan
part "threads" check-tsan
part "clang" check-clang
part "gcc without warnings" check-gcc
part "model and tokenizer against their oracles" check-model
part "conformance, a sample" check-conformance
part "soundness, a sample" check-soundness
part "patterns against node" check-patterns
part "formats against other validators" check-formats
export HOSTILE_SECONDS=5
part "hostile patterns" check-hostile
part "tokenizers against the package" check-tokenizers
part "an installed copy, the examples" check-install
part "commands in the documentation" check-docs
part "lint" lint
echo "$passed passed, $failed failed"
[ $failed = 0 ]
