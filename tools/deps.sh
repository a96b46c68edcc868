#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Say which Debian packages the tests need, and install the missing ones when run as root. Packages
# that this release of Debian does not have are left out by name: the list is that of Debian 12.
# Usage: tools/deps.sh                    all packages of the list
#        tools/deps.sh --need PACKAGE...  end with 1, and say how to install, where one is missing
set -u
cd "$(dirname "$0")/.." || exit 1
list=tests/debian-packages.txt

rows() { grep -v '^ *#' "$list"; }

missing_packages() {
    rows | while IFS='|' read -r package probe _; do
        sh -c "$probe" >/dev/null 2>&1 || printf ' %s' $package
    done
}

# Whether the lists of `apt-get update` have a package, of any architecture. What is installed but
# in no list does not count, so that a system without lists can be recognized.
in_lists() { [ -n "$(apt-cache madison "${1%%:*}" 2>/dev/null)" ]; }

# Sort the missing packages into $wanted and $left_out. Before the first `apt-get update` no list
# has anything, not even base-files, which every Debian has: then nothing is left out.
sort_missing() {
    wanted='' left_out=''
    in_lists base-files && lists=yes || lists=no
    for package in $missing; do
        if [ $lists = no ] || in_lists "$package"; then
            wanted="$wanted $package"
        else
            left_out="$left_out $package"
        fi
    done
}

say_left_out() {
    [ -n "$left_out" ] || return 0
    echo "Left out, because this system has no such packages (the list is that of Debian 12):$left_out."
    for package in $left_out; do
        rows | while IFS='|' read -r name _ reason; do
            [ "${name%% *}" = "$package" ] && printf '%s\n' "${reason# }"
        done
    done | awk '!seen[$0]++ { line = line (line ? "; " : "") $0 } END { print "Not tested without them: " line "." }'
}

# How much apt-get would fetch and install for these packages; silent where it cannot tell.
say_how_much() {
    LC_ALL=C apt-get install --assume-no --no-install-recommends -o Debug::NoLocking=1 "$@" 2>/dev/null |
        sed -n -e 's/.* \([0-9]*\) newly installed.*/  \1 packages, dependencies included/p' \
            -e 's/^Need to get \(.*\) of archives.*/  download: \1/p' \
            -e 's/^After this operation, \(.*\) of additional disk space.*/  disk space: \1/p'
}

if [ "${1-}" = --need ]; then
    shift
    missing=''
    for package in "$@"; do
        probe=$(rows | awk -F'|' -v name="$package" '{ sub(/ *$/, "", $1) } $1 == name { print $2 }')
        [ -n "$probe" ] || { echo "$package is not in $list" >&2; exit 2; }
        sh -c "$probe" >/dev/null 2>&1 || missing="$missing $package"
    done
    [ -z "$missing" ] && exit 0
    sort_missing
    [ -z "$wanted" ] || echo "missing:$wanted; Debian: apt-get install --no-install-recommends$wanted" >&2
    [ -z "$left_out" ] || echo "missing:$left_out; this system has no such packages (the list is that of Debian 12)" >&2
    exit 1
fi

echo "Debian packages that the tests need ($list):"
rows | while IFS='|' read -r package probe reason; do
    if sh -c "$probe" >/dev/null 2>&1; then state=here; else state=missing; fi
    printf '  %-8s %-30s%s\n' "$state" "$package" "$reason"
done
missing=$(missing_packages)
[ -z "$missing" ] && { echo "Nothing is missing."; exit 0; }
if ! command -v apt-get >/dev/null 2>&1; then
    echo "Missing:$missing. This system has no apt-get: install what corresponds to these Debian packages, then repeat 'make deps'." >&2
    exit 1
fi
sort_missing
if [ -z "$wanted" ]; then
    say_left_out
    echo "Nothing else is missing."
    exit 0
fi
if [ "$(id -u)" != 0 ]; then
    say_left_out >&2
    echo "Missing:$wanted. Tests that need them are skipped until they are installed." >&2
    # shellcheck disable=SC2086  # one word per package
    sizes=$(say_how_much $wanted)
    if [ -z "$sizes" ]; then # apt-get does not know the other architectures yet
        # shellcheck disable=SC2046,SC2086  # one word per package
        sizes=$(say_how_much $(printf '%s\n' $wanted | grep -v :))
        [ -n "$sizes" ] && sizes="$sizes
  and the packages of other architectures"
    fi
    [ -n "$sizes" ] && printf '%s\n' "$sizes" >&2
    echo "Install them with these lines, then repeat what you did:" >&2
    for package in $wanted; do
        case $package in *:*) echo "    sudo dpkg --add-architecture ${package#*:}" >&2 ;; esac
    done
    echo "    sudo apt-get update && sudo apt-get install -y --no-install-recommends$wanted" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
failed="apt-get could not install them (see above); with no network, install them from a mirror or an image that has them."
# A package of another architecture, written package:architecture, needs that architecture to be
# known.
for package in $wanted; do
    case $package in *:*) dpkg --add-architecture "${package#*:}" || exit 1 ;; esac
done
apt-get update -qq || { echo "$failed" >&2; exit 1; }
sort_missing # again: an image often comes without lists
say_left_out
if [ -n "$wanted" ]; then
    echo "Installing:$wanted"
    # shellcheck disable=SC2086  # one word per package
    if ! { say_how_much $wanted && apt-get install -y -qq --no-install-recommends $wanted; }; then
        echo "$failed" >&2
        exit 1
    fi
fi
for package in $(missing_packages); do
    case " $left_out " in *" $package "*) ;; *) unusable="${unusable-} $package" ;; esac
done
[ -z "${unusable-}" ] || { echo "Installed, but still not usable:$unusable (is another python3 or compiler first in PATH?)" >&2; exit 1; }
if [ -n "$left_out" ]; then echo "All others are here."; else echo "All are here."; fi
