#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs each fuzzer for a while. Findings stay in build/fuzz/. Usage: fuzz.sh SECONDS FUZZER...
set -u
cd "$(dirname "$0")/.."
seconds=$1
shift
passed=0 failed=0
for f in "$@"; do
    corpus=build/fuzz/corpus/$f
    mkdir -p "$corpus"
    seeds=
    [ -d "fixtures/fuzz/${f#fuzz_}" ] && seeds=fixtures/fuzz/${f#fuzz_}
    if "build/fuzz/tests/$f" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3000 \
        -print_final_stats=1 -artifact_prefix="build/fuzz/$f-" "$corpus" $seeds \
        >"build/fuzz/$f.log" 2>&1; then
        passed=$((passed + 1))
        echo "$f: clean, $(sed -n 's/.*number_of_executed_units: *//p' "build/fuzz/$f.log") inputs"
    else
        failed=$((failed + 1))
        tail -n 40 "build/fuzz/$f.log"
        echo "$f: found something; the input is build/fuzz/$f-*"
    fi
done
echo "fuzz: $passed passed, $failed failed"
[ $failed = 0 ]
