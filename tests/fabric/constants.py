#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The tables of docs/fabric.md: each constant of NSCC and of the repair of SRD
at half and at double, each setting that shapes RCCC, the RTO, and the rest of a
path.

Without --check it prints the rows.  With --check it measures rows in an order
that --seed draws, one of each table first, for --seconds of processor time, and
fails if the document says something else.  The same options give the same
packets, so that the figures are exact.

Usage: tests/fabric/constants.py RUNG ROOT [--check] [--seconds N] [--seed N]
"""
import argparse
import datetime
import functools
import json
import pathlib
import random
import re
import resource
import subprocess
import sys

WORKLOADS = (["--workload", "incast", "--fan", "100"], [])
RTO = ("500us", "2ms")  # half and double of the default, 1 ms
# The default of each constant, and the most that it can be.
CONSTANTS = {
    "nscc_max_window": (150, None), "nscc_target": (75, None),
    "nscc_alpha": (400, None), "nscc_fair": (500, None),
    "nscc_fast": (25, None), "nscc_fast_delay": (1000, None),
    "nscc_eta": (15, None), "nscc_gamma": (80, 100),
    "nscc_max_decrease": (50, 100), "nscc_qa_gate": (3, 16),
    "nscc_qa_delay": (400, None), "nscc_delay_gain": (125, None),
    "nscc_adjust": (8, None), "rto": None,
}
# Half and double of what shapes RCCC.
CREDIT = {
    "rccc_quantum": ("2", "8"), "credit_unit": ("128", "512"),
    "credit_init": ("432", "1728"), "rto": RTO,
}
# A path that failed for good, in flows that outlast half and all of path_rest.
REST = ["--bytes", "128M"]
RESTS = ("10ms", "5ms", "20ms")  # the default, half and double
REST_TEXT = re.compile(r"(\S+) % of the ideal with a `path_rest` of 10 ms, "
                       r"(\S+) % with half and (\S+) % with double")
# Half and double of each constant of SRD's repair.
REPAIR = {
    "srd_rtt_weight": ("4", "16"), "srd_dev_weight": ("2", "8"),
    "srd_dev_factor": ("2", "8"), "rto": RTO,
}
REPAIR_SEEDS = range(1, 6)
REPAIR_ROW = re.compile(
    r"^\| `?(\w+)`? \| (\d+ µs, \d+) \| (\d+ µs, \d+)? ?\|$", re.M)
ROW = re.compile(r"^\| `(nscc_\w+|rto)`[^|]*\|([^|]*%[^|]*)\|([^|]*)\|$", re.M)
RCCC_TABLE = "\nHalf and double of what shapes RCCC"
CREDIT_ROW = re.compile(r"^\| `(\w+)` \|([^|]*%[^|]*)\|([^|]*%[^|]*)\|$", re.M)
DEFAULT = re.compile(r"^\| default \|([^|]*)\| \|$", re.M)


def option_of(setting):
    """The words of the option that sets NAME=VALUE; none without a setting."""
    name, _, value = setting.partition("=")
    if name == "rto":
        return ["--rto", value]
    return ["--set", setting] if setting else []


def fabric(rung, topology, options, setting):
    """What rung fabric says of a run without judges."""
    done = subprocess.run(
        [rung, "fabric", topology, "--judge", "0", "--json", *options,
         *option_of(setting)],
        capture_output=True, text=True, timeout=300, check=False)
    if not done.stdout:
        sys.exit(f"{setting}: {done.stderr}")
    return json.loads(done.stdout)


def goodput(rung, root, options, setting, topology="leaf-spine"):
    """The goodput of a workload in percent, as text."""
    times = "ns" if setting.startswith("nscc_fast_delay") else ""
    said = fabric(rung, root / f"docs/fabric/{topology}.yaml", options,
                  setting + times)
    return f"{said['flows']['goodput'] * 100:.1f} %"


def repair(rung, root, setting=""):
    """The mean completion time of SRD on lossy links and its repeats, as the
    means of several seeds.
    """
    said = [fabric(rung, root / "docs/fabric/lossy.yaml",
                   ["--family", "srd", "--set", "srd_fast=1", "--seed",
                    str(seed)], setting) for seed in REPAIR_SEEDS]
    took = sum(each["flows"]["completion_mean_ns"] for each in said)
    again = sum(each["network"]["retransmitted"] for each in said)
    return f"{took / len(said) / 1000:.0f} µs, {again / len(said):.0f}"


def repairs(rung, root, name):
    """What repair() says of half and of double of a constant."""
    return [repair(rung, root, f"{name}={value}") for value in REPAIR[name]]


def cell(rung, root, setting=""):
    """The goodput of both workloads."""
    return [goodput(rung, root, options, setting) for options in WORKLOADS]


def credit(rung, root, setting=""):
    """The goodput of both workloads with RCCC."""
    return [goodput(rung, root, [*options, "--cc", "rccc"], setting)
            for options in WORKLOADS]


def rests(rung, root):
    """The goodput behind a failure with each path_rest, without the unit."""
    return [goodput(rung, root, REST, f"path_rest={value}", "failure")[:-2]
            for value in RESTS]


def scaled(name):
    """The settings with half and with double of a constant."""
    if name == "rto":
        return [f"{name}={value}" for value in RTO]
    value, most = CONSTANTS[name]
    double = 2 * value if most is None else min(2 * value, most)
    return f"{name}={max(value // 2, 1)}", f"{name}={double}"


def figures(text):
    return re.findall(r"\d+\.\d %", text)


def unlike(said, measured, setting):
    """A line of text if a cell of the document has other figures."""
    if figures(said) != measured:
        yield f"{setting}: {measured}, not {said.strip()}"


def check_default(rung, root, said):
    yield from unlike(said, cell(rung, root), "default")


def check_nscc(rung, root, name, cells):
    for said, setting in zip(cells, scaled(name)):
        yield from unlike(said, cell(rung, root, setting), setting)


def check_credit(rung, root, name, cells):
    for said, value in zip(cells, CREDIT[name]):
        setting = f"{name}={value}"
        yield from unlike(said, credit(rung, root, setting), setting)


def check_repair(rung, root, name, cells):
    measured = ([repair(rung, root), ""] if name == "default"
                else repairs(rung, root, name))
    if cells != measured:
        yield f"{name}: {measured}, not {cells}"


def check_rests(rung, root, text):
    """What the document says otherwise of the rest of a path."""
    said = REST_TEXT.findall(" ".join(text.split()))
    measured = rests(rung, root)
    if said != [tuple(measured)]:
        yield f"path_rest={RESTS}: {measured}, not {said}"


def checks(rung, root):
    """The rows of each table, each with the function that checks it."""
    text = (root / "docs/fabric.md").read_text()
    before, _, after = text.partition(RCCC_TABLE)
    nscc = {name: said for name, *said in ROW.findall(before)}
    rccc = {name: said for name, *said in CREDIT_ROW.findall(after)}
    srd = {name: said for name, *said in REPAIR_ROW.findall(text)}
    default = DEFAULT.search(text)
    if (not default or nscc.keys() != CONSTANTS.keys()
            or rccc.keys() != CREDIT.keys()
            or srd.keys() != REPAIR.keys() | {"default"}):
        sys.exit("docs/fabric.md: a table does not have its rows")
    return [
        [("default", lambda: check_default(rung, root, default[1]))],
        [("path_rest", lambda: check_rests(rung, root, text))],
        *([(name, functools.partial(check, rung, root, name, rows[name]))
           for name in sorted(rows)]
          for check, rows in ((check_nscc, nscc), (check_credit, rccc),
                              (check_repair, srd))),
    ]


def processor_time():
    """The seconds of processor time of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seed_of_the_day():
    return datetime.date.today().toordinal()


def check_drawn(tables, seed, seconds):
    """Checks rows in the order that the seed draws, one of each table first,
    until they took so much processor time.  Returns lines of text: the seed,
    how many rows, and what the document says otherwise.
    """
    draw = random.Random(seed)
    drawn = [draw.sample(rows, len(rows)) for rows in tables]
    rest = [row for rows in drawn for row in rows[1:]]
    draw.shuffle(rest)
    wrong, done = [], 0
    for i, (_, check) in enumerate([rows[0] for rows in drawn] + rest):
        if i >= len(tables) and processor_time() > seconds:
            break
        wrong += check()
        done += 1
    every = sum(map(len, tables))
    return [f"seed {seed}: {done} of {every} rows", *wrong]


def check_options(parser):
    """Adds the options of --check."""
    parser.add_argument("--check", action="store_true",
                        help="compare with docs/fabric.md")
    parser.add_argument("--seconds", type=float, default=20,
                        help="processor time of --check; "
                        "default: %(default)s")
    parser.add_argument("--seed", type=int, default=seed_of_the_day(),
                        help="draws the rows of --check; default: the day")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rung", help="the program, build/bin/rung")
    parser.add_argument("root", type=pathlib.Path, help="the source tree")
    check_options(parser)
    args = parser.parse_args()
    if args.check:
        said = check_drawn(checks(args.rung, args.root), args.seed,
                           args.seconds)
        print("\n".join(said))
        return len(said) > 1
    print(f"| default | {repair(args.rung, args.root)} | |")
    for name in REPAIR:
        print(f"| `{name}` | "
              f"{' | '.join(repairs(args.rung, args.root, name))} |")
    print(f"path_rest {', '.join(rests(args.rung, args.root))}")
    print(f"| default | {', '.join(credit(args.rung, args.root))} | |")
    for name, values in CREDIT.items():
        cells = (", ".join(credit(args.rung, args.root, f"{name}={value}"))
                 for value in values)
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)
    print(f"| default | {', '.join(cell(args.rung, args.root))} | |")
    for name in CONSTANTS:
        cells = (", ".join(cell(args.rung, args.root, each))
                 for each in scaled(name))
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
