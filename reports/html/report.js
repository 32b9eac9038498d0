/* SPDX-License-Identifier: BSD-2-Clause */
/* What a page can do more: filter, unpack drawings, draw the kill matrix. */
"use strict";
(() => {
	const $ = (id) => document.getElementById(id);
	const form = $("filter");
	const names = JSON.parse($("names").textContent);
	const sets = JSON.parse($("sets").textContent).map((steps) => {
		let row = 0;
		return steps.map((step) => {
			row += step;
			return names[row >> 1] + (row & 1 ? "/dst" : "/src");
		});
	});
	const cases = [...document.querySelectorAll("details.c")].map((el) => {
		const id = el.querySelector("code").textContent;
		return {
			el, id,
			verdict: el.classList[1],
			folder: id.slice(0, Math.max(0, id.lastIndexOf("/"))),
			chair: id.slice(id.lastIndexOf("@") + 1),
			set: Number(el.dataset.s),
			text: "",
		};
	});
	const rows = [...document.querySelectorAll("#rt tbody tr")].map((el) => ({
		el, id: el.id,
		verdicts: [...el.querySelectorAll(".v")].map((v) =>
			v.textContent),
		text: el.textContent.toLowerCase(),
	}));
	/* "RUD-SEQ" of "RUD-SEQ-76", "I4" of itself. */
	const family = (id) => id.replace(/-[^-]*$/, "");

	function options(select, values) {
		for (const v of [...new Set(values)].sort())
			select.add(new Option(v));
	}

	function wanted() {
		const data = new FormData(form);
		return {
			verdicts: new Set(data.getAll("v")),
			all: data.getAll("v").length ===
				form.elements.v.length,
			words: data.get("q").toLowerCase().split(/\s+/)
				.filter(Boolean),
			req: data.get("r").trim().toUpperCase(),
			family: data.get("f"),
			folder: data.get("d"),
			chair: data.get("c"),
		};
	}

	function about(req, want) {
		const name = req.toUpperCase();
		return name === want || name.startsWith(want + "/");
	}

	/* Whether a set of requirements fits. */
	function setFits(set, w) {
		return (!w.req || set.some((r) => about(r, w.req))) &&
			(!w.family || set.some((r) =>
				family(r.split("/")[0]) === w.family));
	}

	function fits(c, w) {
		if (!w.verdicts.has(c.verdict) || !w.sets[c.set] ||
		    (w.chair && c.chair !== w.chair) ||
		    (w.folder && c.folder !== w.folder))
			return false;
		if (w.words.length && !c.text)
			c.text = c.el.textContent.toLowerCase();
		return w.words.every((word) => c.text.includes(word));
	}

	/* A requirement has no chair and no folder: its cases have. */
	function reqFits(r, w) {
		return (w.all || r.verdicts.some((v) => w.verdicts.has(v))) &&
			(!w.req || about(r.id, w.req.split("/")[0])) &&
			(!w.family || family(r.id) === w.family);
	}

	/*
	 * The address keeps the filter, as "#?v=fail&q=ack", so that a link
	 * shows what its sender saw.  Without a filter it stays as it is.
	 */
	function write() {
		const data = new FormData(form), query = new URLSearchParams();
		const all = data.getAll("v").length === form.elements.v.length;
		for (const [name, value] of data)
			if (value && !(name === "v" && all))
				query.append(name, value);
		if (!data.getAll("v").length)
			query.append("v", "");
		if (query.size || location.hash.startsWith("#?"))
			history.replaceState(null, "", "#" + (query.size ?
				"?" + query : ""));
	}

	/* Sets the form by the address; true if that holds a filter. */
	function read() {
		if (!location.hash.startsWith("#?"))
			return false;
		const query = new URLSearchParams(location.hash.slice(2));
		form.reset();
		if (query.has("v"))
			for (const box of form.elements.v)
				box.checked = query.getAll("v")
					.includes(box.value);
		for (const name of ["q", "r", "f", "d", "c"])
			if (query.has(name))
				form.elements[name].value = query.get(name);
		return true;
	}

	function filter() {
		const w = wanted();
		w.sets = sets.map((set) => setFits(set, w));
		let shown = 0, reqs = 0;
		for (const c of cases) {
			const on = fits(c, w);
			c.el.hidden = !on;
			shown += on;
		}
		for (const r of rows) {
			const on = reqFits(r, w);
			r.el.hidden = !on;
			reqs += on;
		}
		$("count").textContent = `${shown} of ${cases.length} cases, ` +
			`${reqs} of ${rows.length} requirements`;
	}

	let later = 0;
	function soon() {
		clearTimeout(later);
		later = setTimeout(() => {
			filter();
			write();
		}, 80);
	}

	/* ---- Drawings ---- */

	const PER_BLOCK = 32;
	const blocks = new Map();

	async function unpack(n) {
		const line = $("packs").textContent.split("\n")[n];
		const bytes = Uint8Array.from(atob(line), (c) =>
			c.charCodeAt(0));
		const stream = new Blob([bytes]).stream()
			.pipeThrough(new DecompressionStream("deflate-raw"));
		return (await new Response(stream).text()).split("\0");
	}

	async function draw(place) {
		const at = Number(place.dataset.p);
		const n = Math.floor(at / PER_BLOCK);
		if (!blocks.has(n))
			blocks.set(n, unpack(n));
		const div = document.createElement("div");
		div.className = "lw";
		div.innerHTML = (await blocks.get(n))[at % PER_BLOCK];
		place.replaceWith(div);
	}

	/* ---- The kill matrix ---- */

	const DOT = 4;

	function grid() {
		const m = JSON.parse($("matrix").textContent);
		const canvas = $("grid"), pen = canvas.getContext("2d");
		const style = getComputedStyle(document.documentElement);
		const dark = style.getPropertyValue("--fail");
		const light = style.getPropertyValue("--line");
		const fails = new Set(cases.filter((c) => c.verdict === "fail")
			.map((c) => c.id));
		const mine = ["this device"];
		m.cases.forEach((id, i) => {
			if (fails.has(id))
				mine.push(-1 - i);
		});
		const all = [mine, ...m.mutants];
		canvas.width = m.cases.length * DOT;
		canvas.height = (all.length + 1) * DOT;
		all.forEach((row, y) => row.slice(1).forEach((n) => {
			pen.fillStyle = n < 0 ? dark : light;
			pen.fillRect((Math.abs(n) - 1) * DOT,
				(y + (y > 0)) * DOT, DOT - 1, DOT - 1);
		}));
		canvas.addEventListener("mousemove", (e) => {
			const x = Math.floor(e.offsetX / DOT);
			const y = Math.floor(e.offsetY / DOT);
			const row = all[y > 1 ? y - 1 : y];
			if (!row || y === 1 || !m.cases[x])
				return;
			const how = row.includes(-1 - x) ? "fails" :
				row.includes(x + 1) ?
				"fails under another requirement" : "passes";
			$("dot").textContent =
				`${row[0]}: ${how} ${m.cases[x]}`;
		});
	}

	/* ---- Links and keys ---- */

	/* A link may lead to what the filter hides, or what is folded. */
	function reveal() {
		if (read()) {
			filter();
			$("cases").scrollIntoView();
			return;
		}
		const to = $(decodeURIComponent(location.hash.slice(1)));
		if (!to)
			return;
		const box = to.closest("details");
		if (to.closest("[hidden]")) {
			form.reset();
			filter();
		}
		if (box)
			box.open = true;
		to.scrollIntoView();
	}

	/* What the page holds packed is written out when a case is opened. */
	function unfold(el) {
		if (el.querySelector(".rq"))
			return;
		const p = document.createElement("p");
		p.className = "rq";
		for (const r of sets[Number(el.dataset.s)]) {
			const a = document.createElement("a");
			a.textContent = r;
			a.href = "#" + r.split("/")[0];
			p.append(a, " ");
		}
		el.querySelector(".b").append(p);
		for (const place of el.querySelectorAll("[data-p]")) {
			const button = document.createElement("button");
			button.textContent = "Draw the ladder";
			button.addEventListener("click", () => draw(place));
			place.append(button);
		}
	}

	for (const el of document.querySelectorAll(".js"))
		el.hidden = false;
	options(form.elements.d, cases.map((c) => c.folder).filter(Boolean));
	options(form.elements.f, rows.map((r) => family(r.id)));
	$("rl").append(...rows.map((r) => new Option(r.id)));
	if ($("matrix"))
		grid();
	form.addEventListener("input", soon);
	form.addEventListener("reset", soon);
	form.addEventListener("submit", (e) => e.preventDefault());
	document.addEventListener("toggle", (e) => {
		if (e.target.open && e.target.matches("details.c"))
			unfold(e.target);
	}, true);
	for (const c of cases)
		if (c.el.open)
			unfold(c.el);
	document.addEventListener("keydown", (e) => {
		if (e.key !== "/" || /INPUT|SELECT/.test(e.target.tagName))
			return;
		e.preventDefault();
		form.elements.q.focus();
	});
	addEventListener("hashchange", reveal);
	addEventListener("beforeprint", () => {
		for (const c of cases)
			if (c.verdict !== "pass" && c.verdict !== "na")
				c.el.open = true;
	});
	filter();
	reveal();
})();
