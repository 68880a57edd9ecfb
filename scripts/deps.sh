#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that are missing; where it may not, says exactly which.
# Usage: deps.sh build|check|venv|node
set -eu
case ${1:-build} in
build) packages="gcc make pkg-config libpcre2-dev libcjson-dev python3" ;;
check) packages="g++ groff-base clang clang-format cppcheck libclang-rt-14-dev python3-venv" ;;
venv) packages="python3-venv" ;;
node) packages="nodejs" ;;
*) echo "deps: say build, check, venv or node" >&2; exit 2 ;;
esac

# A tool that is there by other means counts; a library must be found by pkg-config.
have() {
    case $1 in
    libpcre2-dev) pkg-config --exists libpcre2-8 2>/dev/null ;;
    libcjson-dev) pkg-config --exists libcjson 2>/dev/null ;;
    libclang-rt-14-dev) ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a >/dev/null 2>&1 ;;
    groff-base) command -v groff >/dev/null 2>&1 ;;
    python3-venv) python3 -c 'import venv, ensurepip' 2>/dev/null ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}
missing=
for p in $packages; do have "$p" || missing="$missing $p"; done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then as_root="sudo -n"; else
        echo "forma: these packages are missing:$missing; install them: apt-get install$missing" >&2
        exit 2
    fi
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "forma: these packages are missing:$missing; install what your system calls them" >&2
    exit 2
fi
echo "installing$missing" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { $as_root apt-get update && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y \
    --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    echo "forma: could not install$missing; install them by hand: apt-get install$missing" >&2
    exit 2
fi
