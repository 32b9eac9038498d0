#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks the tree, from a clean checkout: installs packages (Debian 12, as root
# or with sudo), builds, tests, and prints a summary.
#
# Usage: sh tools/check.sh          the lints, unit tests, every case, and a
#                                   sample of mutants and variants: minutes
#        sh tools/check.sh --all    everything, with both compilers, sanitizers
#                                   and fuzzing: half an hour on two cores
#        sh tools/check.sh --nightly
#                                   longer forms of its tests: more seeds, more
#                                   random runs, every schedule, an hour of
#                                   fuzzing, benchmarks: hours
# Exit status: 0 if every stage passed.  A stage that fails does not stop those
# after it.
set -u
cd "$(dirname "$0")/.."
. tools/packages.sh

case ${1-} in
'' | --all | --nightly) ;;
*)
    echo "Usage: sh tools/check.sh [--all | --nightly]" >&2
    exit 2
    ;;
esac
jobs=$(nproc 2>/dev/null || echo 2)
fuzz_seconds=60
summary=
failed=0

# stage NAME COMMAND...
stage() {
    name=$1
    shift
    printf '\n==== %s\n' "$name"
    began=$(date +%s)
    if ("$@"); then
        result=ok
    else
        result=FAILED
        failed=1
    fi
    took=$(($(date +%s) - began))
    summary="$summary$(printf '%-8s %5ss  %s' "$result" "$took" "$name")
"
}

packages() {
    # shellcheck disable=SC2086
    need_packages $BUILD_PACKAGES $1
}

lints() {
    bad=0
    python3 tools/floors.py || bad=1
    for what in spdx paths cases columns cites names rooms heads format prose; do
        python3 tools/lint.py "$what" || bad=1
    done
    # 77: an archive of the sources has no history.
    python3 tools/lint.py commits || [ $? = 77 ] || bad=1
    return $bad
}

build() {
    preset=$1
    shift
    cmake --preset "$preset" "$@" >build/configure.log 2>&1 || {
        cat build/configure.log
        return 1
    }
    cmake --build --preset "$preset" -j "$jobs" -- --quiet
}

# What passed is only counted.
tests() {
    preset=$1
    shift
    ctest --preset "$preset" -j "$jobs" "$@" >"build/ctest-$preset.log" 2>&1
    code=$?
    grep -vE '^ *Start|\.\.\. +Passed ' "build/ctest-$preset.log"
    return $code
}

# What a newcomer waits for: the same tests as in --all, with the build that
# quickstart.sh has made, but for those that take long or need other packages.
quick() {
    build release && python3 tests/cli/width.py build/bin/rung && tests release \
        -R '^(base|wire|oracle|judge|gen|suite|reports|lint)\.' \
        -E '^lint\.(floors|spdx|paths|cases|names|rooms|heads|format|prose|commits)$'
}

# A seed that nobody has chosen finds what depends on chance.
cases() {
    seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
    for each in 1 "$seed"; do
        build/bin/rung run --dut virtual --quiet --seed "$each" || return 1
    done
}

sample() {
    python3 tests/mutants/sample.py build/bin/rung .
}

variants() {
    python3 tests/variants/matrix.py build/bin/rung . --sample 30
}

# -g1 is enough for the lines of a report, and hundreds of programs link faster.
# The lints have run already.  Foreign endpoints, the installation and packages
# run with the optimised build; peer.cases shows one endpoint to the sanitizers.
dev() {
    build dev -DCMAKE_C_FLAGS_DEBUG=-g1 && tests dev -E '^(lint\.(floors|spdx|paths|cases|names|rooms|heads|format|prose|commits)|cli\.(install|width)|docs\.site|package\.ci|peer\.(srd|wqe|go|late|pair\..*|adapter\..*))$'
}

# A test that does the same in both builds has run with sanitizers.  The others
# need mutants or Wireshark, or are long, or bound by real time.
release() {
    build release -DWERROR=ON -DCMAKE_C_FLAGS_RELWITHDEBINFO='-O2 -g1' && tests release \
        -R '^((mutants|variants|docs|html|lib|package|peer|seeds|soak|dissector|lab|hostile)\.|declared|fabric\.mutants$|cli\.(check\.mutants|completions|explore|formats|install|lab|probe\.mutants|readme|roles|tutorials|usage|variants|width)$|lint\.mutate$)' \
        -E '^(peer\.(cases|golden.*)|declared|declared\.kept|package\.debian|lab\.slurm)$'
}

# What fuzz() has not compiled: tests, benchmarks, the library and the plugin.
# clang warns before it optimises or links.
with_clang() {
    cmake --preset clang -DMUTANTS=OFF -DCMAKE_BUILD_TYPE=Debug >build/configure.log 2>&1 || {
        cat build/configure.log
        return 1
    }
    python3 tools/objects.py build/clang build/fuzz >build/clang/objects &&
        [ -s build/clang/objects ] &&
        xargs ninja -C build/clang -j "$jobs" --quiet <build/clang/objects
}

# Seeds stay as they are; what is found is kept in the build folder.
fuzz() {
    build fuzz || return 1
    set --
    for target in build/fuzz/bin/*; do
        [ -x "$target" ] && set -- "$@" "$target"
    done
    [ $# -gt 0 ] || {
        echo 'There is no fuzz target.'
        return 0
    }
    # Two at a time: the seconds are those of the clock.
    each=$((fuzz_seconds / (($# + 1) / 2)))
    bad=0
    while [ $# -gt 0 ]; do
        fuzz_one "$1" "$each" &
        one=$!
        two=
        if [ $# -gt 1 ]; then
            shift
            fuzz_one "$1" "$each" &
            two=$!
        fi
        shift
        wait "$one" || bad=1
        if [ -n "$two" ]; then
            wait "$two" || bad=1
        fi
    done
    return $bad
}

fuzz_one() {
    word=$(basename "$1")
    mkdir -p "build/fuzz/corpus/$word"
    seeds="fuzz/corpus/$word"
    [ -d "$seeds" ] || seeds=
    # It says a lot, and is not to say it.
    quiet=
    [ "$word" = report ] && quiet=-close_fd_mask=3
    # shellcheck disable=SC2086
    if "$1" $quiet -max_total_time="$2" -rss_limit_mb=2048 -timeout=10 -verbosity=0 \
        -print_final_stats=1 -artifact_prefix="build/fuzz/$word-" \
        "build/fuzz/corpus/$word" $seeds >"build/fuzz/$word.log" 2>&1; then
        rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "build/fuzz/$word.log")
        echo "$word: $2 s, ${rate:-?} inputs a second, nothing found"
    else
        cat "build/fuzz/$word.log"
        echo "$word: failed"
        return 1
    fi
}

bench() {
    BENCH_SECONDS=0.2 BENCH_JOBS=$jobs sh bench/run.sh >build/bench.json &&
        python3 -m json.tool build/bench.json
}

# The longer form of each test of --all that takes a count or a seed.
more_seeds() {
    python3 tools/seeds.py --seeds 20 build/bin/rung
}

more_soak() {
    for family in uet srd wqe roce; do
        python3 tests/soak/captures.py build/bin/rung build/bin/rung_soak \
            --runs 400 --family "$family" || return 1
    done
}

more_attacks() {
    for name in killed full_disk planted two_runs; do
        python3 "tests/hostile/$name.py" build/bin/rung --count 100 || return 1
    done
}

peers_matrix() {
    python3 tests/peer/matrix_test.py build/bin/rung --all
}

all_schedules() {
    build/bin/rung explore --all --requests 3 --faults 2 --quiet
}

packages_in_a_root() {
    tests release -R '^package\.debian$'
}

# What tools/optimised.sh builds must decide as the release build does.
optimised() {
    sh tools/optimised.sh &&
        python3 tools/same_results.py build/bin/rung build/optimised/bin/rung \
            --sample 20 --explore 1000
}

# The check of everything draws 500 of these captures, and 200 of these mutants.
all_dissected() {
    python3 tests/wireshark/suite.py build/bin/rung build/plugins &&
        python3 tests/wireshark/mutants.py build/bin/rung build/plugins cases
}

wireshark_window() {
    tests release -R '^dissector\.gui$'
}

# The check of everything draws 200 combinations, and runs declarations in pairs.
all_variants() {
    python3 tests/variants/matrix.py build/bin/rung . &&
        tests release -R '^declared$'
}

slurm_cluster() {
    tests release -R '^lab\.slurm$'
}

full_bench() {
    sh bench/run.sh >build/bench.json && python3 -m json.tool build/bench.json
}

mkdir -p build
if [ "${1-}" = --nightly ]; then
    fuzz_seconds=3600
    stage 'packages' packages "$CHECK_PACKAGES $NIGHTLY_PACKAGES"
    stage 'build' build release
    stage 'seeds: 20 against the reference and the Python endpoint' more_seeds
    stage 'soak: captures of 400 runs of each family' more_soak
    stage 'attacks on the folder of results: 100 of each' more_attacks
    stage 'explore: every schedule of 3 requests and 2 faults' all_schedules
    stage 'optimised program: the results of the release build' optimised
    stage 'every endpoint against every other one, over UDP' peers_matrix
    stage 'packages in a fresh root' packages_in_a_root
    stage 'plugin: the captures of every case and mutant' all_dissected
    stage 'captures in the window of Wireshark' wireshark_window
    stage 'variants: every combination; declarations: every one' all_variants
    stage 'a job array on a Slurm cluster of one node' slurm_cluster
    stage "fuzz: $fuzz_seconds s in all" fuzz
    stage 'bench' full_bench
elif [ "${1-}" = --all ]; then
    stage 'packages' packages "$CHECK_PACKAGES"
    stage 'lint: floors, licences, paths, cases, names, rooms, heads, format, prose, commits' lints
    stage 'gcc, ASan and UBSan, warnings are errors: all tests' dev
    stage 'gcc, optimised: cases, mutants, command line, peer, plugin' release
    stage 'every case, with seed 1 and a fresh one' cases
    stage "clang, warnings are errors: fuzz targets, $fuzz_seconds s in all" fuzz
    stage 'clang, warnings are errors: what has no fuzz target' with_clang
    stage 'bench: runs and prints JSON' bench
else
    stage 'packages' packages clang-format
    stage 'lint: floors, licences, paths, cases, names, rooms, heads, format, prose, commits' lints
    stage 'unit tests' quick
    stage 'every case, with seed 1 and a fresh one' cases
    stage 'mutants: a sample' sample
    stage 'variants: a sample' variants
fi

printf '\n==== Summary\n%s' "$summary"
if [ "$failed" != 0 ]; then
    echo 'Not all is well.'
    exit 1
fi
[ -n "${1-}" ] || echo 'sh tools/check.sh --all tests everything.'
echo 'All is well.'
