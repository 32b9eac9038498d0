#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Puts links, pipes and folders into the folder of --out, before a run and
while it runs. rung must write nothing outside the folder and must not hang.
"""
import contextlib
import os
import pathlib
import shutil
import threading

from folders import VIRTUAL, attacks, check_ended, expect, rung

ARGS = (*VIRTUAL, "-q", "uet/rud/send*")
NAMES = ["run.json", "results.json", "stream.jsonl", "report.html",
         "report.txt", "junit.xml", "summary.md", "cases", "cases/uet",
         "cases/uet/rud", "cases/uet/rud/send-gtd@target",
         "cases/uet/rud/.rung-case.part", "earlier", "unfinished",
         "earlier/results.json", "unfinished/cases", ".rung-earlier.part",
         ".rung-unfinished.part", "cases/uet/rud/send-gtd@target/record.jsonl",
         "cases/uet/rud/send-gtd@target/capture.pcapng"]
KINDS = ["file link", "folder link", "dangling link", "loop", "pipe", "folder",
         "full folder", "file"]


def plant(path, kind):
    """Replaces a path by a link, a pipe or a folder."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    victim = os.path.abspath("victim")
    if kind == "file link":
        path.symlink_to(f"{victim}/file")
    elif kind == "folder link":
        path.symlink_to(victim)
    elif kind == "dangling link":
        path.symlink_to(f"{victim}/new")
    elif kind == "loop":
        path.symlink_to(path.name)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "full folder":
        path.mkdir()
        (path / "file").write_text("of somebody")
    else:
        path.write_text("of somebody")


def check_victim():
    names = os.listdir("victim")
    assert names == ["file"], names
    assert pathlib.Path("victim/file").read_text() == "precious"


def before(draw):
    """Plants an object before a program starts; the program must end with a
    message."""
    plant("out/" + draw.choice(NAMES), draw.choice(KINDS))
    args = draw.choice([("run", *ARGS, "--out", "out"),
                        ("run", "--resume", *ARGS, "--out", "out"),
                        ("report", "-q", "out")])
    done = rung(*args, timeout=30)
    check_victim()
    assert done.returncode in (0, 2, 5, 130), (args, done)
    assert done.returncode == 0 or done.stderr, (args, done)
    if done.returncode == 0 and args[0] == "run":
        check_ended("out")
    shutil.rmtree("out")
    expect(rung("run", *ARGS, "--out", "out"), 0)


def swap(done, draw):
    """Replaces folders by links repeatedly."""
    while not done.is_set():
        name = "out/" + draw.choice(["cases", "cases/uet", "cases/uet/rud",
                                     "earlier", "cases/uet/rud/send-gtd@target",
                                     "cases/uet/rud/.rung-case.part"])
        with contextlib.suppress(OSError):
            os.rename(name, f"moved{draw.random()}")
            os.symlink(os.path.abspath("victim"), name)
        done.wait(draw.uniform(0, 0.01))
        with contextlib.suppress(OSError):
            os.unlink(name)


def during(draw):
    done = threading.Event()
    thread = threading.Thread(target=swap, args=(done, draw))
    thread.start()
    try:
        told = rung("run", *ARGS, "--out", "out", timeout=30)
    finally:
        done.set()
        thread.join()
    check_victim()
    assert told.returncode in (0, 2, 5), told
    shutil.rmtree("out")
    expect(rung("run", *ARGS, "--out", "out"), 0)


def attack(count, draw):
    os.mkdir("victim")
    pathlib.Path("victim/file").write_text("precious")
    expect(rung("run", *ARGS, "--out", "out"), 0)
    for i in range(count):
        before(draw)
        if i % 4 == 0:
            during(draw)
    return "nothing outside was touched, nothing waited"


if __name__ == "__main__":
    attacks(attack, 16)
