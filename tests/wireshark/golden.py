#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares the output of the plugin for dissector/golden/NAME.pcap (or .pcapng) with
NAME.txt: the summary lines, then every detail, on the second pass, then the
tables of streams, response times and conversations, and the first stream.

Usage: golden.py GOLDEN_DIR PLUGIN_DIR

RUNG_BLESS=1 rewrites the texts; review the difference before you commit it.
"""
import difflib
import os
import pathlib
import sys

from shark import ROCE, Shark, need


def preferences(path):
    """The options with which a golden capture is read."""
    if path.stem == "checked":
        return ("-o", "uet.crc:yes")
    if path.stem.startswith("roce"):
        return ROCE
    return ()


def tables(shark, capture, family, prefs):
    """What the taps of a family say."""
    taps = [word for tap in (f"{family},streams", f"{family},srt",
                             f"conv,{family}", f"follow,{family},hex,0")
            for word in ("-z", tap)]
    return shark.run(capture, "-q", *taps, *prefs)


def describe(shark, path):
    capture = shark.keep(path)
    prefs = preferences(path)
    detail = shark.run(capture, "-2", "-V", "-O", "uet,wqe,srd,roce", *prefs)
    lines = [line for line in detail.split("\n")
             if not line.startswith(("Internet Protocol", "User Datagram",
                                     "Raw packet"))]
    prefix = path.stem.split("_")[0]
    family = prefix if prefix in ("wqe", "srd", "roce") else "uet"
    return shark.run(capture, "-2", *prefs) + "\n" + "\n".join(lines) + \
        tables(shark, capture, family, prefs)


def main():
    golden, plugins = pathlib.Path(sys.argv[1]), sys.argv[2]
    need("tshark")
    shark = Shark(plugins)
    bad = 0
    for path in sorted(golden.glob("*.pcap*")):
        text, file = describe(shark, path), path.with_suffix(".txt")
        if os.environ.get("RUNG_BLESS"):
            file.write_text(text)
            continue
        was = file.read_text() if file.exists() else ""
        bad += text != was
        sys.stdout.writelines(difflib.unified_diff(
            was.splitlines(True), text.splitlines(True), str(file),
            f"{path.stem}, now"))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
