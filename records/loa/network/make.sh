#!/usr/bin/env bash
# How the network of LOA was made: games of `mia-plus` with itself, a network from them (s64.net), games of
# `mia-plus` with that, and a network from all of them (t64.net). Some minutes of one core; the same games on
# every machine, and others when `mia-plus` has changed. All files go to the folder that is given:
#   records/loa/network/make.sh DIR
#
# | network | games | positions to train with |
# |---|---|---|
# | s64.net | 9,658 | 314,742 |
# | t64.net | 9,658 and 5,668 | 502,194 |
#
# matches.jsonl has the matches; untied.net is s64.net with `--symmetric false`. t64.net is built in.
set -euo pipefail
out=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
cargo build --release --quiet
spinney=$PWD/target/release/spinney
cd "$out"
"$spinney" learn games --player mia-plus:table=2 --nodes 1500 --games 9658 --seed 1 --out first.data
"$spinney" learn network --data first.data --out s64.net > first.json
"$spinney" learn games --player mia-plus:table=2,evaluation=network,network=s64.net \
    --nodes 1500 --games 5668 --seed 2 --out second.data
"$spinney" learn network --data first.data second.data --out t64.net > second.json
