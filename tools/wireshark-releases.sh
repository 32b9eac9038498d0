#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds the plugin for the Wireshark of other Debian releases and runs its
# tests there: 4.4 in Debian 13, 4.6 in sid.  Each gets a throw-away root, so
# this needs root, debootstrap and the distribution's mirror; some 2 GB and ten
# minutes.  It is no part of tools/check.sh.
#
# Usage: sh tools/wireshark-releases.sh [RELEASE...]       (default: trixie sid)
#        MIRROR=... and ROOTS=... say where from and where to
set -eu
cd "$(dirname "$0")/.."
mirror=${MIRROR:-http://deb.debian.org/debian}
roots=${ROOTS:-$(mktemp -d)}
packages=gcc,libc6-dev,cmake,ninja-build,pkg-config,python3,binutils
packages=$packages,libjansson-dev,libisal-dev,libcmocka-dev,libpcap-dev
packages=$packages,zlib1g-dev,libzstd-dev,libssl-dev,libyaml-dev,libsqlite3-dev,libnet1-dev
packages=$packages,libxdp-dev,libbpf-dev
packages=$packages,libwireshark-dev,libglib2.0-dev,tshark

[ "$(id -u)" = 0 ] || {
    echo 'This needs root: it makes roots of other releases.' >&2
    exit 2
}
command -v debootstrap >/dev/null || {
    echo 'debootstrap is not installed.' >&2
    exit 2
}

# A release in the making does not always configure; what was unpacked is
# enough, as long as tshark starts.
make_root() {
    [ -x "$roots/$1/usr/bin/tshark" ] && return 0
    debootstrap --variant=minbase --include="$packages" "$1" "$roots/$1" \
        "$mirror" >"$roots/$1.log" 2>&1 ||
        chroot "$roots/$1" tshark --version >/dev/null 2>&1 || {
        tail -n 5 "$roots/$1.log"
        return 1
    }
}

# Runs in the root.
build_and_test='
set -e
cd /src
cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo >configure.log
ninja -C build plugin wireshark_stub >build.log || { tail build.log; exit 1; }
tshark --version 2>/dev/null | head -n 1
python3 tests/wireshark/plugin.py dissector/golden build/plugins \
    build/tests/wireshark-stub
python3 tests/wireshark/fuzz.py fuzz/corpus dissector/golden build/plugins
'

try_release() {
    make_root "$1" || return 1
    rm -rf "$roots/$1/src"
    mkdir "$roots/$1/src"
    git archive HEAD | tar -x -C "$roots/$1/src"
    mount -t proc proc "$roots/$1/proc"
    result=0
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$roots/$1" \
        sh -c "$build_and_test" || result=1
    umount "$roots/$1/proc"
    return $result
}

bad=0
for release in "${@:-trixie sid}"; do
    for one in $release; do
        echo "== $one"
        try_release "$one" || {
            echo "$one: failed"
            bad=1
        }
    done
done
echo "The roots are in $roots"
exit $bad
