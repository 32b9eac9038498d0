# SPDX-License-Identifier: BSD-2-Clause
"""The common functions of the attacks.

An attack is a script with functions called test_*; main() calls each of them
COUNT times, each time in a fresh folder, and prints how often it
failed.  A test raises AssertionError.

Usage of each script: NAME.py RUNG [--count N] [TEST...]
"""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import traceback

RUNG = os.path.abspath(sys.argv[1]) if sys.argv[1:] else "rung"
ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 60  # seconds, for steps that are not measured


class Run:
    """A 'rung run' in the background, with its results in results.json."""

    def __init__(self, *args, rung=RUNG, **more):
        more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
        self.began = time.monotonic()
        self.run = subprocess.Popen(
            [rung, "run", "-q", "--json", "results.json", *map(str, args)],
            text=True, **more)
        self.cases, self.said = [], ""

    def alive(self):
        return self.run.poll() is None

    def signal(self, number=signal.SIGINT):
        self.run.send_signal(number)

    def end(self, within=PATIENCE):
        """Waits for the end.  A run that takes longer is a hang."""
        since = time.monotonic()
        try:
            out, err = self.run.communicate(timeout=within)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"hangs: not ended after {within:.1f} s"
                                 ) from None
        finally:
            self.run.kill()
            self.run.wait()
        self.took = time.monotonic() - since
        self.code, self.said = self.run.returncode, (out or "") + (err or "")
        with contextlib.suppress(FileNotFoundError):
            self.cases = json.loads(
                pathlib.Path("results.json").read_text())["cases"]
        return self

    def verdicts(self):
        return {c["verdict"] for c in self.cases}

    def reasons(self):
        return {c.get("reason_id") for c in self.cases}

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.run.kill()
        self.run.communicate()


def children(pid):
    """Returns the descendants of a process."""
    found = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            found += [int(c) for c in (task / "children").read_text().split()]
    return found + [below for child in found for below in children(child)]


def await_true(look, what, within=PATIENCE):
    """Waits until |look| returns a true value, and returns it."""
    until = time.monotonic() + within
    while not (found := look()):
        assert time.monotonic() < until, f"no {what}"
        time.sleep(0.005)
    return found


def transferred(pid, which):
    """Returns how many bytes a process has read or written."""
    with open(f"/proc/{pid}/io", encoding="ascii") as f:
        return int(dict(line.split(": ") for line in f)[which])


def served(run):
    """Returns the 'rung serve' that a run has started, once it has answered
    hello. If its address is taken, it ends, and the run starts another one."""
    def look():
        for child in children(run.run.pid):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                with open(f"/proc/{child}/cmdline", encoding="ascii") as f:
                    is_serve = f.read().split("\0")[1:2] == ["serve"]
                if is_serve and transferred(child, "wchar"):
                    return child
        return None
    return await_true(look, "rung serve")


def side_by_side(names, count, most=6):
    """Runs each test in a process of its own, because the tests mostly
    wait."""
    left = [name[5:] for name in names if name.startswith("test_")]
    running, bad = [], 0
    while left or running:
        while left and len(running) < most:
            running.append(subprocess.Popen(
                [sys.executable, "-B", sys.argv[0], RUNG, "--count",
                 str(count), left.pop(0)]))
        bad += running.pop(0).wait() != 0
    sys.exit(bool(bad))


def main(names, parallel=False):
    """Runs the tests of a module's globals()."""
    args, count = sys.argv[2:], 1
    if args[:1] == ["--count"]:
        count, args = int(args[1]), args[2:]
    if parallel and not args:
        side_by_side(names, count)
    failed = 0
    for name, test in list(names.items()):
        if not name.startswith("test_") or args and name[5:] not in args:
            continue
        bad, began = 0, time.monotonic()
        for _ in range(count):
            bad += once(test)
        took = time.monotonic() - began
        print(f"{'FAIL' if bad else 'ok  '} {name}: {count - bad} of {count}, "
              f"{took:.1f} s", flush=True)
        failed += bad
    sys.exit(bool(failed))


def once(test):
    """Returns 1 if the test failed, else 0."""
    home = os.getcwd()
    with tempfile.TemporaryDirectory() as where:
        os.chdir(where)
        try:
            test()
            return 0
        except Exception:  # the other tests still run
            print(traceback.format_exc(), flush=True)
            return 1
        finally:
            os.chdir(home)
