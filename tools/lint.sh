#!/bin/sh
# Runs every check, so that one round shows all there is to mend. Exit 1 if any has a fault.
# Each prints file:line: what.
set -u
cd "$(dirname "$0")/.." || exit 1
export BUILD="${BUILD:-build/release}"
bad=0
for check in layers names rosters header docs text format; do
    "tools/check_$check.sh" || { echo "check_$check: failed"; bad=1; }
done
[ $bad = 0 ] && echo 'lint: ok'
exit $bad
