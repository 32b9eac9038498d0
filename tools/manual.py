#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Man pages and completions, from what the program says of itself.

'rung --help' names the commands, 'rung COMMAND --help' their options: these
texts are read, so that a page cannot differ from --help.  Chapters of docs/
become pages of section 5.  A line that looks like an option and does not read as
one is an error.

Usage: tools/manual.py RUNG ROOT OUT
Writes OUT/man/man1, OUT/man/man5, OUT/bash, OUT/zsh, OUT/fish.
"""
import itertools
import pathlib
import re
import subprocess
import sys

# Pages of section 5: chapter, what it is about.
CHAPTERS = {
    "rung-case": ("case-language.md", "the language of test cases"),
    "rung-declaration": ("declaration.md", "what a device declares of itself"),
    "rung-control": ("dut-control.md", "the control channel of a device"),
    "rung-results": ("reports.md", "reports and their schemas"),
    "rung-rules": ("bridge.md", "rules of rung bridge, and what it says"),
    "rung-baseline": ("baseline.md", "what is known to fail, and comparing"),
}
OPTION = re.compile(r" {2,6}(?:(-\w), )?(--?[\w-]+)(\[=\w+\]| \S+)?"
                    r"(?: +(\S.*))?$")
# Several of them in a line: --whole, --at ADDR.
SEVERAL = re.compile(r" {2,6}(--[\w-]+(?: \S+)?(?:, --[\w-]+(?: [^\s,]+)?)+)"
                     r"(?: {2,}(\S.*))?$")
ARGUMENT = re.compile(r" {2,4}([A-Z][A-Z, ]*?) {2,}(\S.*)$")
# Words that a value can be, for the completions.
FILES = {"FILE", "DIR", "OUT"}
WORDS = {"--profile": "smoke full", "--color": "auto always never",
         "--dut": "ref virtual udp: exec:", "--control": "stdio unix: tcp:"}


class Option:
    def __init__(self, short, name, value, text):
        self.short, self.name, self.value = short, name, value or ""
        self.text = [text] if text else []

    def says(self):
        return " ".join(self.text)

    def brief(self):
        """What stands before the columns of a table."""
        lines = list(itertools.takewhile(
            lambda x: not re.search(r"\S {2,}\S", x), self.text))
        return " ".join(lines).rstrip(":")


class Command:
    """One --help, taken apart: blocks in their order."""

    def __init__(self, name, what, text):
        self.name, self.what = name, what
        self.usage, self.blocks, self.options = [], [], []
        for paragraph in text.rstrip("\n").split("\n\n"):
            self.paragraph(paragraph.split("\n"))

    def paragraph(self, lines):
        if not self.usage:
            assert lines[0].startswith("Usage: "), lines[0]
            self.usage = [re.sub("^(Usage:|  or:)? *", "", x) for x in lines]
            return
        if lines[0].startswith(" "):
            self.entries(lines)
        elif lines[0].endswith(":") and lines[1:] and \
                lines[1].startswith(" "):
            self.blocks.append(("head", lines[0].rstrip(":")))
            self.entries(lines[1:])
        else:
            self.blocks.append(("text", " ".join(x.strip() for x in lines)))

    def entries(self, lines):
        entry = None
        for line in lines:
            option, argument = OPTION.match(line), ARGUMENT.match(line)
            if several := SEVERAL.match(line):
                for one in several[1].split(", "):
                    name, _, value = one.partition(" ")
                    entry = Option(None, name, value, several[2])
                    self.options.append(entry)
                    self.blocks.append(("entry", entry))
                continue
            if option:
                entry = Option(*[x and x.strip() for x in option.groups()])
                self.options.append(entry)
            elif argument:
                entry = Option(None, argument[1], "", argument[2])
            elif entry and re.match(r" {8,}\S", line):
                entry.text.append(line.strip())
                continue
            elif not line.strip().startswith("-"):
                self.blocks.append(("plain", line))
                continue
            else:
                sys.exit(f"manual.py: 'rung {self.name} --help': no option, "
                         f"argument or text: {line!r}")
            self.blocks.append(("entry", entry))


def ask(rung, *args):
    return subprocess.run([rung, *args, "--help"], check=True, text=True,
                          capture_output=True).stdout


def commands(rung):
    """The overview, and each command that it names."""
    text = ask(rung)
    body = text.split("Commands:\n")[1].split("\n\n")[0]
    found = []
    for line in body.split("\n"):
        name, what = re.match(r"  (\S+) +(\S.*)$", line).groups()
        found.append(Command(name, what, ask(rung, name)))
    return text, found


# ---- Man pages ----

def roff(text):
    """Text of a paragraph: nothing in it is a request or an escape."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"[^\x00-\x7f]", lambda m: f"\\[u{ord(m[0]):04X}]", text)
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def inline(text):
    """Markdown within a line."""
    parts = re.split(r"(`[^`]*`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|"
                     r"\[[^\]]*\]\([^)]*\))", text)
    out = []
    for part in parts:
        if part.startswith("`"):
            out.append(f"\\fB{roff(part[1:-1])}\\fR")
        elif part.startswith("**"):
            out.append(f"\\fB{roff(part[2:-2])}\\fR")
        elif part.startswith("*") and len(part) > 2:
            out.append(f"\\fI{roff(part[1:-1])}\\fR")
        elif part.startswith("[") and "](" in part:
            out.append(inline(part[1:part.index("]")]))
        else:
            out.append(roff(part))
    return "".join(out)


def head(name, section, what):
    return [f'.TH "{name.upper()}" "{section}" "" "rung" ""', ".SH NAME",
            f"{roff(name)} \\- {roff(what)}"]


def block_text(option):
    """A text with columns of its own keeps its lines."""
    if not any("  " in line for line in option.text):
        return roff(option.says())
    return ".nf\n" + "\n".join(roff(x) for x in option.text) + "\n.fi"


def page_of(command):
    out = head("rung-" + command.name, 1, command.what)
    out += [".SH SYNOPSIS"]
    for line in command.usage:
        out += [".PP" if line is not command.usage[0] else "",
                f"\\fB{roff(line)}\\fR"]
    out += [".SH DESCRIPTION"]
    for kind, block in command.blocks:
        if kind == "head":
            out += [f'.SS "{roff(block)}"']
        elif kind == "text":
            out += [".PP", roff(block)]
        elif kind == "plain":
            out += [".PP\n.nf", roff(block), ".fi"]
        else:
            name = ", ".join(x for x in (block.short, block.name) if x)
            value = block.value.strip()
            mark = "" if value.startswith("[") or not value else " "
            out += [".TP", f"\\fB{roff(name)}\\fR{mark}"
                    + (f"\\fI{roff(value)}\\fR" if value else ""),
                    block_text(block)]
    out += [".SH SEE ALSO", "\\fBrung\\fR(1), \\fBrung\\-case\\fR(5), "
            "\\fBrung\\-results\\fR(5)"]
    return "\n".join(x for x in out if x) + "\n"


def overview(text, found):
    intro, rest = text.split("Usage: ")
    out = head("rung", 1, "conformance tests of reliable datagram transports")
    out += [".SH SYNOPSIS", f"\\fB{roff(rest.split(chr(10))[0])}\\fR",
            ".SH DESCRIPTION", roff(" ".join(intro.split())), ".SH COMMANDS"]
    for c in found:
        out += [".TP", f"\\fBrung {roff(c.name)}\\fR", roff(c.what)]
    exits = re.search(r"Exit codes: .*?\n\n", rest, re.S)
    out += [".SH EXIT STATUS", roff(" ".join(exits[0].split()[2:]))]
    out += [".SH SEE ALSO", ", ".join(
        [f"\\fBrung\\-{c.name}\\fR(1)" for c in found]
        + [f"\\fB{roff(n)}\\fR(5)" for n in CHAPTERS])]
    return "\n".join(out) + "\n"


def chapter(name, path, what):
    """Markdown to a page: headings, lists, tables, indented and plain text."""
    out, state = head(name, 5, what), ""
    for line in path.read_text().split("\n"):
        code = re.match(r"    (.*)$", line)
        if line.startswith(("<!--", "![")):  # a page has no pictures
            continue
        if line.startswith("```"):
            out.append(".fi\n.RE" if state == "fence" else ".RS 4\n.nf")
            state = "" if state == "fence" else "fence"
            continue
        if state == "fence":
            out.append(roff(line) or "\\&")
            continue
        if state == "code" and not code and line.strip():
            out.append(".fi\n.RE")
            state = ""
        if line.startswith("# "):
            out.append(".SH DESCRIPTION")
        elif match := re.match(r"(##+) (.*)$", line):
            kind = "SH" if match[1] == "##" else "SS"
            out.append(f'.{kind} "{roff(match[2].replace(chr(96), ""))}"')
        elif code and state in ("", "code", "blank"):
            if state != "code":
                out.append(".RS 4\n.nf")
            state = "code"
            out.append(roff(code[1]) or "\\&")
            continue
        elif re.match(r"\|[ :|-]+\|$", line):
            continue
        elif line.startswith("|"):
            cells = [x.strip().replace("\\|", "|") for x in
                     re.split(r"(?<!\\)\|", line)[1:-1]]
            out.append(".TP\n" + inline(cells[0]) + "\n"
                       + (inline("; ".join(cells[1:])) or "\\&"))
        elif match := re.match(r"(\d+\.) (.*)$", line):
            out.append(f".IP {match[1]} 4\n" + inline(match[2]))
            state = "list"
            continue
        elif match := re.match(r"\s*[*-] (.*)$", line):
            out.append(".IP \\(bu 3\n" + inline(match[1]))
            state = "list"
            continue
        elif not line.strip():
            if state != "code":
                state = "blank"
                out.append(".PP")
            else:
                out.append("\\&")
            continue
        else:
            out.append(inline(line.strip()))
        state = "list" if state == "list" else ""
    if state == "code":
        out.append(".fi\n.RE")
    text = "\n".join(out)
    text = re.sub(r"(\.PP\n)+(?=\.(SH|SS|TP|IP|PP|RS|nf|fi|RE)|$)", "", text)
    return re.sub(r"(\.PP\n?)+$", "", text).rstrip("\n") + "\n"


# ---- Completions ----

def names(command):
    for o in command.options:
        if o.short:
            yield o.short
        yield o.name


def kind(option):
    """file, word, text or "": what follows the option."""
    value = option.value.strip("[]= ")
    if not value:
        return ""
    if option.name in WORDS:
        return "word"
    return "file" if value in FILES else "text"


def bash(found):
    out = ["# generated by tools/manual.py", "_rung() {",
           '\tlocal cur=${COMP_WORDS[COMP_CWORD]} '
           'prev=${COMP_WORDS[COMP_CWORD-1]}', "\tCOMPREPLY=()",
           "\tif [ \"$COMP_CWORD\" = 1 ]; then",
           f"\t\tCOMPREPLY=($(compgen -W \"{' '.join(c.name for c in found)} "
           "--help --version\" -- \"$cur\"))", "\t\treturn", "\tfi",
           '\tcase $prev in']
    for words in sorted({o.name for c in found for o in c.options
                         if kind(o) == "word"}):
        out += [f"\t{words}) COMPREPLY=($(compgen -W \"{WORDS[words]}\" -- "
                "\"$cur\")); return ;;"]
    files = sorted({o.name for c in found for o in c.options
                    if kind(o) == "file"})
    out += [f"\t{'|'.join(files)}) COMPREPLY=($(compgen -f -- \"$cur\")); "
            "return ;;", "\tesac", "\tcase ${COMP_WORDS[1]} in"]
    for c in found:
        out += [f"\t{c.name}) [ \"${{cur:0:1}}\" = - ] && COMPREPLY=($(compgen "
                f"-W \"{' '.join(names(c))}\" -- \"$cur\")) ;;"]
    out += ["\tesac", "\t[ \"${cur:0:1}\" = - ] && return",
            "\tcase ${COMP_WORDS[1]} in", "\trun|list|show)",
            "\t\tCOMPREPLY=($(compgen -W \"$(rung list 2>/dev/null |",
            "\t\t\tsed -n 's/^\\([^ ]*@[a-z]*\\) .*/\\1/p')\" -- \"$cur\")",
            "\t\t\t$(compgen -f -X '!*.lad' -- \"$cur\")) ;;",
            "\t*) COMPREPLY=($(compgen -f -- \"$cur\")) ;;", "\tesac", "}",
            "complete -o filenames -F _rung rung"]
    return "\n".join(out) + "\n"


def quoted(text):
    return text.replace("'", "'\\''")


def zsh_option(o):
    says = quoted(re.sub(r"([\[\]:])", r"\\\1", o.brief()))
    value = {"": "", "file": ":file:_files", "text": ":value:",
             "word": f":word:({WORDS.get(o.name, '').replace(':', chr(92) + ':')})"
             }[kind(o)]
    optional = "=-" if o.value.startswith("[") else ""
    return [f"'{n}{optional if n == o.name else ''}[{says}]{value}'"
            for n in (o.short, o.name) if n]


def zsh(found):
    out = ["#compdef rung", "# generated by tools/manual.py", "_rung_cases() {",
           "\tlocal -a ids",
           "\tids=(${(f)\"$(rung list 2>/dev/null | "
           "sed -n 's/^\\([^ ]*@[a-z]*\\) .*/\\1/p')\"})",
           "\tcompadd -a ids", "\t_files -g '*.lad'", "}", "_rung() {",
           "\tlocal -a commands", "\tcommands=("]
    out += [f"\t\t'{c.name}:{quoted(c.what)}'" for c in found]
    out += ["\t)", "\tif ((CURRENT == 2)); then",
            "\t\t_describe command commands", "\t\treturn", "\tfi",
            "\tlocal name=$words[2]", "\tshift words", "\t((CURRENT--))",
            "\tcase $name in"]
    for c in found:
        out += [f"\t{c.name})", "\t\t_arguments \\"]
        out += [f"\t\t\t{x} \\" for o in c.options for x in zsh_option(o)]
        out += ["\t\t\t'*:argument:" + ("_rung_cases" if c.name in
                ("run", "list", "show") else "_files") + "' ;;"]
    out += ["\tesac", "}", '_rung "$@"']
    return "\n".join(out) + "\n"


def fish(found):
    out = ["# generated by tools/manual.py", "complete -c rung -f"]
    for c in found:
        out += [f"complete -c rung -n __fish_use_subcommand -a {c.name} "
                f"-d '{quoted(c.what)}'"]
        seen = f"-n '__fish_seen_subcommand_from {c.name}'"
        for o in c.options:
            line = f"complete -c rung {seen} -l {o.name.lstrip('-')}"
            if o.short:
                line += f" -s {o.short[1:]}"
            line += {"": "", "file": " -rF", "text": " -x", "word":
                     f" -x -a '{WORDS.get(o.name, '')}'"}[kind(o)]
            out += [f"{line} -d '{quoted(o.brief())}'"]
        what = "(rung list 2>/dev/null | string match -r '^\\S+@\\w+')" \
            if c.name in ("run", "list", "show") else "(__fish_complete_path)"
        out += [f'complete -c rung {seen} -a "{what}"']
    return "\n".join(out) + "\n"


def main():
    rung, root, out = sys.argv[1], *map(pathlib.Path, sys.argv[2:4])
    text, found = commands(rung)
    files = {"man/man1/rung.1": overview(text, found),
             "bash/rung": bash(found), "zsh/_rung": zsh(found),
             "fish/rung.fish": fish(found)}
    for c in found:
        files[f"man/man1/rung-{c.name}.1"] = page_of(c)
    for name, (source, what) in CHAPTERS.items():
        files[f"man/man5/{name}.5"] = chapter(name, root / "docs" / source,
                                              what)
    for name, content in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


if __name__ == "__main__":
    main()
