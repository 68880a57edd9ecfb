#!/bin/sh
# SPDX-License-Identifier: MIT
# `make install` and `make uninstall`, from one list of files. Usage: install.sh install|uninstall
# BUILD_DIR VERSION SONAME; in the environment DESTDIR, prefix, bindir, libdir, includedir, mandir.
# Directories are made where missing, and never removed.
set -eu
cd "$(dirname "$0")/.."
action=$1 build=$2 version=$3 soname=$4
: "${DESTDIR:=}" "${prefix:=/usr/local}" "${bindir:=$prefix/bin}" "${libdir:=$prefix/lib}"
: "${includedir:=$prefix/include}" "${mandir:=$prefix/share/man}"
for dir in "$prefix" "$bindir" "$libdir" "$includedir" "$mandir"; do
    case $dir in
    *[[:space:]]*) wrong="has white space, which pkg-config cannot pass on" ;;
    /*) continue ;;
    *) wrong="is no absolute path" ;;
    esac
    echo "forma: make $action: the directory '$dir' $wrong; choose another" >&2
    exit 2
done

# forma.pc tells paths from ${prefix} where they lie below it, so that a whole tree can be moved.
path() {
    case $1 in "$prefix"/*) set -- "\${prefix}${1#"$prefix"}" ;; esac
    printf %s "$1" | sed 's/[\\&|]/\\&/g'
}
pkgconfig() {
    sed -e "s|@prefix@|$(path "$prefix")|" -e "s|@libdir@|$(path "$libdir")|" \
        -e "s|@includedir@|$(path "$includedir")|" -e "s|@version@|$version|" forma.pc.in
}

file() { # mode, source, where to
    to=$DESTDIR$3
    if [ "$action" = uninstall ]; then rm -f "$to"; else
        install -d -m 755 "$(dirname "$to")"
        install -m "$1" "$2" "$to"
    fi
}
link() { # target, where to
    if [ "$action" = uninstall ]; then rm -f "$DESTDIR$2"; else ln -sfn "$1" "$DESTDIR$2"; fi
}
[ "$action" = uninstall ] || pkgconfig >"$build/forma.pc"
file 755 "$build/forma" "$bindir/forma"
file 644 "$build/libforma.a" "$libdir/libforma.a"
file 755 "$build/libforma.so" "$libdir/libforma.so.$version"
link "libforma.so.$version" "$libdir/$soname"
link "$soname" "$libdir/libforma.so"
file 644 "$build/forma.pc" "$libdir/pkgconfig/forma.pc"
file 644 include/forma.h "$includedir/forma.h"
file 644 man/forma.1 "$mandir/man1/forma.1"
file 644 man/forma.3 "$mandir/man3/forma.3"
