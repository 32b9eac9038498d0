# SPDX-License-Identifier: BSD-2-Clause
"""Attacks rung with captures that unpack to hundreds of times their size.

Usage: bomb.py RUNG

rung check and rung ladder read them in little memory, and write no file of the
unpacked size.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import zlib

RUNG = os.path.abspath(sys.argv[1])
UNPACKED = 80 << 20      # bytes
MEMORY = 60 << 20        # limit of resident bytes
WRITTEN = 8 << 20        # the longest file


def bomb(where, name, capture):
    """Writes the frames of a pcap repeatedly, compressed."""
    head, frames = capture[:24], capture[24:]
    chunk = frames * ((1 << 20) // len(frames) + 1)
    times = UNPACKED // len(chunk)
    path = where / f"bomb.{name}"
    if name == "gzip":
        z = zlib.compressobj(6, wbits=31)
        with open(path, "wb") as f:
            f.write(z.compress(head))
            for _ in range(times):
                f.write(z.compress(chunk))
            f.write(z.flush())
    else:
        with open(path, "wb") as f:
            done = subprocess.Popen(["zstd", "-q", "-3", "-c"], stdin=subprocess.PIPE, stdout=f)
            done.stdin.write(head)
            for _ in range(times):
                done.stdin.write(chunk)
            done.stdin.close()
            assert done.wait() == 0
    return path


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (WRITTEN, WRITTEN))


def attempt(where, args, stdin=subprocess.DEVNULL):
    with open(where / "out", "wb+") as out:
        child = subprocess.Popen([RUNG, *map(str, args)], stdin=stdin, stdout=out, stderr=out,
                                 preexec_fn=limit)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = code = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read().decode(errors="replace")
    memory = used.ru_maxrss * 1024
    ok = code in (0, 1) and memory <= MEMORY
    print(f"{'ok  ' if ok else 'FAIL'} rung {args[0]} of {args[-1]}: exit code {code}, "
          f"{memory >> 20} MB, {used.ru_utime:.1f} s")
    if not ok:
        print(said[-500:])
    return ok


def main():
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        where = pathlib.Path(folder)
        plain = where / "one.pcap"
        subprocess.run([RUNG, "gen", "-q", "uet/rud/send-gtd@target", "--side", "both",
                        "-o", plain], check=True)
        for name in ("gzip", "zstd"):
            path = bomb(where, name, plain.read_bytes())
            assert path.stat().st_size * 50 < UNPACKED, path.stat().st_size
            bad += not attempt(where, ["check", path])
            bad += not attempt(where, ["ladder", path])
            with open(path, "rb") as f:
                bad += not attempt(where, ["ladder", "-"], f)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
