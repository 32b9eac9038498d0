# SPDX-License-Identifier: BSD-2-Clause
"""Tests this peer's codec against the golden vectors (families pds and ses).

Each vector is decoded and compared field by field, then packed again from the
vector's own fields and compared byte by byte.
"""
import pathlib
import unittest

import wire

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden" / "uet_golden.txt"
DERIVED = {"CLEAR_PSN", "ACK_PSN", "SACK_PSN", "SACK_LIST", "MP_RANGE", "start_psn", "data"}
NEXT_HDR = {"std": wire.STD, "medium": wire.MEDIUM, "small": wire.SMALL,
            "response": wire.RESPONSE, "response_data": wire.RESPONSE_DATA,
            "response_data_small": wire.RESPONSE_DATA_SMALL}
EXTENSION = {"atomic_ext": wire.ATOMIC_EXT, "cas_ext": wire.CAS_EXT,
             "rendezvous_ext": wire.RENDEZVOUS_EXT}


def vectors():
    """(name, fields, bytes) of each block of the file."""
    block = {}
    for line in GOLDEN.read_text().splitlines() + [""]:
        key, _, value = line.partition(": ")
        if key in ("name", "fields", "hex"):
            block[key] = value
        elif not line and "hex" in block:
            words = [w.split("=", 1) for w in block["fields"].split() if "=" in w]
            yield block["name"], dict(words), bytes.fromhex(block["hex"])
            block = {}


def number(text):
    return int(text, 0)


def pds_fields(words):
    """The vector's fields under the names of wire.py, without derived ones."""
    f = {}
    for key, value in words.items():
        if key in DERIVED or key.startswith(("payload.", "neg.")):
            continue
        f[key.rpartition(".")[2]] = number(value)
    return f


def ses_fields(words):
    """The same for SES: tokens are halves of the fields that they overlay."""
    f = {k[4:]: number(v) for k, v in words.items() if k.startswith("ses.")}
    f = {"match_bits" if k == "memory_key" else k: v for k, v in f.items()}
    if "initiator_token" in f:
        whole = f.pop("initiator_token") << 32 | f.pop("target_token")
        f["match_bits" if "buffer_offset" in f else "buffer_offset"] = whole
    return f


class Golden(unittest.TestCase):
    def family(self, prefix):
        for name, words, data in vectors():
            if name.startswith(prefix + "/"):
                yield name, words, data

    def test_pds(self):
        count = 0
        for name, words, data in self.family("pds"):
            with self.subTest(name):
                want = pds_fields(words)
                got, size = wire.pds_unpack(data)
                self.assertEqual(got, want)
                extra = data[size:]  # only a Negotiation of 1.0.3 has more
                self.assertEqual(wire.pds_pack(want) + extra, data)
                self.assertTrue(not extra or "neg.type" in words)
                self.derived(words, got)
                for n in range(size):
                    self.assertRaises(wire.Malformed, wire.pds_unpack, data[:n])
            count += 1
        self.assertGreater(count, 120)

    def derived(self, words, f):
        for name, base, offset in (("CLEAR_PSN", "psn", "clear_psn_offset"),
                                   ("ACK_PSN", "cack_psn", "ack_psn_offset"),
                                   ("SACK_PSN", "cack_psn", "sack_psn_offset")):
            if name in words:
                self.assertEqual(wire.add(f[base], f[offset]), number(words[name]))
        if "start_psn" in words:
            self.assertEqual(wire.add(f["psn"], -f["psn_offset"]), number(words["start_psn"]))

    def test_ses(self):
        count = 0
        for name, words, data in self.family("ses"):
            with self.subTest(name):
                first, _, second = name.split("/")[1].partition("+")
                self.both(first, second, ses_fields(words), data)
            count += 1
        self.assertGreater(count, 70)

    def both(self, first, second, want, data):
        got, at, packed = {}, 0, b""
        if first in NEXT_HDR:
            layout = wire.ses_layout(NEXT_HDR[first], data)
            got, at = wire.ses_unpack(NEXT_HDR[first], data)
            packed = layout.pack(want)
        ext = EXTENSION.get(second or first)
        if ext:
            got.update(ext.unpack(data, at))
            packed += ext.pack(want)
        self.assertEqual(got, want)
        self.assertEqual(packed, data[:len(packed)])

    def test_serial(self):
        self.assertEqual(wire.diff(2, 0xfffffffe), 4)
        self.assertEqual(wire.diff(0xfffffffe, 2), -4)
        self.assertEqual(wire.add(1, -3), 0xfffffffe)


if __name__ == "__main__":
    unittest.main()
