#!/bin/sh
# The tournament of the levels: each against the next, 120 games. The strongest level has 2,000,000 nodes
# for a move in place of a time. The same command continues a tournament that was stopped.
#     sh records/loa/levels/make.sh target/release/spinney FOLDER
set -e
levels=$(for number in $(seq 1 16); do echo "level:number=$number"; done)
"$1" tournament loa random $levels --neighbours --rounds 60 --seed 1 --nodes 2000000 --concurrency 2 \
    --openings testdata/openings/loa-100.txt --out "$2"
