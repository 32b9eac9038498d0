#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung fabric: the example files, JSON, seeds, exit codes, errors of a
file with their places, and what congestion control and spraying bring."""
import json
import pathlib

from formats import refuses, schema_of, validate
from lib import expect, main, rung, write

ROOT = pathlib.Path(__file__).resolve().parents[2]
SMALL = ("--bytes", "64k")


def fabric(*args, code=0, **more):
    """Runs with --json and returns the document."""
    done = expect(rung("fabric", "--json", *args, **more), code)
    said = json.loads(done.stdout)
    validate(schema_of("fabric"), said)
    return said


def test_examples_have_no_finding():
    for path in sorted((ROOT / "docs/fabric").glob("*.yaml")):
        said = fabric(path, *SMALL)
        assert said["judged"]["findings"] == 0, (path, said)
        assert said["judged"]["packets"] > said["network"]["packets"], said


def test_schema_refuses():
    said = fabric(*SMALL)
    for change in ({"schema": "rung.fabric/2"}, {"more": 1}, {"flows": {}}):
        assert refuses(schema_of("fabric"), {**said, **change}), change


def test_text():
    done = expect(rung("fabric", *SMALL), 0, out="32 of 32 flows")
    for word in ("goodput", "fairness", "queue", "0 findings"):
        assert word in done.stdout, done.stdout


def test_the_seed_repeats():
    args = ("--workload", "incast", "--fan", "12", *SMALL)
    assert fabric(*args, "--seed", "3") == fabric(*args, "--seed", "3")
    assert fabric(*args, "--seed", "3") != fabric(*args, "--seed", "4")


def test_incast_is_controlled():
    said = fabric(ROOT / "docs/fabric/leaf-spine.yaml", "--workload", "incast",
                  "--fan", "100", "--bytes", "256k")
    assert said["flows"]["goodput"] >= 0.9, said["flows"]
    assert said["flows"]["fairness"] >= 0.95, said["flows"]
    assert said["network"]["trimmed"] > 0, said["network"]


def test_spraying_beats_ecmp():
    path = ROOT / "docs/fabric/leaf-spine.yaml"
    took = [fabric(path, "--spray", n, "--judge", "0")["flows"]["took_ns"]
            for n in (1, 64)]
    assert took[0] >= 1.5 * took[1], took


def test_settings_count():
    args = ("--workload", "incast", *SMALL)
    plain = fabric(*args)
    slow = fabric(*args, "--set", "nscc_max_window=50")
    assert plain["network"]["trimmed"] > slow["network"]["trimmed"]
    expect(rung("fabric", "--set", "nscc_gamma=101"), 2,
           err="'101' is no value of 'nscc_gamma'")
    expect(rung("fabric", "--set", "colour=1"), 2, err="NAME=VALUE")
    expect(rung("fabric", "--set", "cc=credit"), 2,
           err="do not go together")


def test_incomplete_is_inconclusive():
    said = fabric("--until", "20us", code=3)
    assert said["flows"]["complete"] == 0, said
    assert said["flows"]["goodput"] == 0, said


def test_bad_files():
    for text, place in (
            ("", "bad.yaml: the file is empty"),
            ("- a\n", "bad.yaml:1:1: expected 'topology:'"),
            ("leaves: 4\n", "bad.yaml:1:1: the file has no 'topology'"),
            ("topology: ring\n", "bad.yaml:1:11: 'ring' is no value"),
            ("topology: rail\nleafs: 4\n", "bad.yaml:2:1: there is no key"),
            ("topology: rail\nrate: 100\n", "bad.yaml:2:7: '100' is no value"),
            ("topology: rail\nhosts: [1]\n", "bad.yaml:2:8: 'hosts' must"),
            ("topology: rail\nhosts: 1\nhosts: 2\n",
             "bad.yaml:3:1: 'hosts' stands twice"),
            ("topology: rail\nfailures:\n  - {leaf: 1}\n",
             "bad.yaml:3:5: a failure needs"),
            ("topology: rail\nqueue: 99999999999999999999\n",
             "bad.yaml:2:8: "),
            ("topology: {\n", "bad.yaml:2:1: ")):
        write("bad.yaml", text)
        expect(rung("fabric", "bad.yaml"), 2, err=place)
    expect(rung("fabric", "none.yaml"), 2, err="none.yaml")
    write("big.yaml", "topology: leaf-spine\nleaves: 4000\nhosts: 4000\n")
    expect(rung("fabric", "big.yaml"), 2, err="65536 endpoints")
    expect(rung("fabric", "--fan", "32"), 2, err="fewer endpoints")
    expect(rung("fabric", "--bytes", "0"), 2, err="--bytes takes a size")


if __name__ == "__main__":
    main(globals())
