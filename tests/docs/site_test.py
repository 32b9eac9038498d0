#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes the site of the documents and searches it in a browser.

Usage: site_test.py SITE.PY
Exit status: that of site.py, 1 if the search does not find what it should.
"""
import html
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def search(site, browser, words):
    """The links that the search finds."""
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu",
         "--allow-file-access-from-files", f"--user-data-dir={site}.user",
         "--virtual-time-budget=20000", "--dump-dom",
         f"file://{site}/search.html?q={words}"], text=True,
        capture_output=True, check=False, timeout=100)
    found = done.stdout.partition('<div id="found">')[2]
    return [html.unescape(x) for x in re.findall(r'<a href="([^"]*)"', found)]


def main():
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder) / "site"
        code = subprocess.run([sys.executable, "-B", sys.argv[1], str(site)],
                              check=False).returncode
        if code:
            return code
        pages = list(site.rglob("*.html"))
        assert len(pages) > 40, pages
        for page in pages:
            loads = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(http[^"]*)',
                               page.read_text())
            assert not loads, (page, loads)
        browser = shutil.which("chromium")
        if not browser:
            print("no chromium: the search is not tried")
            return 0
        found = search(site, browser, "mem_digest")
        assert any("dut-control.html" in x for x in found), found
        assert not search(site, browser, "xyzzyplugh")
        print(f"search: {len(found)} sections, the first {found[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
