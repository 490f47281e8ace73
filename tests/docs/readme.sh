#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The output that README.md shows is what `make demo` prints.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
shown=$(mktemp) && printed=$(mktemp) || exit 1
trap 'rm -f "$shown" "$printed"' EXIT
awk '/^```/ { is_open = !is_open; inside = is_open && $0 == "```"; next } inside' README.md > "$shown"
samples/demo.sh 2> /dev/null | head -n "$(wc -l < "$shown")" > "$printed"
if [ -s "$shown" ] && diff -u "$shown" "$printed"; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
