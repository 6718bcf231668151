#!/usr/bin/env bash
# Paper nmcs, Table 3: nested search with discounting against nested search without, win % of the
# former in 500 games, for nesting levels 0 to 2. The paper's numbers, then ours:
#   game                  0     1     2
#   breakthrough         79.6  99.6  99.4
#   breakthrough-misere  42.4  80.8  90.0
#   knightthrough        78.6 100.0 100.0
#   knightthrough-misere 46.0  83.2  85.8
#   domineering          71.2  77.0  83.8
#   domineering-misere   43.4  63.2  68.4
#   nogo                 62.8  76.4  83.4
#   nogo-misere          53.2  65.6  67.2
#   atarigo              69.6  97.2 100.0
# Run: experiments/nmcs/table-3.sh [LEVEL ...]   (default 0 1; level 2 takes hours)
# One JSON line a cell goes to records/nmcs/table-3.jsonl; cells that are there are not run again.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
for level in ${*:-0 1}; do
    for game in $GAMES; do
        line table-3.jsonl match "$game" "nested:level=$level,discounting=on" "nested:level=$level" --games 500 --seed 1
    done
done
scores table-3.jsonl
