# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung check on the captures of runs, whole, truncated and changed, and
its output.

Usage: check.py RUNG             the captures of correct devices
       check.py RUNG --mutants   those of each mutant
"""
import collections
import ctypes
import functools
import gzip
import json
import os
import pathlib
import random
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

import captures
from lib import RESETS, RUNG, expect, main, rung

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEVICE, TESTER = "10.0.0.2", "10.0.0.1"
# Number of cuts of each capture; a build with sanitizers is slow.
CUTS = int(os.environ.get("CUTS", "4"))
MUTANTS = "--mutants" in sys.argv
# A capture does not show the configured codepoints and credit or the posted
# operations, and the capturing machine may have changed the headers around a datagram.
UNSEEN = {"I2", "UET-SES-35", "UET-ENC-12", "UET-ENC-02", "UET-ENC-03",
          "UET-ENC-05", "UET-ENC-09", "UET-ENC-24", "MODE-TC-1",
          "PDS-SVC-6"}
RUD_REQ, RUDI_REQ, RUDI_RESP, UUD_REQ = 2, 4, 5, 6


def lines(*args, code=None):
    done = rung("check", "--json", *args, timeout=300)
    if code is not None:
        expect(done, code)
    return [json.loads(line) for line in done.stdout.splitlines()]


def findings(files):
    """Returns findings by file, of captures judged by one process."""
    found = collections.defaultdict(list)
    for line in lines("--max-findings", 100000, *files):
        if line["type"] == "finding":
            found[line["file"]].append(line)
    return found


KEPT = tempfile.TemporaryDirectory()


@functools.cache
def run(*args):
    """Runs cases once. Returns the results, each with the path of its
    capture."""
    where = tempfile.mkdtemp(dir=KEPT.name)
    rung("run", "--dut", "virtual", "--quiet", "--out", where, *args,
         timeout=300)
    cases = json.loads(pathlib.Path(where, "results.json").read_text())["cases"]
    return [(c, str(pathlib.Path(where, c["capture"])))
            for c in cases if c.get("capture")]


@functools.cache
def files_of_cases():
    """Returns the file of each case, by its id without the chair."""
    listed = json.loads(expect(rung("list", "--json"), 0).stdout)
    return {c["id"].split("@")[0]: c["file"] for c in listed["cases"]}


def declared(case):
    """Returns the requirements that the tester of a case may violate."""
    name = case["id"].split("@")[0]
    path = files_of_cases()[name]
    section, slips = path[len("cases/"):-len(".lad")], {}
    for line in (ROOT / path).read_text().splitlines():
        word = line.split("#")[0].split()
        if word[:1] == ["impaired"]:
            section = f"{path[len('cases/'):-len('.lad')]}-{word[1]}"
        elif word[:1] == ["violates"]:
            slips.setdefault(section, set()).update(
                w.split("/")[0] for w in word[1:])
    return slips.get(name, slips.get(path[len("cases/"):-len(".lad")], set()))


def test_every_capture_of_a_run():
    ran = list(run())
    found = findings([path for _, path in ran])
    assert len(ran) > 250
    told = collections.Counter()
    for case, path in ran:
        assert case["verdict"] in ("pass", "na"), case["id"]
        of = {side: {f["requirement"] for f in found[path]
                     if f["side"] == side and f["level"] == "M"}
              for side in (DEVICE, TESTER)}
        assert not [f for f in found[path] if f["side"] == DEVICE] or \
            case["id"] in RESETS, (case["id"], found[path])
        assert of[TESTER] <= declared(case) or case["id"] in RESETS, \
            (case["id"], of[TESTER])
        told[case["id"].split("/")[0]] += bool(of[TESTER])
    assert told["uet"] > 20 and told["srd"] > 5 and told["wqe"] > 5, told


def test_a_flow_counts_once():
    """A flow that both sides captured counts once."""
    for case in ("uet/rud/send-gtd@initiator", "wqe/order/clean@initiator"):
        _, path = run(case)[0]
        summary = lines(path)[-1]
        assert summary["flows"] == summary["whole_flows"] == 1, summary
    # One PSN beyond a window of 128 leaves 127 out.
    _, path = run("uet/rud/edge/window-beyond@target")[0]
    missing = [r["count"] for r in lines(path)[-1]["restrictions"]
               if r["name"] == "missing"]
    assert missing == [127], missing


def mutants():
    for path in sorted((ROOT / "cases" / "mutants").glob("*.mut")):
        killers = re.search(r"^killed-by +(\S+)", path.read_text(), re.M)
        if killers:
            yield path.stem, killers.group(1)


def test_every_mutant():
    """rung check finds in the capture what the run's monitors found, except a
    wrong ICRC, which a capture does not always show."""
    ran, seen = [], 0
    for name, case in mutants():
        ran += run("--mutant", name, case)
    found = findings([path for _, path in ran])
    for case, path in ran:
        want = {(f["requirement"], f["role"], f["frame"])
                for f in case["findings"]
                if f["requirement"] and f["frame"] and not f.get("line")
                and f["requirement"] not in UNSEEN}
        got = {(f["requirement"], f["role"], f["frame"])
               for f in found[path] if f["side"] == DEVICE}
        # A run reports a frame or a row once, by a line if possible, and a
        # case that ended at a deviation does not judge later absences.
        blamed = {f["frame"] for f in case["findings"]}
        rows = {(f["requirement"], f["role"]) for f in case["findings"]}
        absent = {(f["requirement"], f["role"], f["frame"])
                  for f in found[path]
                  if case["findings"] and f["expected"] and not f["actual"]}
        more = {k for k in got - want - absent
                if k[2] not in blamed and k[:2] not in rows}
        assert not more, (path, more)
        if not any(f"/{reset}/" in path for reset in RESETS):
            assert "/wire/icrc" in path or want <= got, (path, want - got)
        seen += bool(got)
    assert seen > 50, seen


def by_bytes(data, found):
    """Returns findings as (requirement, side, packet); the role may be unknown
    in a truncated capture."""
    every = captures.frames(data)
    return {(f["requirement"], f["side"],
             every[f["frame"] - 1][2][42:]) for f in found}


def cut(kept, rng):
    """Returns the file of these blocks without some of its packets."""
    packets = [i for i, (kind, _) in enumerate(kept)
               if kind == captures.PACKET]
    if not packets:  # the device refused, and no packet was sent
        return b"".join(b for _, b in kept)
    gone = set()
    for _ in range(rng.randint(1, 3)):
        a, b = sorted((rng.choice(packets), rng.choice(packets)))
        gone |= {i for i in packets if {
            "front": i <= a, "back": i >= b, "hole": a <= i <= b,
            "few": rng.random() < 0.2}[rng.choice(
                ("front", "back", "hole", "few"))]}
    return b"".join(b for i, (_, b) in enumerate(kept) if i not in gone)


def anonymous(kept):
    """Returns the packets of these blocks without rung's comments and
    interfaces."""
    return [captures.frame_of(b)[1:] for kind, b in kept
            if kind == captures.PACKET]


def anonymous_cut(packets, rng):
    if not packets:
        return captures.pcap([])
    a, b = sorted(rng.sample(range(len(packets) + 1), 2))
    return captures.pcap([p for i, p in enumerate(packets)
                          if a <= i < b and rng.random() < 0.9])


def pcap_bytes(data, found):
    at, every = 24, []
    while at < len(data):
        n = int.from_bytes(data[at + 8:at + 12], "little")
        every.append(data[at + 16:at + 16 + n])
        at += 16 + n
    return {(f["requirement"], f["side"],
             every[f["frame"] - 1][42:]) for f in found}


def test_a_cut_capture_shows_nothing_new():
    rng = random.Random(6)
    ran = [] if MUTANTS else list(run())
    sound = len(ran)
    if MUTANTS:
        for name, case in mutants():
            ran += run("--mutant", name, case)
    files, of, lies = [], {}, {}
    for i, (case, path) in enumerate(ran):
        kept = list(captures.blocks(pathlib.Path(path).read_bytes()))
        packets = anonymous(kept)
        plain = f"{path}.pcap"
        pathlib.Path(plain).write_bytes(captures.pcap(packets))
        files += [path, plain]
        slips = declared(case)
        lies[path] = lies[plain] = {TESTER} if i >= sound or slips else set()
        if "WQE-02" in slips:  # the read to which it answers may be cut out
            lies[path].add(DEVICE)
        for k in range(CUTS):
            pathlib.Path(f"{path}.{k}").write_bytes(cut(kept, rng))
            of[f"{path}.{k}"] = path
            pathlib.Path(f"{plain}.{k}").write_bytes(
                anonymous_cut(packets, rng))
            of[f"{plain}.{k}"] = plain
    found = findings(files + list(of))
    told = 0
    for part, whole in of.items():
        if not found[part]:
            continue
        shows = pcap_bytes if whole.endswith(".pcap") else by_bytes
        data = pathlib.Path(part).read_bytes()
        new = shows(data, found[part]) - \
            shows(pathlib.Path(whole).read_bytes(), found[whole])
        if "/uet/" not in part:  # a wrong packet may show only in a later one
            liars = lies[whole] | {f["side"] for f in found[whole]}
            new = {n for n in new if n[1] not in liars}
        assert not new, (part, [f for f in found[part]], new)
        told += 1
    assert told > 20, told


@functools.cache
def crowd_bytes():
    packets = []
    for net, (_, path) in enumerate(run()):
        for _, at, frame in captures.frames(pathlib.Path(path).read_bytes()):
            packets.append((at, captures.moved(frame, net + 1)))
    packets.sort(key=lambda p: p[0])
    return captures.pcap(packets)


def crowd():
    """Writes crowd.pcap, the captures of a run, each between other
    addresses."""
    pathlib.Path("crowd.pcap").write_bytes(crowd_bytes())


def test_the_same_for_any_number_of_threads():
    crowd()
    one = rung("check", "--flows", "--requirements", "--json", "crowd.pcap")
    assert one.stdout.count('"type":"flow"') > 50
    assert one.stdout.count('"type":"finding"') > 10
    for n in (2, 3, 7):
        other = rung("check", "--flows", "--requirements", "--json", "-j", n,
                     "crowd.pcap")
        assert other.stdout == one.stdout, n
        assert other.returncode == one.returncode
    few = rung("check", "-j", 3, "--max-findings", 5, "crowd.pcap").stdout
    assert few.count("FAIL") + few.count("REMARK") == 5
    assert few == rung("check", "--max-findings", 5, "crowd.pcap").stdout


def test_from_anywhere():
    crowd()
    data = pathlib.Path("crowd.pcap").read_bytes()
    plain = rung("check", "crowd.pcap")
    said = plain.stdout.replace("crowd.pcap", "-")
    pathlib.Path("crowd.gz").write_bytes(gzip.compress(data) + gzip.compress(b""))
    piped = subprocess.run([RUNG, "check", "-"], input=data, check=False,
                           capture_output=True)
    assert piped.stdout.decode() == said, piped.stderr
    assert piped.returncode == plain.returncode
    zipped = rung("check", "crowd.gz")
    assert zipped.stdout.replace("crowd.gz", "-") == said, zipped.stderr
    pathlib.Path("short.gz").write_bytes(gzip.compress(data)[:-500])
    expect(rung("check", "short.gz"), 1, err="gzip: the file ends too early")
    odd = os.fsencode("odd") + b"\xff.gz"
    os.link("crowd.gz", odd)
    said = subprocess.run([RUNG, "check", "--json", odd], capture_output=True)
    assert said.returncode == zipped.returncode, said.stderr
    assert json.loads(said.stdout.splitlines()[-1])["file"] == "odd\\xff.gz"
    wrong = bytearray(gzip.compress(data, compresslevel=0))
    second = 15 + int.from_bytes(wrong[11:13], "little")
    wrong[second + 1] ^= 0x55  # the length of the second stored block
    pathlib.Path("wrong.gz").write_bytes(wrong)
    expect(rung("check", "wrong.gz"), 2, err="wrong.gz: gzip: ")


def zstd(data):
    """A Zstandard frame of blocks that are not compressed, RFC 8878."""
    frame, size = b"\x28\xb5\x2f\xfd\x00\x58", 100000
    for at in range(0, len(data), size):
        block = data[at:at + size]
        last = at + size >= len(data)
        frame += (len(block) << 3 | last).to_bytes(3, "little") + block
    return frame


def test_from_zstd():
    crowd()
    data = pathlib.Path("crowd.pcap").read_bytes()
    half = len(data) // 2
    plain = rung("check", "crowd.pcap").stdout
    packed = zstd(data[:half]) + zstd(data[half:])
    pathlib.Path("crowd.zst").write_bytes(packed)
    done = rung("check", "crowd.zst")
    assert done.stdout.replace("crowd.zst", "crowd.pcap") == plain, done.stderr
    pathlib.Path("short.zst").write_bytes(packed[:-500])
    expect(rung("check", "short.zst"), 1, err="zstd: the file ends too early")
    pathlib.Path("bad.zst").write_bytes(packed[:5] + b"\xff" + packed[6:])
    expect(rung("check", "bad.zst"), 2, err="zstd: ")


def test_captures_of_the_soak():
    """Random traffic on a bad link: no false finding, with --whole and
    without."""
    soak = pathlib.Path(RUNG).with_name("rung_soak")
    subprocess.run([soak, "--runs", "80", "--seed", "101", "--captures", "."],
                   check=True, capture_output=True)
    of = collections.defaultdict(list)
    for path in pathlib.Path().glob("*@*.*.pcapng"):  # not @middle
        of[path.stem.split("@")[1]].append(path.name)
    assert len(of) > 1 and sum(map(len, of.values())) > 60
    for address, files in of.items():
        for args in ((), ("--whole",)):
            told = lines("--at", address, "--trimmed", "26,28", *args, *files)
            assert sum(f["type"] == "summary" for f in told) == len(files)
            for f in told:
                assert f["type"] != "finding" or f["side"] != address, f


def restrictions(*args):
    summary = lines(*args)[-1]
    return {r["name"] for r in summary["restrictions"]}


def test_who_vouches():
    """rung check judges missing packets only with --whole."""
    _, path = run("uet/rud/pds-psn-spaces@target")[0]
    every = [(at, frame) for _, at, frame
             in captures.frames(pathlib.Path(path).read_bytes())]
    pathlib.Path("all.pcap").write_bytes(captures.pcap(every))
    acked = next(i for i, (_, frame) in enumerate(every)
                 if frame[42] >> 3 == RUD_REQ and i)
    pathlib.Path("less.pcap").write_bytes(
        captures.pcap(every[:acked] + every[acked + 1:]))
    assert "incomplete" in restrictions("all.pcap")
    vouched = restrictions("--whole", "all.pcap")
    assert "incomplete" not in vouched and "vantage" in vouched, vouched
    assert "vantage" not in restrictions("--whole", "--at", DEVICE, "all.pcap")
    for args in ((), ("--whole",)):
        assert not [f for f in lines(*args, "all.pcap")
                    if f["type"] == "finding"], args
    assert not findings(["less.pcap"])["less.pcap"]
    told = {f["requirement"] for f in lines("--whole", "less.pcap")
            if f["type"] == "finding"}
    assert told & {"RUD-SEQ-77", "UET-ACK-26", "UET-ACK-05"}, told
    # The last frame is earlier than others, so the order of all frames is
    # unknown.
    *rest, (_, last) = every[:acked] + every[acked + 1:]
    pathlib.Path("back.pcap").write_bytes(
        captures.pcap(rest + [(rest[0][0], last)]))
    for n in "1", "2":
        assert "backward" in restrictions("--whole", "-j", n, "back.pcap")
        assert not [f for f in lines("--whole", "-j", n, "back.pcap")
                    if f["type"] == "finding"], n


def packet_socket(pid):
    """Returns whether a process has an open packet socket."""
    links = set()
    for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            links.add(os.readlink(fd))
        except OSError:
            pass
    for line in pathlib.Path("/proc/net/packet").read_text().splitlines()[1:]:
        if f"socket:[{line.split()[8]}]" in links:
            return True
    return False


def watched(*args):
    """Starts to check port lo. Returns None if that is not permitted, after
    checking the message."""
    watch = subprocess.Popen(
        [RUNG, "check", "--json", "--port", "lo", *map(str, args)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while watch.poll() is None and not packet_socket(watch.pid):
        time.sleep(0.01)
    if watch.poll() is None:
        return watch
    said = watch.stderr.read().decode()
    assert watch.returncode == 5 and "lo: " in said, said
    return None


def ended(watch):
    """Ends the check of a port by Ctrl-C. Returns its summary and the other
    lines."""
    try:
        watch.send_signal(signal.SIGINT)
        out, err = watch.communicate(timeout=30)
    finally:
        watch.kill()
    assert watch.returncode == 130, (watch.returncode, err)
    summary = json.loads(out.splitlines()[-1])
    assert summary["type"] == "summary", summary
    return summary, out


def hosts(frames):
    """The IPv4 addresses in Ethernet frames, as text."""
    return {socket.inet_ntoa(frame[at:at + 4])
            for _, _, frame in frames for at in (26, 30)}


def test_a_live_port():
    watch = watched("--filter", "udp port 4793")
    if not watch:
        return
    live = rung("run", "--dut", "ref", "--quiet", "--out", "live",
                "uet/rud/read-in-ack@target")
    summary, out = ended(watch)
    expect(live, 0)
    assert summary["packets"] > 1 and summary["flows"] >= 1, summary
    # Other tests run on this interface at the same time.
    capture = next(pathlib.Path("live").rglob("*.pcapng"))
    ours = hosts(captures.frames(capture.read_bytes()))
    found = [json.loads(line) for line in out.splitlines()]
    assert not [f for f in found if f.get("side") in ours], out
    expect(rung("check", "--port", "no-such-port"), 5, err="no-such-port")
    expect(rung("check", "--port", "lo", "--port", "xdp:lo"), 2,
           err="--port lo is given already")
    expect(rung("check", "--port", "lo", "--filter", "nonsense("), 2,
           err="filter: ")


def test_a_recorder_of_a_live_port():
    """A finding is printed when it comes, and its packets are kept."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver, \
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        receiver.bind(("127.0.0.1", 0))
        port = receiver.getsockname()[1]
        watch = watched("--filter", f"udp port {port}", "--udp-port", port,
                        "--ring", "ring")
        if not watch:
            return
        reserved = 15 << 3  # a pds.type that is never sent
        # The socket exists a moment before it captures.
        for _ in range(100):
            sender.sendto(bytes([reserved]) + bytes(63), ("127.0.0.1", port))
            if select.select([watch.stdout], [], [], 0.3)[0]:
                break
        else:
            raise AssertionError(f"no finding came: {ended(watch)}")
        found = json.loads(watch.stdout.readline())
        assert found["requirement"].startswith("UET-ENC-29"), found
        summary, _ = ended(watch)
    assert summary["packets"] >= 1, summary
    kept, = pathlib.Path("ring").glob("*.pcapng")
    expect(rung("check", "--udp-port", port, kept), 1, out="UET-ENC-29")
    said = kept.with_suffix(".jsonl").read_text().splitlines()
    assert json.loads(said[0]) == found, said


def test_a_quiet_port():
    """No packet arrives, and Ctrl-C ends the check."""
    watch = watched("--filter", "udp port 9 and greater 60000")
    if watch:
        assert ended(watch)[0]["packets"] == 0


def test_other_protocols():
    """check counts what it did not read, and ladder says where to look."""
    frame = bytes(12) + b"\x08\x06" + bytes(28)
    pathlib.Path("arp.pcap").write_bytes(captures.pcap([(0, frame)]))
    expect(rung("check", "arp.pcap"), 4, out="not read, ethertype (1)")
    for command in ("ladder", "graph"):
        expect(rung(command, "arp.pcap"), 4,
               err="arp.pcap: there is no flow; 'rung check' says what")


def test_a_port_without_the_right():
    def give_up(net_raw=13, pr_capbset_drop=24):
        ctypes.CDLL(None).prctl(pr_capbset_drop, net_raw, 0, 0, 0)
    expect(rung("check", "--port", "lo", preexec_fn=give_up), 5,
           err="lo: it needs CAP_NET_RAW")


def test_what_is_no_capture():
    pathlib.Path("text").write_text("this is no capture")
    pathlib.Path("empty").write_bytes(b"")
    pathlib.Path("none.pcap").write_bytes(captures.pcap([]))
    crowd()
    data = pathlib.Path("crowd.pcap").read_bytes()
    pathlib.Path("cut.pcap").write_bytes(data[:24 + 16 + 9])
    expect(rung("check", "text"), 2, err="byte 0: neither pcap nor pcapng")
    expect(rung("check", "empty"), 2, err="byte 0: an empty file")
    pathlib.Path("folder").mkdir()
    for name, why in [("text", "byte 0: neither pcap nor pcapng"),
                      ("empty", "byte 0: an empty file"),
                      ("folder", "Is a directory"),
                      ("missing", "No such file")]:
        for command in ("check", "ladder", "graph"):
            done = expect(rung(command, name), 2, err=f"{name}: {why}")
            assert not done.stdout, done
    expect(rung("check", "none.pcap"), 4, out="0 frames")
    expect(rung("check", "missing"), 2, err="No such file")
    expect(rung("check"), 2, err="a capture is missing")
    expect(rung("check", "--at", "x", "text"), 2, err="--at is an address")
    done = rung("check", "cut.pcap")
    assert done.returncode in (1, 3), done
    assert "the file ends inside a block" in done.stderr, done
    expect(rung("check", "none.pcap", "text"), 2)


def test_a_run_backwards():
    """rung check sorts any number of packets."""
    data = pathlib.Path(run("uet/rud/send-gtd@target")[0][1]).read_bytes()
    parts = list(captures.blocks(data))
    packet = next(b for kind, b in parts if kind == captures.PACKET)
    out = [b for kind, b in parts if kind in (0x0a0d0d0a, 1)]
    for i in range(300000, 0, -1):
        out.append(packet[:12] + struct.pack("<II", 0, i) + packet[20:])
    pathlib.Path("back.pcapng").write_bytes(b"".join(out))
    told = lines("back.pcapng")[-1]
    assert told["frames"] == 300000, told


def test_a_file_that_shrinks():
    """A capture that shrinks is a truncated capture, and not a crash."""
    path = pathlib.Path("shrinks.pcap")
    path.write_bytes(captures.pcap([]))
    os.truncate(path, 1 << 31)  # 2^27 packets without a byte
    done = subprocess.Popen([RUNG, "check", "-j", "2", path],
                            stdout=subprocess.PIPE, text=True)
    io = pathlib.Path("/proc", str(done.pid), "io")
    while int(re.search(r"rchar: (\d+)", io.read_text())[1]) < 1 << 20:
        assert done.poll() is None
    os.truncate(path, 4096)
    out, _ = done.communicate(timeout=60)
    assert done.returncode in (3, 4), (done.returncode, out)


def test_explain():
    done = expect(rung("check", "--explain", "RUD-SEQ-76"), 0,
                  out="RUD-SEQ-76/")
    assert "uet/rud/send-gtd@target" in done.stdout
    expect(rung("check", "--explain", "RUD-SEQ-7"), 2,
           err="no requirement is called")
    for name, said in (("rud-seq-82a", "did you mean 'RUD-SEQ-82a'?"),
                       ("rud-seq-776", "did you mean 'RUD-SEQ-76'?"),
                       ("mode-rod-3s", "did you mean 'MODE-ROD-3s'?"),
                       ("RUD-SEQ-82a/dut", "a role of RUD-SEQ-82a is src, dst or both")):
        expect(rung("check", "--explain", name), 2, err=said)


# ---- The schema ----

def fits(value, schema, top, where="line"):
    """Validates against the part of JSON Schema that docs/check.schema.json
    uses."""
    if "$ref" in schema:
        schema = top["definitions"][schema["$ref"].rsplit("/", 1)[1]]
    if "oneOf" in schema:
        errors = [fits(value, s, top, where) for s in schema["oneOf"]]
        return None if errors.count(None) == 1 else errors
    if "const" in schema and value != schema["const"]:
        return f"{where} is {value!r}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is {value!r}"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    names = {"object": dict, "array": list, "string": str, "integer": int,
             "boolean": bool, "null": type(None)}
    if kinds and not any(type(value) is names[k] for k in kinds):
        return f"{where} is no {kinds}"
    if isinstance(value, list):
        for i, item in enumerate(value):
            error = fits(item, schema["items"], top, f"{where}[{i}]")
            if error:
                return error
    if isinstance(value, dict):
        known = schema.get("properties", {})
        rest = schema.get("additionalProperties")
        for key in schema.get("required", []):
            if key not in value:
                return f"{where} lacks {key}"
        for key, item in value.items():
            if key not in known and not rest:
                return f"{where} has {key}"
            error = fits(item, known.get(key, rest), top, f"{where}.{key}")
            if error:
                return error
    return None


def test_the_lines_fit_the_schema():
    schema = json.loads((ROOT / "docs" / "check.schema.json").read_text())
    crowd()
    said = lines("--flows", "--requirements", "crowd.pcap", code=1)
    assert {line["type"] for line in said} == \
        {"finding", "flow", "requirement", "summary"}
    for line in said:
        error = fits(line, schema, schema)
        assert not error, (error, line)
    assert fits({**said[0], "frame": "1"}, schema, schema)
    assert fits({**said[0], "more": 1}, schema, schema)


def test_a_ladder_from_anywhere():
    schema = json.loads((ROOT / "docs" / "ladder.schema.json").read_text())
    crowd()
    data = pathlib.Path("crowd.pcap").read_bytes()
    pathlib.Path("crowd.gz").write_bytes(gzip.compress(data))
    pathlib.Path("crowd.zst").write_bytes(zstd(data))
    want = json.loads(rung("ladder", "--format", "json", "crowd.pcap").stdout)
    assert not fits(want, schema, schema), fits(want, schema, schema)
    assert fits({**want, "more": 1}, schema, schema)
    assert any(row.get("findings") for row in want["rows"])
    for name in ("crowd.gz", "crowd.zst", "-"):
        done = subprocess.run(
            [RUNG, "ladder", "--format", "json", name], check=False,
            input=data if name == "-" else None, capture_output=True)
        got = json.loads(done.stdout)
        assert {**got, "title": ""} == {**want, "title": ""}, name
    flows = [f for f in lines("--flows", "crowd.pcap") if f["type"] == "flow"]
    for n in (1, len(flows) // 2, len(flows)):
        other = json.loads(rung("ladder", "--format", "json", "--flow", n,
                                "crowd.pcap").stdout)
        assert not fits(other, schema, schema), n
    short = gzip.compress(data)[:-500]
    done = subprocess.run([RUNG, "ladder", "-"], input=short, check=False,
                          capture_output=True)
    assert done.returncode == 3 and done.stdout, done
    assert b"gzip: the file ends too early" in done.stderr, done.stderr
    nothing = subprocess.run([RUNG, "ladder", "-"], input=b"", check=False,
                             capture_output=True)
    assert nothing.returncode == 2, nothing
    assert b"rung ladder: -: byte 0: an empty file" in nothing.stderr, nothing


def test_a_ladder_of_a_long_flow():
    """The ladder shows the packets near a finding, and says how many it leaves
    out."""
    expect(rung("gen", "-q", "uet/uud/datagram@target", "--loop", 16000, "-o", "long.pcap"), 0)
    count = lines("long.pcap")[-1]["packets"]
    assert count >= 16000
    drawn = rung("ladder", "--all", "--frame", count, "long.pcap")
    assert drawn.stdout.count("uud_req") == count, drawn.stdout[-500:]
    drawn = rung("ladder", "--frame", count, "long.pcap")
    assert f"{count - 5000 - 5001} packets are left out here" in drawn.stdout
    assert f"#{count} " in drawn.stdout


def test_flows_without_a_pdc():
    schema = json.loads((ROOT / "docs" / "check.schema.json").read_text())
    for where, mode, kinds in (
            ("uet/rudi/**", "rudi", {"requests": RUDI_REQ, "acks": RUDI_RESP}),
            ("uet/uud/**", "uud", {"requests": UUD_REQ})):
        sums, sent = collections.Counter(), collections.Counter()
        for i, (_, path) in enumerate(run(where)):
            every = captures.frames(pathlib.Path(path).read_bytes())
            # apart in time, so that they do not count as duplicates
            packets = [(n * 10 ** 7, frame)
                       for n, (_, _, frame) in enumerate(every)]
            sent += collections.Counter(f[42] >> 3 for _, f in packets
                                        if len(f) > 45)
            pathlib.Path(f"{mode}-{i}.pcap").write_bytes(
                captures.pcap(packets))
        files = sorted(map(str, pathlib.Path().glob(f"{mode}-*.pcap")))
        assert files, where
        for flow in lines("--flows", *files):
            if flow["type"] != "flow" or flow["mode"] != mode:
                continue
            assert not fits(flow, schema, schema), flow
            for side in flow["sides"]:
                for name in kinds:
                    sums[name] += side[name]
        for name, kind in kinds.items():
            assert sums[name] == sent[kind] > 5, (name, sums, sent)


def chosen():
    """The tests of mutants, or all others; cut captures are among both."""
    of_mutants = {"test_every_mutant", "test_a_cut_capture_shows_nothing_new"}
    if MUTANTS:
        return {name: globals()[name] for name in sorted(of_mutants)}
    return {name: value for name, value in globals().items()
            if name != "test_every_mutant"}


if __name__ == "__main__":
    sys.exit(main(chosen()))
