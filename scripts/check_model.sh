#!/bin/sh
# SPDX-License-Identifier: MIT
# What needs the demonstration model and the Python oracles: the tokenizer on 20,000 texts, the
# logits on fixed prompts, the demonstration under several seeds and budgets, random instances judged by
# another validator. Usage: check_model.sh BUILD_DIR. The last line adds up.
set -u
cd "$(dirname "$0")/.."
dir=$1
python=build/venv/bin/python
model=models/SmolLM2-135M-Instruct.Q4_1.gguf
passed=0 failed=0
log=$(mktemp)
work=$(mktemp -d)
trap 'rm -rf "$log" "$work"' EXIT
trap 'exit 130' INT TERM
run() {
    "$@" >"$log" 2>&1
    status=$?
    line=$(grep -E ': [0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    p=$(echo "$line" | sed -n 's/.*: \([0-9]*\) passed.*/\1/p')
    f=$(echo "$line" | sed -n 's/.* \([0-9]*\) failed.*/\1/p')
    if [ -z "$line" ]; then line="$1: no result" p=0 f=1; elif [ $status != 0 ] && [ "$f" = 0 ]; then f=1; fi
    if [ "$f" != 0 ]; then tail -n 40 "$log"; fi
    grep -E 'skipped|not run' "$log"
    echo "$line"
    passed=$((passed + p))
    failed=$((failed + f))
}
run $python scripts/check_tokenizer.py --model $model --forma "$dir/forma" \
    --vectors fixtures/tokenizer/smollm2.jsonl
run $python scripts/check_model.py --model $model --dump "$dir/tests/dump_logits"
run $python scripts/check_demo.py --model $model --forma "$dir/forma" --seeds 20

# Soundness: texts of random walks are valid. Completeness: random instances are accepted iff valid.
"$dir/tests/test_properties" --all --dump "$work/walks.jsonl" >/dev/null 2>&1
run $python scripts/check_instances.py "$work/walks.jsonl"
"$dir/tests/test_properties" --schemas 1000 >"$work/schemas" 2>/dev/null
$python scripts/make_instances.py "$work/schemas" 11 >"$work/instances" 2>/dev/null
run "$dir/tests/test_properties" --instances "$work/instances"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
