#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests what bash, zsh and fish offer after "rung"."""
import os
import pathlib
import shutil
import subprocess

from lib import RUNG, main

HERE = pathlib.Path(RUNG).parent
MANUAL = HERE.parent / "manual"

BASH = """
source "$1/bash/rung"
read -ra COMP_WORDS <<<"$2"
[[ $2 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_rung
printf '%s\\n' "${COMPREPLY[@]}"
"""

# Types into a pseudo-terminal and waits for the expected text.
ZSH = """
zmodload zsh/zpty
zpty rung zsh -f -i
zpty -w rung "PROMPT=; fpath=($1/zsh \\$fpath); autoload -U compinit;" \\
    "compinit -D -u; COLUMNS=200; print rea''dy"
zpty -r rung said '*ready*'
zpty -w -n rung "$2"$'\\t\\t'
zpty -r rung said "*$3*"
print -r -- "$said"
"""


def ask(shell, *args):
    path = f"{HERE}:{os.environ['PATH']}"
    done = subprocess.run([shell, *args], capture_output=True, text=True,
                          timeout=20, check=False,
                          env={**os.environ, "PATH": path, "TERM": "vt100"})
    assert done.returncode == 0 and not done.stderr, (args, done)
    return done.stdout


def words(shell, line):
    if shell == "bash":
        return ask("bash", "-c", BASH, "bash", MANUAL, line).split()
    out = ask("fish", "-N", "-c",
              f"source {MANUAL}/fish/rung.fish; complete -C '{line}'")
    return [x.split("\t")[0] for x in out.splitlines()]


def offers(shell):
    assert {"run", "check", "replay", "report"} <= set(words(shell, "rung "))
    assert words(shell, "rung check --expl") == ["--explain"]
    assert words(shell, "rung run uet/trim/request-l") == \
        ["uet/trim/request-last-hop@target"]
    assert words(shell, "rung run --req UET-ACK-26") == ["UET-ACK-26"]
    assert words(shell, "rung check --explain UET-ACK-26") == ["UET-ACK-26"]
    assert "cack-over-uncleared" in words(shell, "rung run --mutant cack-")
    assert {"smoke", "full"} == set(words(shell, "rung run --profile "))


def test_bash():
    offers("bash")


def test_fish():
    if shutil.which("fish"):
        offers("fish")


def test_zsh():
    if not shutil.which("zsh"):
        return
    for line, wanted in (("rung ch", "check"),
                         ("rung check --expl", "--explain"),
                         ("rung run --req UET-ACK-2", "UET-ACK-26"),
                         ("rung show --mutant cack-over-unc", "uncleared"),
                         ("rung run uet/trim/request-l", "last-hop@target")):
        ask("zsh", "-f", "-c", ZSH, "zsh", MANUAL, line, wanted)


def test_descriptions_are_short():
    if not shutil.which("fish"):
        return
    out = ask("fish", "-N", "-c", f"source {MANUAL}/fish/rung.fish; "
              "complete -C 'rung run --dut'")
    assert out == "--dut\twhat is tested\n", out


if __name__ == "__main__":
    main(globals())
