#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the C file with the moves that rung explore draws from.

Usage: moves.py OUT FILE.moves...

A file NAME.moves becomes the table script_NAME.  The lists and parts of
common.moves are known in all of them.  suite/explore/script/README.md
describes the files.  A fault ends the program with its place on stderr.
"""
import pathlib
import re
import sys

COUNTS = ("psns", "mids", "ops", "rets", "weight")
FLAGS = ("over", "mixed", "bare", "rud", "rod", "long")
HEADS = {"title": "title", "setting": "setting", "needs": "needs", "violates": "violates",
         "checks": "ids"}
# What stands before the line that continues another one.
JOINS = {"| ": " ", "[": "  ", "... ": " ", "/": ""}
PLACE = re.compile(r"[pbrmol]([+-]\d+)?|[sq]|mode|[1-9](\+\d+)?|[1-9]=.+|"
                   r"[1-9]?:(\d+\.\.\d+|[^.].*|)", re.S)
PART = re.compile(r" *\{part ([\w-]+)(?: x (\d+))?\}")


class Fault(Exception):
    """What is wrong in a file."""


def joined(lines):
    """Yields (number, text) of lines in which every continuation is joined."""
    number, text = 0, None
    for at, line in lines:
        rest = line.lstrip()
        start = next((s for s in JOINS if rest.startswith(s)), None)
        if start is None:
            if text is not None:
                yield number, text
            number, text = at, line
        elif text is None:
            raise Fault(f"{at}: this line continues another one, but none is there")
        else:
            text += JOINS[start] + (rest[4:] if start == "... " else rest)
    if text is not None:
        yield number, text


def checked(number, line):
    """Returns the line. A place of it must be one that script.h lists."""
    depth = line.removesuffix("{")
    for place in re.findall(r"\{([^{}]*)\}", depth):
        if not PLACE.fullmatch(place):
            raise Fault(f"{number}: unknown place {{{place}}}")
    if set(re.sub(r"\{[^{}]*\}", "", depth).strip()) == {"}"}:
        return line  # it ends a block
    if re.search(r"[{}]", re.sub(r"\{[^{}]*\}", "", depth)):
        raise Fault(f"{number}: a brace has no other one")
    return line


class File:
    """The moves of one file."""

    def __init__(self, text, common=None):
        """The lists and parts of |common| are known in this file, too."""
        self.lists = dict(common.lists if common else {})
        self.parts = dict(common.parts if common else {})
        self.moves = []
        for number, head, lines in self.blocks(text):
            kind, *words = head.split()
            if kind == "list":
                self.add(self.lists, number, words,
                         "".join(line.strip() for _, line in lines))
            elif kind == "part":
                self.add(self.parts, number, words, self.body(joined(lines)))
            elif kind == "move":
                self.moves.append(self.move(number, words, lines))
            else:
                raise Fault(f"{number}: {kind!r} is none of list, part and move")

    @staticmethod
    def blocks(text):
        """Yields (number, first line, [(number, line)]) of each block."""
        block = None
        for number, line in enumerate(text.split("\n"), 1):
            if line.startswith("#") or not line.strip():
                continue
            if re.match(r"(list|part|move)\b", line) or block is None:
                if block:
                    yield block
                block = (number, line, [])
            else:
                block[2].append((number, line))
        if block:
            yield block

    @staticmethod
    def add(known, number, words, value):
        if len(words) != 1 or words[0] in known:
            raise Fault(f"{number}: one new name is needed")
        if not value:
            raise Fault(f"{number}: {words[0]} is empty")
        known[words[0]] = value

    def body(self, lines):
        """Returns the lines of a case, with the lists and parts filled in."""
        done = []
        for number, line in lines:
            if not line.startswith("  "):
                raise Fault(f"{number}: a line of a case begins with two blanks")
            used = PART.fullmatch(line)
            if used and used[1] not in self.parts:
                raise Fault(f"{number}: no part {used[1]} stands above")
            if used:
                done += self.parts[used[1]] * int(used[2] or 1)
            else:
                done.append(checked(number, self.listed(number, line[2:])))
        return done

    def listed(self, number, line):
        """Fills in the lists that a line names: {1:@lengths}."""
        for name in re.findall(r"[:=]@([\w-]+)\}", line):
            if name not in self.lists:
                raise Fault(f"{number}: no list {name} stands above")
            line = line.replace(f"@{name}}}", self.lists[name] + "}")
        return line

    def move(self, number, words, lines):
        """Returns the members of a struct draft_script."""
        move, flags = {}, []
        for word in words:
            name, _, value = word.partition("=")
            if name in COUNTS and value.isdigit() and int(value) < 256:
                move[name] = value
            elif word in FLAGS:
                flags.append("SCRIPT_" + word.upper())
            else:
                raise Fault(f"{number}: a move has no {word!r}")
        if int(move.get("weight", 0)) == 0:
            raise Fault(f"{number}: a move needs a weight of 1 to 255")
        if flags:
            move["flags"] = " | ".join(flags)
        lines = list(joined(lines))
        heads = [at for at in lines if not at[1].startswith(" ")]
        for at, line in heads:
            word, _, value = line.partition(" ")
            if word not in HEADS or HEADS[word] in move or not value.strip():
                raise Fault(f"{at}: one of {', '.join(HEADS)} with its value is "
                            "wanted, once")
            move[HEADS[word]] = quoted(value.strip())
        for word in ("title", "checks"):
            if HEADS[word] not in move:
                raise Fault(f"{number}: a move needs a line '{word}'")
        body = self.body(lines[len(heads):])
        if not body:
            raise Fault(f"{number}: a move needs lines of a case")
        move["lines"] = "\n\t\t" + "\n\t\t".join(quoted(s + "\n") for s in body)
        return move


def quoted(text):
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'


def table(name, moves):
    rows = [f"const struct draft_script script_{name}[] = {{"]
    for move in moves:
        rows.append("\t{" + ",\n\t ".join(f".{k} = {v}" for k, v in move.items()) +
                    "},")
    return "\n".join([*rows, "\t{.weight = 0},", "};", ""])


def main():
    out, *paths = map(pathlib.Path, sys.argv[1:])
    text = ["/* generated by cmake/moves.py */",
            '#include "suite/explore/script/script.h"', ""]
    common = None
    for path in sorted(paths, key=lambda p: p.stem != "common"):
        try:
            file = File(path.read_text(), common)
        except Fault as fault:
            sys.exit(f"{path}:{fault}")
        if path.stem == "common":
            common = file
        else:
            text.append(table(path.stem, file.moves))
    out.write_text("\n".join(text))


if __name__ == "__main__":
    main()
