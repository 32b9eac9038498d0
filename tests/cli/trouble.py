#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests a run with a full disk, a closed terminal, or Ctrl-C."""
import json
import os
import pathlib
import pty
import resource
import signal
import socket
import subprocess
import time

from lib import CASE, RUNG, expect, main, rung, write

VIRTUAL = ("--dut", "virtual")


def test_full_disk():
    expect(rung("run", *VIRTUAL, "--json", "/dev/full", CASE), 5,
           err="/dev/full: No space left")
    with open("/dev/full", "w") as full:
        for args in (["run", *VIRTUAL, CASE], ["list"], ["cover"],
                     ["show", CASE], ["--help"]):
            done = subprocess.run([RUNG, *args], stdout=full,
                                  stderr=subprocess.PIPE, text=True)
            assert done.returncode == 5, (args, done)
            assert "standard output: " in done.stderr, (args, done)


def limited(most, *args):
    """Runs rung with a limit on the size of files."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return subprocess.run([RUNG, *args], capture_output=True, text=True,
                          preexec_fn=limit, restore_signals=False)


def whole(folder):
    """Returns the ids of the results of a folder; checks that all files are of
    one run."""
    doc = json.load(open(f"{folder}/results.json"))
    for path in pathlib.Path(folder).glob("cases/**/replay.json"):
        assert json.load(open(path))["run"] == doc["run"], path
    for case in doc["cases"]:
        assert case["capture"] is None or \
            os.path.exists(f"{folder}/{case['capture']}"), case["capture"]
    return {c["id"] for c in doc["cases"]}


def test_full_disk_in_the_folder():
    """An earlier result stays whole at whatever point the disk becomes
    full."""
    few = "uet/rud/send-multi-gtd*"
    expect(rung("run", *VIRTUAL, "--out", "out", "--json", "r.json", few), 0)
    ids, before = whole("out"), open("r.json").read()
    for most in (0, 1, 300, 2000, 5000, 9000, 20000):
        done = limited(most, "run", *VIRTUAL, "--out", "out", "--json",
                       "r.json", few)
        assert done.returncode == 5, (most, done)
        assert "File too large" in done.stderr, (most, done)
        assert open("r.json").read() == before, most
        assert whole("out/earlier") == ids, most
        assert not os.path.exists("out/results.json"), most
        assert not list(pathlib.Path(".").glob(".rung*")), most
        torn = [p for p in pathlib.Path("out/cases").rglob("*")
                if p.is_file() and p.stat().st_size == most]
        assert not torn, torn


def test_one_run_at_a_time():
    """Two runs do not mix their files."""
    with open("slow.lad", "w") as f:
        f.write("title Slow\ncovers RUD-SVC-2\nneeds rud send\n\n"
                "chair target\n  use open\n  wait 9s\n  use close\n")
    first = subprocess.Popen([RUNG, "run", "--out", "out", "slow.lad"],
                             stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    while not os.path.exists("out/stream.jsonl"):
        time.sleep(0.01)
    expect(rung("run", *VIRTUAL, "--out", "out", CASE), 2,
           err="out: another run writes there")
    first.send_signal(signal.SIGINT)
    assert first.wait(timeout=20) == 130
    expect(rung("run", *VIRTUAL, "--out", "out", CASE), 0)


def test_killed():
    """The finished cases of a killed run stay, and so does the previous
    run."""
    expect(rung("run", *VIRTUAL, "--out", "out"), 0)
    ids = whole("out")
    first = json.load(open("out/results.json"))["run"]
    for i in range(8):
        run = subprocess.Popen([RUNG, "run", *VIRTUAL, "--out", "out"],
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        time.sleep(0.02 * i)
        run.kill()
        run.wait()
        if os.path.exists("out/stream.jsonl"):
            for line in open("out/stream.jsonl").read().split("\n")[:-1]:
                json.loads(line)
        if not os.path.exists("out/run.json"):  # finishes an interrupted move
            expect(rung("report", "out"), 2, err="no run has begun here")
            assert whole("out/earlier") == ids, i
        elif json.load(open("out/run.json"))["run"] == first:
            assert whole("out") == ids, i
        else:
            assert whole("out/earlier") == ids, i


def test_planted_links():
    """rung follows no link below the folder, and waits for no pipe."""
    os.makedirs("out")
    os.makedirs("else")
    for name in ("cases", "report.txt", "junit.xml", "stream.jsonl"):
        os.symlink("../else", f"out/{name}")
    os.mkfifo("out/results.json")
    done = rung("run", *VIRTUAL, "--out", "out", CASE)
    expect(done, 0)
    assert os.listdir("else") == [], os.listdir("else")
    assert whole("out") == {CASE}


def test_out_is_a_file():
    write("out", "")
    expect(rung("run", *VIRTUAL, "--out", "out", CASE), 5,
           err="out: Not a directory")
    expect(rung("run", *VIRTUAL, "--out", "out/in", CASE), 5,
           err="out/in: Not a directory")


def test_out_is_read_only():
    os.makedirs("out")
    os.chmod("out", 0o555)
    if os.access("out", os.W_OK):
        return  # root may write anywhere
    expect(rung("run", *VIRTUAL, "--out", "out", CASE), 5, err="out: ")


def test_json_in_a_folder_that_is_not_there():
    expect(rung("run", *VIRTUAL, "--json", "no/r.json", CASE), 5,
           err="no/r.json: No such file")


def test_files_are_checked_before_the_work():
    """A path that cannot be written is found before anything is sent."""
    for args in (("probe", *VIRTUAL, "-o", "no/x"),
                 ("explore", "--json", "no/x"),
                 ("explore", "--all", "--json", "no/x"),
                 ("fabric", "--svg", "no/x"),
                 ("matrix", "reference", "-o", "no/x")):
        done = expect(rung(*args), 5, err="no/x: No such file")
        assert len(done.stderr.splitlines()) == 1, done.stderr
        assert not done.stdout, done.stdout
    for args in ("explore", "--out"), ("matrix", "reference", "-o"):
        done = expect(rung(*args, "/proc/self"), 5, err=": /proc/self")
        assert not done.stdout, done.stdout
    expect(rung("run", *VIRTUAL, "--out", "out", CASE), 0)
    write("list.csv", "id\nRUD-SVC-2\n")
    expect(rung("compare", "out", "out", "--json", "b.json", "--html", "no/x"),
           5, err="no/x: No such file")
    expect(rung("attest", "out", "--map", "list.csv", "--csv", "b.csv",
                "--html", "no/x"), 5, err="no/x: No such file")
    expect(rung("history", "db", "out", "--html", "no/x"), 5,
           err="no/x: No such file")
    left = {p.name for p in pathlib.Path(".").glob("*")}
    assert left == {"out", "list.csv"}, left


def test_draft_is_not_lost():
    """The disk becomes full while the device is probed."""
    done = limited(100, "probe", *VIRTUAL, "-q", "-o", "x.decl")
    expect(done, 5, err="x.decl: File too large")
    expect(done, 5, err="it goes to standard output instead")
    expect(done, 5, out="claims rud")
    assert not os.listdir("."), os.listdir(".")


def test_closed_reader():
    """Exit code 5, no message, no crash."""
    read, end = os.pipe()
    os.close(read)
    done = subprocess.run([RUNG, "list"], stdout=end, stderr=subprocess.PIPE,
                          text=True)
    os.close(end)
    assert done.returncode == 5 and done.stderr == "", done


def test_interrupt():
    """Ctrl-C ends the running case, and rung writes the results so far."""
    run = subprocess.Popen(
        [RUNG, "run", "--dut", "ref", "--repeat", "10000", "--out", "out",
         "--json", "r.json", CASE],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not pathlib.Path(f"out/cases/{CASE}.3").exists():
        assert run.poll() is None, run.communicate()
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=20)
    assert run.returncode == 130, (run.returncode, out, err)
    doc = json.load(open("r.json"))
    assert 3 <= len(doc["cases"]) < 10000, len(doc["cases"])
    assert doc["cases"][0]["verdict"] == "pass"
    assert not [c for c in doc["cases"] if c["verdict"] == "fail"], \
        doc["cases"][-1]
    assert json.load(open("out/results.json")) == doc


def test_interrupt_in_a_long_wait():
    """Ctrl-C also ends a pause of a case."""
    path = write("slow.lad", """title Slow
covers RUD-SVC-2
needs rud send

chair target
  use open
  wait 9s
  use close
""")
    began = time.monotonic()
    run = subprocess.Popen(
        [RUNG, "run", "--dut", "ref", "-j", "3", "--repeat", "3", path],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=20)
    assert run.returncode == 130, (run.returncode, out, err)
    assert time.monotonic() - began < 6, (out, err)


def test_interrupt_of_gen():
    """The capture is not written, and no count says so."""
    with subprocess.Popen([RUNG, "gen", CASE, "--count", "1000000000", "-o",
                           "x.pcap"], stderr=subprocess.PIPE, text=True) as gen:
        while not list(pathlib.Path(".").glob(".rung-*")):
            assert gen.poll() is None, gen.communicate()
            time.sleep(0.01)
        gen.send_signal(signal.SIGINT)
        err = gen.communicate(timeout=20)[1]
    assert gen.returncode == 130, (gen.returncode, err)
    assert err == "rung gen: interrupted: x.pcap is not written\n", err
    assert not os.listdir("."), os.listdir(".")


def test_control_channel_of_another_run():
    """The message names the channel, and why it may be silent."""
    dut = ("--dut", "udp:127.0.77.1,peer=127.0.77.2", "--control", "unix:c")
    expect(rung("run", *dut, CASE), 5,
           err=": control channel: c: No such file or directory")
    with subprocess.Popen([RUNG, "serve", "--udp", "127.0.77.2", "--control",
                           "unix:c"], stderr=subprocess.PIPE,
                          text=True) as device:
        assert "listening" in device.stderr.readline()
        with socket.socket(socket.AF_UNIX) as other:
            other.connect("c")
            expect(rung("run", *dut, CASE), 5,
                   err="did not answer hello; another run may hold it")
        device.terminate()


def test_second_interrupt():
    """A second Ctrl-C ends the program at once."""
    run = subprocess.Popen([RUNG, "run", "--dut", "ref", "--repeat", "10000",
                            CASE], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    run.send_signal(signal.SIGINT)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=20)
    assert run.returncode in (130, -signal.SIGINT), run.returncode


def test_terminal():
    """Progress and colour on a terminal, unless NO_COLOR or --quiet."""
    def on_terminal(*args, env=None):
        master, slave = pty.openpty()
        done = subprocess.Popen(
            [RUNG, "run", *VIRTUAL, *args, CASE], stdout=slave, stderr=slave,
            env={**os.environ, "TERM": "xterm", "NO_COLOR": "",
                 **(env or {})})
        os.close(slave)
        text = b""
        try:
            while chunk := os.read(master, 65536):
                text += chunk
        except OSError:
            pass  # this error means that the terminal was closed
        os.close(master)
        assert done.wait(timeout=60) == 0
        return text.decode()

    text = on_terminal("-v")
    assert "\033[" in text and "[1/1]" in text, text
    text = on_terminal("-v", env={"NO_COLOR": "1"})
    assert "\033[3" not in text and "\033[1" not in text, text
    text = on_terminal("--quiet", "--color", "never")
    assert "\033" not in text and "[1/1]" not in text, text


if __name__ == "__main__":
    main(globals())
