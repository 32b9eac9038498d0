#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes docs/options.md, the options of every command, from the option tables
of the program.

Usage: tools/option_list.py RUNG > docs/options.md
"""
import json
import subprocess
import sys
import textwrap

WIDTH = 100
HEAD = """<!-- SPDX-License-Identifier: BSD-2-Clause -->
# Options

The options of each command, as `rung COMMAND --help` prints them. The program wrote this page:
`tools/option_list.py build/bin/rung > docs/options.md`; the test `cli.usage` compares it.
[cli.md](cli.md) says how the commands work together.
"""


def wrapped(text, first=""):
    """A paragraph, or with |first| an entry of a list.  No line begins with a
    mark of Markdown."""
    width = WIDTH if not first else WIDTH - 4
    lines = textwrap.wrap(first + text, width, break_long_words=False,
                          break_on_hyphens=False)
    begin, then = ("* ", "  ") if first else ("", "")
    return begin + f"\n{then}".join(lines)


def plain(text):
    return " ".join(text.split()).replace("<", "&lt;").replace("*", "\\*")


def says(row):
    """The text of a row, and the lines of a table below it as pairs."""
    text, *rest = row["help"].split("\n")
    table = []
    for line in rest:
        word, _, meaning = line.partition("  ")
        if word:
            table.append([word, meaning])
        else:
            table[-1][1] += " " + line
    return plain(text), table


def entry(row):
    argument = row["argument"] or ""
    if row["operand"]:
        words = f"`{row['name']}`"
    else:
        tail = f"[={argument}]" if row["optional"] else f" {argument}"
        words = f"`--{row['name']}{tail if argument else ''}`"
        if row["letter"]:
            words = f"`-{row['letter']}`, {words}"
    text, table = says(row)
    lines = [wrapped(text, f"{words}: ")]
    lines += [textwrap.indent(wrapped(plain(meaning), f"`{word}` "), "  ")
              for word, meaning in table]
    return "\n".join(lines)


def command_text(command):
    usage = "\n".join(f"    rung {command['name']} {line}"
                      for line in command["usage"].split("\n"))
    text = [f"## rung {command['name']}\n", usage + "\n"]
    text += [wrapped(part.replace("\n", " ").replace("*", "\\*")) + "\n"
             for part in command["about"].split("\n\n")]
    for group in command["groups"]:
        if group["title"]:
            text.append(f"{group['title']}:\n")
        text.append("\n".join(map(entry, group["rows"])) + "\n")
    if command["exits"]:
        text.append(wrapped(command["exits"]) + "\n")
    return "\n".join(text)


def page(rung):
    """The whole page."""
    done = subprocess.run([rung, "options"], check=True, text=True,
                          capture_output=True)
    commands = json.loads(done.stdout)["commands"]
    return HEAD + "\n" + "\n".join(map(command_text, commands))


if __name__ == "__main__":
    sys.stdout.write(page(sys.argv[1]))
