# SPDX-License-Identifier: BSD-2-Clause
"""Runs tshark with the plugin for the tests.

tshark loads no plugin from a folder when it runs as root, so root becomes the
user nobody; the plugin and the captures are copied to a folder that this user
may read.
"""
import concurrent.futures
import dataclasses
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import traceback
import zlib

NOBODY = 65534
DROP = {"user": NOBODY, "group": NOBODY, "extra_groups": []} \
    if os.getuid() == 0 else {}
# Wireshark's RPCoRDMA dissector fails on a send of which a packet is lost.
ROCE = ("-o", "roce.follow:TRUE", "--disable-protocol", "rpcordma")
LOADS = 40  # files of one sharkd process, which frees little memory
PACKET = 6  # a block of pcapng
SKIPPED = 77
FRAME = re.compile(r"Frame (\d+):.*?(?:\((inbound|outbound)\))?$")
INFO = re.compile(r"\s*\[(?: \[truncated\])?Expert Info \((\w+)/([\w ]+)\): (.*)\]$")
BUGS = re.compile(r"Malformed Packet|[Dd]issector bug|Warn.*Dissector|"
                  r"has an invalid|STATUS_ACCESS")


@dataclasses.dataclass
class Frame:
    number: int
    inbound: bool = False  # from the device, in a capture of rung's
    infos: list = dataclasses.field(default_factory=list)

    def says(self, text):
        return any(text in info[2] for info in self.infos)

    def errors(self):
        return [info[2] for info in self.infos if info[0] == "Error"]


class Shark:
    """A folder with the plugin, and tshark running in it."""

    def __init__(self, plugins):
        self.temp = tempfile.TemporaryDirectory(prefix="rung-shark-")
        self.where = pathlib.Path(self.temp.name)
        self.plugins = self.where / "plugins"
        self.home = self.where / "home"
        self.count = itertools.count()
        self.servers = []  # idle sharkd processes
        self.home.mkdir()
        shutil.copytree(plugins, self.plugins)
        self.where.chmod(0o755)
        self.home.chmod(0o777)
        settings = self.home / ".config" / "wireshark"
        settings.mkdir(parents=True, exist_ok=True)
        (settings / "disabled_protos").write_text(f"{ROCE[-1]}\n")
        # UET sends a UDP checksum of 0, over IPv6 too (UET 3.5.10.1).
        (settings / "preferences").write_text(
            "udp.ignore_ipv6_zero_checksum: TRUE\n")
        for folder in (settings, settings.parent):
            folder.chmod(0o777)

    def keep(self, path, data=None):
        """Copies a file, or bytes, to a place that tshark may read."""
        name = self.where / f"c{next(self.count)}-{pathlib.Path(path).name}"
        name.write_bytes(pathlib.Path(path).read_bytes() if data is None
                         else data)
        name.chmod(0o644)
        return name

    def run(self, path, *args, code=0, home=None, bugs=True):
        """Runs tshark on a capture. Returns its output."""
        argv = ["tshark", *(["-n", "-r", str(path)] if path else []),
                *map(str, args)]
        done = subprocess.run(argv, capture_output=True, check=False,
                              env=self.environment(home), timeout=300, **DROP)
        out = done.stdout.decode(errors="replace")
        err = done.stderr.decode(errors="replace")
        assert done.returncode == code, f"{argv}: {done.returncode}\n{err}"
        bug = BUGS.search(out + err) if bugs else None
        assert not bug, f"{argv}: {bug[0]}\n{err}"
        return out

    def frames(self, path, *args):
        """Dissects in two passes with every detail. Returns the frames."""
        found = []
        for line in self.run(path, "-2", "-V", *args).split("\n"):
            head = FRAME.match(line)
            info = INFO.match(line)
            if head:
                found.append(Frame(int(head[1]), head[2] == "inbound"))
            elif info and info[1] != "Comment":
                found[-1].infos.append(info.groups())
        return found

    def experts(self, path):
        """Returns the expert infos of a capture of rung on the second pass,
        from sharkd, which starts once for many files."""
        server = self.servers.pop() if self.servers else Server(self)
        infos = server.experts(path, declared(path.read_bytes()))
        if server.loads < LOADS:
            self.servers.append(server)
        else:
            server.close()
        found = [Frame(i + 1, inbound) for i, inbound in
                 enumerate(directions(path.read_bytes()))]
        for info in infos:
            if info["p"] != "Frame":
                found[info["f"] - 1].infos.append(
                    (info["s"], info["g"], info["m"]))
        return found

    def environment(self, home=None):
        return {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC",
                "HOME": str(home or self.home),
                "WIRESHARK_PLUGIN_DIR": str(self.plugins)}

    def fields(self, path, *names, args=()):
        """Return a row of texts for each packet."""
        wanted = [word for name in names for word in ("-e", name)]
        out = self.run(path, *args, "-T", "fields", *wanted)
        return [line.split("\t") for line in out.split("\n") if line]


class Server:
    """A sharkd process: requests and answers are lines of JSON."""

    def __init__(self, shark):
        self.loads = 0
        self.child = subprocess.Popen(
            ["sharkd", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=shark.environment(),
            **DROP)
        self.ask("setconf", name="roce.follow", value="TRUE")

    def ask(self, method, **params):
        print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                          "params": params}), file=self.child.stdin, flush=True)
        line = self.child.stdout.readline()
        while line and not line.startswith("{"):
            line = self.child.stdout.readline()
        answer = json.loads(line or "{}")
        assert "result" in answer, f"{method} {params}: {answer}"
        return answer["result"]

    def experts(self, path, prefs):
        self.loads += 1
        for name, value in prefs.items():
            self.ask("setconf", name=f"uet.{name}", value=str(value))
        self.ask("load", file=str(path))
        taps = self.ask("tap", tap0="expert")["taps"]
        return taps[0]["details"] if taps else []

    def close(self):
        self.child.stdin.close()
        self.child.stdout.close()
        self.child.wait(30)


def blocks(data):
    """Yields the blocks of a capture that rung wrote, as type and bytes."""
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from("=II", data, at)
        yield kind, data[at:at + size]
        at += size


def declared(data):
    """Returns the declaration of the device as preferences; times are
    microseconds."""
    found = re.search(rb"declared rto=(\d+) tolerance=(\d+) .*?nack_time=(\d+)"
                      rb".*?max_ack_data=(\d+) mp_range=(\d+) mtu=(\d+)", data)
    rto, tolerance, nack, ack_data, mp_range, mtu = map(int, found.groups())
    return {"rto": rto // 1000, "rto_tolerance": tolerance // 1000,
            "nack_time": nack // 1000, "max_ack_data": ack_data,
            "mp_range_default": mp_range, "mtu": mtu}


def directions(data):
    """Yields for each packet of such a capture whether the device sent it."""
    for kind, block in blocks(data):
        if kind != PACKET:
            continue
        at = 28 + (struct.unpack_from("=I", block, 20)[0] + 3) // 4 * 4
        flags = 0
        while at + 4 <= len(block) - 4:
            code, size = struct.unpack_from("=HH", block, at)
            if code == 2:
                flags, = struct.unpack_from("=I", block, at + 4)
            at += 4 + (size + 3) // 4 * 4
        yield flags & 3 == 1


def joined(captures):
    """Joins captures that rung wrote into one."""
    return captures[0] + b"".join(
        block for data in captures[1:] for kind, block in blocks(data)
        if kind == PACKET)


def pcap(packets, link=101):
    """A capture of IP packets, or of frames with link 1, a microsecond apart
    unless they are pairs of microseconds and bytes."""
    out = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, link)
    for i, packet in enumerate(packets):
        at, data = packet if isinstance(packet, tuple) else (i, packet)
        out += struct.pack("<IIII", at // 1000000, at % 1000000, len(data),
                           len(data)) + data
    return out


def ipv4(src, dst, proto, payload, tos=2, ident=0):
    """An IPv4 packet between 10.0.0.src and 10.0.0.dst."""
    return struct.pack(">BBHHHBBH4s4s", 0x45, tos, 20 + len(payload),
                       ident, 0x4000, 64, proto, 0, bytes((10, 0, 0, src)),
                       bytes((10, 0, 0, dst))) + payload


def udp(src, dst, payload, sport=51000, dport=4793, **more):
    return ipv4(src, dst, 17, struct.pack(">HHHH", sport, dport,
                                          8 + len(payload), 0) + payload,
                **more)


def ipv6(src, dst, proto, payload, *heads):
    """An IPv6 packet between fd00::src and fd00::dst, behind the extension
    headers |heads|, pairs of a type and the bytes behind its first."""
    kinds = [kind for kind, _ in heads] + [proto]
    more = b"".join(bytes((after,)) + rest
                    for after, (_, rest) in zip(kinds[1:], heads))
    return struct.pack(">IHBB", 0x60000000, len(more) + len(payload), kinds[0],
                       64) + b"".join(b"\xfd" + bytes(14) + bytes((host,))
                                      for host in (src, dst)) + more + payload


def icrc(packet):
    """Returns the ICRC of an IPv4 packet with its UDP header, which lacks its
    ICRC."""
    masked = bytearray(packet)
    for at in (1, 8, 10, 11, 26, 27, 32):  # TOS, TTL, checksums, FECN byte
        masked[at:at + 1] = b"\xff"
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + masked))


def each(work, items, jobs=2):
    """Calls work(item) for all items, |jobs| at a time; yields the results in
    order."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(work, items)


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            print(f"{program} is not installed")
            sys.exit(SKIPPED)


def main(names, *args):
    """Runs the tests of a module's globals(), each with |args|."""
    failed = 0
    for name, test in list(names.items()):
        if not name.startswith("test_"):
            continue
        try:
            test(*args)
            print(f"ok   {name}")
        except Exception:  # the other tests still run
            failed += 1
            print(f"FAIL {name}\n{traceback.format_exc()}")
    sys.exit(bool(failed))


def drawn(things, count):
    """So many of these, drawn at random; all of them if count is None.  The
    seed is printed."""
    if count is None or count >= len(things):
        return things
    seed = random.randrange(1 << 32)
    print(f"{count} of {len(things)}, seed {seed}")
    return sorted(random.Random(seed).sample(things, count))
