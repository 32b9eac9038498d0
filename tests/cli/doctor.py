#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung doctor with a tshark that has the plugin, with one that lacks it,
and without tshark."""
import json
import os

from lib import expect, main, rung, write


def doctor(tshark, *args, code=0):
    """Runs rung doctor with that script as tshark, or without tshark."""
    if tshark:
        write("bin/tshark", "#!/bin/sh\n" + tshark, 0o755)
    path = os.path.abspath("bin") + (":/bin:/usr/bin" if tshark else "")
    return expect(rung("doctor", *args, env={"PATH": path}), code)


SHARK = """case "$1" in
--version) echo 'TShark (Wireshark) 9.8.7';;
-G) printf 'other.so\\t1.0\\tdissector\\t/x\\n%s';;
esac
"""


def test_all_checks():
    text = doctor(SHARK % "", code=1).stdout
    for check in ("raw packets", "interfaces", "clock", "plugin"):
        assert any(check in line[7:20] for line in text.split("\n")), check
    assert "lo: MTU" in text, text


def test_found():
    row = "rung.so\\t0.1.0\\tdissector\\t/y/rung.so\\n"
    text = doctor(SHARK % row).stdout
    assert "ok     plugin       found by TShark (Wireshark) 9.8.7: rung.so " \
        "0.1.0 dissector /y/rung.so\n" in text, text


def test_not_found():
    text = doctor(SHARK % "", code=1).stdout
    assert "lacks  plugin       not found by TShark (Wireshark) 9.8.7" in text
    assert "tools/install-plugin.sh" in text, text


def test_no_tshark():
    text = doctor(None).stdout
    assert "note   plugin       tshark is not installed" in text, text


def test_json():
    report = json.loads(doctor(SHARK % "", "--json", code=1).stdout)
    assert report["schema"] == "rung.doctor/1"
    states = {row["check"]: row["state"] for row in report["checks"]}
    assert states["plugin"] == "lacks", states
    assert set(states.values()) <= {"ok", "note", "lacks"}


def test_declarations():
    small = write("small.decl", "name small\nclaims rud\nsize mtu 1024\n")
    text = doctor(None, "--decl", small, "lo", code=1).stdout
    assert "ok     interfaces   lo: MTU" in text, text
    expect(rung("doctor", "--decl", "missing.decl"), 2, err="missing.decl")


def test_arguments():
    expect(rung("doctor", "--offloads-off"), 2, err="interfaces named")
    expect(rung("doctor", "--no-such"), 2, err="--no-such")
    expect(rung("doctor", "nosuch0"), 1, "nosuch0: no such interface")


if __name__ == "__main__":
    main(globals())
