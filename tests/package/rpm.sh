#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds packaging/rung.spec on Debian, whose libraries rpm does not know, and
# lets rpmlint read the spec and the package.  It builds the program anew: by
# hand.
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
rpm=$(find "$work/RPMS" -name 'rung-0.1.0-*.rpm' | head -n 1)
rpm -qlp "$rpm" | grep -E '/bin/rung$|man1/rung-run.1'
rpmlint -c packaging/rpmlint.toml packaging/rung.spec "$rpm"
