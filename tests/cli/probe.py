#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung probe: the draft is a declaration, and states what the device
showed."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from lib import RUNG, expect, main, rung, write

ROOT = pathlib.Path(__file__).resolve().parents[2]

CORE = {"rud", "send", "write", "read", "read.medium", "read.small", "atomic",
        "multi", "response.gtd", "response.code", "response.nack",
        "response.delay", "control", "control.pds", "close.initiator",
        "close.target", "close.ask", "ack_request", "probe", "noop", "ecn"}


def draft(*args, code=0):
    """Probes. Returns the draft, its claims, and its other lines by key."""
    done = expect(rung("probe", "--quiet", *args), code)
    lines = [line.split("#")[0].split() for line in done.stdout.splitlines()]
    claims = {line[1] for line in lines if line[:1] == ["claims"]}
    keys = {" ".join(line[:2]): line[2:] for line in lines if len(line) > 2}
    return done.stdout, claims, keys


def test_virtual():
    """In virtual time every number of the reference is found."""
    text, claims, keys = draft("--dut", "virtual", "--name", "ACME NIC 100")
    assert "name ACME NIC 100\n" in text
    assert CORE <= claims, CORE - claims
    assert not {"crc", "ipv6", "native", "tss"} & claims, claims
    assert keys["size mtu"] == ["1024"], keys
    assert keys["size max_ack_data"] == ["16"], keys
    assert keys["timer rto"][0] == "5ms", keys
    assert keys["timer nack_time"][0] == "1ms", keys
    assert keys["timer clear_time"][0] == "1ms", keys
    assert keys["limit max_rto_retx"] == ["5"], keys
    assert keys["limit max_nack_retx"] == ["5"], keys


def test_device_dies():
    """A draft would claim what came before the end alone."""
    dies = f"exec:sed -u 60q | {RUNG} serve --udp {{dut}} --control stdio"
    done = expect(rung("probe", "--dut", dies, "-o", "x.decl"), 3,
                  err="rung probe: the device is gone since the stimulus ")
    assert not os.path.exists("x.decl")
    assert "shown      read@target" in done.stderr, done.stderr


def test_device_dies_of_each_crc():
    """Each way to send a CRC has a set-up of its own, and counts alone."""
    write("starts.sh", """n=$(($(cat starts || echo 0) + 1)); echo $n > starts
[ $n -gt 4 ] && exec "$1" serve --udp "$2" --control stdio
sed -u 1q | "$1" serve --udp "$2" --control stdio
""")
    expect(rung("probe", "--dut", f"exec:sh starts.sh {RUNG} {{dut}}", "-o",
                "late.decl"), 0)
    assert "claims" in pathlib.Path("late.decl").read_text()
    assert int(pathlib.Path("starts").read_text()) > 4


def test_device_dies_without_control():
    """Only the first stimulus, sent again, shows that it does not answer."""
    shutil.copytree(ROOT / "cases/common", "tree/common")
    shutil.copytree(ROOT / "cases/probe", "tree/probe",
                    ignore=lambda _, names: {n for n in names
                                             if n != "rud.lad"})
    late = (ROOT / "cases/probe/noop.lad").read_text()
    write("tree/probe/then.lad", late.replace("  use close",
                                              "  wait 3s"))
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
             "text": True}
    with subprocess.Popen([RUNG, "serve", "--udp", "127.0.76.2"],
                          **piped) as device:
        assert "listening" in device.stderr.readline()
        with subprocess.Popen([RUNG, "probe", "--cases", "tree", "--dut",
                               "udp:127.0.76.1,peer=127.0.76.2"],
                              **piped) as probe:
            said = probe.stderr.readline()
            device.kill() # "then" waits three seconds meanwhile
            out, err = probe.communicate(timeout=200)
    assert "shown      rud@target" in said, said + err
    assert probe.returncode == 3 and not out, (probe.returncode, out, err)
    assert "and does not answer it any more" in err, err


def test_draft_is_a_declaration():
    """A device passes the cases that its draft selects."""
    expect(rung("probe", "-q", "--dut", "virtual", "-o", "it.decl"), 0)
    done = expect(rung("run", "--dut", "virtual", "--decl", "it.decl",
                       "uet/rud/send-*", "uet/rud/read-in-ack*"), 0)
    assert ", 0 na, 0 error" in done.stdout, done.stdout


def test_check():
    """Compares what the declaration says with the device."""
    expect(rung("probe", "-q", "--dut", "virtual", "-o", "all.decl"), 0)
    done = expect(rung("probe", "-q", "--dut", "virtual", "--check", "--decl",
                       "all.decl"), 0)
    assert done.stdout == "", done.stdout
    with open("all.decl", encoding="ascii") as f:
        lines = [line for line in f if not line.startswith("claims noop")]
    less = "".join(lines)
    done = expect(rung("probe", "--dut", "virtual", "--check", "--decl",
                       write("less.decl", less)), 0,
                  err="shown beyond the declaration: noop")
    assert done.stdout == "", done.stdout
    done = rung("probe", "-q", "--dut", "virtual", "--check", "--decl",
                write("other.decl", less + "claims ack_cc\n"))
    expect(done, 1)
    assert re.fullmatch(r"ack_cc +claimed, not shown: .+\n",
                        done.stdout), done.stdout
    assert "beyond" not in done.stderr, done.stderr
    expect(rung("probe", "--dut", "virtual", "--check"), 2, err="--decl")


def test_what_it_lacks():
    """The draft claims only capabilities that the device showed."""
    if not list(pathlib.Path(RUNG).parents[1].glob("mutants/*.so")):
        return  # this build has no mutants
    for mutant, lost in (("mark-always", "ecn"),
                         ("ack-request-ignored", "ack_request"),
                         ("close-not-acked", "close.target")):
        text, claims, _ = draft("--dut", "virtual", "--mutant", mutant)
        assert lost not in claims, (mutant, claims)
        assert re.search(rf"# +{lost} +target +not shown", text), text


def test_other_numbers():
    """The draft has the numbers of the device, not those of the reference."""
    other = write("other.decl", """
name other
claims rud send read write
size max_ack_data 256
size mtu 4096
timer rto 30ms
timer nack_time 7ms
limit max_rto_retx 3
limit max_nack_retx 2
id job_id 0x77
""")
    _, _, keys = draft("--dut", "virtual", "--decl", other)
    assert keys["size max_ack_data"] == ["256"], keys
    assert keys["size mtu"] == ["4096"], keys
    assert keys["timer rto"][0] == "30ms", keys
    assert keys["timer nack_time"][0] == "7ms", keys
    assert keys["limit max_rto_retx"] == ["3"], keys
    assert keys["limit max_nack_retx"] == ["2"], keys
    assert keys["id job_id"] == ["0x77"], keys


def test_crc_is_found():
    """The device requires a CRC, which no declaration says."""
    for order in ("little", "big"):
        theirs = write("crc.decl", f"name x\ncrc {order}\n")
        text, claims, keys = draft(
            "--dut", f"exec:{RUNG} serve --udp {{dut}} --control stdio "
            f"--decl {os.path.abspath(theirs)}")
        assert {"crc", "rud"} <= claims, claims
        assert f"\ncrc {order}\n" in text, text
        assert keys["size max_ack_data"] == ["16"], keys


def test_wire_alone():
    """Without a control channel the device is probed as a target, with the
    causes of refusals."""
    control = os.path.abspath("control")
    serve = subprocess.Popen(
        [RUNG, "serve", "--udp", "127.79.0.2", "--control", f"unix:{control}"])
    try:
        while not os.path.exists(control):
            assert serve.poll() is None
            time.sleep(0.01)
        text, claims, keys = draft("--dut", "udp:127.79.0.1,peer=127.79.0.2")
    finally:
        serve.kill()
        serve.wait()
    assert {"rud", "send", "close.target"} <= claims, claims
    assert not {"control", "close.initiator", "response.code"} & claims, claims
    assert "not tried" in text
    assert "timer rto" not in keys
    assert keys["cause error"] == ["resource_index=0xffe"], keys


def test_draft_of_a_stranger():
    """An endpoint that shares no code with rung: the draft claims not too
    much, and the device fails no case with it. A device that is late may lose
    a claim or two."""
    peer = pathlib.Path(__file__).parents[1] / "peer"
    dut = f"exec:{sys.executable} -B {peer / 'peer.py'} --udp {{dut}}"
    ids = peer / "peer.decl"
    expect(rung("probe", "-q", "--dut", dut, "--decl", ids, "-o", "peer.decl"),
           0)
    claims = {line.split()[1] for line in open("peer.decl", encoding="ascii")
              if line.startswith("claims ")}
    theirs = {word for line in ids.read_text().splitlines()
              if line.startswith("claims ") for word in line.split()[1:]}
    assert claims <= theirs, claims - theirs
    assert len(theirs - claims) <= 2, theirs - claims
    done = rung("run", "-q", "-j2", "--dut", dut, "--decl", "peer.decl",
                "uet/rud/send-*", "uet/rod/send*", "uet/rod/read*",
                "uet/rudi/*")
    assert done.returncode in (0, 3), done.stdout
    assert " 0 fail, " in done.stdout, done.stdout


def test_nobody_there():
    done = rung("probe", "-q", "--dut", "udp:127.79.1.1,peer=127.79.1.2")
    expect(done, 3, err="answered nothing")
    assert done.stdout == "", done.stdout


def test_interrupt():
    """After Ctrl-C there is no draft."""
    run = subprocess.Popen(
        [RUNG, "probe", "--dut", "udp:127.79.2.1,peer=127.79.2.2", "-o", "x"],
        stderr=subprocess.PIPE, text=True)
    time.sleep(0.3)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=20)
    assert run.returncode == 130, (run.returncode, err)
    assert not os.path.exists("x")


def test_usage():
    expect(rung("probe"), 2, err="--dut is missing")
    expect(rung("probe", "--dut", "nonsense"), 2, err="--dut nonsense")
    expect(rung("probe", "--dut", "virtual", "x"), 2, err="'x'")
    expect(rung("probe", "--dut", "virtual", "--seed", "x"), 2, err="--seed")
    expect(rung("probe", "--dut", "virtual", "--name", "a\nb"), 2,
           err="--name")
    expect(rung("probe", "--dut", "virtual", "--control", "unix:x"), 2,
           err="--control")
    expect(rung("probe", "--dut", "udp:127.0.0.1,peer=127.0.0.2", "--mutant",
                "mark-always"), 2, err="--mutant")
    expect(rung("probe", "--dut", "virtual", "-q", "-o", "no/where"), 5,
           err="no/where")
    expect(rung("probe", "--dut", "virtual", "--decl", "none.decl"), 2,
           err="none.decl")
    expect(rung("probe", "--help"), 0, out="Usage: rung probe")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} RUNG [test_NAME...]")
    main(globals())
