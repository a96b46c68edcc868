#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Say which Debian packages the tests need, and install the missing ones when run as root.
set -u
cd "$(dirname "$0")/.." || exit 1
list=tests/debian-packages.txt

missing_packages() {
    grep -v '^ *#' "$list" | while IFS='|' read -r package probe _; do
        sh -c "$probe" >/dev/null 2>&1 || printf ' %s' $package
    done
}

# How much apt-get would fetch and install for these packages; silent where it cannot tell.
say_how_much() {
    LC_ALL=C apt-get install --assume-no --no-install-recommends -o Debug::NoLocking=1 "$@" 2>/dev/null |
        sed -n -e 's/.* \([0-9]*\) newly installed.*/  \1 packages, dependencies included/p' \
            -e 's/^Need to get \(.*\) of archives.*/  download: \1/p' \
            -e 's/^After this operation, \(.*\) of additional disk space.*/  disk space: \1/p'
}

echo "Debian packages that the tests need ($list):"
grep -v '^ *#' "$list" | while IFS='|' read -r package probe reason; do
    if sh -c "$probe" >/dev/null 2>&1; then state=here; else state=missing; fi
    printf '  %-8s %-30s%s\n' "$state" "$package" "$reason"
done
missing=$(missing_packages)
[ -z "$missing" ] && { echo "Nothing is missing."; exit 0; }
if ! command -v apt-get >/dev/null 2>&1; then
    echo "Missing:$missing. This system has no apt-get: install what corresponds to these Debian packages, then repeat 'make deps'." >&2
    exit 1
fi
if [ "$(id -u)" != 0 ]; then
    echo "Missing:$missing. Tests that need them are skipped until they are installed." >&2
    # shellcheck disable=SC2086  # one word per package
    sizes=$(say_how_much $missing)
    if [ -z "$sizes" ]; then # apt-get does not know the other architectures yet
        # shellcheck disable=SC2046,SC2086  # one word per package
        sizes=$(say_how_much $(printf '%s\n' $missing | grep -v :))
        [ -n "$sizes" ] && sizes="$sizes
  and the packages of other architectures"
    fi
    [ -n "$sizes" ] && printf '%s\n' "$sizes" >&2
    echo "Install them with these lines, then repeat what you did:" >&2
    for package in $missing; do
        case $package in *:*) echo "    sudo dpkg --add-architecture ${package#*:}" >&2 ;; esac
    done
    echo "    sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing" >&2
    exit 1
fi
echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
# A package of another architecture, written package:architecture, needs that architecture to be
# known.
for package in $missing; do
    case $package in *:*) dpkg --add-architecture "${package#*:}" || exit 1 ;; esac
done
# shellcheck disable=SC2086  # one word per package
if ! { apt-get update -qq && say_how_much $missing && apt-get install -y -qq --no-install-recommends $missing; }; then
    echo "apt-get could not install them (see above); with no network, install them from a mirror or an image that has them." >&2
    exit 1
fi
missing=$(missing_packages)
[ -z "$missing" ] || { echo "Installed, but still not usable:$missing (is another python3 or compiler first in PATH?)" >&2; exit 1; }
echo "All are here."
