#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every case against "rung serve" over UDP on loopback, in real time."""
import subprocess

from lib import CASE, RUNG, main, results


def beyond(case):
    """A few need what UDP sockets do not do."""
    return case["verdict"] == "na" and "link" in case["reason"]


def test_all_cases():
    doc = results("--dut", "ref", "-j", "4", "--out", "out", code=None,
                  timeout=280)
    assert len(doc["cases"]) > 500
    late = [f'{c["verdict"]} {c["id"]}: {c["reason"]}' for c in doc["cases"]
            if c["verdict"] != "pass" and not beyond(c)]
    assert not late, "\n".join(late)


def test_runs_side_by_side():
    """Two programs at once take different addresses."""
    runs = [subprocess.Popen([RUNG, "run", "--dut", "ref", "--repeat", "5",
                              CASE], stdout=subprocess.DEVNULL)
            for _ in range(4)]
    assert [r.wait(timeout=60) for r in runs] == [0] * 4


if __name__ == "__main__":
    main(globals())
