#!/bin/sh
# Is the cost of a simulation why MC-LOA-αβ is weaker than in its paper? From the root of the source tree:
#   sh experiments/ab-playouts/cost.sh target/release/spinney
# MC-LOA has the simulations of 1 s of the paper's machine; MC-LOA-αβ has what it would have at the paper's cost of a simulation
# (2.3 of MC-LOA's) and at ours (3.3). Each match writes its games to results/ and continues after a kill.
set -e
mkdir -p results
for simulations in 2174 1530; do
    "$1" match loa mc-loa-ab mc-loa --limit-a simulations=$simulations --limit-b simulations=5000 --games 100 --seed 1 \
        --openings testdata/openings/loa-100.txt --json --out results/cost-$simulations.jsonl --resume
done > results/cost.jsonl
