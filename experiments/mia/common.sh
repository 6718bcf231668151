# Shared by the scripts of this folder.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
records=$root/records/mia
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
