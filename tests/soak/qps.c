/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/qps.c -- runs ends, judges, the packets between them, and time.
 */
#include "tests/soak/qps.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "wire/ib/icrc.h"

#define FINDINGS 8
#define HOP      VSPAN_US /* least delay of a packet */

struct qps *qps_new(const struct qps_kind *kind,
		    const struct orc_api *const api[2], enum family family)
{
	struct qps *w = kind->make();
	struct judge_conf jc;

	if (!w)
		return NULL;
	memcpy(w->api, api, sizeof(w->api));
	w->family = family;
	judge_conf_default(&jc);
	for (unsigned e = 0; e < 2; e++)
		if (judge_new(&w->judge[e], &jc, 8)) {
			qps_free(w);
			return NULL;
		}
	return w;
}

void qps_free(struct qps *w)
{
	for (unsigned e = 0; w && e < 2; e++)
		judge_free(w->judge[e]);
	if (w)
		tap_free(w->tap);
	free(w);
}

static void close_run(struct qps *w)
{
	tap_close(w->tap);
	for (unsigned e = 0; e < 2; e++) {
		if (w->end[e])
			w->api[e]->free(w->end[e]);
		w->end[e] = NULL;
	}
	while (w->nflights)
		free(w->flights[--w->nflights].d);
}

unsigned qps_run(const struct qps_kind *kind, struct qps *w, uint64_t seed)
{
	w->findings = 0;
	w->now = 0;
	w->frame = 0;
	w->seed = seed;
	kind->run(w, seed);
	close_run(w);
	w->tally.runs++;
	w->tally.failed += w->findings != 0;
	w->tally.findings += w->findings;
	return w->findings;
}

void qps_wrong(struct qps *w, const char *fmt, ...)
{
	va_list ap;

	if (w->findings++)
		return;
	va_start(ap, fmt);
	vsnprintf(w->text, sizeof(w->text), fmt, ap);
	va_end(ap);
}

bool qps_open(struct qps *w)
{
	struct judge_conf jc;

	for (unsigned e = 0; e < 2; e++) {
		if (w->api[e]->make(&w->end[e], &w->conf[e])) {
			qps_wrong(w, "the endpoints cannot be made");
			return false;
		}
		judge_conf_default(&jc);
		jc.complete = true;
		jc.grace = -1; /* endpoints have no queues with a delay */
		jc.here = w->conf[e].addr;
		judge_declare(w->judge[e], &jc);
		judge_reset(w->judge[e]);
	}
	/* A go-back-N sender with the extension violates WQE-16. */
	if (w->family != FAMILY_WQE || !w->conf[0].wqe_gbn)
		tap_open(w->tap, w->seed, &w->conf[0].addr, &w->conf[1].addr,
			 HOP, w->family == FAMILY_SRD && !w->conf[0].crc);
	return true;
}

/* ---- Packets ---- */

void qps_look(struct qps *w, unsigned side, const struct dgram *d,
	      struct packet *pkt,
	      bool (*may)(const struct qps *w, const struct finding *f))
{
	struct finding f[FINDINGS];
	const struct judge_packet in = {
		.pkt = pkt, .d = d, .at = w->now, .frame = ++w->frame};
	const double us = (double)w->now / 1e3;
	size_t n;

	if (w->trace)
		fprintf(w->trace, "%c %.3f us  opcode 0x%02x, %zu bytes\n",
			side ? 'B' : 'A', us, d->data[0], d->len);
	n = judge_push(w->judge[side], &in, f, FINDINGS);
	for (size_t i = 0; i < n && i < FINDINGS; i++)
		if (!may || !may(w, &f[i]))
			qps_wrong(w, "%s/%s: %s", req_get(f[i].req)->id,
				  req_role_name(f[i].role), f[i].text);
}

void qps_leaves(struct qps *w, unsigned from, const struct dgram *d)
{
	tap_draw(w->tap);
	tap_sent(w->tap, from, w->now, d, NULL);
}

void qps_flies(struct qps *w, const struct qps_flight *f)
{
	tap_flies(w->tap, f->to, f->at, f->d, f->forged ? "forged" : NULL);
}

struct qps_flight *qps_fly(struct qps *w, unsigned to, const struct dgram *d,
			   vspan delay)
{
	struct qps_flight *f = &w->flights[w->nflights];

	if (w->nflights == QPS_FLIGHTS)
		return NULL;
	*f = (struct qps_flight){.at = w->now + delay, .to = to};
	f->d = malloc(offsetof(struct dgram, data) + d->len);
	if (!f->d) {
		qps_wrong(w, "no memory");
		return NULL;
	}
	dgram_copy(f->d, d);
	w->nflights++;
	return f;
}

/* ---- Time ---- */

static size_t soak_qps_earliest(const struct qps *w)
{
	size_t first = 0;

	for (size_t i = 1; i < w->nflights; i++)
		if (w->flights[i].at < w->flights[first].at)
			first = i;
	return first;
}

bool qps_step(struct qps *w, vtime until,
	      void (*arrive)(struct qps *w, const struct qps_flight *f),
	      void (*drain)(struct qps *w, unsigned side))
{
	const size_t i = soak_qps_earliest(w);
	vtime at = w->nflights ? w->flights[i].at : VTIME_NEVER;
	struct qps_flight f;
	int side = -1;

	for (unsigned e = 0; e < 2; e++)
		if (w->api[e]->deadline(w->end[e]) < at) {
			at = w->api[e]->deadline(w->end[e]);
			side = (int)e;
		}
	if (at > until || at == VTIME_NEVER || w->findings)
		return false;
	w->now = vtime_max(w->now, at);
	if (side >= 0) {
		w->api[side]->tick(w->end[side], w->now);
		drain(w, (unsigned)side);
		return true;
	}
	f = w->flights[i];
	w->flights[i] = w->flights[--w->nflights];
	tap_arrives(w->tap, f.to, w->now, f.d, f.forged ? "forged" : NULL);
	arrive(w, &f);
	free(f.d);
	return true;
}
