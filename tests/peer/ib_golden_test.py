# SPDX-License-Identifier: BSD-2-Clause
"""Tests the codecs of the SRD and WQE-SR endpoints against the golden packets.

The ICRC of each packet is computed again; BTH, SETH and WQETH are unpacked and
compared field by field; BTH and SETH are packed again.
"""
import pathlib
import re
import unittest

import ib
import srd
import wqe

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden" / "ib_golden.txt"
SOURCE, DESTINATION = "10.0.0.1", "10.0.0.2"


def content(text):
    """The bytes of a line such as "c0 00 fill 1024 41"."""
    def filled(match):
        return f"{match[2]} " * int(match[1])
    return bytes.fromhex(re.sub(r"fill (\d+) ([0-9a-f]{2})", filled, text))


def packets():
    """(name, fields, bytes, ports, ICRC) of each block "packet"."""
    for block in GOLDEN.read_text().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "packet" in lines:
            fields = dict(word.split("=") for word in lines["fields"].split())
            yield (lines["packet"], {k: int(v, 0) for k, v in fields.items()},
                   content(lines["hex"]), (int(lines["sport"]), int(lines["dport"])),
                   bytes.fromhex(lines["icrc"]))


class Golden(unittest.TestCase):
    def test_icrc(self):
        count = 0
        for name, _, data, (sport, dport), icrc in packets():
            with self.subTest(name):
                count += 1
                self.assertEqual(ib.icrc(data, (SOURCE, sport), (DESTINATION, dport)), icrc)
        self.assertEqual(count, 13)

    def test_bth(self):
        for name, f, data, _, _ in packets():
            with self.subTest(name):
                bth = ib.bth_unpack(data)
                self.assertEqual(bth, (f["bth.opcode"], f["bth.pad"], f["bth.tver"],
                                       f["bth.pkey"], f["bth.dest_qp"], f["bth.ackreq"],
                                       f["bth.psn"]))
                self.assertEqual(ib.bth_pack(bth.opcode, bth.psn, bth.dest_qp, bth.ackreq,
                                             bth.pad), data[:ib.BTH_LEN])

    def test_seth(self):
        for name, f, data, _, _ in packets():
            if "seth.scid" not in f:
                continue
            with self.subTest(name):
                seth = srd.parse(data)[1]
                flags = f["seth.syn"] * srd.SYN | f["seth.fin"] * srd.FIN
                self.assertEqual(seth, (flags, f["seth.path"], f["seth.try"], f["seth.scid"],
                                        f["seth.rcid"], f["seth.lup"]))
                self.assertEqual(srd.seth_pack(seth), data[ib.BTH_LEN:][:srd.SETH_LEN])

    def test_wqeth(self):
        for name, f, data, _, _ in packets():
            if "wqeth.wqe_sn" not in f:
                continue
            with self.subTest(name):
                d = wqe.parse_data(wqe.parse_bth(data), data)
                self.assertEqual((d.version, d.sn, d.offset, d.length),
                                 (f["wqeth.ver"], f["wqeth.wqe_sn"], f["wqeth.wqe_offset"],
                                  f["wqeth.wqe_length"]))

    def test_missing(self):
        lists = [wqe.parse_missing(data) for name, _, data, _, _ in packets()
                 if name.startswith("wqe_rtx_ind")]
        self.assertEqual(lists, [([0x11], 7, 0), ([0x20, 0x22, 0x3f], 9, 0)])


if __name__ == "__main__":
    unittest.main()
