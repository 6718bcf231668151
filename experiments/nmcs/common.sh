# Shared by the scripts of this folder: cells of a table as matches with a fixed seed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
records=$root/records/nmcs
mkdir -p "$records"
cargo build --release --quiet --manifest-path "$root/Cargo.toml"

GAMES="breakthrough breakthrough-misere knightthrough knightthrough-misere domineering
domineering-misere nogo nogo-misere atarigo"

# cell TABLE GAME A B OPTION ...: runs a match unless its line is there.
cell() {
    local file=$records/$1.jsonl command="${*:2}"
    touch "$file"
    if ! grep -qF "\"command\":\"$command\"" "$file"; then
        local result
        result=$("$root/target/release/spinney" match "${@:2}" --seed 1 --json)
        printf '{"command":"%s",%s\n' "$command" "${result#\{}" >> "$file"
    fi
}

# summary TABLE: a line a cell, win % of the first player with its 95 % interval.
summary() {
    python3 - "$records/$1.jsonl" <<'PY'
import json, sys
for line in open(sys.argv[1]):
    cell = json.loads(line)
    low, high = (100 * bound for bound in cell["interval"])
    print(f'{cell["game"]:21} {cell["a"]:40} {100 * cell["score_a"]:5.1f} % [{low:.1f}, {high:.1f}]')
PY
}
