/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/track.c -- the first pass: passes packets to the judge and keeps
 * the results for each frame.
 */
#include "dissector/track.h"

#include <string.h>

#include "dissector/families.h"
#include "dissector/flow.h"
#include "dissector/kind.h"
#include "dissector/links.h"
#include "dissector/origin.h"
#include "judge/core/copies.h"
#include "lib/lib_inside.h"
#include "wire/family.h"
#include "wire/frame/crc.h"
#include "wire/uet/uet_pds.h"

enum { FINDINGS = 16 }; /* findings kept for one packet */

/* A packet whose place in the file is before its time of arrival. */
struct dissect_track_held {
	struct dissect_track_held *next;
	struct seen *seen;
	uint32_t behind; /* crossed after this frame of the same time */
	struct dgram d;
};

static struct {
	struct rung_judge *judge;
	struct dissect_track_held *held; /* sorted, the earliest first */
	struct copies copies;
	bool ended; /* rung_judge_end was called */
	gint64 origin;
	vtime last;
	struct rung_finding found[FINDINGS];
} state;

struct track_prefs track_prefs;

void track_prefs_default(struct track_prefs *ret)
{
	*ret = (struct track_prefs){
		.on = TRUE,
		.flows = 16384,
		.max_ack_data = 16,
		.mp_range = 1024,
		.mtu = 8192,
	};
}

/* ---- A capture file ---- */

void track_open(void)
{
	memset(&state, 0, sizeof(state));
	origin_reset();
	seen_reset();
	flow_reset();
	links_open();
}

void track_close(void)
{
	rung_judge_free(state.judge);
	memset(&state, 0, sizeof(state));
	seen_reset();
	flow_reset();
}

const struct seen *track_frame(uint32_t frame)
{
	return seen_at(frame);
}

/* ---- Time, whose origin is not 0 ---- */

static vtime dissect_track_time_of(const packet_info *pinfo)
{
	const gint64 ns =
		(gint64)pinfo->abs_ts.secs * VSPAN_S + pinfo->abs_ts.nsecs;

	if (!state.last) {
		state.origin = ns - VSPAN_S;
		state.last = 1;
	}
	return vtime_max(ns - state.origin, 1);
}

/* ---- The judge ---- */

static uint64_t us(guint n)
{
	return (uint64_t)n * VSPAN_US;
}

static void dissect_track_configure(struct rung_conf *c, enum origin from)
{
	const struct track_prefs *p = &track_prefs;
	const bool ours = from != ORIGIN_OTHER;
	const bool complete = p->complete == COMPLETE_YES ||
			      (p->complete == COMPLETE_AUTO && ours);

	rung_conf_default(c, complete);
	c->max_flows = p->flows;
	c->rto_ns = us(p->rto);
	c->rto_tolerance_ns = us(p->rto_tolerance);
	c->nack_time_ns = us(p->nack_time);
	c->nack_tolerance_ns = us(p->nack_time) / 5;
	c->max_ack_data = p->max_ack_data;
	c->mp_range = p->mp_range;
	c->mtu = p->mtu;
	c->dscp_trimmed = (uint8_t)p->dscp_trimmed;
	c->dscp_trimmed_lasthop = (uint8_t)p->dscp_trimmed_lasthop;
}

/*
 * Allocates the judge, whose flows are large; with less memory it follows fewer
 * flows.
 */
static bool have_judge(const packet_info *pinfo, const struct dgram *d,
		       enum origin from)
{
	char at[IP_ADDR_TEXT];
	struct rung_conf conf;

	if (state.judge)
		return true;
	dissect_track_configure(&conf, from);
	if (from != ORIGIN_OTHER) {
		ip_addr_print(origin_to_device(pinfo) ? &d->dst : &d->src, at);
		conf.at = at;
	}
	while (conf.max_flows && rung_judge_new_conf(&state.judge, &conf))
		conf.max_flows /= 2;
	return state.judge != NULL;
}

static const char *kept(const char *s)
{
	if (*s)
		return wmem_strdup(wmem_file_scope(), s);
	return NULL;
}

/* Adds a finding; the worst level comes first. */
static struct note *dissect_track_keep(struct seen *s, enum req_id req,
				       enum req_role role, const char *text)
{
	struct note *n = wmem_new0(wmem_file_scope(), struct note);
	struct note **at = &s->notes;

	while (*at && req_get((*at)->req)->level <= req_get(req)->level)
		at = &(*at)->next;
	*n = (struct note){*at, req, role, text, NULL, NULL};
	*at = n;
	return n;
}

static void keep_finding(const struct rung_finding *f)
{
	struct seen *s = seen_at(f->frame);
	struct note *n;

	if (!s)
		return;
	n = dissect_track_keep(s, (enum req_id)f->row, (enum req_role)f->role,
			       kept(f->text));
	n->expected = kept(f->expected);
	n->actual = kept(f->actual);
}

static void dissect_track_keep_all(int n)
{
	for (int i = 0; i < n && i < FINDINGS; i++)
		keep_finding(&state.found[i]);
}

/*
 * Takes a finding of the case from a comment: the case has expectations that
 * the judge does not have.
 */
static void dissect_track_told(void *arg, const struct origin_finding *f)
{
	struct seen *s = arg;

	for (const struct note *n = s->notes; n; n = n->next)
		if (n->req == f->req && n->role == f->role)
			return;
	dissect_track_keep(s, f->req, f->role,
			   wmem_strdup_printf(wmem_file_scope(),
					      "The case that was run: %.*s",
					      f->len, f->text));
}

/* ---- A packet ---- */

static void dissect_track_judge_packet(struct seen *s, const struct packet *pkt,
				       const struct dgram *d, bool cut)
{
	struct judge_packet in = {.pkt = pkt,
				  .d = d,
				  .frame = s->frame,
				  .cut = cut,
				  .copy = s->flags & SEEN_COPY};
	struct rung_facts x;

	/* The judge requires time not to go backwards. */
	in.at = state.last = vtime_max(state.last, s->at);
	dissect_track_keep_all(
		lib_judge_push(state.judge, &in, state.found, FINDINGS));
	rung_judge_facts(state.judge, &x);
	s->stream = (uint32_t)x.flow;
	if (x.flow == RUNG_NO_FLOW)
		return;
	s->flags |= SEEN_JUDGED;
	if (x.foreign)
		s->flags |= SEEN_FOREIGN;
	links_judged(s, state.judge, &x, pkt);
}

/* ---- Packets that rung delayed towards the device ---- */

static void dissect_track_hold(struct seen *s, const struct packet *pkt,
			       const struct dgram *d, uint32_t behind)
{
	struct dissect_track_held *h =
		wmem_new(wmem_file_scope(), struct dissect_track_held);
	struct dissect_track_held **at = &state.held;

	h->seen = s;
	h->behind = behind;
	dgram_copy(&h->d, d);
	h->d.len = pkt->len; /* without the CRC */
	while (*at && (*at)->seen->at <= s->at)
		at = &(*at)->next;
	h->next = *at;
	*at = h;
}

static bool is_due(const struct dissect_track_held *h, vtime now,
		   uint32_t frame)
{
	return h &&
	       (h->seen->at < now || (h->seen->at == now && h->behind < frame));
}

/* Releases the packets that crossed before |frame|, which crosses at |now|. */
static void dissect_track_release_held(vtime now, uint32_t frame)
{
	while (is_due(state.held, now, frame)) {
		struct dissect_track_held *h = state.held;
		struct packet pkt;

		state.held = h->next;
		packet_parse(h->d.family, &pkt, h->d.data, h->d.len);
		dissect_track_judge_packet(h->seen, &pkt, &h->d, false);
	}
}

/* Missing packets are known when the file ends: on the second pass. */
static void dissect_track_judge_absence(void)
{
	if (state.ended || !state.judge)
		return;
	state.ended = true;
	dissect_track_release_held(VTIME_NEVER, 0);
	dissect_track_keep_all(rung_judge_end(state.judge, (uint64_t)state.last,
					      state.found, FINDINGS));
}

/* ---- The whole packet ---- */

/* Packets that did not reach the device's end of the link are not judged. */
static bool crossed(const packet_info *pinfo, enum origin from)
{
	if (from == ORIGIN_REMOVED)
		return !origin_to_device(pinfo);
	return from != ORIGIN_ADDED || origin_to_device(pinfo);
}

static uint16_t dissect_track_fate_of(enum origin from)
{
	switch (from) {
	case ORIGIN_REMOVED:
		return SEEN_REMOVED;
	case ORIGIN_ADDED:
		return SEEN_ADDED;
	case ORIGIN_DELAYED:
		return SEEN_DELAYED;
	default:
		return 0;
	}
}

/*
 * Returns the frame that this one duplicates, if the network made it.  rung's
 * own captures mark duplicates.  In families that begin with a BTH a
 * retransmission has the same bytes as a network duplicate, so it is not
 * marked.
 */
static uint16_t dissect_track_copy_of(const struct seen *s, enum origin from,
				      const struct packet *pkt,
				      const struct dgram *d)
{
	const struct copies_frame f = {
		.p = pkt->p,
		.len = pkt->len,
		.sum = crc_sum(d, pkt->p, pkt->len),
		.pair = copies_pair_of(d->src.b, d->dst.b, d->src.len),
		.way = copies_way_of(d->src.b, d->dst.b, d->src.len),
		.has_id = d->src.len == 4,
		.id = d->ip_id,
		.at = s->at};
	struct copies_item copy;

	if (from != ORIGIN_OTHER || d->family != MAIN_FAMILY)
		return 0;
	copies_see(&state.copies, &f, &copy);
	if (copies_decide(&state.copies, &f, &copy) != COPIES_COPY)
		return 0;
	return SEEN_COPY;
}

static void dissect_track_learn(struct seen *s, const packet_info *pinfo,
				const struct packet *pkt, const struct dgram *d,
				bool cut)
{
	uint32_t behind;
	const enum origin from = origin_of(pinfo, &behind);

	s->family = d->family;
	s->flags |= kind_of(pkt);
	s->flags |= dissect_track_fate_of(from);
	s->flags |= dissect_track_copy_of(s, from, pkt, d);
	if (s->flags & SEEN_COPY)
		/* the answer is due for the other packet */
		s->flags &= ~(uint32_t)SEEN_DUE;
	if (links_is_rudi(pkt) && !(s->flags & SEEN_COPY))
		links_rudi(s, pkt, d);
	if (crossed(pinfo, from) && have_judge(pinfo, d, from)) {
		dissect_track_release_held(s->at, s->frame);
		if (from == ORIGIN_DELAYED && origin_to_device(pinfo))
			dissect_track_hold(s, pkt, d, behind);
		else
			dissect_track_judge_packet(s, pkt, d, cut);
	}
	if (from != ORIGIN_OTHER)
		origin_findings(pinfo, dissect_track_told, s);
}

const struct seen *track_packet(const packet_info *pinfo,
				const struct packet *pkt, const struct dgram *d,
				bool cut)
{
	struct seen *s = seen_at(pinfo->num);

	if (pinfo->flags.in_error_pkt)
		return NULL;
	if (pinfo->fd->visited) {
		dissect_track_judge_absence();
		return s;
	}
	if (s || !track_prefs.on || pkt->len < pds_prologue_len)
		return s;
	s = seen_new(pinfo->num, dissect_track_time_of(pinfo));
	dissect_track_learn(s, pinfo, pkt, d, cut);
	return s;
}

bool track_trimmed(uint8_t dscp)
{
	return dscp && (dscp == track_prefs.dscp_trimmed ||
			dscp == track_prefs.dscp_trimmed_lasthop);
}

bool track_rtt(const struct seen *s, vspan *ret)
{
	const struct seen *req = seen_at(s->req_in);

	if (!req || req->retx_of)
		return false;
	*ret = s->at - req->at;
	return true;
}

bool track_response(const struct seen *s, vspan *ret)
{
	const struct seen *req = seen_at(s->req_in);

	if (!req)
		return false;
	while (seen_at(req->retx_of))
		req = seen_at(req->retx_of);
	*ret = s->at - req->at;
	return true;
}
