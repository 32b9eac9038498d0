/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/watch.c -- parses frames and passes their packets to the judge of
 * their family and shard.
 */
#include "judge/core/watch.h"

#include <string.h>

#include "base/err.h"
#include "base/hot.h"
#include "base/memory.h"
#include "judge/core/copies.h"
#include "judge/core/state.h"
#include "wire/family.h"
#include "wire/frame/crc.h"
#include "wire/frame/frame_tables.h"
#include "wire/ib/ib.h"
#include "wire/ib/icrc.h"
#include "wire/packet.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"

enum {
	/*
	 * The number of frames that are compared before the first one is
	 * judged, so that enough is known about their senders.
	 */
	LEARNED_AHEAD = 4096,
	LONG = 256, /* bytes of a packet whose CRCs are computed at once */
};

/*
 * A datagram without its payload, so that heads in an array are close together.
 */
struct watch_head {
	_Alignas(struct dgram) uint8_t d[offsetof(struct dgram, data)];
};

/* A frame that waits for its judge. */
struct watch_item {
	struct judge *j; /* NULL: the frame holds nothing to judge */
	struct dgram *d; /* its headers, without payload */
	struct judge_prefetch *ahead;
	const uint8_t *p; /* the bytes after the UDP header */
	size_t len;
	const uint8_t *ipv4; /* the IPv4 header of the frame, or NULL */
	vtime at;
	uint32_t number;
	uint64_t pair; /* copies_pair_of its addresses */
	uint32_t sum;
	size_t sum_len;       /* bytes of |p| that |sum| covers */
	struct crc_tail tail; /* the CRCs from |tail_at| on, if that is not 0 */
	uint16_t tail_at;
	struct copies_item copy;
	unsigned shard;
	bool cut, doubtful;
	bool bare;     /* it has no trailer; valid if |summed| */
	bool summed;   /* |sum| and |tail| are known, or not needed */
	bool compared; /* |copy| is known, too */
	bool wrong;  /* its CRC is wrong, and its sender may do so on purpose */
	bool doubts; /* packets may be missing before it, or in it */
};

struct watch {
	struct watch_conf conf;
	struct watch_counts counts;
	struct judge *shards[WATCH_SHARDS];
	/* by shard, since parts may be distributed in any way */
	uint64_t skipped[WATCH_SHARDS];
	struct judge *last;
	unsigned last_shard;
	bool failed;
	bool mine[WATCH_SHARDS];
	unsigned n, next; /* numbers of items prefetched, and judged */
	struct watch_item sights[WATCH_PREFETCH];
	struct judge_prefetch ahead[WATCH_PREFETCH]; /* one for each item */
	struct watch_head heads[WATCH_PREFETCH];
	struct copies
		*copies[WATCH_SHARDS]; /* for each shard that has a judge */
	struct crc_shifts shifts;
	/* the packet in hand, with foreign header sizes rewritten */
	uint8_t rewritten[DGRAM_MAX + FOREIGN_MORE];
};

int watch_new(struct watch **ret, const struct watch_conf *conf)
{
	struct watch *w = memory_calloc(1, sizeof(*w));

	if (!w)
		return ERR_NOMEM;
	w->conf = *conf;
	if (!w->conf.parts)
		w->conf.parts = 1;
	for (unsigned i = 0; i < WATCH_SHARDS; i++)
		w->mine[i] = i % w->conf.parts == w->conf.part;
	for (unsigned i = 0; i < WATCH_PREFETCH; i++) {
		w->sights[i].d = (struct dgram *)(void *)w->heads[i].d;
		w->sights[i].ahead = &w->ahead[i];
	}
	if (conf->judge.shared_counters &&
	    judge_common_new(&w->conf.judge.common) < 0) {
		memory_free(w);
		return ERR_NOMEM;
	}
	*ret = w;
	return 0;
}

void watch_free(struct watch *w)
{
	if (!w)
		return;
	for (unsigned i = 0; i < WATCH_SHARDS; i++) {
		judge_free(w->shards[i]);
		memory_free(w->copies[i]);
	}
	judge_common_free(w->conf.judge.common);
	memory_free(w);
}

bool watch_failed(const struct watch *w)
{
	return w->failed;
}

const struct watch_counts *watch_counts(const struct watch *w)
{
	return &w->counts;
}

const struct judge *watch_judge(const struct watch *w, unsigned *ret_shard)
{
	*ret_shard = w->last_shard;
	return w->last;
}

/* ---- Shards ---- */

static unsigned shard_of(uint64_t pair)
{
	return (pair >> 32) % WATCH_SHARDS;
}

/*
 * Shards get unequal numbers of flows, so each has room for more than its
 * share.
 */
static size_t watch_room(const struct watch *w)
{
	const size_t n = w->conf.max_flows;

	return n / WATCH_SHARDS + n / (WATCH_SHARDS * 4) + 16;
}

/* Return: false if there is no memory. */
static bool open_shard(struct watch *w, unsigned shard)
{
	struct copies *c = memory_calloc(1, sizeof(*c));

	if (!c)
		return false;
	if (judge_new(&w->shards[shard], &w->conf.judge, watch_room(w)) < 0) {
		memory_free(c);
		return false;
	}
	w->copies[shard] = c;
	return true;
}

static struct judge *judge_of(struct watch *w, unsigned shard)
{
	if (unlikely(!w->shards[shard] && !w->failed))
		w->failed = !open_shard(w, shard);
	return w->shards[shard];
}

static bool is_mine(const struct watch *w, unsigned shard)
{
	return w->mine[shard];
}

/* Marks all flows as incomplete: packets may be missing from here on. */
static __attribute__((noinline)) void mark_all_incomplete(struct watch *w)
{
	w->conf.judge.complete = false;
	for (unsigned i = 0; i < WATCH_SHARDS; i++)
		if (w->shards[i])
			judge_mark_incomplete(w->shards[i]);
}

/* ---- Families ---- */

static void count_gaps(struct watch *w, const struct judge_facts *x)
{
	uint64_t *skipped = &w->skipped[w->last_shard];

	if (likely(!x->skipped && !x->late))
		return;
	*skipped += x->skipped;
	w->counts.skipped += x->skipped;
	if (x->late && *skipped) {
		--*skipped;
		w->counts.skipped--;
	}
}

/*
 * Removes the trailer; a wrong trailer stays, like in crc_open.  A trimmed
 * packet has no trailer and is accepted.
 * Return: false if its receiver drops the packet because of the trailer.
 */
static inline bool watch_open_crc(struct watch *w, struct watch_item *s,
				  bool bare, uint32_t sum)
{
	const struct ip_addr *here = &w->conf.judge.here;
	enum dgram_crc crc = DGRAM_CRC_WRONG;

	s->d->crc = DGRAM_CRC_NONE;
	if (unlikely(bare))
		return true;
	if (likely(s->len >= CRC_LEN))
		crc = crc_compare(sum, s->p + s->len - CRC_LEN,
				  w->conf.crc_order);
	if (crc != DGRAM_CRC_WRONG)
		s->len -= CRC_LEN;
	if (!w->conf.crc_known) {
		s->d->crc = crc == DGRAM_CRC_WRONG ? DGRAM_CRC_NONE
						   : DGRAM_CRC_RIGHT;
		return true;
	}
	if (w->conf.crc || crc != DGRAM_CRC_WRONG)
		s->d->crc = (uint8_t)crc;
	if (s->d->crc == (w->conf.crc ? DGRAM_CRC_RIGHT : DGRAM_CRC_NONE))
		return true;
	s->wrong = w->conf.crc_free;
	return ip_addr_equal(&s->d->src, here);
}

static void count_restrictions(struct watch *w, const struct watch_item *s,
			       bool copy, enum packet_fault fault)
{
	w->counts.copies += copy;
	w->counts.doubtful += s->doubtful;
	w->counts.encrypted += fault == PACKET_ENCRYPTED;
	w->counts.broken += fault == PACKET_SHORT && !s->cut;
}

static bool watch_is_request(const uint8_t *p)
{
	const enum pds_type type = pds_type_of(p);

	return type == PDS_RUD_REQ || type == PDS_ROD_REQ;
}

static bool is_bare(const struct watch *w, const struct watch_item *s)
{
	return s->cut || judge_trimmed(&w->conf.judge, s->d->dscp);
}

/*
 * Sums the packet without its last 4 bytes, which may be a CRC.  The judge
 * needs the CRC of what follows the header of a request: of long requests, both
 * are computed at once.
 */
static HOT void watch_sum(struct watch *w, struct watch_item *s)
{
	const bool bare = is_bare(w, s);
	const bool rest = !bare && s->len >= CRC_LEN;
	const size_t len = s->len - (rest ? CRC_LEN : 0);

	s->bare = bare;
	s->summed = true;
	s->sum_len = len;
	s->tail_at = 0;
	if (len < LONG || !rest || !watch_is_request(s->p)) {
		s->sum = crc_sum(s->d, s->p, len);
	} else {
		s->tail_at = pds_req_len;
		s->sum = crc_sum_tail(&w->shifts, s->d, s->p, len, pds_req_len,
				      &s->tail);
	}
	copies_prefetch_sum(w->copies[s->shard], s->sum);
}

/* Passes on the CRC of the tail; bytes that are no trailer belong to it. */
static void watch_pass_tail(const struct watch_item *s, struct judge_packet *in)
{
	in->tail_at = s->tail_at;
	in->tail_crc = s->len > s->sum_len ? s->tail.more : s->tail.sum;
}

static inline struct copies_frame watch_frame_of(const struct watch_item *s)
{
	struct copies_frame f = {.p = s->p,
				 .len = s->len,
				 .sum = s->sum,
				 .pair = s->pair,
				 .has_id = s->ipv4 != NULL,
				 .at = s->at};

	f.way = copies_way_of(s->d->src.b, s->d->dst.b, s->d->src.len);
	if (likely(f.has_id))
		f.id = (uint16_t)(s->ipv4[4] << 8 | s->ipv4[5]);
	return f;
}

/* Compares a frame with recent ones of the same sum. */
static __attribute__((noinline)) void watch_compare_equal(struct watch *w,
							  struct watch_item *s)
{
	const struct copies_frame f = watch_frame_of(s);

	copies_see(w->copies[s->shard], &f, &s->copy);
}

/* A frame whose sum is new is not stored in memory, only in registers. */
static inline __attribute__((always_inline)) void
watch_compare(struct watch *w, struct watch_item *s)
{
	struct copies *c = w->copies[s->shard];
	struct copies_frame f;

	s->compared = true;
	if (!s->summed)
		watch_sum(w, s);
	if (!w->conf.copies)
		return;
	if (unlikely(s->len < uud_req_len || copies_has_sum(c, s->sum))) {
		watch_compare_equal(w, s);
		return;
	}
	f = watch_frame_of(s);
	copies_see_new(c, &f, &copies_pair_for(c, f.pair)->way[f.way]);
}

/*
 * Returns true for ACKs and NACKs, which do not count as repeats.  Requests and
 * control packets do count, since no sender repeats them at once.
 */
static bool is_ack_or_nack(const struct watch_item *s)
{
	const enum pds_type type = pds_type_of(s->p);

	return (type >= PDS_ACK && type <= PDS_NACK) || type == PDS_NACK_CCX;
}

/* Returns true if a frame equal to a recent one was captured twice. */
static __attribute__((noinline)) bool decides_copy(struct watch *w,
						   const struct watch_item *s)
{
	struct copies_frame f;

	f = watch_frame_of(s);
	if (copies_decide(w->copies[s->shard], &f, &s->copy) == COPIES_COPY)
		return true;
	w->counts.repeats += !is_ack_or_nack(s);
	return false;
}

/* Return: true if the capture holds the frame twice. */
static inline bool is_copy(struct watch *w, const struct watch_item *s)
{
	return unlikely(s->copy.equal) && decides_copy(w, s);
}

/* Rewrites the packet in hand to the header sizes of the wire tables. */
static void rewrite(struct watch *w, struct watch_item *s)
{
	size_t n = 0;

	if (s->len <= DGRAM_MAX)
		n = foreign_open(&w->conf.foreign, s->p, s->len, w->rewritten);
	if (!n)
		return;
	s->p = w->rewritten;
	s->len = n;
}

static inline __attribute__((always_inline)) size_t
take_uet(struct watch *w, struct watch_item *s, struct finding *ret, size_t max)
{
	bool copy;
	struct packet pkt;
	struct judge_packet in = {.pkt = &pkt,
				  .d = s->d,
				  .at = s->at,
				  .frame = s->number,
				  .cut = s->cut,
				  .ahead = s->ahead};
	size_t n;

	if (!s->compared)
		watch_compare(w, s);
	copy = is_copy(w, s);
	if (unlikely(!watch_open_crc(w, s, s->bare, s->sum)))
		return 0;
	if (unlikely(foreign_any(&w->conf.foreign)))
		rewrite(w, s);
	else
		watch_pass_tail(s, &in);
	in.copy = copy | s->doubtful | s->wrong;
	pkt.p = s->p;
	pkt.len = s->len;
	if (likely(judge_fast_path(s->j, &in))) {
		count_gaps(w, &s->j->facts);
		return 0;
	}
	uet_packet_parse(&pkt, s->p, s->len);
	if (unlikely(in.copy || pkt.fault))
		count_restrictions(w, s, copy, pkt.fault);
	n = judge_push(s->j, &in, ret, max);
	count_gaps(w, judge_facts(s->j));
	return n;
}

/* Checks the ICRC of RoCEv2, which covers the IP header as it was sent. */
static enum dgram_crc pkt_icrc_ip(const struct watch_item *s)
{
	struct icrc_ip ip = icrc_socket;
	struct frame_ipv4 h;

	if (s->ipv4) {
		frame_ipv4_get(&h, s->ipv4);
		ip.id = h.id;
		ip.df = h.df;
	}
	if (icrc_check(s->d, s->p, s->len, family_port(s->d->family), &ip))
		return DGRAM_CRC_RIGHT;
	return DGRAM_CRC_WRONG;
}

/* Checks the trailer of a packet; DGRAM_CRC_NONE if it is missing. */
static enum dgram_crc pkt_seal(const struct watch_item *s)
{
	switch (s->cut ? SEAL_NONE : wire_families[s->d->family]->seal) {
	case SEAL_NONE:
		break;
	case SEAL_ICRC_IP:
		return pkt_icrc_ip(s);
	case SEAL_CRC32C:
	case SEAL_ICRC:
		return crc_look(s->d, s->p, s->len, CRC_LE);
	}
	return DGRAM_CRC_NONE;
}

/*
 * The receiver drops a packet with a wrong ICRC.  The packet is judged
 * nevertheless if only its IP header differs from what sockets send.
 */
static __attribute__((noinline)) size_t take_other(struct watch *w,
						   struct watch_item *s,
						   struct finding *ret,
						   size_t max)
{
	struct packet pkt;
	struct judge_packet in = {.pkt = &pkt,
				  .d = s->d,
				  .at = s->at,
				  .frame = s->number,
				  .cut = s->cut,
				  .copy = s->doubtful};
	size_t n;

	s->d->crc = (uint8_t)pkt_seal(s);
	in.copy |= s->d->crc == DGRAM_CRC_WRONG;
	if (s->d->crc != DGRAM_CRC_NONE && s->len >= CRC_LEN)
		s->len -= CRC_LEN;
	packet_parse((enum family)s->d->family, &pkt, s->p, s->len);
	if (s->doubtful || pkt.fault)
		count_restrictions(w, s, false, pkt.fault);
	n = judge_push(s->j, &in, ret, max);
	count_gaps(w, judge_facts(s->j));
	return n;
}

/* ---- Frames ---- */

/*
 * Return: true if the frame is earlier than the one before, so that its order
 * is unknown.
 */
static bool count_time(struct watch *w, vtime at)
{
	struct watch_counts *c = &w->counts;
	const vtime before = c->last_at;

	c->last_at = at;
	if (unlikely(!c->frames++))
		c->first_at = at;
	else if (unlikely(at == before))
		c->same_time++;
	else if (unlikely(at < before)) {
		c->backward++;
		return true;
	}
	return false;
}

/* Return: true if the frame hides the packet that it holds. */
static bool count_unread(struct watch *w, enum unread why)
{
	const bool counts = w->conf.part == 0;

	w->counts.unread[why] += counts;
	if (why == UNREAD_SHORT)
		w->counts.broken += counts;
	return why == UNREAD_SHORT || why == UNREAD_FRAGMENT;
}

static uint64_t pair_at_a_peek(const struct frame_peek *g, const uint8_t *p)
{
	const uint8_t *addrs = frame_peek_addrs(g, p);

	return copies_pair_of(addrs, addrs + g->addr_len, g->addr_len);
}

static uint16_t port_at_a_peek(const struct frame_peek *g, const uint8_t *p)
{
	struct frame_udp udp;

	frame_udp_get(&udp, p + g->udp);
	return udp.dport;
}

/* Reads a frame with the usual headers, of this part. */
static inline __attribute__((always_inline)) void
see_predicted(struct watch *w, const struct frame_peek *g, const uint8_t *p,
	      struct watch_item *s)
{
	frame_peek_fill(g, p, s->d);
	s->d->family = (uint8_t)g->family;
	s->j = judge_of(w, s->shard);
	s->p = p + g->udp + frame_udp_len;
	s->len = g->len;
	s->ipv4 = g->addr_len == 4 ? p + g->ip : NULL;
	s->cut = g->cut;
}

/*
 * Reads a frame with any headers, of any part.  Return: true if the frame hides
 * the part to which it belongs.
 */
static bool see_any(struct watch *w, const struct watch_frame *f,
		    struct watch_item *s)
{
	const enum frame_link link = (enum frame_link)f->link;
	struct frame_info info;
	enum family family;

	frame_find(&w->conf.frame, link, f->p, f->len, s->d, &info);
	if (!frame_family(&info, &family))
		return count_unread(w, unread_why(link, &info));
	s->pair = copies_pair_of(s->d->src.b, s->d->dst.b, s->d->src.len);
	s->shard = shard_of(s->pair);
	if (!is_mine(w, s->shard))
		return false;
	s->d->family = (uint8_t)family;
	s->j = judge_of(w, s->shard);
	s->p = f->p + info.at;
	s->len = info.len;
	s->ipv4 = frame_section(&info, &frame_ipv4_header, f->p);
	s->cut = info.ip_cut;
	w->counts.tunnels += info.tunnels > 0;
	return false;
}

/* Like watch_peek(), inlined. */
static inline __attribute__((always_inline)) void
peek_at(const struct frame_conf *conf, const struct watch_frame *f,
	struct watch_peek *ret)
{
	ret->common = frame_peek(conf, (enum frame_link)f->link, f->p, f->len,
				 &ret->g);
	if (unlikely(!ret->common || !ret->g.known))
		return;
	ret->pair = pair_at_a_peek(&ret->g, f->p);
	ret->shard = shard_of(ret->pair);
}

HOT void watch_peek(const struct frame_conf *conf, const struct watch_frame *f,
		    unsigned n, struct watch_peek *ret)
{
	for (unsigned i = 0; i < n; i++)
		peek_at(conf, &f[i], &ret[i]);
}

/* Fills the members of |s| that do not come from the headers. */
static inline __attribute__((always_inline)) void
see_rest(struct watch *w, const struct watch_frame *f, uint64_t nth,
	 bool doubts, struct watch_item *s)
{
	s->doubts = doubts;
	s->at = f->at;
	s->doubtful = f->doubtful;
	s->wrong = s->compared = false;
	s->summed = !s->j || s->d->family != MAIN_FAMILY;
	s->copy.equal = false;
	if (unlikely(nth <= LEARNED_AHEAD && !s->summed))
		watch_compare(w, s);
	if (unlikely(!s->j)) {
		*s->ahead = (struct judge_prefetch){0};
		return;
	}
	copies_prefetch_pair(w->copies[s->shard], s->pair);
	judge_prefetch_begin(s->j, s->ahead, s->d, s->p, s->len);
}

/*
 * Reads the frame whose first fields are |x|, but not a common frame of another
 * part.
 *
 * Return: true if there is something to judge, or to count as a restriction.
 */
static inline __attribute__((always_inline)) bool
watch_look_at(struct watch *w, const struct watch_frame *f,
	      const struct watch_peek *x, uint64_t nth, bool doubts,
	      struct watch_item *s)
{
	s->j = NULL;
	if (unlikely(!x->common)) {
		doubts |= see_any(w, f, s);
	} else if (unlikely(!x->g.known)) {
		count_unread(w, unread_port(port_at_a_peek(&x->g, f->p)));
	} else if (is_mine(w, x->shard)) {
		s->pair = x->pair;
		s->shard = x->shard;
		see_predicted(w, &x->g, f->p, s);
	}
	if (!s->j && !doubts)
		return false;
	see_rest(w, f, nth, doubts, s);
	return true;
}

static inline __attribute__((always_inline)) size_t
judge_item(struct watch *w, struct watch_item *s, struct finding *ret,
	   size_t max)
{
	if (unlikely(s->doubts && w->conf.judge.complete))
		mark_all_incomplete(w);
	w->last = s->j;
	if (unlikely(!s->j))
		return 0;
	w->last_shard = s->shard;
	w->counts.packets++;
	w->counts.cut += s->cut;
	if (likely(s->d->family == MAIN_FAMILY))
		return take_uet(w, s, ret, max);
	return take_other(w, s, ret, max);
}

unsigned watch_waiting(const struct watch *w)
{
	return w->n - w->next;
}

/* Looks at the next frame, and keeps it if there is something to judge. */
static inline __attribute__((always_inline)) void
watch_add(struct watch *w, const struct watch_frame *f,
	  const struct watch_peek *x, uint64_t number, uint64_t nth,
	  bool doubts)
{
	struct watch_item *s = &w->sights[w->n];

	if (!watch_look_at(w, f, x, nth, doubts, s))
		return;
	s->number = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
	w->n++;
}

static HOT void watch_prefetch_items(struct watch *w)
{
	if (w->n <= 1) /* a single item would wait for its own prefetch */
		return;
	judge_prefetch_index(w->ahead, w->n);
	judge_prefetch(w->ahead, w->n);
}

HOT void watch_prefetch(struct watch *w, const struct watch_frame *f,
			unsigned n, uint64_t number)
{
	struct watch_peek x;

	w->n = w->next = 0;
	for (unsigned i = 0; i < n; i++) {
		const bool doubts = count_time(w, f[i].at);

		peek_at(&w->conf.frame, &f[i], &x);
		watch_add(w, &f[i], &x, number + i, w->counts.frames, doubts);
	}
	watch_prefetch_items(w);
}

/* Returns true for a common frame that holds a packet of another part. */
static inline bool is_of_others(const struct watch *w,
				const struct watch_peek *x)
{
	if (unlikely(!x->common || !x->g.known))
		return false;
	return !is_mine(w, x->shard);
}

/* Fetches the headers of a frame that another thread has read. */
static inline void watch_prefetch_headers(const uint8_t *p)
{
	__builtin_prefetch(p);
	__builtin_prefetch(p + 64);
}

HOT void watch_prefetch_peeked(struct watch *w, const struct watch_frame *f,
			       const struct watch_peek *x, unsigned n,
			       uint64_t number)
{
	const uint64_t before = w->counts.frames;
	/* the frames to look at; no branch selects them, since no processor can
	   predict whose the next frame is */
	uint8_t own[WATCH_PREFETCH];
	bool doubts[WATCH_PREFETCH];
	unsigned nown = 0;

	w->n = w->next = 0;
	for (unsigned i = 0; i < n; i++) {
		doubts[i] = count_time(w, f[i].at);
		own[nown] = (uint8_t)i;
		nown += !is_of_others(w, &x[i]) | doubts[i];
	}
	for (unsigned k = 0; k < nown; k++)
		watch_prefetch_headers(f[own[k]].p);
	for (unsigned k = 0; k < nown; k++) {
		const unsigned i = own[k];

		watch_add(w, &f[i], &x[i], number + i, before + i + 1,
			  doubts[i]);
	}
	watch_prefetch_items(w);
}

/*
 * Sums the next item before this one is judged: the sum, and the memory that it
 * selects, are ready when they are needed.
 */
static inline void watch_sum_next(struct watch *w)
{
	struct watch_item *s = &w->sights[w->next];

	if (likely(w->next < w->n && !s->summed))
		watch_sum(w, s);
}

HOT size_t watch_next(struct watch *w, struct finding *ret, size_t max)
{
	size_t found = 0;

	while (!found && w->next < w->n) {
		struct watch_item *s = &w->sights[w->next++];

		watch_sum_next(w);
		found = judge_item(w, s, ret, max);
	}
	return found;
}

size_t watch_push(struct watch *w, const struct watch_frame *f, uint64_t number,
		  struct finding *ret, size_t max)
{
	w->last = NULL;
	watch_prefetch(w, f, 1, number);
	if (!watch_waiting(w))
		return 0;
	return watch_next(w, ret, max);
}

void watch_until(struct watch *w, vtime end)
{
	w->counts.last_at = vtime_max(w->counts.last_at, end);
}

size_t watch_end(struct watch *w, unsigned shard, struct finding *ret,
		 size_t max)
{
	if (!w->shards[shard])
		return 0;
	return judge_end(w->shards[shard], w->counts.last_at, ret, max);
}

void watch_flows(const struct watch *w,
		 void (*see)(void *arg, const struct judge_flow *f), void *arg)
{
	for (unsigned i = 0; i < WATCH_SHARDS; i++)
		if (w->shards[i])
			judge_flows(w->shards[i], see, arg);
}

void watch_totals(const struct watch *w, struct judge_totals *ret)
{
	for (unsigned i = 0; i < WATCH_SHARDS; i++) {
		const struct judge_totals *t;

		if (!w->shards[i])
			continue;
		t = judge_totals(w->shards[i]);
		for (unsigned k = 0; k < 256; k++)
			ret->nacks[k] += t->nacks[k];
		for (unsigned k = 0; k < JUDGE_RTT_ALL; k++)
			ret->rtt[k] += t->rtt[k];
		ret->flows += t->flows;
		ret->forgotten += t->forgotten;
		ret->idle_evicted += t->idle_evicted;
		ret->unmatched += t->unmatched;
	}
}

void watch_seen_add(const struct watch *w, uint64_t (*ret)[2])
{
	if (w->conf.judge.common)
		judge_common_seen_add(w->conf.judge.common, ret);
	for (unsigned i = 0; i < WATCH_SHARDS; i++)
		if (w->shards[i])
			judge_seen_add(w->shards[i], ret);
}
