#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs the benchmarks of the release preset and prints one JSON document.
# BENCH_SECONDS says how long each measurement lasts (default 1).
#
# Usage: sh bench/run.sh [BUILD_DIR]
set -eu
cd "$(dirname "$0")/.."
bin=${1:-build}/bin

printf '{"schema": "rung.bench/1"'
for name in coupled pdcs srd wqe codec cases check report flood rules react; do
    if [ -x "$bin/bench_$name" ]; then
        json=$("$bin/bench_$name")
        printf ',\n "%s": %s' "$name" "$json"
    fi
done
printf ',\n "browser": %s' "$(python3 bench/browser.py "${1:-build}")"
printf ',\n "real": %s' "$(python3 bench/real.py "$bin" \
    --packets 20000 --runs 1 --few)"
for name in send bridge; do # null where there can be no namespaces
    printf ',\n "%s": %s' "$name" \
        "$(python3 "bench/$name.py" "${1:-build}" || echo null)"
done
printf ',\n "dissect": %s}\n' "$(python3 bench/dissect.py \
    "${1:-build}/plugins" --packets 5000 --runs 1 --pdcs 500)"
