#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tests the Debian packages in a root that nothing else was installed in:
# debootstrap makes it from the archives that this machine installs from, apt
# installs the packages there, and each promise of them is tried: a run, the
# man page, completion, a mutant, the plugin in tshark.  Then they are removed,
# and nothing of them may be left.
#
# Usage: tests/package/fresh_root.sh DIR    DIR holds the .deb files
#        ROOT=FOLDER                         a root that debootstrap made before
#                                            is copied from there, or made there
# Exit status: 0 all kept, 1 a promise is broken, 77 there can be no root here.
set -u

[ $# = 1 ] || {
    sed -n '/^# Usage/,/^# Exit/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
skip() {
    echo "fresh_root: skipped: $*" >&2
    exit 77
}
debs=$(cd "$1" && pwd) || exit 2
[ "$(id -u)" = 0 ] || skip 'root makes roots'
for tool in debootstrap chroot apt-get unshare; do
    command -v $tool >/dev/null || skip "$tool is not installed"
done

work=$(mktemp -d /var/tmp/rung-root.XXXXXX) || exit 2
root=$work/root
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' |
    sed -n "s/^$suite //p" | head -n 1)
[ -n "$mirror" ] || skip 'apt knows no archive of this release'
unshare --mount --pid --fork --mount-proc true 2>/dev/null ||
    skip 'no namespaces for processes and mounts'

if [ -n "${ROOT-}" ] && [ -d "$ROOT" ]; then
    cp -a "$ROOT" "$root"
else
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" \
        "$mirror" >"$work/log" 2>&1 || {
        tail -n 5 "$work/log" >&2
        skip 'debootstrap made no root'
    }
    [ -z "${ROOT-}" ] || cp -a "$root" "$ROOT"
fi
# The archives and proxies of this machine; no documents are left out.
rm -rf "$root/etc/apt"
cp -a /etc/apt "$root/etc/apt"
cp -a /usr/share/keyrings/. "$root/usr/share/keyrings/"
rm -f "$root/etc/apt/apt.conf.d/"*docker* "$root/etc/dpkg/dpkg.cfg.d/"*docker*
cp /etc/resolv.conf "$root/etc/resolv.conf"
mkdir "$root/debs"
cp "$debs"/*.deb "$root/debs/"

failed=0
# in_root COMMAND: without the environment and the processes of this machine.
in_root() {
    unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        LC_ALL=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive sh -c "$1"
}
# try WHAT COMMAND PATTERN: its output must have a line with PATTERN.
try() {
    if in_root "$2" >"$work/out" 2>&1 && grep -q -- "$3" "$work/out"; then
        echo "ok      $1"
        return
    fi
    echo "FAILED  $1: $2"
    sed 's/^/    /' "$work/out" | tail -n 20
    failed=1
}
inventory() {
    (cd "$root" && find usr etc opt -not -type d -not -name '*.pyc' \
        -not -path 'etc/ld.so.cache' | sort)
}

in_root 'apt-get -qq update' >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}

# The first verdict of a newcomer: two commands.
echo '$ apt-get install ./rung_*.deb'
try 'install rung alone' \
    'apt-get install -qq -y --no-install-recommends /debs/rung_*.deb' \
    'Setting up rung '
echo '$ rung run --dut virtual'
try 'first verdict' 'cd /tmp && rung run --dut virtual uet/rud' ' 0 fail'
try 'every library is there' 'ldd /usr/bin/rung | grep -c "not found" | cat' \
    '^0$'
try 'over UDP, to a process' 'cd /tmp && rung run --dut ref uet/rud/ack-lost' \
    '2 pass'
try 'reports' 'cd /tmp && rung run --dut virtual --out o srd >/dev/null
    grep -c "<html" o/report.html' 1
try 'under 5 MB' \
    'dpkg-query -W -f "\${Installed-Size}\n" rung | grep -x "[1-4][0-9]\{3\}"' .
try 'a mutant says where it is' \
    'rung run --dut virtual --mutant cack-over-uncleared uet/rud; :' 'mutant'

in_root 'apt-get install -qq -y --no-install-recommends man-db tshark >/dev/null' \
    >"$work/log" 2>&1 || tail -n 5 "$work/log"
inventory >"$work/before"
in_root 'dpkg -P rung' >/dev/null 2>&1

# A program that uses the library, built as its documents say and run where the
# compiler and the header are gone.
inventory >"$work/clean"
try 'install the library' 'apt-get install -qq -y --no-install-recommends \
    /debs/librung0_*.deb /debs/librung-dev_*.deb gcc libc6-dev pkg-config' \
    'Setting up librung-dev '
try 'build the examples' 'cd && for e in judge device; do
    cc -o $e /usr/share/doc/librung-dev/examples/$e.c \
        $(pkg-config --cflags --libs librung) || exit 1
    done; ls judge device' device
in_root 'apt-get purge -qq -y --autoremove librung-dev gcc libc6-dev pkg-config' \
    >/dev/null 2>&1
try 'judge with the library' 'cd && ./judge; :' 'UET-ACK-26/dst'
try 'run a case with the library' 'cd && ./device' '^pass'
in_root 'cd && rm judge device; apt-get purge -qq -y --autoremove librung0' \
    >/dev/null 2>&1

try 'install all' 'apt-get install -qq -y --no-install-recommends /debs/*.deb' \
    'Setting up rung-mutants'
try 'man page' 'man rung-run | cat' 'EXIT STATUS'
try 'man page of a file' 'man 5 rung-case | cat' 'language of test cases'
try 'completion' 'bash -c ". /usr/share/bash-completion/completions/rung
    COMP_WORDS=(rung run --mutan) COMP_CWORD=2
    _rung
    printf \"%s\n\" \"\${COMPREPLY[@]}\""' '^--mutant'
try 'a mutant' \
    'rung run --dut virtual --mutant cack-over-uncleared uet/rud/send-gtd; :' \
    'RUD-SEQ-76/dst'
try 'doctor finds the plugin' 'rung doctor; :' 'plugin.*rung.so'
try 'the plugin decodes' 'cd /tmp &&
    rung run --dut virtual --out p uet/rud/ack-lost@target >/dev/null &&
    tshark -C rung -r p/cases/uet/rud/ack-lost@target/*.pcapng -Y uet.psn' \
    'rud_req psn='
try 'copyright and changelog' 'for p in rung rung-mutants rung-wireshark librung0 librung-dev; do
    ls /usr/share/doc/$p/copyright /usr/share/doc/$p/changelog.gz; done' \
    librung-dev/changelog.gz
try 'remove' 'apt-get purge -qq -y "rung*" "librung*"' \
    'Removing rung '
inventory >"$work/after"
if diff "$work/clean" "$work/after" >"$work/out" && [ -s "$work/after" ]; then
    echo 'ok      nothing is left'
else
    echo 'FAILED  something is left, or gone:'
    head -n 20 "$work/out"
    failed=1
fi
exit $failed
