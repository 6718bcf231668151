#!/usr/bin/env bash
# Installs the 35 Syzygy tables with three and four men (4.35 MB, win/draw/loss and distance to
# zeroing) that the source distribution of the Python package `chess` 1.11.2 holds for its tests.
#   testdata/syzygy.sh [FOLDER]     target/syzygy if absent; prints the folder
# Does nothing if they are there. Needs python3 with pip, and a package index it can reach.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=${1:-target/syzygy}
archive=chess-1.11.2.tar.gz
sha256=a8b43e5678fdb3000695bdaa573117ad683761e5ca38e591c4826eba6d25bb39
tables=35

count() { find "$folder" -name '*.rtbw' 2>/dev/null | wc -l; }

if [ "$(count)" -ne "$tables" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    pip download --quiet --no-deps --no-binary :all: --dest "$work" chess==1.11.2 >&2
    sha256sum --quiet --check <<< "$sha256  $work/$archive"
    tar -xzf "$work/$archive" -C "$work"
    mkdir -p "$folder"
    cp "$work"/chess-1.11.2/data/syzygy/regular/K*.rtb[wz] "$folder"
    if [ "$(count)" -ne "$tables" ]; then
        echo "$folder: $(count) tables, not $tables" >&2
        exit 1
    fi
fi
(cd "$folder" && pwd)
