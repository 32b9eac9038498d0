#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs rung with one allocation that fails, at random places.

Usage: alloc.py RUNG_ALLOC_FAIL [--each N] [--all] [--only NAME] [--seed N]

RUNG_ALLOC_FAIL is the program of cli/CMakeLists.txt with -DALLOC_FAIL=ON, whose
allocator fails at a call that the environment names.  For each command of the
table below N calls are drawn (--all: every call fails once).  A run with a
failed allocation either

  * has the same exit code and standard output as with memory, or
  * ends with a harness error (5), or with a usage error (2) where the C library
    could not open a file, and says so on standard error.

Nothing else is allowed: no crash, no finding of ASan, no leak, no hang, no
file that is torn, no verdict that is not that of the run with memory.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECONDS = 60                # a longer run counts as a hang
HARNESS, USAGE = 5, 2
SANITIZER = 99
WORDS = re.compile(rb"out of memory|Cannot allocate memory|a thread|not all could be written")
MASKS = [(rb" *\d+\.\d+ m?s\b", b" T"), (rb'"run":"[0-9a-f]{32}"', b'"run":"R"')]


def commands(folder):
    capture = os.path.join(ROOT, "tests/captures/uet-soft-ue-probed.pcap")
    lad = os.path.join(ROOT, "cases/uet/rud/ack-lost.lad")
    base = os.path.join(folder, "base.json")
    out = os.path.join(folder, "out")
    kept = os.path.join(folder, "kept")
    return {
        "run": ["run", "--dut", "virtual", "uet/rud/send-gtd", "uet/rud/ack-lost"],
        "run-files": ["run", "--dut", "virtual", "--json", out + ".json", "--out", out,
                      "--junit", out + ".xml", "--repeat", "2", "-j", "2", "uet/rud/read-std*"],
        "run-mine": ["run", "--dut", "virtual", "--failed-first=" + base, lad],
        "resume": ["run", "--resume", "--dut", "virtual", "--json", out + ".json",
                   "--out", kept, "uet/rud/send-gtd*"],
        "report": ["report", "--json", out + ".json", kept],
        "check": ["check", "--flows", "--requirements", capture],
        "check-json": ["check", "--json", "--whole", "-j", "2", "--flows", capture],
        "check-gzip": ["check", os.path.join(folder, "x.pcap.gz")],
        "explain": ["check", "--explain", "RUD-SEQ-76"],
        "ladder": ["ladder", capture],
        "ladder-json": ["ladder", "--format", "json", capture],
        "probe": ["probe", "--dut", "virtual", "-q", "--seed", "1"],
        "show": ["show", "uet/rud/ack-lost@target"],
        "list": ["list", "uet/rud/*"],
        "list-json": ["list", "--json", "srd/*"],
        "reqs": ["list", "--reqs", "uet/rod/*"],
        "compare": ["compare", base, base],
        "gen": ["gen", "uet/rud/send-gtd@target", "-o", os.path.join(folder, "g.pcapng")],
    }


# Messages of ASan itself, whose threads need memory for their stacks.
ASAN_OWN = re.compile(rb"CHECK failed: sanitizer_linux.*pthread_getattr_np")


class Bench:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.bad = 0

    def run(self, args, fail=None, count=None):
        env = dict(os.environ, ASAN_OPTIONS="exitcode=%d:detect_leaks=1" % SANITIZER,
                   UBSAN_OPTIONS="exitcode=%d" % SANITIZER)
        env.pop("ALLOC_FAIL", None)
        if fail:
            env["ALLOC_FAIL"] = fail
        if count:
            env["ALLOC_COUNT"] = count
        for name in ("out", "out.json", "out.xml", "g.pcapng"):
            remove(os.path.join(self.folder, name))
        return subprocess.run([self.program] + args, env=env, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)

    def calls(self, args):
        """Runs with memory. Returns the result and the number of
        allocations."""
        path = os.path.join(self.folder, "count")
        done = self.run(args, count=path)
        with open(path) as f:
            return done, int(f.read())

    def files(self):
        """Checks that the files left behind are whole JSON with the right
        verdicts."""
        path = os.path.join(self.folder, "out.json")
        if not os.path.exists(path):
            return None
        with open(path) as f:
            results = json.load(f)
        return {(r["id"], r.get("repeat")): r["verdict"] for r in results["cases"]}

    def tell(self, name, fail, why, done=None):
        self.bad += 1
        print("%s: ALLOC_FAIL=%s: %s" % (name, fail, why))
        if done:
            print("  exit code %s" % done.returncode)
            for line in done.stderr.decode(errors="replace").splitlines()[:40]:
                print("  " + line)

    def one(self, name, args, fail, whole, verdicts):
        try:
            done = self.run(args, fail=fail)
        except subprocess.TimeoutExpired:
            self.tell(name, fail, "hangs")
            return
        if ASAN_OWN.search(done.stderr):
            return
        try:
            left = self.files()
        except ValueError as e:
            self.tell(name, fail, "a torn file: %s" % e, done)
            return
        for key, verdict in (left or {}).items():
            if verdict != (verdicts or {}).get(key) and verdict != "error":
                self.tell(name, fail, "%s is %s" % (key, verdict), done)
                return
        if done.returncode == whole.returncode:
            if mask(done.stdout) != mask(whole.stdout):
                self.tell(name, fail, "another output, and exit code %d" % done.returncode, done)
            elif left != verdicts:
                self.tell(name, fail, "results are missing", done)
        elif done.returncode not in (HARNESS, USAGE) or not WORDS.search(done.stderr):
            self.tell(name, fail, "not a clear end", done)


def mask(output):
    for pattern, text in MASKS:
        output = re.sub(pattern, text, output)
    return output


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "little"))
    args = parser.parse_args()
    draw = random.Random(args.seed)
    runs = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args.program, folder)
        capture = os.path.join(ROOT, "tests/captures/uet-soft-ue-probed.pcap")
        with open(os.path.join(folder, "x.pcap.gz"), "wb") as f:
            subprocess.run(["gzip", "-c", capture], stdout=f, check=True)
        bench.run(["run", "--dut", "virtual", "-q", "--json", os.path.join(folder, "base.json"),
                   "uet/rud/send*"])
        bench.run(["run", "--dut", "virtual", "-q", "--out", os.path.join(folder, "kept"),
                   "uet/rud/send-gtd*"])
        for name, words in commands(folder).items():
            if args.only and name != args.only:
                continue
            whole, calls = bench.calls(words)
            verdicts = bench.files()
            if whole.returncode not in (0, 1, 3):
                bench.tell(name, "none", "fails with memory", whole)
                continue
            every = range(1, calls + 1)
            drawn = every if args.all else sorted(draw.sample(every, min(args.each, calls)))
            for n in drawn:
                bench.one(name, words, str(n), whole, verdicts)
                runs += 1
            for n in draw.sample(every, min(max(1, args.each // 5), calls)):
                bench.one(name, words, "%d+" % n, whole, verdicts)
                runs += 1
            print("%-12s %6d allocations, %d failed" % (name, calls, len(drawn)), flush=True)
    print("%d runs with a failed allocation, %d of them wrong (seed %d)"
          % (runs, bench.bad, args.seed))
    return 1 if bench.bad else 0


if __name__ == "__main__":
    sys.exit(main())
