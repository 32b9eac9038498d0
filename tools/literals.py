# SPDX-License-Identifier: BSD-2-Clause
"""Finds literals in cases where the device declares the number (lint.py
literals).

A time, a length of a packet, a key, an id or a count of retransmissions that a
case writes out is right for one device and wrong for another.  A case writes
the declared parameter: "2 rto", "mtu", "$rkey", "$job_id+1", "$max_rto_retx".
tests/lint/literals.txt names the literals that may stand, each with a reason.
"""
import re

ALLOWED = "tests/lint/literals.txt"

# Of settings that are spans; a plain number counts ns.
SPANS = ("rto_init|rto_max|nack_retx_time|pds_clear_time|close_idle|"
         "close_req_time|syn_retx_safety|srd_unresponsive|srd_idle|srd_gc|"
         "wqe_miss|wqe_again|wqe_tail|wqe_hold|wqe_cache_time")
LENGTHS = ("len|request_length|payload_length|modified_length|wqe_length|"
           "dmalen|message_offset|wqe_offset")
IDS = ("job_id|pid_on_fep|resource_index|ri_generation|initiator|memory_key|"
       "rkey|inv_rkey|srd_qpn|srd_qkey|qkey")
NUMBER = r"(?:0x[0-9a-f]+|\d+)"

# The smallest MTU of UET, and of the other families: what is below fits into a
# packet of every device.
MTU = {"uet": 1024}
MTU_MIN = 256
LENGTH = "the smallest MTU"

# A pattern, and the least number that is an offence.
RULES = [
    ("a time", re.compile(r"(?<![\w.$])\d+(?:\.\d+)?(?:ns|us|ms|s)\b"), None),
    ("a time", re.compile(rf"\b(?:{SPANS})=({NUMBER})(?![\w.])"), 1),
    ("a length", re.compile(rf"\b(?:{LENGTHS})=({NUMBER})(?![\w.])"), LENGTH),
    ("a length", re.compile(rf"\bdata ({NUMBER})(?![\w.])"), LENGTH),
    ("an id", re.compile(rf"\b(?:{IDS})=({NUMBER})(?![\w.])"), 0),
    ("an offset", re.compile(rf"> .*\b(?:va|buffer_offset)=({NUMBER})"
                             r"(?![\w.])"), 0),
    ("a count", re.compile(rf"\bretx\b(?!=0).*\bx ({NUMBER})(?![\w.])"), 3),
]


def code(line):
    """The line without its comment and its ids."""
    line = re.sub(r"(?:^|(?<=\s))#.*", "", line)
    return re.sub(r"\[[^\]]*\]", "", line)


def literal_of(found):
    """The last words of what was found: "data 452", "x 3", "va=8"."""
    words = found.split()
    return " ".join(words[-2:]) if words[-1].isdigit() else words[-1]


def literals(name, text):
    """Yield (line number, kind, literal) of a case."""
    chairs = False
    mtu = MTU.get(name.split("/")[0], MTU_MIN)
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"(impaired|title)\b", line):
            chairs = False
        chairs |= bool(re.match(r"chair\b", line))
        if not chairs:
            continue
        for kind, pattern, least in RULES:
            for match in pattern.finditer(code(line)):
                at_least = mtu if least is LENGTH else least
                if at_least is None or int(match[1], 0) >= at_least:
                    yield number, kind, literal_of(match[0])


def allowances(text):
    """{(file, literal): line number}; a reason must stand behind them."""
    found = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        name, rest = line.split(" ", 1)
        literal, _, reason = rest.partition(" -- ")
        found[name, literal.strip()] = (number, reason.strip())
    return found


def check(cases, allowed):
    """Yield offences; |cases| is (name, text) of each case file."""
    may = allowances(allowed)
    used = set()
    for name, text in cases:
        for number, kind, literal in literals(name, text):
            if (name, literal) in may:
                used.add((name, literal))
            else:
                yield (f"cases/{name}:{number}: {kind}, '{literal}', where the "
                       "device declares one")
    for key, (number, reason) in may.items():
        if key not in used:
            yield f"{ALLOWED}:{number}: no case has {key[0]} {key[1]}"
        if len(reason.split()) < 3:
            yield f"{ALLOWED}:{number}: no reason"
