#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The lints find what they are there to find: offences are planted.

Usage: selftest.py TOOLS_DIR
"""
import pathlib
import subprocess
import sys
import tempfile

SPDX = "/* SPDX-License-Identifier: BSD-2-Clause */\n"
HOME = "/" + "home/someone/x"

# What is planted, by whom it must be found, and what it must say.
PLANTS = [
    ("floors.py", [], "judge/x.c", '#include "oracle/oracle.h"\n',
     "judge/x.c:1: judge/ must not include oracle/"),
    ("floors.py", [], "oracle/x.c", '\n#include "judge/judge.h"\n',
     "oracle/x.c:2: oracle/ must not include judge/"),
    ("floors.py", [], "base/x.h", '#include "wire/field.h"\n',
     "base/ must not include wire/"),
    ("floors.py", [], "gen/x.c", '#include "suite/case.h"\n',
     "gen/ must not include suite/"),
    ("floors.py", [], "oracle/x.c", "long f(void)\n{\n\treturn time(0);\n}\n",
     "oracle/x.c:3: only a driver may call time()"),
    ("floors.py", [], "suite/x.c", "/* a\nb */ void f(void) { poll(0, 0, 1); }",
     "suite/x.c:2: only a driver may call poll()"),
    ("floors.py", [], "wire/x_test.c", "void f(void) { fork(); }",
     "only a driver may call fork()"),
    ("lint.py", ["spdx"], "wire/x.c", "int f(void);\n", "wire/x.c:1: no SPDX"),
    ("lint.py", ["paths"], "docs/x.md", f"see {HOME}\n", "docs/x.md:1: an abs"),
    ("lint.py", ["cases"], "cases/a.lad", "title a\nchair target\n> cp psn=3\n",
     "the same as"),
]

# What must be let through.
INNOCENT = [
    ("floors.py", [], "gen/port_x.c", "void f(void) { poll(0, 0, 1); }"),
    ("floors.py", [], "oracle/x.c",
     '/* time() */ const char *s = "exit(1)"; void g(struct p *p);\n'
     "void g(struct p *p) { p->send(p); o.read(0); orc_time(1); }\n"),
    ("floors.py", [], "wire/x.c",
     "static int write(int x)\n{\n\treturn x;\n}\nint y = write(1);\n"),
    ("floors.py", [], "wire/x_test.c", 'void f(void) { fopen("a", "r"); }'),
    ("lint.py", ["spdx"], "wire/x.c", SPDX),
    ("lint.py", ["paths"], "docs/x.md", "write to /tmp/x and ~/.config\n"),
]


def run(tools, tool, args, name, text):
    with tempfile.TemporaryDirectory() as where:
        root = pathlib.Path(where)
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text)
        if args == ["cases"]:
            (root / "cases/b.lad").write_text(text.replace("3", "44"))
        done = subprocess.run(
            [sys.executable, tools / tool, *args, root],
            capture_output=True, text=True, check=False)
        return done.returncode, done.stdout


def main():
    tools = pathlib.Path(sys.argv[1])
    bad = 0
    for tool, args, name, text, want in PLANTS:
        code, out = run(tools, tool, args, name, text)
        if code != 1 or want not in out:
            print(f"{tool} {name}: wanted 1 and {want!r}, got {code} {out!r}")
            bad = 1
    for tool, args, name, text in INNOCENT:
        code, out = run(tools, tool, args, name, text)
        if code or out:
            print(f"{tool} {name}: wanted silence, got {code} {out!r}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
