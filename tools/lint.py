#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks every file of the tree for faults that no compiler finds.

    lint.py spdx     each source names its licence in one of its first lines
    lint.py paths    no file mentions an absolute path of somebody's folder
    lint.py format   clang-format has nothing to change (C files)
    lint.py cases    no two cases are equal after renumbering; an id behind an
                     expected packet governs something of such a packet
                     (judge/governs.def), or tests/lint/observed.txt says why
                     it stands there; each excuse of a random mutant has its
                     word, a file of the tree with the line that it changes,
                     the changed line and a reason
    lint.py literals no case writes a time, a length, a key, an id or a count
                     of retransmissions that the device declares, but for those
                     that tests/lint/literals.txt names with a reason
    lint.py columns  no line of a case or a document has more than 100 columns;
                     an address, and a line of JSON as a program prints it, may
    lint.py cites    each section of uet.md and srd_wqe.md that a text cites
                     exists in docs/spec/, and each script that a document
                     runs by its path is executable
    lint.py names    no function name and no struct tag stands in two files
    lint.py rooms    no folder has more than 30 C files; each folder of a floor
                     has a README.md that names its C files, tests excepted
    lint.py heads    each .c file opens with a paragraph about itself
    lint.py prose    no comment is a fragment or goes on from another one, and
                     no archaic word stands in comments, documents, texts of
                     cli/ or titles; tests/lint/prose.txt allows each top
                     folder a number of them, which --shrink lowers
    lint.py commits  subjects are "area: Verb ...", imperative, at most 60
                     characters, without a full stop; what is not trivial has a
                     body.  From tests/lint/commits_since.txt on

Usage: tools/lint.py WHAT [ROOT] [--shrink]
       tools/lint.py commits [ROOT] [REV...]
Exit status 1 and one line per offence; 77 if a tool is missing.
"""
import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import house  # pylint: disable=wrong-import-position
import literals  # pylint: disable=wrong-import-position
import prose  # pylint: disable=wrong-import-position

SOURCES = {".c", ".h", ".def", ".py", ".sh", ".go", ".cmake", ".lad", ".mut", ".decl",
           ".moves"}
NAMES = {"CMakeLists.txt", "run"}
# Texts that are wrong on purpose, or kept byte for byte.
DATA = ("tests/golden/", "tests/bad-cases/", "tests/schema/", "fuzz/corpus/",
        "reports/golden/", "dissector/golden/")
TEXT = SOURCES | {".md", ".json", ".txt", ".yml", ".err", ""}
# The head of a function, as random_kills.py finds it.
FUNCTION = re.compile(r"(?:\w[\w *]*[ *])?(\w+)\(")
FOLDER = re.compile(r"(?<![\w.~$}/-])/(?:work|home|root|Users|srv)/\w")


def files(root):
    """Yields (name, path) of the files of the tree, without build folders."""
    for top, dirs, names in os.walk(root):
        here = pathlib.Path(top)
        rel = here.relative_to(root).as_posix()
        dirs[:] = sorted(d for d in dirs if d not in (".git", "__pycache__")
                         and not (rel == "." and d.startswith(("build", "out",
                                                               "rung-out"))))
        for name in sorted(names):
            if name == ".git":  # in a worktree .git is a file
                continue
            path = here / name
            yield path.relative_to(root).as_posix(), path


def is_source(name):
    path = pathlib.PurePosixPath(name)
    return (path.suffix in SOURCES or path.name in NAMES) and \
        not name.startswith(DATA)


def spdx(root):
    for name, path in files(root):
        if not is_source(name):
            continue
        head = path.read_text(errors="replace").split("\n")[:3]
        if not any("SPDX-License-Identifier: " in line for line in head):
            yield f"{name}:1: no SPDX-License-Identifier line"


def paths(root):
    for name, path in files(root):
        if pathlib.PurePosixPath(name).suffix not in TEXT:
            continue
        for number, line in enumerate(
                path.read_text(errors="replace").split("\n"), 1):
            if FOLDER.search(line):
                yield f"{name}:{number}: an absolute path: {line.strip()}"


def format_(root):
    tool = shutil.which("clang-format")
    if not tool:
        print("clang-format is not installed")
        sys.exit(77)
    sources = [name for name, _ in files(root) if name.endswith((".c", ".h"))]
    done = subprocess.run([tool, "--dry-run", "-Werror", *sources], cwd=root,
                          capture_output=True, text=True, check=False)
    seen = set()
    for line in done.stderr.splitlines():
        name = line.split(":")[0]
        if ": error: " in line and name not in seen:
            seen.add(name)
            yield line


def sections(text):
    """Yield (line number, lines) of each case of a file, the plain one first;
    what stands above the first chair is left out."""
    begin, chairs = 1, []
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"impaired\b", line):
            yield begin, chairs
            begin, chairs = number, []
        elif chairs or re.match(r"chair\b", line):
            chairs.append(line)
    yield begin, chairs


def cases(root):
    """Replaces numbers by the order of their first use; titles and comments do
    not count."""
    seen = {}
    for name, path in files(root / "cases"):
        if not name.endswith(".lad") or name.startswith("common/"):
            continue
        for begin, chairs in sections(path.read_text()):
            lines = [re.sub(r"\s+", " ", line).strip()
                     for _, line in joined(chairs)]
            numbers = {}
            text = re.sub(
                r"\b(?:0x[0-9a-f]+|\d+)\b",
                lambda m, numbers=numbers:
                str(numbers.setdefault(m[0], len(numbers))),
                "\n".join(line for line in lines if line))
            place = f"cases/{name}:{begin}"
            if text in seen:
                yield f"{place}: the same as {seen[text]}"
            seen.setdefault(text, place)


COLUMNS = 100
COLUMNS_OF = {".lad", ".moves", ".mut", ".var", ".md"}


def columns(root):
    """A code block of a document counts from its indentation of four blanks.
    The patch of a mutant is code, and its killers are a list of ids."""
    for name, path in files(root):
        suffix = pathlib.PurePosixPath(name).suffix
        if suffix not in COLUMNS_OF or name.startswith(DATA):
            continue
        text = path.read_text()
        if suffix == ".mut":
            text = re.split(r"^replace$", text, maxsplit=1, flags=re.M)[0]
        for number, line in enumerate(text.split("\n"), 1):
            shown = line.removeprefix("    ") if suffix == ".md" else line
            if len(shown) > COLUMNS and "://" not in line and \
                    '{"' not in line and not line.startswith("killed-by "):
                yield f"{name}:{number}: {len(shown)} columns"


SPEC = "docs/spec/"
CITED = re.compile(r"\b(uet|srd_wqe)\.md((?:,? (?:part |point )?|[;,] | to | and )"
                   r"(?:[A-C]\b(?:\.\d+)*|\d+(?:\.\d+)*|[SW]L-\d+|V\d+))+")
SECTION = re.compile(r"\b(?:[A-C](?:\.\d+)*|point \d+|[SW]L-\d+|V\d+|"
                     r"\d+(?:\.\d+)*)(?![\w-])")
RUN = re.compile(r"(?:^ {4}|`)((?:bench|tests|tools)/[\w./-]+\.(?:py|sh))\s",
                 re.M)


def spec_sections(text):
    """Headings by number, ladders and checks by label, points of a list."""
    found = set(re.findall(r"^#+ ([A-C]?[.\d]+|[A-C])(?=\.? )", text, re.M))
    found = {name.rstrip(".") for name in found}
    found |= set(re.findall(r"\b([SW]L-\d+|V\d+):", text))
    return found | {f"point {n}" for n in re.findall(r"^(\d+)\. ", text, re.M)}


def not_executable(root, text):
    """Yields the scripts that a document runs and a shell would refuse."""
    for script in sorted(set(RUN.findall(text))):
        if not os.access(root / script, os.X_OK):
            yield script


def cites(root):
    """A citation may go on in the next line of a comment."""
    known = {name: spec_sections((root / SPEC / f"{name}.md").read_text())
             if (root / SPEC / f"{name}.md").exists() else set()
             for name in ("uet", "srd_wqe")}
    for name, path in files(root):
        if pathlib.PurePosixPath(name).suffix not in TEXT or \
                name.startswith(SPEC):
            continue
        text = path.read_text(errors="replace")
        if path.suffix == ".md":
            for script in not_executable(root, text):
                yield f"{name}: {script} is not executable"
        if ".md" not in text:
            continue
        for found in CITED.finditer(
                re.sub(r"[ \t]*\n[ \t]*(?:\*|#|//|\")?[ \t]*", " ", text)):
            for section in SECTION.findall(found[0].split(".md", 1)[1]):
                if section not in known[found[1]]:
                    yield (f"{name}: {found[0]}: {SPEC}{found[1]}.md has no "
                           f"{section}")


# The class of a packet by the beginning of its word (suite/verdict/blame.c).
CLASSES = (("rud_req", "req"), ("rod_req", "req"), ("rud_cc_req", "req"),
           ("rod_cc_req", "req"), ("acked", "ack"), ("ack_cc", "ack"),
           ("nack_ccx", "nack"), ("srd_ack", "srd_ack"),
           ("srd_sync", "srd_sync"), ("srd_", "srd_req"),
           ("wqe_ack", "wqe_ack"), ("wqe_rtx_ind", "wqe_rtx_ind"),
           ("wqe_read_resp", "wqe_resp"), ("wqe_", "wqe_req"),
           ("rc_ack", "rc_ack"), ("rc_read_resp", "rc_resp"),
           ("rc_", "rc_req"))
EXPECTED = re.compile(r"\s*<\s*(\S+).*\[([^\]]*)\]\s*$")


def class_of(word):
    return next((c for begin, c in CLASSES if word.startswith(begin)), word)


def governed(root):
    """The classes of items that each row governs."""
    text = (root / "judge/governs.def").read_text()
    rows = re.finditer(r'^GOVERNS\((\w+),\s*((?:"[^"]*"\s*)+)\)', text, re.M)
    return {m[1].replace("_", "-"):
            {item.split(".")[0] for piece in re.findall(r'"([^"]*)"', m[2])
             for item in piece.split()} for m in rows}


def joined(lines):
    """Yield (number, text) of each line with those that continue it."""
    number, text = 0, None
    for at, line in enumerate(lines, 1):
        code = re.sub(r"(^|\s)#.*", "", line).rstrip()
        found = re.match(r"\s*(?:(?=[|[])|\.\.\.\s+)(.*)", code)
        if text and found:
            text += " " + found[1]
            continue
        if text:
            yield number, text
        number, text = at, code
    if text:
        yield number, text


def rows(root):
    """Ids on lines that cannot fail them, but for those that are listed."""
    classes = governed(root)
    listed = {}
    where = "tests/lint/observed.txt"
    for number, line in enumerate((root / where).read_text().split("\n"), 1):
        words = line.split(None, 2)
        if line and not line.startswith("#"):
            listed[tuple(words[:2])] = number
            if len(words) < 3:
                yield f"{where}:{number}: expected a row, a class and a reason"
    used = set()
    for name, path in files(root / "cases"):
        lines = path.read_text().split("\n") if name.endswith(".lad") else ()
        for number, line in joined(lines):
            found = EXPECTED.match(line)
            if not found or found[1] == "any":
                continue
            kind = class_of(found[1])
            for word in found[2].split():
                row = word.split("/")[0]
                if ":" in word or classes.get(row, set()) & {kind, "ses",
                                                             "any"}:
                    continue
                used.add((row, kind))
                if (row, kind) not in listed:
                    yield (f"cases/{name}:{number}: {row} governs nothing of "
                           f"'{kind}': leave it out, name its items or list "
                           f"it in {where}")
    for pair in listed.keys() - used:
        yield f"{where}:{listed[pair]}: no line has {' '.join(pair)}"


def has_line(root, sources, path, function, line):
    """Whether a source that a path matches has a line, in a function."""
    for name in fnmatch.filter(sources, path):
        around = None
        for text in (root / name).read_text(errors="replace").split("\n"):
            m = FUNCTION.match(text)
            around = m[1] if m else around
            if text.strip() == line and function in ("", around):
                return True
    return False


def excused(root):
    """Each excuse of a random mutant has its word, file, lines and reason."""
    where = "tests/mutants/excused.txt"
    if not (root / where).exists():
        return
    sources = [name for name, _ in files(root)
               if name.startswith(("oracle/", "judge/"))]
    number = 1
    for paragraph in (root / where).read_text().split("\n\n"):
        lines = [line for line in paragraph.split("\n")
                 if not line.startswith("#")]
        first = number + paragraph.count("\n") - len(lines) + 1
        number += paragraph.count("\n") + 2
        if not any(lines):
            continue
        word, path, function = (lines[0].split() + 3 * [""])[:3]
        if word not in ("equivalent", "local", "free"):
            yield f"{where}:{first}: {lines[0]}: no excuse begins so"
        elif not fnmatch.filter(sources, path):
            yield f"{where}:{first}: {path}: no such file"
        elif [line[:2] for line in lines[1:4]] != ["- ", "+ ", "  "]:
            yield f"{where}:{first}: not a line, its change and a reason"
        elif not has_line(root, sources, path, function, lines[1][2:]):
            yield (f"{where}:{first}: no line of {path} {function}".rstrip() +
                   f" is '{lines[1][2:]}'")


def both(root):
    yield from cases(root)
    yield from rows(root)
    yield from excused(root)


def tree(root):
    return house.Tree({name: path.read_text(errors="replace")
                       for name, path in files(root)
                       if house.is_measured(name)})


def names(root):
    sources = tree(root)
    yield from sources.duplicates()
    yield from sources.tags_twice()


def readmes(root, sources):
    """The README.md of each room names the stem of each C file except tests."""
    stems = {}
    for name in sources:
        path = pathlib.PurePosixPath(name)
        if path.parts[0] in house.FLOORS and not path.stem.endswith("_test"):
            stems.setdefault(path.parent.as_posix(), set()).add(path.stem)
    for room, wanted in sorted(stems.items()):
        path = root / room / "README.md"
        if not path.exists():
            yield f"{room}: no README.md"
            continue
        text = path.read_text(errors="replace")
        for stem in sorted(wanted):
            if stem not in text:
                yield f"{room}/README.md:1: {stem} is not named"


def rooms(root):
    sources = tree(root)
    yield from sources.full_rooms()
    yield from readmes(root, sources.files)


def heads(root):
    for name in tree(root).silent_files():
        yield f"{name}:1: no opening paragraph: /* {name} -- ... */"


def prose_(root):
    yield from prose.prose(root, files)


def commits(root):
    bad = prose.commits(root, sys.argv[3:])
    if bad is None:
        print("there is no history to check")
        sys.exit(77)
    yield from bad


def literals_(root):
    """The cases in cases/probe measure a device that has declared nothing."""
    texts = [(name, path.read_text()) for name, path in files(root / "cases")
             if name.endswith(".lad") and not name.startswith("probe/")]
    listed = root / literals.ALLOWED
    return literals.check(texts, listed.read_text() if listed.exists() else "")


CHECKS = {"spdx": spdx, "paths": paths, "format": format_, "cases": both,
          "literals": literals_,
          "names": names, "rooms": rooms,
          "columns": columns, "cites": cites, "heads": heads,
          "prose": prose_, "commits": commits}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in CHECKS:
        print(__doc__)
        sys.exit(2)
    where = pathlib.Path(sys.argv[2] if sys.argv[2:] else ".").resolve()
    found = list(CHECKS[sys.argv[1]](where))
    for line in found:
        print(line)
    sys.exit(bool(found))
