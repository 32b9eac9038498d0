# SPDX-License-Identifier: BSD-2-Clause
"""The common functions of the tests of the command line.

A test is a script with functions called test_*; main() runs them all, or those
that the command line names, each with a fresh folder as the current one, and
says which failed.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

RUNG = os.path.abspath(sys.argv[1]) if sys.argv[1:] else "rung"
CASE = "uet/rud/send-gtd@target"
# A verb resets the queue pair in the middle of these cases.  No packet says so,
# and the PSNs begin anew: from a capture alone that is a fault.
RESETS = {"wqe/order/reset@target", "wqe/order/reset@initiator",
          "wqe/loss/after-reset@target", "roce/order/reset@initiator"}


def rung(*args, timeout=120, env=None, **more):
    """Runs the program. Returns the finished process with text output."""
    return subprocess.run([RUNG, *map(str, args)], capture_output=True,
                          text=True, timeout=timeout, check=False,
                          env={**os.environ, **(env or {})}, **more)


def expect(done, code, out="", err=""):
    """Checks the exit code, and that the output contains the texts."""
    text = f"{done.args[1:]}: exit {done.returncode}\n{done.stdout}" \
           f"{done.stderr}"
    assert code in (None, done.returncode), f"wanted exit {code}: {text}"
    assert out in done.stdout, f"wanted {out!r} on stdout: {text}"
    assert err in done.stderr, f"wanted {err!r} on stderr: {text}"
    return done


def results(*args, code=0, **more):
    """Runs with --json - and returns the document; code None accepts any exit
    code."""
    done = rung("run", "--json", "-", *args, **more)
    if code is not None:
        expect(done, code)
    return json.loads(done.stdout)


def write(path, text, mode=0o644):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def main(names):
    """Runs the tests of a module's globals()."""
    failed = 0
    home = os.getcwd()
    wanted = [arg for arg in sys.argv[2:] if arg.startswith("test_")]
    for name, test in list(names.items()):
        if not name.startswith("test_") or (wanted and name not in wanted):
            continue
        with tempfile.TemporaryDirectory() as where:
            os.chdir(where)
            try:
                test()
                print(f"ok   {name}")
            except Exception:  # the other tests still run
                failed += 1
                print(f"FAIL {name}\n{traceback.format_exc()}")
            os.chdir(home)
    sys.exit(bool(failed))
