#!/bin/sh
# SPDX-License-Identifier: MIT
# The Python packages of requirements.txt in build/venv, once; again when the list changes.
set -eu
cd "$(dirname "$0")/.."
stamp=build/venv/.requirements
if [ -f "$stamp" ] && cmp -s requirements.txt "$stamp"; then exit 0; fi
if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then sh scripts/deps.sh check; fi
echo "installing the Python packages of requirements.txt" >&2
mkdir -p build
[ -x build/venv/bin/python ] || python3 -m venv build/venv
if ! build/venv/bin/python -m pip install --quiet --disable-pip-version-check \
    -r requirements.txt >&2; then
    echo "forma: pip could not install the packages of requirements.txt; is there a network?" >&2
    exit 2
fi
cp requirements.txt "$stamp"
