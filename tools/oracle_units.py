# SPDX-License-Identifier: BSD-2-Clause
"""Runs the unit tests of oracle/ with a changed line.

A program of a unit test is linked again with the changed object before the
library, so that the linker never looks for the original.  The build has
sanitizers: a leak or a read behind an array fails a test.
"""
import json
import pathlib
import re
import resource
import shlex
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 60  # seconds of processor time of one test
FAMILIES = ({"uet"}, {"srd"}, {"wqe", "roce"})  # none runs another's code


def apart(path, other):
    """Returns true if both files are of families, of two that differ."""
    rooms = {path.split("/")[1]}, {other.split("/")[1]}
    of = [next((f for f in FAMILIES if f & r), None) for r in rooms]
    return None not in of and of[0] is not of[1]


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))


def link_command(build, target):
    """Returns the command that links a program of a build."""
    lines = subprocess.run(["ninja", "-C", str(build), "-t", "commands",
                            target], text=True, capture_output=True,
                           check=True).stdout
    return lines.strip().split("\n")[-1]


class Units:
    """The unit tests of a build of the dev preset."""

    def __init__(self, build):
        self.build = build
        self.compiles = {
            str(pathlib.Path(c["file"]).relative_to(ROOT)): c["command"]
            for c in json.loads((build / "compile_commands.json").read_text())
            if f"{ROOT}/oracle/" in c["file"]}
        tests = [f"tests/oracle_{pathlib.Path(f).stem}" for f in self.compiles
                 if f.endswith("_test.c")]
        self.links = {t: link_command(build, t) for t in tests}
        if not any("-fsanitize=" in link for link in self.links.values()):
            raise SystemExit(f"{build}: no build with sanitizers")

    def tests_of(self, path):
        """The tests that may run a file, those that fail most often first:
        the records of drawn runs, and then those beside it."""
        near = str(pathlib.Path(path).parent)
        tests = [f for f in self.compiles
                 if f.endswith("_test.c") and not apart(f, path)]
        return [f"tests/oracle_{pathlib.Path(f).stem}" for f in
                sorted(tests, key=lambda f: (not f.endswith("_record_test.c"),
                                             not f.startswith(near), f))]

    def fail(self, diff):
        """Returns the test that fails with a change of one line, or None."""
        lines = diff.split("\n")
        path = lines[0].split()[1]
        with tempfile.TemporaryDirectory() as tmp:
            obj = pathlib.Path(tmp) / "mutant.o"
            if not self.compile(path, changed(path, lines), obj):
                return "the compiler"
            return next((t for t in self.tests_of(path)
                         if not self.passes(t, obj)), None)

    def compile(self, path, text, to):
        command = [w for w in shlex.split(self.compiles[path])
                   if w != "-Werror"]
        command = command[command[0].endswith("ccache"):]
        command[command.index("-o") + 1] = str(to)
        command[command.index("-c"):] = ["-c", "-x", "c", "-"]
        return subprocess.run(command, input=text, text=True, cwd=self.build,
                              capture_output=True, check=False).returncode == 0

    def passes(self, test, obj):
        program = obj.parent / "test"
        link = re.sub(r"-o \S+", f"-o {program} -Wl,--strip-debug",
                      self.links[test], count=1)
        link = link.replace("liboracle.a", f"{obj} liboracle.a", 1)
        subprocess.run(link, shell=True, cwd=self.build, check=True,
                       capture_output=True)
        return subprocess.run([str(program)], cwd=ROOT, preexec_fn=limits,
                              capture_output=True,
                              check=False).returncode == 0


def changed(path, diff):
    """The text of a file with a difference of one line."""
    lines = (ROOT / path).read_text().split("\n")
    start = int(re.match(r"@@ -(\d+)", diff[2])[1]) - 1
    old = next(i for i, l in enumerate(diff[3:]) if l.startswith("-"))
    new = next(l for l in diff[3:] if l.startswith("+"))
    if lines[start + old] != diff[3 + old][1:]:
        raise SystemExit(f"{path}: another tree than that of the difference")
    lines[start + old] = new[1:]
    return "\n".join(lines)
