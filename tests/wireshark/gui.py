#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Opens captures in the window of Wireshark, on a screen that nobody sees: the
plugin's colour rules must paint the rows of the packet list.  A rule names
fields of the plugin, so that without it no row has these colours.

Usage: gui.py GOLDEN PLUGINS
Exit status: 77 if wireshark or Xvfb is missing.
"""
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

GOLDEN, PLUGINS = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
RULES = pathlib.Path(__file__).resolve().parents[2] / "dissector/colorfilters"
# A capture, and the rules that colour some of its packets.
CAPTURES = {
    "repair.pcap": ["UET NACK", "UET retransmitted", "UET ACK"],
    "wqe_rules.pcap": ["Requirement broken"],
}
ENOUGH = 2000  # pixels of a row
WAIT = 90  # seconds; a machine may be loaded


def colour(rule):
    """The background of a rule, as the three bytes of a pixel."""
    found = re.search(rf"^@{re.escape(rule)}@.*@\[(\d+),(\d+),(\d+)\]\[",
                      RULES.read_text(), re.M)
    return bytes(int(n) >> 8 for n in found.groups())


def screen(folder):
    """The pixels of the screen, four bytes each: Xvfb keeps them in a file of
    the format XWD, whose header counts in words of 32 bits."""
    data = pathlib.Path(folder, "Xvfb_screen0").read_bytes()
    words = struct.unpack(">25I", data[:100])
    assert words[11] == 32, "bits of a pixel"
    return data[words[0] + 12 * words[19]:]


def pixels(shot, wanted):
    """How many pixels have the colour, within a rounding of each byte."""
    red, green, blue = wanted
    near = {bytes((b, g, r)) for r in (red, red + 1) for g in (green, green + 1)
            for b in (blue, blue + 1) if max(r, g, b) < 256}
    return sum(shot[i:i + 3] in near for i in range(0, len(shot), 4))


def as_nobody():
    """Root's Wireshark loads no plugin from a folder."""
    if os.getuid() == 0:
        return {"user": 65534, "group": 65534, "extra_groups": []}
    return {}


def said(log):
    log.seek(0)
    return log.read()[-2000:]


def opens(name, rules, folder, env):
    with open(f"{folder}/log", "w+", encoding="utf-8") as log:
        shark = subprocess.Popen(["wireshark", "-r", f"{folder}/{name}"],
                                 env=env, stdout=log, stderr=log, cwd=folder,
                                 **as_nobody())
        try:
            until = time.monotonic() + WAIT
            left = list(rules)
            while left and time.monotonic() < until:
                assert shark.poll() is None, (name, shark.returncode, said(log))
                shot = screen(folder)
                left = [r for r in left if pixels(shot, colour(r)) < ENOUGH]
            assert not left, (name, left, said(log))
        finally:
            shark.send_signal(signal.SIGTERM)
            shark.wait(timeout=30)
    print(f"ok   {name}: {', '.join(rules)}")


def start_screen(folder):
    out, into = os.pipe()
    xvfb = subprocess.Popen(["Xvfb", "-displayfd", str(into), "-screen", "0",
                             "1280x800x24", "-fbdir", folder], pass_fds=[into],
                            stderr=subprocess.DEVNULL)
    os.close(into)
    with open(out, encoding="ascii") as said_by_xvfb:
        number = said_by_xvfb.readline().strip()
    assert number.isdigit(), "Xvfb does not start"
    env = dict(os.environ, HOME=f"{folder}/home", QT_QPA_PLATFORM="xcb",
               DISPLAY=f":{number}", XDG_RUNTIME_DIR=f"{folder}/run",
               WIRESHARK_PLUGIN_DIR=f"{folder}/plugins")
    return xvfb, env


def main():
    for tool in ("wireshark", "Xvfb"):
        if not shutil.which(tool):
            print(f"gui: skipped: {tool} is not installed", file=sys.stderr)
            return 77
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "home/.config/wireshark")
        config.mkdir(parents=True)
        shutil.copy(RULES, config)
        shutil.copytree(PLUGINS, f"{folder}/plugins")
        os.mkdir(f"{folder}/run", 0o700)
        for name in CAPTURES:
            shutil.copy(GOLDEN / name, folder)
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", "65534:65534", folder], check=True)
        xvfb, env = start_screen(folder)
        try:
            for name, rules in CAPTURES.items():
                opens(name, rules, folder, env)
        finally:
            xvfb.terminate()
            xvfb.wait(timeout=30)
    return 0


if __name__ == "__main__":
    sys.exit(main())
