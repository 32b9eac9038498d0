# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung check --ring: captures around findings, of bounded age and size.

Usage: recorder.py RUNG
"""
import contextlib
import json
import os
import pathlib
import resource
import signal
import struct
import subprocess
import sys

import captures
from lib import RUNG, expect, main, rung, write

CAPTURES = pathlib.Path(__file__).resolve().parents[1] / "captures"
SECOND = 10**9
BEGIN = 1_790_000_000 * SECOND  # 2026-09-21T14:13:20Z


def frames_of(path):
    """Returns the frames of a pcap file with times in microseconds."""
    data, at, ret = path.read_bytes(), 24, []
    while at < len(data):
        length = struct.unpack_from("<I", data, at + 8)[0]
        ret.append(data[at + 16:at + 16 + length])
        at += 16 + length
    return ret


PROBED = frames_of(CAPTURES / "uet-provider-probed.pcap")
LINK = struct.unpack_from("<I", (CAPTURES / "uet-provider-probed.pcap")
                          .read_bytes(), 20)[0]
WRONG = PROBED[38]  # breaks UET-ENC-29 by itself
QUIET = PROBED[0]


def make(seconds, quiet=QUIET, every=0.1, wrong=(), name="c.pcap"):
    """Writes a capture with a quiet frame every so often, and a frame that
    breaks a requirement at each of these seconds."""
    all_frames = [(i * every, quiet) for i in range(int(seconds / every))]
    all_frames += [(at, WRONG) for at in wrong]
    all_frames.sort(key=lambda f: f[0])
    packets = [(BEGIN + round(at * SECOND), data) for at, data in all_frames]
    pathlib.Path(name).write_bytes(captures.pcap(packets, LINK))
    return packets


def record(*args, code=1, **more):
    return expect(rung("check", "--ring", "ring", *args, "c.pcap", **more),
                  code)


def kept():
    """Returns the kept captures, oldest first, each as a list of (seconds
    since the begin, bytes)."""
    ret = []
    for path in sorted(pathlib.Path("ring").glob("*.pcapng")):
        ret.append([((at - BEGIN) / SECOND, data) for _, at, data
                    in captures.frames(path.read_bytes())])
    return ret


def findings(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_packets_around_a_finding_are_kept():
    make(10, wrong=[5.05])
    record(code=1)
    capture, = kept()
    assert capture[0][0] >= 4.05 and capture[-1][0] <= 6.05
    assert len(capture) == 21, len(capture)  # 10 before, 10 after
    assert [at for at, data in capture if data == WRONG] == [5.05]
    path, = pathlib.Path("ring").glob("*.jsonl")
    assert path.stem.startswith("20260921T141324Z-"), path
    said, = findings(path)
    assert said["requirement"].startswith("UET-ENC-29"), said
    assert said["frame"] == 52, said


def test_a_kept_capture_shows_the_finding():
    make(10, wrong=[5.05])
    record()
    path, = pathlib.Path("ring").glob("*.pcapng")
    expect(rung("check", path), 1, out="UET-ENC-29")
    assert b"UET-ENC-29/" in path.read_bytes()  # the comment of the packet


def test_findings_close_together_share_a_capture():
    make(10, wrong=[2.05, 2.95, 3.85, 8.05])
    record()
    first, second = kept()
    assert [at for at, data in first if data == WRONG] == [2.05, 2.95, 3.85]
    assert first[0][0] >= 1.05 and first[-1][0] <= 4.85
    assert [at for at, data in second if data == WRONG] == [8.05]


def test_around_states_how_much_is_kept():
    make(10, wrong=[5.05])
    record("--around", "2s")
    capture, = kept()
    assert len(capture) == 41, len(capture)


def test_nothing_is_kept_without_a_finding():
    make(10)
    done = record(code=None)
    assert "0 captures" in done.stderr, done.stderr
    assert not list(pathlib.Path("ring").iterdir())


def test_remarks_are_kept_with_strict_alone():
    data = (CAPTURES / "uet-provider-silent.pcap").read_bytes()
    pathlib.Path("c.pcap").write_bytes(data)  # UET-ENC-47, of level N
    record(code=None)
    assert not kept()
    record("--strict", code=1)
    assert len(kept()) == 1


def test_old_captures_are_removed():
    make(7200, every=60, wrong=[100, 4000, 7000])
    write("ring/20200101T000000Z-000000000001.txt", "of somebody else")
    write("ring/20200101T000000Z-000000000001.pcapng", "")
    record("--keep", "30m")
    names = sorted(os.listdir("ring"))
    assert names[0].endswith(".txt"), names  # not a file of the recorder
    assert len(names) == 3, names
    assert [at for at, data in kept()[0] if data == WRONG] == [7000]


def test_the_folder_stays_small():
    large = QUIET[:14] + QUIET[14:] + bytes(60000)
    make(300, quiet=large, every=0.15, wrong=[0.5 * i for i in range(600)])
    record("--ring-size", "64")
    sizes = [p.stat().st_size for p in pathlib.Path("ring").iterdir()]
    assert 30 << 20 < sum(sizes) <= 64 << 20, sum(sizes)
    assert kept()[-1][-1][0] > 295  # the newest ones are there
    assert len(kept()) > 1


def test_json_and_exit_code_stay_the_same():
    make(10, wrong=[5.05, 5.06])
    plain = expect(rung("check", "--json", "c.pcap"), 1)
    ringed = record("--json", code=1)
    assert plain.stdout == ringed.stdout


def test_a_full_disk_is_said_once():
    make(10, wrong=[5.05, 5.06])
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    done = subprocess.run(
        [RUNG, "check", "--ring", "ring", "c.pcap"], capture_output=True,
        text=True, timeout=60, check=False, restore_signals=False, preexec_fn=lambda:
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512)))
    expect(done, 5, out="UET-ENC-29", err="ring: File too large")
    assert done.stderr.count("too large") == 1, done.stderr
    assert not list(pathlib.Path("ring").iterdir())


def has_open(pid, end):
    """Returns whether a process has a file open whose name ends so."""
    for link in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            if os.readlink(link).endswith(end):
                return True
    return False


def test_two_recorders_do_not_share_a_folder():
    make(1)
    pathlib.Path("ring").mkdir()
    read, write_end = os.pipe()
    with subprocess.Popen([RUNG, "check", "--ring", "ring", "-"], stdin=read,
                          stdout=subprocess.DEVNULL) as first:
        os.close(read)
        # Popen waits for its end, also after an error here.
        with os.fdopen(write_end, "wb") as to_first:
            to_first.write(pathlib.Path("c.pcap").read_bytes())
            to_first.flush()
            while not has_open(first.pid, "/ring"):
                os.sched_yield()
            done = record(code=5)
        assert "ring: another rung records there" in done.stderr, done.stderr
        first.wait(60)


def test_what_a_ring_cannot_hold_is_a_usage_error():
    make(1)
    expect(rung("check", "--ring", "ring", "c.pcap", "c.pcap"), 2,
           err="one port or file")
    expect(rung("check", "--ring", "ring", "--ring-size", "1", "c.pcap"), 2,
           err="from 64 to")
    for option in (("--keep", "2h"), ("--ring-size", "64"), ("--around", "5s")):
        expect(rung("check", *option, "c.pcap"), 2, err="go with --ring")
    expect(rung("run", "--dut", "virtual", "--quiet", "--out", "o",
                "uet/rud/send-gtd@target"), 0)
    capture, = pathlib.Path("o").rglob("capture.pcapng")
    expect(rung("check", "--ring", "ring", capture), 2, err="does not accept a capture of rung run")


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(__file__))
    main(globals())
