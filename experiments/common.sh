# Shared by the scripts of the papers' folders: results go to records/ of the same name as the folder.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
records=$root/records/$(basename "$here")
mkdir -p "$records"
cargo build --release --quiet --manifest-path "$root/Cargo.toml"
spinney=${CARGO_TARGET_DIR:-$root/target}/release/spinney

# line FILE COMMAND ...: appends the last line that `spinney COMMAND ... --json` prints to a record,
# with the command in front, unless it is there.
line() {
    local file=$records/$1 command="${*:2}"
    touch "$file"
    if ! grep -qF "\"command\":\"$command\"" "$file"; then
        local result
        result=$(cd "$root" && "$spinney" "${@:2}" --json | tail -n 1)
        printf '{"command":"%s",%s\n' "$command" "${result#\{}" >> "$file"
    fi
}

# scores FILE: a line a match, the score of the first player in % with its 95 % interval.
scores() {
    python3 - "$records/$1" <<'PY'
import json, sys
for line in open(sys.argv[1]):
    match = json.loads(line)
    low, high = (100 * bound for bound in match["interval"])
    score, games = 100 * match["score_a"], match["games"]
    print(f'{match["game"]:21} {match["a"]:32} {match["b"]:32} {games:5} games {score:5.1f} % [{low:.1f}, {high:.1f}]')
PY
}
