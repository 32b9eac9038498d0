#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rung run --shard and rung merge: one run on several machines."""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

from lib import CASE, RUNG, expect, main, rung, write

VIRTUAL = ("--dut", "virtual", "-q")
SOME = "uet/rud/ack"
MINE = """title   A wrong expectation
covers  RUD-SVC-2
needs   rud send

chair target
  use open
  base fwd=100
  >  rud_req psn=100 clear_psn=99 ar | std send message_id=7 som eom | data 32
  <  ack ack_psn=100 cack_psn=99 | response message_id=7        [RUD-SVC-3]
  use close
"""
# What differs between two runs of the same cases.
OWN = {"run", "out", "date", "host", "wall_ns", "elapsed_ns", "interrupted_ns"}


def load(path):
    return json.loads(pathlib.Path(path).read_text())


def comparable(doc):
    """A document without times and ids of the run."""
    if isinstance(doc, dict):
        return {k: comparable(v) for k, v in doc.items() if k not in OWN}
    if isinstance(doc, list):
        return [comparable(v) for v in doc]
    return doc


def tree(folder):
    """Every file with its content, without times and ids of the run."""
    found = {}
    for path in sorted(pathlib.Path(folder, "cases").rglob("*")):
        if path.is_dir():
            continue
        data = path.read_bytes()
        if path.suffix in (".json", ".jsonl"):
            data = [comparable(json.loads(line)) for line in
                    ([data] if path.suffix == ".json" else data.splitlines())]
        found[str(path.relative_to(folder))] = data
    return found


def shards(n, *args, selector=SOME):
    for i in range(1, n + 1):
        expect(rung("run", *VIRTUAL, "--shard", f"{i}/{n}", "--out", f"s{i}",
                    *args, selector), None)
    return [f"s{i}" for i in range(1, n + 1)]


def same(one, other):
    assert comparable(load(f"{one}/results.json")) == \
        comparable(load(f"{other}/results.json"))
    assert tree(one) == tree(other)


def test_the_union_is_one_run():
    expect(rung("run", *VIRTUAL, "--out", "whole", SOME), 0)
    for n in (1, 3, 16):
        parts = shards(n)
        random.Random(n).shuffle(parts)
        expect(rung("merge", "-q", *parts, "--out", "m"), 0)
        same("whole", "m")
    run = load("m/run.json")
    assert "shard" not in run
    assert run["run"] == load("m/results.json")["run"]
    # The joined folder is like any other.
    expect(rung("report", "-q", "m"), 0)
    expect(rung("compare", "whole", "m"), 0)


def test_repetitions_and_fails():
    args = ("--repeat", "3", "uet/rud/send*")
    mine = write("mine.lad", MINE)
    expect(rung("run", *VIRTUAL, *args, mine, "--out", "whole"), 1)
    parts = shards(3, *args, selector=mine)
    expect(rung("merge", "-q", *parts, "--out", "m"), 1)
    same("whole", "m")


def test_more_shards_than_cases():
    few = "uet/rud/send-gtd"
    expect(rung("run", *VIRTUAL, "--out", "whole", few), 0)
    parts = shards(4, selector=few)
    assert [len(load(f"{p}/results.json")["cases"]) for p in parts] == \
        [1, 1, 0, 0]
    expect(rung("merge", "-q", *parts, "--out", "m"), 0)
    same("whole", "m")


def test_balance():
    """Recorded durations decide, and every case is in one shard."""
    expect(rung("run", *VIRTUAL, "--out", "whole", SOME), 0)
    doc = load("whole/results.json")
    chance = random.Random(5)
    for case in doc["cases"]:
        case["wall_ns"] = chance.randrange(1, 1_000_000)
    lasts = {c["id"]: c["wall_ns"] for c in doc["cases"]}
    pathlib.Path("recorded.json").write_text(json.dumps(doc))
    parts = shards(16, "--balance", "recorded.json")
    sums, seen = [], []
    for part in parts:
        ids = [c["id"] for c in load(f"{part}/results.json")["cases"]]
        sums.append(sum(lasts[i] for i in ids))
        seen += ids
    assert sorted(seen) == sorted(lasts)
    mean = sum(sums) / len(sums)
    assert max(sums) <= 1.3 * mean, sums


def bench_file(**benches):
    text = "benches:\n"
    for name, more in benches.items():
        text += f"  {name}:\n    dut: virtual\n" + more
    write("bench.yaml", text)


def on_benches(names, n, *args):
    """Runs |n| shards over benches; returns their folders."""
    for i in range(1, n + 1):
        expect(rung("run", "-q", "--bench", names, "--shard", f"{i}/{n}", "--out", f"s{i}",
                    *args, SOME), None)
    return [f"s{i}" for i in range(1, n + 1)]


def test_shards_over_benches():
    """Every case runs on every bench, and each shard on one bench alone."""
    bench_file(a="    tags: first\n", b="    tags: second\n")
    parts = on_benches("a,b", 6)
    assert [load(f"{p}/run.json")["bench"]["name"] for p in parts] == ["a", "b"] * 3
    for name in "ab":
        expect(rung("merge", "-q", "--bench", name, *parts, "--out", f"m-{name}"), 0)
        expect(rung("run", "-q", "--bench", name, "--out", f"whole-{name}", SOME), 0)
        same(f"whole-{name}", f"m-{name}")
    expect(rung("merge", "-q", *parts, "--out", "m"), 2, err="the bench")
    expect(rung("merge", "-q", "--bench", "c", *parts, "--out", "m"), 2,
           err="no shard ran on bench c")
    expect(rung("merge", "-q", "--bench", "b", *parts[:4], "--out", "m"), 2,
           err="1 of 3 shards are missing: 3")
    for args, why in [(["--bench", "a,b"], "needs --shard"),
                      (["--bench", "a,b", "--shard", "1/3"], "3 shards on 2 benches"),
                      (["--bench", "a,,b", "--shard", "2/3"], "a name is empty")]:
        expect(rung("run", "-q", *args, SOME), 2, err=why)


def test_a_bad_bench_costs_no_other_one():
    """The canary of each shard puts its own bench into quarantine."""
    mine = write("mine.lad", MINE)
    bench_file(a=f"    canary: {CASE}\n", b=f"    canary: {mine}\n")
    parts = on_benches("a,b", 4)
    assert os.path.exists("bench.yaml.b.quarantine")
    assert not os.path.exists("bench.yaml.a.quarantine")
    expect(rung("merge", "-q", "--bench", "a", *(p for p in parts if os.path.isdir(p)),
                "--out", "m"), 0)
    # The bench is mended: its shards run.
    os.remove("bench.yaml.b.quarantine")
    bench_file(a="", b="")
    parts = on_benches("a,b", 4)
    expect(rung("merge", "-q", "--bench", "b", *parts, "--out", "n"), 0)


def children(pid):
    return [int(c) for f in pathlib.Path(f"/proc/{pid}/task").glob("*/children")
            for c in f.read_text().split()]


def test_a_scheduler_ends_the_device_first():
    """It ends all processes of a job, one after the other. The case that ran is
    no fail, and the run goes on."""
    case = "uet/rud/ack-lost-delay@initiator"
    args = [RUNG, "run", "-q", "--dut", "ref", "--seed", "1", "-j", "1", "--out", "t",
            "--repeat", "50", case]
    with subprocess.Popen(args, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as run:
        # A walk through the folder would race with the run, which renames in it.
        while not os.path.exists(f"t/cases/{case}.2"):
            assert run.poll() is None
            time.sleep(0.01)
        for child in children(run.pid):
            os.kill(child, signal.SIGTERM)
        time.sleep(0.03)  # the moment between two signals
        run.terminate()
    assert run.returncode == 130, run.returncode
    verdicts = [c["verdict"] for c in load("t/results.json")["cases"]]
    assert "fail" not in verdicts, verdicts


def test_refusals():
    parts = shards(3)
    shutil.copytree("s2", "copy")
    for dirs, why in [
            (["s1", "s2"], "1 of 3 shards are missing: 3"),
            (["s1", "s2", "s2", "s3"], "s2 is given twice"),
            (["s1", "s2", "copy", "s3"], "s2 and copy are both shard 2"),
            (["s1", "none"], "none: No such file"),
            (["s1", "."], "no run has begun here")]:
        expect(rung("merge", *dirs, "--out", "m"), 2, err=why)
    expect(rung("merge", *parts, "--out", "s1"), 2, err="this is a shard")
    for args, selector, why in [
            (["--seed", "8"], SOME, "the seed was 1 and is 8"),
            (["--strict"], SOME, "strict was false and is true"),
            ([], "uet/rod", "the selection, or the text of a case, differs")]:
        expect(rung("run", *VIRTUAL, "--shard", "3/3", "--out", "other",
                    *args, selector), None)
        expect(rung("merge", "s1", "s2", "other", "--out", "m"), 2, err=why)
    expect(rung("run", *VIRTUAL, "--out", "whole", SOME), 0)
    expect(rung("merge", "whole", "--out", "m"), 2, err="is no shard")
    gone = next(pathlib.Path("s2/cases").rglob("record.jsonl")).parent
    shutil.rmtree(gone)
    expect(rung("merge", *parts, "--out", "m"), 2, err="s2 lacks 1 of")
    assert not os.path.exists("m")


def test_a_manifest_that_lies():
    parts = shards(2)
    run = load("s1/run.json")
    for at, why in [(10 ** 9, "out of range"),
                    (load("s2/run.json")["shard"]["at"][0], "both have")]:
        run["shard"]["at"][0] = at
        pathlib.Path("s1/run.json").write_text(json.dumps(run))
        expect(rung("merge", *parts, "--out", "m"), 2, err=why)
    assert not os.path.exists("m")


def test_a_killed_shard_goes_on():
    expect(rung("run", *VIRTUAL, "--out", "whole", SOME), 0)
    parts = shards(2)
    chance = random.Random()
    for _ in range(4):
        shutil.rmtree("s2")
        args = [RUNG, "run", *VIRTUAL, "--shard", "2/2", "--out", "s2", SOME]
        with subprocess.Popen(args, stderr=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL) as run:
            time.sleep(chance.uniform(0, 0.15))
            run.send_signal(signal.SIGKILL)
        done = rung("merge", "-q", *parts, "--out", "m")
        assert done.returncode in (0, 2), done
        expect(rung("run", *VIRTUAL, "--shard", "2/2", "--out", "s2",
                    "--resume", SOME), 0)
        expect(rung("merge", "-q", *parts, "--out", "m"), 0)
        same("whole", "m")


if __name__ == "__main__":
    main(globals())
