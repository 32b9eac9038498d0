#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests devices that are absent, that end, that send malformed lines, or that
are started elsewhere."""
import json
import os
import socket
import subprocess
import sys
import textwrap
import time

from lib import CASE, RUNG, expect, main, results, rung, write


def device(text):
    """Writes a script that is the device; its control channel is stdin and
    stdout."""
    path = write("device.py", textwrap.dedent(text))
    return f"exec:{sys.executable} {os.path.abspath(path)}"


SPEAKS = """
    import json, sys, time
    def answers():
        for line in sys.stdin:
            request = json.loads(line)
            answer = {"id": request["id"], "ok": True}
            if request["verb"] == "hello":
                answer.update(version=2, name="script", verbs=[
                    "hello", "reset", "send", "post_recv", "expose",
                    "ses_policy", "stats"])
            yield request, answer
"""


def verdict(dut, code, *args):
    doc = results("--dut", dut, "--timeout", "3s", *args, CASE, code=code)
    case = doc["cases"][0]
    return case["verdict"], case["reason"]


def test_reference():
    doc = results("--dut", "ref", CASE)
    assert doc["cases"][0]["verdict"] == "pass"
    assert doc["dut"]["spec"] == "ref", doc["dut"]


def test_device_gets_no_descriptor():
    """A started program gets its three standard streams and no other
    descriptor."""
    spy = SPEAKS + """
    import os
    with open("fds", "w") as f:
        for fd in range(3, 100):
            if os.path.exists(f"/proc/self/fd/{fd}"):
                print(os.readlink(f"/proc/self/fd/{fd}"), file=f)
    for request, answer in answers():
        print(json.dumps(answer), flush=True)
    """
    read, end = os.pipe()
    done = rung("run", "--dut", device(spy), "--timeout", "1s", CASE,
                pass_fds=(read, end))
    assert done.returncode in (1, 3), done
    pipe = f"pipe:[{os.fstat(read).st_ino}]"
    assert pipe not in open("fds").read(), open("fds").read()


def test_token_of_a_file():
    """The token may come from a file instead of the command line."""
    secret = write("secret", "open sesame\n", mode=0o600)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
            [RUNG, "serve", "--udp", "127.0.77.2", "--control",
             f"tcp:127.0.0.1:{port},token-file={secret}"],
            stderr=subprocess.PIPE, text=True) as serve:
        control = serve.stderr.readline().split("control tcp ")[1].strip()
        dut = "udp:127.0.77.1,peer=127.0.77.2"
        with open(secret) as f:
            doc = results("--dut", dut, "--control",
                          f"tcp:{control},token-fd={f.fileno()}", CASE,
                          pass_fds=[f.fileno()])
        assert doc["cases"][0]["verdict"] == "pass", doc["cases"][0]
        write("secret", "\n")
        expect(rung("run", "--dut", dut, "--control",
                    f"tcp:{control},token-file=secret", CASE), 2,
               err="the file of the token is empty")
        expect(rung("run", "--dut", dut, "--control",
                    f"tcp:{control},token-file=nowhere", CASE), 2,
               err="the file of the token cannot be opened")
        serve.terminate()


def test_no_wire():
    """A device that has the verbs of SRD only: cases that need packets are not
    applicable."""
    path = write("mute.decl", "name mute\nclaims srd.verbs\n"
                 "timer ack_time 100ms tolerance 400ms\n")
    for dut in "virtual", "ref":
        doc = results("--dut", dut, "--decl", path, "srd/*")
        for case in doc["cases"]:
            if "/verbs/" in case["id"]:
                assert case["verdict"] == "pass", case
            elif case["verdict"] != "pass":
                assert case["verdict"] == "na", case
                assert 'does not claim "srd"' in case["reason"], case
        passed = [c for c in doc["cases"] if c["verdict"] == "pass"]
        assert 18 <= len(passed) < 30, len(passed)


def test_absent_device():
    """No device answers: the verdict is inconclusive, not fail."""
    got = verdict("udp:127.77.0.1,peer=127.77.0.2", 3)
    assert got[0] == "inconclusive", got


def test_silent_device():
    """The device answers on the control channel and never on the wire."""
    got = verdict(device(SPEAKS + """
    for request, answer in answers():
        print(json.dumps(answer), flush=True)
    """), 3)
    assert got[0] == "inconclusive", got


def test_device_that_cannot_start():
    done = rung("run", "--dut", "exec:/nowhere/device", CASE)
    assert done.returncode in (2, 5), done
    assert "/nowhere/device" in done.stderr + done.stdout, done


def test_dead_device():
    """The device says hello and ends: later cases are inconclusive, with the
    reason."""
    done = rung("run", "--timeout", "3s", "--dut", device(SPEAKS + """
    for request, answer in answers():
        print(json.dumps(answer), flush=True)
        if request["verb"] == "hello":
            sys.exit("the device is on fire")
    """), CASE)
    assert done.returncode in (1, 3, 5), done
    assert "fire" in done.stdout or "cannot be reset" in done.stdout, done


def test_device_dies_after_the_first_answer():
    """The device answers, then ends: the case fails and names the last
    stimulus."""
    script = write("wrap.py", textwrap.dedent(f"""
        import subprocess, sys, threading, time
        serve = subprocess.Popen([{RUNG!r}, "serve", "--udp", sys.argv[1],
                                  "--control", "stdio"],
                                 stdin=subprocess.PIPE, stdout=sys.stdout)
        n = 0
        for line in sys.stdin:
            serve.stdin.write(line.encode())
            serve.stdin.flush()
            if b"mid" in line.encode() or "ses_policy" in line:
                n += 1
                time.sleep(0.2)
                serve.kill()
                serve.wait()
                sys.exit("killed itself")
        """))
    done = results("--timeout", "3s", "--dut",
                   f"exec:{sys.executable} {script} {{dut}}", CASE, code=1)
    case = done["cases"][0]
    assert case["verdict"] == "fail", case


def test_garbage_on_control():
    """A line that is no JSON gives an error message, and rung does not
    crash."""
    done = rung("run", "--timeout", "3s", "--dut", device("""
    import sys
    for line in sys.stdin:
        print("\\x1b[2J\\xff{]garbage", flush=True)
    """), CASE)
    assert done.returncode in (1, 3, 5), done
    assert "\033" not in done.stdout + done.stderr
    assert "garbage" in done.stdout + done.stderr, done


def test_a_flood_of_events():
    """A case ends in time, with its results, and reports what it did not
    store."""
    flood = SPEAKS + """
    import threading
    def flood():
        while True:
            sys.stdout.write('{"event": "recv", "len": 64}\\n' * 100)
    for request, answer in answers():
        print(json.dumps(answer), flush=True)
        if request["verb"] == "reset":
            threading.Thread(target=flood, daemon=True).start()
    """
    began = time.monotonic()
    done = rung("run", "--dut", device(flood), "--timeout", "2s", "--out",
                "out", "--json", "r.json", CASE, timeout=60)
    assert time.monotonic() - began < 40, time.monotonic() - began
    with open("r.json") as f:
        case = json.load(f)["cases"][0]
    # The device sends no packet either, and a slow tester may find that first.
    assert case["verdict"] == "inconclusive" or \
        case["reason_id"] == "set-up", (case, done.stderr)
    ladder = open(f"out/cases/{CASE}/ladder.txt").read()
    if "left out" in case["reason"]:  # else the time-out came first
        assert "what came after this was left out" in ladder, ladder[-500:]


def test_own_device_over_udp_and_unix_control(tmp="s.sock"):
    """The reference as a foreign device: started by hand, reached by its
    address."""
    serve = subprocess.Popen(
        [RUNG, "serve", "--udp", "127.78.0.2", "--control", f"unix:{tmp}"],
        stderr=subprocess.PIPE, text=True)
    try:
        for _ in range(200):
            if os.path.exists(tmp):
                break
            serve.poll()
            assert serve.returncode is None, serve.communicate()
            time.sleep(0.02)
        doc = results("--dut", "udp:127.78.0.1,peer=127.78.0.2",
                      "--control", f"unix:{tmp}", CASE)
        assert doc["cases"][0]["verdict"] == "pass", doc["cases"]
    finally:
        serve.terminate()
        serve.communicate(timeout=10)


def test_serve_options():
    expect(rung("serve"), 2, err="--port")
    expect(rung("serve", "--udp", "not-an-address-"), 2, err="--udp")
    expect(rung("serve", "--udp", "127.78.0.3", "--control", "x"), 2,
           err="--control")
    expect(rung("serve", "--udp", "192.0.2.1", "--control", "stdio",
                stdin=subprocess.DEVNULL), 5, err="192.0.2.1")


if __name__ == "__main__":
    main(globals())
