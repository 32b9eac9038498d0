#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung fabric: the example files, JSON, seeds, exit codes, errors of a
file with their places, and what congestion control and spraying bring."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from formats import refuses, schema_of, validate
from lib import RUNG, expect, main, rung, write

ROOT = pathlib.Path(__file__).resolve().parents[2]
SMALL = ("--bytes", "64k")


def fabric(*args, code=0, **more):
    """Runs with --json and returns the document."""
    done = expect(rung("fabric", "--json", *args, **more), code)
    said = json.loads(done.stdout)
    validate(schema_of("fabric"), said)
    return said


def test_examples_have_no_finding():
    for path in sorted((ROOT / "docs/fabric").glob("*.yaml")):
        said = fabric(path, *SMALL)
        assert said["judged"]["findings"] == 0, (path, said)
        assert said["judged"]["packets"] > said["network"]["packets"], said


def test_schema_refuses():
    said = fabric(*SMALL)
    for change in ({"schema": "rung.fabric/2"}, {"more": 1}, {"flows": {}}):
        assert refuses(schema_of("fabric"), {**said, **change}), change


def test_text():
    done = expect(rung("fabric", *SMALL), 0, out="32 of 32 flows")
    for word in ("goodput", "fairness", "queue", "0 findings"):
        assert word in done.stdout, done.stdout


def test_the_seed_repeats():
    args = ("--workload", "incast", "--fan", "12", *SMALL)
    assert fabric(*args, "--seed", "3") == fabric(*args, "--seed", "3")
    assert fabric(*args, "--seed", "3") != fabric(*args, "--seed", "4")
    assert fabric(*args, "--seed", "3")["seed"] == 3
    most = str(2 ** 64 - 1)
    assert fabric(*args, "--seed", most)["seed"] == most


def test_a_task_of_an_array():
    with tempfile.TemporaryDirectory() as out:
        env = {**os.environ, "SLURM_ARRAY_TASK_ID": "5",
               "PATH": f"{pathlib.Path(RUNG).parent}:{os.environ['PATH']}"}
        subprocess.run(["sh", str(ROOT / "docs/lab/slurm-fabric.sh"), out,
                        *SMALL], env=env, check=True)
        said = json.loads((pathlib.Path(out) / "fabric-5.json").read_text())
    assert said == fabric(*SMALL, "--seed", "5"), said


def test_incast_is_controlled():
    said = fabric(ROOT / "docs/fabric/leaf-spine.yaml", "--workload", "incast",
                  "--fan", "100", "--bytes", "256k")
    assert said["flows"]["goodput"] >= 0.9, said["flows"]
    assert said["flows"]["fairness"] >= 0.95, said["flows"]
    assert said["network"]["trimmed"] > 0, said["network"]


def test_credit_is_shared_fairly():
    """A receiver grants each of 100 sources the same share of its link."""
    said = fabric(ROOT / "docs/fabric/leaf-spine.yaml", "--workload", "incast",
                  "--fan", "100", "--bytes", "512k", "--cc", "rccc")
    assert said["flows"]["goodput"] >= 0.9, said["flows"]
    assert said["flows"]["fairness"] >= 0.99, said["flows"]
    assert said["judged"]["findings"] == 0, said["judged"]


def test_spraying_beats_ecmp():
    path = ROOT / "docs/fabric/leaf-spine.yaml"
    took = [fabric(path, "--spray", n, "--judge", "0")["flows"]["took_ns"]
            for n in (1, 64)]
    assert took[0] >= 1.5 * took[1], took


def test_bars():
    args = ("--workload", "incast", *SMALL)
    said = fabric(*args, "--least-goodput", "50", "--least-fairness", "50")
    assert said["bars"]["missed"] == 0, said["bars"]
    said = fabric(*args, "--least-goodput", "100", "--least-fairness", "100",
                  "--most-retransmitted", "1", code=1)
    assert said["bars"]["missed"] == 3, said["bars"]
    done = expect(rung("fabric", *args, "--least-goodput", "100"), 1)
    assert "missed        goodput: at least 100 %" in done.stdout
    expect(rung("fabric", "--mutant", "none"), 2, err="none")


def test_loss_costs_go_back_n_more():
    write("loss.yaml", "topology: dumbbell\nspines: 8\nhosts: 4\nloss: 2000\n")
    took = [fabric("loss.yaml", "--cc", "none", "--set", "cwnd=300000", *more)
            for more in (("--set", "sack_retx=32"), ("--mode", "rod"))]
    retx = [said["network"]["retransmitted"] for said in took]
    assert 0 < retx[0] < retx[1], retx
    assert all(said["topology"]["loss_per_million"] == 2000 for said in took)
    write("loss.yaml", "topology: dumbbell\nloss: 1000001\n")
    expect(rung("fabric", "loss.yaml"), 2, err="the loss is at most")


def test_rto_is_an_option():
    """A lost last packet waits for the RTO, so that half of it is faster."""
    write("loss.yaml", "topology: dumbbell\nspines: 8\nhosts: 4\nloss: 10000\n")
    args = ("loss.yaml", "--cc", "none", "--mode", "rod")
    took = [fabric(*args, *more)["flows"]["took_ns"]
            for more in (("--rto", "500us"), ("--rto", "1ms"), ())]
    assert took[0] < took[1] == took[2], took
    expect(rung("fabric", "--rto", "0ms"), 2, err="--rto is a time")
    for value in (("--rto", "9s"), ("--set", "rto_max=500us")):
        expect(rung("fabric", *value), 2, err="at most rto_max")
        expect(rung("fabric", "--live", *value), 2, err="at most rto_max")


def test_settings_count():
    args = ("--workload", "incast", *SMALL)
    plain = fabric(*args)
    slow = fabric(*args, "--set", "nscc_max_window=50")
    assert plain["network"]["trimmed"] > slow["network"]["trimmed"]
    expect(rung("fabric", *args), 0, out=" 0 findings, 0 remarks\n")
    expect(rung("fabric", "--set", "nscc_gamma=101"), 2,
           err="'101' is no value of 'nscc_gamma'; expected 0 to 100")
    expect(rung("fabric", "--set", "path_rest=5000000"), 2,
           err="expected a time, such as 5ms")
    expect(rung("fabric", "--set", "path_choice=1"), 2,
           err="expected one of: turn random feedback")
    expect(rung("fabric", "--set", "colour=1"), 2, err="no setting 'colour'")
    expect(rung("fabric", "--set", "colour"), 2, err="NAME=VALUE")
    expect(rung("fabric", "--cc", "rccc", "--set", "credit_unit=0"), 2,
           err="do not go together")
    expect(rung("fabric", "--set", "cc=credit"), 2,
           err="do not go together")
    expect(rung("fabric", "--cc", "rccc", "--set", "credit_init=16"), 2,
           err="less than a packet")
    large = fabric("--cc", "rccc", *SMALL, "--set", "credit_unit=100000")
    assert large["flows"]["complete"] == 32, large


def test_flows_outlive_a_failure():
    """All paths fail for 30 RTOs: packets and requests for credit back off."""
    write("cut.yaml", "topology: dumbbell\nhosts: 2\nspines: 1\nfailures:\n"
                      "  - {leaf: 0, spine: 0, at: 30us, until: 30ms}\n")
    for policy in ("nscc", "rccc"):
        said = fabric("cut.yaml", "--cc", policy)
        assert said["flows"]["complete"] == 4, said["flows"]
        assert said["judged"]["findings"] == 0, said["judged"]


def test_incomplete_is_inconclusive():
    said = fabric("--until", "20us", code=3)
    assert said["flows"]["complete"] == 0, said
    assert said["flows"]["goodput"] == 0, said


def test_bad_files():
    for text, place in (
            ("", "bad.yaml: the file is empty"),
            ("- a\n", "bad.yaml:1:1: expected a mapping with the key 'topology'"),
            ("leaves: 4\n", "bad.yaml:1:1: the file has no 'topology'"),
            ("topology: ring\n", "bad.yaml:1:11: 'ring' is no value"),
            ("topology: rail\nleafs: 4\n", "bad.yaml:2:1: there is no key 'leafs'; did you mean 'leaves'?"),
            ("topology: rail\nrate: 100\n", "bad.yaml:2:7: '100' is no value"),
            ("topology: rail\nhosts: [1]\n", "bad.yaml:2:8: 'hosts' must"),
            ("topology: rail\nhosts: 1\nhosts: 2\n",
             "bad.yaml:3:1: 'hosts' stands twice"),
            ("topology: rail\nfailures:\n  - {leaf: 1}\n",
             "bad.yaml:3:5: a failure needs"),
            ("topology: rail\nqueue: 99999999999999999999\n",
             "bad.yaml:2:8: "),
            ("topology: rail\nqueue: 17179869184G\n",
             "bad.yaml:2:8: '17179869184G' is no value"),
            ("topology: rail\ndelay: 3601s\n", "expected a time up to 3600s"),
            ("topology: rail\ndelay: 111111111111s\n",
             "expected a time up to 3600s"),
            ("topology: rail\n---\ntopology: rail\n",
             "bad.yaml:3:1: there is more than one document"),
            ("topology: rail\nspines: 0\n", "bad.yaml: several leaves need"),
            ("topology: rail\ndelay: 1s\n", "bad.yaml: the base RTT must"),
            ("topology: {\n", "bad.yaml:2:1: ")):
        write("bad.yaml", text)
        expect(rung("fabric", "bad.yaml"), 2, err=place)
    pathlib.Path("bad.yaml").write_bytes(b"topology: rail\n# a\xff\n")
    expect(rung("fabric", "bad.yaml"), 2, err="bad.yaml:2:4: invalid")
    expect(rung("fabric", "none.yaml"), 2, err="none.yaml")
    write("big.yaml", "topology: leaf-spine\nleaves: 4000\nhosts: 4000\n")
    expect(rung("fabric", "big.yaml"), 2, err="65536 endpoints")
    expect(rung("fabric", "--fan", "32"), 2, err="the fan must be smaller")


def test_bad_sizes():
    for size in ("0", "17179869185G", "1099511627775G"):
        expect(rung("fabric", "--bytes", size), 2,
               err=f"--bytes takes a size such as 4096, 64k or 1M, not '{size}'")
    expect(rung("fabric", "--message", "65M"), 2, err="at most 64 MiB")
    for size, fan in (("1048577G", "1"), ("524289G", "2")):
        expect(rung("fabric", "--workload", "incast", "--bytes", size, "--fan",
                    fan), 2, err="at most 1 PiB")
    said = fabric("--workload", "incast", "--bytes", "1048576G", "--fan", "1",
                  "--until", "1us", code=3)
    assert said["flows"]["ideal_ns"] > 2 ** 50 * 8000 // 100000, said["flows"]


def test_queues_of_long_ways():
    """The queue of 5 x rate x base RTT is more than 32 bits."""
    write("long.yaml", "topology: rail\ndelay: 100ms\ntrim: no\n")
    said = fabric("long.yaml", "--bytes", "1", "--judge", "0")
    assert said["topology"]["queue_bytes"] == 2 ** 31 - 1, said["topology"]


def test_one_bound_of_ecn():
    for key, bounds in (("ecn_min: 20k", (20480, 118000)),
                        ("ecn_min: 200k", (204800, 204800)),
                        ("ecn_max: 20k", (20480, 20480))):
        write("ecn.yaml", f"topology: rail\n{key}\n")
        top = fabric("ecn.yaml", *SMALL, "--judge", "0")["topology"]
        assert (top["ecn_min_bytes"], top["ecn_max_bytes"]) == bounds, top


def test_a_dumbbell_has_two_leaves():
    write("bell.yaml", "topology: dumbbell\nhosts: 2\n")
    assert fabric("bell.yaml", *SMALL)["topology"]["leaves"] == 2
    write("bell.yaml", "topology: dumbbell\nleaves: 3\n")
    expect(rung("fabric", "bell.yaml"), 2, err="a dumbbell has two leaves")


def test_srd_repairs_before_the_rto():
    """Sprayed over paths that lose 0.5 %, one of them dead for a while."""
    write("srd.yaml", "topology: leaf-spine\nloss: 5000\nfailures:\n"
                      "  - {leaf: 0, spine: 3, at: 5us, until: 2ms}\n")
    args = ("srd.yaml", "--family", "srd", "--bytes", "256k")
    slow = fabric(*args, "--paths", "turn")
    fast = fabric(*args, "--set", "srd_fast=1")
    for said in (slow, fast):
        assert said["workload"]["family"] == "srd", said["workload"]
        assert said["judged"]["findings"] == 0, said["judged"]
        assert said["network"]["retransmitted"] > 0, said["network"]
    took = [said["flows"]["completion_mean_ns"] for said in (slow, fast)]
    assert took[0] > 2 * took[1], took
    expect(rung("fabric", "--live", "--family", "srd"), 2, err="UET alone")


def test_svg():
    expect(rung("fabric", *SMALL, "--svg", "f.svg"), 0)
    text = pathlib.Path("f.svg").read_text()
    root = xml.etree.ElementTree.fromstring(text)
    assert root.tag.endswith("svg") and "NaN" not in text and "inf" not in text
    for word in ("Completion", "fairness", "Goodput", "Repeated", "queue"):
        assert word in text, word
    expect(rung("fabric", "--until", "1us", "--svg", "g.svg"), 3)
    xml.etree.ElementTree.parse("g.svg")
    expect(rung("fabric", *SMALL, "--svg", "none/f.svg"), 5, err="none/f.svg")
    said = fabric("--workload", "incast")
    last = said["samples"][-1]
    assert last["payload_bytes"] == said["flows"]["payload_bytes"], last
    assert last["retransmitted"] == said["network"]["retransmitted"], last
    assert max(s["queue_bytes"] for s in said["samples"]) == \
        said["network"]["queue_max_bytes"]


# A busy machine keeps packets waiting; no retry is to fail because of that.
SLOW = "name slow\ntimer rto 500ms tolerance 100ms\n"


def live(*args, code=0, **more):
    """Runs around the reference, and returns the document."""
    pathlib.Path("slow.decl").write_text(SLOW)
    done = expect(rung("fabric", "--live", "--json", "--bytes", "128k",
                       "--decl", "slow.decl", *args, **more), code)
    said = json.loads(done.stdout)
    validate(schema_of("fabric-live"), said)
    return said


def test_live_around_the_reference():
    said = live("--endpoints", "6")
    assert said["flows"]["complete"] == said["flows"]["flows"] == 12, said
    assert said["judged"]["findings"] == 0, said["judged"]
    assert said["judged"]["packets"] > said["network"]["packets"], said
    said = live("--endpoints", "3", "--workload", "incast", "--mode", "rod")
    assert said["flows"]["flows"] == 3, said["flows"]
    assert said["device"]["name"], said["device"]


# Passes what "rung serve" tells, each time what came within 0.3 seconds.
IN_BATCHES = """
import os, select, sys, time
held, since = b"", None
while True:
    ready = select.select([0], [], [], 0.05)[0]
    if ready:
        got = os.read(0, 1 << 20)
        if not got:
            break
        held, since = held + got, since or time.monotonic()
    if since and time.monotonic() - since > 0.3:
        sys.stdout.buffer.write(held)
        sys.stdout.buffer.flush()
        held, since = b"", None
"""


def test_live_reads_long_batches_of_events():
    """One turn does not read all that the control channel tells at once."""
    pathlib.Path("batches.py").write_text(IN_BATCHES)
    script = pathlib.Path("serve.sh")
    script.write_text(f"{RUNG} serve --udp $1 --control stdio "
                      f"--decl slow.decl | {sys.executable} batches.py\n")
    said = live("--dut", "exec:sh serve.sh {dut}", "--endpoints", "2",
                "--message", "1k", "--writes", "512", "--bytes", "512k",
                "--until", "20s")
    assert said["flows"]["complete"] == 4, said["flows"]
    assert not said["device"]["silent"], said["device"]


# Stops rung before the device learns of the first write, until a write of the
# device has failed: nobody acknowledges its packets.
STOPS = """
import os, pathlib, signal, subprocess, sys, threading
rung = int(pathlib.Path("rung.pid").read_text())
serve = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE)

def asked():
    first = True
    for line in sys.stdin.buffer:
        if b'"write"' in line and first:
            first = False
            os.kill(rung, signal.SIGSTOP)
            while ") T " not in pathlib.Path(f"/proc/{rung}/stat").read_text():
                pass
        serve.stdin.write(line)
        serve.stdin.flush()
    serve.stdin.close()

threading.Thread(target=asked).start()
for line in serve.stdout:
    if b'"completion"' in line and b'"status":"ok"' not in line:
        os.kill(rung, signal.SIGCONT)
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""


def test_live_says_that_it_was_late():
    """Flows that failed while rung had no processor are no fault of the
    device."""
    pathlib.Path("stops.py").write_text(STOPS)
    pathlib.Path("short.decl").write_text(
        "name short\ntimer rto 20ms tolerance 10ms\nlimit max_rto_retx 2\n")
    device = (f"exec:{sys.executable} stops.py {RUNG} serve --udp {{dut}} "
              "--control stdio --decl short.decl")
    args = ["fabric", "--live", "--endpoints", "2", "--bytes", "64k",
            "--message", "16k", "--writes", "4", "--decl", "short.decl",
            "--dut", device]
    for more in ((), ("--json",)):
        done = subprocess.run(
            ["sh", "-c", 'echo $$ > rung.pid; exec "$0" "$@"', RUNG, *args,
             *more], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 3, done
        if not more:
            assert "\nbusy  " in done.stdout, done
    said = json.loads(done.stdout)
    validate(schema_of("fabric-live"), said)
    assert said["flows"]["busy"] and said["flows"]["failed"], said
    assert said["network"]["late_ns"] > 20e6, said["network"]


def test_live_ends_with_the_device():
    """A device that ends in the middle is a fault; one that never begins is
    an error of the set-up."""
    serve = f"timeout -s KILL 5 {RUNG} serve --udp {{dut}} --control stdio"
    said = live("--dut", f"exec:{serve}", "--bytes", "8M", "--until", "30s",
                "--message", "1k", "--writes", "1", "--endpoints", "64",
                code=1)
    assert said["device"]["gone"], said["device"]
    expect(rung("fabric", "--live", "--dut", "exec:false"), 5,
           err="ended before hello")


def test_live_refuses():
    for args, why in (
            (("--dut", "virtual"), "real time"),
            (("--workload", "all-reduce"), "incast and all-to-all"),
            (("x.yaml",), "no topology"),
            (("--endpoints", "65"), "--endpoints"),
            (("--set", "colour=1"), "no setting 'colour'")):
        expect(rung("fabric", "--live", *args), 2, err=why)
    expect(rung("fabric", "--dut", "ref"), 2, err="go with --live")
    expect(rung("fabric", "--endpoints", "5"), 2, err="goes with --live")
    expect(rung("fabric", "--live", "--dut",
                "udp:192.0.2.1,peer=192.0.2.2"), 5, err="192.0.2.1")


def test_live_is_interrupted():
    args = [RUNG, "fabric", "--live", "--bytes", "1M", "--message", "1k",
            "--writes", "1", "--endpoints", "32"]
    with subprocess.Popen(args, stdout=subprocess.PIPE, text=True) as child:
        try:
            child.wait(0.5)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGINT)
        assert child.wait(20) in (0, 130)


if __name__ == "__main__":
    main(globals())
