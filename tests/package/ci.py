#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs the commands of the recipes in docs/ci/ against the reference.

Usage: tests/package/ci.py RUNG
The installation is left out, and RUNG is the program "rung".  Every file that a
recipe keeps must be there afterwards.
"""
import json
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
    # Kubernetes: the argument of "sh -ec".
    blocks += [re.sub(r"^ +", "", m[2], flags=re.M) for m in re.finditer(
        r"^( +)- \|\n((?:\1  .*\n)+)", text, re.M)]
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


# A recipe of shards: how its commands are found, how the service numbers its
# jobs, and what is kept.
SHARDS = {
    "github-shards.yml": (yaml_commands, lambda i, n: {"SHARD": i, "SHARDS": n},
                          ["results/report.html", "summary.md"]),
    "gitlab-shards.yml": (yaml_commands,
                          lambda i, n: {"CI_NODE_INDEX": i, "CI_NODE_TOTAL": n},
                          ["results/junit.xml"]),
    "Jenkinsfile.shards": (jenkins_commands, lambda i, n: {"SHARD": i, "SHARDS": n},
                           ["results/junit.xml", "results/report.html"]),
    "kubernetes.yaml": (yaml_commands,
                        lambda i, n: {"JOB_COMPLETION_INDEX": i - 1, "SHARDS": n},
                        ["results/report.html"]),
}


def sh(name, command, folder, **more):
    """Runs a command of a recipe with RUNG as "rung"."""
    env = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "DUT": "virtual", "OUT": ".",
           **{k: str(v) for k, v in more.items()}}
    # Fewer cases: the commands are tested here, not the reference.
    command = re.sub(r"\brung run\b", "rung run uet/rud/ack", command)
    done = subprocess.run(["sh", "-ec", command], cwd=folder, env=env,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, (name, command, done.stdout, done.stderr)


def run_shards(name, commands_of, number, kept):
    """All jobs of a recipe, then the one that joins them."""
    text = (CI / name).read_text()
    test, merge = [c for c in commands_of(text) if "apt-get" not in c]
    assert "rung run" in test and "rung merge" in merge, (name, test, merge)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "bin").mkdir()
        (path / "bin/rung").symlink_to(RUNG)
        for i in range(1, 5):
            sh(name, test, path, **number(i, 4))
            if i == 2 and "resume" in test:  # it was evicted, and begins again
                sh(name, test, path, **number(i, 4))
        sh(name, merge, path)
        for file in kept:
            assert (path / file).stat().st_size > 100, (name, file)
        cases = [len(json.loads((path / f / "results.json").read_text())["cases"])
                 for f in ("results", "shard-1", "shard-2", "shard-3", "shard-4")]
        assert cases[0] == sum(cases[1:]) > 20 and min(cases) > 0, (name, cases)
    print(f"ok      {name}: {cases[0]} cases in 4 shards")


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
        sh(name, commands[0], path)
        for file in kept:
            assert (path / file).stat().st_size > 100, (name, file)
    print(f"ok      {name}")


def main():
    for name, (commands_of, kept) in RECIPES.items():
        run(name, commands_of, kept)
    for name, recipe in SHARDS.items():
        run_shards(name, *recipe)


if __name__ == "__main__":
    main()
