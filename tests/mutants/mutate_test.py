#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""tools/mutate.py refuses what does not match exactly once.

Usage: mutate_test.py MUTATE.PY
"""
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


def main():
    bad = 0
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
