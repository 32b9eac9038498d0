#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes the source of a mutant: a file of the oracle with some lines replaced.

A mutant is a text file (docs/mutants.md), and so is a variant, FILE.var, with
other head lines:

    mutant NAME
    what One sentence.
    file oracle/x.c
    violates RUD-SEQ-76/dst
    killed-by uet/rud/send-gtd@target ...

    replace
            lines of the file
    with
            other lines
    end

    variant NAME
    what One sentence.
    why The clause that makes it legal.
    origin specification        if written without a look at cases/
    set SETTING VALUE           of oracle/setting.c; any number
    declares LINE               of the declaration; any number
    without CLAIM               that the declaration lacks; any number
    file oracle/x.c             only with "replace" blocks

Every "replace" block must match exactly once in the file, or this fails: after
a change of the reference, no mutant may be left that changes nothing.
Lines match whatever their white space: a formatter may break them elsewhere.

Usage: tools/mutate.py FILE --root DIR -o OUT.c
       tools/mutate.py FILE... --root DIR --folder FOLDER
                                         FOLDER/NAME.c of each; a source that
                                         is up to date stays as it is
       tools/mutate.py FILE --json       its head, as JSON
"""
import argparse
import functools
import json
import pathlib
import re
import sys

HEADS = {".mut": ("mutant", "what", "file", "violates", "killed-by"),
         ".var": ("variant", "what", "why")}
# Optional keys, and keys that may occur several times.
OPTIONAL = {".mut": (), ".var": ("file", "origin", "set", "declares",
                                "without")}
MANY = ("set", "declares", "without")


class Bad(Exception):
    pass


def parse(path):
    """Return the head as a dict and the (old, new) blocks."""
    head, blocks, state = {}, [], None
    keys = HEADS[path.suffix]
    known = keys + OPTIONAL[path.suffix]
    old, new = [], []
    lines = path.read_text().split("\n")
    for number, line in enumerate(lines, 1):
        where = f"{path}:{number}"
        if state is None:
            if line == "replace":
                state, old, new = "old", [], []
            elif line and not line.startswith("#"):
                key, _, value = line.partition(" ")
                if key not in known:
                    raise Bad(f"{where}: expected one of {', '.join(known)}, "
                              f"replace")
                if key in MANY:
                    head.setdefault(key, []).append(value.strip())
                    continue
                if key in head:
                    raise Bad(f"{where}: {key} stands there twice")
                head[key] = value.strip()
        elif state == "old" and line == "with":
            state = "new"
        elif state == "new" and line == "end":
            blocks.append((number, "".join(old), "".join(new)))
            state = None
        else:
            (old if state == "old" else new).append(line + "\n")
    if state:
        raise Bad(f"{path}: a replace block has no "
                  f"{'with' if state == 'old' else 'end'}")
    for key in keys:
        if not head.get(key):
            raise Bad(f"{path}: no {key} line")
    if head[keys[0]] != path.stem:
        raise Bad(f"{path}: calls itself {head[keys[0]]}")
    if bool(blocks) != ("file" in head):
        raise Bad(f"{path}: a file line and replace blocks go together")
    if not blocks and not any(key in head for key in MANY):
        raise Bad(f"{path}: replaces nothing")
    if "killed-by" in head:
        head["killed-by"] = head["killed-by"].split()
    return head, blocks


def places(source, old):
    """The matches of whole lines in a source, whatever their white space."""
    tokens = re.findall(r"\w+|[^\w\s]", old)
    pattern = r"^[ \t]*"
    for i, token in enumerate(tokens):
        if i:
            words = token[0].isalnum() or token[0] == "_"
            words &= tokens[i - 1][-1].isalnum() or tokens[i - 1][-1] == "_"
            pattern += r"\s+" if words else r"\s*"
        pattern += re.escape(token)
    found = re.finditer(pattern + r"[ \t]*\n", source, re.M)
    return list(found) if tokens else []


def replaced(source, old, new):
    """Returns the source with its lines |old| replaced; None unless they occur
    exactly once."""
    found = places(source, old)
    if len(found) != 1:
        return None
    return source[:found[0].start()] + new + source[found[0].end():]


@functools.cache
def text_of(path):
    return path.read_text()


def mutate(path, root):
    head, blocks = parse(path)
    if "file" not in head:
        raise Bad(f"{path}: no file line, so that no source changes")
    source = text_of(root / head["file"])
    for number, old, new in blocks:
        made = replaced(source, old, new)
        if made is None:
            raise Bad(f"{path}:{number}: the lines to replace stand "
                      f"{len(places(source, old))} times in {head['file']}, "
                      f"expected once:\n{old}")
        source = made
    return source


def write(path, text):
    """Writes a file unless it holds the text already; builds compare times."""
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def mutate_all(paths, root, folder):
    """Makes every source that can be made, and reports all that cannot."""
    errors = []
    for path in paths:
        try:
            write(folder / f"{path.stem}.c", mutate(path, root))
        except Bad as e:
            errors.append(str(e))
    if errors:
        raise Bad("\n".join(errors))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("mut", type=pathlib.Path, nargs="+")
    ap.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."))
    to = ap.add_mutually_exclusive_group(required=True)
    to.add_argument("-o", type=pathlib.Path)
    to.add_argument("--folder", type=pathlib.Path)
    to.add_argument("--json", action="store_true")
    args = ap.parse_args()
    if len(args.mut) > 1 and not args.folder:
        ap.error("several files want --folder")
    try:
        if args.folder:
            mutate_all(args.mut, args.root, args.folder)
        elif args.json:
            print(json.dumps(parse(args.mut[0])[0]))
        else:
            write(args.o, mutate(args.mut[0], args.root))
    except (Bad, OSError) as e:
        print(f"mutate: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
