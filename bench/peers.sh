#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Python programs that assay is compared with into build/bench/venv, which is
# never committed.  Prints the versions.  Without Python, or without PyPI, it says "skipped"
# and exits with 1; the benchmark then goes on without them.
set -u
cd "$(dirname "$0")/.." || exit 4

venv=build/bench/venv
packages="pytrec_eval-terrier ranx ir_measures"

skip() {
    echo "peers: skipped, $1" >&2
    exit 1
}

works() {
    "$venv/bin/python" -c 'import pytrec_eval, ranx, ir_measures' >/dev/null 2>&1
}

if ! works; then
    mkdir -p build/bench
    command -v python3 >/dev/null || skip "there is no python3"
    python3 -m venv "$venv" >build/bench/venv.log 2>&1 ||
        skip "python3 cannot make a virtual environment; see build/bench/venv.log"
    # shellcheck disable=SC2086  # a list of names
    "$venv/bin/python" -m pip install -q $packages >>build/bench/venv.log 2>&1 ||
        skip "PyPI cannot be reached; see build/bench/venv.log"
    works || skip "what PyPI gave does not import; see build/bench/venv.log"
fi

"$venv/bin/python" -c '
import platform
from importlib.metadata import version

names = ["pytrec_eval-terrier", "ir_measures", "ranx", "numba", "numpy"]
print("Python", platform.python_version() + "".join(f", {n} {version(n)}" for n in names))'
