#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that a device gets the same verdict with any seed.

Repeats the suite with several seeds against each device: the reference in
virtual time, the reference as a process, and the peer in Python. PSNs, PDCIDs
and other random values differ from seed to seed. If a verdict differs too, a
case, the tester or the device has a bug.

Usage: tools/seeds.py [OPTION...] RUNG [DEVICE...]
  DEVICE        virtual, ref, peer (default: all three), or any other --dut
  --seeds N     so many seeds (default 20)
  --first N     the first of them (default: a new one each time, printed)
  --decl FILE   what a DEVICE that has no name here declares
  --jobs N      cases at a time against ref and peer (default 8)
  --only GLOB   these cases alone
Exit status: 0 if no verdict changed, else 1.
"""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEER = ROOT / "tests/peer"
TRIES = 4  # retries of a case that a pause of the machine disturbed


def command(device, args):
    """The options that choose a device."""
    if device == "virtual":
        return ["--dut", "virtual"]
    jobs = ["-j", str(args.jobs)]
    if device == "ref":
        return ["--dut", "ref", *jobs]
    if device == "peer":
        return ["--dut", f"exec:{sys.executable} -B {PEER}/peer.py --udp {{dut}}",
                "--decl", str(PEER / "peer.decl"), *jobs]
    return ["--dut", device, *(["--decl", args.decl] if args.decl else [])]


def run(args, device, seed, cases):
    """The cases of a run, by id."""
    with tempfile.TemporaryDirectory() as where:
        path = pathlib.Path(where, "results.json")
        done = subprocess.run(
            [args.rung, "run", "--quiet", "--seed", str(seed), "--json", path,
             *command(device, args), *cases], capture_output=True, text=True,
            check=False)
        if not path.exists():
            sys.exit(f"{device}, seed {seed}: exit {done.returncode}\n"
                     f"{done.stdout}{done.stderr}")
        return {c["id"]: c for c in json.loads(path.read_text())["cases"]}


def spoilt(case):
    """Returns whether the machine was too slow for a verdict."""
    return case["verdict"] == "inconclusive" and \
        case["reason"].startswith(("the tester was ", "the device was "))


def decided(args, device, seed):
    """Returns the verdicts with one seed; runs disturbed cases again."""
    found = run(args, device, seed, args.only)
    for _ in range(TRIES):
        again = [i for i, c in found.items() if spoilt(c)]
        if not again:
            break
        found.update(run(args, device, seed, again))
    return found


def compare(args, device):
    """Run all seeds; return how many cases changed their verdict."""
    first, changed = {}, {}
    verdicts = collections.Counter()
    for seed in range(args.first, args.first + args.seeds):
        for name, case in decided(args, device, seed).items():
            verdicts[case["verdict"]] += 1
            known = first.setdefault(name, (seed, case))
            if not spoilt(case) and case["verdict"] != known[1]["verdict"]:
                changed.setdefault(name, (*known, seed, case))
    total = ", ".join(f"{n} {v}" for v, n in verdicts.most_common())
    print(f"{device}: {len(first)} cases, {args.seeds} seeds from "
          f"{args.first}: {len(changed)} changed ({total})", flush=True)
    for name, (seed, case, other, new) in sorted(changed.items()):
        for s, c in ((seed, case), (other, new)):
            print(f"  {name}  seed {s}: {c['verdict']} {c['reason']}")
    return len(changed)


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("rung")
    p.add_argument("device", nargs="*")
    p.add_argument("--seeds", type=int, default=20)
    p.add_argument("--first", type=int, default=random.randrange(1, 10**9))
    p.add_argument("--decl")
    p.add_argument("--jobs", type=int, default=8)
    p.add_argument("--only", action="append", default=[])
    args = p.parse_args()
    devices = args.device or ["virtual", "ref", "peer"]
    return 1 if sum([compare(args, d) for d in devices]) else 0


if __name__ == "__main__":
    sys.exit(main())
