/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/watch.c -- frames to packets to judges, by family and by shard.
 */
#include "judge/watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "judge/copies.h"
#include "wire/crc.h"
#include "wire/family.h"
#include "wire/frame_tables.h"
#include "wire/ib.h"
#include "wire/icrc.h"
#include "wire/packet.h"
#include "wire/uet_pds.h"

/* A datagram without its data: close to the next one. */
struct head {
	_Alignas(struct dgram) uint8_t d[offsetof(struct dgram, data)];
};

/* A frame on its way to a judge. */
struct sight {
	const struct watch_frame *f; /* once it is pushed */
	struct dgram *d;             /* the head alone */
	bool known;                  /* of a family; see info */
	struct frame_info info;
	struct judge *j; /* NULL: it is another part's */
	unsigned shard;
	const uint8_t *p; /* behind UDP */
	size_t len;
	bool cut, doubtful;
	struct judge_ahead ahead;
	struct finding *ret;
	size_t max;
};

struct watch {
	struct watch_conf conf;
	struct watch_counts counts;
	struct judge *shards[WATCH_SHARDS];
	uint64_t skipped[WATCH_SHARDS]; /* of each: the parts do not matter */
	struct judge *last;
	unsigned last_shard;
	bool failed;
	bool mine[WATCH_SHARDS];
	unsigned newest, next; /* sights that were told of, and pushed */
	struct sight ahead[WATCH_AHEAD];
	struct head heads[WATCH_AHEAD];
	struct copies copies[WATCH_SHARDS];
};

int watch_new(struct watch **ret, const struct watch_conf *conf)
{
	struct watch *w = calloc(1, sizeof(*w));

	if (!w)
		return ERR_NOMEM;
	w->conf = *conf;
	if (!w->conf.parts)
		w->conf.parts = 1;
	for (unsigned i = 0; i < WATCH_SHARDS; i++)
		w->mine[i] = i % w->conf.parts == w->conf.part;
	for (unsigned i = 0; i < WATCH_AHEAD; i++)
		w->ahead[i].d = (struct dgram *)(void *)w->heads[i].d;
	if (conf->judge.together &&
	    judge_common_new(&w->conf.judge.common) < 0) {
		free(w);
		return ERR_NOMEM;
	}
	*ret = w;
	return 0;
}

void watch_free(struct watch *w)
{
	if (!w)
		return;
	for (unsigned i = 0; i < WATCH_SHARDS; i++)
		judge_free(w->shards[i]);
	judge_common_free(w->conf.judge.common);
	free(w);
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

/* The same for both directions. */
static unsigned shard_of(const struct dgram *d)
{
	uint32_t h = 0, a, b;

	for (unsigned i = 0; i < d->src.len; i += 4) {
		memcpy(&a, d->src.b + i, sizeof(a));
		memcpy(&b, d->dst.b + i, sizeof(b));
		h = (h ^ (a ^ b)) * 0x9e3779b1u;
		h = (h ^ h >> 15 ^ (a + b)) * 0x85ebca6bu;
		h ^= h >> 13;
	}
	return (h >> 16) % WATCH_SHARDS;
}

/* Some shards get more than others. */
static size_t room(const struct watch *w)
{
	const size_t n = w->conf.max_flows;

	return n / WATCH_SHARDS + n / (WATCH_SHARDS * 4) + 16;
}

static struct judge *judge_of(struct watch *w, unsigned shard)
{
	if (!w->shards[shard] && !w->failed)
		w->failed = judge_new(&w->shards[shard], &w->conf.judge,
				      room(w)) < 0;
	return w->shards[shard];
}

static bool is_mine(const struct watch *w, unsigned shard)
{
	return w->mine[shard];
}

/* From here on packets may be missing. */
static void doubt_all(struct watch *w)
{
	w->conf.judge.whole = false;
	for (unsigned i = 0; i < WATCH_SHARDS; i++)
		if (w->shards[i])
			judge_doubt(w->shards[i]);
}

/* ---- Families ---- */

static void count_gaps(struct watch *w, const struct judge_facts *x)
{
	uint64_t *skipped = &w->skipped[w->last_shard];

	*skipped += x->skipped;
	w->counts.skipped += x->skipped;
	if (x->late && *skipped) {
		--*skipped;
		w->counts.skipped--;
	}
}

/*
 * Takes the trailer off; one that is wrong stays, as crc_open leaves it.  What
 * was trimmed has none, and counts.
 * Return: false if the packet is dropped for it where it arrives.
 */
static bool open_crc(struct watch *w, struct sight *s)
{
	const struct ip_addr *here = &w->conf.judge.here;
	enum dgram_crc crc;

	s->d->crc = DGRAM_CRC_NONE;
	if (s->cut || judge_trimmed(&w->conf.judge, s->d->dscp))
		return true;
	crc = crc_look(s->d, s->p, s->len, w->conf.crc_order);
	if (crc == DGRAM_CRC_RIGHT || crc == DGRAM_CRC_SWAPPED)
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
	s->doubtful |= w->conf.crc_free;
	return ip_addr_equal(&s->d->src, here);
}

static size_t take_uet(struct watch *w, struct sight *s)
{
	const bool copy =
		w->conf.copies &&
		copies_has(&w->copies[s->shard], s->d, s->p, s->len, s->f->at);
	struct packet pkt;
	struct judge_packet in = {.pkt = &pkt,
				  .d = s->d,
				  .at = s->f->at,
				  .frame = s->f->number,
				  .cut = s->cut,
				  .ahead = &s->ahead};
	size_t n;

	if (!open_crc(w, s))
		return 0;
	in.copy = copy || s->doubtful;
	packet_parse(&pkt, s->p, s->len);
	w->counts.copies += copy;
	w->counts.doubtful += s->f->doubtful;
	w->counts.encrypted += pkt.fault == PACKET_ENCRYPTED;
	w->counts.broken += pkt.fault == PACKET_SHORT && !s->cut;
	n = judge_push(s->j, &in, s->ret, s->max);
	count_gaps(w, judge_facts(s->j));
	return n;
}

/* That of SRD and of the WQE extension takes the IP header for a socket's. */
static enum dgram_crc look_icrc(const struct sight *s)
{
	if (s->cut)
		return DGRAM_CRC_NONE;
	return crc_look(s->d, s->p, s->len, CRC_LE);
}

/* Whoever sends it writes the IP header as he likes, and covers that. */
static enum dgram_crc look_roce_icrc(const struct sight *s)
{
	const uint8_t *ipv4 =
		frame_section(&s->info, &frame_ipv4_header, s->f->p);
	struct icrc_ip ip = icrc_socket;
	struct frame_ipv4 h;

	if (s->cut)
		return DGRAM_CRC_NONE;
	if (ipv4) {
		frame_ipv4_get(&h, ipv4);
		ip.id = h.id;
		ip.df = h.df;
	}
	return icrc_check(s->d, s->p, s->len, ROCE_UDP_PORT, &ip)
		       ? DGRAM_CRC_RIGHT
		       : DGRAM_CRC_WRONG;
}

/*
 * Every packet of these ends in an ICRC.  One that is not right is dropped
 * where it arrives, unless only its IP header was another than sockets write.
 */
static size_t take_ib(struct watch *w, struct sight *s)
{
	struct packet pkt;
	struct judge_packet in = {.pkt = &pkt,
				  .d = s->d,
				  .at = s->f->at,
				  .frame = s->f->number,
				  .cut = s->cut,
				  .copy = s->doubtful};
	size_t n;

	s->d->crc = (uint8_t)(s->d->family == FAMILY_ROCE ? look_roce_icrc(s)
							  : look_icrc(s));
	in.copy |= s->d->crc == DGRAM_CRC_WRONG;
	if (!s->cut && s->len >= CRC_LEN)
		s->len -= CRC_LEN;
	family_parse((enum family)s->d->family, &pkt, s->p, s->len);
	w->counts.doubtful += s->f->doubtful;
	w->counts.broken += pkt.fault == PACKET_SHORT && !s->cut;
	n = judge_push(s->j, &in, s->ret, s->max);
	count_gaps(w, judge_facts(s->j));
	return n;
}

/* ---- Frames ---- */

static void count_time(struct watch *w, vtime at)
{
	struct watch_counts *c = &w->counts;

	if (!c->frames++)
		c->first_at = at;
	else if (at == c->last_at)
		c->same_time++;
	else if (at < c->last_at) {
		c->backward++;
		if (w->conf.judge.whole)
			doubt_all(w);
	}
	c->last_at = at;
}

static void count_others(struct watch *w, const struct frame_info *info)
{
	struct watch_counts *c = &w->counts;

	switch (info->fault) {
	case FRAME_OK:
	case FRAME_NOT_UDP:
	case FRAME_NOT_UET:
		c->other++;
		break;
	case FRAME_NOT_IP:
	case FRAME_LINK:
		c->not_ip++;
		break;
	case FRAME_SHORT:
		c->broken++;
		break;
	case FRAME_FRAGMENT:
		c->fragments++;
		break;
	}
}

/* What it was a part of cannot be known. */
static void not_judged(struct watch *w, const struct frame_info *info)
{
	const bool hides =
		info->fault == FRAME_FRAGMENT || info->fault == FRAME_SHORT;

	if (w->conf.part == 0)
		count_others(w, info);
	if (hides && w->conf.judge.whole)
		doubt_all(w);
}

static void look_at(struct watch *w, const struct watch_frame *f,
		    struct sight *s)
{
	enum family family;

	s->ahead.steps = 0;
	s->ahead.hashed = false;
	s->j = NULL;
	frame_find(&w->conf.frame, f->link, f->p, f->len, s->d, &s->info);
	s->known = frame_family(&s->info, &family);
	if (!s->known)
		return;
	s->d->family = (uint8_t)family;
	s->shard = shard_of(s->d);
	if (is_mine(w, s->shard))
		s->j = judge_of(w, s->shard);
	s->p = f->p + s->info.at;
	s->len = s->info.len;
	s->cut = s->info.ip_cut;
	s->doubtful = f->doubtful;
}

static struct sight *sight_at(struct watch *w, unsigned n)
{
	return &w->ahead[n % WATCH_AHEAD];
}

/* One step for each of those that have had time since the one before. */
static void fetch_ahead(struct watch *w)
{
	const unsigned apart = WATCH_AHEAD / JUDGE_STEPS;

	for (unsigned k = 0; k < JUDGE_STEPS; k++) {
		struct sight *s = sight_at(w, w->newest - k * apart);

		if (s->j && s->ahead.steps == k)
			judge_ahead(s->j, &s->ahead, s->d, s->p, s->len);
	}
}

void watch_ahead(struct watch *w, const struct watch_frame *f)
{
	if (w->newest - w->next == WATCH_AHEAD)
		return;
	look_at(w, f, sight_at(w, w->newest));
	fetch_ahead(w);
	w->newest++;
}

/* As it was told of, or as it comes. */
static struct sight *next_sight(struct watch *w, const struct watch_frame *f)
{
	struct sight *s = sight_at(w, w->next);

	if (w->next == w->newest) {
		look_at(w, f, s);
		return s;
	}
	w->next++;
	return s;
}

size_t watch_push(struct watch *w, const struct watch_frame *f,
		  struct finding *ret, size_t max)
{
	struct sight *s = next_sight(w, f);

	w->last = NULL;
	s->f = f;
	count_time(w, f->at);
	if (!s->known) {
		not_judged(w, &s->info);
		return 0;
	}
	if (!s->j)
		return 0;
	s->ret = ret;
	s->max = max;
	w->counts.packets++;
	w->counts.cut += s->cut;
	w->last = s->j;
	w->last_shard = s->shard;
	return s->d->family == FAMILY_UET ? take_uet(w, s) : take_ib(w, s);
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
		ret->slept += t->slept;
		ret->nowhere += t->nowhere;
	}
}

uint64_t watch_seen(const struct watch *w, enum req_id req, enum req_role role)
{
	const struct judge_common *common = w->conf.judge.common;
	uint64_t n = common ? judge_common_seen(common, req, role) : 0;

	for (unsigned i = 0; i < WATCH_SHARDS; i++)
		if (w->shards[i])
			n += judge_seen_all(w->shards[i], req, role);
	return n;
}

/* ---- Words ---- */

static const struct {
	const char *name, *text;
} limits[WATCH_LIMITS] = {
	[WATCH_UNVOUCHED] = {"unvouched",
			     "nobody says that every packet is here (--whole): "
			     "only what packets show by themselves is judged"},
	[WATCH_AFAR] = {"afar", "nobody says at whose link this was captured "
				"(--at): order and time at the ends are not "
				"judged"},
	[WATCH_TIMES] = {"times", "no timer is declared (--decl): repeats are "
				  "not judged by time"},
	[WATCH_MIDDLE] = {"middle", "flows that had begun before the capture, "
				    "or of which not all is here"},
	[WATCH_ONE_WAY] = {"one-way", "flows of which one side was never seen"},
	[WATCH_OPEN] = {"open", "flows that were not closed when the capture "
				"ended"},
	[WATCH_MISSING] = {"missing", "PSNs that were left out and never came"},
	[WATCH_CUT] = {"cut", "packets of which fewer bytes were kept than "
			      "crossed (snapshot length)"},
	[WATCH_DROPS] = {"drops", "packets that the capturing machine says it "
				  "dropped"},
	[WATCH_BACKWARD] = {"backward", "frames that are earlier than the one "
					"before: their order is not known"},
	[WATCH_COARSE] = {"coarse", "frames that have the time of the one "
				    "before"},
	[WATCH_COPIES] = {"copies", "packets captured twice: two vantage "
				    "points, or a mirror of both directions"},
	[WATCH_FRAGMENTS] = {"fragments", "IP fragments, which are not put "
					  "together"},
	[WATCH_BROKEN] = {"broken", "packets that end inside a header"},
	[WATCH_ENCRYPTED] = {"encrypted", "packets behind a TSS header"},
	[WATCH_SLEPT] = {"slept", "times that a flow was silent for so long "
				  "that it was put aside (--idle)"},
	[WATCH_FORGOTTEN] = {"forgotten", "flows forgotten for want of room "
					  "(--max-flows)"},
};

const char *watch_limit_name(enum watch_limit limit)
{
	return limits[limit].name;
}

const char *watch_limit_text(enum watch_limit limit)
{
	return limits[limit].text;
}
