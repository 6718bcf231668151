#!/bin/sh
# Makes the puzzles of the board, from games between two levels. Each command continues where it was stopped.
#     sh records/loa/puzzles/make.sh target/release/spinney FOLDER
set -e
spinney=$1
games=$2/puzzle-games.jsonl
test -e "$games" && resume=--resume || resume=
$spinney match loa level:number=6 level:number=5 --games 12000 --nodes 1000000 --seed 11 \
    --openings testdata/openings/loa-100.txt --out "$games" $resume
$spinney learn puzzles "$games" --each 90 --out crates/web/assets/puzzles-loa.jsonl
