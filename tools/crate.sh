#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Write the Rust crate as it is packed: rust/ with the amalgam in c/ and the licence beside it.
# Usage: tools/crate.sh FOLDER
set -eu
cd "$(dirname "$0")/.."
out=${1:?"usage: tools/crate.sh FOLDER"}
if [ -e "$out" ] && [ ! -e "$out/c/hanji.c" ] && [ -n "$(ls -A "$out")" ]; then
    echo "tools/crate.sh: $out has other things in it; name a new folder or an empty one" >&2
    exit 1
fi
mkdir -p "$out"
names=$(tr '\n' ',' <rust/algorithms.txt)
"${PYTHON:-python3}" tools/amalgam.py --algorithms "$names" --out "$out/c" # first: it marks the folder
for part in Cargo.toml README.md build.rs rustfmt.toml src tests examples; do
    rm -rf "${out:?}/$part"
    cp -r "rust/$part" "$out/"
done
rm -rf "$out/examples/embedded"
cp LICENSE "$out/"
echo "$out: the crate; cargo package --manifest-path $out/Cargo.toml packs it"
