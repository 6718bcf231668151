#!/usr/bin/env bash
# Paper mcts-loa, Table I, first row: MC-LOA without an evaluation cut-off against MC-LOA(on,t,default),
# win % of the former. The paper's numbers, 1000 games, 1 s a move:
#   threshold   400   600   700   800  1000
#              11.8  11.2   9.9   8.7   5.7
# Here 100 games a threshold. A move gets the simulations that its threshold allows in the time of 5000
# simulations of MC-LOA(on,700,mixed): measured from the start position.
# Run: experiments/mcts-loa/table-1.sh   (an hour of one core)
# One JSON line a threshold goes to records/mcts-loa/table-1.jsonl; those there are not run again.
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

declare -A simulations=([400]=11590 [600]=8330 [700]=7400 [800]=6840 [1000]=6260 [off]=6150)
for threshold in 400 600 700 800 1000; do
    line table-1.jsonl match loa mc-loa:strategy=default,threshold=off \
        "mc-loa:strategy=default,threshold=$threshold" --games 100 \
        --limit-a "simulations=${simulations[off]}" \
        --limit-b "simulations=${simulations[$threshold]}" \
        --openings testdata/openings/loa-100.txt --seed 1 --concurrency 2
done
scores table-1.jsonl
