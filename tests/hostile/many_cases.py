# SPDX-License-Identifier: BSD-2-Clause
"""Attacks rung with thousands of case files: only selected cases may take
memory.

Usage: many_cases.py RUNG

Each limit is the growth of the peak from 500 case files to 3,000, for each
file.  A parsed case has some 50,000 bytes.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNG = sys.argv[1]
FEW, MANY = 500, 3000
# Commands, and how many bytes of memory a file may cost.
COMMANDS = [
    (["run", "--dut", "virtual", "-q", "x3/*"], 200),
    (["run", "--dut", "virtual", "-q", "--req", "RUD-SEQ-76/dst", "x3/*", "x4/*"], 200),
    (["list", "x3/*"], 200),
    (["list"], 4000),
    (["list", "--req", "RUD-SVC-2"], 4000),
    (["list", "--json"], 12000),
]


def plain(name):
    """Returns the plain case of a file, without its impaired sections."""
    text = (ROOT / f"cases/uet/rud/{name}.lad").read_text()
    return text.split("\nimpaired ")[0]


def plant(where, count):
    shutil.copytree(ROOT / "cases/common", where / "common")
    one = plain("send-gtd")
    other = plain("ack-lost")
    for i in range(count):
        path = where / f"x{i // 10}" / f"c{i % 10}.lad"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# {i}\n" + (one if i % 10 == 0 else other))


def peak(args, where):
    """Returns the peak of resident memory in bytes."""
    child = subprocess.Popen([RUNG, *args, "--cases", str(where)], stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE)
    said = child.stderr.read().decode()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, (args, child.returncode, said)
    return used.ru_maxrss * 1024


def main():
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        few, many = pathlib.Path(folder, "few"), pathlib.Path(folder, "many")
        plant(few, FEW)
        plant(many, MANY)
        for args, most in COMMANDS:
            each = (peak(args, many) - peak(args, few)) / (MANY - FEW)
            ok = each <= most
            bad += not ok
            print(f"{'ok  ' if ok else 'FAIL'} rung {' '.join(args)}: {each:.0f} bytes a file, "
                  f"at most {most}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
