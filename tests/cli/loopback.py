#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs every case against "rung serve" over UDP on loopback, in real time."""
import pathlib
import subprocess
import sys

from lib import CASE, RUNG, main, results

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from timely import undecided  # pylint: disable=wrong-import-position


def beyond(case):
    """A few cases need a link that UDP sockets do not provide."""
    return case["verdict"] == "na" and "link" in case["reason"]


def test_all_cases():
    doc = results("--dut", "ref", "-j", "4", "--out", "out", code=None,
                  timeout=280)
    assert len(doc["cases"]) > 500
    spoilt = undecided(doc["cases"])
    wrong = [f'{c["verdict"]} {c["id"]}: {c["reason"]}' for c in doc["cases"]
             if c["verdict"] != "pass" and not beyond(c) and c not in spoilt]
    assert not wrong, "\n".join(wrong)


def test_runs_side_by_side():
    """Two programs at the same time use different addresses."""
    runs = [subprocess.Popen([RUNG, "run", "--dut", "ref", "--repeat", "5",
                              CASE], stdout=subprocess.DEVNULL)
            for _ in range(4)]
    codes = [r.wait(timeout=60) for r in runs]
    assert set(codes) <= {0, 3} and 0 in codes, codes  # 3: the tester was late


def test_memory_of_a_device_that_is_never_reset():
    doc = results("--dut", "ref", "--without", "control", "uet/rud/read*@target",
                  "uet/rud/write*@target", code=None, timeout=120)
    spoilt = undecided(doc["cases"])
    wrong = [f'{c["verdict"]} {c["id"]}: {c["reason"]}' for c in doc["cases"]
             if c["verdict"] not in ("pass", "na") and c not in spoilt]
    assert not wrong, "\n".join(wrong)
    assert sum(c["verdict"] == "pass" for c in doc["cases"]) > 20, doc["totals"]


def test_a_device_that_is_never_reset():
    """What one case leaves in the device does not fail the next ones."""
    serve = subprocess.Popen([RUNG, "serve", "--udp", "127.81.0.2"],
                             stderr=subprocess.PIPE, text=True)
    try:
        assert "listening" in serve.stderr.readline()
        doc = results("--dut", "udp:127.81.0.1,peer=127.81.0.2", "uet/rud/clear",
                      "uet/rud/send-rendezvous*", "uet/rud/write-nongtd-delay",
                      "uet/rud/clear", "uet/rud/edge", code=None, timeout=120)
    finally:
        serve.terminate()
        serve.communicate(timeout=10)
    spoilt = undecided(doc["cases"])
    wrong = [f'{c["verdict"]} {c["id"]}: {c["reason"]}' for c in doc["cases"]
             if c["verdict"] not in ("pass", "na") and c not in spoilt]
    assert not wrong, "\n".join(wrong)
    assert sum(c["verdict"] == "pass" for c in doc["cases"]) > 50, doc["totals"]


if __name__ == "__main__":
    main(globals())
