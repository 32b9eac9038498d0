#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Collects the captures of tests/told/checked.py anew.

Each written mutant runs the first case of its killed-by line, and the soak
runs each mode and family a few times.  What is stored is the beginning of
each capture, with zeroes as payload.  This need not be done for each new
mutant: it changes the whole record.

Usage: tests/told/collect.py BUILD
BUILD has "rung", "rung_soak" and the mutants.
"""
import concurrent.futures
import io
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

sys.dont_write_bytecode = True
import captures  # noqa: E402  pylint: disable=wrong-import-position
from checked import STORED  # noqa: E402  pylint: disable=wrong-import-position

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODES = ("rud", "rod", "rudi", "uud")
FAMILIES = ("srd", "wqe", "roce")
OF_CASE, OF_SOAK = 60, 160  # packets that are kept


def of_mutant(build, path):
    """Returns the captures of a mutant, by name."""
    words = dict(line.partition(" ")[::2] for line in
                 path.read_text().split("replace\n")[0].splitlines())
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run([build / "bin/rung", "run", "--dut", "virtual",
                        "--mutant", path.stem, "--out", tmp,
                        words["killed-by"].split()[0]],
                       cwd=ROOT, capture_output=True, check=False)
        found = sorted(pathlib.Path(tmp).rglob("capture.pcapng"))
        return {f"{path.stem}{f'-{i}' if i else ''}.pcapng":
                captures.bare(f.read_bytes(), OF_CASE)
                for i, f in enumerate(found)}


def of_soak(build, *args):
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run([build / "bin/rung_soak", "--captures", tmp, *args],
                       capture_output=True, check=True)
        return {f"soak-{args[1]}-{f.name}":
                captures.bare(f.read_bytes(), OF_SOAK)
                for f in sorted(pathlib.Path(tmp).iterdir())}


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    mutants = sorted((ROOT / "cases/mutants").glob("*.mut"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda m: of_mutant(build, m), mutants))
    found += [of_soak(build, "--modes", m, "--runs", "2", "--seed", "11")
              for m in MODES]
    found += [of_soak(build, "--family", f, "--runs", "3", "--seed", "5")
              for f in FAMILIES]
    with tarfile.open(STORED, "w:xz", preset=9) as tar:
        for name, data in (item for f in found for item in f.items()):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))


if __name__ == "__main__":
    main()
