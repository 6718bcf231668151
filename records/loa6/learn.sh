#!/usr/bin/env bash
# How the knowledge of LOA on 6x6 was learned, from any folder: records/loa6/learn.sh
# First 6000 games of `mia-plus` with itself, 10,000 nodes a move, from openings of four plies (two minutes of
# two cores). The committed tables come from one that still used the weights and categories of the 8x8
# board, so a run now plays other games. Then the weights, written to evaluation.json beside this script, and
# the move categories, written to their place in the source.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cargo build --release --quiet
spinney=${CARGO_TARGET_DIR:-target}/release/spinney
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
"$spinney" learn openings --game loa6 --plies 4 --count 3000 --balance 400 --seed 2 >"$work/openings.txt"
"$spinney" match loa6 mia-plus mia-plus --games 6000 --nodes 10000 --openings "$work/openings.txt" --seed 2 \
    --concurrency 2 --out "$work/games.jsonl"
"$spinney" learn evaluation --game loa6 --matches "$work/games.jsonl" --out records/loa6/evaluation.json
"$spinney" learn categories --game loa6 --matches "$work/games.jsonl" \
    --out crates/games/src/loa/knowledge/categories-6x6.tsv
