#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds the program in build/optimised, by link-time optimisation and by a
# profile: a first build counts its branches while it explores, runs the suite,
# judges captures and simulates a network, all in virtual time; the second build
# is optimised by these counts.
#
# Usage: tools/optimised.sh [TARGET...]     (default: rung)
set -eu
cd "$(dirname "$0")/.."
build=build/optimised
rung=$build/bin/rung
jobs=$(nproc 2>/dev/null || echo 2)
# The cache does not know that an object depends on its counts.
export CCACHE_DISABLE=1

# make_with PROFILE LTO TARGET...
make_with() {
    profile=$1 lto=$2
    shift 2
    cmake --preset optimised -DPROFILE="$profile" \
        -DCMAKE_INTERPROCEDURAL_OPTIMIZATION="$lto"
    cmake --build --preset optimised -j "$jobs" --target "$@"
}

# The runs that are counted: users wait for these commands.
count() {
    for family in rud rod rudi uud srd wqe roce; do
        "$rung" explore --dut virtual --only $family --runs 1500
    done
    "$rung" explore --dut virtual --strength 2 --runs 1000
    "$rung" explore --all --requests 2 --faults 1
    "$rung" run --dut virtual
    for cases in 'uet/rud/*' 'srd/*' 'wqe/*'; do
        "$rung" gen --side both --pdcs 20 "$cases" -o $build/counted.pcapng
        "$rung" check $build/counted.pcapng || true # it may lack packets
    done
    "$rung" fabric --bytes 1M
}

# quietly COMMAND...: prints what it says only if it fails.  It does not run
# behind "if", which would switch "set -e" off in it.
quietly() {
    step=$*
    "$@" >"$log" 2>&1
    step=
}

failed() {
    [ -z "$step" ] || { cat "$log"; echo "optimised: failed: $step"; } >&3
}

log=$build.log
step=
mkdir -p build
exec 3>&2
trap failed EXIT
[ $# -gt 0 ] || set -- rung
find $build -name '*.gcda' -delete 2>/dev/null || true
echo 'A build that counts'
quietly make_with count OFF rung
echo 'Runs that are counted'
quietly count
echo 'The build by these counts'
quietly make_with use ON "$@"
# A mutant or variant is sought beside the folder of the program.
for folder in mutants variants; do
    [ ! -d build/$folder ] || ln -sfn ../$folder $build/$folder
done
echo "$rung"
