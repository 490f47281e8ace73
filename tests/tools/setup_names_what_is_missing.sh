#!/usr/bin/env bash
# tools/setup installs what is missing where it may, and else says what to install.
set -u
. "$(dirname "$0")/sandbox.inc"

# A machine made of stubs: no compiler, a pkg-config that knows zlib only, apt-get that logs.
mkdir bin
stub() { { echo '#!/bin/sh'; cat; } >"bin/$1" && chmod +x "bin/$1"; }
for tool in sh ls env cat; do ln -s "$(command -v $tool)" bin/$tool; done
stub id <<<'echo $STUB_UID'
stub pkg-config <<<'[ "$2" = zlib ]'
stub apt-get <<<'case "$*" in *install*) echo "apt: $*";; esac'

setup() { try env PATH="$PWD/bin" STUB_UID="$1" sh "$SRC/tools/setup" "$2"; }

setup 1000 build
expect 'not root' 4 'apt-get install build-essential libyaml-dev libzstd-dev libutf8proc-dev'
setup 0 check
expect 'root' 0 '--no-install-recommends libcmocka-dev libcmark-dev libmd4c-dev zstd'
stub apt-get <<<'exit 100'
setup 0 check
expect 'apt fails' 4 'please install them with'
setup 0 nonsense
expect 'no such group' 2 "no group 'nonsense'"
finish
