#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make the virtual environment .venv and install hanji and hanji-lab from this checkout into it.
# Usage: tools/venv.sh [EXTRA]     EXTRA: optional dependencies of pyproject.toml to add, for example
# test; or all, which adds nothing but the module for GPUs. Without EXTRA that module is left out.
# Where CI is set and Python is CPython 3.11 on x86-64 Linux, packages come from tests/ci-lock.txt,
# pinned with their hashes.
# Anything missing is named together with the way to get it. PYTHON, CC, CXX and the PIP_* variables are respected.
set -u
cd "$(dirname "$0")/.." || exit 1
gpu=ON
case ${1-} in
"") [ -e .venv/hanji-test.stamp ] || [ -e .venv/hanji-all.stamp ] || gpu=OFF ; extra= ;;
all) extra= ;;
*) extra="[$1]" ;;
esac
python=${PYTHON:-python3}

fail() {
    printf 'hanji: %s\n' "$1" >&2
    shift
    for line in "$@"; do printf '       %s\n' "$line" >&2; done
    exit 1
}
compiler() { # compiler VARIABLE-VALUE CANDIDATE...: succeed when one of them is there
    for candidate in "$@"; do
        # shellcheck disable=SC2086  # CC may carry options; its first word is the program
        [ -n "$candidate" ] && command -v ${candidate%% *} >/dev/null 2>&1 && return 0
    done
    return 1
}

command -v "$python" >/dev/null 2>&1 || fail "no $python; Python 3.11 or newer is needed" "Debian 12: apt-get install python3 python3-venv python3-dev" \
    "another interpreter: make PYTHON=/path/to/python3.11 ..."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$python is $("$python" --version 2>&1); Python 3.11 or newer is needed" "Debian 12 has it: apt-get install python3 python3-venv python3-dev" \
        "another interpreter: make PYTHON=/path/to/python3.11 ..."
if [ ! -x .venv/bin/python ]; then
    "$python" -c 'import ensurepip, venv' 2>/dev/null || fail "$python has no venv module" "Debian: apt-get install python3-venv"
fi
compiler "${CC-}" cc gcc clang || fail "no C compiler" "Debian: apt-get install gcc g++    (or set CC)"
compiler "${CXX-}" c++ g++ clang++ || fail "no C++ compiler (for the Python extension)" "Debian: apt-get install g++    (or set CXX)"
include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
[ -e "$include/Python.h" ] || fail "no Python headers: $include/Python.h is not there" "Debian: apt-get install python3-dev"

if [ -x .venv/bin/python ] && ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    fail ".venv holds an older or broken Python" "remove it and repeat: rm -r .venv"
fi
if [ ! -x .venv/bin/python ]; then
    echo "== making .venv with $("$python" --version)"
    "$python" -m venv .venv || fail "could not make .venv in $(pwd)" "is the folder writable and the disk not full?"
fi
pip() {
    PIP_DISABLE_PIP_VERSION_CHECK=1 "$python" tools/progress.py .venv/bin/python -m pip install --verbose "$@" ||
        fail "the installation failed; pip says why above" \
            "no network: pip takes packages from a folder of wheels or a mirror, by PIP_FIND_LINKS=FOLDER PIP_NO_INDEX=1 or by PIP_INDEX_URL" \
            "compiler errors: please report them with the output above"
}
locked() { # whether the lock is for this run: CI, tests, and the Python for which it was made
    case ${CI-} in "" | 0 | [Ff]alse) return 1 ;; esac
    [ "$extra" = "[test]" ] && .venv/bin/python -c 'import platform, sys
here = platform.python_implementation(), sys.version_info[:2], sys.platform, platform.machine()
sys.exit(here != ("CPython", (3, 11), "linux", "x86_64"))'
}
# So that a build goes on where the last one ended; without it pip builds in a temporary folder.
export SKBUILD_BUILD_DIR='build/python/{wheel_tag}'
if locked; then
    echo "== installing what tests/ci-lock.txt pins, then hanji and hanji-lab, into .venv; it takes minutes"
    pip --require-hashes --no-deps --only-binary :all: -r tests/ci-lock.txt
    # What has no wheel is built by what is pinned above.
    pip --require-hashes --no-deps --no-binary :all: --no-build-isolation -r tests/ci-lock-sources.txt
    # Builds take their tools from what is pinned, too, and not from the index.
    PATH="$(pwd)/.venv/bin:$PATH" pip --no-deps --no-build-isolation . --editable ./lab \
        --config-settings=cmake.define.HANJI_GPU=ON
else
    echo "== building and installing hanji$extra and hanji-lab into .venv; it takes a minute or two"
    # What builds the package is in .venv, too: pip would make an environment for it under another
    # name each time, and CMake would compile everything again.
    set -- 'scikit-build-core>=0.11' 'nanobind>=2.9.2' 'setuptools>=77'
    PATH="$(pwd)/.venv/bin:$PATH"
    cmake --version 2>/dev/null | awk 'NR == 1 { split($3, v, "."); exit !(v[1] > 3 || v[1] == 3 && v[2] >= 25) }' &&
        [ -n "$(command -v cmake)" ] || set -- "$@" 'cmake>=3.25'
    [ -n "$(command -v ninja)" ] || set -- "$@" ninja
    pip "$@"
    pip --no-build-isolation ".$extra" --editable "./lab$extra" --config-settings=cmake.define.HANJI_GPU="$gpu"
fi
touch .venv/hanji.stamp
