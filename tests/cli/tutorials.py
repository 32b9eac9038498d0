#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Types the tutorials of docs/tutorials, from the first line to the last.

Usage: tutorials.py RUNG           docs/tutorials
       tutorials.py RUNG FOLDER    the pages of another folder
In an indented block "$ " begins a command, run by sh in one folder for each
page; the other lines must stand in its output.  Skipped (77) if RUNG has no
mutants.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

RUNG = pathlib.Path(sys.argv[1]).resolve()
BUILD = RUNG.parents[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = pathlib.Path(sys.argv[2]) if sys.argv[2:] else ROOT / "docs/tutorials"


def steps(text):
    """(command, lines of its output) in the order of the page."""
    found = []
    for line in re.sub(r"\\\n +", "", text).split("\n"):
        if line.startswith("    $ "):
            found.append((line[6:], []))
        elif found and line.startswith("    ") and line.strip():
            found[-1][1].append(line.strip())
    return found


def environment(folder):
    os.mkdir(f"{folder}/bin")
    os.symlink(RUNG, f"{folder}/bin/rung")
    env = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}",
               HOME=folder, DOCS=str(ROOT / "docs"))
    if (BUILD / "plugins").is_dir():
        shutil.copytree(BUILD / "plugins", f"{folder}/plugins")
        env["WIRESHARK_PLUGIN_DIR"] = f"{folder}/plugins"
    os.chmod(folder, 0o755)
    return env


def squeezed(text):
    return re.sub(r"\s+", " ", text)


def run(page, command, wanted, folder, env, background):
    more = {}
    if command.startswith("tshark"):
        if not shutil.which("tshark") or "WIRESHARK_PLUGIN_DIR" not in env:
            print(f"skip {page}: {command}")
            return True
        if os.getuid() == 0:  # as root it loads plugins of the system alone
            more = {"user": 65534, "group": 65534, "extra_groups": []}
    with open(f"{folder}/output", "w+", encoding="utf-8") as output:
        child = subprocess.Popen(["sh", "-c", command], cwd=f"{folder}/work",
                                 env=env, stdin=subprocess.DEVNULL,
                                 stdout=output, stderr=subprocess.STDOUT,
                                 start_new_session=True, **more)
        code = child.wait(timeout=120)
        if command.endswith("&"):
            background.append(child.pid)
            until = time.monotonic() + 20
            while not any(pathlib.Path(f"{folder}/work").glob("*.sock")) and \
                    time.monotonic() < until:
                time.sleep(0.05)
        output.seek(0)
        said = output.read()
    missing = [w for w in wanted if squeezed(w) not in squeezed(said)]
    if code not in (0, 1) or missing:
        print(f"FAIL {page}: {command}: exit status {code}, lacks {missing}\n"
              f"{said[-3000:]}")
        return False
    print(f"ok   {page}: {command[:60]}")
    return True


def type_page(path):
    background = []
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/work")
        env = environment(folder)
        try:
            return all(run(path.name, command, wanted, folder, env, background)
                       for command, wanted in steps(path.read_text()))
        finally:
            for pid in background:
                os.killpg(pid, signal.SIGTERM)


def main():
    if not (BUILD / "mutants/cack-over-uncleared.so").exists():
        print("tutorials: skipped: no mutants", file=sys.stderr)
        return 77
    pages = [p for p in sorted(PAGES.glob("*.md")) if p.name != "README.md"]
    assert len(pages) == (5 if sys.argv[2:] else 3), pages
    return 0 if all([type_page(p) for p in pages]) else 1


if __name__ == "__main__":
    sys.exit(main())
