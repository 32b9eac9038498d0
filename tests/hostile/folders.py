# SPDX-License-Identifier: BSD-2-Clause
"""The common functions of the attacks on the folder of --out.

Each script attacks the program in one way:

    tests/hostile/NAME.py RUNG [--count N] [--seed N]

The moments of the attacks are drawn from the seed; it is printed, so that an
attack can be repeated.  attacks() runs one in a fresh folder and cleans up;
the exit status is 1 if an attack succeeded.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import traceback

RUNG = os.path.abspath(sys.argv[1]) if sys.argv[1:] else "rung"
VIRTUAL = ("--dut", "virtual")


def rung(*args, timeout=60, **more):
    """Runs the program to its end; a time-out fails the test."""
    return subprocess.run([RUNG, *map(str, args)], capture_output=True,
                          text=True, timeout=timeout, check=False, **more)


def start(*args, **more):
    """Starts the program and does not wait for it."""
    return subprocess.Popen([RUNG, *map(str, args)],
                            stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, **more)


def expect(done, *codes, err=""):
    """Checks that the exit code is one of |codes| and that standard error has
    the text."""
    text = f"{done.args[1:]}: exit {done.returncode}\n{done.stdout}" \
           f"{done.stderr}"
    assert done.returncode in codes, f"wanted exit {codes}: {text}"
    assert err in done.stderr, f"wanted {err!r} on stderr: {text}"
    return done


def load(path):
    return json.loads(pathlib.Path(path).read_text())


def verdicts(doc):
    """Returns each result without the values that depend on time."""
    return {(c["id"], c.get("repeat", 0)):
            (c["verdict"], c["kind"], c["reason"], c["rungs"]["matched"])
            for c in doc["cases"]}


def record_files(folder):
    """Returns the record of each result. A hidden folder was left by a
    kill."""
    return [path for path in pathlib.Path(folder).glob("cases/**/record.jsonl")
            if path.parent.name != ".rung-case.part"]


def records(folder):
    """The first line of each record below a folder of --out."""
    return [json.loads(path.read_text().split("\n", 1)[0])
            for path in record_files(folder)]


def check_parts(folder, run):
    """Checks that every case in the folder is of the run, and that each file
    is whole."""
    for path in record_files(folder):
        head, *lines = path.read_text().splitlines()
        head = json.loads(head)
        assert head["run"] == run, (path, head["run"], run)
        assert len(lines) == sum(head[x] for x in
                                 ("findings", "requirements", "entries")), path
        for name, size in head["parts"].items():
            assert (path.parent / name).stat().st_size == size, (path, name)
        assert load(path.parent / "replay.json")["run"] == run, path


def check_ended(folder):
    """Checks that the folder holds one whole run. Returns its id."""
    doc = load(f"{folder}/results.json")
    assert load(f"{folder}/run.json")["run"] == doc["run"], folder
    check_parts(folder, doc["run"])
    hidden = [p for p in pathlib.Path(folder, "cases").rglob(".rung*")]
    assert not hidden, hidden
    assert len(records(folder)) == len(doc["cases"]), folder
    for case in doc["cases"]:
        assert os.path.exists(f"{folder}/{case['capture']}"), case["capture"]
    return doc["run"]


def attacks(attack, count):
    """Runs attack(count, random) as the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("rung")
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int,
                        default=int.from_bytes(os.urandom(4), "little"))
    args = parser.parse_args()
    name = pathlib.Path(sys.argv[0]).stem
    home, began = os.getcwd(), time.monotonic()
    print(f"{name}: --count {args.count} --seed {args.seed}", flush=True)
    # In memory the times do not depend on other use of the disk.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(
            dir=os.environ.get("TMPDIR", memory)) as where:
        os.chdir(where)
        try:
            told = attack(args.count, random.Random(args.seed))
        except Exception:  # report any exception
            print(f"FAIL {name}: {traceback.format_exc()}")
            sys.exit(1)
        finally:
            os.chdir(home)
    print(f"ok   {name}: {told} ({time.monotonic() - began:.1f} s)")
