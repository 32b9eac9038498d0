/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/track.c -- the first pass: packets to the judge, links kept.
 *
 * The judge says which earlier frame a packet belongs to, so no second table
 * of flows and PSNs is kept here: a frame number is an index.
 */
#include "dissector/track.h"

#include <string.h>

#include "base/serial.h"
#include "dissector/origin.h"
#include "judge/copies.h"
#include "judge/roce.h"
#include "judge/srd.h"
#include "judge/wqe.h"
#include "wire/crc.h"
#include "wire/family.h"
#include "wire/ib.h"
#include "wire/ib_packet.h"
#include "wire/uet_pds.h"

enum { FINDINGS = 16 }; /* for one packet; more are not kept */

/* RUDI packets have no PDC: an identifier, and who sent it to whom. */
struct rudi_key {
	struct ip_addr src, dst;
	uint32_t id;
};

/* A number of a flow. */
struct part_key {
	uint32_t stream, number;
};

/* A WQE, by its SN. */
struct message_of {
	struct part_key key;
	struct message m;
};

/* A PSN that was asked for and that nobody had seen. */
struct asked {
	struct part_key key;
	uint32_t frame;
};

/* A packet that the file holds before its time has come. */
struct held {
	struct held *next;
	struct seen *seen;
	uint32_t behind; /* crossed after this frame, of the same time */
	struct dgram d;
};

static struct {
	struct seen **frames; /* by frame number */
	uint32_t nframes;
	wmem_map_t *rudi;
	wmem_map_t *messages, *asked;
	struct judge *judge;
	struct held *held; /* the earliest first */
	struct copies copies;
	bool ended; /* judge_end was asked */
	gint64 origin;
	vtime last;
	struct finding found[FINDINGS];
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

static guint rudi_hash(gconstpointer key)
{
	const struct rudi_key *k = key;
	guint h = k->id;

	for (unsigned i = 0; i < k->src.len; i++)
		h = h * 31 + k->src.b[i];
	for (unsigned i = 0; i < k->dst.len; i++)
		h = h * 31 + k->dst.b[i];
	return h;
}

static gboolean rudi_equal(gconstpointer a, gconstpointer b)
{
	const struct rudi_key *x = a, *y = b;

	return x->id == y->id && ip_addr_equal(&x->src, &y->src) &&
	       ip_addr_equal(&x->dst, &y->dst);
}

static guint part_hash(gconstpointer key)
{
	const struct part_key *k = key;

	return k->number * 0x9e3779b1u ^ k->stream;
}

static gboolean part_equal(gconstpointer a, gconstpointer b)
{
	const struct part_key *x = a, *y = b;

	return x->number == y->number && x->stream == y->stream;
}

void track_open(void)
{
	memset(&state, 0, sizeof(state));
	origin_reset();
	state.rudi = wmem_map_new(wmem_file_scope(), rudi_hash, rudi_equal);
	state.asked = wmem_map_new(wmem_file_scope(), part_hash, part_equal);
	state.messages = wmem_map_new(wmem_file_scope(), part_hash, part_equal);
}

void track_close(void)
{
	judge_free(state.judge);
	memset(&state, 0, sizeof(state));
}

/* ---- Frames ---- */

static struct seen *at_frame(uint32_t frame)
{
	return frame < state.nframes ? state.frames[frame] : NULL;
}

const struct seen *track_frame(uint32_t frame)
{
	return at_frame(frame);
}

static void make_room(uint32_t frame)
{
	uint32_t n = state.nframes ? state.nframes : 1024;

	if (frame < state.nframes)
		return;
	while (n <= frame)
		n *= 2;
	state.frames = wmem_realloc(wmem_file_scope(), state.frames,
				    n * sizeof(*state.frames));
	memset(state.frames + state.nframes, 0,
	       (n - state.nframes) * sizeof(*state.frames));
	state.nframes = n;
}

static struct seen *begin(uint32_t frame, vtime at)
{
	struct seen *s = wmem_new0(wmem_file_scope(), struct seen);

	make_room(frame);
	state.frames[frame] = s;
	s->frame = frame;
	s->at = at;
	s->stream = JUDGE_NO_FLOW;
	return s;
}

/* ---- Time: an origin that is not 0 ---- */

static vtime time_of(const packet_info *pinfo)
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

static vspan us(guint n)
{
	return (vspan)n * VSPAN_US;
}

static void configure(struct judge_conf *c, const packet_info *pinfo,
		      const struct dgram *d, enum origin from)
{
	const struct track_prefs *p = &track_prefs;
	const bool ours = from != ORIGIN_OTHER;

	judge_conf_default(c);
	c->rto_init = us(p->rto);
	c->rto_tolerance = us(p->rto_tolerance);
	c->nack_retx_time = us(p->nack_time);
	c->nack_tolerance = us(p->nack_time) / 5;
	c->max_ack_data = p->max_ack_data;
	c->mp_range = p->mp_range;
	c->mtu = p->mtu;
	c->dscp_trimmed = (uint8_t)p->dscp_trimmed;
	c->dscp_trimmed_lasthop = (uint8_t)p->dscp_trimmed_lasthop;
	c->whole = p->whole == WHOLE_YES || (p->whole == WHOLE_AUTO && ours);
	if (ours)
		c->here = origin_to_device(pinfo) ? d->dst : d->src;
}

/* Flows are large: a machine that has no room for many follows fewer. */
static bool have_judge(const packet_info *pinfo, const struct dgram *d,
		       enum origin from)
{
	struct judge_conf conf;
	size_t flows = track_prefs.flows;

	if (state.judge)
		return true;
	configure(&conf, pinfo, d, from);
	while (flows && judge_new(&state.judge, &conf, flows))
		flows /= 2;
	return state.judge != NULL;
}

static const char *kept(const char *s)
{
	return *s ? wmem_strdup(wmem_file_scope(), s) : NULL;
}

static struct note *keep(struct seen *s, enum req_id req, enum req_role role,
			 const char *text)
{
	struct note *n = wmem_new0(wmem_file_scope(), struct note);
	struct note **at = &s->notes;

	while (*at)
		at = &(*at)->next;
	*n = (struct note){NULL, req, role, text, NULL, NULL};
	*at = n;
	return n;
}

static void keep_finding(const struct finding *f)
{
	struct seen *s = at_frame(f->frame);
	struct note *n;

	if (!s)
		return;
	n = keep(s, f->req, f->role, kept(f->text));
	n->expected = kept(f->expected);
	n->actual = kept(f->actual);
}

static void keep_all(size_t n)
{
	for (size_t i = 0; i < n && i < FINDINGS; i++)
		keep_finding(&state.found[i]);
}

/* A case knows more than the judge: what it expected. */
static void told(void *arg, const struct origin_finding *f)
{
	struct seen *s = arg;

	for (const struct note *n = s->notes; n; n = n->next)
		if (n->req == f->req && n->role == f->role)
			return;
	keep(s, f->req, f->role,
	     wmem_strdup_printf(wmem_file_scope(),
				"The case that was run: %.*s", f->len,
				f->text));
}

/* ---- Links ---- */

/* An ACK covers every transmission of a PSN. */
static void acked_by(struct seen *s, uint32_t psn)
{
	struct seen *r = at_frame(judge_frame(state.judge, false, psn));

	for (; r && !r->ack_in; r = at_frame(r->retx_of))
		r->ack_in = s->frame;
}

static void released_by(struct seen *s, uint32_t psn)
{
	struct seen *r = at_frame(judge_frame(state.judge, true, psn));
	struct seen *response = r ? at_frame(r->ack_in) : NULL;

	if (!response || !(response->flags & SEEN_ASKS) || response->clear_in)
		return;
	response->clear_in = s->frame;
	s->clear_of = response->frame;
}

static void ask(const struct seen *s, uint32_t psn)
{
	struct asked a = {{s->stream, psn}, s->frame};
	struct asked *old = wmem_map_lookup(state.asked, &a.key);

	if (old) {
		old->frame = s->frame;
		return;
	}
	old = wmem_memdup(wmem_file_scope(), &a, sizeof(a));
	wmem_map_insert(state.asked, &old->key, old);
}

/* It is new, and was asked for: what was sent before it is not here. */
static void find_asked(struct seen *s, uint32_t psn)
{
	const struct part_key key = {s->stream, psn};
	const struct asked *a = wmem_map_lookup(state.asked, &key);

	if (a)
		s->nack_of = a->frame;
}

static void sent(struct seen *s, const struct judge_facts *x)
{
	struct seen *before = at_frame(x->frame);

	s->flags |= SEEN_SENT;
	s->flags |= x->late ? SEEN_LATE : 0;
	s->skipped = x->skipped;
	if (!x->frame) {
		if (s->family != FAMILY_UET)
			find_asked(s, x->psn);
		return;
	}
	s->flags |= SEEN_AGAIN;
	s->flags |= x->twin ? SEEN_TWIN : 0;
	s->flags |= x->acked ? SEEN_NEEDLESS : 0;
	s->cause = (uint8_t)x->cause;
	s->retx_of = x->frame;
	if (!before)
		return;
	before->retx_in = s->frame;
	s->nack_of = x->asked_frame;
	if (x->cause == CAUSE_NACK && !s->nack_of)
		s->nack_of = before->nack_in;
}

/* Of other families a NACK names what did not arrive: it may not be here. */
static void answered(struct seen *s, const struct judge_facts *x)
{
	struct seen *req = at_frame(x->frame);
	const bool nack = s->flags & SEEN_NACK;

	if (!req) {
		if (s->family == FAMILY_UET || (!nack && !x->read_frame))
			s->flags |= SEEN_UNSEEN;
		return;
	}
	s->req_in = x->frame;
	if (nack)
		req->nack_in = s->frame;
	else
		acked_by(s, x->psn);
}

static void link_up(struct seen *s, const struct judge_facts *x)
{
	const uint32_t mask =
		s->family == FAMILY_UET ? UINT32_MAX : SERIAL24_MASK;
	const uint32_t to = x->acks_to & mask;
	struct seen *read = at_frame(x->read_frame);

	if (x->takes_psn)
		sent(s, x);
	else if (s->flags & SEEN_ANSWER && x->about)
		answered(s, x);
	for (uint32_t i = x->acks_from & mask; x->acks && i != to;) {
		i = (i + 1) & mask;
		acked_by(s, i);
	}
	for (uint32_t i = x->clears_from; x->clears && i != x->clears_to;)
		released_by(s, ++i);
	if (!read)
		return;
	s->read_in = read->frame;
	read->data_in = read->data_in ? read->data_in : s->frame;
}

/* ---- Other families: what a NAK asks for, and WQEs ---- */

/* It misses that PSN, which may have been sent or not. */
static void asked_for(void *arg, uint32_t psn)
{
	const struct seen *s = arg;
	struct seen *r = at_frame(judge_frame(state.judge, false, psn));

	if (r)
		r->nack_in = s->frame;
	else
		ask(s, psn);
}

/* An SN that serves again, 2^24 WQEs later, is another WQE. */
static struct message *message_of(const struct seen *s, uint32_t sn,
				  bool begins)
{
	const struct message_of fresh = {.key = {s->stream, sn}};
	struct message_of *m = wmem_map_lookup(state.messages, &fresh.key);

	if (m && !(begins && m->m.begins && !s->retx_of))
		return &m->m;
	m = wmem_memdup(wmem_file_scope(), &fresh, sizeof(fresh));
	wmem_map_insert(state.messages, &m->key, m);
	return &m->m;
}

static void part_of(struct seen *s, const struct packet *pkt)
{
	const bool begins = ib_begins(pkt->p[0]);
	struct message *m;
	struct wqeth x;

	wqeth_get(&x, pkt->p + pkt->payload - wqeth_len);
	m = message_of(s, x.wqe_sn, begins);
	s->message = m;
	if (begins && !m->begins)
		m->begins = s->frame;
	if (ib_ends(pkt->p[0]) && !m->ends)
		m->ends = s->frame;
}

static void link_asked(struct seen *s, const struct packet *pkt)
{
	uint64_t syndrome, psn = 0;

	if (pkt->p[0] == IB_WQE_RTX_IND) {
		ib_packet_listed(pkt, asked_for, s);
		return;
	}
	packet_value(pkt, "psn", &psn);
	if (packet_value(pkt, "syndrome", &syndrome) &&
	    syndrome == IB_SYNDROME_PSN_SEQ)
		asked_for(s, (uint32_t)psn);
}

/* ---- RUDI: a request and its response have the same identifier ---- */

static void rudi_sent(struct seen *s, const struct rudi_key *key, bool retx)
{
	struct seen *before = wmem_map_lookup(state.rudi, key);

	s->flags |= SEEN_SENT | SEEN_DUE;
	if (before && retx) {
		s->flags |= SEEN_AGAIN;
		s->cause = before->nack_in ? CAUSE_NACK : CAUSE_TIMER;
		s->nack_of = before->nack_in;
		s->retx_of = before->frame;
		before->retx_in = s->frame;
	}
	wmem_map_insert(state.rudi,
			wmem_memdup(wmem_file_scope(), key, sizeof(*key)), s);
}

static void rudi_answered(struct seen *s, const struct rudi_key *key)
{
	struct seen *req = wmem_map_lookup(state.rudi, key);

	s->flags |= SEEN_ANSWER;
	if (!req) {
		s->flags |= SEEN_UNSEEN;
		return;
	}
	s->req_in = req->frame;
	if (s->flags & SEEN_NACK)
		req->nack_in = s->frame;
	else if (!req->ack_in)
		req->ack_in = s->frame;
}

static void link_rudi(struct seen *s, const struct packet *pkt,
		      const struct dgram *d)
{
	const bool request = pkt->sec[0].h == &rudi_req_header;
	struct rudi_key key;
	struct rudi_req h;

	rudi_req_get(&h, pkt->p); /* the others have pkt_id in its place */
	memset(&key, 0, sizeof(key));
	key.id = h.pkt_id;
	key.src = request ? d->src : d->dst;
	key.dst = request ? d->dst : d->src;
	if (request)
		rudi_sent(s, &key, h.retx);
	else
		rudi_answered(s, &key);
}

/* ---- A packet ---- */

static bool is_rudi(const struct packet *pkt)
{
	return pkt->nsec && (pkt->sec[0].h == &rudi_req_header ||
			     pkt->sec[0].h == &rudi_resp_header ||
			     pkt->sec[0].h == &pds_nack_rudi_header);
}

static uint16_t kind_of_ack(const struct packet *pkt)
{
	struct pds_ack h;

	pds_ack_get(&h, pkt->p);
	return h.req == PDS_REQ_CLEAR ? SEEN_ANSWER | SEEN_ASKS : SEEN_ANSWER;
}

static uint16_t kind_of_cp(const struct packet *pkt)
{
	struct pds_cp h;

	pds_cp_get(&h, pkt->p);
	return h.ar || h.syn ? SEEN_DUE : 0;
}

/* Whatever is not positive of an answer is a NACK. */
static uint16_t kind_of_syndrome(uint8_t syndrome)
{
	return ib_is_nak(syndrome) ? SEEN_ANSWER | SEEN_NACK : SEEN_ANSWER;
}

static uint16_t kind_of_ib(const struct packet *pkt)
{
	struct srd_aeth srd;
	struct aeth aeth;
	struct bth h;

	if (pkt->fault != PACKET_OK)
		return 0;
	bth_get(&h, pkt->p);
	switch (h.opcode) {
	case IB_RC_ACK:
	case IB_RC_ATOMIC_ACK:
	case IB_WQE_ACK:
	case IB_WQE_RTX_IND:
		aeth_get(&aeth, pkt->p + bth_len);
		return kind_of_syndrome(aeth.syndrome);
	case IB_SRD_ACK:
		srd_aeth_get(&srd, pkt->p + bth_len + seth_len);
		return kind_of_syndrome(srd.syndrome);
	case IB_RC_READ_RESP_FIRST:
	case IB_RC_READ_RESP_MIDDLE:
	case IB_RC_READ_RESP_LAST:
	case IB_RC_READ_RESP_ONLY:
		return SEEN_ANSWER;
	case IB_RC_READ_REQ:
	case IB_RC_CMP_SWAP:
	case IB_RC_FETCH_ADD:
	case IB_SRD_SEND_ONLY:
	case IB_SRD_SEND_ONLY_IMM:
		return SEEN_DUE;
	default:
		return h.ackreq ? SEEN_DUE : 0;
	}
}

static uint16_t kind_of(const struct packet *pkt)
{
	struct pds_req h;

	if (!pkt->nsec)
		return 0;
	if (pkt->family == PACKET_IB)
		return kind_of_ib(pkt);
	switch (pds_type_of(pkt->p)) {
	case PDS_ACK:
	case PDS_ACK_CC:
	case PDS_ACK_CCX:
		return kind_of_ack(pkt);
	case PDS_NACK:
	case PDS_NACK_CCX:
		return SEEN_ANSWER | SEEN_NACK;
	case PDS_CP:
		return kind_of_cp(pkt);
	case PDS_RUD_REQ:
	case PDS_ROD_REQ:
	case PDS_RUD_CC_REQ:
	case PDS_ROD_CC_REQ:
		pds_req_get(&h, pkt->p);
		return h.ar || h.syn ? SEEN_DUE : 0;
	default:
		return 0;
	}
}

static void judge_packet(struct seen *s, const struct packet *pkt,
			 const struct dgram *d, bool cut)
{
	struct judge_packet in = {.pkt = pkt,
				  .d = d,
				  .frame = s->frame,
				  .cut = cut,
				  .copy = s->flags & SEEN_COPY};
	const struct judge_facts *x;

	/* To the judge time does not go backwards. */
	in.at = state.last = vtime_max(state.last, s->at);
	keep_all(judge_push(state.judge, &in, state.found, FINDINGS));
	x = judge_facts(state.judge);
	s->stream = x->flow;
	if (x->flow == JUDGE_NO_FLOW)
		return;
	s->flags |= SEEN_JUDGED;
	s->flags |= x->foreign ? SEEN_FOREIGN : 0;
	if (!x->foreign)
		link_up(s, x);
	if (s->flags & SEEN_SENT && d->family == FAMILY_WQE)
		part_of(s, pkt);
	if (s->flags & SEEN_NACK && d->family != FAMILY_UET)
		link_asked(s, pkt);
}

/* ---- Packets that rung delayed on their way to the device ---- */

static void hold(struct seen *s, const struct packet *pkt,
		 const struct dgram *d, uint32_t behind)
{
	struct held *h = wmem_new(wmem_file_scope(), struct held);
	struct held **at = &state.held;

	h->seen = s;
	h->behind = behind;
	dgram_copy(&h->d, d);
	h->d.len = pkt->len; /* without the CRC */
	while (*at && (*at)->seen->at <= s->at)
		at = &(*at)->next;
	h->next = *at;
	*at = h;
}

static bool is_due(const struct held *h, vtime now, uint32_t frame)
{
	return h &&
	       (h->seen->at < now || (h->seen->at == now && h->behind < frame));
}

/* What crossed before |frame|, which crosses |now|. */
static void release_held(vtime now, uint32_t frame)
{
	while (is_due(state.held, now, frame)) {
		struct held *h = state.held;
		struct packet pkt;

		state.held = h->next;
		family_parse(h->d.family, &pkt, h->d.data, h->d.len);
		judge_packet(h->seen, &pkt, &h->d, false);
	}
}

/* What is missing shows when the file is at its end: on the second pass. */
static void judge_absence(void)
{
	if (state.ended || !state.judge)
		return;
	state.ended = true;
	release_held(VTIME_NEVER, 0);
	keep_all(judge_end(state.judge, state.last, state.found, FINDINGS));
}

/* ---- All together ---- */

/* What the device's end of the link did not see is not judged. */
static bool crossed(const packet_info *pinfo, enum origin from)
{
	if (from == ORIGIN_REMOVED)
		return !origin_to_device(pinfo);
	return from != ORIGIN_ADDED || origin_to_device(pinfo);
}

static uint16_t fate_of(enum origin from)
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
 * What rung wrote says itself what was doubled.  Families that begin with a BTH
 * send the same bytes again: a repeat is not told from a copy.
 */
static uint16_t copy_of(const struct seen *s, enum origin from,
			const struct packet *pkt, const struct dgram *d)
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
	struct copies_sight copy;

	if (from != ORIGIN_OTHER || d->family != FAMILY_UET)
		return 0;
	copies_see(&state.copies, &f, &copy);
	if (copies_decide(&state.copies, &f, &copy) != COPIES_COPY)
		return 0;
	return SEEN_COPY;
}

static void learn(struct seen *s, const packet_info *pinfo,
		  const struct packet *pkt, const struct dgram *d, bool cut)
{
	uint32_t behind;
	const enum origin from = origin_of(pinfo, &behind);

	s->family = d->family;
	s->flags |= kind_of(pkt);
	s->flags |= fate_of(from);
	s->flags |= copy_of(s, from, pkt, d);
	if (s->flags & SEEN_COPY)
		s->flags &= (uint16_t)~SEEN_DUE; /* the other one is */
	if (is_rudi(pkt) && !(s->flags & SEEN_COPY))
		link_rudi(s, pkt, d);
	if (crossed(pinfo, from) && have_judge(pinfo, d, from)) {
		release_held(s->at, s->frame);
		if (from == ORIGIN_DELAYED && origin_to_device(pinfo))
			hold(s, pkt, d, behind);
		else
			judge_packet(s, pkt, d, cut);
	}
	if (from != ORIGIN_OTHER)
		origin_findings(pinfo, told, s);
}

const struct seen *track_packet(const packet_info *pinfo,
				const struct packet *pkt, const struct dgram *d,
				bool cut)
{
	struct seen *s = at_frame(pinfo->num);

	if (pinfo->flags.in_error_pkt)
		return NULL;
	if (pinfo->fd->visited) {
		judge_absence();
		return s;
	}
	if (s || !track_prefs.on || pkt->len < pds_prologue_len)
		return s;
	s = begin(pinfo->num, time_of(pinfo));
	learn(s, pinfo, pkt, d, cut);
	return s;
}

uint32_t track_stream(const struct seen *s)
{
	return s->family == FAMILY_UET
		       ? s->stream
		       : s->stream & ~(SRD_FLOW | WQE_FLOW | ROCE_FLOW);
}

bool track_trimmed(uint8_t dscp)
{
	return dscp && (dscp == track_prefs.dscp_trimmed ||
			dscp == track_prefs.dscp_trimmed_lasthop);
}

bool track_rtt(const struct seen *s, vspan *ret)
{
	const struct seen *req = at_frame(s->req_in);

	if (!req || req->retx_of)
		return false;
	*ret = s->at - req->at;
	return true;
}

bool track_response(const struct seen *s, vspan *ret)
{
	const struct seen *req = at_frame(s->req_in);

	if (!req)
		return false;
	while (at_frame(req->retx_of))
		req = at_frame(req->retx_of);
	*ret = s->at - req->at;
	return true;
}
