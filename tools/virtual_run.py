# SPDX-License-Identifier: BSD-2-Clause
"""Run all cases in virtual time, for scripts that measure mutants."""
import json
import subprocess


def results(rung, *more, limit=120):
    """The results of 'rung run --strict', or None after a crash or |limit| s."""
    cmd = [rung, "run", "--dut", "virtual", "--quiet", "--strict", "--timeout",
           "5s", "--json", "-", *more]
    try:
        done = subprocess.run(cmd, capture_output=True, timeout=limit,
                              check=False)
        return json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return None
