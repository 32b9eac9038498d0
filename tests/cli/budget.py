#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rung run --budget: the cheapest cases that cover the most come first."""
import json
import pathlib
import re

from lib import expect, main, rung, write

RUN = ("run", "--dut", "virtual", "-q")
SOME = "uet/rud/r*"


def order(*args, code=0, some=SOME):
    """The ids of a run in the order in which they ran, and what it says."""
    done = expect(rung(*RUN, "--jsonl", "s", *args, some), code)
    lines = [json.loads(x) for x in pathlib.Path("s").read_text().splitlines()]
    return [x["id"] for x in lines if x["type"] == "case"], done.stderr


def covers():
    """The requirements, with their roles, of each case and chair."""
    done = expect(rung("list", "--json", SOME), 0)
    return {c["id"]: set(c["requirements"])
            for c in json.loads(done.stdout)["cases"]}


def without(text):
    """The requirements that a message calls uncovered."""
    match = re.search(r"requirements? without a case:(.*)", text, re.S)
    return set(match[1].split()) if match else set()


def recorded(**lasts):
    """A results.json in which every case took 1 s, but those named."""
    path = pathlib.Path("last/results.json")
    path.parent.mkdir(exist_ok=True)
    expect(rung(*RUN, "--json", path, SOME), 0)
    doc = json.loads(path.read_text())
    for c in doc["cases"]:
        c["wall_ns"] = lasts.get(c["id"].replace("/", "_").replace("@", "_"),
                                 10 ** 9)
    path.write_text(json.dumps(doc))
    return [c["id"] for c in doc["cases"]]


def test_what_is_left_out():
    all_cases, rows = covers(), None
    few, text = order("--budget", "3ms", "-v")
    assert len(few) == 3 and "takes 3 of " in text, text
    left = set(re.search("left out: (.*?)rung run:", text, re.S)[1].split())
    assert left == set(all_cases) - set(few)
    rows = set().union(*all_cases.values())
    assert without(text) == rows - set().union(*(all_cases[i] for i in few))
    # without -v the folders, with the number of their cases
    _, text = order("--budget", "3ms")
    counts = re.findall(r"uet/rud\S* \((\d+)\)", text)
    assert sum(map(int, counts)) == len(left), text


def test_the_same_each_time():
    recorded()
    args = ("--budget", "30s", "--budget-from", "last")
    first = order(*args)
    assert first[0] and first == order(*args)
    assert first == order(*args, "--seed", "77")


def test_the_most_for_the_least():
    """Greedy: no other case covers more new requirements at the same price."""
    recorded()
    known = covers()
    ids, text = order("--budget", "20s", "--budget-from", "last")
    assert len(ids) == 20, text
    done = set()
    for this in ids:
        best = max(len(rows - done) for rows in known.values())
        assert len(known[this] - done) == best, (this, best)
        done |= known[this]


def test_a_dear_case_waits():
    recorded()
    dear = order("--budget", "20s", "--budget-from", "last")[0][0]
    recorded(**{dear.replace("/", "_").replace("@", "_"): 10 ** 12})
    ids, text = order("--budget", "20s", "--budget-from", "last")
    assert dear not in ids and "takes 20 of" in text
    ids = order("--budget", "30m", "--budget-from", "last/results.json")[0]
    assert ids.index(dear) > 20, ids.index(dear)


def test_a_large_budget_runs_all():
    all_ids = recorded()
    ids, text = order("--budget", "9h", "--budget-from", "last", "-j", "2")
    assert sorted(ids) == sorted(all_ids)
    assert "every requirement of these cases keeps a case" in text
    assert "left out" not in text


def test_ruled_out():
    """What the declaration rules out covers nothing and takes no time."""
    decl = write("few.decl", "name Few\nversion 1.0.1\nclaims rud send read\n")
    done = expect(rung(*RUN, "--decl", decl, "--budget", "5ms", "--json",
                       "r", SOME), None)
    doc = json.loads(pathlib.Path("r").read_text())
    ran = [c for c in doc["cases"] if c["verdict"] != "na"]
    assert 0 < len(ran) <= 5, (len(ran), done.stderr)


def test_refusals():
    for args, why in ((("--budget", "0"), "a time such as"),
                      (("--budget", "9x"), "a time such as"),
                      (("--repeat", "2", "--budget", "1ms"),
                       "no case is so short"),
                      (("--budget-from", "x"), "needs --budget"),
                      (("--budget", "1m", "--budget-from", "none"), "none"),
                      (("--budget", "1m", "--shard", "1/2", "--out", "o"),
                       "exclude each other"),
                      (("--budget", "1m", "--failed-first=x"), "exclude"),
                      (("--budget", "1m", "--until-fail"), "needs an end")):
        expect(rung(*RUN, *args, SOME), 2, err=why)
    expect(rung(*RUN, "--budget", "1m", "--evidence", "--out", "o"), 2,
           err="--budget")


if __name__ == "__main__":
    main(globals())
