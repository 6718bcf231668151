#!/usr/bin/env bash
# Paper nmcs, Table 4: UCT with nested play-outs against UCT with random play-outs at equal time, win %
# of the former in 500 games. The paper's machine visits so many states a second (its Table 3), so
# T milliseconds there are T/1000 times that many positions here: the budget of both players.
# Paper at 320 ms, level 1 with COW / with discounting and POD:
#   breakthrough 20.4 / 39.6, misere 98.8 / 99.8; knightthrough 44.6 / 49.6, misere 98.4 / 98.6;
#   domineering 50.0 / 50.0, misere 54.2 / 58.6; nogo 40.6 / 48.0, misere 48.8 / 60.8;
#   atarigo 67.2 / 77.2
# Run: experiments/nmcs/table-4.sh [MILLISECONDS ...]   (default 320)
# One JSON line a cell goes to records/nmcs/table-4.jsonl; cells that are there are not run again.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# Thousands of states a second on the paper's machine.
declare -A SPEED=([breakthrough]=411 [breakthrough-misere]=409 [knightthrough]=264
    [knightthrough-misere]=328 [domineering]=550 [domineering-misere]=592 [nogo]=357
    [nogo-misere]=648 [atarigo]=280)
for milliseconds in ${*:-320}; do
    for game in $GAMES; do
        positions=$((SPEED[$game] * milliseconds))
        for options in "level=1,cow=on" "level=1,discounting=on,pod=on"; do
            line table-4.jsonl match "$game" "uct-nested:$options" uct --games 500 \
                --nodes "$positions" --seed 1
        done
    done
done
scores table-4.jsonl
