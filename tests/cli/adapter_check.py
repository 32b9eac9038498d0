#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rung adapter-check: adapters that keep the control channel, and one for each
way to break it."""
import pathlib
import re
import sys

from lib import RUNG, expect, main, rung

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKELETON = ROOT / "docs/adapters/skeleton.py"


def check(command, *options):
    return rung("adapter-check", "--dut", f"exec:{command}", *options)


def broken(old, new):
    """The skeleton with one line replaced."""
    text = SKELETON.read_text()
    assert old in text, old
    pathlib.Path("broken.py").write_text(text.replace(old, new))
    return check(f"{sys.executable} -B broken.py", "--timeout", "2s")


def test_the_skeleton_runs_as_it_stands():
    done = expect(check(f"{sys.executable} -B {SKELETON} {{dut}}"), 0)
    assert "FAIL  " not in done.stdout, done.stdout
    assert "lacks atomic" in done.stdout
    page = (ROOT / "docs/adapters.md").read_text()
    shown = page.split("<!-- runs: ")[1].split("-->\n\n")[1].split("\n\n")[0]
    for line in shown.split("\n"):
        assert line.strip() in done.stdout, line


def test_the_reference_keeps_it():
    done = expect(check(f"{RUNG} serve --udp {{dut}} --control stdio"), 0)
    for verb in ("reset", "mem_digest", "atomic", "ses_policy", "send_cp"):
        assert re.search(rf"^ok +{verb}", done.stdout, re.M), verb


def test_each_fault_is_named():
    for old, new, said in (
            ('if r.get("version") != 2:', "if False:", "accepts version 999"),
            ('return {"error": "unsupported"}', 'return {"error": "what?"}',
             'FAIL +unknown verb +answered "what\\?"'),
            ("tell(id=r[\"id\"], **", "tell(id=r[\"id\"] & 0xffff, **",
             "FAIL +ids +an answer has the id 65535"),
            ("MASK - key", "key", "FAIL +mem_digest +bytes 0 to 99"),
            ("data = data[:length] if length else data", "pass",
             "FAIL +mem_digest +bytes 13 to 62"),
            ("self.memory, self.room = {}, 0", "print('reset', flush=True);"
             "self.memory, self.room = {}, 0",
             "FAIL +channel +standard output is the channel alone"),
            ("if held and r.get(\"verb\") == \"reset\":", "if False:",
             None),
            ("for line in filter(None, lines):",
             "for line in list(filter(None, lines))[:1]:", "FAIL +lines"),
            ("self.room += r.get(\"count\", 1)", "raise Refused('broken')",
             "FAIL +post_recv +hello lists it, but it answers: broken"),
            ("return {\"stats\": {\"receives\": self.room}}", "pass",
             "FAIL +stats +no object"),
            ("raise Refused(\"unsupported\")", "pass", None),
            ("if verb == \"completions\":", "if verb == \"completions\": sys.exit(3)\n    if False:",
             "FAIL +completions +the adapter ended: exited with status 3")):
        done = broken(old, new)
        if said is None:
            expect(done, 0)
            continue
        assert done.returncode == 1, (old, done.stdout)
        assert re.search(said, done.stdout), (old, done.stdout)


def test_it_does_not_wait_for_ever():
    done = expect(check("sleep 30", "--timeout", "300ms"), 1)
    assert "no answer within 0.3 s" in done.stdout, done.stdout
    expect(check("/nonexistent/adapter", "--timeout", "300ms"), 1,
           "the adapter ended")
    expect(rung("adapter-check", "--control", "unix:/nonexistent"), 5)
    expect(rung("adapter-check"), 2)
    expect(rung("adapter-check", "--dut", "ref"), 2,
           err="--dut ref: expected exec:COMMAND")
    expect(rung("adapter-check", "--dut", "telepathy"), 2,
           err="--dut telepathy: expected exec:COMMAND")
    expect(rung("adapter-check", "--control", "stdio"), 2,
           err="expected unix:PATH or tcp:HOST:PORT")


if __name__ == "__main__":
    main(globals())
