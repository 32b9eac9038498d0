#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Check every file of the tree for what no compiler sees.

    lint.py spdx     each source names its licence in one of its first lines
    lint.py paths    no file mentions an absolute path of somebody's folder
    lint.py format   clang-format has nothing to change (C files)
    lint.py cases    no two cases are equal after renumbering

Usage: tools/lint.py WHAT [ROOT]
Exit status 1 and one line per offence; 77 if a tool is missing.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCES = {".c", ".h", ".def", ".py", ".sh", ".cmake", ".lad", ".mut", ".decl"}
NAMES = {"CMakeLists.txt", "run"}
# Texts made to be wrong in some way, or kept byte for byte.
DATA = ("tests/golden/", "tests/bad-cases/", "tests/schema/", "fuzz/corpus/",
        "reports/golden/", "dissector/golden/")
TEXT = SOURCES | {".md", ".json", ".txt", ".yml", ".err", ""}
FOLDER = re.compile(r"(?<![\w.~$}/-])/(?:work|home|root|Users|srv)/\w")


def files(root):
    """Yield (name, path) of what belongs to the tree, built things left out."""
    for top, dirs, names in os.walk(root):
        here = pathlib.Path(top)
        rel = here.relative_to(root).as_posix()
        dirs[:] = sorted(d for d in dirs if d not in (".git", "__pycache__")
                         and not (rel == "." and d.startswith(("build", "out",
                                                               "rung-out"))))
        for name in sorted(names):
            if name == ".git":  # of a worktree: a file that says where
                continue
            path = here / name
            yield path.relative_to(root).as_posix(), path


def is_source(name):
    path = pathlib.PurePosixPath(name)
    return (path.suffix in SOURCES or path.name in NAMES) and \
        not name.startswith(DATA)


def spdx(root):
    for name, path in files(root):
        if not is_source(name):
            continue
        head = path.read_text(errors="replace").split("\n")[:3]
        if not any("SPDX-License-Identifier: " in line for line in head):
            yield f"{name}:1: no SPDX-License-Identifier line"


def paths(root):
    for name, path in files(root):
        if pathlib.PurePosixPath(name).suffix not in TEXT:
            continue
        for number, line in enumerate(
                path.read_text(errors="replace").split("\n"), 1):
            if FOLDER.search(line):
                yield f"{name}:{number}: an absolute path: {line.strip()}"


def format_(root):
    tool = shutil.which("clang-format")
    if not tool:
        print("clang-format is not installed")
        sys.exit(77)
    sources = [name for name, _ in files(root) if name.endswith((".c", ".h"))]
    done = subprocess.run([tool, "--dry-run", "-Werror", *sources], cwd=root,
                          capture_output=True, text=True, check=False)
    seen = set()
    for line in done.stderr.splitlines():
        name = line.split(":")[0]
        if ": error: " in line and name not in seen:
            seen.add(name)
            yield line


def cases(root):
    """Numbers are numbered by first use; titles and comments do not count."""
    seen = {}
    for name, path in files(root / "cases"):
        if not name.endswith(".lad") or name.startswith("common/"):
            continue
        body = re.split(r"^chair\b", path.read_text(), maxsplit=1,
                        flags=re.M)[-1]
        lines = [re.sub(r"\s+", " ", line.split("#")[0]).strip()
                 for line in body.split("\n")]
        numbers = {}
        text = re.sub(r"\b(?:0x[0-9a-f]+|\d+)\b",
                      lambda m: str(numbers.setdefault(m[0], len(numbers))),
                      "\n".join(line for line in lines if line))
        if text in seen:
            yield f"cases/{name}:1: the same as cases/{seen[text]}"
        seen.setdefault(text, name)


CHECKS = {"spdx": spdx, "paths": paths, "format": format_, "cases": cases}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in CHECKS:
        print(__doc__)
        sys.exit(2)
    where = pathlib.Path(sys.argv[2] if sys.argv[2:] else ".").resolve()
    found = list(CHECKS[sys.argv[1]](where))
    for line in found:
        print(line)
    sys.exit(bool(found))
