#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Passes every capture that the suite writes through tshark.

All packets must decode in full. If the reference is the device and passes, its
packets have no expert info of severity error.

Usage: suite.py RUNG PLUGIN_DIR [N]    (N captures, drawn at random)
"""
import pathlib
import subprocess
import sys
import tempfile

from shark import ROCE, Shark, drawn, each, joined, need


# A case told the device something that its capture does not show. From the capture
# alone, the packets below are faults.
TOLD = {
    # A verb resets the queue pair, and the PSNs begin anew.
    "cases/wqe/order/reset@initiator", "cases/roce/order/reset@initiator",
    # The device does not check the ICRC, and answers a packet with a wrong one.
    "cases/srd/wire/icrc-off@target",
}


def main():
    rung, plugins = sys.argv[1:3]
    count = int(sys.argv[3]) if sys.argv[3:] else None
    need("tshark", "sharkd")
    shark = Shark(plugins)
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run([rung, "run", "--dut", "virtual", "--quiet",
                               "-j2", "--out", out], check=False,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        captures = sorted(pathlib.Path(out).glob("cases/**/capture.pcapng"))
        assert len(captures) > 100, captures
        captures = drawn(captures, count)
        names = [str(path.parent.relative_to(out)) for path in captures]
        kept = [shark.keep(path) for path in captures]
        bad = packets = 0
        every = shark.keep("all.pcapng", joined([path.read_bytes()
                                                 for path in captures]))
        shark.frames(every, "-o", "uet.whole:no", *ROCE)
        for name, frames in zip(names, each(shark.experts, kept)):
            packets += len(frames)
            for frame in frames:
                judged = frame.inbound and name not in TOLD
                errors = frame.errors() if judged else []
                bad += len(errors)
                for error in errors:
                    print(f"{name} frame {frame.number}: {error}")
    print(f"{len(names)} captures, {packets} packets, {bad} errors")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
