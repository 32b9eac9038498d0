#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests the lints with planted offences.

Usage: selftest.py TOOLS_DIR
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

SPDX = "/* SPDX-License-Identifier: BSD-2-Clause */\n"
HOME = "/" + "home/someone/x"

# A planted text, the lint that must find it, and the expected message.
PLANTS = [
    ("floors.py", [], "judge/x.c", '#include "oracle/oracle.h"\n',
     "judge/x.c:1: judge/ must not include oracle/"),
    ("floors.py", [], "oracle/x.c", '\n#include "judge/judge.h"\n',
     "oracle/x.c:2: oracle/ must not include judge/"),
    ("floors.py", [], "base/x.h", '#include "wire/field.h"\n',
     "base/ must not include wire/"),
    ("floors.py", [], "gen/x.c", '#include "suite/lang/case.h"\n',
     "gen/ must not include suite/"),
    ("floors.py", [], "dissector/x.c",
     '#include "judge/req.h"\n#include "judge/judge.h"\n',
     "dissector/x.c:2: judge/judge.h is not in the judge's interface"),
    ("floors.py", [], "cli/x.c",
     '#include "lib/rung.h"\n#include "lib/lib_device.h"\n',
     "cli/x.c:2: lib/lib_device.h is not in the library's interface"),
    ("floors.py", [], "oracle/x.c", "long f(void)\n{\n\treturn time(0);\n}\n",
     "oracle/x.c:3: only a driver may call time()"),
    ("floors.py", [], "suite/x.c", "/* a\nb */ void f(void) { poll(0, 0, 1); }",
     "suite/x.c:2: only a driver may call poll()"),
    ("floors.py", [], "wire/x_test.c", "void f(void) { fork(); }",
     "only a driver may call fork()"),
    ("floors.py", [], "wire/x.c", "/*\n*/ void *f(void) { return malloc(1); }",
     "wire/x.c:2: malloc() hides a lack of memory"),
    ("lint.py", ["spdx"], "wire/x.c", "int f(void);\n", "wire/x.c:1: no SPDX"),
    ("lint.py", ["cites"], "wire/x.c", "/* srd_" + "wqe.md B.6,\n * V12 */\n",
     "docs/spec/srd_" + "wqe.md has no V12"),
    ("lint.py", ["cites"], "docs/x.md", "    tools/x" + ".py RUNG\n",
     "docs/x.md: tools/x.py is not executable"),
    ("lint.py", ["columns"], "cases/x.lad", "title " + 95 * "x" + "\n",
     "cases/x.lad:1: 101 columns"),
    ("lint.py", ["columns"], "docs/x.md", "    " + 101 * "x" + "\n",
     "docs/x.md:1: 101 columns"),
    ("lint.py", ["paths"], "docs/x.md", f"see {HOME}\n", "docs/x.md:1: an abs"),
    ("lint.py", ["cases"], "cases/a.lad", "title a\nchair target\n> cp psn=3\n",
     "the same as"),
    ("lint.py", ["cases"], "cases/a.lad",
     "title a\nchair target\n< ack psn=3   [A-1 A-2:ack.psn A-3/dst]\n",
     "cases/a.lad:3: A-3 governs nothing of 'ack'"),
    ("lint.py", ["cases"], "cases/a.lad", "title a\nchair target\n",
     "observed.txt:1: no line has A-1 cp"),
    ("lint.py", ["cases"], "tests/mutants/excused.txt",
     "# a head\n\n<<<<<<< HEAD\nlocal oracle/x.c\n",
     "excused.txt:3: <<<<<<< HEAD: no excuse begins so"),
    ("lint.py", ["cases"], "tests/mutants/excused.txt",
     "local oracle/none.c\n- a;\n+ b;\n  Why.\n",
     "excused.txt:1: oracle/none.c: no such file"),
    ("lint.py", ["cases"], "tests/mutants/excused.txt",
     "# a head\n\nlocal oracle/y.c g\n- a;\n+ b;\n  Why.\n",
     "excused.txt:3: no line of oracle/y.c g is 'a;'"),
    ("lint.py", ["cases"], "tests/mutants/excused.txt",
     "local oracle/*.c\n- d;\n+ b;\n  Why.\n",
     "excused.txt:1: no line of oracle/*.c is 'd;'"),
    ("lint.py", ["literals"], "cases/uet/a.lad",
     "title a\nchair target\n  >  ack  after 5ms\n",
     "cases/uet/a.lad:3: a time, '5ms'"),
    ("lint.py", ["literals"], "cases/uet/a.lad",
     "title a\nchair target\n  configure close_idle=100000\n",
     "cases/uet/a.lad:3: a time, 'close_idle=100000'"),
    ("lint.py", ["literals"], "cases/uet/a.lad",
     "title a\nchair target\n  >  rud_req | data 1024\n",
     "cases/uet/a.lad:3: a length, 'data 1024'"),
    ("lint.py", ["literals"], "cases/roce/a.lad",
     "title a\nchair initiator\n  post post_send len=512\n",
     "cases/roce/a.lad:3: a length, 'len=512'"),
    ("lint.py", ["literals"], "cases/wqe/a.lad",
     "title a\nchair target\n  >  wqe_read_req va=8 rkey=$rkey\n",
     "cases/wqe/a.lad:3: an offset, 'va=8'"),
    ("lint.py", ["literals"], "cases/wqe/a.lad",
     "title a\nchair target\n  >  wqe_read_req rkey=0x1000\n",
     "cases/wqe/a.lad:3: an id, 'rkey=0x1000'"),
    ("lint.py", ["literals"], "cases/uet/a.lad",
     "title a\nchair initiator\n  <  rud_req retx | same x 5\n",
     "cases/uet/a.lad:3: a count, 'x 5'"),
    ("lint.py", ["literals"], "tests/lint/literals.txt",
     "uet/b.lad 5ms -- no case has it\n",
     "tests/lint/literals.txt:1: no case has uet/b.lad 5ms"),
    ("lint.py", ["literals"], "tests/lint/literals.txt",
     "uet/b.lad 5ms\n", "tests/lint/literals.txt:1: no reason"),
    ("lint.py", ["names"], "wire/x.c", "static int f(void)\n{\n\treturn 1;\n}\n",
     "wire/x.c:1: f() stands in 2 files"),
    ("lint.py", ["names"], "wire/x.h", "struct a {\n\tint b;\n};\n",
     "struct a: base/b.c wire/x.h"),
    ("lint.py", ["rooms"], "wire/x.c", "int f(void);\n", "wire: 31 files"),
    ("lint.py", ["rooms"], "judge/ib/x.c", "int f(void);\n",
     "judge/ib: no README.md"),
    ("lint.py", ["rooms"], "wire/x.c", "int f(void);\n",
     "wire/README.md:1: x is not named"),
    ("lint.py", ["heads"], "wire/x.c", f"{SPDX}int f(void);\n",
     "wire/x.c:1: no opening paragraph"),
    ("lint.py", ["heads"], "wire/x.c", f"{SPDX}/*\n * wire/y.c -- y.\n */\n",
     "wire/x.c:1: no opening paragraph"),
    ("lint.py", ["prose"], "wire/x.c", "/* What is sent, */\nint f;\n",
     "wire/x.c:1: What is sent,"),
    ("lint.py", ["prose"], "judge/x.def", "/* " + "Some" + "body sent it. */\n",
     "judge/x.def:1: "),
    ("lint.py", ["prose"], "wire/x.h",
     "int a; /* packets */\nint b; /* and their bytes */\n",
     "wire/x.h:2: and their bytes"),
    ("lint.py", ["prose"], "docs/x.md", "It waits.\nNo" + "body answers.\n",
     "docs: 1 places to be read twice, tests/lint/prose.txt allows 0"),
    ("lint.py", ["prose"], "cli/x.c", 'char *s = "who' + 'ever asks";\n',
     "cli/x.c:1: "),
    ("lint.py", ["prose"], "cases/x.lad", "title No" + "body answers\n",
     "cases/x.lad:1: "),
]

# Subject, body, changed lines, and the expected message about the commit.
COMMITS = [
    ("wire: Read short frames", "They were lost.", 40, None),
    ("wire, docs: Name the fields", "", 2, None),
    ("judge/ib: Feed the flow first", "", 2, None),
    ('Revert "judge/ib: Feed the flow first"', "It is slower.", 40, None),
    ('Revert "judge/ib: The flow is fed"', "Why.", 2, "is no order"),
    ("wire: Read short frames", "", 40, "no body, though 40 lines change"),
    ("wire: A frame is read at once", "Why.", 2, "is no order"),
    ("wire: Frames are read at once", "Why.", 2, "is no order"),
    ("wire: Fixed the frames", "Why.", 2, "is no order"),
    ("wire: What a frame holds", "Why.", 2, "is no order"),
    ("wire: Read frames.", "Why.", 2, "ends in a full stop"),
    ("wire: read frames", "Why.", 2, "does not begin in upper case"),
    ("Read frames", "Why.", 2, "is not 'area: Verb ...'"),
    ("wire: Read " + "all the " * 7, "Why.", 2, "characters, more than 60"),
]

# Texts that a lint must accept.
INNOCENT = [
    ("floors.py", [], "gen/port/port_x.c", "void f(void) { poll(0, 0, 1); }"),
    ("floors.py", [], "oracle/x.c",
     '/* time() */ const char *s = "exit(1)"; void g(struct p *p);\n'
     "void g(struct p *p) { p->send(p); o.read(0); orc_time(1); }\n"),
    ("floors.py", [], "wire/x.c",
     "static int write(int x)\n{\n\treturn x;\n}\nint y = write(1);\n"),
    ("floors.py", [], "wire/x_test.c", 'void f(void) { fopen("a", "r"); }'),
    ("floors.py", [], "wire/x.c", "/* malloc(1) */ void *p = memory_alloc(1);"),
    ("lint.py", ["spdx"], "wire/x.c", SPDX),
    ("lint.py", ["heads"], "wire/x.c", f"{SPDX}/*\n * wire/x.c -- x.\n */\n"),
    ("lint.py", ["heads"], "wire/x_test.c", "int f(void);\n"),
    ("lint.py", ["paths"], "docs/x.md", "write to /tmp/x and ~/.config\n"),
    ("lint.py", ["rooms"], "wire/y0.c", "int f(void);\n"),
    ("lint.py", ["rooms"], "wire/x_test.c", "int f(void);\n"),
    ("lint.py", ["rooms"], "bench/x.c", "int f(void);\n"),
    ("lint.py", ["prose"], "wire/x.c", '/* Sends it. */\nchar *s = "who' +
     'ever";\nint a; /* packets */\nint b; /* bytes */\n'),
    ("lint.py", ["prose"], "docs/x.md", "A word:\n\n    no" + "body\n"),
    ("lint.py", ["cases"], "tests/mutants/excused.txt",
     "local oracle/*.c f\n- a;\n+ b;\n  Why [a].\n\n"
     "free oracle/y.c\n- c;\n+ b;\n  Why.\n"),
    ("lint.py", ["commits"], "wire/x.c", SPDX),
]


def plant_room(root, name, text):
    """wire/ has 30 files besides x.c; its README.md does not name x.c."""
    if name != "wire/x.c":
        (root / "wire").mkdir(exist_ok=True)
    for i in range(30 if name == "wire/x.c" else 0):
        (root / f"wire/y{i}.c").write_text(text)
    (root / "wire/README.md").write_text(
        "".join(f"`y{i}.c`\n" for i in range(30)))


def run(tools, tool, args, name, text):
    with tempfile.TemporaryDirectory() as where:
        root = pathlib.Path(where)
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text)
        if args == ["cases"]:
            for part, said in (("judge/governs.def",
                                'GOVERNS(A_1, "ack.psn")\n'
                                'GOVERNS(A_3, "cp.psn")\n'),
                               ("tests/lint/observed.txt",
                                "A-1 cp a reason\n" if "[" not in text
                                else ""),
                               ("oracle/y.c", "int f(int x)\n{\n\ta;\n}\n\n"
                                "int g(int x)\n{\n\tc;\n}\n")):
                (root / part).parent.mkdir(parents=True, exist_ok=True)
                (root / part).write_text(said)
            (root / "cases").mkdir(exist_ok=True)
            (root / "cases/b.lad").write_text(text.replace("3", "44"))
        if args == ["names"]:
            (root / "base").mkdir()
            (root / "base/b.c").write_text(text)
        if args == ["rooms"]:
            plant_room(root, name, text)
        done = subprocess.run(
            [sys.executable, tools / tool, *args, root],
            capture_output=True, text=True, check=False)
        return done.returncode, done.stdout


def git(root, *args):
    subprocess.run(["git", "-C", str(root), "-c", "user.name=x", "-c",
                    "user.email=x@example.org", *args], check=True,
                   capture_output=True)


def commits(tools):
    """Tests each commit alone, as the successor of the listed one."""
    bad = 0
    for subject, body, lines, want in COMMITS:
        with tempfile.TemporaryDirectory() as where:
            root = pathlib.Path(where).resolve()
            git(root, "init", "-q")
            git(root, "commit", "-q", "--allow-empty", "-m", "Begin")
            (root / "x.c").write_text("x\n" * lines)
            git(root, "add", "x.c")
            git(root, "commit", "-q", "-m", f"{subject}\n\n{body}")
            done = subprocess.run(
                [sys.executable, tools / "lint.py", "commits", root, "HEAD~1.."],
                capture_output=True, text=True, check=False)
            if done.returncode != bool(want) or (want or "") not in done.stdout:
                print(f"commits {subject!r}: wanted {want!r}, got "
                      f"{done.returncode} {done.stdout!r}")
                bad = 1
    return bad


def shrink(tools):
    """--shrink lowers limits and never raises one."""
    with tempfile.TemporaryDirectory() as where:
        root = pathlib.Path(where)
        (root / "tests/lint").mkdir(parents=True)
        (root / "wire").mkdir()
        (root / "gen").mkdir()
        (root / "wire/x.c").write_text("/* Of it. */\n")
        (root / "gen/x.c").write_text("/* Of it. */\n/* Of it. */\n")
        limits = root / "tests/lint/prose.txt"
        limits.write_text("# why\ngen 1\nwire 5\noracle 3\n")
        subprocess.run([sys.executable, tools / "lint.py", "prose", root,
                        "--shrink"], capture_output=True, check=False)
        if limits.read_text() != "# why\ngen 1\nwire 1\n":
            print(f"--shrink: got {limits.read_text()!r}")
            return 1
    return 0


def main():
    tools = pathlib.Path(sys.argv[1])
    bad = shrink(tools)
    if shutil.which("git"):
        bad |= commits(tools)
    for tool, args, name, text, want in PLANTS:
        code, out = run(tools, tool, args, name, text)
        if code != 1 or want not in out:
            print(f"{tool} {name}: wanted 1 and {want!r}, got {code} {out!r}")
            bad = 1
    for tool, args, name, text in INNOCENT:
        code, out = run(tools, tool, args, name, text)
        if (code or out) and not (args == ["commits"] and code == 77):
            print(f"{tool} {name}: wanted silence, got {code} {out!r}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
