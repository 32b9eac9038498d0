#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Installs librung, builds its examples by pkg-config, and runs them.

Usage: examples_test.py BUILD LIB_SOURCE CAPTURES
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
CAPTURES = pathlib.Path(sys.argv[3])


def call(*argv, env=None, code=0):
    done = subprocess.run(argv, text=True, capture_output=True, check=False,
                          env=env)
    assert code is None or done.returncode == code, (argv, done.returncode, done.stdout,
                                     done.stderr)
    return done.stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        for component in ("lib", "dev"):
            call("cmake", "--install", BUILD, "--component", component,
                 "--prefix", folder)
        library = next(pathlib.Path(folder).rglob("librung.so"))
        env = dict(os.environ, LD_LIBRARY_PATH=str(library.parent),
                   PKG_CONFIG_PATH=f"{library.parent}/pkgconfig")
        # librung.pc finds the prefix from its own place.
        flags = call("pkg-config", "--cflags", "--libs", "librung",
                     env=env).split()
        for name in ("judge", "device", "capture"):
            call("cc", "-std=c17", "-Wall", "-Wextra", "-Werror",
                 str(SOURCE / f"examples/{name}.c"), "-o", f"{folder}/{name}",
                 *flags)
        said = call(f"{folder}/judge", env=env)
        assert "UET-ACK-26/dst by 10.0.0.2" in said, said
        said = call(f"{folder}/device", env=env)
        assert said == "pass: 2 of 2 answers as expected\n", said
        said = call(f"{folder}/device", "bug", env=env, code=1)
        assert "fail: " in said and "UET-ACK-26/dst" in said, said
        said = [call(f"{folder}/capture", str(path), env=env, code=None)
                for path in sorted(CAPTURES.glob("*.pcap"))]
        assert any("frame " in s and " by " in s for s in said), said
        assert any(re.search(r"flow from frame \d+: [1-9]\d* and", s)
                   for s in said), said
        call(f"{folder}/capture", "/dev/null", env=env, code=2)
        symbols = call("nm", "-D", "--defined-only", str(library)).split("\n")
        names = {s.split()[-1] for s in symbols if s and " A " not in s}
        wrong = {n for n in names if not n.startswith("rung_") or
                 not n.endswith("@@RUNG_0.1")}
        assert names and not wrong, wrong
        header = (SOURCE / "rung.h").read_text()
        for name in names:
            assert name.split("@")[0] + "(" in header, name
    print(f"{len(names)} functions, three examples")


if __name__ == "__main__":
    main()
