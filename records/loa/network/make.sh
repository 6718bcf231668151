#!/usr/bin/env bash
# How the network of LOA was made: 349,152 positions of 9,658 games of `mia-plus` with itself, 1,500 nodes a
# move, then training. Some minutes of one core; the same games on every machine, and others when
# `mia-plus` has changed. Writes loa.net and first.json to the folder that is given:
#   records/loa/network/make.sh DIR
set -euo pipefail
out=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
cargo build --release --quiet
target/release/spinney learn games --player mia-plus:table=2 --nodes 1500 --games 9658 --seed 1 --out "$out/first.data"
target/release/spinney learn network --data "$out/first.data" --out "$out/loa.net" > "$out/first.json"
