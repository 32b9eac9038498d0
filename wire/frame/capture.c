/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/capture.c -- reads packets from blocks and records.
 *
 * A block's length is accepted only if it is the same at both ends, is a
 * multiple of 4, and has room for what the block must contain.
 *
 * Spec: draft-ietf-opsawg-pcapng 3 and 4, draft-ietf-opsawg-pcap 4 and 5
 */
#include "wire/frame/capture.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hot.h"
#include "base/memory.h"

enum block {
	BLOCK_INTERFACE = 1,
	BLOCK_OLD_PACKET = 2,
	BLOCK_SIMPLE = 3,
	BLOCK_STATISTICS = 5,
	BLOCK_PACKET = 6,
};

#define BLOCK_SECTION 0x0a0d0d0au
#define ORDER_MAGIC   0x1a2b3c4du
#define PCAP_US       0xa1b2c3d4u
#define PCAP_NS       0xa1b23c4du

enum option {
	OPT_END = 0,
	OPT_COMMENT = 1,
	SHB_USERAPPL = 4,
	IF_TSRESOL = 9,
	IF_TSOFFSET = 14,
	EPB_FLAGS = 2,
	ISB_IFDROP = 5,
	ISB_OSDROP = 7,
};

enum {
	FILE_HEAD = 24, /* head of a pcap file */
	RECORD = 16,    /* head of a pcap record */
	LEAST = 12,     /* shortest block of pcapng */
	EPB = 28,       /* head of an Enhanced Packet Block */
};

enum format { UNKNOWN, PCAP, PCAPNG };

struct capture_iface {
	uint16_t link;
	uint32_t snap;
	uint64_t per_s; /* ticks of its time stamps per second */
	vspan tick;     /* pcap: duration of a tick */
	int64_t offset; /* seconds; 0 if outside 2^40 */
	uint64_t ifdrop, osdrop;
};

struct capture {
	const uint8_t *p;
	size_t at, len;
	bool last, swapped;
	uint64_t base; /* offset of the window in the file */
	enum format format;
	size_t wants;
	struct capture_info info;
	vtime before; /* time of the previous packet */
	int err;
	char error[160];
	struct capture_iface ifaces[CAPTURE_INTERFACES];
};

/* An iterator over the options of a block. */
struct capture_options {
	const uint8_t *p, *end;
	uint16_t code, len;
	const uint8_t *value;
};

int capture_new(struct capture **ret)
{
	struct capture *c = memory_calloc(1, sizeof(*c));

	if (!c)
		return ERR_NOMEM;
	c->wants = FILE_HEAD;
	*ret = c;
	return 0;
}

void capture_free(struct capture *c)
{
	free(c);
}

void capture_feed(struct capture *c, const uint8_t *p, size_t len, bool last)
{
	c->base += c->at;
	c->p = p;
	c->at = 0;
	c->len = len;
	c->last = last;
}

size_t capture_rest(const struct capture *c)
{
	return c->len - c->at;
}

size_t capture_wants(const struct capture *c)
{
	return c->wants;
}

const char *capture_error(const struct capture *c)
{
	return c->error;
}

const struct capture_info *capture_info(const struct capture *c)
{
	return &c->info;
}

__attribute__((format(printf, 3, 4))) static int
wrong(struct capture *c, int err, const char *fmt, ...)
{
	va_list args;
	int n = snprintf(c->error, sizeof(c->error), "byte %" PRIu64 ": ",
			 c->base + c->at);

	va_start(args, fmt);
	vsnprintf(c->error + n, sizeof(c->error) - (size_t)n, fmt, args);
	va_end(args);
	return c->err = err;
}

static uint16_t capture_get16(const struct capture *c, const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	if (c->swapped)
		return __builtin_bswap16(v);
	return v;
}

static uint32_t ordered32(const uint8_t *p, bool swapped)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	if (swapped)
		return __builtin_bswap32(v);
	return v;
}

static uint32_t get32(const struct capture *c, const uint8_t *p)
{
	return ordered32(p, c->swapped);
}

static uint64_t get64(const struct capture *c, const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	if (c->swapped)
		return __builtin_bswap64(v);
	return v;
}

/*
 * Ends the window: requests more bytes, or fails if the file ends inside a
 * record.
 */
static int runs_out(struct capture *c, size_t wants)
{
	c->wants = wants;
	if (!c->last || c->at == c->len)
		return 0;
	return wrong(c, ERR_SHORT,
		     "the file ends inside a block: %zu of %zu "
		     "bytes are there",
		     c->len - c->at, wants);
}

/* ---- Time ---- */

static vtime to_ns(const struct capture_iface *i, uint64_t ticks)
{
	const uint64_t longest = VTIME_NEVER / 2 / VSPAN_S; /* seconds */
	const uint64_t s = ticks / i->per_s, part = ticks % i->per_s;
	const int64_t at = (int64_t)(s < longest ? s : longest) + i->offset;
	uint64_t ns = part;

	if (i->per_s < VSPAN_S)
		ns = part * VSPAN_S / i->per_s;
	else if (i->per_s > VSPAN_S)
		ns = (uint64_t)((double)part / (double)i->per_s * 1e9);
	if (at < 0)
		return 0;
	return ((uint64_t)at < longest ? at : (int64_t)longest) * VSPAN_S +
	       (vtime)ns;
}

static void resolution(struct capture *c, struct capture_iface *i, uint8_t v)
{
	vspan ns;

	i->per_s = 1;
	if (v & 0x80) { /* resolution 2^-n */
		i->per_s <<= (v & 0x7f) < 63 ? v & 0x7f : 63;
	} else {
		for (unsigned n = v < 19 ? v : 19; n; n--)
			i->per_s *= 10;
	}
	ns = i->per_s > VSPAN_S ? 1 : (vspan)(VSPAN_S / (vspan)i->per_s);
	if (ns > c->info.resolution)
		c->info.resolution = ns;
}

static void stamp(struct capture *c, struct capture_packet *ret, vtime at)
{
	ret->at = at;
	if (at < c->before)
		c->info.backward++;
	c->before = at;
	c->info.packets++;
}

/* ---- pcap ---- */

static int capture_pcap_head(struct capture *c)
{
	uint32_t magic;

	if (c->len - c->at < FILE_HEAD)
		return runs_out(c, FILE_HEAD);
	memcpy(&magic, c->p + c->at, sizeof(magic));
	c->swapped = magic != PCAP_US && magic != PCAP_NS;
	magic = get32(c, c->p + c->at);
	c->format = PCAP;
	c->ifaces[0].link = (uint16_t)get32(c, c->p + c->at + 20);
	resolution(c, &c->ifaces[0], magic == PCAP_NS ? 9 : 6);
	c->ifaces[0].tick = VSPAN_S / (vspan)c->ifaces[0].per_s;
	c->info.interfaces = 1;
	c->at += FILE_HEAD;
	return 1;
}

/* Returns the time of the record |p|. */
static inline __attribute__((always_inline)) vtime
pcap_time(const uint8_t *p, vspan tick, bool swapped)
{
	return (vtime)ordered32(p, swapped) * VSPAN_S +
	       (vtime)ordered32(p + 4, swapped) * tick;
}

/*
 * Prefetches a later record.  The position of a record is known only from the
 * one before, so that without prefetching each record would cost a cache
 * miss.  The hardware prefetcher stops at the end of a page, which small
 * packets reach soon.
 */
static inline __attribute__((always_inline)) void fetch_later(const uint8_t *p)
{
	enum { LATER = 2048, LINE = 64 };

	__builtin_prefetch(p + LATER);
	__builtin_prefetch(p + LATER + LINE);
}

/*
 * Reads records until one is truncated or wrong.  It is inlined for each byte
 * order, so that the order is tested once.
 */
static inline __attribute__((always_inline)) int
pcap_run(struct capture *c, struct capture_packet *ret, int max, bool swapped)
{
	const struct capture_iface i = c->ifaces[0];
	const uint8_t *p = c->p + c->at;
	size_t left = c->len - c->at;
	vtime before = c->before;
	uint32_t len;
	int n = 0;

	for (; n < max && left >= RECORD; n++, ret++) {
		len = ordered32(p + 8, swapped);
		if (len > CAPTURE_BLOCK_MAX || left - RECORD < len)
			break;
		fetch_later(p);
		ret->p = p + RECORD;
		ret->len = len;
		ret->orig = ordered32(p + 12, swapped);
		ret->at = pcap_time(p, i.tick, swapped);
		ret->iface = 0;
		ret->link = (enum frame_link)i.link;
		ret->offset = c->base + c->len - left;
		ret->direction = 0;
		ret->comment = NULL;
		c->info.backward += ret->at < before;
		before = ret->at;
		p += RECORD + (size_t)len;
		left -= RECORD + (size_t)len;
	}
	c->at = c->len - left;
	c->before = before;
	c->info.packets += (unsigned)n;
	return n;
}

static HOT int pcap_some(struct capture *c, struct capture_packet *ret, int max)
{
	if (c->swapped)
		return pcap_run(c, ret, max, true);
	return pcap_run(c, ret, max, false);
}

static int pcap_next(struct capture *c, struct capture_packet *ret)
{
	const size_t left = c->len - c->at;
	uint32_t len;

	if (pcap_some(c, ret, 1))
		return 1;
	if (left < RECORD)
		return runs_out(c, RECORD);
	len = get32(c, c->p + c->at + 8);
	if (len > CAPTURE_BLOCK_MAX)
		return wrong(c, ERR_SYNTAX, "a packet of %" PRIu32 " bytes",
			     len);
	return runs_out(c, RECORD + (size_t)len);
}

/* Skips the records of the window; it reads only lengths and times. */
static int pcap_skim(struct capture *c)
{
	struct capture_packet last;
	vtime before = c->before, at;
	size_t left = c->len - c->at;
	uint64_t n = 0, backward = 0;
	const uint8_t *p;

	for (; left >= RECORD; left -= RECORD + get32(c, p + 8)) {
		p = c->p + c->len - left;
		if (left - RECORD < get32(c, p + 8) ||
		    get32(c, p + 8) > CAPTURE_BLOCK_MAX)
			break;
		at = pcap_time(p, c->ifaces[0].tick, c->swapped);
		backward += at < before;
		before = at;
		n++;
	}
	c->at = c->len - left;
	c->before = before;
	c->info.packets += n;
	c->info.backward += backward;
	return pcap_next(c, &last); /* the error of the record, if any */
}

/* ---- pcapng ---- */

static bool option_next(const struct capture *c, struct capture_options *o)
{
	if (o->end - o->p < 4)
		return false;
	o->code = capture_get16(c, o->p);
	o->len = capture_get16(c, o->p + 2);
	o->value = o->p + 4;
	if (o->code == OPT_END || o->end - o->value < o->len)
		return false;
	o->p = o->value + o->len;
	o->p += o->end - o->p < (-o->len & 3) ? o->end - o->p : -o->len & 3;
	return true;
}

static struct capture_options capture_options(const uint8_t *block, size_t from,
					      size_t len)
{
	return (struct capture_options){.p = block + from,
					.end = block + len - 4};
}

static void take_string(char *to, const uint8_t *p, size_t len)
{
	memcpy(to, p, len);
	to[len] = 0;
}

static int capture_section(struct capture *c, const uint8_t *p, size_t len)
{
	struct capture_options o;

	if (len < 28)
		return wrong(c, ERR_SYNTAX, "a section header of %zu bytes",
			     len);
	if (capture_get16(c, p + 12) != 1)
		return wrong(c, ERR_SYNTAX, "pcapng version %u is not known",
			     capture_get16(c, p + 12));
	c->info.sections++;
	c->info.interfaces = 0;
	c->info.ours = false;
	o = capture_options(p, 24, len);
	while (option_next(c, &o)) {
		if (o.code == SHB_USERAPPL && o.len > 5 &&
		    memcmp(o.value, "rung ", 5) == 0)
			c->info.ours = true;
		else if (o.code == OPT_COMMENT &&
			 o.len < sizeof(c->info.declared) && o.len > 9 &&
			 memcmp(o.value, "declared ", 9) == 0)
			take_string(c->info.declared, o.value, o.len);
	}
	return 1;
}

static int capture_interface(struct capture *c, const uint8_t *p, size_t len)
{
	struct capture_options o;
	struct capture_iface *i;
	uint8_t res = 6;

	if (len < 20)
		return wrong(c, ERR_SYNTAX, "an interface block of %zu bytes",
			     len);
	if (c->info.interfaces == CAPTURE_INTERFACES)
		return wrong(c, ERR_SYNTAX, "more than %d interfaces",
			     CAPTURE_INTERFACES);
	i = &c->ifaces[c->info.interfaces++];
	*i = (struct capture_iface){.link = capture_get16(c, p + 8),
				    .snap = get32(c, p + 12)};
	o = capture_options(p, 16, len);
	while (option_next(c, &o)) {
		if (o.code == IF_TSRESOL && o.len == 1)
			res = *o.value;
		else if (o.code == IF_TSOFFSET && o.len == 8)
			i->offset = (int64_t)get64(c, o.value);
	}
	if (i->offset > (int64_t)1 << 40 || i->offset < -((int64_t)1 << 40))
		i->offset = 0;
	resolution(c, i, res);
	return 1;
}

/*
 * Updates a counter.  A block holds counts since the start, so that a later
 * block replaces an earlier one.
 */
static void capture_count(struct capture *c, uint64_t *now, uint64_t v)
{
	const uint64_t room = INT64_MAX - c->info.dropped;

	if (v < *now)
		return;
	c->info.dropped += v - *now < room ? v - *now : room;
	*now = v;
}

static int statistics(struct capture *c, const uint8_t *p, size_t len)
{
	struct capture_options o;
	struct capture_iface *i;

	if (len < 24 || get32(c, p + 8) >= c->info.interfaces)
		return 1; /* the block describes no packet */
	i = &c->ifaces[get32(c, p + 8)];
	o = capture_options(p, 20, len);
	while (option_next(c, &o)) {
		if (o.len != 8)
			continue;
		if (o.code == ISB_IFDROP)
			capture_count(c, &i->ifdrop, get64(c, o.value));
		else if (o.code == ISB_OSDROP)
			capture_count(c, &i->osdrop, get64(c, o.value));
	}
	return 1;
}

static void packet_options(struct capture *c, const uint8_t *block, size_t from,
			   size_t len, struct capture_packet *ret)
{
	struct capture_options o = capture_options(block, from, len);

	while (option_next(c, &o)) {
		if (o.code == OPT_COMMENT && !ret->comment) {
			ret->comment = (const char *)o.value;
			ret->comment_len = o.len;
		} else if (o.code == EPB_FLAGS && o.len == 4) {
			ret->direction = get32(c, o.value) & 3;
		}
	}
}

static int capture_packet(struct capture *c, const uint8_t *p, size_t len,
			  struct capture_packet *ret)
{
	const bool old = get32(c, p) == BLOCK_OLD_PACKET;
	const struct capture_iface *i;
	size_t end;

	if (len < EPB + 4)
		return wrong(c, ERR_SYNTAX, "a packet block of %zu bytes", len);
	ret->iface = old ? capture_get16(c, p + 8) : get32(c, p + 8);
	if (ret->iface >= c->info.interfaces)
		return wrong(c, ERR_SYNTAX,
			     "interface %" PRIu32 " is not "
			     "described",
			     ret->iface);
	ret->len = get32(c, p + 20);
	if (ret->len > len - EPB - 4)
		return wrong(c, ERR_SYNTAX,
			     "%" PRIu32 " bytes of a packet in a block of %zu",
			     ret->len, len);
	i = &c->ifaces[ret->iface];
	ret->p = p + EPB;
	ret->orig = get32(c, p + 24);
	ret->link = (enum frame_link)i->link;
	ret->offset = c->base + c->at;
	ret->direction = 0;
	ret->comment = NULL;
	end = EPB + (((size_t)ret->len + 3) & ~(size_t)3);
	if (end + 8 <= len)
		packet_options(c, p, end, len, ret);
	stamp(c, ret,
	      to_ns(i, (uint64_t)get32(c, p + 12) << 32 | get32(c, p + 16)));
	return 2;
}

/*
 * Reads a Simple Packet Block.  It has no time and no interface, so it gets the
 * first interface and the time of the packet before.
 */
static int simple(struct capture *c, const uint8_t *p, size_t len,
		  struct capture_packet *ret)
{
	const size_t room = len - LEAST - 4;

	if (len < LEAST + 4)
		return wrong(c, ERR_SYNTAX, "a packet block of %zu bytes", len);
	if (!c->info.interfaces)
		return wrong(c, ERR_SYNTAX, "no interface is described");
	ret->orig = get32(c, p + 8);
	ret->len = ret->orig < room ? ret->orig : (uint32_t)room;
	if (c->ifaces[0].snap && ret->len > c->ifaces[0].snap)
		ret->len = c->ifaces[0].snap;
	ret->p = p + LEAST;
	ret->iface = 0;
	ret->link = (enum frame_link)c->ifaces[0].link;
	ret->offset = c->base + c->at;
	ret->direction = 0;
	ret->comment = NULL;
	stamp(c, ret, c->before);
	return 2;
}

/* Return: 2 for a packet, 1 for another block, or an error. */
static int block(struct capture *c, const uint8_t *p, size_t len,
		 struct capture_packet *ret)
{
	switch (get32(c, p)) {
	case BLOCK_SECTION:
		return capture_section(c, p, len);
	case BLOCK_INTERFACE:
		return capture_interface(c, p, len);
	case BLOCK_STATISTICS:
		return statistics(c, p, len);
	case BLOCK_PACKET:
	case BLOCK_OLD_PACKET:
		return capture_packet(c, p, len, ret);
	case BLOCK_SIMPLE:
		return simple(c, p, len, ret);
	}
	return 1;
}

/* Reads the byte order, which only a section header may change. */
static bool capture_order(struct capture *c, const uint8_t *p)
{
	uint32_t type, magic;

	memcpy(&type, p, sizeof(type));
	if (type != BLOCK_SECTION)
		return c->info.sections;
	memcpy(&magic, p + 8, sizeof(magic));
	c->swapped = magic != ORDER_MAGIC;
	return magic == ORDER_MAGIC || __builtin_bswap32(magic) == ORDER_MAGIC;
}

static int ng_next(struct capture *c, struct capture_packet *ret)
{
	const uint8_t *p;
	size_t left;
	uint32_t len;
	int what = 1;

	while (what == 1) {
		p = c->p + c->at;
		left = c->len - c->at;
		if (left < LEAST)
			return runs_out(c, LEAST);
		if (!capture_order(c, p))
			return wrong(c, ERR_SYNTAX, "not a section header");
		len = get32(c, p + 4);
		if (len < LEAST || len & 3)
			return wrong(c, ERR_SYNTAX,
				     "block length %" PRIu32 " cannot be", len);
		if (len > CAPTURE_BLOCK_MAX)
			return wrong(c, ERR_SYNTAX,
				     "a block of %" PRIu32 " bytes", len);
		if (left < len)
			return runs_out(c, len);
		if (get32(c, p + len - 4) != len)
			return wrong(c, ERR_SYNTAX,
				     "block length %" PRIu32 " at the start, "
				     "%" PRIu32 " at the end",
				     len, get32(c, p + len - 4));
		what = block(c, p, len, ret);
		if (what > 0)
			c->at += len;
	}
	if (what < 0)
		return what;
	return 1;
}

/* ---- Both formats ---- */

static int which(struct capture *c)
{
	uint32_t magic;

	if (c->len - c->at < sizeof(magic)) {
		if (c->last && c->base + c->len == 0)
			return wrong(c, ERR_SYNTAX, "an empty file");
		return runs_out(c, FILE_HEAD);
	}
	memcpy(&magic, c->p + c->at, sizeof(magic));
	if (magic == BLOCK_SECTION) {
		c->format = PCAPNG;
		c->info.ng = true;
		return 1;
	}
	if (magic == PCAP_US || magic == PCAP_NS ||
	    __builtin_bswap32(magic) == PCAP_US ||
	    __builtin_bswap32(magic) == PCAP_NS)
		return capture_pcap_head(c);
	return wrong(c, ERR_SYNTAX,
		     "neither pcap nor pcapng: the file begins "
		     "with 0x%08" PRIx32,
		     magic);
}

int capture_next(struct capture *c, struct capture_packet *ret)
{
	int n = 1;

	if (c->err)
		return c->err;
	if (c->format == UNKNOWN)
		n = which(c);
	if (n <= 0)
		return n;
	if (c->format == PCAP)
		return pcap_next(c, ret);
	return ng_next(c, ret);
}

int capture_some(struct capture *c, struct capture_packet *ret, int max)
{
	int n = 0, got = 1;

	if (!c->err && c->format == PCAP)
		n = pcap_some(c, ret, max);
	while (n < max && (got = capture_next(c, &ret[n])) > 0)
		n++;
	if (n)
		return n;
	return got;
}

int capture_skim(struct capture *c)
{
	struct capture_packet p;
	int n = 1;

	while (n > 0)
		n = !c->err && c->format == PCAP ? pcap_skim(c)
						 : capture_next(c, &p);
	return n;
}
