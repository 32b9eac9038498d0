#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests an endpoint that shares no code with the reference in all applicable
cases.

Every case must pass or be na, and at least PASSES must
pass.  Then rung check judges the
captures of the run at both ends: it finds nothing against the endpoint, and
against the tester only what the case violates on purpose. In cases of UET the
tester is not judged, because it reorders packets as a network does.

Usage: stranger_test.py RUNG ENDPOINT DECL SELECTOR PASSES
ENDPOINT is a Python program, or a folder with one in Go, whose own tests run
first. Exit status: 0; 77 without the Go compiler; 1
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import timely  # noqa: E402

JOBS = "4"


# A verb resets the queue pair in these cases.  No packet says so, and the PSNs
# begin anew: from a capture alone that is a fault.
RESETS = {("wqe", "order", "reset@target"), ("wqe", "order", "reset@initiator"),
          ("wqe", "loss", "after-reset@target")}


def program(endpoint, where):
    """The command that starts the endpoint; one in Go is built in a folder."""
    if endpoint.endswith(".py"):
        return f"{sys.executable} -B {endpoint}"
    if not shutil.which("go"):
        sys.exit(77)
    # Nothing is downloaded: the module needs the standard library alone.
    env = {**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GO111MODULE": "on",
           "GOTOOLCHAIN": "local", "GOCACHE": f"{where}/cache"}
    for words in (["vet"], ["test"], ["build", "-o", f"{where}/endpoint"]):
        subprocess.run(["go", *words, "."], cwd=endpoint, env=env, check=True)
    return f"{where}/endpoint"


def run(rung, command, decl, selector, out):
    """The cases of the run, from its results."""
    command = f"exec:{command} --udp {{dut}}"
    code = subprocess.run(
        [rung, "run", "-j", JOBS, "--quiet", "--dut", command, "--decl", decl, "--out", out,
         selector], check=False).returncode
    assert code in (0, 3), f"exit {code}"
    cases = json.loads((out / "results.json").read_text())["cases"]
    rest = [c for c in cases if c["verdict"] not in ("pass", "na")]
    for case in timely.undecided(cases):
        print("spoilt:", case["id"], case["reason"])
        rest.remove(case)
    assert not rest, [(c["id"], c["reason"]) for c in rest]
    return cases


def violated(folder):
    """The rows that the tester breaks on purpose in a case."""
    text = (folder / "case.lad").read_text()
    words = re.findall(r"^violates\s+(.*)", text, re.M)
    return {word.split("/")[0] for line in words for word in line.split()}


def judge(rung, captures):
    """Returns (findings, captures with packets) of rung check."""
    done = subprocess.run([rung, "check", "--json", *captures], capture_output=True, text=True,
                          check=False)
    assert done.returncode in (0, 1), done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return ([x for x in lines if x["type"] == "finding"],
            [x for x in lines if x["type"] == "summary" and x["packets"]])


def main():
    rung, endpoint, decl, selector, passes = sys.argv[1:]
    with tempfile.TemporaryDirectory() as where:
        out = pathlib.Path(where, "out")
        cases = run(rung, program(endpoint, where), decl, selector, out)
        passed = sum(c["verdict"] == "pass" for c in cases)
        assert passed >= int(passes), f"{passed} cases passed, expected {passes}"
        captures = sorted(out.glob("cases/**/capture.pcapng"))
        findings, judged = judge(rung, captures)
        bad = []
        for f in findings:
            folder = pathlib.Path(f["file"]).parent
            first = (folder / "record.jsonl").read_text().partition("\n")[0]
            if folder.parts[-3:] in RESETS:
                continue
            ours = f["side"] == json.loads(first)["tester"]
            # In cases of UET the tester also acts as the network: it reorders
            # packets.
            if not ours or selector[:4] != "uet/" and f["requirement"] not in violated(folder):
                bad.append((str(folder.relative_to(out)), f["requirement"], f["side"], f["text"]))
    assert not bad, bad
    print(f"{passed} of {len(cases)} cases passed, {len(judged)} captures judged, "
          f"{len(findings)} violations of the tester, none of the endpoint")


if __name__ == "__main__":
    main()
