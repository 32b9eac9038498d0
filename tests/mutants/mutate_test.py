#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""tools/mutate.py refuses a block that does not match exactly once.

With --folder it reports every file that it refuses, and leaves a source that is
up to date as it is, so that a build does not compile it again.

Usage: mutate_test.py MUTATE.PY
"""
import os
import pathlib
import subprocess
import sys
import tempfile

HEAD = ("mutant m\nwhat It does.\nfile oracle/x.c\nviolates RUD-SEQ-76/dst\n"
        "killed-by a@target\n\n")
VARIANT = ("variant m\nwhat It does.\nwhy uet.md 7.1\n"
           "file oracle/x.c\n\n")
SETTING = VARIANT + "set a 1\nset b 2\n"
SOURCE = "int f(void)\n{\n\treturn 1;\n}\n\nint g(void)\n{\n\treturn 1;\n}\n"


def block(old, new):
    return f"replace\n{old}with\n{new}end\n"


# (text of the .mut, exit code, expected in output or in the made source)
TRIALS = [
    (HEAD + block("int f(void)\n", "int h(void)\n"), 0, "int h(void)\n{"),
    (HEAD + block("\treturn 1;\n", "\treturn 2;\n"), 1, "stand 2 times"),
    (HEAD + block("return 1;\n", "return 2;\n"), 1, "stand 2 times"),
    (HEAD + block("return\n1;\n", "return 2;\n"), 1, "stand 2 times"),
    (HEAD + block("int f(\n\tvoid)\n", "int h(void)\n"), 0, "int h(void)\n{"),
    (HEAD + block("int f(void\n", "int h(void)\n"), 1, "stand 0 times"),
    (HEAD + block("intf(void)\n", "int h(void)\n"), 1, "stand 0 times"),
    (HEAD + block("\treturn 3;\n", "\treturn 2;\n"), 1, "stand 0 times"),
    (HEAD + block("{\n\treturn 1;\n}\n\nint g(void)\n", "{ return 2; }\n"), 0,
     "int f(void)\n{ return 2; }\n{\n\treturn 1;\n}\n"),
    (HEAD, 1, "go together"),
    (HEAD + "replace\nint f(void)\n", 1, "no with"),
    (HEAD.replace("mutant m", "mutant n") + block("a\n", "b\n"), 1,
     "calls itself n"),
    (HEAD.replace("violates", "breaks"), 1, "expected one of"),
    (VARIANT + block("int f(void)\n", "int h(void)\n"), 0, "int h(void)\n{"),
    (VARIANT, 1, "go together"),
    (SETTING, 1, "go together"),
    (SETTING.replace("file oracle/x.c\n", ""), 1, "no file line"),
    (VARIANT.replace("file oracle/x.c\n", ""), 1, "replaces nothing"),
    (VARIANT.replace("why", "violates") + block("a\n", "b\n"), 1,
     "expected one of"),
    (HEAD.replace("what It does.\n", "") + block("a\n", "b\n"), 1, "no what"),
]


def several(mutate):
    """What is wrong with --folder, as lines of text."""
    with tempfile.TemporaryDirectory() as where:
        root = pathlib.Path(where)
        (root / "oracle").mkdir()
        (root / "oracle/x.c").write_text(SOURCE)
        for name, old in (("one", "int f(void)\n"), ("two", "int g(void)\n"),
                          ("bad", "\treturn 1;\n"), ("worse", "no line\n")):
            (root / f"{name}.mut").write_text(
                HEAD.replace("mutant m", f"mutant {name}")
                + block(old, "int h(void)\n"))

        def made(*names):
            return subprocess.run(
                [sys.executable, mutate, *(root / f"{n}.mut" for n in names),
                 "--root", root, "--folder", root / "out"],
                capture_output=True, text=True, check=False)

        done = made("bad", "one", "worse", "two")
        if done.returncode != 1 or "bad.mut" not in done.stderr or \
                "worse.mut" not in done.stderr:
            yield f"wanted two refusals, got {done.returncode}: {done.stderr}"
        sources = [root / "out/one.c", root / "out/two.c"]
        if "int h(void)\n{" not in sources[0].read_text():
            yield "one.c is not the mutant"
        os.utime(sources[0], (1, 1))
        sources[1].write_text("old\n")
        if made("one", "two").returncode or sources[0].stat().st_mtime != 1:
            yield "one.c was up to date and is written again"
        if "int h(void)\n{" not in sources[1].read_text():
            yield "two.c is not written again"


def main():
    bad = 0
    for line in several(sys.argv[1]):
        print(line)
        bad = 1
    for text, code, want in TRIALS:
        with tempfile.TemporaryDirectory() as where:
            root = pathlib.Path(where)
            (root / "oracle").mkdir()
            (root / "oracle/x.c").write_text(SOURCE)
            name = "m.var" if text.startswith("variant") else "m.mut"
            (root / name).write_text(text)
            done = subprocess.run(
                [sys.executable, sys.argv[1], root / name, "--root", root,
                 "-o", root / "out/x.c"],
                capture_output=True, text=True, check=False)
            got = done.stderr
            if done.returncode == 0:
                got = (root / "out/x.c").read_text()
            if done.returncode != code or want not in got:
                print(f"--- {text}wanted {code}, {want!r}; got "
                      f"{done.returncode}, {got!r}")
                bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
