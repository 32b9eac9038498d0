#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that a device passes that reads packets late, but within its declared
times.

The endpoint carries out requests of the control channel at once and looks at
packets 10 or 20 ms after they arrived, as on a loaded machine.  Its declaration
allows that: an answer is due after 5 ms, with a tolerance of 150 ms.

Usage: late_test.py RUNG
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
RUNS = (
    # The next request of the device shows whether the device has read an ACK.
    ("10", "uet/rud/send-gtd*@initiator", "uet/rud/send-nongtd*@initiator",
     "uet/rod/send*@initiator", "uet/rud/clear/*@initiator"),
    # A retransmission of the device crosses the ACK of the tester.
    ("20", "uet/rud/nack/acked-psn*@initiator"),
)


def run(decl, late, *cases):
    """The exit status of timely.py."""
    dut = f"exec:{sys.executable} -B {HERE / 'peer.py'} --udp {{dut}} " \
          f"--late {late}"
    return subprocess.run(
        [sys.executable, HERE.parent / "timely.py", sys.argv[1], "run", "-j",
         "4", "--quiet", "--dut", dut, "--decl", decl, *cases],
        check=False).returncode


def main():
    text, n = re.subn(r"(?m)^(timer +ack_time +)\S+", r"\g<1>5ms",
                      (HERE / "peer.decl").read_text())
    assert n == 1, "peer.decl has no ack_time"
    with tempfile.TemporaryDirectory() as where:
        decl = pathlib.Path(where, "late.decl")
        decl.write_text(text)
        return max(run(decl, *one) for one in RUNS)


if __name__ == "__main__":
    sys.exit(main())
