#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures how long a browser takes to open and to filter a report of ten
thousand results, and how long rung compare takes for two of them. Prints one
JSON object.  Needs
Chromium.

Usage: bench/browser.py [BUILD_DIR]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests/html"))
from browser import Browser, program  # pylint: disable=wrong-import-position

# Returns the time from the change of a control to the next frame on the
# screen.
FILTER = """new Promise(done => {
  const f = document.getElementById('filter');
  const began = performance.now();
  %s;
  f.dispatchEvent(new Event('input'));
  const count = document.getElementById('count');
  new MutationObserver(() => requestAnimationFrame(() =>
    setTimeout(() => done([(performance.now() - began) / 1000,
                           count.textContent])))).observe(count,
    {childList: true});
})"""


def main():
    build = pathlib.Path(sys.argv[1] if sys.argv[1:] else ROOT / "build")
    if not program():
        print('{"skipped": "no Chromium"}')
        return
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([build / "bin/bench_report"], check=True,
                       env={**os.environ, "BENCH_OUT": out},
                       stdout=subprocess.DEVNULL)
        began = time.monotonic()
        subprocess.run([build / "bin/rung", "compare", out, out], check=True,
                       stdout=subprocess.DEVNULL)
        compared = time.monotonic() - began
        with Browser() as page:
            opened = page.open(f"{out}/report.html")
            fail = page.eval(FILTER % "for (const b of f.elements.v) "
                             "b.checked = b.value === 'fail'")
            page.eval(FILTER % "f.reset()")
            words = page.eval(FILTER % "f.elements.q.value = 'reorder gtd'")
            assert not page.errors, page.errors
    print(json.dumps({"open_s": round(opened, 3),
                      "filter_verdict_s": round(fail[0], 3),
                      "filter_verdict": fail[1],
                      "filter_words_s": round(words[0], 3),
                      "filter_words": words[1],
                      "compare_s": round(compared, 3)}))


if __name__ == "__main__":
    main()
