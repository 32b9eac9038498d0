#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes man pages and completions from the option tables of the program.

'rung options' prints the commands and their options as JSON.  Chapters of
docs/ become pages of section 5.

Usage: tools/manual.py RUNG ROOT OUT
Writes OUT/man/man1, OUT/man/man5, OUT/bash, OUT/zsh, OUT/fish, and OUT/packed:
the pages and the changelog compressed, as packages hold them.
"""
import gzip
import itertools
import json
import pathlib
import re
import subprocess
import sys
import textwrap

# Pages of section 5: chapter, what it is about.
CHAPTERS = {
    "rung-case": ("case-language.md", "the language of test cases"),
    "rung-declaration": ("declaration.md", "what a device declares of itself"),
    "rung-control": ("dut-control.md", "the control channel of a device"),
    "rung-results": ("reports.md", "reports and their schemas"),
    "rung-rules": ("bridge.md", "rules of rung bridge, and what it says"),
    "rung-baseline": ("baseline.md", "what is known to fail, and comparing"),
}


class Option:
    """A row of a table: an option or, with operand, another argument."""

    def __init__(self, row):
        self.operand, self.offer = row["operand"], row["offer"]
        self.short = f"-{row['letter']}" if row["letter"] else None
        self.name = row["name"] if self.operand else "--" + row["name"]
        self.argument, self.optional = row["argument"], row["optional"]
        self.words, self.text = row["words"] or "", row["help"].split("\n")

    def says(self):
        return " ".join(self.text)

    def brief(self):
        """Returns the text above the columns of the table, as one line."""
        lines = list(itertools.takewhile(
            lambda x: not re.search(r"\S {2,}\S", x), self.text))
        return " ".join(lines).rstrip(":")


class Command:
    """A command with the groups of its rows."""

    def __init__(self, command, help_row):
        self.name, self.what = command["name"], command["what"]
        self.usage = command["usage"].split("\n")
        self.about = command["about"].split("\n\n")
        self.exits = command["exits"]
        self.groups = [(g["title"], [Option(r) for r in g["rows"]])
                       for g in command["groups"]]
        self.groups[-1][1].append(Option(help_row))
        rows = [o for _, rows in self.groups for o in rows]
        self.options = [o for o in rows if not o.operand]
        offers = {o.offer for o in rows if o.operand}
        self.cases = "cases" in offers
        self.files = "file" in offers or not self.cases


def examples(root):
    """The commands of the indented blocks of docs/cli.md, by their name."""
    found, text = {}, (root / "docs/cli.md").read_text()
    for match in re.finditer(r"^    rung ([a-z-]+) (?:.*\\\n)*.*$", text, re.M):
        found.setdefault(match[1], []).append(textwrap.dedent(match[0]))
    return found


def fill_words(found, rung, root):
    """Options whose argument is a name that rung can list."""
    reqs = json.loads(ask(rung, "list", "--reqs", "--json"))["requirements"]
    known = {"req": sorted({r["id"] for r in reqs}),
             "mutant": sorted(p.stem for p in (root / "cases/mutants").glob("*.mut"))}
    known["explain"] = known["req"]
    for o in (o for c in found for o in c.options):
        if o.offer == "text" and o.name[2:] in known:
            o.offer, o.words = "words", " ".join(known[o.name[2:]])


def ask(rung, *args):
    return subprocess.run([rung, *args], check=True, text=True,
                          capture_output=True).stdout


def commands(rung):
    """The overview, and each command."""
    tables = json.loads(ask(rung, "options"))
    return ask(rung, "--help"), [Command(c, tables["help"])
                                 for c in tables["commands"]]


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


def columns(line):
    """A line of a table, its last column wrapped."""
    hang = re.match(r" *(\S+ {2,})?", line).end()
    return textwrap.wrap(line, 70, subsequent_indent=" " * hang,
                         drop_whitespace=True, break_on_hyphens=False)


def block_text(option):
    """A text with columns of its own keeps its lines."""
    if not any("  " in line for line in option.text):
        return roff(option.says())
    lines = [x for line in option.text for x in columns(line)]
    return ".nf\n" + "\n".join(roff(x) for x in lines) + "\n.fi"


def entry(option):
    name = ", ".join(x for x in (option.short, option.name) if x)
    argument = option.argument or ""
    mark = " "
    if option.optional:
        argument = f"[={argument}]"
    if option.optional or not argument:
        mark = ""
    return [".TP", f"\\fB{roff(name)}\\fR{mark}"
            + (f"\\fI{roff(argument)}\\fR" if argument else ""),
            block_text(option)]


def page_of(command, typed, exits):
    out = head("rung-" + command.name, 1, command.what)
    out += [".SH SYNOPSIS"]
    for number, form in enumerate(command.usage):
        out += [".PP" if number else "",
                f"\\fB{roff(f'rung {command.name} {form}')}\\fR"]
    out += [".SH DESCRIPTION"]
    for paragraph in command.about:
        out += [".PP", roff(paragraph)]
    for title, rows in command.groups:
        out += [f'.SS "{roff(title)}"'] if title else []
        for option in rows:
            out += entry(option)
    out += [".SH EXAMPLES", ".nf", *(roff(x) for x in typed), ".fi"]
    said = command.exits.split(": ", 1)[1] if command.exits else exits
    out += [".SH EXIT STATUS", roff(said)]
    out += [".SH SEE ALSO", "\\fBrung\\fR(1), \\fBrung\\-case\\fR(5), "
            "\\fBrung\\-results\\fR(5)"]
    return "\n".join(x for x in out if x) + "\n"


def exit_codes(text):
    """Returns the exit codes that "rung --help" lists."""
    return " ".join(re.search(r"Exit codes: .*?\n\n", text, re.S)[0].split()[2:])


def overview(text, found):
    intro, rest = text.split("Usage: ")
    out = head("rung", 1, "conformance tests of reliable datagram transports")
    out += [".SH SYNOPSIS", f"\\fB{roff(rest.split(chr(10))[0])}\\fR",
            ".SH DESCRIPTION", roff(" ".join(intro.split())), ".SH COMMANDS"]
    for c in found:
        out += [".TP", f"\\fBrung {roff(c.name)}\\fR", roff(c.what)]
    out += [".SH EXIT STATUS", roff(exit_codes(text))]
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


def lists(found):
    """The long lists of words, such as mutants, which several options offer,
    with a name for each; a file has them once."""
    words = dict.fromkeys(o.words for c in found for o in c.options
                          if o.offer == "words" and len(o.words) > 200)
    return {w: f"_rung_words_{i}" for i, w in enumerate(words, 1)}


def bash(found):
    out = ["# generated by tools/manual.py", "_rung() {",
           '\tlocal cur=${COMP_WORDS[COMP_CWORD]} '
           'prev=${COMP_WORDS[COMP_CWORD-1]}', "\tCOMPREPLY=()",
           "\tif [ \"$COMP_CWORD\" = 1 ]; then",
           f"\t\tCOMPREPLY=($(compgen -W \"{' '.join(c.name for c in found)} "
           "--help --version\" -- \"$cur\"))", "\t\treturn", "\tfi",
           '\tcase $prev in']
    out[-1] = '\tcase ${COMP_WORDS[1]}$prev in'
    offered = {}
    for c in found:
        for o in c.options:
            both = "|".join(c.name + n for n in (o.short, o.name) if n)
            if o.offer == "words":
                offered.setdefault(o.words, []).append(both)
            elif o.offer == "file" and not o.optional:
                out += [f"\t{both}) COMPREPLY=($(compgen -f -- \"$cur\")); "
                        "return ;;"]
    for words, options in offered.items():
        out += [f"\t{'|'.join(options)}) COMPREPLY=($(compgen -W \"{words}\" -- "
                "\"$cur\")); return ;;"]
    out += ["\tesac", "\tcase ${COMP_WORDS[1]} in"]
    for c in found:
        out += [f"\t{c.name}) [ \"${{cur:0:1}}\" = - ] && COMPREPLY=($(compgen "
                f"-W \"{' '.join(names(c))}\" -- \"$cur\")) ;;"]
    out += ["\tesac", "\t[ \"${cur:0:1}\" = - ] && return",
            "\tcase ${COMP_WORDS[1]} in"]
    ids = ("\t\tCOMPREPLY=($(compgen -W \"$(rung list 2>/dev/null |\n"
           "\t\t\tsed -n 's/^\\([^ ]*@[a-z]*\\) .*/\\1/p')\" -- \"$cur\")\n"
           "\t\t\t$(compgen -f %s-- \"$cur\")) ;;")
    for files, filter_ in ((False, "-X '!*.lad' "), (True, "")):
        names_ = [c.name for c in found if c.cases and c.files == files]
        out += [f"\t{'|'.join(names_)})", ids % filter_]
    out += ["\t*) COMPREPLY=($(compgen -f -- \"$cur\")) ;;", "\tesac", "}",
            "complete -o filenames -F _rung rung"]
    return "\n".join(out) + "\n"


def quoted(text):
    return text.replace("'", "'\\''")


def zsh_option(o, long):
    says = quoted(re.sub(r"([\[\]:])", r"\\\1", o.brief()))
    words = quoted(o.words).replace(":", "\\:")
    value = {None: "", "file": ":file:_files", "text": ":value:",
             "words": f":word:{long.get(o.words) or f'({words})'}"}[o.offer]
    optional = "=-" if o.optional else ""
    return [f"'{n}{optional if n == o.name else ''}[{says}]{value}'"
            for n in (o.short, o.name) if n]


def zsh(found):
    long = lists(found)
    out = ["#compdef rung", "# generated by tools/manual.py"]
    for words, name in long.items():
        out += [f"{name}() {{", "\tlocal -a known", f"\tknown=({words})",
                "\tcompadd \"$@\" -a known", "}"]
    out += ["_rung_cases() {", "\tlocal -a ids",
           "\tids=(${(f)\"$(rung list 2>/dev/null | "
           "sed -n 's/^\\([^ ]*@[a-z]*\\) .*/\\1/p')\"})",
           "\tcompadd -a ids", "\t_files ${1:+-g '*.lad'}", "}", "_rung() {",
           "\tlocal -a commands", "\tcommands=("]
    out += [f"\t\t'{c.name}:{quoted(c.what)}'" for c in found]
    out += ["\t)", "\tif ((CURRENT == 2)); then",
            "\t\t_describe command commands", "\t\treturn", "\tfi",
            "\tlocal name=$words[2]", "\tshift words", "\t((CURRENT--))",
            "\tcase $name in"]
    for c in found:
        out += [f"\t{c.name})", "\t\t_arguments \\"]
        out += [f"\t\t\t{x} \\" for o in c.options
                for x in zsh_option(o, long)]
        action = "_files"
        if c.cases:
            action = "_rung_cases" if c.files else "_rung_cases lad"
        out += [f"\t\t\t'*:argument:{action}' ;;"]
    out += ["\tesac", "}", '_rung "$@"']
    return "\n".join(out) + "\n"


def fish(found):
    long = lists(found)
    out = ["# generated by tools/manual.py", "complete -c rung -f"]
    for words, name in long.items():
        out += [f"function {name}", f"    string split ' ' '{words}'", "end"]
    for c in found:
        out += [f"complete -c rung -n __fish_use_subcommand -a {c.name} "
                f"-d '{quoted(c.what)}'"]
        seen = f"-n '__fish_seen_subcommand_from {c.name}'"
        for o in c.options:
            line = f"complete -c rung {seen} -l {o.name.lstrip('-')}"
            if o.short:
                line += f" -s {o.short[1:]}"
            line += {None: "", "file": " -rF", "text": " -x", "words":
                     f" -x -a '({long[o.words]})'" if o.words in long else
                     f" -x -a '{quoted(o.words)}'"}[o.offer]
            out += [f"{line} -d '{quoted(o.brief())}'"]
        if c.cases:
            out += [f"complete -c rung {seen} -a \"(rung list 2>/dev/null | "
                    "string match -r '^\\S+@\\w+')\""]
        if c.files:
            out += [f'complete -c rung {seen} -a "(__fish_complete_path)"']
    return "\n".join(out) + "\n"


def squeeze(path, content):
    """What packages hold; the same bytes whenever it is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content.encode(), 9, mtime=0))


def main():
    rung, root, out = sys.argv[1], *map(pathlib.Path, sys.argv[2:4])
    text, found = commands(rung)
    fill_words(found, rung, root)
    typed = examples(root)
    files = {"man/man1/rung.1": overview(text, found),
             "bash/rung": bash(found), "zsh/_rung": zsh(found),
             "fish/rung.fish": fish(found)}
    for c in found:
        files[f"man/man1/rung-{c.name}.1"] = page_of(
            c, typed.get(c.name, []), exit_codes(text))
    for name, (source, what) in CHAPTERS.items():
        files[f"man/man5/{name}.5"] = chapter(name, root / "docs" / source,
                                              what)
    for name, content in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    for name, content in files.items():
        if name.startswith("man/"):
            squeeze(out / "packed" / (name + ".gz"), content)
    squeeze(out / "packed/changelog.gz",
            (root / "packaging/changelog").read_text())


if __name__ == "__main__":
    main()
