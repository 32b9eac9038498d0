#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""CAP_NET_RAW is enough, and is given up once the ports are open.

Usage: tools/lab privileges.py RUNG
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

RUNG = os.path.abspath(sys.argv[1])
PEER = os.environ["LAB_PEER"].split()
CASE = "uet/rud/edge/wrong-dpdcid@target"  # needs no control channel
NET_RAW = 1 << 13
KILL = 1 << 5
PATIENCE = 20  # seconds

DECL = str(pathlib.Path(__file__).resolve().parent / "wire.decl")

SLOW = """title Slow
covers RUD-SVC-2
needs rud send

chair target
  use open
  wait 1500ms
  use close
"""


def caps(pid, task=None):
    """Effective and permitted capabilities of a process, or a thread."""
    where = f"/proc/{pid}/task/{task}" if task else f"/proc/{pid}"
    lines = pathlib.Path(where, "status").read_text().split("\n")
    found = dict(line.split(":\t") for line in lines if line.startswith("Cap"))
    return int(found["CapEff"], 16), int(found["CapPrm"], 16)


def serve(port):
    device = subprocess.Popen([*PEER, RUNG, "serve", "--port", port],
                              stderr=subprocess.PIPE, text=True)
    line = device.stderr.readline()
    assert "listening" in line, line
    return device


def end(process):
    process.terminate()
    process.communicate(timeout=PATIENCE)


def test_device():
    for kind in ("raw", "ring"):
        device = serve(f"{kind}:vb,ip=10.1.0.2")
        assert caps(device.pid) == (0, 0), caps(device.pid)
        done = subprocess.run(
            [RUNG, "run", "-q", "--dut",
             f"{kind}:va,ip=10.1.0.1,peer=10.1.0.2", CASE],
            capture_output=True, text=True)
        end(device)
        assert done.returncode == 0, done.stdout + done.stderr


def tasks(pid):
    return [int(t.name) for t in pathlib.Path(f"/proc/{pid}/task").iterdir()]


def watch(run, wants):
    """Waits until each thread but the first has |wants|, and the first no
    CAP_NET_RAW."""
    until = time.monotonic() + 1.4
    while True:
        seen = {t: caps(run.pid, t) for t in tasks(run.pid)}
        first = seen.pop(run.pid)
        if seen and all(c == wants for c in seen.values()) and \
                not (first[0] | first[1]) & NET_RAW:
            return
        assert run.poll() is None and time.monotonic() < until, (seen, first)
        time.sleep(0.01)


def test_tester():
    path = pathlib.Path("slow.lad")
    path.write_text(SLOW)
    device = serve("ring:vb,ip=10.1.0.2")
    for kind in ("raw", "ring"):
        run = subprocess.Popen(
            [RUNG, "run", "-q", "--dut",
             f"{kind}:va,ip=10.1.0.1,peer=10.1.0.2", "--decl", DECL, path],
            stdout=subprocess.DEVNULL)
        watch(run, (0, 0))
        assert run.wait(timeout=PATIENCE) == 0
    end(device)


def test_tester_that_starts_its_device():
    pathlib.Path("slow.lad").write_text(SLOW)
    command = f"{' '.join(PEER)} {RUNG} serve --port ring:vb,ip={{dut}} " \
              "--control stdio"
    run = subprocess.Popen(
        [RUNG, "run", "-q", "--dut", "ring:va,ip=10.1.0.1,peer=10.1.0.2",
         "--dut", f"exec:{command}", "slow.lad"], stdout=subprocess.DEVNULL)
    watch(run, (KILL, NET_RAW | KILL))
    assert run.wait(timeout=PATIENCE) == 0


def test_without_root():
    """A copy with the one capability, for somebody who is nobody."""
    if os.getuid() or not shutil.which("setcap"):
        print("     not tried: no setcap, or no root to do it")
        return
    os.chmod(".", 0o755)
    shutil.copy(RUNG, "rung")
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
              "./rung", "run", "-q", "--dut",
              "ring:va,ip=10.1.0.1,peer=10.1.0.2", CASE]
    device = serve("ring:vb,ip=10.1.0.2")
    done = subprocess.run(nobody, capture_output=True, text=True)
    assert done.returncode == 5, done.stdout + done.stderr
    assert "it needs CAP_NET_RAW" in done.stderr, done.stderr
    subprocess.run(["setcap", "cap_net_raw+ep", "rung"], check=True)
    done = subprocess.run(nobody, capture_output=True, text=True)
    end(device)
    assert done.returncode == 0, done.stdout + done.stderr


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            with tempfile.TemporaryDirectory() as where:
                os.chdir(where)
                test()
                os.chdir("/")
            print("ok  ", name)
