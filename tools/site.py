#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes a static site of the Markdown in the tree, with search.

Usage: tools/site.py OUT

Each page keeps its place below the root, with .html for .md, so that links
between pages work as they are; files that a page links to are copied.  The
search runs in the browser, from one file, without a server or a network.
Needs python3-markdown and libjs-lunr.
Exit status: 1 if a link leads nowhere, 77 if one of them is not installed.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys

try:
    import markdown
except ImportError:
    print("site: skipped: python3-markdown is not installed", file=sys.stderr)
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[1]
LUNR = pathlib.Path("/usr/share/javascript/lunr/lunr.min.js")
# The menu: a title, and pages; the other pages follow from links.
MENU = {
    "Start": ["README.md", "docs/tutorials/certify.md",
              "docs/tutorials/capture.md", "docs/tutorials/regress.md"],
    "Use": ["docs/cli.md", "docs/options.md", "docs/declaration.md", "docs/adapters.md",
            "docs/dut-control.md", "docs/reports.md", "docs/baseline.md",
            "docs/check.md", "docs/capture.md", "docs/wireshark.md",
            "docs/bridge.md",
            "docs/explore.md", "docs/fabric.md", "docs/lab.md", "docs/history.md",
            "docs/packages.md", "docs/ci/README.md"],
    "Know": ["docs/case-language.md", "docs/requirements.md",
             "docs/interop.md", "docs/variants.md", "docs/mutants.md",
             "docs/srd.md", "docs/wqe-sr.md", "docs/roce.md",
             "docs/glossary.md"],
    "Build": ["docs/architecture.md", "docs/fast-path.md", "CONTRIBUTING.md"],
}
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title} - rung</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="{up}site.css"></head><body>
<nav><form action="{up}search.html"><input name="q" type="search"
 placeholder="Search" aria-label="Search" value=""></form>{menu}</nav>
<main>{body}</main></body></html>
"""
CSS = """body{margin:0;display:flex;font:16px/1.5 sans-serif;color:#222}
nav{flex:0 0 15em;padding:1em;background:#f4f4f6;min-height:100vh}
nav h2{font-size:1em;margin:1em 0 .2em}nav a{display:block;color:#124}
main{max-width:52em;padding:1em 2em;min-width:0}
pre{background:#f4f4f6;padding:.7em;overflow-x:auto;font-size:13px;line-height:1.3}
code{background:#f4f4f6}img{max-width:100%}table{border-collapse:collapse}
td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left;vertical-align:top}
@media(max-width:50em){body{display:block}nav{min-height:0}}
@media print{nav{display:none}}
"""
SEARCH = """<h1>Search</h1><p id="said"></p><div id="found"></div>
<script src="lunr.js"></script><script src="search-data.js"></script><script>
const q = new URLSearchParams(location.search).get("q") || "";
document.querySelector("nav input").value = q;
const index = lunr(function () {
  this.ref("n"); this.field("title", {boost: 5}); this.field("text");
  this.tokenizer.separator = /[\\s,;:()`]+/;
  sections.forEach((s, n) => this.add({n: n, title: s[1], text: s[2]}));
});
const words = q.toLowerCase().split(/[\\s,;:()`]+/).filter(Boolean);
const hits = index.query(function (ask) {
  for (const w of words) {
    ask.term(lunr.tokenizer(w), {boost: 10, usePipeline: true});
    ask.term(w, {wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false});
  }
}).slice(0, 50);
document.getElementById("said").textContent =
  hits.length + " sections for: " + q;
for (const hit of hits) {
  const s = sections[hit.ref], p = document.createElement("p");
  const a = p.appendChild(document.createElement("a"));
  a.href = s[0]; a.textContent = s[1];
  p.append(document.createElement("br"), s[2].slice(0, 200));
  document.getElementById("found").append(p);
}
</script>"""


def slug(text, _separator="-"):
    """The anchor that the links of the tree use for a heading."""
    plain = re.sub(r"<[^>]*>|[^\w\s-]", "", text.lower())
    return re.sub(r"\s", "-", plain.strip())


def tracked():
    done = subprocess.run(["git", "-C", str(ROOT), "ls-files"], text=True,
                          capture_output=True, check=False)
    names = done.stdout.split("\n") if done.returncode == 0 else [
        str(p.relative_to(ROOT)) for p in ROOT.rglob("*")]
    return sorted(n for n in names if n.endswith(".md"))


def body_of(text):
    """HTML, and the sections for the search: anchor, title, words."""
    made = markdown.Markdown(
        extensions=["tables", "fenced_code", "toc", "sane_lists"],
        extension_configs={"toc": {"slugify": slug}}, tab_length=4)
    body = made.convert(text)
    sections = []
    for part in re.split(r"(?=<h[1-4] id=)", body):
        head = re.match(r'<h[1-4] id="([^"]*)">(.*?)</h', part, re.S)
        words = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", part)).split())
        if head:
            title = html.unescape(re.sub(r"<[^>]*>", "", head[2]))
            sections.append((head[1], title, words[len(title):].strip()))
    return body, sections


def menu_for(up, titles):
    out = []
    for group, pages in MENU.items():
        out.append(f"<h2>{group}</h2>")
        out += [f'<a href="{up}{p[:-3]}.html">{html.escape(titles[p])}</a>'
                for p in pages]
    return "".join(out)


def main():
    if not LUNR.exists():
        print("site: skipped: libjs-lunr is not installed", file=sys.stderr)
        return 77
    out = pathlib.Path(sys.argv[1])
    pages = {n: (ROOT / n).read_text() for n in tracked()}
    titles = {n: (re.search(r"^# (.*)$", t, re.M) or [0, n])[1]
              for n, t in pages.items()}
    anchors, links, data = {}, [], []
    for name, text in pages.items():
        up = "../" * name.count("/")
        target = name[:-3] + ".html"
        body, sections = body_of(text)

        def link(m, name=name):
            links.append((name, html.unescape(m[2])))
            return m[1] + re.sub(r"\.md(?=#|$)", ".html", m[2]) + m[3]

        body = re.sub(r'((?:href|src)=")(?!https?:|mailto:)([^"]*)(")', link,
                      body)
        anchors[name] = set(re.findall(r'\bid="([^"]*)"', body))
        data += [(f"{target}#{a}", f"{titles[name]}: {t}", w)
                 for a, t, w in sections]
        path = out / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE.format(title=html.escape(titles[name]), up=up,
                                    menu=menu_for(up, titles), body=body))
    (out / "site.css").write_text(CSS)
    (out / "index.html").write_text(
        '<meta http-equiv="refresh" content="0; url=README.html">')
    (out / "search.html").write_text(PAGE.format(
        title="Search", up="", menu=menu_for("", titles), body=SEARCH))
    (out / "search-data.js").write_text(
        "const sections = " + json.dumps(data) + ";\n")
    shutil.copyfile(LUNR, out / "lunr.js")
    return check(out, links, anchors)


def check(out, links, anchors):
    """Copies the files that pages link to; reports links to nothing."""
    bad = 0
    for page, url in sorted(set(links)):
        path, _, anchor = url.partition("#")
        where = (ROOT / page).parent / path if path else ROOT / page
        where = pathlib.Path(*where.parts).resolve()
        name = str(where.relative_to(ROOT)) if where.is_relative_to(ROOT) else ""
        if not name or not where.exists():
            print(f"{page}: {url}: there is no such file")
            bad += 1
        elif where.is_dir():
            if (where / "README.md").exists():
                (out / name / "index.html").write_text(
                    '<meta http-equiv="refresh" content="0; url=README.html">')
        elif where.suffix == ".md":
            if anchor and anchor not in anchors[name]:
                print(f"{page}: {url}: there is no such heading")
                bad += 1
        else:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(where, out / name)
    print(f"{len(anchors)} pages, {len(set(links))} links")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
