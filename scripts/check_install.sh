#!/bin/sh
# SPDX-License-Identifier: MIT
# `make install` as those who embed the library meet it: what is put where, which names the libraries
# export, the header in C and C++, the examples linked both ways, the command, the manual pages,
# `make uninstall`. Usage: check_install.sh BUILD_DIR. Installs into a temporary directory only. The
# last line is "install: N passed, N failed".
set -u
cd "$(dirname "$0")/.."
build=$1
CC=${CC:-gcc} CXX=${CXX:-g++}
passed=0 failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
unset DESTDIR prefix bindir libdir includedir mandir PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR \
    LD_LIBRARY_PATH MAKEFLAGS MFLAGS

# The status of the command is the result; what it wrote is shown when that is not 0.
ok() { # name, command...
    name=$1
    shift
    if "$@" >"$tmp/log" 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "install: $name failed"
        tail -n 20 "$tmp/log"
    fi
}
same() { # name, got, wanted
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "install: $1 failed"
        printf '%s\n' "$2" >"$tmp/got"
        printf '%s\n' "$3" | diff "$tmp/got" - | sed 's/^</got   /; s/^>/wanted/'
    fi
}
status_of() { # command...
    "$@" >"$tmp/out" 2>"$tmp/err"
    echo $?
}
make_forma() { make -s VARIANT="${build#build/}" "$@"; }
entries() { (cd "$1" && find . \( -type f -o -type l \) -printf '%m %P %l\n' | sort -k 2); }

version=$(sed -n 's/^#define FORMA_VERSION "\(.*\)"/\1/p' include/forma.h)
major=${version%%.*}

# ---- what is put where ----------------------------------------------------------------------
stage="$tmp/a stage"
ok "make install with DESTDIR" make_forma install DESTDIR="$stage" prefix=/usr
same "files" "$(entries "$stage")" "755 usr/bin/forma 
644 usr/include/forma.h 
644 usr/lib/libforma.a 
777 usr/lib/libforma.so libforma.so.$major
777 usr/lib/libforma.so.$major libforma.so.$version
755 usr/lib/libforma.so.$version 
644 usr/lib/pkgconfig/forma.pc 
644 usr/share/man/man1/forma.1 
644 usr/share/man/man3/forma.3 "
same "forma.pc says the final place" "$(grep -E '^(prefix|libdir|includedir)=' \
    "$stage/usr/lib/pkgconfig/forma.pc")" 'prefix=/usr
libdir=${prefix}/lib
includedir=${prefix}/include'
ok "make install, again" make_forma install DESTDIR="$stage" prefix=/usr
ok "make uninstall with DESTDIR" make_forma uninstall DESTDIR="$stage" prefix=/usr
same "nothing is left" "$(entries "$stage")" ""

ok "directories elsewhere" make_forma install DESTDIR="$stage" prefix=/opt/forma \
    libdir=/usr/lib/x86_64-linux-gnu mandir=/usr/man
same "libdir in forma.pc" "$(grep -E '^(libdir|includedir)=' \
    "$stage/usr/lib/x86_64-linux-gnu/pkgconfig/forma.pc")" 'libdir=/usr/lib/x86_64-linux-gnu
includedir=${prefix}/include'
same "the page in mandir" "$(ls "$stage/usr/man/man3")" forma.3
ok "uninstall from there" make_forma uninstall DESTDIR="$stage" prefix=/opt/forma \
    libdir=/usr/lib/x86_64-linux-gnu mandir=/usr/man
same "nothing is left there" "$(entries "$stage")" ""
for bad in here "/with space"; do
    same "prefix=$bad is refused" "$(status_of make_forma install DESTDIR="$stage" prefix="$bad")" 2
    same "with a sentence" "$(grep -c "^forma: make install: the directory '$bad' .*; choose" \
        "$tmp/err")" 1
done
same "before anything is written" "$(entries "$stage")" ""

# ---- one copy to use ------------------------------------------------------------------------
copy=$tmp/copy
ok "make install" make_forma install prefix="$copy"
export PKG_CONFIG_PATH="$copy/lib/pkgconfig"
export PATH="$copy/bin:$PATH"
same "the version in forma.pc" "$(pkg-config --modversion forma)" "$version"
same "forma --version" "$(forma --version)" "forma $version"
same "the command that was found" "$(command -v forma)" "$copy/bin/forma"
ok "forma check" forma check --schema '{"enum": [5]}' - <<EOF
5
EOF

# ---- names ----------------------------------------------------------------------------------
# What the header declares, after the preprocessor; and nothing else.
declared=$($CC -E -P -std=c11 include/forma.h | tr '\n' ' ' |
    grep -oE 'visibility *\("default"\)[^;(]*\)\)[^;(]*\(' | grep -oE 'forma_[a-z0-9_]+ *\($' |
    tr -d ' (' | sort)
same "the header declares functions" "$(test "$(echo "$declared" | wc -l)" -gt 30 && echo yes)" yes
same "names in libforma.so" "$(nm -D --defined-only "$copy/lib/libforma.so" | awk '{print $3}' |
    sort)" "$declared"
same "names in libforma.a" "$(nm -g --defined-only "$copy/lib/libforma.a" | awk 'NF == 3 {print $3}' |
    sort)" "$declared"
dynamic() { readelf -dW "$copy/lib/libforma.so" | sed -n "s/.*($1).*\[\(.*\)\]/\1/p"; }
same "soname" "$(dynamic SONAME)" "libforma.so.$major"
same "what libforma.so needs" "$(dynamic NEEDED)" libc.so.6

# ---- the header -----------------------------------------------------------------------------
strict="-Wall -Wextra -Wshadow -pedantic -Werror $(pkg-config --cflags forma)"
cat >"$tmp/only.c" <<'EOF'
#include <forma.h>
#include <forma.h>
int only(void) { return FORMA_OK; }
EOF
cp "$tmp/only.c" "$tmp/only.cpp"
for compiler in $CC clang; do
    command -v "$compiler" >/dev/null || { echo "the header with $compiler: skipped"; continue; }
    for std in c11 c17 gnu11; do
        ok "$compiler -std=$std" "$compiler" -std=$std $strict -Wstrict-prototypes -c \
            -o "$tmp/only.o" "$tmp/only.c"
    done
done
for compiler in $CXX clang++; do
    command -v "$compiler" >/dev/null || { echo "the header with $compiler: skipped"; continue; }
    for std in c++11 c++17 c++20; do
        ok "$compiler -std=$std" "$compiler" -std=$std $strict -c -o "$tmp/only.o" "$tmp/only.cpp"
    done
done

# ---- the examples, shared and static --------------------------------------------------------
schema=fixtures/demo/ticket.json
valid() { # texts of stdin, one a line: how many are values of the schema, of how many
    while read -r text; do
        printf '%s' "$text" | forma check -q --schema "$schema" - && echo valid
    done | grep -c valid
}
for static in "" 1; do
    kind=${static:+static}
    kind=${kind:-shared}
    cp -r examples "$tmp/$kind"
    ok "examples build, $kind" make -s -C "$tmp/$kind" CC="$CC" CXX="$CXX" STATIC=$static \
        CFLAGS="-O1 -Werror" CXXFLAGS="-O1 -Werror"
    same "$kind is $kind" "$(readelf -dW "$tmp/$kind/mask_loop" | grep -c 'NEEDED.*libforma')" \
        "$(test -n "$static" && echo 0 || echo 1)"
    [ -n "$static" ] || export LD_LIBRARY_PATH="$copy/lib"
    for vocabulary in "" fixtures/vocabularies/byte_level.* fixtures/vocabularies/sentence.*; do
        for seed in 1 2 3; do
            "$tmp/$kind/mask_loop" $schema ${vocabulary:+"$vocabulary" $seed}
        done >"$tmp/texts" 2>&1
        same "mask_loop $vocabulary, $kind" "$(valid <"$tmp/texts")" 3
    done
    ok "a text that is cut is completed, $kind" sh -c \
        "'$tmp/$kind/mask_loop' '{\"type\": \"array\", \"minItems\": 500}' >'$tmp/text'"
    ok "a value of that schema, $kind" forma check --schema \
        '{"type": "array", "minItems": 500}' "$tmp/text"
    ok "batch writes, $kind" sh -c "'$tmp/$kind/batch' \"\$(cat $schema)\" 25 >'$tmp/texts'"
    same "its values, $kind" "$(valid <"$tmp/texts")" 25
    for program in mask_loop batch; do
        number=$([ $program = mask_loop ] || echo 1)
        same "a schema that is none, $program, $kind" \
            "$(status_of "$tmp/$kind/$program" '{"type": 5}' $number)" 2
        same "its place, $program, $kind" "$(grep -c "/type: 'type' must" "$tmp/err")" 1
    done
    unset LD_LIBRARY_PATH
done

# ---- manual pages ---------------------------------------------------------------------------
if command -v groff >/dev/null; then
    for page in man1/forma.1 man3/forma.3; do
        same "$page without warnings" \
            "$(groff -man -Tutf8 -ww -z "$copy/share/man/$page" 2>&1)" ""
    done
else
    echo "manual pages: not formatted, groff is not there: skipped"
fi
page1=$(sed 's/\\-/-/g' "$copy/share/man/man1/forma.1")
page3=$(cat "$copy/share/man/man3/forma.3")
same "functions in forma(3)" "$(echo "$page3" | grep -oE '\bforma_[a-z0-9_]+ ?\(\)' | tr -d ' ()' |
    sort -u)" "$declared"
commands=$(forma --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
same "commands in forma(1)" "$(echo "$page1" | sed -n '/^.SH COMMANDS/,/^.SH OPTIONS/s/^.B \([a-z]*\)$/\1/p')" \
    "$commands"
for command in $commands; do forma "$command" --help; done >"$tmp/help"
for option in $(echo "$page1" | grep -oE -- '--[a-z]+' | sort -u); do
    case $option in --help | --version) continue ;; esac
    ok "$option of forma(1)" grep -q -- "$option\b" "$tmp/help"
done

ok "make uninstall" make_forma uninstall prefix="$copy"
same "nothing is left in the end" "$(entries "$copy")" ""
echo "install: $passed passed, $failed failed"
[ $failed = 0 ]
