#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds packaging/rung.spec on Debian, whose libraries rpm does not know, and
# lets rpmlint read the spec and the packages.  Unpacked side by side, they give
# the program, and the library to a program that is built with it.  It builds
# anew: by hand.
#
# Usage: tests/package/rpm.sh
# Exit status: 0 all is well, 1 not, 77 there is no rpmbuild or rpmlint.
set -eu
cd "$(dirname "$0")/../.."
for tool in rpmbuild rpmlint; do
    command -v $tool >/dev/null || {
        echo "rpm: skipped: $tool is not installed" >&2
        exit 77
    }
done
work=$(mktemp -d /var/tmp/rung-rpm.XXXXXX)
trap 'rm -rf "$work"' EXIT
git archive --prefix=rung-0.1.0/ -o "$work/rung-0.1.0.tar.gz" HEAD
rpmbuild -bb --nodeps --define "_topdir $work" --define "_sourcedir $work" \
    packaging/rung.spec >"$work/log" 2>&1 || {
    tail -n 30 "$work/log"
    exit 1
}
mkdir "$work/root"
for name in rung librung0 librung-devel; do
    rpm=$(find "$work/RPMS" -name "$name-0.1.0-*.rpm" | head -n 1)
    rpmlint -c packaging/rpmlint.toml packaging/rung.spec "$rpm"
    (cd "$work/root" && rpm2cpio "$rpm" | cpio -idm --quiet)
done
"$work/root/usr/bin/rung" run --dut virtual --quiet
[ -f "$work/root/usr/share/man/man1/rung-run.1.gz" ]
lib=$(dirname "$(find "$work/root" -name librung.pc)")
# librung.pc finds its prefix from where it stands.
# shellcheck disable=SC2046
cc "$work/root/usr/share/doc/librung-devel/examples/judge.c" -o "$work/judge" \
    $(PKG_CONFIG_PATH=$lib pkg-config --cflags --libs librung)
LD_LIBRARY_PATH=${lib%/pkgconfig} "$work/judge" | grep UET-ACK-26/dst
