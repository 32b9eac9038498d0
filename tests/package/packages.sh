#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the Debian packages of a build, lets lintian read them, and tries them in
# a fresh root (fresh_root.sh).
#
# Usage: tests/package/packages.sh BUILD
# Exit status: 0 all is well, 1 not, 77 a tool is missing, or there can be no
# root here.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=$(cd "${1:?Usage: tests/package/packages.sh BUILD}" && pwd) || exit 2
for tool in cpack dpkg-shlibdeps lintian; do
    command -v $tool >/dev/null || {
        echo "packages: skipped: $tool is not installed" >&2
        exit 77
    }
done
work=$(mktemp -d /var/tmp/rung-debs.XXXXXX) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

cpack -G DEB -B "$work" --config "$build/CPackConfig.cmake" \
    >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
ls -l "$work"/*.deb
# A package must not claim more than it takes, 4 KiB for a folder or a link.
for deb in "$work"/*.deb; do
    says=$(dpkg-deb -f "$deb" Installed-Size)
    holds=$(dpkg-deb -c "$deb" | awk '{ n += $3 } END { print int(n / 1024) }')
    files=$(dpkg-deb -c "$deb" | wc -l)
    [ "$says" -le $((holds + 4 * files)) ] || {
        echo "packages: $deb: Installed-Size $says, but it holds $holds KiB" >&2
        exit 1
    }
done
# All mutants are alike to lintian, and reading hundreds takes it minutes.
lintian --allow-root --fail-on error "$work"/rung_*.deb \
    "$work"/rung-wireshark_*.deb "$work"/librung*.deb || exit 1
sh tests/package/fresh_root.sh "$work"
