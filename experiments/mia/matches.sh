#!/usr/bin/env bash
# mia-plus against its kin, 200 games each at 100 ms a move, and against uct, 40 games at 1 s. The paper
# gives no such table; the bar is 60 % for the first two and 90 % for the last.
# Run on a quiet machine: experiments/mia/matches.sh   (hours)
# One JSON line a match goes to records/mia/matches.jsonl; what is there is not run again.
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
openings="--openings testdata/positions/loa-openings.txt --seed 1"
for other in mia-classic:wins=on,threats=on mia-iii:wins=on,threats=on; do
    line matches.jsonl match loa mia-plus "$other" --games 200 --time 100ms $openings
done
line matches.jsonl match loa mia-plus uct --games 40 --time 1s $openings --concurrency 2
scores matches.jsonl
