#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks the order of includes, the use of the operating system, and
allocations.

A floor may include itself and the floors named for it.  Of the judge, other
floors may include only its interface.  Clocks, sockets, files, processes and
threads belong to the drivers alone.

Usage: tools/floors.py [ROOT]
Exit status 1 and one line per offence, 0 if there is none.
"""
import fnmatch
import pathlib
import re
import sys

# Each floor and the floors that it may include besides itself, lowest first.
BELOW = {
    "base": "",
    "wire": "base",
    "oracle": "wire base",
    "judge": "wire base",
    "gen": "oracle wire base",
    "suite": "gen judge oracle wire base",
    "fabric": "judge oracle wire base",
    "lib": "suite judge oracle wire base",
    "reports": "lib suite gen judge oracle wire base",
    "cli": "reports fabric lib suite gen judge oracle wire base",
    "dissector": "lib judge wire base",
}

# The interface of the judge.  The program, the library and the Wireshark plugin
# judge through these headers alone.
JUDGE = {
    "judge/judge.h",         # push a packet, get findings and facts
    "judge/core/watch.h",    # the same for frames of a capture
    "judge/core/copies.h",   # frames that were captured twice
    "judge/core/pool.h",     # the source of memory for many flows
    "judge/req.h",           # the catalogue of requirements
    "judge/governs.def",     # the deviations that a requirement governs
    "judge/transport.h",     # the properties of a transport
}

# The plugin judges by the library: of the judge it includes only these.
JUDGE_OF_PLUGIN = {"judge/req.h", "judge/transport.h", "judge/core/copies.h"}

# Of the library, other floors may include the public header, and the header of
# what the program and the plugin alone pass to it.
LIB = {"lib/rung.h", "lib/lib_inside.h", "lib/lib_finding.h"}

# The only files that may use the operating system.
DRIVERS = ["gen/port/port_*.c", "suite/dut/chan/*.c", "cli/*.c",
           "suite/lang/builtin.c",  # unpacks its texts once for all threads
           "lib/examples/*.c"]  # these are programs of their own

# Tests of drivers use the operating system. Other tests may read and rewrite
# golden files, and run a tool on their output.
DRIVER_TESTS = ["gen/port/port_*_test.c", "suite/dut/*_test.c"]
TEST_MAY = {"open", "fopen", "read", "write", "getenv", "popen", "exit"}

SYSTEM = re.compile(
    r"(?<![\w.])(?<!->)("
    r"clock_gettime|gettimeofday|time|clock|nanosleep|clock_nanosleep|usleep|"
    r"sleep|rand|srand|random|srandom|drand48|getrandom|"
    r"socket|socketpair|bind|connect|listen|accept4?|send|sendto|sendmm?sg|"
    r"recv|recvfrom|recvmm?sg|poll|ppoll|select|pselect|epoll_\w+|"
    r"read|write|readv|writev|open|openat|fopen|fdopen|popen|system|"
    r"fork|vfork|execv?p?e?|execlp?e?|posix_spawnp?|_exit|exit|abort|"
    r"signal|sigaction|kill|raise|pthread_\w+|thrd_\w+|mtx_\w+|dlopen|dlsym|"
    r"getenv|setenv|setlocale)\s*\(")
# Calls that allocate without base/memory.h, which counts failed allocations.
# Memory of json_dumps() may not be for free().
MEMORY = re.compile(r"(?<![\w.])(?<!->)(malloc|calloc|realloc|aligned_alloc|json_dumps)\(")
MAY_ALLOCATE = ["base/memory.c", "cli/json_memory.c", "*_test.[ch]", "dissector/*"]

# The name of a static function, which may equal that of a library.
OWN = re.compile(r"^static\b[^;=(]*?\b(\w+)\(", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+"(([a-z]+)/[^"]*)"', re.M)
# Comments and string literals, in the order in which they begin.
NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])\'',
                   re.S)


def blank(match):
    """Keeps line breaks, so that line numbers stay right."""
    return "\n" * match.group().count("\n") or " "


def includes(name, floor, text):
    may = {floor, *BELOW[floor].split()}
    judge = JUDGE_OF_PLUGIN if floor == "dissector" else JUDGE
    for match in INCLUDE.finditer(text):
        header, target = match.groups()
        line = text.count("\n", 0, match.end()) + 1
        if target not in may:
            yield f"{name}:{line}: {floor}/ must not include {target}/"
        elif target == "judge" != floor and header not in judge:
            yield f"{name}:{line}: {header} is not in the judge's interface"
        elif target == "lib" != floor and header not in LIB:
            yield f"{name}:{line}: {header} is not in the library's interface"


def calls(name, text):
    test = name.endswith(("_test.c", "_test.h"))
    if any(fnmatch.fnmatch(name, d) for d in DRIVERS + DRIVER_TESTS):
        return
    clean = NOISE.sub(blank, text)
    may = set(OWN.findall(clean)) | (TEST_MAY if test else set())
    for match in SYSTEM.finditer(clean):
        if match.group(1) in may:
            continue
        line = clean.count("\n", 0, match.start()) + 1
        yield f"{name}:{line}: only a driver may call {match.group(1)}()"


def allocations(name, text):
    if any(fnmatch.fnmatch(name, d) for d in MAY_ALLOCATE):
        return
    clean = NOISE.sub(blank, text)
    for match in MEMORY.finditer(clean):
        line = clean.count("\n", 0, match.start()) + 1
        yield f"{name}:{line}: {match.group(1)}() hides a lack of memory"


def offences(root):
    for floor in BELOW:
        for path in sorted((root / floor).glob("**/*.[ch]")):
            name = path.relative_to(root).as_posix()
            text = path.read_text()
            yield from includes(name, floor, text)
            yield from calls(name, text)
            yield from allocations(name, text)


if __name__ == "__main__":
    found = list(offences(pathlib.Path(sys.argv[1] if sys.argv[1:] else ".")))
    for line in found:
        print(line)
    sys.exit(bool(found))
