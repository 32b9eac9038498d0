#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures how fast the Wireshark plugin dissects, compared with other
dissectors.

Writes a capture of UET traffic and one of as many RoCEv2 packets, and lets
tshark print a summary line for each packet: with the plugin, following PDCs and
not; with a Lua dissector made from the same tables; with tshark's own
infiniband dissector, alone and followed by the plugin.  Prints one JSON object.

Usage: bench/dissect.py PLUGIN_DIR [--packets N] [--runs N]

PLUGIN_DIR is build/plugins.  The rates are packets per second of
processor time and leave out what tshark needs to start, which is measured with
an empty capture.  A rate is null, with the reason, if the run is so short that
the difference would be noise.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import struct
import sys
import tempfile

import figure

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "wireshark"))
from shark import icrc  # noqa: E402

NOBODY = 65534
PCAP = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101)
SEND = 5  # SES opcode
LENGTH = 32  # of the payload


def ip_udp(src, dst, sport, dport, payload):
    """An IPv4 packet; addresses are 4 bytes."""
    return (struct.pack(">BBHHHBBH", 0x45, 2, 28 + len(payload), 0, 0x4000, 64,
                        17, 0) + src + dst +
            struct.pack(">HHHH", sport, dport, 8 + len(payload), 0) + payload)


class Pdc:
    """Packets of one PDC between two addresses: requests and ACKs in turn."""

    def __init__(self, number):
        self.a = bytes((10, 0, number >> 8 & 255, number & 255))
        self.b = bytes((10, 1, number >> 8 & 255, number & 255))
        self.ids = number % 60000 + 1, number % 60000 + 2
        self.start = self.psn = 1000 * number
        self.answer = False

    def packet(self):
        psn = self.psn & 0xffffffff
        if self.answer:
            self.answer = False
            self.psn += 1
            pds = struct.pack(">HhIHH", 7 << 11 | 4 << 7, 0, psn, self.ids[1],
                              self.ids[0])
            ses = struct.pack(">BBHBBHI", 1, 1, 1 + psn % 65000, 0, 0, 1,
                              LENGTH)
            return ip_udp(self.b, self.a, 51000, 4793, pds + ses)
        self.answer = True
        syn = self.psn == self.start
        pds = struct.pack(">HhIHH", 2 << 11 | 3 << 7 | 8 | syn << 2, -1, psn,
                          self.ids[0], 0 if syn else self.ids[1])
        ses = struct.pack(">BBHIHHQIQQI", SEND, 3, 1 + psn % 65000, 1, 1, 1, 0,
                          0, 0, 0, LENGTH)
        return ip_udp(self.a, self.b, 51000, 4793, pds + ses + bytes(LENGTH))


class Pair:
    """Packets of one RoCEv2 queue pair: RDMA writes and ACKs in turn."""

    def __init__(self, number):
        self.a = bytes((10, 0, number >> 8 & 255, number & 255))
        self.b = bytes((10, 1, number >> 8 & 255, number & 255))
        self.qp = number + 16
        self.psn = 0
        self.answer = False

    def packet(self):
        psn = self.psn & 0xffffff
        if self.answer:
            self.answer = False
            self.psn += 1
            bth = struct.pack(">BBHII", 0x11, 0, 0xffff, self.qp, psn)
            return self.sealed(self.b, self.a, bth +
                               struct.pack(">I", 0x1f << 24 | self.psn))
        self.answer = True
        bth = struct.pack(">BBHII", 0x0a, 0, 0xffff, self.qp, 1 << 31 | psn)
        return self.sealed(self.a, self.b, bth +
                           struct.pack(">QII", 0, 1, LENGTH) + bytes(LENGTH))

    @staticmethod
    def sealed(src, dst, data):
        packet = ip_udp(src, dst, 51000, 4791, data + bytes(4))[:-4]
        return packet + icrc(packet)


def capture(path, packets, kind, flows, seed=1):
    """Packets of |flows| flows, interleaved at random."""
    chance = random.Random(seed)
    all_flows = [kind(i) for i in range(flows)]
    with open(path, "wb") as out:
        out.write(PCAP)
        for i in range(packets):
            flow = all_flows[chance.randrange(flows)] if flows > 1 \
                else all_flows[0]
            data = flow.packet()
            out.write(struct.pack("<IIII", i // 1000000, i % 1000000,
                                  len(data), len(data)) + data)


class Shark:
    """Returns the command of tshark as a user other than root: root may not
    load plugins from a folder."""

    def __init__(self, plugins, where):
        self.where = where
        self.plugins = where / "plugins"
        shutil.copytree(plugins, self.plugins)
        (where / "empty.pcap").write_bytes(PCAP)
        (where / "none").mkdir()
        for path in [where, *where.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)

    def run(self, name, plugin, *args):
        """Return seconds of processor time and the most memory used, in kB."""
        env = {"PATH": os.environ["PATH"], "HOME": str(self.where / "none"),
               "WIRESHARK_PLUGIN_DIR":
                   str(self.plugins if plugin else self.where / "none")}
        argv = ["tshark", "-n", "-r", str(self.where / name), *args]
        child = os.fork()
        if not child:
            try:
                if os.getuid() == 0:
                    os.setgroups([])
                    os.setgid(NOBODY)
                    os.setuid(NOBODY)
                null = os.open("/dev/null", os.O_WRONLY)
                os.dup2(null, 1)
                os.execvpe(argv[0], argv, env)
            finally:
                os._exit(127)
        _, status, used = os.wait4(child, 0)
        if status:
            sys.exit(f"failed: {' '.join(argv)}")
        return used.ru_utime + used.ru_stime, used.ru_maxrss


def median(values):
    return sorted(values)[len(values) // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("plugins", type=pathlib.Path)
    parser.add_argument("--packets", type=int, default=20000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--pdcs", type=int, default=10000)
    conf = parser.parse_args()
    if not shutil.which("tshark") or not conf.plugins.is_dir():
        print(json.dumps({"name": "dissect",
                          "skipped": "there is no tshark, or no plugin"}))
        return
    with tempfile.TemporaryDirectory() as where:
        where = pathlib.Path(where)
        capture(where / "uet.pcap", conf.packets, Pdc, 10)
        capture(where / "one.pcap", conf.packets, Pdc, 1)
        capture(where / "many.pcap", conf.packets, Pdc, conf.pdcs)
        capture(where / "roce.pcap", conf.packets, Pair, 10)
        lua = where / "uet.lua"
        shutil.copy(HERE / "uet.lua", lua)
        shark = Shark(conf.plugins, where)
        measure(conf, shark, lua)


def measure(conf, shark, lua):
    rates, memory = figure.Figures(), {}
    start = {}

    def rate(word, name, plugin, *args):
        extra = tuple(a for a in args if a.startswith("lua"))
        key = plugin, extra
        args = [w for a in args for w in
                (("-X", a) if a.startswith("lua") else ("-o", a))]
        if key not in start:
            start[key] = median([shark.run("empty.pcap", plugin, *args)[0]
                                 for _ in range(conf.runs)])
        runs = [shark.run(name, plugin, *args) for _ in range(conf.runs)]
        took = median([seconds for seconds, _ in runs])
        rates.rate(word, conf.packets, took, start[key])
        memory[word] = median([kb for _, kb in runs])

    off = "uet.track:FALSE"
    rate("plugin", "uet.pcap", True)
    rate("plugin, not following", "uet.pcap", True, off)
    rate("lua", "uet.pcap", False, f"lua_script:{lua}")
    rate("infiniband", "roce.pcap", False)
    rate("infiniband, followed", "roce.pcap", True, "roce.follow:TRUE")
    rate("plugin, 1 PDC", "one.pcap", True)
    rate(f"plugin, {conf.pdcs} PDCs", "many.pcap", True)
    rate(f"plugin, {conf.pdcs} PDCs, not following", "many.pcap", True, off)
    per = {word: round((memory[word] - memory[f"{word}, not following"]) * 1024
                       / conf.packets, 1)
           for word in ("plugin", f"plugin, {conf.pdcs} PDCs")}
    ratios = figure.Figures()
    ratios.values.update(rates.values)
    for name, above, below in (
            ("plugin_over_infiniband", "plugin", "infiniband"),
            ("plugin_over_lua", "plugin", "lua"),
            ("cost_of_many_pdcs", "plugin, 1 PDC",
             f"plugin, {conf.pdcs} PDCs")):
        ratios.ratio(name, above, below)
    print(json.dumps({
        "name": "dissect", "packets": conf.packets, "runs": conf.runs,
        "start_seconds": round(start[True, ()], 3),
        "packets_per_second": rates.json(),
        **{name: value for name, value in ratios.json().items()
           if name not in rates.values},
        "bytes_per_followed_packet": per}, indent=1))


if __name__ == "__main__":
    main()
