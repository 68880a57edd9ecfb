#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs test programs and adds up their last lines ("module: N passed, N failed"). What a program
# printed is shown when it failed. Usage: run_tests.sh [--all] BUILD_DIR TEST...
# TEST is a program in BUILD_DIR/tests, `cli...` for tests/cli..._test.py, or `cases` for the case
# files of fixtures/cases/ that bring their own schemas. The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.."
all=
if [ "$1" = --all ]; then
    all=--all
    shift
fi
dir=$1
shift
passed=0 failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

for t in "$@"; do
    case $t in
    cases) cat fixtures/cases/naive_*.jsonl fixtures/cases/random*.jsonl fixtures/cases/regex.jsonl |
        "$dir/forma" check --cases - 2>&1 | sed 's/^[0-9]* passed/cases: &/' >"$log" ;;
    cli | cli_*) FORMA=$dir/forma python3 "tests/${t}_test.py" >"$log" 2>&1 ;;
    test_properties) "$dir/tests/$t" $all >"$log" 2>&1 ;;
    *) "$dir/tests/$t" >"$log" 2>&1 ;;
    esac
    status=$?
    line=$(grep -E '^[A-Za-z0-9_ -]+: [0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    p=$(echo "$line" | sed -n 's/.*: \([0-9]*\) passed.*/\1/p')
    f=$(echo "$line" | sed -n 's/.* \([0-9]*\) failed.*/\1/p')
    if [ -z "$line" ]; then
        p=0 f=1
        line="$t: ended with status $status and no result"
    elif [ $status != 0 ] && [ "$f" = 0 ]; then
        f=1
        line="$line, but ended with status $status"
    fi
    if [ "$f" != 0 ]; then tail -n 60 "$log"; fi
    grep -E ': (skipped|not run)' "$log"
    echo "$line"
    passed=$((passed + p))
    failed=$((failed + f))
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
