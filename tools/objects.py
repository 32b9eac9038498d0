#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Prints the objects of one build whose sources another build does not compile.

Usage: objects.py BUILD OTHER    (folders with a compile_commands.json)
"""
import json
import pathlib
import shlex
import sys


def commands(folder):
    return json.loads((pathlib.Path(folder) / "compile_commands.json").read_text())


def main():
    build, other = sys.argv[1:]
    known = {entry["file"] for entry in commands(other)}
    for entry in commands(build):
        if entry["file"] not in known:
            words = shlex.split(entry["command"])
            print(words[words.index("-o") + 1])


if __name__ == "__main__":
    main()
