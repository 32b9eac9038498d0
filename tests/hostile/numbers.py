# SPDX-License-Identifier: BSD-2-Clause
"""Attacks rung with absurd numbers in cases and declarations.

Usage: numbers.py RUNG [--count N] [--seed N]

A number of a case, or of the reference's declaration, becomes as large as its
type holds, or larger.  The run must end soon and in little memory, with a
verdict or with a usage error that names the line.
"""
import argparse
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 10          # for one case in virtual time
MEMORY = 1 << 30      # address space
NUMBER = re.compile(r"(?<![\w.$/@-])(0x[0-9a-f]+|\d+)(?=ms|us|s\b|mtu|\b)")
# Earlier failures: a file, a word of it, and its replacement.
FIXED = [("cases/srd/wire/length.lad", "data 1mtu+1", "data 1mtu+65536"),
         ("cases/roce/loss/data.lad", "first=10 last=13", "first=1000000000 last=13")]
LARGE = [2**64 - 1, 2**64, 2**63, 2**63 - 1, 2**32, 2**32 - 1, 2**31, 2**31 - 1, 10**9, 65536, 0]
WHERE = re.compile(r":\d+:\d+: |the reference cannot be what the declaration says")
KEYWORDS = ("title", "ref", "covers", "needs", "violates", "#", "chair")


def places(text):
    """Finds the numbers of a case or a declaration."""
    at = 0
    for line in text.splitlines(keepends=True):
        if not line.strip().startswith(KEYWORDS):
            code = line.split(" #")[0].split("[")[0]
            for m in NUMBER.finditer(code):
                yield at + m.start(), at + m.end()
        at += len(line)


def declared(rung):
    """Returns the declaration of the reference, as a run stores it."""
    with tempfile.TemporaryDirectory() as where:
        subprocess.run([rung, "run", "--dut", "virtual", "-q", "--out", where,
                        "uet/rud/send-gtd@target"], stdout=subprocess.DEVNULL, check=True)
        return next(pathlib.Path(where).glob("cases/**/device.decl")).read_text()


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def attempt(rung, args):
    began = time.monotonic()
    try:
        done = subprocess.run([rung, "run", "--dut", "virtual", "-q", *args], timeout=SECONDS,
                              preexec_fn=limit, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired:
        return f"still runs after {SECONDS} s"
    took = time.monotonic() - began
    said = done.stderr.decode(errors="replace")
    told = done.stdout.decode(errors="replace")
    # A value that no field can hold is found when the line is sent: the case
    # ends as error.
    if done.returncode not in (0, 1, 2, 3, 4) and not (done.returncode == 5 and "error" in told):
        return f"exit code {done.returncode}: {said.strip()[-300:]}"
    if done.returncode == 2 and not WHERE.search(said):
        return f"no line is named: {said.strip()[-300:]}"
    if took > SECONDS / 2:
        return f"{took:.1f} s"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rung")
    parser.add_argument("--count", type=int, default=250)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "little"))
    parser.add_argument("--keep")
    args = parser.parse_args()
    draw = random.Random(args.seed)
    files = [p for p in sorted(ROOT.glob("cases/*/**/*.lad"))
             if p.relative_to(ROOT / "cases").parts[0] not in ("common", "mutants", "probe",
                                                               "variants")]
    reference = declared(args.rung)
    bad = 0
    with tempfile.TemporaryDirectory() as where:
        for name, was, becomes in FIXED:
            text = (ROOT / name).read_text()
            assert was in text, name
            changed = pathlib.Path(where, "x.lad")
            changed.write_text(text.replace(was, becomes))
            why = attempt(args.rung, [str(changed)])
            if why:
                bad += 1
                print(f"{name}, {becomes}: {why}")
        for i in range(args.count):
            path = draw.choice(files)
            of_decl = i % 5 == 4
            text = reference if of_decl else path.read_text()
            spots = list(places(text))
            if not spots:
                continue
            start, end = draw.choice(spots)
            large = draw.choice(LARGE)
            text = text[:start] + str(large) + text[end:]
            changed = pathlib.Path(where, "x.decl" if of_decl else "x.lad")
            changed.write_text(text)
            line = text[:start].count("\n")
            words = ["--decl", changed, path] if of_decl else [changed]
            if not of_decl:  # the fragments are beside the tree
                link = pathlib.Path(where, "common")
                if not link.exists():
                    link.symlink_to(ROOT / "cases/common")
            why = attempt(args.rung, map(str, words))
            if why:
                bad += 1
                print(f"{path.relative_to(ROOT)}, {changed.name}:{line + 1}: "
                      f"{text.splitlines()[line].strip()}\n  {why}")
                if args.keep:
                    pathlib.Path(args.keep, f"{bad}-{changed.name}").write_text(text)
    print(f"{args.count} numbers, {bad} of them wrong (seed {args.seed})")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
