#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that the capture of a failing case explains the failure in Wireshark.

For every mutant whose violation is visible on the wire, the capture of a case
that kills it has an expert info with the violated requirement.

Usage: mutants.py RUNG PLUGIN_DIR CASES_DIR [N]    (N mutants, drawn at random)
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from shark import Shark, drawn, each, need

TOLD = "The case that was run: "
# With another port or protocol, Wireshark does not see a packet of UET.
ELSEWHERE = ("UET-ENC-02/", "UET-ENC-05/")


def read(path):
    """Name, requirement/role, and the first case that kills it."""
    text = path.read_text()
    return (path.stem, re.search(r"^violates +(\S+)", text, re.M)[1],
            re.search(r"^killed-by +(\S+)", text, re.M)[1])


def run(rung, mutant, case, out):
    """Returns the result of a case, or None if it does not fail
    (tests/mutants/matrix.py checks that it fails)."""
    done = subprocess.run(
        [rung, "run", "--dut", "virtual", "--mutant", mutant, "--json", "-",
         "--out", out, case], capture_output=True, text=True, check=False)
    if done.returncode != 1:
        return None
    return json.loads(done.stdout)["cases"][0]


def main():
    rung, plugins, cases = sys.argv[1:4]
    count = int(sys.argv[4]) if sys.argv[4:] else None
    need("tshark", "sharkd")
    shark = Shark(plugins)
    counts = {"judge": 0, "case": 0, "control": 0, "alive": 0}
    missing = []

    def look(path):
        mutant, violates, case = read(path)
        with tempfile.TemporaryDirectory() as out:
            result = run(rung, mutant, case, out)
            if not result:
                return mutant, case, violates, "alive"
            found = [f for f in result["findings"] if
                     f"{f['requirement']}/{f['role']}" == violates]
            if not any(f.get("frame") for f in found):
                return mutant, case, violates, "control"
            capture, = pathlib.Path(out).glob("cases/**/capture.pcapng")
            frames = shark.experts(shark.keep(capture))
        texts = [info[2] for frame in frames for info in frame.infos
                 if f"[{violates}, " in info[2]]
        if any(not text.startswith(TOLD) for text in texts):
            return mutant, case, violates, "judge"
        return mutant, case, violates, "case" if texts else None

    files = sorted(pathlib.Path(cases, "mutants").glob("*.mut"))
    for mutant, case, violates, who in each(look, drawn(files, count)):
        if who or violates.startswith(ELSEWHERE):
            counts[who or "control"] += 1
        else:
            missing.append(mutant)
            print(f"{mutant} in {case}: nothing shows {violates}")
    print(f"shown by the judge: {counts['judge']}, by what the case expected: "
          f"{counts['case']}, not on the wire: {counts['control']}, "
          f"did not fail: {counts['alive']}, "
          f"not shown: {len(missing)}")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
