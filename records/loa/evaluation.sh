#!/usr/bin/env bash
# How the weights of LOA's evaluation were learned. From any folder, with the folder of real games:
#   records/loa/evaluation.sh DIR
# First 6000 games of `mia-plus` with itself, 10,000 nodes a move, from openings of four plies (a quarter
# of an hour of one core; the same games on every machine, and others when `mia-plus` has changed); then
# the weights from these and the real games, written to evaluation.json beside this script.
set -euo pipefail
games=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cargo build --release --quiet
spinney=${CARGO_TARGET_DIR:-target}/release/spinney
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
"$spinney" learn openings --plies 4 --count 3000 --balance 400 --seed 2 >"$work/openings.txt"
"$spinney" match loa mia-plus mia-plus --games 6000 --nodes 10000 --openings "$work/openings.txt" --seed 2 \
    --concurrency 2 --out "$work/games.jsonl"
"$spinney" learn evaluation --games "$games" --matches "$work/games.jsonl" --out records/loa/evaluation.json
