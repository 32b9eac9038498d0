#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A run in real time, on a machine that may stop for a moment.

The program then says who was late, itself or the device, and the case is
inconclusive: that is right, and no fault of what is tested, as long as it is
rare.  Anything
else but a pass, or a case that is not applicable, fails the test.

Usage: timely.py COMMAND...      which runs cases, and takes --json FILE
Exit status: 0; 77 where the command was skipped; 1
"""
import json
import pathlib
import subprocess
import sys
import tempfile

LATE = ("the tester was ", "the device was ")  # suite/run/run.c
RARE = 50  # one case of so many, or one


def late(case):
    """Whether a case decided nothing because the machine had stopped."""
    return case["verdict"] == "inconclusive" and \
        case["reason"].startswith(LATE)


def undecided(cases):
    """Those that the machine spoilt; none if there are too many of them."""
    ran = [c for c in cases if c["verdict"] != "na"]
    spoilt = [c for c in ran if late(c)]
    assert len(spoilt) <= 1 + len(ran) // RARE, \
        f"{len(spoilt)} of {len(ran)} cases were spoilt: no machine for this"
    return spoilt


def main():
    with tempfile.TemporaryDirectory() as where:
        path = pathlib.Path(where, "results.json")
        code = subprocess.run([*sys.argv[1:], "--json", path],
                              check=False).returncode
        if code in (0, 77):
            return code
        assert code == 3, f"exit {code}"
        cases = json.loads(path.read_text())["cases"]
    rest = [c for c in cases if c["verdict"] not in ("pass", "na")]
    for case in undecided(cases):
        print("spoilt:", case["id"], case["reason"])
        rest.remove(case)
    assert not rest, [(c["id"], c["reason"]) for c in rest]
    return 0


if __name__ == "__main__":
    sys.exit(main())
