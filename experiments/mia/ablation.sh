#!/usr/bin/env bash
# What each part of mia is good for: endgames of real games solved and nodes taken, with the whole
# program and with each part switched off.
# Run: experiments/mia/ablation.sh [NODES]   (a position, default 200000; some minutes)
# One JSON line a program goes to records/mia/ablation.jsonl; what is there is not run again. The
# table goes to records/mia/ablation.txt.
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
nodes=${1:-200000}
for program in mia-plus mia-plus:null=off mia-plus:multicut=off mia-plus:realisation=off mia-plus:etc=off mia-plus:quiescence=off \
    mia-plus:wins=off mia-plus:threats=off mia-plus:killers=off mia-plus:classes=off mia-plus:history=off mia-plus:table=0 \
    mia-classic:wins=on,threats=on mia-classic:wins=off,threats=on mia-classic:threats=off,wins=on mia-classic \
    mia mia-iii:wins=on,threats=on; do
    line ablation.jsonl solve loa --positions testdata/positions/loa-endgames.tsv \
        --algorithm "$program" --nodes "$nodes"
done
python3 - "$records/ablation.jsonl" <<'PY' | tee "$records/ablation.txt"
import json, re, sys
print(f'{"program":34}{"limit":>10}{"solved":>8}{"wrong":>7}{"nodes":>13}')
for line in open(sys.argv[1]):
    run = json.loads(line)
    limit = re.search(r"--nodes (\d+)", run["command"]).group(1)
    print(f'{run["algorithm"]:34}{limit:>10}{run["solved"]:>8}{run["contradict"]:>7}{run["nodes"]:>13}')
PY
