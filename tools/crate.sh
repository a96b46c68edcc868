#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Write the Rust crate as it is packed: rust/ with the amalgam in c/ and the licence beside it.
# Usage: tools/crate.sh FOLDER
set -eu
cd "$(dirname "$0")/.."
out=${1:?"usage: tools/crate.sh FOLDER"}
mkdir -p "$out"
for part in Cargo.toml README.md build.rs rustfmt.toml src tests examples; do
    rm -rf "${out:?}/$part"
    cp -r "rust/$part" "$out/"
done
rm -rf "$out/examples/embedded"
cp LICENSE "$out/"
names=$(tr '\n' ',' <rust/algorithms.txt)
"${PYTHON:-python3}" tools/amalgam.py --algorithms "$names" --out "$out/c"
echo "$out: the crate; cargo package --manifest-path $out/Cargo.toml packs it"
