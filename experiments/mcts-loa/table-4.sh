#!/usr/bin/env bash
# Paper mcts-loa, Table IV: the solver, MC-LOA(s,700,mixed). The paper, 2000 games, 5 s a move: on
# against off 53.95 %. Here 400 games at 5000 simulations a move.
# Run: experiments/mcts-loa/table-4.sh   (an hour of one core)
# The line goes to records/mcts-loa/table-4.jsonl; if it is there, nothing is run again.
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

line table-4.jsonl match loa mc-loa:solver=on mc-loa:solver=off --games 400 \
    --simulations 5000 --openings testdata/openings/loa-100.txt --seed 1 --concurrency 2
scores table-4.jsonl
