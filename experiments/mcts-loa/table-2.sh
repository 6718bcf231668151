#!/usr/bin/env bash
# Paper mcts-loa, Table II: the simulation strategies against each other, MC-LOA(on,700,s), win %.
# The paper's numbers, 1000 games a pair, 1 s a move:
#   strategy     default  corrective  greedy  mixed
#   default         -       44.25     59.80   32.55
#   corrective    55.75       -       67.40   36.20
#   greedy        40.20     32.60       -     16.70
#   mixed         67.45     63.80     83.30     -
# Here 200 games a pair. A move gets the simulations that its strategy makes in the time of 5000
# simulations of the mixed strategy, about what the paper's machine made in 1 s: measured from the
# start position, so that results do not depend on the machine.
# Run: experiments/mcts-loa/table-2.sh   (two hours of one core)
# One JSON line a pair goes to records/mcts-loa/table-2.jsonl; pairs that are there are not run again.
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

declare -A simulations=([default]=7400 [corrective]=1670 [greedy]=5780 [mixed]=5000)
for pair in "mixed default" "mixed corrective" "mixed greedy" "corrective default" \
    "corrective greedy" "default greedy"; do
    read -r a b <<<"$pair"
    line table-2.jsonl match loa "mc-loa:strategy=$a" "mc-loa:strategy=$b" --games 200 \
        --limit-a "simulations=${simulations[$a]}" --limit-b "simulations=${simulations[$b]}" \
        --openings testdata/openings/loa-100.txt --seed 1 --concurrency 2
done
scores table-2.jsonl
