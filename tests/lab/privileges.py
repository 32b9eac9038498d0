#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that the tester keeps the capabilities that docs/cli.md lists, and
that the programs that it starts have none.

The test reads in /proc the capabilities of each thread, and the descriptors
and environment of each started program: with every kind of port, as root and
as a user whose rung has file capabilities.

Usage: tools/lab privileges.py RUNG
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

RUNG = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(__file__).resolve().parents[2]
PEER = os.environ["LAB_PEER"].split()
CASE = "uet/rud/edge/wrong-dpdcid@target"  # needs no control channel
PATIENCE = 20  # seconds
DECL = str(ROOT / "tests/lab/wire.decl")
US, DEVICE = "10.1.0.1", "10.1.0.2"

NUMBERS = {"dac_override": 1, "dac_read_search": 2, "fowner": 3, "kill": 5,
           "net_bind_service": 10, "net_admin": 12, "net_raw": 13,
           "ipc_lock": 14, "sys_admin": 21, "sys_resource": 24}
FILES = {"dac_override", "dac_read_search", "fowner"}

SLOW = """title Slow
covers RUD-SVC-2
needs rud send

chair target
  use open
  wait 1500ms
  use close

chair initiator
  post send len=64
  <  rud_req | std send som eom | data 64  [RUD-SEQ-76]
"""


def mask(names):
    return sum(1 << NUMBERS[name] for name in names) & status("/proc/self")["Prm"]


def table():
    """Returns, by kind of port, the capabilities to open, to hold and to keep,
    from the document."""
    rows = {}
    text = (ROOT / "docs/cli.md").read_text()
    for kind, cells in re.findall(
            r"^\* `(virtual|udp|raw|ring|xdp)`\n((?:  .*\n)+)", text, re.M):
        items = re.split(r"^  \* ", cells, flags=re.M)[1:]
        if len(items) == 3:
            rows[kind] = [set(re.findall(r"`(\w+)`", item.split(":", 1)[1]))
                          for item in items]
    assert list(rows) == ["virtual", "udp", "raw", "ring", "xdp"], rows
    return rows


def variables():
    """Returns the environment variables that programs get, from the document;
    * matches any end."""
    text = (ROOT / "docs/dut-control.md").read_text()
    line = re.search(r"\* \*\*Environment\*\*: (.*?), each if", text, re.S)[1]
    return {name: re.compile(name.replace("*", ".*") + "$")
            for name in re.findall(r"`([A-Z_*]+)`", line)}


TABLE, VARIABLES = table(), variables()
# A user namespace with one user has no second user, and permits no AF_XDP
# program.
ALL_USERS = "4294967295" in pathlib.Path("/proc/self/uid_map").read_text()
KINDS = ["udp", "raw", "ring"] + (["xdp"] if ALL_USERS else [])


def status(path):
    lines = pathlib.Path(path, "status").read_text().split("\n")
    found = dict(line.split(":\t") for line in lines if ":\t" in line)
    return {name: int(found["Cap" + name], 16)
            for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")} | {
                "New": int(found["NoNewPrivs"])}


def sets(effective=(), permitted=()):
    return {"Inh": 0, "Prm": mask({*effective, *permitted}),
            "Eff": mask(effective), "Bnd": 0, "Amb": 0, "New": 1}


NOTHING = sets()


def tasks(pid):
    return [int(t.name) for t in pathlib.Path(f"/proc/{pid}/task").iterdir()]


def children(pid):
    found = []
    for task in tasks(pid):
        text = pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text()
        found += [int(child) for child in text.split()]
    return found + [below for child in found for below in children(child)]


def until_true(look, run):
    """Waits until |look| returns no fault."""
    until = time.monotonic() + PATIENCE
    while complaint := attempt(look):
        assert time.monotonic() < until, complaint
        assert run.poll() is None, (complaint, run.communicate())
        time.sleep(0.01)


def attempt(look):
    try:
        return look()
    except FileNotFoundError as gone:  # the process has ended
        return str(gone)


@contextlib.contextmanager
def started(command, **more):
    run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                           stderr=subprocess.PIPE, **more)
    try:
        yield run
    finally:
        run.terminate()
        run.communicate(timeout=PATIENCE)


@contextlib.contextmanager
def serve(port):
    with started([*PEER, RUNG, "serve", "--port", port,
                  "--decl", DECL]) as device:
        line = device.stderr.readline()
        assert "listening" in line, line
        yield device


def link(kind):
    """Returns --dut for a kind of port, and the port that the device
    serves."""
    if kind == "udp":
        return f"udp:{US},peer={DEVICE}", f"udp:{DEVICE}"
    return f"{kind}:va,ip={US},peer={DEVICE}", f"{kind}:vb,ip={DEVICE}"


def watch_threads(run, worker, first):
    """Waits until the workers, and the first thread, have these sets."""
    def look():
        seen = {t: status(f"/proc/{run.pid}/task/{t}") for t in tasks(run.pid)}
        mine = seen.pop(run.pid)
        good = seen and mine == first and all(s == worker
                                              for s in seen.values())
        return None if good else (seen, worker, mine, first)
    until_true(look, run)


def complaint_of(pid, wants):
    """Returns how a program differs from the documents."""
    seen = status(f"/proc/{pid}")
    if pathlib.Path(f"/proc/{pid}/exe").readlink().name == "rung":
        return seen["Eff"] & ~mask(TABLE["udp"][1])  # it drops its own
    if seen != wants:
        return seen
    open_ones = {int(fd.name): os.readlink(fd)
                 for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir()}
    if set(open_ones) != {0, 1, 2} or not all(
            to.startswith("pipe:") or to == "/dev/null"  # of a shell's &
            for to in open_ones.values()):
        return open_ones
    names = [entry.split("=")[0] for entry in pathlib.Path(
        f"/proc/{pid}/environ").read_text().split("\0") if entry]
    strange = [name for name in names if name not in {"PWD", "OLDPWD", "_"}
               and not any(r.match(name) for r in VARIABLES.values())]
    if strange:
        return strange
    return None if {"PATH", "RUNG_TEST"} <= set(names) else names


def watch_children(run, wants):
    """Waits until the programs run and have these sets."""
    def look():
        found = children(run.pid)
        if not found:
            return "no program"
        return next(filter(None, (complaint_of(c, wants) for c in found)), None)
    until_true(look, run)


ENV = {**os.environ, "RUNG_TEST": "1", "SECRET": "1", "LD_SECRET": "1"}
# A device that answers on the control channel and is silent on the wire.
MUTE = f"sleep 100 & exec {RUNG} serve --udp 127.0.0.9 --control stdio"


def test_ports_of_the_tester():
    pathlib.Path("slow.lad").write_text(SLOW)
    for kind in KINDS:
        dut, port = link(kind)
        with serve(port) as device:
            holds, keeps = TABLE[kind][1:]
            assert status(f"/proc/{device.pid}") == sets(holds, keeps), kind
            with started([RUNG, "run", "-q", "--dut", dut, "--decl", DECL,
                          "slow.lad@target"]) as run:
                watch_threads(run, sets(holds, keeps), sets(FILES))
                assert run.wait(timeout=PATIENCE) == 0, run.communicate()
    for end in ([], PEER):  # no process stays behind
        shown = subprocess.run([*end, "ip", "link"], capture_output=True,
                               text=True, check=True).stdout
        assert "xdp" not in shown, shown


def test_other_commands():
    """Commands that open a port on their first thread."""
    lo = "127.70.0.{},peer=127.70.0.{}"
    rows = [(["send", CASE, "--loop", "0", "--rate", "10", "--port",
              f"{kind}:va"], sets((), TABLE[kind][2]))
            for kind in KINDS[1:]]
    rows += [(["bridge", "udp:" + lo.format(1, 2), "udp:" + lo.format(3, 4)],
              sets(TABLE["udp"][1] | FILES)),
             (["check", "--port", "va"], sets(FILES)),
             (["probe", "--dut", f"exec:{MUTE}"],
              sets(TABLE["udp"][1] | FILES, TABLE["udp"][0]))]
    for command, wants in rows:
        with started([RUNG, *command], env=ENV) as run:
            until_true(lambda r=run, w=wants: None if status(
                f"/proc/{r.pid}") == w else status(f"/proc/{r.pid}"), run)


def test_virtual():
    with started([RUNG, "run", "-q", "--dut", "virtual", "--repeat", "50000",
                  CASE]) as run:
        watch_threads(run, sets(), sets(FILES))


def test_programs():
    """A device that the tester starts, with each port."""
    with started([RUNG, "run", "-q", "--dut", "ref", "--repeat", "1000", CASE],
                 env=ENV) as run:
        watch_threads(run, sets(TABLE["udp"][1], TABLE["udp"][0]),
                      sets(FILES))
        watch_children(run, NOTHING)
    for kind in (None, *KINDS):
        duts = ["--dut", f"exec:{MUTE}"]
        duts += ["--dut", link(kind)[0]] if kind else []
        opens, holds, keeps = TABLE[kind or "udp"]
        with started([RUNG, "run", "-q", *duts, "--repeat", "1000",
                      "uet/rud/send-gtd"], env=ENV) as run:
            watch_threads(run, sets(holds, {*keeps, *opens}), sets(FILES))
            watch_children(run, NOTHING)


def test_triggers():
    pathlib.Path("slow.lad").write_text(SLOW)
    for kind in KINDS:
        dut, port = link(kind)
        with serve(port):
            with started([RUNG, "run", "-q", "--dut", dut, "--decl", DECL,
                          "--trigger", "sleep 100", "slow.lad@initiator"],
                         env=ENV) as run:
                watch_children(run, NOTHING)


def test_privileges_that_are_kept():
    command = f"{' '.join(PEER)} {RUNG} serve --port ring:vb,ip={{dut}} " \
              "--control stdio"
    duts = ["--dut", link("ring")[0], "--dut", f"exec:{command}"]
    with started([RUNG, "run", "-q", *duts, CASE]) as run:
        out = run.communicate(timeout=PATIENCE)
        assert run.returncode == 5 and "nsenter" in out[1], out
    with started([RUNG, "run", "-q", "--keep-privileges", *duts, CASE]) as run:
        assert run.wait(timeout=PATIENCE) == 0, run.communicate()
    with started([RUNG, "run", "-q", "--keep-privileges", "--dut",
                  f"exec:{MUTE}", CASE], env=ENV) as run:
        own = status("/proc/self")
        watch_children(run, own | {"Inh": 0})


def test_files_of_somebody_else():
    """Root writes results into a folder that belongs to another user."""
    if not ALL_USERS:
        return
    os.mkdir("theirs")
    os.chown("theirs", 65534, 65534)
    os.chmod("theirs", 0o700)
    with serve(link("ring")[1]):
        for dut in (link("ring")[0], "ref"):
            with started([RUNG, "run", "-q", "--dut", dut, "--out",
                          "theirs/out", "--json", "theirs/j", CASE]) as run:
                assert run.wait(timeout=PATIENCE) == 0, run.communicate()
            assert os.stat("theirs/j").st_size
            os.unlink("theirs/j")


def without_root(*args, rung="./rung"):
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
            rung, "run", "-q", *args]


def test_without_root():
    """A copy of rung with one file capability, for a user without any."""
    if not ALL_USERS or not shutil.which("setcap"):
        print("     not tried: no setcap, or no root to do it")
        return
    os.chmod(".", 0o755)
    shutil.copy(RUNG, "rung")
    pathlib.Path("slow.lad").write_text(SLOW)
    ring = ["--dut", link("ring")[0], "--decl", DECL]
    with serve(link("ring")[1]):
        done = subprocess.run(without_root(*ring, CASE), capture_output=True,
                              text=True)
        assert done.returncode == 5, done.stdout + done.stderr
        assert "it needs CAP_NET_RAW" in done.stderr, done.stderr
        subprocess.run(["setcap", "cap_net_raw+ep", "rung"], check=True)
        done = subprocess.run(without_root(*ring, CASE), capture_output=True,
                              text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        full = status("/proc/self")["Bnd"]  # only CAP_SETPCAP empties it
        for kind in ("raw", "ring"):
            with started(without_root("--dut", link(kind)[0], "--decl", DECL,
                                      "slow.lad@target"), env=ENV) as run:
                nothing = NOTHING | {"Bnd": full}
                watch_threads(run, nothing, nothing)
            for more in ([], ["--keep-privileges"]):
                gains = {"Bnd": full, "New": 0 if more else 1}
                with started(without_root(
                        *more, "--dut", link(kind)[0], "--decl", DECL,
                        "--trigger", "sleep 100", "slow.lad@initiator"),
                             env=ENV) as run:
                    watch_children(run, NOTHING | gains)
    mute = MUTE.replace(RUNG, "./rung")  # our folder may be unreachable for
                                         # that user
    with started(without_root("--dut", f"exec:{mute}", "uet/rud/send-gtd"),
                 env=ENV) as run:
        watch_children(run, NOTHING | {"Bnd": full})


if __name__ == "__main__":
    for command in (["ip", "addr", "add", US + "/24", "dev", "va"],
                    [*PEER, "ip", "addr", "add", DEVICE + "/24", "dev", "vb"]):
        subprocess.run(command, check=True)
    for name, test in list(globals().items()):
        if name.startswith("test_") and name[5:] in (sys.argv[2:] or [name[5:]]):
            began = time.monotonic()
            with tempfile.TemporaryDirectory() as where:
                os.chdir(where)
                test()
                os.chdir("/")
            print("ok  ", name, f"{time.monotonic() - began:.1f} s")
