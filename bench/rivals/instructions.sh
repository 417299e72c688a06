#!/bin/sh
# Instructions a node, counted by valgrind: the same on a busy machine as on a quiet one.
# A run to depth 1 is subtracted, which takes away start-up and reading the FEN.
#
# usage: bench/rivals/instructions.sh [CONTESTANT...]      (default: scoresheet cozy-chess)
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/target}
cargo build --release --quiet --manifest-path "$here/Cargo.toml" --bin instructions
program=$target/release/instructions
[ $# -gt 0 ] || set -- scoresheet cozy-chess

# Prints "nodes instructions". callgrind talks on stderr: "Collected : N".
run() {
    log=$(mktemp)
    nodes=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@" 2>"$log")
    awk -v nodes="$nodes" '/Collected/ { print nodes, $NF }' "$log"
    rm -f "$log"
}

printf '%-14s %-10s %5s' case position depth
for contestant in "$@"; do printf ' %12s' "$contestant"; done
printf '\n'
for case in perft-bulk perft-leaves; do
    for work in "start 5" "kiwipete 4"; do
        position=${work% *}
        depth=${work#* }
        printf '%-14s %-10s %5s' "$case" "$position" "$depth"
        for contestant in "$@"; do
            deep=$(run "$contestant" "$case" "$position" "$depth")
            flat=$(run "$contestant" "$case" "$position" 1)
            echo "$deep $flat" | awk '{ printf " %12.1f", ($2 - $4) / $1 }'
        done
        printf '\n'
    done
done
