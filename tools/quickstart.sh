#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# From a clean checkout to a verdict: installs packages (Debian 12, as root or
# with sudo), builds, and runs the suite against the built-in reference endpoint
# over real UDP sockets on loopback.
#
# Usage: sh tools/quickstart.sh [SELECTOR...]
set -eu
cd "$(dirname "$0")/.."
. tools/packages.sh

jobs=$(nproc 2>/dev/null || echo 2)
out=rung-out
shown='uet/rud/ack-lost@target'
mutant=cack-over-uncleared # of the README
killer='uet/rud/send-gtd@target'

say() {
    printf '\n== %s\n' "$*"
}

quietly() {
    log=build/quickstart.log
    mkdir -p build
    if ! "$@" >"$log" 2>&1; then
        cat "$log"
        echo "quickstart: failed: $*" >&2
        exit 1
    fi
}

say 'Packages'
# shellcheck disable=SC2086
need_packages $BUILD_PACKAGES
echo 'All there.'

say 'Build (release)'
quietly cmake --preset release
quietly cmake --build --preset release -j "$jobs" --target rung plugin "mutant_$mutant"
echo 'build/bin/rung, and build/plugins for Wireshark'

say 'Run: every case against "rung serve", over UDP on loopback'
rm -rf "$out"
code=0
# Live cases mostly wait for timers: more workers than processors.
build/bin/rung run --dut ref -j 8 --quiet --out "$out" "$@" || code=$?

# On a busy machine a case is inconclusive when a process had to wait too long.
if [ "$code" -eq 3 ]; then
    say 'Again, one at a time: the inconclusive cases'
    code=0
    set -f # ids have brackets
    # shellcheck disable=SC2046
    set -- $(sed -n 's/^inconclusive  *\([^ ]*\).*/\1/p' "$out/report.txt")
    build/bin/rung run --dut ref --quiet --out "$out/again" "$@" || code=$?
fi

say "One of the ladders: $shown"
build/bin/rung run --dut ref --ladders "$shown" |
    sed -n '/^[^ ]*@[a-z]* /,/^[0-9]* case/p' | sed '/^[0-9]* case/d'

cat <<END

== Where things are
  The report:            $out/report.html  (open it in a browser)
  For programs:          $out/results.json, $out/junit.xml
  Each case:             $out/cases/ID/ with its ladder in full and a capture

== What to try next
  build/bin/rung show '$shown'
                         the case as text, and what the reference does
  build/bin/rung list --reqs
                         every requirement, and the cases that cover it
  build/bin/rung run --dut virtual
                         the same cases in virtual time, in a moment
  build/bin/rung run --dut virtual --mutant $mutant '$killer'
                         what a fail looks like: the reference with a bug in it
  cmake --build --preset release --target mutants
                         hundreds of such bugs, in a minute or two
  README.md              your own device, your own first case
END

say 'The verdict'
for report in "$out/report.txt" "$out/again/report.txt"; do
    [ ! -e "$report" ] || grep '^[0-9]* case' "$report" || true
done
exit "$code"
