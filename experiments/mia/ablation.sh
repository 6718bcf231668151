#!/usr/bin/env bash
# What each part of mia is good for: endgames of real games solved and nodes taken, with the whole
# program and with each part switched off.
# Run: experiments/mia/ablation.sh [NODES]   (a position, default 200000; some minutes)
# One JSON line a program goes to records/mia/ablation.jsonl; what is there is not run again. The
# table goes to records/mia/ablation.txt.
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
nodes=${1:-200000}
for program in mia mia:null=off mia:multicut=off mia:realisation=off mia:etc=off mia:quiescence=off \
    mia:wins=off mia:threats=off mia:killers=off mia:classes=off mia:history=off mia:table=0 \
    mia-classic mia-classic:wins=off mia-classic:threats=off mia-classic:wins=off,threats=off \
    mia:wins=off,threats=off mia-iii; do
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
