#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The pass matrix: every variant against every case, in virtual time.

A variant is the reference with another legal behaviour (docs/mutants.md).  Each
case passes on it, or is na for a line of the declaration that the reason names.
Variants that do not contradict each other are combined as well, WIDTH of each
transport at a time, until each pair of a transport has been one device.  This
fails if

* a case ends as fail, error or inconclusive on a variant or a combination: the
  case, its line and what is to blame are printed, and the smallest combination
  that fails alike;
* a case is na and the reason names neither the declaration nor the PDCs that
  the device opened;
* there are fewer combinations than COMBINATIONS;
* docs/variants.md is not what --doc writes;
* a mutant has the name of a variant, so that one of them would not run.

With --write FILE the matrix is written as JSON (docs/passes.schema.json).

Usage: tests/variants/matrix.py RUNG ROOT [--sample N | --rows N] [--seed N]
       [--only NAME+NAME...] [--doc] [--write FILE]
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

CASES = pathlib.Path(__file__).resolve().parents[2] / "cases"
WIDTH = 13
# What docs/variants.md says before its list.
INTRO = """\
A variant is the reference endpoint with another behaviour that the specification allows, or with
other declared numbers. It is a correct device: each case passes on it, or is not applicable. So
variants show what cases and monitors blame wrongly.

    rung run --dut virtual --variant ack-by-two           the cases on one of them
    rung run --dut virtual --variant ack-by-two+mtu-4096 on a device that is both

Each of the {variants} variants below has what it does, and behind it the clause that allows it. A
number with `uet.md` or `srd_wqe.md` is a section of that [fact sheet](spec/README.md), one with UET
a clause of the specification. {spec} variants, marked \\*, were written from the specification
alone, before their author read a case. [mutants.md](mutants.md#variants) has the format of a
variant.

The test `variants.matrix` runs each variant alone, and 200 devices of {width} variants of each
transport, always the same ones. The nightly check runs more, until each two variants of a transport
that fit together have been in one device.
"""
# On these a hundred cases are na, so that the others of their row do not meet.
MASKING = {"asks-for-close-at-once", "closes-at-once", "mtu-256", "mtu-9000",
           "pdc-per-message", "window-of-one"}
# The cases of "for" lines, a value each: on single variants alone.
SWEEPS = ["--exclude", "*[*=*"]
# The folders of the cases of a transport, and how many devices one process runs.
FOLDERS = {"uet": ["uet"], "srd": ["srd"], "ib": ["wqe", "roce"]}
BATCH = 16
COMBINATIONS = 200
# A setting whose range another line decides.
BOUND = {"set rto_max": "declares timer rto",
         "declares timer rto_max": "declares timer rto"}
# A reason of na names the declaration, or that messages went to several PDCs.
EXCUSES = ("of the declaration", "claim", "counts on one PDC")
# What a variant of one transport alone changes; the first that fits.
TRANSPORTS = [
    ("srd", "set srd_", "file oracle/srd/", "declares id srd_",
     "declares timer unresponsive"),
    ("ib", "set wqe_", "file oracle/wqe/", "declares id wqe_",
     "declares size wqe_", "declares setting wqe_"),
    ("uet", "file oracle/uet/", "set ack_", "set sack_", "set c", "set nscc_",
     "set default_", "set rod_", "set probe",
     "set infer_loss", "set keep_read_data", "set nack_ccx", "set ar_on_eom",
     "set rcv_cwnd_pend", "set restore_cwnd", "set psn_range", "set trim",
     "set fatal_retries", "set syn_retx_safety", "declares size max_ack_data",
     "declares size mp_range", "declares size in_flight",
     "declares limit max_nack_retx", "declares timer nack_time",
     "declares timer clear_time", "declares timer rto_max",
     "declares timer close_idle", "declares version"),
]
# Both are legal, but no device has both.  A window of one packet that the new one
# fills holds up the repair past the time that its timer permits.  A packet that
# stays in the queue of its RTO after a NACK is repaired by a SACK before
# NACK_Retx_Time has passed, which RUD-SEQ-82 forbids.
APART = {frozenset({"new-before-repairs", "window-of-one"}),
         frozenset({"rto-runs-on", "sack-of-one"})}
EVERY = frozenset(row[0] for row in TRANSPORTS)
UET = {"rud", "rod", "rudi", "uud"}
WORDS = {"id": 2, "size": 2, "dscp": 2, "timer": 2, "limit": 2, "cause": 2,
         "setting": 2}


def key(line):
    """What a line of a declaration is about."""
    words = re.split("[ =]+", line)
    return " ".join(words[:WORDS.get(words[0], 1)])


class Variant:
    """The head of a .var file, and what no other one may say beside it."""

    def __init__(self, head):
        self.name = head["variant"]
        self.what, self.why = head["what"], head["why"]
        self.origin = head.get("origin", "")
        self.keys = {"file"} if "file" in head else set()
        for line in head.get("set", []):
            self.keys.add("set " + line.split()[0])
        for line in head.get("declares", []):
            if not line.startswith("claims "):  # claims add up
                self.keys.add("declares " + key(line))
        lines = {f"{word} {line}" for word in ("set", "declares")
                 for line in head.get(word, [])
                 if not line.startswith("claims ")}
        if "file" in head:
            lines.add("file " + head["file"])
        self.transports = EVERY
        if UET <= set(head.get("without", [])):
            self.transports = EVERY - {"uet"}
        for name, *starts in TRANSPORTS:
            if lines and all(line.startswith(tuple(starts)) for line in lines):
                self.transports = frozenset([name])
                break
        self.keys |= {BOUND[k] for k in self.keys if k in BOUND}

    def fits(self, others):
        return not any(self.keys & other.keys or
                       {self.name, other.name} in APART for other in others)


def has_room(row, variant):
    """Whether a row has fewer than WIDTH variants of each of its transports."""
    return all(sum(t in other.transports for other in row) < WIDTH
               for t in variant.transports)


def combinations(variants):
    """Rows of variants, so that each pair that fits is in one of them.

    A pair that no transport has in common meets no code of both.  A row with a
    masking variant counts for the pairs of that variant alone.
    """
    every = range(len(variants))
    fits = {i: {j for j in every
                if j != i and variants[i].fits([variants[j]])} for i in every}
    partners = {i: {j for j in fits[i] if variants[i].transports &
                    variants[j].transports} for i in every}
    uses = [0] * len(variants)
    rows = []
    while any(partners.values()):
        first = min(i for i in every if partners[i])
        row, left = [], set(every)
        best = first
        while best is not None:
            row.append(best)
            left &= fits[best]
            members = [variants[r] for r in row]
            left = {i for i in left if has_room(members, variants[i]) and
                    (variants[i].name not in MASKING or
                     partners[i].intersection(row))}
            best = max(left, key=lambda i: (len(partners[i].intersection(row)),
                                            -uses[i], -i), default=None)
        masks = {i for i in row if variants[i].name in MASKING}
        for i in row:
            uses[i] += 1
            partners[i] -= set(row) if i in masks or not masks else masks
        rows.append([variants[i].name for i in sorted(row)])
    return rows


def needed(rows, variants):
    """The transports of each row in which it has a pair that no row before has.

    The cases of the others would run on a device that has been tested.
    """
    of = {v.name: v.transports for v in variants}
    seen = {t: set() for t in EVERY}
    for row in rows:
        masks = MASKING.intersection(row)
        ret = []
        for t in sorted(EVERY):
            pairs = {pair for pair in itertools.combinations(row, 2)
                     if all(t in of[name] for name in pair) and
                     (not masks or masks.intersection(pair))}
            if pairs - seen[t]:
                ret.append(t)
            seen[t] |= pairs
        yield tuple(ret)


def each(rung, devices, *more):
    """Runs the cases on several devices; returns the finished process.

    One process reads the cases once and forks for each device.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".devices") as file:
        file.writelines("+".join(names) + "\n" for names in devices)
        file.flush()
        return subprocess.run(
            [rung, "run", "--dut", "virtual", "--quiet", "-j1",
             "--each-variant", file.name, *more],
            capture_output=True, text=True, timeout=240 * len(devices),
            check=False)


def failing(rung, devices, *more):
    """The devices on which something else than pass and na comes."""
    ends = dict(re.findall(r"^(\S+): (exit \d+|ended by .*)$",
                           each(rung, devices, *more).stderr, re.M))
    return [names for names in devices if ends.get("+".join(names)) not in
            ("exit 0", "exit 4")]  # 4: every case is na


def passes(rung, names, *selectors):
    """Whether nothing but pass and na comes of a device."""
    return not failing(rung, [names], *selectors)


def results_of_each(rung, devices, *selectors):
    """The cases of the runs as JSON, a list for each device; what rung says in
    the place of those that it cannot run."""
    done = each(rung, devices, "--json", "-", *selectors)
    found, decoder, left = [], json.JSONDecoder(), done.stdout.strip()
    while left:
        doc, end = decoder.raw_decode(left)
        found.append(doc["cases"])
        left = left[end:].lstrip()
    if len(found) == len(devices):
        return found
    if len(devices) > 1:
        return [results(rung, names, *selectors) for names in devices]
    return [[{"id": "*", "verdict": "error", "findings": [],
              "reason": f"exit {done.returncode}: {done.stderr.strip()}"}]]


def results(rung, names, *selectors):
    """The cases of the run as JSON; what rung says if there are none."""
    return results_of_each(rung, [names], *selectors)[0]


def statement(case, line):
    """The text of a line of a case, with the lines that continue it."""
    name = re.sub(r"(\[[^/]*\])?@[a-z]+$", "", case["id"])
    path = CASES / f"{name}.lad"
    if not path.exists():  # a case that another one makes
        return f"{name}, line {line}"
    lines = path.read_text().splitlines()
    end = line
    while end < len(lines) and lines[end].lstrip()[:1] in ("|", "[", "."):
        end += 1
    return " ".join(text.strip() for text in lines[line - 1:end])


def literal(text, what):
    """The words of a line that the item of a finding, "ses.eom", is about."""
    field = re.escape((what or "").rpartition(".")[2])
    return re.findall(rf"(?<![\w.:$]){field}(?![\w.]):?=?\S*", text) if field else []


def is_excused(end):
    """Whether a set-up or tear-down passes, or is na for a declared line."""
    return not end or end["verdict"] == "pass" or (
        end["verdict"] == "na" and
        any(word in end["reason"] for word in EXCUSES))


def is_bad(case):
    """Whether the case, its set-up or its tear-down fails."""
    return case["verdict"] not in ("pass", "na") or \
        not (is_excused(case.get("setup")) and
             is_excused(case.get("teardown")))


def blamed(case):
    """Which line and which literal a case blames, as lines of text."""
    yield f"{case['verdict']} {case['id']}: {case.get('reason', '')}"
    for end in ("setup", "teardown"):
        if case.get(end):
            yield f"  {end}: {case[end]['reason']}"
    for finding in case["findings"]:
        where = f"line {finding['line']}" if finding.get("line") else "monitor"
        yield f"  {where}: {finding['requirement']}/{finding['role']}"
        if finding.get("line") and finding.get("phase") == "body":
            text = statement(case, finding["line"])
            for word in literal(text, finding.get("what")):
                yield f"    literal  {word}"
            yield f"    in       {text}"
        for word in ("expected", "actual"):
            if finding.get(word):
                yield f"    {word:8} {finding[word]}"
            elif word == "expected" and finding.get("text"):
                yield f"    {finding['text']}"


def problems_of(cases):
    for case in cases:
        if case["verdict"] == "na":
            if not any(word in case["reason"] for word in EXCUSES):
                yield [f"na {case['id']} names no line of the declaration: "
                       f"{case['reason']}"]
        elif is_bad(case):
            yield list(blamed(case))


def least(rung, names, case):
    """The smallest part of a combination on which a case fails."""
    if case == "*":
        return names
    for n in (1, 2):
        for part in itertools.combinations(names, n):
            if not passes(rung, part, case):
                return list(part)
    return names


def explain(rung, names, *selectors):
    """The problems of a combination, as lines of text."""
    lines = []
    for case in results(rung, names, *selectors):
        if not is_bad(case):
            continue
        part = least(rung, names, case["id"])
        lines.append(f"on {'+'.join(part)}:")
        lines += [f"  {line}" for line in blamed(case)]
    return lines


def batches(devices):
    return [devices[i:i + BATCH] for i in range(0, len(devices), BATCH)]


def by_transports(rows):
    """The rows in lists of those that run the same cases, the most first, so
    that no long batch comes last."""
    found = {}
    for row, transports in rows:
        if transports:
            found.setdefault(transports, []).append((row, transports))
    return sorted(found.values(), reverse=True, key=lambda group:
                  ("uet" in group[0][1], len(group[0][1])))


def check_rows(rung, rows):
    """The problems of rows that run the same cases, a list for each row."""
    selectors = [folder for t in rows[0][1] for folder in FOLDERS[t]] + SWEEPS
    return [explain(rung, names, *selectors) for names in
            failing(rung, [row for row, _ in rows], *selectors)]


def document(variants):
    """docs/variants.md."""
    yield "<!-- SPDX-License-Identifier: BSD-2-Clause -->"
    yield "<!-- Written by tests/variants/matrix.py --doc. -->"
    yield "# Variants\n"
    yield INTRO.format(
        variants=len(variants), width=WIDTH,
        spec=sum(v.origin == "specification" for v in variants))
    for v in variants:
        mark = " \\*" if v.origin == "specification" else ""
        yield f"* `{v.name}`{mark}: {v.what}"
        yield f"  {v.why}."


def wrapped(lines):
    """The lines of the document with at most 100 columns."""
    out = []
    for line in "\n".join(lines).split("\n"):
        indent = "  " if line.startswith(("* ", "  ")) else ""
        while len(line) > 100:
            at = line.rindex(" ", 0, 100)
            out.append(line[:at])
            line = indent + line[at + 1:]
        out.append(line)
    return "\n".join(out) + "\n"


def write_passes(path, singles, rows):
    """The matrix as JSON: cases by number, and which are not applicable."""
    cases = sorted({c["id"] for found in singles.values() for c in found})
    number = {name: i for i, name in enumerate(cases)}
    doc = {"schema": "rung.passes/1", "cases": cases,
           "combinations": len(rows),
           "variants": [{"name": v.name, "what": v.what, "why": v.why,
                         "na": sorted(number[c["id"]] for c in found
                                      if c["verdict"] == "na"),
                         "fails": sorted(number[c["id"]] for c in found
                                         if c["verdict"] not in
                                         ("pass", "na"))}
                        for v, found in singles.items()]}
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(doc, separators=(",", ":")) + "\n")
    temporary.replace(path)


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("rung")
    ap.add_argument("root", type=pathlib.Path)
    ap.add_argument("--sample", type=int, help="so many devices at random")
    ap.add_argument("--rows", type=int, help="so many combinations at random")
    ap.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    ap.add_argument("--only", help="one combination")
    ap.add_argument("--doc", action="store_true", help="print the document")
    ap.add_argument("--write", type=pathlib.Path)
    args = ap.parse_args()
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(args.root / "tools"))
    import mutate  # pylint: disable=import-outside-toplevel,import-error

    variants = [Variant(mutate.parse(p)[0]) for p in
                sorted((args.root / "cases/variants").glob("*.var"))]
    text = wrapped(document(variants))
    if args.doc:
        print(text, end="")
        return 0
    if args.only:
        names = args.only.split("+")
        if not passes(args.rung, names, *SWEEPS):
            print("\n".join(explain(args.rung, names, *SWEEPS)))
            return 1
        return 0
    rows = combinations(variants)
    rows = list(zip(rows, needed(rows, variants)))
    problems = []
    if len(rows) < COMBINATIONS:
        problems.append(f"only {len(rows)} combinations")
    if (args.root / "docs/variants.md").read_text() != text:
        problems.append("docs/variants.md is not what --doc writes")
    problems += [f"{v.name} is the name of a mutant, too" for v in variants
                 if (args.root / f"cases/mutants/{v.name}.mut").exists()]
    alone = list(variants)
    rng = random.Random(args.seed)
    if args.rows:
        rows = rng.sample(rows, min(len(rows), args.rows))
    if args.sample:
        alone = rng.sample(alone, min(len(alone), args.sample // 3))
        rows = rng.sample(rows, min(len(rows), args.sample - len(alone)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        singles = pool.map(lambda part: results_of_each(
            args.rung, [[v.name] for v in part]), batches(alone))
        combined = pool.map(lambda part: check_rows(args.rung, part),
                            sum(map(batches, by_transports(rows)), []))
        found = sum(singles, [])
        for bad in combined:
            problems += ["\n".join(lines) for lines in bad]
    for v, cases in zip(alone, found):
        problems += [f"on {v.name}:\n  " + "\n  ".join(p)
                     for p in problems_of(cases)]
        na = sum(c["verdict"] == "na" for c in cases)
        print(f"{v.name:<24} {len(cases) - na:4} pass or fail, {na:3} na")
    if args.write:
        write_passes(args.write, dict(zip(alone, found)), rows)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"\n{spent.ru_utime + spent.ru_stime:.0f} s of CPU")
    print(f"{len(alone)} of {len(variants)} variants, {len(rows)} "
          "combinations" + (f", seed {args.seed}"
                            if args.sample or args.rows else ""))
    for problem in problems:
        print(f"FAIL {problem}")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
