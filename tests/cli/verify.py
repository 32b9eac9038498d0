#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rung verify: a run is judged again from its folder, without the device."""
import json
import pathlib
import random
import shutil

from lib import expect, main, rung, write

SOME = "uet/rud/ack"
FEW = ("uet/rud/send-gtd", "srd/deliver/many-acked", "wqe/read/clean", "roce/loss/gap")
WRONG = """title   A wrong expectation
covers  RUD-SVC-2
needs   rud send

chair target
  use open
  base fwd=100
  >  rud_req psn=100 clear_psn=99 ar | std send message_id=7 som eom | data 32
  <  ack ack_psn=100 cack_psn=99 | response message_id=7        [RUD-SVC-3]
  use close
"""


def run(*args, code=0, dut="virtual"):
    return expect(rung("run", "--dut", dut, "-q", "--transcript", "--out",
                       "out", *args), code)


def folder(case):
    return pathlib.Path("out/cases", case)


def alter(path, change):
    """Change a file without changing its length."""
    data = path.read_bytes()
    new = change(data)
    assert new != data and len(new) == len(data), path
    path.write_bytes(new)


def test_verdicts_follow_from_the_transcript():
    run(*FEW, SOME)
    done = expect(rung("verify", "out"), 0, " 0 differ, 0 without")
    assert done.stdout.count("verified  ") > 30, done.stdout
    # Nothing that was concluded is needed.
    for report in pathlib.Path("out").iterdir():
        if report.is_file() and report.name != "run.json":
            report.unlink()
    expect(rung("verify", "-q", "out"), 0, " 0 differ, 0 without")


def test_over_sockets():
    """Times, ports and jitter of a live run are those of the transcript."""
    run(*FEW, "-j4", dut="ref", code=None)
    expect(rung("verify", "-q", "out"), 0, " 0 differ, 0 without")


def test_a_device_that_is_never_reset():
    """What one case leaves in the device is the same in the next ones."""
    run("uet/rud/clear@target", "uet/rud/read-std-return@target",
        "uet/rud/send-rendezvous-b*@target", "--without", "control", dut="ref",
        code=None)
    done = expect(rung("verify", "out"), 0, " 0 differ, 0 without")
    assert done.stdout.count("verified  ") > 15, done.stdout


def test_what_the_declaration_leaves_out():
    """A tag that is a default is not one that the device has receives for."""
    run("uet/rud/send-tagged-unmatched", "uet/rud/send-rendezvous-tagged",
        "--without", "control", code=None)
    expect(rung("verify", "-q", "out"), 0, "3 verified, 0 differ, 0 without")


def test_fails_and_options():
    mine = write("mine.lad", WRONG)
    run(mine, "uet/rud/send*", "--repeat", "2", "--strict", "--seed", "77",
        code=1)
    expect(rung("verify", "-q", "out"), 0, " 0 differ, 0 without")
    run(mine, "--step-over", "--timeout", "3s", code=1)
    expect(rung("verify", "-q", "out"), 0, "1 verified, 0 differ")


def test_merged_shards():
    for i in (1, 2):
        expect(rung("run", "--dut", "virtual", "-q", "--transcript",
                    "--shard", f"{i}/2", "--out", f"s{i}", SOME), 0)
    expect(rung("merge", "-q", "s1", "s2", "--out", "out"), 0)
    expect(rung("verify", "-q", "out"), 0, " 0 differ, 0 without")


def test_without_a_transcript():
    run(SOME)
    (folder("uet/rud/ack/type-cc@target") / "transcript.jsonl").unlink()
    expect(rung("verify", "-q", "out"), 5)
    expect(rung("run", "--dut", "virtual", "-q", "--out", "bare", SOME), 0)
    expect(rung("verify", "-q", "bare"), 3, "no transcript")
    expect(rung("run", "--transcript"), 2, err="--transcript needs --out")
    expect(rung("verify", "none"), 2)
    expect(rung("verify"), 2, err="a folder is missing")


def test_what_was_altered_differs():
    case = "uet/rud/send-gtd@target"
    run(case)
    shutil.copytree("out", "kept")
    where = folder(case)

    def bit_of_packet(data):
        """The last byte of the device's first packet in the capture."""
        at = data.index(b"\x12\xb9", 400)  # its UDP source or target port
        return data[:at + 20] + bytes([data[at + 20] ^ 1]) + data[at + 21:]

    def received(data):
        """One byte of a packet that the device sent."""
        at = data.index(b'"dgram"')
        at = data.index(b'],"', at) + 3 + 20
        new = b"0" if data[at:at + 1] != b"0" else b"1"
        return data[:at] + new + data[at + 1:]

    for name, change in [
            ("transcript.jsonl", received),
            ("transcript.jsonl", lambda d: d.replace(b'"next",0,"event"',
                                                     b'"next",0,"evenT"', 1)),
            ("capture.pcapng", bit_of_packet),
            ("control.jsonl", lambda d: d.replace(b'"len":', b'"leN":', 1)),
            ("ladder.txt", lambda d: d.replace(b"pass", b"fail", 1)),
            ("record.jsonl", lambda d: d.replace(b'"psn', b'"psN', 1)
             if b'"psn' in d else d.replace(b"RUD-", b"RUd-", 1)),
            ("integrity.json", lambda d: d.replace(b"false", b"true ", 1)),
            ("dut.json", lambda d: d.replace(b"rud", b"ruD", 1)),
            ("case.lad", lambda d: d.replace(b"psn=333", b"psn=334", 1))]:
        shutil.rmtree("out")
        shutil.copytree("kept", "out")
        expect(rung("verify", "-q", "out"), 0)
        alter(where / name, change)
        done = rung("verify", "-q", "out")
        assert done.returncode in (1, 5), (name, done)
        assert "differs" in done.stdout.lower() or \
            "damaged" in done.stdout.lower(), (name, done)


def test_a_false_verdict_is_found():
    mine = write("mine.lad", WRONG)
    run(mine, code=1)
    path = next(pathlib.Path("out/cases").rglob("record.jsonl"))
    first, rest = path.read_text().split("\n", 1)
    record = json.loads(first)
    record["verdict"] = "pass"
    path.write_text(json.dumps(record, separators=(",", ":")) + "\n" + rest)
    done = rung("verify", "-q", "out")
    assert done.returncode in (1, 5), done
    if done.returncode == 1:
        assert 'the verdict was "pass", and is "fail"' in done.stdout, done


def test_any_byte_of_a_transcript():
    """A changed transcript never crashes the program, and rarely fits."""
    run("uet/rud/send-gtd@target")
    path = folder("uet/rud/send-gtd@target") / "transcript.jsonl"
    data = path.read_bytes()
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    unseen = 0
    for _ in range(60):
        at = chance.randrange(len(data))
        new = data[:at] + bytes([data[at] ^ (1 << chance.randrange(7))]) + \
            data[at + 1:]
        path.write_bytes(new)
        done = rung("verify", "-q", "out")
        assert done.returncode in (0, 1, 5), (seed, at, done)
        # Some values decide nothing in this case: the name of a verb that it
        # does not use, the source port of an answer.
        unseen += done.returncode == 0
    assert unseen < 20, (seed, unseen)


main(globals())
