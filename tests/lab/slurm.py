#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs the scripts of docs/lab/ on a Slurm cluster of one node, which the test
starts in a folder of its own and stops again.

A job array of shards, joined by a job that depends on it, gives the results of
one run; a task that is requeued goes on where it was; a licence and a GRES keep
two tasks from one bench.

Usage: slurm.py RUNG
Exit status 77 without Slurm (Debian: slurm-wlm).
"""
import getpass
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNG = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(ROOT / "tests/cli"))
PATIENCE = 90  # seconds
CASES = ["--dut", "virtual", "uet/rud"]

CONF = """\
ClusterName=rung
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={where}/munge.sock,cred_expire=5
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={where}/state
SlurmdSpoolDir={where}/spool
SlurmctldPidFile={where}/slurmctld.pid
SlurmdPidFile={where}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,sched_min_interval=1000,batch_sched_delay=0
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
Licenses=nic7:1
GresTypes=nic
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 CPUs={cpus} Gres=nic:1 State=UNKNOWN
PartitionName=p Nodes=n1 Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(n):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Cluster:
    """munged, slurmctld and slurmd, with all their files below |where|."""

    def __init__(self, where):
        self.where = where
        where.chmod(0o755)  # munged insists that all can reach its socket
        for name in ("state", "spool"):
            (where / name).mkdir()
        key = where / "munge.key"
        key.touch(0o600)
        key.write_bytes(os.urandom(1024))
        (where / "slurm.conf").write_text(CONF.format(
            where=where, user=getpass.getuser(), ports=free_ports(2),
            cpus=os.cpu_count()))
        (where / "gres.conf").write_text("NodeName=n1 Name=nic Count=1\n")
        (where / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
        self.env = {**os.environ, "SLURM_CONF": str(where / "slurm.conf"),
                    "PATH": f"{where}/bin:/usr/sbin:{os.environ['PATH']}"}
        (where / "bin").mkdir()
        (where / "bin/rung").symlink_to(RUNG)
        self.daemons = []

    def start(self, *words):
        log = (self.where / f"{words[0]}.log").open("w")
        self.daemons.append(subprocess.Popen(words, env=self.env, stdout=log, stderr=log))

    def __enter__(self):
        try:
            self.start_all()
        except AssertionError as e:
            self.__exit__(type(e))
            raise
        return self

    def start_all(self):
        at = self.where
        self.start("munged", "--foreground", "--force", f"--key-file={at}/munge.key",
                   f"--socket={at}/munge.sock", f"--pid-file={at}/munge.pid",
                   f"--log-file={at}/munge.log", f"--seed-file={at}/munge.seed")
        until(lambda: (at / "munge.sock").exists(), "munged")
        self.start("slurmctld", "-D", "-f", f"{at}/slurm.conf")
        self.start("slurmd", "-D", "-N", "n1", "-f", f"{at}/slurm.conf")
        until(lambda: "idle" in self.run("sinfo", "-h", "-o", "%T", check=False), "the node")

    def __exit__(self, kind, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait(30)
        if kind and kind is not SystemExit:
            for log in [*self.where.glob("*.log"), *self.where.glob("slurm-*.out")]:
                print(f"== {log.name}", *log.read_text().splitlines()[-15:], sep="\n")

    def run(self, *words, check=True):
        done = subprocess.run(words, env=self.env, cwd=self.where, capture_output=True,
                              text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 0 or not check, (words, done.stdout, done.stderr)
        return done.stdout

    def submit(self, *words):
        return self.run("sbatch", "--parsable", *words).strip()

    def state(self, job):
        """The states of the tasks of a job, and their exit codes."""
        text = self.run("scontrol", "show", "job", job, check=False)
        return re.findall(r"JobState=(\w+)", text), re.findall(r"ExitCode=(\d+):", text)

    def ended(self, job, tasks):
        def over():
            states = self.state(job)[0]
            return len(states) == tasks and not set(states) & {"PENDING", "RUNNING", "COMPLETING"}
        until(over, f"job {job}")
        return self.state(job)[1]


def until(met, what):
    end = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < end, f"{what}: still not after {PATIENCE} s"
        time.sleep(0.05)  # Slurm has no event to wait for


def array_and_merge(cluster):
    out = cluster.where / "out"
    jobs = cluster.submit("--array=1-4", ROOT / "docs/lab/slurm-array.sh", out, *CASES)
    merge = cluster.submit(f"--dependency=afterany:{jobs}", ROOT / "docs/lab/slurm-merge.sh", out)
    assert cluster.ended(jobs, 4) == ["0"] * 4
    assert cluster.ended(merge, 1) == ["0"]
    cluster.run("rung", "run", "-q", *CASES, "--out", "whole")
    from shard import same  # its helpers read sys.argv
    same(str(cluster.where / "whole"), str(out / "results"))
    print("ok   four shards are one run")


def requeued(cluster):
    """A task that is killed in its run goes on with it when Slurm requeues it."""
    out = cluster.where / "again"
    slow = ["--dut", "ref", "--seed", "1", "uet/rud/ack*"]
    job = cluster.submit("--array=1-1", ROOT / "docs/lab/slurm-array.sh", out, *slow)
    stored = out / "shard-1"
    # Folders get their names while this looks; os.walk() does not mind.
    until(lambda: sum("record.jsonl" in files for _, _, files in os.walk(stored)) >= 3,
          "the first results")
    cluster.run("scontrol", "requeue", f"{job}_1")
    # Slurm waits for the expiry of its credential before the task begins again.
    until(lambda: "Restarts=1" in cluster.run("scontrol", "show", "job", job), "the requeue")
    before = {p: p.stat().st_mtime_ns for p in stored.glob("cases/**/record.jsonl")}
    assert cluster.ended(job, 1) == ["0"], cluster.state(job)
    after = {p: p.stat().st_mtime_ns for p in stored.glob("cases/**/record.jsonl")}
    kept = [p for p in before if after.get(p) == before[p]]
    assert len(kept) >= 2, (len(before), len(kept), len(after))
    done = json.loads((stored / "results.json").read_text())
    assert {c["verdict"] for c in done["cases"]} <= {"pass", "na"}
    assert len(after) == len(done["cases"]) > len(kept), (len(before), len(kept), len(after))
    print("ok   a requeued task goes on")


def one_at_a_time(cluster, option):
    """Two tasks want one bench, whose acquire fails while another has it."""
    (cluster.where / "bench.yaml").write_text(
        "benches:\n  nic7:\n    dut: ref\n    acquire: mkdir lock && sleep 0.5\n"
        "    release: rmdir lock\n")
    script = cluster.where / "bench.sh"
    script.write_text("#!/bin/sh\nexec rung run -q --bench nic7 --seed 1 "
                      "--out bench-$SLURM_ARRAY_TASK_ID uet/rud/send-gtd@target\n")
    job = cluster.submit("--array=1-3", option, script)
    assert cluster.ended(job, 3) == ["0"] * 3, cluster.state(job)
    for folder in cluster.where.glob("bench-*/"):
        assert json.loads((folder / "run.json").read_text())["bench"]["name"] == "nic7"
        shutil.rmtree(folder)
    print(f"ok   {option} keeps others from the bench")


def main():
    os.environ["PATH"] += ":/usr/sbin"
    if not all(map(shutil.which, ("munged", "slurmctld", "slurmd", "sbatch"))):
        print("no Slurm (slurm-wlm)")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="rung-slurm-") as where, \
            Cluster(pathlib.Path(where)) as cluster:
        array_and_merge(cluster)
        requeued(cluster)
        one_at_a_time(cluster, "--licenses=nic7")
        one_at_a_time(cluster, "--gres=nic:1")


if __name__ == "__main__":
    main()
