#!/bin/sh
# SPDX-License-Identifier: MIT
# Formatting, static analysis, layers, file sizes. The last line is "lint: N passed, N failed".
set -u
cd "$(dirname "$0")/.."
passed=0 failed=0
result() { # name status
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "lint: $1 failed"
    fi
}
sources=$(git ls-files '*.c' '*.h' '*.cpp')

clang-format --dry-run -Werror $sources
result formatting $?

cppcheck --quiet --std=c11 --enable=warning,portability --inline-suppr --error-exitcode=1 \
    --suppress=missingInclude --suppress=normalCheckLevelMaxBranches -Iinclude -I. -j2 \
    -DFORMA_CPPCHECK $(git ls-files 'base/*.c' 'automaton/*.c' 'schema/*.c' 'tokenmask/*.c' \
    'runtime/*.c' 'cli/*.c')
result cppcheck $?

# Layers: a file includes its own folder, the public header, and what stands to the left of it.
# base < automaton < schema | tokenmask < runtime < cli; runtime sees a form through forma.h only.
layer() { # folder, allowed folders
    bad=$(grep -HnE '^#include "(base|automaton|schema|tokenmask|runtime|cli|tests)/' \
        "$1"/*.c "$1"/*.h "$1"/*/*.[ch] 2>/dev/null | grep -vE "#include \"($2)/")
    [ -z "$bad" ] || { echo "$bad"; return 1; }
}
layer base "base"; result "layer base" $?
layer automaton "base|automaton"; result "layer automaton" $?
layer schema "base|automaton|schema"; result "layer schema" $?
layer tokenmask "base|automaton|tokenmask"; result "layer tokenmask" $?
layer runtime "base|runtime"; result "layer runtime" $?
layer cli "base|automaton|schema|tokenmask|runtime|cli"; result "layer cli" $?

# Sizes: review at 800 lines; the public header at most 480, the Makefile 200.
long=$(wc -l $sources | awk '$2 != "total" && $1 > 800')
[ -z "$long" ] || echo "$long"
[ -z "$long" ]; result "files of at most 800 lines" $?
[ "$(wc -l <include/forma.h)" -le 480 ]; result "forma.h of at most 480 lines" $?
[ "$(wc -l <Makefile)" -le 200 ]; result "Makefile of at most 200 lines" $?
missing=$(for f in $sources; do head -n 1 "$f" | grep -q SPDX-License-Identifier || echo "$f"; done)
[ -z "$missing" ] || echo "no SPDX line: $missing"
[ -z "$missing" ]; result "licence lines" $?
mutable=$(grep -nE '^static [^(]*;$|^static [^(=]*=' $(git ls-files 'base/*.c' 'automaton/*.c' \
    'schema/*.c' 'tokenmask/*.c' 'runtime/*.c' 'runtime/kernels/*.c') | grep -vE 'const|_Thread_local|_fn ')
[ -z "$mutable" ] || echo "$mutable"
[ -z "$mutable" ]; result "no mutable globals" $?
if command -v shellcheck >/dev/null 2>&1; then
    shellcheck -S error scripts/*.sh .ci/run
    result shellcheck $?
fi
echo "lint: $passed passed, $failed failed"
[ $failed = 0 ]
