#!/usr/bin/env bash
# Solves the start positions of the nine games of the paper `nmcs`, and of AtariGo's misère form, on
# small boards, and writes a table for each game to this folder. From any folder:
#   testdata/values/make.sh [GAME ...]
# Rows that are there stay; unknown ones are tried again, so it can be stopped and started.
#   SIZES      the boards, from the smallest            3x3 ... 5x5
#   TIME       the limit for each                       1h
#   MEMORY     the table of the solver                  8G
#   ALGORITHM  how to solve                             brute-force
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

sizes=${SIZES:-3x3 3x4 4x3 3x5 5x3 4x4 4x5 5x4 5x5}
options="--algorithm ${ALGORITHM:-brute-force} --memory ${MEMORY:-8G} --time ${TIME:-1h}"
if [ $# -eq 0 ]; then
    set -- {breakthrough,knightthrough,domineering,nogo,atarigo}{,-misere}
fi

cargo build --release --quiet
spinney=${CARGO_TARGET_DIR:-target}/release/spinney

# The row of a game in a table, unless its value is unknown.
known() { [ -e "$1" ] && awk -F '\t' -v game="$2" '$1 == game && $2 != "unknown"' "$1"; }

for size in $sizes; do
    for name in "$@"; do
        game=$name:$size
        table=testdata/values/$name.tsv
        [ -z "$(known "$table" "$game")" ] || continue
        result=$("$spinney" solve "$game" $options --json)
        field() { sed -E "s/.*\"$1\":\"?([^,\"}]*).*/\1/" <<<"$result"; }
        row=$(printf '%s\t%s\t%s\t%.3f\t%s' "$game" "$(field value)" "$(field nodes)" \
            "$(field seconds)" "${ALGORITHM:-brute-force}")
        echo "$row"
        # The new row takes the place of an old one; the table is replaced as a whole.
        {
            echo "# made by testdata/values/make.sh: spinney solve GAME $options --json"
            printf 'game\tvalue\tnodes\tseconds\talgorithm\n'
            [ ! -e "$table" ] || awk -F '\t' -v game="$game" '!/^#/ && $1 != "game" && $1 != game' "$table"
            echo "$row"
        } >"$table.new"
        mv "$table.new" "$table"
    done
done
