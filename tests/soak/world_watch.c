/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/world_watch.c -- what is recorded of a world: the trace, the
 * captures, and the findings of the judges.
 */
#include "tests/soak/world_watch.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "wire/packet.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"

#define JUDGE_FLOWS    1024 /* a PDC for each message */
#define FINDINGS_SHOWN 16

void *world_must(void *p)
{
	if (p)
		return p;
	fprintf(stderr, "soak: no memory\n");
	exit(2);
}

bool world_trimmed(const struct world *w, const struct dgram *d)
{
	return judge_trimmed(&w->plan.judge[A], d->dscp);
}

/* A trimming switch also removes the CRC. */
static bool world_ends_in_crc(const struct world *w, const struct dgram *d)
{
	return w->plan.conf[A].crc && d->len >= CRC_LEN && !world_trimmed(w, d);
}

size_t world_plain_len(const struct world *w, const struct dgram *d)
{
	if (world_ends_in_crc(w, d))
		return d->len - CRC_LEN;
	return d->len;
}

/* ---- Trace: packets in case syntax, all else as comments ---- */

void world_trace(struct world *w, unsigned from, const struct dgram *d,
		 const char *what)
{
	struct packet pkt;

	if (!w->trace)
		return;
	uet_packet_parse(&pkt, d->data, world_plain_len(w, d));
	text_clear(&w->line);
	packet_print(&w->line, &pkt, PACKET_FULL, NULL);
	fprintf(w->trace, "%c  %s  # %.3f us%s\n", from == A ? '>' : '<',
		text_cstr(&w->line), (double)w->now / 1e3, what);
}

void world_note(struct world *w, const char *fmt, ...)
{
	va_list ap;

	if (!w->trace)
		return;
	fprintf(w->trace, "#  %.3f us  ", (double)w->now / 1e3);
	va_start(ap, fmt);
	vfprintf(w->trace, fmt, ap);
	va_end(ap);
	fputc('\n', w->trace);
}

/* ---- Captures ---- */

void world_capture(struct world *w, uint64_t seed)
{
	if (!w->captures)
		return;
	if (!w->tap)
		w->tap = world_must(tap_new(w->captures));
	tap_open(w->tap, seed, &w->plan.conf[A].addr, &w->plan.conf[B].addr,
		 w->plan.link.hop, false);
}

void world_mark(struct world *w, const struct dgram *d)
{
	struct pds_req h; /* ACKs have the PDCIDs at the same offsets */

	pds_req_get(&h, d->data);
	snprintf(w->mark, sizeof(w->mark), "forged 0x%04x 0x%04x", h.spdcid,
		 h.dpdcid);
}

/* ---- The judges ---- */

/* A judge is certain about the side at whose link it is (judge/judge.h). */
static void take_finding(struct world *w, unsigned side,
			 const struct finding *f)
{
	const char *id = req_get(f->req)->id;
	const char *role = f->role == REQ_SRC ? "src" : "dst";
	char text[400];

	if (!ip_addr_equal(&f->side, &w->plan.conf[side].addr))
		return;
	snprintf(text, sizeof(text), "%c: %s/%s, frame %u: %s (%s, not %s)",
		 side ? 'B' : 'A', id, role, f->frame, f->text, f->expected,
		 f->actual);
	ledger_wrong(&w->ledger, "%s", text);
	world_note(w, "!! %s", text);
}

static void take_findings(struct world *w, unsigned side,
			  const struct finding *f, size_t n)
{
	for (size_t i = 0; i < n && i < FINDINGS_SHOWN; i++)
		take_finding(w, side, &f[i]);
}

void world_look(struct world *w, unsigned side, const struct dgram *d)
{
	struct finding found[FINDINGS_SHOWN];
	struct packet pkt;
	const struct judge_packet p = {
		.pkt = &pkt, .d = d, .at = w->now, .frame = w->frame};
	size_t n;

	uet_packet_parse(&pkt, d->data, d->len);
	n = judge_push(w->judge[side], &p, found, FINDINGS_SHOWN);
	take_findings(w, side, found, n);
}

void world_end(struct world *w, unsigned side)
{
	struct finding found[FINDINGS_SHOWN];
	const size_t n = judge_end(w->judge[side], w->now + VSPAN_S, found,
				   FINDINGS_SHOWN);

	take_findings(w, side, found, n);
}

void world_open(struct world *w, unsigned side)
{
	const struct judge_conf *conf = &w->plan.judge[side];

	if (!w->judge[side] && judge_new(&w->judge[side], conf, JUDGE_FLOWS))
		world_must(NULL);
	judge_declare(w->judge[side], conf);
	judge_reset(w->judge[side]);
}
