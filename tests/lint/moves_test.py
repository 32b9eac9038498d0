#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""cmake/moves.py writes what a file says, and names the place of each fault.

Usage: moves_test.py MOVES.PY
"""
import pathlib
import subprocess
import sys
import tempfile

COMMON = "list lengths\n  0/1\n  /mtu\n\npart ack\n  < ack ack_psn={p}\n"
HEAD = "move weight=2\ntitle    A\nchecks   I2\n"

# (text of the file, expected in the C file)
WRITTEN = [
    ("# why\nmove psns=1 mids=2 ops=3 rets=4 weight=5 bare rud\n"
     "title    It waits\nsetting  a=1\nneeds    rud multi\nviolates UET-PDC-15/src\n"
     "         ... UET-PDC-07/src\nchecks   I2\n  use open\n",
     '.psns = 1,\n\t .mids = 2,\n\t .ops = 3,\n\t .rets = 4,\n\t .weight = 5,\n'
     '\t .flags = SCRIPT_BARE | SCRIPT_RUD,\n\t .title = "It waits",\n'
     '\t .setting = "a=1",\n'
     '\t .needs = "rud multi",\n'
     '\t .violates = "UET-PDC-15/src UET-PDC-07/src",\n\t .ids = "I2",\n'
     '\t .lines = \n\t\t"use open\\n"},'),
    (HEAD + "  any {\n    < ack\n  }\n", '"any {\\n"\n\t\t"  < ack\\n"\n\t\t"}\\n"}'),
    (HEAD + "  > x a=1\n     | y\n     ... b=2\n     [I13]\n",
     '"> x a=1 | y b=2  [I13]\\n"'),
    (HEAD + "  x {1:a/b\n     /c} {1=d/e/f} {2:3..5} {p+1}{mode}\n",
     '"x {1:a/b/c} {1=d/e/f} {2:3..5} {p+1}{mode}\\n"'),
    (HEAD + "  len={1:@lengths} {1=@lengths}\n", '"len={1:0/1/mtu} {1=0/1/mtu}\\n"'),
    ("part two\n  {part ack}\n  x\n" + HEAD + "  {part two x 2}\n",
     '"< ack ack_psn={p}\\n"\n\t\t"x\\n"\n\t\t"< ack ack_psn={p}\\n"\n\t\t"x\\n"}'),
]

# (text of the file, its line, what is said)
REFUSED = [
    ("moves weight=1\n", 1, "'moves' is none of list, part and move"),
    ("  x\n" + HEAD, 1, "'x' is none of list, part and move"),
    ("move\nchecks I2\n  x\n", 1, "a weight of 1 to 255"),
    ("move weight=0\nchecks I2\n  x\n", 1, "a weight of 1 to 255"),
    ("move weight=256\nchecks I2\n  x\n", 1, "has no 'weight=256'"),
    ("move weight=1 quick\nchecks I2\n  x\n", 1, "has no 'quick'"),
    ("move weight=1\nchecks I2\n  x\n", 1, "needs a line 'title'"),
    ("move weight=1\ntitle A\n  x\n", 1, "needs a line 'checks'"),
    ("move weight=1\nchecks\n  x\n", 2, "with its value"),
    (HEAD + "checks I3\n  x\n", 4, "once"),
    (HEAD + "covers I3\n  x\n", 4, "one of title, setting, needs, violates, checks"),
    (HEAD, 1, "needs lines of a case"),
    (HEAD + "  x\nneeds rud\n", 5, "begins with two blanks"),
    (HEAD + " x\n", 4, "begins with two blanks"),
    ("move weight=1\n  | y\nchecks I2\n", 2, "this line continues another one"),
    (HEAD + "  x {w}\n", 4, "unknown place {w}"),
    (HEAD + "  x {p*2}\n", 4, "unknown place {p*2}"),
    (HEAD + "  x {1}\n\n# no end\n  y {1\n", 7, "a brace has no other one"),
    (HEAD + "  x 1}\n", 4, "a brace has no other one"),
    (HEAD + "  x {1:@widths}\n", 4, "no list widths stands above"),
    (HEAD + "  {part nack}\n", 4, "no part nack stands above"),
    ("part ack\n  x\n" + HEAD + "  x\n", 1, "one new name is needed"),
    ("list\n  1/2\n" + HEAD + "  x\n", 1, "one new name is needed"),
    ("list none\n" + HEAD + "  x\n", 1, "none is empty"),
]


def made(moves, where, text):
    """Returns the finished process, and the C file that it wrote or None."""
    paths = [where / "a.moves", where / "common.moves"]
    for path, content in zip(paths, (text, COMMON)):
        path.write_text(content)
    out = where / "out.c"
    out.unlink(missing_ok=True)
    done = subprocess.run([sys.executable, moves, out, *paths],
                          capture_output=True, text=True, check=False)
    return done, out.read_text() if out.exists() else None


def faults(moves, where):
    """Yields what is wrong, as lines of text."""
    for text, want in WRITTEN:
        done, got = made(moves, where, text)
        if done.returncode or want not in got:
            yield f"{text}\nwanted {want}\ngot {got} {done.stderr}"
        elif "const struct draft_script script_a[] = {" not in got:
            yield f"no table: {got}"
    for text, line, want in REFUSED:
        done, got = made(moves, where, text)
        place = f"{where / 'a.moves'}:{line}: "
        if done.returncode != 1 or got is not None or \
                not done.stderr.startswith(place) or want not in done.stderr:
            yield f"{text}\nwanted {place}{want}\ngot {got} {done.stderr}"


def main():
    with tempfile.TemporaryDirectory() as where:
        wrong = list(faults(sys.argv[1], pathlib.Path(where)))
    print("\n".join(wrong) or f"{len(WRITTEN) + len(REFUSED)} files, all well")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
