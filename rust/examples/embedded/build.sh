#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Build the example as a static library: build.sh [TARGET]
#
# Without a target it is built for this machine, which a slow test of the repository does. For
# Cortex-M4,
#   rustup target add thumbv7em-none-eabi && ./build.sh thumbv7em-none-eabi
# with arm-none-eabi-gcc for the C part. That has not been run: no core library for it was at hand.
set -eu
cd "$(dirname "$0")"
target=${1:-}
case $target in
thumbv*) export "CC_$(echo "$target" | tr - _)=arm-none-eabi-gcc" ;;
riscv32*) export "CC_$(echo "$target" | tr - _)=riscv64-unknown-elf-gcc" ;;
esac
exec cargo build --release ${target:+--target "$target"}
