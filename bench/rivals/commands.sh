#!/usr/bin/env bash
# CPU time of whole processes, in turns: `scoresheet pack` and `scoresheet unpack` by one thread, beside a process
# that reads the same file and merely checks its moves with pgn-reader and shakmaty. What a process of its
# own costs (starting, reading the file, memory that is touched for the first time) is in it; writing the text to
# a disk is not, as it is sent nowhere.
#
# usage: bench/rivals/commands.sh FILE.pgn [ROUNDS]
set -euo pipefail

[ $# -gt 0 ] || { echo "usage: $0 FILE.pgn [ROUNDS]" >&2; exit 2; }
pgn=$1
rounds=${2:-15}
here=$(cd "$(dirname "$0")" && pwd)
cargo build --release --quiet --manifest-path "$here/Cargo.toml" --bin pgn_check
cargo build --release --quiet --manifest-path "$here/../../Cargo.toml"
check=${CARGO_TARGET_DIR:-$here/target}/release/pgn_check
scoresheet=${CARGO_TARGET_DIR:-$here/../../target}/release/scoresheet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the seconds of user and system that a command takes.
cpu() {
    local TIMEFORMAT='%3U %3S'
    { time "$@" >/dev/null 2>"$work/err"; } 2>&1 | awk '{ print $1 + $2 }'
}

for _ in $(seq "$rounds"); do
    c=$(cpu "$check" "$pgn")
    p=$(cpu "$scoresheet" pack "$pgn" -o "$work/a.scoresheet" --force --threads 1)
    u=$(cpu "$scoresheet" unpack "$work/a.scoresheet" -o - --threads 1)
    echo "$c $p $u"
done >"$work/times"
"$scoresheet" unpack "$work/a.scoresheet" -o - | cmp - "$pgn"

median() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }
for field in 2 3; do
    name=$([ $field = 2 ] && echo pack || echo unpack)
    ratio=$(awk -v f=$field '{ print $1 / $f }' "$work/times" | median)
    mine=$(awk -v f=$field '{ print $f }' "$work/times" | median)
    theirs=$(awk '{ print $1 }' "$work/times" | median)
    echo "$name: $mine s of CPU time, checking moves $theirs s, ratio $ratio (median of $rounds rounds)"
done
