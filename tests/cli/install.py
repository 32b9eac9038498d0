#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests the installed files: --help, man pages and completions name each
option, the editor grammars know every line, and the Debian package installs
and purges."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from lib import CASE, RUNG, expect, main, rung

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(RUNG).parents[1]
COMMANDS = re.findall(r"^  ([\w-]+) +\w", rung("--help").stdout.split(
    "Commands:\n")[1].split("\n\n")[0], re.M)


def manual():
    done = subprocess.run([sys.executable, str(ROOT / "tools/manual.py"), RUNG,
                           str(ROOT), "out"], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    return pathlib.Path("out")


def tables():
    """Returns the commands and their options, as the program lists them."""
    done = expect(rung("options"), 0)
    return json.loads(done.stdout)["commands"]


def options(command):
    return [r for g in command["groups"] for r in g["rows"]
            if not r["operand"]]


def test_help_lists_every_row():
    found = tables()
    assert [c["name"] for c in found] == COMMANDS, COMMANDS
    for command in found:
        text = rung(command["name"], "--help").stdout
        for r in options(command):
            start = f"  -{r['letter']}, " if r["letter"] else "      "
            assert re.search(f"^{start}--{r['name']}\\b", text, re.M), r
            words = r["help"].split()
            assert " ".join(words) in " ".join(text.split()), r


def test_the_parser_takes_every_row():
    for command in tables():
        for r in options(command):
            for name in {r["name"], r["also"] or r["name"]}:
                if r["argument"] and not r["optional"]:
                    given, why = f"--{name}", "requires an argument"
                elif not r["argument"]:
                    given, why = f"--{name}=x", "doesn't allow an argument"
                else:
                    continue
                expect(rung(command["name"], given), 2,
                       err=f"option '--{name}' {why}")
            if r["letter"] and r["argument"]:
                expect(rung(command["name"], f"-{r['letter']}"), 2,
                       err=f"requires an argument -- '{r['letter']}'")


def test_pages_and_completions_name_every_option():
    out = manual()
    fish = (out / "fish/rung.fish").read_text()
    bash = (out / "bash/rung").read_text()
    zsh = (out / "zsh/_rung").read_text()
    for command in tables():
        name = command["name"]
        page = (out / f"man/man1/rung-{name}.1").read_text()
        plain = page.replace("\\-", "-")
        offered = re.search(rf"^\t{name}\) .*-W \"(.*?)\"", bash, re.M)[1].split()
        for r in options(command):
            assert f"--{r['name']}\\fR" in plain, (name, r)
            assert f"--{r['name']}" in offered, (name, r)
            assert re.search(f"'--{r['name']}(=-)?\\[", zsh.split(
                f"\n\t{name})\n")[1].split(";;")[0]), (name, r)
            assert f"from {name}' -l {r['name']} " in fish + " ", (name, r)
            if r["letter"]:
                assert f"-{r['letter']}" in offered, (name, r)
        examples = plain.split(".SH EXAMPLES\n")[1].split(".SH")[0]
        assert f"\nrung {name} " in examples, examples
        exits = plain.split(".SH EXIT STATUS\n")[1].split(".SH")[0]
        assert len(exits) > 10, (name, exits)
    for name in ("case", "results", "baseline", "declaration", "control"):
        assert (out / f"man/man5/rung-{name}.5").stat().st_size > 3000, name


def test_pages_are_clean():
    out = manual()
    if not shutil.which("groff"):
        return
    for page in sorted(out.glob("man/*/*")):
        done = subprocess.run(["groff", "-man", "-ww", "-z", "-Tutf8", page],
                              capture_output=True, text=True, check=False)
        assert not done.stderr and not done.returncode, (page, done.stderr)


# ---- Editors ----

def case_lines():
    for path in sorted((ROOT / "cases").rglob("*.lad")):
        for number, line in enumerate(path.read_text().split("\n"), 1):
            text = re.sub(r"(^|\s)#.*$", "", line)
            if text.strip() and text.strip() not in "{}":
                yield f"{path}:{number}", text


def test_vscode_knows_every_line():
    folder = ROOT / "editors/vscode"
    package = json.loads((folder / "package.json").read_text())
    grammar = json.loads((folder / package["contributes"]["grammars"][0]["path"]
                          ).read_text())
    rules = [(p.get("name") or str(p["captures"]), re.compile(p["match"]))
             for p in grammar["patterns"]]
    first = [r for n, r in rules if r.pattern.startswith("^")]
    used = set()
    for place, line in case_lines():
        line = re.sub(r"^\s*}\s*$", "", line)
        if not line or re.match(r"\s*([|[]|\.\.\.\s)", line):  # goes on
            continue
        assert any(r.match(line) for r in first), f"{place}: {line!r}"
        used |= {n for n, r in rules if r.search(line)}
    unused = {n for n, _ in rules} - used
    assert unused <= {"comment.line.number-sign.rung"}, unused


def test_vim_and_vscode_have_the_same_words():
    vim = (ROOT / "editors/vim/syntax/rung.vim").read_text()
    code = (ROOT / "editors/vscode/syntaxes/lad.tmLanguage.json").read_text()
    for group in re.findall(r"\(([a-z_]+(?:\|[a-z_]+){2,})\)", code):
        for word in group.split("|"):
            assert re.search(rf"\b{word}\b", vim), word


# ---- The package ----

def files(root):
    """Returns all files but those of dpkg itself."""
    return sorted(p.relative_to(root).as_posix() for p in
                  pathlib.Path(root).rglob("*")
                  if not p.relative_to(root).as_posix().startswith("var"))


def test_package_comes_and_goes():
    if not shutil.which("cpack") or not shutil.which("dpkg") or \
            os.geteuid() != 0 or not (BUILD / "CPackConfig.cmake").exists():
        return
    # tests/package/packages.sh tests the others, in a root of their own.
    done = subprocess.run(["cpack", "-G", "DEB", "-B", "package",
                           "-D", "CPACK_COMPONENTS_ALL=rung", "--config",
                           str(BUILD / "CPackConfig.cmake")],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    deb = next(pathlib.Path("package").glob("*.deb"))
    for name in ("info", "updates", "triggers"):
        os.makedirs(f"root/var/lib/dpkg/{name}")
    pathlib.Path("root/var/lib/dpkg/status").touch()
    before = files("root")

    def dpkg(*args):
        done = subprocess.run(["dpkg", "--root=root", "--force-depends",
                               "--log=/dev/null", *args], capture_output=True,
                              text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    dpkg("--install", str(deb))
    tree = pathlib.Path("root/usr")
    program = tree / "bin/rung"
    for name in ("share/man/man1/rung-run.1", "share/man/man5/rung-case.5",
                 "share/bash-completion/completions/rung",
                 "share/vim/vimfiles/syntax/rung.vim",
                 "share/doc/rung/copyright"):
        assert (tree / name).exists() or (tree / (name + ".gz")).exists(), name
    done = subprocess.run([program, "run", "--dut", "virtual", "--out", "o",
                           CASE], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and pathlib.Path("o/report.html").exists()
    done = subprocess.run([program, "run", "--dut", "ref", CASE],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    dpkg("--purge", "rung")
    assert files("root") == before, set(files("root")) - set(before)


if __name__ == "__main__":
    main(globals())
