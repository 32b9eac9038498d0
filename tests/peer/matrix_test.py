#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs the reference and the endpoints of this folder against each other with
rung matrix, over UDP. Every cell passes, but for ends that are configured
differently, which are not applicable.

Usage: matrix_test.py RUNG [--all]
Without --all: the reference and the UET endpoint in Python.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def benches(where, whole):
    python = f"exec:{sys.executable} -B {HERE}"
    yield "peer", f"{python}/peer.py --udp {{dut}}", HERE / "peer.decl"
    if not whole:
        return
    yield "srd", f"{python}/srd_peer.py --udp {{dut}}", HERE / "srd.decl"
    yield "wqe", f"{python}/wqe_peer.py --udp {{dut}}", HERE / "wqe.decl"
    if shutil.which("go"):
        program = pathlib.Path(where, "stranger")
        subprocess.run(["go", "build", "-o", program, "."], cwd=HERE / "go", check=True)
        yield "go", f"exec:{program} --udp {{dut}}", HERE / "go.decl"


def main():
    rung, whole = sys.argv[1], "--all" in sys.argv
    with tempfile.TemporaryDirectory() as where:
        file = pathlib.Path(where, "bench.yaml")
        names, text = [], "benches:\n"
        for name, dut, decl in benches(where, whole):
            names.append(f"bench:{name}")
            text += f"  {name}:\n    dut: '{dut}'\n    decl: {decl}\n"
        file.write_text(text)
        only = [] if whole else ["--family", "uet"]
        done = subprocess.run([rung, "matrix", "-q", "--json", "--bench-file", file, *only,
                               "reference", *names],
                              capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 3), done.stderr
    cells = json.loads(done.stdout)["cells"]
    bad = [c for c in cells if c["verdict"] == "fail" or
           (c["verdict"] == "na" and "configure them alike" not in c["reason"])]
    assert not bad, json.dumps(bad, indent=1)
    passed = sum(c["verdict"] == "pass" for c in cells)
    assert passed >= (10 if whole else 3), [c["reason"] for c in cells]
    print(f"{len(cells)} cells, {passed} pass")


if __name__ == "__main__":
    main()
