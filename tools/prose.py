# SPDX-License-Identifier: BSD-2-Clause
"""The lints of language: lint.py prose and lint.py commits.

The patterns of comments stand in house.py, which measures with them.
"""
import collections
import pathlib
import re
import subprocess
import sys

import house

ALLOWED = "tests/lint/prose.txt"
SINCE = "tests/lint/commits_since.txt"

# A comment on a member that continues the previous comment.
CONTINUED = re.compile(r"^(and|or|but|nor|which|whose|then|so that|as well|than|"
                       r"unless|else|while|though|because|likewise|the same)\b")
STRING = re.compile(r'/\*.*?\*/|"((?:\\.|[^"\\\n])*)"|\'(?:\\.|[^\'\\])+\'',
                    re.S)

SUBJECT = re.compile(r"^[a-z][\w/., +-]*: (\S+)(?: (\S+))?")
REVERT = re.compile(r'^Revert "(.*)"$')
# Words that begin a statement or a heading, never an order.
NO_VERB = re.compile(
    r"^(a|an|the|this|that|these|those|what|who|whose|whoever|which|where|when|"
    r"why|how|whether|if|it|its|he|they|we|you|i|there|here|no|not|nobody|"
    r"nothing|each|every|all|any|some|one|two|both|more|most|only|also|of|on|"
    r"in|at|by|for|from|with|without|as|and|or|but|so|\d\S*)$", re.I)
# Third person, past and participle; a few verbs end like them.
BENT = re.compile(r"(?<!s)s$|ed$|ing$", re.I)
STRAIGHT = {"focus", "bias", "embed", "feed", "need", "speed", "shed", "seed",
            "exceed", "proceed", "bring", "ring", "sing", "string", "wed",
            "alias", "canvas", "bypass"}
# The second word of a statement.
STATED = re.compile(r"^(is|are|was|were|has|have|can|cannot|may|must|does|do|"
                    r"will|should|stands?|comes?|goes?|gets?)$")
TRIVIAL = 12  # changed lines that need no body


def c_offences(text):
    """(line, text) of what a reader of the comments reads twice."""
    before = 0
    for line, words in house.comments_of(text):
        if house.FRAGMENT.search(words) or house.ARCHAIC.search(words):
            yield line, words
        elif line - before <= 1 and CONTINUED.search(words):
            yield line, words
        before = line


def paragraphs(text):
    """(line, text) of Markdown without blocks and words of code."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith(("    ", "\t")):
            yield number, re.sub(r"`[^`]*`", "", line)


def strings(text):
    for m in STRING.finditer(text):
        if m.group(1):
            yield house.number(text, m.start()), m.group(1)


def titles(text):
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("title"):
            yield number, line


def archaic(pieces):
    return [(line, words) for line, words in pieces
            if house.ARCHAIC.search(words)]


def offences(name, text):
    """All of one file."""
    top = name.split("/", maxsplit=1)[0]
    found = []
    if name.endswith((".c", ".h", ".def")) and top in house.ROOMS:
        found += c_offences(text)
    if name.endswith(".c") and top == "cli" and "_test." not in name:
        found += archaic(strings(text))
    if name.endswith(".md"):
        found += archaic(paragraphs(text))
    if name.endswith(".lad"):
        found += archaic(titles(text))
    return found


def top_folder(name):
    return name.split("/")[0] if "/" in name else "."


def allowed(root):
    path = root / ALLOWED
    lines = path.read_text().split("\n") if path.exists() else ()
    return {words[0]: int(words[1]) for words in map(str.split, lines)
            if len(words) == 2 and words[0] != "#"}


def prose(root, files):
    """Returns the top folders with more offences than the list allows."""
    found = collections.defaultdict(list)
    for name, path in files(root):
        if name.endswith((".c", ".h", ".def", ".md", ".lad")) and \
                not name.startswith(("tests/golden/", "tests/bad-cases/")):
            text = path.read_text(errors="replace")
            found[top_folder(name)] += [f"{name}:{line}: {words[:90]}"
                                        for line, words in offences(name, text)]
    limits = allowed(root)
    for folder, lines in sorted(found.items()):
        limit = limits.get(folder, 0)
        if len(lines) > limit:
            yield from lines
            yield (f"{folder}: {len(lines)} places to be read twice, "
                   f"{ALLOWED} allows {limit}")
    if "--shrink" in sys.argv:
        shrink(root, limits, {k: len(v) for k, v in found.items()})


def shrink(root, limits, counts):
    """Lowers the limits to what there is.  No limit ever rises."""
    path = root / ALLOWED
    head = [line for line in path.read_text().split("\n")
            if line.startswith("#")]
    rows = [f"{folder} {min(limit, counts.get(folder, 0))}"
            for folder, limit in sorted(limits.items())
            if counts.get(folder, 0)]
    path.write_text("\n".join(head + rows) + "\n")


def git(root, *args):
    try:
        done = subprocess.run(["git", "-C", str(root), *args], text=True,
                              capture_output=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def subject_fault(subject):
    """Returns what is wrong with a subject, or None."""
    if len(subject) > 60:
        return f"the subject has {len(subject)} characters, more than 60"
    if subject.endswith("."):
        return "the subject ends in a full stop"
    m = REVERT.match(subject)  # as git writes it
    if m:
        return subject_fault(m.group(1))
    m = SUBJECT.match(subject)
    if not m:
        return "the subject is not 'area: Verb ...'"
    verb, second = m.group(1), m.group(2) or ""
    if not verb[0].isupper():
        return f"'{verb}' behind the area does not begin in upper case"
    if NO_VERB.match(verb) or STATED.match(second) or \
            (BENT.search(verb) and verb.lower() not in STRAIGHT):
        return f"'{verb} {second}' is no order: use the imperative"
    return None


def commits(root, revs):
    """Returns the faults of commit messages; None if there is no history."""
    top = git(root, "rev-parse", "--show-toplevel")
    if top is None or pathlib.Path(top.strip()) != root:
        return None
    if not revs:
        path = root / SINCE
        base = path.read_text().split()[-1] if path.exists() else ""
        if git(root, "merge-base", "--is-ancestor", base, "HEAD") is None:
            return None
        revs = [f"{base}..HEAD"]
    log = git(root, "log", "--no-merges", "--shortstat",
              "--format=%x00%h%x01%s%x01%b%x01", *revs)
    if log is None:
        return [f"{' '.join(revs)}: git knows no such commits"]
    bad = []
    for entry in log.split("\0")[1:]:
        rev, subject, body, stat = entry.split("\1", 3)
        fault = subject_fault(subject)
        changed = sum(map(int, re.findall(r"(\d+) (?:insert|delet)", stat)))
        if not fault and not body.strip() and changed > TRIVIAL:
            fault = f"no body, though {changed} lines change"
        if fault:
            bad.append(f"{rev}: {fault}: {subject}")
    return bad
