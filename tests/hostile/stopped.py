#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that rung distinguishes a device that SIGSTOP stops for two seconds
from a slow one."""
import contextlib
import os
import signal
import subprocess
import time

from common import RUNG, Run, await_true, main, served, transferred

CASE = """title Waits
covers RUD-SVC-3
needs rud send

chair target
  use open
  base fwd=333
  wait 300ms
  >  rud_req psn=333 clear_psn=332 ar | std send message_id=7 som eom | data 32
  <  ack ack_psn=333 cack_psn=333 | response message_id=7        [RUD-SVC-3]
  use close
"""


def case():
    with open("waits.lad", "w", encoding="ascii") as f:
        f.write(CASE)
    return "waits.lad"


def stop(pid, seconds=2):
    """Stops the device in the middle of a case that has just begun."""
    time.sleep(0.15)
    os.kill(pid, signal.SIGSTOP)
    time.sleep(seconds)
    # If the run has ended meanwhile, it has killed its device.
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


def told(run):
    assert run.verdicts() == {"inconclusive"}, (run.cases, run.said)
    assert run.reasons() == {"device-stopped"}, run.cases
    assert run.code == 3, (run.code, run.said)


def test_the_reference():
    with Run("--dut", "ref", case()) as run:
        stop(served(run))
        told(run.end(within=15))


def test_behind_a_shell():
    """The tester is not the parent of the device, and reads its state in
    /proc."""
    with Run("--dut", f"exec:{RUNG} serve --udp {{dut}} --control stdio; true",
             case()) as run:
        stop(served(run))
        told(run.end(within=15))


def test_at_a_socket():
    serve = subprocess.Popen(
        [RUNG, "serve", "--udp", "127.7.7.2", "--control", "unix:here"],
        stderr=subprocess.PIPE, text=True)
    try:
        assert "listening" in serve.stderr.readline()
        before = transferred(serve.pid, "rchar")
        with Run("--dut", "udp:127.7.7.1,peer=127.7.7.2", "--control",
                 "unix:here", case()) as run:
            await_true(lambda: transferred(serve.pid, "rchar") > before,
                       "hello")
            stop(serve.pid)
            told(run.end(within=15))
    finally:
        serve.kill()
        serve.communicate()


SLOW = f"""
import os, socket, subprocess, threading
# A device that is slow by itself: all but its first datagram wait for 2 seconds.
face = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
face.bind(("127.7.8.2", 4793))
behind = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
behind.bind(("127.7.8.4", 4793))
serve = subprocess.Popen([{RUNG!r}, "serve", "--udp", "127.7.8.3", "--control",
                          "stdio"])
def back():
    while True:
        face.sendto(behind.recv(65536), ("127.7.8.1", 4793))
threading.Thread(target=back, daemon=True).start()
def forth():
    first = True
    while True:
        data = face.recv(65536)
        threading.Timer(0 if first else 2, behind.sendto,
                        (data, ("127.7.8.3", 4793))).start()
        first = False
threading.Thread(target=forth, daemon=True).start()
serve.wait()
os._exit(0)
"""


def test_a_slow_device_fails():
    """A device that is slow without having been stopped."""
    with open("slow.py", "w", encoding="ascii") as f:
        f.write(SLOW)
    with Run("--dut", "udp:127.7.8.1,peer=127.7.8.2", "--dut",
             "exec:exec python3 slow.py", case()) as run:
        run.end(within=15)
    assert run.verdicts() == {"fail"}, (run.cases, run.said)


if __name__ == "__main__":
    main(globals())
