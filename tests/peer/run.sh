#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks the peer's codec against the golden vectors, then rung against the peer.
#
#   sh tests/peer/run.sh RUNG [OPTION | SELECTOR]...
#
# Exit code: that of rung, or 1 if a vector does not agree, or 124 after 120 s.
set -u
if [ $# -eq 0 ]; then
	echo "usage: $0 RUNG [OPTION | SELECTOR]..." >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd) || exit 2
rung=$1
shift

export PYTHONDONTWRITEBYTECODE=1
python3 "$here/golden_test.py" || exit 1
timeout 120 "$rung" run --quiet -j 2 --decl "$here/peer.decl" \
	--dut "exec:python3 $here/peer.py --udp {dut}" "$@"
