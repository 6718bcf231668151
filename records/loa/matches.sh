#!/usr/bin/env bash
# spinney against the other programs of LOA at equal time, one thread. Run on a quiet machine:
#   records/loa/matches.sh   (three hours of two cores)
# One line of JSON for each match goes to matches/summary.jsonl; what is there is not run again. The games of a match that
# was interrupted are kept in target/loa-matches, and the match continues.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cargo build --release --quiet
spinney=${CARGO_TARGET_DIR:-target}/release/spinney
summary=records/loa/matches/summary.jsonl
games=target/loa-matches
mkdir -p "$games"

# play NAME ARGUMENTS ...
play() {
    local name=$1 command="match loa ${*:2} --openings testdata/openings/loa-100.txt --seed 100 --concurrency 2"
    grep -qF "\"command\":\"$command\"" "$summary" && return
    local result
    # shellcheck disable=SC2086
    result=$("$spinney" $command --json --out "$games/$name.jsonl" --resume | tail -n 1)
    xz -9e -k -c "$games/$name.jsonl" >"records/loa/matches/$name.jsonl.xz"
    printf '{"command":"%s",%s\n' "$command" "${result#\{}" >>"$summary"
}

play 5000-nodes-mia-plus-25000 spinney mia-plus --games 400 --limit-a nodes=5000 --limit-b nodes=25000
play 100ms-mia-plus spinney mia-plus --games 400 --time 100ms
play 1s-mia-plus spinney mia-plus --games 200 --time 1s
for other in mc-loa mc-loa-t mc-loa-ab; do
    play "1s-$other" spinney "$other" --games 100 --time 1s
done
