#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A case kills a mutant: it fails, or its tear-down does, and a finding names the mutant's crime.

A remark counts as a finding: the crime may be against a level S row.

Usage: killed.py RUNG MUTANT CASE REQUIREMENT/ROLE
"""
import json
import subprocess
import sys


def main():
    rung, mutant, case, violates = sys.argv[1:]
    done = subprocess.run(
        [rung, "run", "--dut", "virtual", "--strict", "--mutant", mutant,
         "--json", "-", case], capture_output=True, text=True, check=False)
    if done.returncode != 1:
        print(f"wanted exit code 1, got {done.returncode}: {done.stderr}")
        return 1
    result = json.loads(done.stdout)["cases"][0]
    found = {f"{f['requirement']}/{f['role']}" for f in result["findings"]
             if not f["consequence"]}
    failed = "fail" in (result["verdict"],
                        result.get("teardown", {}).get("verdict"))
    if not failed or violates not in found:
        print(f"{mutant} survives {case}: {result['verdict']}, "
              f"{result['reason']}; wanted {violates}, found {sorted(found)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
