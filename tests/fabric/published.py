#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The comparisons with published figures in docs/fabric.md, at half and at
double each constant: incasts and permutations with NSCC and with RCCC, and
go-back-N beside selective repeat.

Without --check it prints the rows of the three tables.  With --check it
measures rows in an order that --seed draws, one of each table first, for
--seconds of processor time, and fails if the document says something else.  The
same options give the same packets, so that the figures are exact.

Usage: tests/fabric/published.py RUNG ROOT [--check] [--seconds N] [--seed N]
"""
import argparse
import functools
import pathlib
import re
import sys
import tempfile

from constants import (CONSTANTS, CREDIT, RTO, check_drawn,
                       check_options, fabric, option_of, scaled)

ONE_WRITE = ["--writes", "1", "--bytes"]
NDP = [*ONE_WRITE, "270000", "--message", "270000", "--workload", "incast"]
HTSIM = [*ONE_WRITE, "2000000", "--message", "2000000"]
# The name of a topology and the options of each column.
INCASTS = (
    ("ndp", [*NDP, "--fan", "10"]),
    ("ndp-1M", [*NDP, "--fan", "100"]),
    ("leaf-spine", [*HTSIM, "--workload", "incast", "--fan", "127"]),
    ("full-16", [*HTSIM, "--workload", "incast", "--fan", "15"]),
    ("full-16", [*HTSIM, "--spray", "128"]),
    ("leaf-spine", ["--bytes", "16M", "--spray", "256"]),
)
LONG = INCASTS[-1]  # measured in percent of the ideal
LOSS = ["--bytes", "32M", "--cc", "none"]
REPAIRS = (["--mode", "rod"], [])  # go-back-N, selective repeat
# The value in the comparison, and those at half and at double.
REPAIR = {
    "cwnd": ("300000", "150000", "600000"),
    "sack_retx": ("32", "16", "64"),
    "spray": ("64", "32", "128"),
    "rto": ("1ms", *RTO),
}
TABLE = re.compile(r"^\| `?(\w+)`? \|(.*)\|$", re.M)


class Bench:
    """The program, and the topologies by name."""

    def __init__(self, rung, root, folder):
        self.rung = rung
        self.path = {path.stem: path
                     for path in (root / "docs/fabric").glob("*.yaml")}
        text = self.path["ndp"].read_text()
        self.path["ndp-1M"] = pathlib.Path(folder) / "ndp-1M.yaml"
        self.path["ndp-1M"].write_text(
            re.sub(r"^queue: .*$", "queue: 1M", text, flags=re.M))

    def flows(self, topology, options, setting):
        """The flows of a run; None if one of them failed."""
        said = fabric(self.rung, self.path[topology], options,
                      setting)["flows"]
        return None if said["failed"] else said

    def figure(self, column, options, setting):
        """How long a workload took in µs, or what it reaches of the ideal."""
        topology, own = column
        said = self.flows(topology, [*own, *options], setting)
        if not said:
            return "fails"
        if column is LONG:
            return f"{said['goodput'] * 100:.1f}"
        return f"{said['took_ns'] / 1000:.0f}"

    def row(self, options, settings):
        """A cell for each column, with a figure for each setting."""
        return ["/".join(self.figure(column, options, each)
                         for each in settings) for column in INCASTS]

    def repair(self, options, settings):
        """The goodput with 1 % of the packets lost, in percent."""
        sets = [word for name, value in settings.items()
                for word in option_of(f"{name}={value}")]
        said = self.flows("loss", [*LOSS, *options, *sets], "")
        return f"{said['goodput'] * 100:.1f}" if said else "fails"

    def repairs(self, changes):
        """A cell for each repair, with a figure for each change."""
        default = {name: values[0] for name, values in REPAIR.items()}
        return ["/".join(self.repair(options, default | each)
                         for each in changes) for options in REPAIRS]


def with_unit(setting):
    return setting + ("ns" if setting.startswith("nscc_fast_delay") else "")


def nscc_row(bench, name):
    return bench.row([], [""] if name == "default" else
                     [with_unit(each) for each in scaled(name)])


def rccc_row(bench, name):
    return bench.row(["--cc", "rccc"], [""] if name == "default" else
                     [f"{name}={value}" for value in CREDIT[name]])


def repair_row(bench, name):
    return bench.repairs([{}] if name == "default" else
                         [{name: value} for value in REPAIR[name][1:]])


# The heading under which a table is, its rows, and how one is measured.
TABLES = (
    ("### Constants of NSCC", ["default", *CONSTANTS], nscc_row),
    ("### Constants of RCCC", ["default", *CREDIT], rccc_row),
    ("### Constants of the repairs", ["default", *REPAIR], repair_row),
)


def rows_of(text, heading):
    """The cells of each row of the table under a heading, by name."""
    part = text.partition(f"\n{heading}\n")[2].partition("\n#")[0]
    return {name: [cell.strip() for cell in cells.split("|")]
            for name, cells in TABLE.findall(part)}


def check_row(bench, name, measure, said):
    """What the document says otherwise of a row, as a line of text."""
    measured = measure(bench, name)
    if said != measured:
        yield f"{name}: {measured}, not {said}"


def checks(bench, text):
    """The rows of each table, each with the function that checks it."""
    tables = []
    for heading, names, measure in TABLES:
        said = rows_of(text, heading)
        if not said.keys() >= set(names):
            sys.exit(f"{heading}: not a row for each constant")
        tables.append([(name, functools.partial(check_row, bench, name,
                                                measure, said[name]))
                       for name in names])
    return tables


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rung", help="the program, build/bin/rung")
    parser.add_argument("root", type=pathlib.Path, help="the source tree")
    check_options(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args.rung, args.root, folder)
        if args.check:
            text = (args.root / "docs/fabric.md").read_text()
            said = check_drawn(checks(bench, text), args.seed, args.seconds)
            print("\n".join(said))
            return len(said) > 1
        for heading, names, measure in TABLES:
            print(heading)
            for name in names:
                print(f"| `{name}` | {' | '.join(measure(bench, name))} |",
                      flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
