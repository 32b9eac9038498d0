#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The disk is full after a random number of bytes, or no file may have more than
so many.  No incomplete file gets its final name, rung reports the error and
exits with 5, and the earlier result stays. Once there is room, the run can be
reported and resumed.

The disk is a tmpfs in a mount namespace of its own; where there can be none, only
the length of files is limited.
"""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import xml.dom.minidom

from folders import (RUNG, VIRTUAL, attacks, check_ended, check_parts, expect,
                     load, rung, verdicts)

ARGS = (*VIRTUAL, "-q", "uet/rud/send*", "uet/rud/a*")
NAMED = ("--json", "named.json", "--junit", "named.xml", "--html", "named.html")
# In a namespace: $1 is the room in bytes, then comes the command.
DISK = """mount -t tmpfs -o size=64m none disk && cp -a out named.* disk/ &&
cd disk && mount -o remount,size=$(($(du -sk . | cut -f1) * 1024 + $1)) . &&
cd . && shift && "$@"; code=$?
cd .. && rm -rf out named.* && cp -a disk/. . && umount disk && exit $code"""


def can_mount():
    os.mkdir("disk")
    test = subprocess.run(["unshare", "-m", "sh", "-c",
                           "mount -t tmpfs none disk"],
                          capture_output=True, check=False)
    return test.returncode == 0


def on_small_disk(room, *args):
    return subprocess.run(["unshare", "-m", "sh", "-c", DISK, "sh", str(room),
                           RUNG, *args],
                          capture_output=True, text=True, timeout=60,
                          check=False)


def with_short_files(most, *args):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return subprocess.run([RUNG, *args], capture_output=True, text=True,
                          timeout=60, preexec_fn=limit, restore_signals=False,
                          check=False)


def check_file(path):
    """Checks that each file with its final name is whole."""
    text = path.read_bytes()
    if path.suffix == ".json":
        json.loads(text)
    elif path.suffix == ".xml":
        xml.dom.minidom.parseString(text)
    elif path.suffix == ".html":
        assert text.endswith(b"</html>\n"), path
    elif path.suffix in (".md", ".txt"):
        assert text.endswith(b"\n"), path


def check_files(folder):
    for line in pathlib.Path(folder, "stream.jsonl").read_text().splitlines():
        json.loads(line)
    for path in pathlib.Path(folder).iterdir():
        if path.is_file():
            check_file(path)
            assert not path.name.startswith(".rung"), path
    assert not list(pathlib.Path(folder).rglob(".rung*")), folder
    run = load(f"{folder}/run.json")["run"]
    check_parts(folder, run)
    return run


def one(whole, draw, limited, largest, size):
    """Runs with a full disk, then reports and resumes the run."""
    before = check_ended("out")
    shutil.rmtree("out/earlier", ignore_errors=True)  # it would free space
    args = ("run", *ARGS, "--out", "out", *NAMED)
    if limited:
        room = draw.randrange(largest)
        done = with_short_files(room, *args)
        say = "File too large"
    else:
        room = draw.randrange(size)
        done = on_small_disk(room, *args)
        say = "No space left on device"
    what = (room, done.args[-len(args):], done.returncode, done.stderr)
    if done.returncode == 0:
        assert check_ended("out") != before == check_ended("out/earlier"), what
        return "enough"
    assert done.returncode == 5 and say in done.stderr, what
    for name in NAMED[1::2]:
        check_file(pathlib.Path(name))
    assert load("named.json")["run"] in (before, load_run())
    if not pathlib.Path("out/run.json").exists():  # no room even for that file
        assert check_ended("out/earlier") == before
        expect(rung(*args), 0)
        return "none"
    assert check_ended("out/earlier") == before
    run = check_files("out")
    expect(rung("report", "-q", "out"), 0, 5, 130)
    doc = load("out/results.json")
    assert doc["run"] == run and verdicts(doc).items() <= whole.items()
    n = len(doc["cases"])
    expect(rung(*args, "--resume"), 0)
    assert verdicts(load("out/results.json")) == whole
    assert check_ended("out") == run
    assert check_ended("out/earlier") == before
    assert load("named.json")["run"] == run
    return "all" if n == len(whole) else "some" if n else "none"


def load_run():
    path = pathlib.Path("out/run.json")
    return load(path)["run"] if path.exists() else None


def attack(count, draw):
    for _ in range(2):
        expect(rung("run", *ARGS, "--out", "out", *NAMED), 0)
    whole = verdicts(load("out/results.json"))
    sizes = [p.stat().st_size for p in pathlib.Path("out").rglob("*")
             if p.is_file() and "earlier" not in p.parts]
    mounts = can_mount()
    came = [one(whole, draw, i % 2 or not mounts, max(sizes), sum(sizes))
            for i in range(count)]
    return ", ".join(f"{came.count(x)} with {x}" for x in sorted(set(came))) + \
        ("" if mounts else "; no tmpfs here")


if __name__ == "__main__":
    attacks(attack, 6)
