#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests report.html in headless Chromium: it loads, filters, draws and prints
without a message on the console, and shows the verdicts even without its
script.

Usage: tests/html/report_test.py RUNG
RUNG_PICTURES=DIR keeps pictures of the page there.
"""
import json
import os
import pathlib
import re
import sys
import tempfile
import subprocess

from browser import Browser, program

RUNG = os.path.abspath(sys.argv[1])
CASES = ["uet/rud/send-*", "uet/rud/clear/*"]
ONE = "uet/rud/send-gtd@target"


def run(folder, *args, code):
    done = subprocess.run([RUNG, "run", "--dut", "virtual", "--quiet", "--out",
                           folder, *args], capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == code, (args, done.returncode, done.stderr)
    return json.loads((pathlib.Path(folder) / "results.json").read_text())


def shown(page, what="details.c"):
    return page.eval(f"[...document.querySelectorAll('{what}')]"
                     ".filter(e => !e.hidden).length")


def choose(page, script):
    """Changes a control of the filter, and waits for its effect."""
    page.eval("new Promise(done => {"
              "const count = document.getElementById('count');"
              "new MutationObserver((_, o) => {o.disconnect(); done();})"
              ".observe(count, {childList: true});"
              "const f = document.getElementById('filter'); "
              f"{script}; f.dispatchEvent(new Event('input'));}})")


def verdicts(page, *names):
    choose(page, "for (const b of f.elements.v) b.checked = "
                 f"{json.dumps(names)}.includes(b.value)")


def check_filter(page, doc):
    ids = {c["id"] for c in doc["cases"]}
    fails = {c["id"] for c in doc["cases"] if c["verdict"] == "fail"}
    assert shown(page) == len(ids), (shown(page), len(ids))
    verdicts(page, "fail")
    assert shown(page) == len(fails)
    assert f"{len(fails)} of {len(ids)} cases" in page.eval(
        "document.getElementById('count').textContent")
    choose(page, "f.elements.c.value = 'initiator'")
    assert shown(page) == sum(i.endswith("@initiator") for i in fails)
    choose(page, "f.reset()")
    choose(page, "f.elements.r.value = 'RUD-SEQ-76/dst'")
    about = {c["id"] for c in doc["cases"]
             if "RUD-SEQ-76/dst" in c["requirements"]}
    assert 0 < len(about) < len(ids) and shown(page) == len(about)
    assert shown(page, "#rt tbody tr") == 1
    choose(page, "f.reset()")
    choose(page, "f.elements.d.value = 'uet/rud/clear'")
    assert shown(page) == sum(i.startswith("uet/rud/clear/") for i in ids)
    choose(page, "f.reset()")
    choose(page, "f.elements.f.value = 'RUD-SEQ'")
    assert shown(page) == sum(any(re.match(r"RUD-SEQ-[^-]*$", r.split("/")[0])
                                  for r in c["requirements"])
                              for c in doc["cases"])
    choose(page, "f.reset()")
    choose(page, "f.elements.q.value = 'gtd reorder'")
    assert 0 < shown(page) < len(ids)
    choose(page, "f.reset()")
    assert shown(page) == len(ids)


def check_first_reader(page):
    """A reader can go from the top of the page to requirement, packet,
    expected and actual."""
    row = page.eval("document.querySelector('#failed tbody tr').textContent")
    for word in ("RUD-SEQ-76/dst", "packet #", "expected cack_psn=", "got "):
        assert word in row, (word, row)
    href = page.eval("document.querySelector('#failed tbody td a[href^=\"#c\"]')"
                     ".getAttribute('href')")
    page.eval(f"location.hash = {json.dumps(href)}")
    page.eval("new Promise(done => setTimeout(done, 100))")
    assert page.eval(f"document.querySelector('{href}').open")
    marks = page.eval(f"[...document.querySelectorAll('{href} .f mark')]"
                      ".map(e => e.textContent)")
    assert len(marks) >= 2 and marks[0] != marks[1], marks
    frame = page.eval(f"document.querySelector('{href} .f a').hash")
    assert page.eval(f"document.querySelector('{frame}').closest('svg')"
                     ".querySelector('.lad-bad') !== null"), frame


def check_drawings(page):
    """A passed case draws its ladder on request."""
    assert page.eval("document.querySelectorAll('details.c.fail svg').length "
                     "== document.querySelectorAll('details.c.fail').length")
    assert page.eval("document.querySelector('details.c.pass svg') === null")
    page.eval("(() => {const c = document.querySelector('details.c.pass'); "
              "c.open = true; "
              "return new Promise(done => {let asked = false; "
              "const t = setInterval(() => {"
              "const b = c.querySelector('button'); "
              "if (b && !asked) {asked = true; b.click();} "
              "if (c.querySelector('svg')) {clearInterval(t); done();}}, 5)})"
              "})()")
    texts = page.eval("document.querySelector('details.c.pass svg')"
                      ".textContent")
    assert "tester (FEP-" in texts and "rud_req" in texts, texts
    links = page.eval("[...document.querySelectorAll('details.c[open] .rq a')]"
                      ".every(a => document.querySelector(a.hash))")
    assert links, "a requirement without a row"


def check_links(page, folder):
    """Every link has a target, inside the page or a file."""
    hrefs = page.eval("[...document.querySelectorAll('a')]"
                      ".map(a => a.getAttribute('href'))")
    for href in set(hrefs):
        if href.startswith("#"):
            assert page.eval("document.getElementById("
                             f"{json.dumps(href[1:])}) !== null"), href
        else:
            assert (pathlib.Path(folder) / href).exists(), href
    text = (pathlib.Path(folder) / "report.html").read_text()
    outside = re.findall(r'(?:src|href)="(?:https?:)?//[^"]*|url\([^)]*', text)
    assert not outside, outside


def check_eyes(page):
    """Tests the properties that a screen reader and a keyboard need."""
    page.call("Accessibility.enable")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    def named(role):
        return [n["name"]["value"] for n in nodes
                if n.get("role", {}).get("value") == role and "name" in n]
    assert len(named("main")) == 1 and "Sections" in named("navigation")
    assert all(named("checkbox")) and len(named("checkbox")) == 5
    assert all(named("combobox")) and all(named("searchbox")), nodes
    levels = page.eval("[...document.querySelectorAll('h1,h2,h3')]"
                       ".map(h => Number(h.tagName[1]))")
    assert levels[0] == 1 and all(b - a <= 1 for a, b in
                                  zip(levels, levels[1:])), levels
    ids = page.eval("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids)), "an id twice"


# WCAG 2.1, 1.4.3: 4.5 to 1 for text of this size.
CONTRAST = """[...document.querySelectorAll('.v, .dim, a, p, .rq, .t')]
.slice(0, 3000).map(e => {
  const lum = c => {const v = c.match(/[\\d.]+/g).slice(0, 3).map(x => x / 255)
    .map(x => x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
    return .2126 * v[0] + .7152 * v[1] + .0722 * v[2];};
  let b = e;
  while (b && /, 0\\)|transparent/.test(getComputedStyle(b).backgroundColor))
    b = b.parentElement;
  const x = lum(getComputedStyle(e).color);
  const y = lum(getComputedStyle(b || document.body).backgroundColor);
  return [(Math.max(x, y) + .05) / (Math.min(x, y) + .05), e.outerHTML];
}).sort((a, b) => a[0] - b[0])[0]"""


def check_schemes(page, pictures):
    for scheme in ("light", "dark"):
        page.media(scheme=scheme)
        ratio, where = page.eval(CONTRAST)
        assert ratio >= 4.5, (scheme, ratio, where[:200])
        if pictures:
            for part in ("causes", "failed", "like", "cases", "reqs", "kills"):
                page.eval(f"location.hash = '#{part}'")
                page.eval("new Promise(done => setTimeout(done, 200))")
                page.picture(f"{pictures}/report-{part}-{scheme}.png")
    page.media(scheme="light")
    page.resize(390, 800)
    wide = page.eval("document.documentElement.scrollWidth")
    assert wide <= 390, f"a narrow page is {wide} wide"
    if pictures:
        page.picture(f"{pictures}/report-narrow.png")
    page.resize(1280, 900)


def check_address(page, path):
    """A filter is part of the address, and the address sets the filter."""
    page.open(path)
    page.eval("new Promise(done => {const f = "
              "document.getElementById('filter'); f.elements.q.value = 'gtd'; "
              "for (const b of f.elements.v) b.checked = b.value === 'fail'; "
              "f.dispatchEvent(new Event('input')); setTimeout(done, 400);})")
    link = page.eval("location.hash")
    assert link == "#?v=fail&q=gtd", link
    few = shown(page)
    page.open(path)
    all_cases = shown(page)
    page.eval(f"new Promise(done => {{location.hash = '{link}'; "
              "setTimeout(done, 400);})")
    assert 0 < shown(page) == few < all_cases, (few, all_cases)


def check_print(page):
    pdf = page.pdf()
    pages = pdf.count(b"/Type /Page\n") or pdf.count(b"/Type/Page")
    assert pdf.startswith(b"%PDF") and len(pdf) > 20000, (len(pdf), pages)
    page.media("print")
    drawn = page.eval("[...document.querySelectorAll('.c.pass .lad, "
                      ".c.pass .lw')].map(e => getComputedStyle(e).display)")
    assert set(drawn) == {"none"}, drawn
    assert page.eval("document.querySelectorAll('.c.fail .lw').length") > 0
    assert page.eval("getComputedStyle(document.querySelector('nav')).display"
                     ) == "none"
    page.media("")


def check_no_script(page, path, doc):
    """The page shows verdicts and findings without JavaScript."""
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.open(path)
    page.call("Emulation.setScriptExecutionDisabled", value=False)
    for verdict in ("pass", "fail"):
        n = page.eval(f"document.querySelectorAll('details.{verdict}').length")
        assert n == len({c["id"] for c in doc["cases"]
                         if c["verdict"] == verdict}), (verdict, n)
    assert page.eval("document.getElementById('filter').hidden")
    assert shown(page) == len({c["id"] for c in doc["cases"]})


def check_odd_runs(page, where):
    """Reports without failures, with na, repeated and inconclusive results."""
    decl = pathlib.Path(where) / "nothing.decl"
    decl.write_text("name <b>nothing</b> & more\n")
    for name, code, args in (
            ("good", 0, [ONE]),
            ("na", 4, ["--decl", str(decl), ONE]),
            ("repeat", 0, ["--repeat", "3", ONE])):
        run(f"{where}/{name}", *args, code=code)
        page.open(f"{where}/{name}/report.html")
        assert not page.errors, (name, page.errors)
        assert shown(page) == 1, name
    page.open(f"{where}/na/report.html")
    title = page.eval("document.querySelector('h1').textContent")
    assert title == "<b>nothing</b> & more", title
    assert "does not claim" in page.eval(
        "document.getElementById('skipped').textContent")


def main():
    if not program():
        print("no Chromium here")
        return 77
    pictures = os.environ.get("RUNG_PICTURES")
    with tempfile.TemporaryDirectory() as where, Browser() as page:
        out = f"{where}/bad"
        doc = run(out, "--mutant", "cack-over-uncleared", *CASES, code=1)
        page.open(f"{out}/report.html")
        check_filter(page, doc)
        check_first_reader(page)
        check_drawings(page)
        check_links(page, out)
        check_eyes(page)
        check_schemes(page, pictures)
        check_print(page)
        check_address(page, f"{out}/report.html")
        check_no_script(page, f"{out}/report.html", doc)
        check_odd_runs(page, where)
        assert not page.errors, page.errors
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
