# SPDX-License-Identifier: BSD-2-Clause
"""What the attacks on the folder of --out share.

Each script attacks the program in one way:

    tests/hostile/NAME.py RUNG [--count N] [--seed N]

The moments of the attacks are drawn from the seed; it is printed, so that an
attack can be repeated.  attacks() runs one in a fresh folder and cleans up; the
exit status is 1 if rung did not withstand it.
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
    """Run the program to its end; time-out is a failure of the test."""
    return subprocess.run([RUNG, *map(str, args)], capture_output=True,
                          text=True, timeout=timeout, check=False, **more)


def start(*args, **more):
    """Start the program and do not wait for it."""
    return subprocess.Popen([RUNG, *map(str, args)],
                            stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, **more)


def expect(done, *codes, err=""):
    """The exit code is one of these, and the text is on standard error."""
    text = f"{done.args[1:]}: exit {done.returncode}\n{done.stdout}" \
           f"{done.stderr}"
    assert done.returncode in codes, f"wanted exit {codes}: {text}"
    assert err in done.stderr, f"wanted {err!r} on stderr: {text}"
    return done


def load(path):
    return json.loads(pathlib.Path(path).read_text())


def verdicts(doc):
    """What each result came to, without what depends on the moment."""
    return {(c["id"], c.get("repeat", 0)):
            (c["verdict"], c["kind"], c["reason"], c["rungs"]["matched"])
            for c in doc["cases"]}


def record_files(folder):
    """The record of each result; a hidden folder is one that a kill cut."""
    return [path for path in pathlib.Path(folder).glob("cases/**/record.jsonl")
            if path.parent.name != ".rung-case.part"]


def records(folder):
    """The first line of each record below a folder of --out."""
    return [json.loads(path.read_text().split("\n", 1)[0])
            for path in record_files(folder)]


def check_parts(folder, run):
    """Every case below the folder is of the run, and each file is whole."""
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
    """A folder holds one run, whole.  Return: its id."""
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
    """Run attack(count, random), with what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("rung")
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int,
                        default=int.from_bytes(os.urandom(4), "little"))
    args = parser.parse_args()
    name = pathlib.Path(sys.argv[0]).stem
    home, began = os.getcwd(), time.monotonic()
    print(f"{name}: --count {args.count} --seed {args.seed}", flush=True)
    # In memory the moments do not depend on what else the disk does.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(
            dir=os.environ.get("TMPDIR", memory)) as where:
        os.chdir(where)
        try:
            told = attack(args.count, random.Random(args.seed))
        except Exception:  # whatever went wrong is told
            print(f"FAIL {name}: {traceback.format_exc()}")
            sys.exit(1)
        finally:
            os.chdir(home)
    print(f"ok   {name}: {told} ({time.monotonic() - began:.1f} s)")
