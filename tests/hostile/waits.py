#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Blocks every wait of a run: at the device, its control channel, a program, a
pipe.

A run ends within --timeout and five seconds, and within five seconds of SIGINT
or SIGTERM, with its results in results.json.
"""
import fcntl
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

from common import RUNG, Run, await_true, children, main, served

TIMEOUT, DEFAULT, MORE = 2, 10, 5  # seconds
TARGET = "uet/rud/send-gtd@target"
INITIATOR = "uet/rud/send-gtd@initiator"
SIGNALS = (signal.SIGINT, signal.SIGTERM)

# Answers as an adapter up to a verb, and is silent afterwards.
ADAPTER = """
import json, signal, sys, time
until = sys.argv[1]
if "deaf" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["verb"] == until:
        break
    answer = {"id": asked["id"], "ok": True}
    if asked["verb"] == "hello":
        answer |= {"name": "x", "version": 2, "verbs": ["reset", "send"]}
    print(json.dumps(answer), flush=True)
while "flood" in sys.argv:
    print('{"event":"recv","len":1}')
while "deaf" in sys.argv or sys.stdin.readline():
    time.sleep(0.1 if "deaf" in sys.argv else 0)
"""


def adapter(*words):
    pathlib.Path("adapter.py").write_text(ADAPTER)
    return f"exec:exec {sys.executable} -B adapter.py {' '.join(words)}"


def ended(run, within, codes, cases=None):
    run.end(within=within)
    assert run.code in codes, (run.code, run.said)
    json.loads(pathlib.Path("results.json").read_text())
    if cases is not None:
        assert len(run.cases) == cases, (run.cases, run.said)
    assert "fail" not in run.verdicts(), run.cases
    return run


def held_up(*args, codes, cases=None, interrupted={130}, **more):
    """Lets the run reach its time-out, then interrupts a run by each
    signal."""
    args = ("--timeout", f"{TIMEOUT}s", *args)
    with Run(*args, **more) as run:
        ended(run, TIMEOUT + MORE, codes, cases)
    for number in SIGNALS:
        with Run(*args, **more) as run:
            time.sleep(0.8)
            left = children(run.run.pid)
            run.signal(number)
            ended(run, MORE, interrupted)
            for pid in left:
                await_true(lambda p=pid: not os.path.exists(f"/proc/{p}"),
                           "end of a program", within=MORE)


def test_no_hello():
    held_up("--dut", adapter("hello"), TARGET, codes={5}, cases=0)


def test_no_reset():
    held_up("--dut", adapter("reset"), TARGET, codes={3, 5}, cases=1)


def test_no_send():
    held_up("--dut", adapter("send"), INITIATOR, codes={3, 5}, cases=1)


def test_a_program_that_ignores_sigterm():
    held_up("--dut", adapter("send", "deaf"), INITIATOR, codes={3, 5}, cases=1)


def test_a_flood_of_events():
    held_up("--dut", adapter("send", "flood"), INITIATOR, codes={3, 5}, cases=1,
            interrupted={3, 130})  # the process may have ended


def test_a_device_that_stays_stopped():
    with Run("--timeout", f"{TIMEOUT}s", "--dut", "ref", "--repeat", "200",
             TARGET) as run:
        pid = served(run)
        os.kill(pid, signal.SIGSTOP)
        await_true(lambda: not os.path.exists(f"/proc/{pid}") or
                   not run.alive(), "end of the program",
                   within=TIMEOUT + 2 * MORE)
        run.signal()
        ended(run, MORE, {0, 3, 130})
        assert run.reasons() <= {"", "device-stopped", "interrupted"}, run.cases


def tcp_server():
    s = socket.create_server(("127.0.0.1", 0))
    return s, f"tcp:127.0.0.1:{s.getsockname()[1]},token=x"


def test_tcp_control_that_is_silent():
    server, spec = tcp_server()
    with server:
        held_up("--dut", f"udp:127.9.{os.getpid() % 250}.1,peer=127.9.0.2",
                "--control", spec, TARGET, codes={5}, cases=0)


def test_name_server_that_is_silent():
    """The packets go to a neighbour that does not exist."""
    if os.geteuid():
        print("skipped: a namespace of its own wants root")
        return
    pathlib.Path("resolv.conf").write_text("nameserver 10.9.9.9\n")
    pathlib.Path("rung.sh").write_text(f"""#!/bin/sh
exec unshare -mn sh -c 'mount --bind resolv.conf /etc/resolv.conf &&
    ip link set lo up && ip link add v0 type veth peer name v1 &&
    ip link set v0 up && ip link set v1 up && ip addr add 10.9.9.1/24 dev v0 &&
    ip neigh add 10.9.9.9 lladdr 02:00:00:00:00:01 dev v0 &&
    exec "$@"' sh {RUNG} "$@"
""")
    os.chmod("rung.sh", 0o755)
    rung = os.path.abspath("rung.sh")
    for more in (["--dut", "udp:127.9.1.1,peer=127.9.1.2", "--control",
                  "tcp:control.example:9,token=x"],
                 ["--dut", "udp:127.9.1.1,peer=device.example"]):
        with Run("--timeout", f"{TIMEOUT}s", *more, TARGET, rung=rung) as run:
            run.end(within=TIMEOUT + MORE)
            assert run.code in {2, 5}, (run.code, run.said)
        for number in SIGNALS:
            with Run(*more, TARGET, rung=rung) as run:
                time.sleep(0.8)
                assert run.alive(), run.said
                run.signal(number)
                run.end(within=1)


def test_unix_control_that_is_silent():
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("here")
        server.listen(8)
        held_up("--dut", f"udp:127.10.{os.getpid() % 250}.1,peer=127.10.0.2",
                "--control", "unix:here", TARGET, codes={5}, cases=0)


def test_triggers_that_hang():
    """Each case starts a program that hangs, and so does each reset."""
    pathlib.Path("trigger.sh").write_text(
        "trap '' TERM\nwhile :; do sleep 0.1; done\n")
    held_up("--dut", f"udp:127.11.{os.getpid() % 250}.1,peer=127.11.0.2",
            "--trigger", "exec sh trigger.sh {op}", INITIATOR, codes={3, 5},
            cases=1)


def every_case():
    """Returns how many cases, by chair, the program has."""
    listed = subprocess.run([RUNG, "list", "--json"], capture_output=True,
                            check=True)
    return len(json.loads(listed.stdout)["cases"])


def full_pipe(*args, out, cases=None):
    """A reader of the output that reads nothing: rung writes its files, and a
    signal ends it."""
    if cases is None:
        cases = every_case()
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
    name = f"/dev/fd/{write}"
    args = [a.replace("PIPE", name) for a in args]
    more = {"stdout": write} if out else {"pass_fds": (write,)}
    try:
        for number in SIGNALS:
            pathlib.Path("results.json").unlink(missing_ok=True)
            with Run("--dut", "virtual", *args, **more) as run:
                await_true(lambda: os.path.exists("results.json"), "results")
                time.sleep(0.2)
                assert run.alive(), run.end().said
                run.signal(number)
                ended(run, MORE, {130}, cases)
                assert run.verdicts() == {"pass"}, run.said
    finally:
        os.close(read)
        os.close(write)


def test_full_pipe_on_stdout():
    full_pipe("--ladders", out=True)


def test_full_pipe_for_a_stream():
    full_pipe("--jsonl", "PIPE", out=False)


def test_full_pipe_for_tap():
    os.mkdir("out")
    full_pipe("--tap", "--ladders", "--out", "out", "--repeat", "60",
              TARGET, out=True, cases=60)
    done = json.loads(pathlib.Path("out/results.json").read_text())
    assert len(done["cases"]) == 60


def test_a_reader_that_is_slow():
    """A reader that continues to read gets the whole output."""
    with Run("--dut", "virtual", "--ladders") as run:
        await_true(lambda: os.path.exists("results.json"), "results")
        time.sleep(1)
        run.end()
    whole = subprocess.run([RUNG, "run", "-q", "--dut", "virtual",
                            "--ladders"], capture_output=True, text=True)
    assert run.code == 0 and len(run.said) > 500000
    assert abs(len(run.said) - len(whole.stdout + whole.stderr)) < 100


def test_pipes_as_files():
    """Named pipes without a writer, or without a reader."""
    os.mkfifo("fifo")
    os.mkfifo("unread")
    os.mkdir("cases")
    os.mkfifo("cases/a.lad")
    lad = "fifo.lad"
    os.mkfifo(lad)
    began, runs = time.monotonic(), []
    for args in (["--decl", "fifo"], ["--baseline", "fifo"], [lad],
                 ["--jsonl", "unread", TARGET], ["--json", "unread", TARGET],
                 ["--html", "unread", TARGET],
                 ["--map", "fifo", "--map-out", "x"], ["--cases", "cases"]):
        runs.append(start("run", "-q", "--dut", "virtual", *args))
    for run in runs:
        finish(run, began + DEFAULT + MORE, {2, 4, 5})


def start(*command):
    return subprocess.Popen([RUNG, *command], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def finish(run, until, codes):
    try:
        run.wait(timeout=max(until - time.monotonic(), 0.01))
    except subprocess.TimeoutExpired:
        raise AssertionError(f"hangs: {run.args}") from None
    finally:
        run.kill()
        said = run.communicate()
    assert run.returncode in codes, (run.args, run.returncode, said)


def test_other_commands():
    """Commands that wait for packets, a channel or a file."""
    os.mkfifo("fifo")
    server, spec = tcp_server()
    end = f"127.12.{os.getpid() % 250}"
    with server:
        for number in SIGNALS:
            runs = [start(*command) for command in (
                ["serve", "--udp", f"{end}.2"],
                ["serve", "--udp", f"{end}.12", "--control", "unix:s"],
                ["bridge", f"udp:{end}.3,peer={end}.4",
                 f"udp:{end}.5,peer={end}.6"],
                ["probe", "--dut", f"udp:{end}.7,peer={end}.8",
                 "--control", spec],
                ["probe", "--dut", adapter("send")],
                ["send", TARGET, "--port", f"udp:{end}.9,peer={end}.8",
                 "--loop", "0", "--rate", "1000"],
                ["check", "fifo"], ["ladder", "fifo"], ["check", "-"])]
            time.sleep(1)
            for run in runs:
                assert run.poll() is None, (run.args, run.communicate())
                run.send_signal(number)
            until = time.monotonic() + MORE
            for run in runs:
                finish(run, until, {0, 3, 4, 5, 130, -number})


if __name__ == "__main__":
    main(globals(), parallel=True)
