#!/bin/sh
# Every #include "folder/file.h" in src must be allowed by src/LAYERS.
set -u
[ -e src/LAYERS ] || { echo 'check_layers: no src/LAYERS yet'; exit 0; }
files=$(find src -name '*.[ch]' | LC_ALL=C sort)
[ -n "$files" ] || { echo 'check_layers: no sources yet'; exit 0; }

# shellcheck disable=SC2086
awk '
    FNR == 1 && FILENAME != "src/LAYERS" {
        split(FILENAME, part, "/")
        folder = part[2]
        if (!(folder in known)) fault("folder \047" folder "\047 is not in src/LAYERS")
    }
    FILENAME == "src/LAYERS" {
        sub(/#.*/, "")
        if (NF) known[$1] = 1
        for (i = 2; i <= NF; i++) may[$1, $i] = 1
        next
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, quoted, "\"")
        path = quoted[2]
        if (path == "assay.h") next
        if (path !~ /\//) {
            fault("write \"" path "\" from the root of src, as \"" folder "/" path "\"")
            next
        }
        target = path
        sub(/\/.*/, "", target)
        if (target == folder || (folder, target) in may) next
        if ((folder, "*") in may && target in known) next
        fault(folder " may not include \"" path "\"; see src/LAYERS")
    }
    function fault(what) { print FILENAME ":" FNR ": " what; bad = 1 }
    END { exit bad }
' src/LAYERS $files
