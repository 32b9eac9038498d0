#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs the commands of the recipes in docs/ci/ against the reference.

Usage: tests/package/ci.py RUNG
The installation is left out, and RUNG is the program "rung".  Every file that a
recipe keeps must be there afterwards.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CI = pathlib.Path(__file__).resolve().parents[2] / "docs/ci"
RUNG = pathlib.Path(sys.argv[1]).resolve()


def yaml_commands(text):
    """The lines of "run: |" blocks, or the items below "script:"."""
    blocks = [re.sub(r"^ +", "", m[2], flags=re.M) for m in re.finditer(
        r"^( +)run: \|\n((?:\1 .*\n)+)", text, re.M)]
    for m in re.finditer(r"^( +)(?:before_)?script:\n((?:\1 +- .*\n)+)", text,
                         re.M):
        blocks.append(re.sub(r"^ +- ", "", m[2], flags=re.M))
    return blocks


def jenkins_commands(text):
    return re.findall(r"^ +sh '(.*)'$", text, re.M)


RECIPES = {
    "github.yml": (yaml_commands, ["results/report.html", "summary.md"]),
    "gitlab-ci.yml": (yaml_commands, ["results/junit.xml"]),
    "Jenkinsfile": (jenkins_commands, ["results/junit.xml",
                                       "results/report.html"]),
}


def run(name, commands_of, kept):
    text = (CI / name).read_text()
    for file in kept:  # the recipe keeps it, by itself or with its folder
        assert file in text or file.split("/")[0] in text, (name, file)
    commands = [c for c in commands_of(text) if "apt-get" not in c]
    assert len(commands) == 1 and "rung run" in commands[0], (name, commands)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "bin").mkdir()
        (path / "bin/rung").symlink_to(RUNG)
        env = {"PATH": f"{path}/bin:{os.environ['PATH']}", "DUT": "virtual"}
        # Fewer cases: the commands are tested here, not the reference.
        command = commands[0].replace("rung run", "rung run uet/rud")
        done = subprocess.run(["sh", "-ec", command], cwd=folder, env=env,
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, (name, done.stdout, done.stderr)
        for file in kept:
            assert (path / file).stat().st_size > 100, (name, file)
    print(f"ok      {name}")


def main():
    for name, (commands_of, kept) in RECIPES.items():
        run(name, commands_of, kept)


if __name__ == "__main__":
    main()
