#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs the benchmarks of the release preset and prints one JSON document.
# BENCH_SECONDS says how long each measurement lasts (default 1).  BENCH_JOBS
# runs so many benchmarks at a time (default 1), which shows that they run: with
# more than one the figures say nothing.
#
# Usage: sh bench/run.sh [BUILD_DIR]
#        sh bench/run.sh BUILD_DIR NAME    prints the JSON of one benchmark
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
bin=$build/bin

one() {
    case $1 in
    browser | explore) python3 "bench/$1.py" "$build" ;;
    flows)
        python3 bench/flows.py "$bin" --flows 1000 --packets 20000 --runs 1
        ;;
    real) python3 bench/real.py "$bin" --packets 20000 --runs 1 --few ;;
    # null where there can be no namespaces
    send | bridge) python3 "bench/$1.py" "$build" || echo null ;;
    live) python3 bench/live.py "$build" --few || echo null ;;
    dissect)
        python3 bench/dissect.py "$build/plugins" --packets 5000 --runs 1 --pdcs 500
        ;;
    *) "$bin/bench_$1" ;;
    esac
}

if [ $# -gt 1 ]; then
    one "$2"
    exit
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
names=
for name in coupled pdcs fabric srd wqe codec cases check report flood rules react \
    browser real flows send bridge live dissect explore; do
    case $name in
    browser | real | flows | send | bridge | live | dissect | explore) ;;
    *) [ -x "$bin/bench_$name" ] || continue ;;
    esac
    names="$names $name"
done
# shellcheck disable=SC2086
printf '%s\n' $names | xargs -P "${BENCH_JOBS:-1}" -I '{}' \
    sh -c 'sh bench/run.sh "$1" "$2" >"$3/$2"' - "$build" '{}' "$dir"
printf '{"schema": "rung.bench/1"'
for name in $names; do
    printf ',\n "%s": %s' "$name" "$(cat "$dir/$name")"
done
echo '}'
