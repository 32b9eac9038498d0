#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rung run --bench: bench.yaml, leases, canary and quarantine (docs/lab.md)."""
import json
import os
import pathlib
import re
import signal
import subprocess
import textwrap
import time

from lib import RUNG, expect, main, rung, write

ONE = "uet/rud/send-gtd@target"
LAB = pathlib.Path(__file__).resolve().parents[2] / "docs/lab.md"
# A mutant would need a build with mutants: this case fails any device.
WRONG = """title   A wrong expectation
covers  RUD-SVC-2
needs   rud send

chair target
  use open
  base fwd=100
  >  rud_req psn=100 clear_psn=99 ar | std send message_id=7 som eom | data 32
  <  ack ack_psn=100 cack_psn=99 | response message_id=7        [RUD-SVC-3]
  use close
"""


def bench(text, name="nic7"):
    text = textwrap.indent(textwrap.dedent(text), "    ")
    write("bench.yaml", f"benches:\n  {name}:\n    dut: virtual\n{text}")


def run(*args, **more):
    return rung("run", "-q", "--bench", "nic7", "--out", "out", *args, **more)


def load(name):
    return json.loads(pathlib.Path("out", name).read_text())


def example(name):
    """An example of the document, without its indentation."""
    text = LAB.read_text().split(f"<!-- example: {name} -->\n\n")[1]
    lines = re.match(r"(?:    .*\n|\n(?=    ))+", text).group()
    return textwrap.dedent(lines)


def test_facts():
    bench("""\
        firmware: echo 1.4; echo more
        driver: echo "$RUNG_BENCH $RUNG_HOOK"
        clock: ptp
        cabling: DAC 2 m
        tags: [uet, 400g]
        """)
    expect(run(ONE), 0)
    facts = {"name": "nic7", "firmware": "1.4", "driver": "nic7 read",
             "clock": "ptp", "cabling": "DAC 2 m", "path": None,
             "tags": "uet 400g"}
    assert load("results.json")["bench"] == facts
    assert load("run.json")["bench"] == facts
    assert "1.4" in pathlib.Path("out/report.html").read_text()
    assert 'name="firmware" value="1.4"' in \
        pathlib.Path("out/junit.xml").read_text()
    before = load("results.json")
    expect(rung("report", "-q", "out"), 0)
    assert load("results.json") == before
    # A run goes on with the same firmware only.
    expect(run("--resume", ONE), 0)
    bench("firmware: echo 1.5\n")
    expect(run("--resume", ONE), 2, err="the bench was")
    bench("firmware: exit 1\n")
    expect(run(ONE), 5, err="bench nic7 does not tell its firmware")


def test_declaration_beside_the_file():
    os.makedirs("lab")
    os.makedirs("lab/decls")
    write("lab/decls/my.decl", "name mine\nclaims srd\n")
    expect(run("--bench", "nic7", ONE), 2, err="--bench-file FILE names")
    write("lab/bench.yaml", "benches:\n  nic7:\n    dut: virtual\n"
          "    decl: decls/my.decl\n")
    expect(run("--bench-file", "lab/bench.yaml", ONE), 4)
    assert "name mine" in load("run.json")["declaration"]


def test_bad_files():
    for text, why in [
            ("", "the file is empty"),
            ("benches: [", ":1:"),
            ("benches:\n  nic7:\n    dut: virtual\n---\nbenches: {}",
             ":5:1: there is more than one document"),
            ("nic7: 1", "expected one mapping"),
            ("benches: 1", "expected one mapping"),
            ("benches:\n  nic7: 1", ":2:9: a bench must be a mapping"),
            ("benches:\n  nic7:\n    decl: x", "the bench has no 'dut'"),
            ("benches:\n  nic7:\n    dut: virtual\n    dot: x",
             ":4:5: 'dot' is no key of a bench; did you mean 'dut'?"),
            ("benches:\n  nic7:\n    dut: virtual\n    dut: x",
             "'dut' stands twice"),
            ("benches:\n  nic7:\n    dut: virtual\n    reset: ''", "is empty"),
            ("benches:\n  nic7:\n    dut: virtual\n    reset: [a]",
             "'reset' must be a text"),
            ("benches:\n  nic7:\n    dut: virtual\n    lease: 60s",
             "need 'acquire'"),
            ("benches:\n  nic7:\n    dut: virtual\n    acquire: x\n"
             "    lease: 5ms", "'lease' must be a time"),
            ("benches:\n  nic8:\n    dut: virtual",
             "there is no bench 'nic7'; the file has nic8"),
            ("benches:\n  ../x:\n    dut: virtual", "the name of a bench"),
            ("benches:\n  nic7:\n    dut: nonsense", "--dut nonsense")]:
        write("bench.yaml", text + "\n")
        expect(run(ONE), 2, err=why)
    assert not os.path.exists("out")
    bench("")
    expect(run("--dut", "ref", ONE), 2, err="--bench brings --dut")
    expect(rung("run", "--bench-file", "x"), 2, err="needs --bench")
    os.unlink("bench.yaml")
    expect(run(ONE), 2, err="bench.yaml: No such file")


def test_acquire_and_release():
    bench("""\
        acquire: echo $RUNG_HOOK >>log; test ! -e busy
        release: echo $RUNG_HOOK >>log
        reset: echo $RUNG_HOOK >>log
        """)
    expect(run(ONE), 0)
    assert pathlib.Path("log").read_text() == "acquire\nreset\nrelease\n"
    write("busy", "")
    expect(run(ONE), 5, err="was not acquired: the command ended with 1")
    assert pathlib.Path("log").read_text().endswith("release\nacquire\n")


def test_a_lost_lease_is_an_error():
    mine = write("mine.lad", WRONG)
    bench("""\
        acquire: test $RUNG_HOOK = acquire || test ! -e stolen
        release: touch released
        lease: 1h
        """.replace("1h", "3600s"))
    expect(run(mine), 1)
    os.unlink("released")
    write("stolen", "")
    expect(run(mine, ONE), 5, err="the lease of bench nic7 is lost")
    assert not os.path.exists("released")
    cases = {c["id"]: c for c in load("results.json")["cases"]}
    assert cases["mine@target"]["verdict"] == "error"
    assert cases["mine@target"]["reason_id"] == "lease-lost"
    assert not load("results.json")["totals"]["fail"]
    # A run that has the bench again repeats what has no result.
    os.unlink("stolen")
    expect(run("--resume", mine, ONE), 1)
    assert {c["verdict"] for c in load("results.json")["cases"]} == \
        {"pass", "fail"}


def test_a_lease_that_ends_during_a_run():
    """The thread that renews finds the loss, and the run ends."""
    bench("""\
        acquire: test $RUNG_HOOK = acquire || test ! -e stolen
        lease: 1s
        """)
    with subprocess.Popen([RUNG, "run", "-q", "--bench", "nic7", "--repeat",
                           "0", "--out", "out", ONE],
                          stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          text=True) as going:
        # os.walk passes over a folder that rung renames meanwhile
        while not any("record.jsonl" in files
                      for _, _, files in os.walk("out/cases")):
            time.sleep(0.05)
        write("stolen", "")
        err = going.communicate(timeout=60)[1]
        assert going.returncode == 5, (going.returncode, err)
    assert "the lease of bench nic7 is lost" in err
    assert not load("results.json")["totals"]["fail"]


def test_canary_and_quarantine():
    write("canary.lad", WRONG)
    bench("canary: canary.lad\npower: echo on >>powered\n")
    expect(run(ONE), 5, err="goes into quarantine")
    assert pathlib.Path("powered").read_text() == "on\n"
    assert "did not pass before the run" in \
        pathlib.Path("bench.yaml.nic7.quarantine").read_text()
    assert not os.path.exists("out")
    # The bench stays out of service until somebody mends it.
    bench(f"canary: {ONE}\n")
    expect(run(ONE), 5, err="is in quarantine")
    os.unlink("bench.yaml.nic7.quarantine")
    expect(run(ONE), 0)
    # The power command mends the bench.
    write("canary.lad", WRONG)
    good = WRONG.replace("cack_psn=99", "cack_psn=100")
    write("good.lad", good)
    bench("canary: canary.lad\npower: cp good.lad canary.lad\n")
    expect(run(ONE), 0, err="cycling the power")
    # It breaks during the run: the results stand, the bench does not.
    write("canary.lad", good)
    write("bad.lad", WRONG)
    bench("canary: canary.lad\nlease: 3600s\n"
          "acquire: test $RUNG_HOOK = acquire || cp bad.lad canary.lad\n")
    expect(run(write("mine.lad", WRONG), ONE), 5,
           err="did not pass after the run")
    totals = load("results.json")["totals"]
    assert (totals["pass"], totals["fail"]) == (1, 1), totals


def test_the_lock_of_the_document():
    """Two runs cannot have one bench, and a dead holder is replaced."""
    name = f"nic7-{os.getpid()}"
    lock = pathlib.Path(f"/tmp/rung-{name}.lock")
    bench(example("lock").replace("60s", "5s").replace("60 sec", "5 sec"),
          name)
    args = [RUNG, "run", "-q", "--bench", name, "--repeat", "0", ONE]
    try:
        with subprocess.Popen(args, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as first:
            while not lock.exists():
                time.sleep(0.02)
            time.sleep(5.5)  # longer than the lease: it was renewed
            expect(rung("run", "-q", "--bench", name, ONE), 5,
                   err="was not acquired")
            first.send_signal(signal.SIGKILL)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            done = rung("run", "-q", "--bench", name, ONE)
            if done.returncode == 0:
                break
        expect(done, 0)
        assert not lock.exists()
    finally:
        for path in (lock, pathlib.Path(f"{lock}.guard")):
            path.unlink(missing_ok=True)


def test_the_example_is_well_formed():
    write("bench.yaml", example("bench.yaml").split("\nrung run")[0] + "\n")
    write("nic7.decl", "name x\n")
    text = pathlib.Path("bench.yaml").read_text()
    # It is read up to its token, which this machine does not have.
    expect(run(ONE), 2, err="nic7.token")
    assert "canary" in text


main(globals())
