/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/pcapng.c -- a record as a capture file with comments.
 *
 * Blocks are written in this machine's byte order, as the format allows: the
 * section header's magic tells the reader which that is.
 *
 * Spec: draft-ietf-opsawg-pcapng, 4.1 to 4.5
 */
#include "reports/pcapng.h"
#include "reports/declared.h"

#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "reports/diff.h"
#include "reports/safe.h"

enum block {
	BLOCK_INTERFACE = 1,
	BLOCK_NAMES = 4,
	BLOCK_PACKET = 6,
	BLOCK_SECTION = 0x0a0d0d0a,
};

enum option {
	OPT_END = 0,
	OPT_COMMENT = 1,
	SHB_USERAPPL = 4,
	IF_NAME = 2,
	IF_DESCRIPTION = 3,
	IF_TSRESOL = 9,
	EPB_FLAGS = 2,
};

enum direction {
	INBOUND = 1, /* from the DUT to the tester */
	OUTBOUND = 2,
};

enum iface { IFACE_LINK, IFACE_REMOVED };

#define FRAME_ROOM (DGRAM_MAX + 128) /* the longest frame with its headers */
#define NAME_IPV4  1
#define NAME_IPV6  2

struct writer {
	struct text *t;
	const struct record *r;
	const struct pcapng_opts *o;
	size_t block; /* where the open block starts */
	struct text say;
	int err;
};

static void put16(struct writer *w, uint16_t v)
{
	text_add(w->t, (const char *)&v, sizeof(v));
}

static void put32(struct writer *w, uint32_t v)
{
	text_add(w->t, (const char *)&v, sizeof(v));
}

static void put_padded(struct writer *w, const void *p, size_t len)
{
	text_add(w->t, p, len);
	text_fill(w->t, 0, -len & 3);
}

static void block_open(struct writer *w, enum block type)
{
	w->block = w->t->len;
	put32(w, (uint32_t)type);
	put32(w, 0); /* the length; block_close knows it */
}

static void block_close(struct writer *w)
{
	uint32_t len = (uint32_t)(w->t->len - w->block) + 4;

	put32(w, len);
	if (!text_err(w->t))
		memcpy(w->t->s + w->block + 4, &len, sizeof(len));
}

static void put_option(struct writer *w, enum option code, const void *p,
		       size_t len)
{
	if (len > UINT16_MAX)
		len = UINT16_MAX - 3;
	put16(w, (uint16_t)code);
	put16(w, (uint16_t)len);
	put_padded(w, p, len);
}

static void put_string(struct writer *w, enum option code, const char *s)
{
	if (*s)
		put_option(w, code, s, strlen(s));
}

static void options_end(struct writer *w)
{
	put32(w, OPT_END);
}

/* ---- The head of the file ---- */

static void say_case(struct writer *w)
{
	const struct record *r = w->r;

	text_clear(&w->say);
	safe_puts(&w->say, r->id);
	text_printf(&w->say, ": %s", verdict_name(r->verdict));
	if (*r->reason) {
		text_puts(&w->say, ", ");
		safe_puts(&w->say, r->reason);
	}
	text_printf(&w->say, " (seed %llu)", (unsigned long long)r->seed);
}

static size_t packets(const struct record *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nrecs; i++)
		n += r->recs[i].kind == REC_TX || r->recs[i].kind == REC_RX;
	return n;
}

static void say_declared(struct writer *w)
{
	const struct record *r = w->r;
	const struct declared d = {
		.judge = r->declared,
		.crc = r->crc,
		.crc_order = r->crc_order,
		.end = (vtime)w->o->epoch_ns + r->ended_at,
		.frames = (uint32_t)packets(r),
	};

	text_clear(&w->say);
	declared_print(&w->say, &d);
}

static void put_section(struct writer *w, const struct about *a)
{
	block_open(w, BLOCK_SECTION);
	put32(w, 0x1a2b3c4d);
	put16(w, 1); /* version 1.0 */
	put16(w, 0);
	put32(w, UINT32_MAX); /* the section's length is not told */
	put32(w, UINT32_MAX);
	say_case(w);
	put_string(w, OPT_COMMENT, text_cstr(&w->say));
	say_declared(w);
	put_string(w, OPT_COMMENT, text_cstr(&w->say));
	text_clear(&w->say);
	text_puts(&w->say, "rung ");
	safe_puts(&w->say, a->version ? a->version : "");
	put_string(w, SHB_USERAPPL, text_cstr(&w->say));
	options_end(w);
	block_close(w);
}

static void put_interface(struct writer *w, const char *name, const char *about)
{
	const uint8_t nanoseconds = 9;

	block_open(w, BLOCK_INTERFACE);
	put16(w, (uint16_t)w->o->link);
	put16(w, 0);
	put32(w, 0); /* no limit on what is captured of a packet */
	put_string(w, IF_NAME, name);
	put_string(w, IF_DESCRIPTION, about);
	put_option(w, IF_TSRESOL, &nanoseconds, 1);
	options_end(w);
	block_close(w);
}

static void put_name(struct writer *w, const struct ip_addr *a,
		     const char *name)
{
	char record[16 + 16];
	size_t len = strlen(name) + 1;

	if (!a->len)
		return;
	memcpy(record, a->b, a->len);
	memcpy(record + a->len, name, len);
	put16(w, a->len == 4 ? NAME_IPV4 : NAME_IPV6);
	put16(w, (uint16_t)(a->len + len));
	put_padded(w, record, a->len + len);
}

static void put_names(struct writer *w)
{
	block_open(w, BLOCK_NAMES);
	put_name(w, &w->r->tester, "tester");
	if (!ip_addr_equal(&w->r->tester, &w->r->dut))
		put_name(w, &w->r->dut, "DUT");
	put32(w, 0); /* end of records */
	block_close(w);
}

/* ---- Packets ---- */

static void say_packet(struct writer *w, const struct rec *e)
{
	struct record_psn ctx = {w->r, e->kind == REC_TX, e->pdc};
	struct packet_psn_names names = {record_psn_show, &ctx};
	const char *note = record_note_of(w->r, e);
	struct packet pkt;

	text_clear(&w->say);
	record_packet(w->r, e, &pkt);
	packet_print(&w->say, &pkt, PACKET_BRIEF, &names);
	if (e->line && !strstr(note, "line"))
		text_printf(&w->say, " -- %s line %u",
			    e->kind == REC_TX ? "sent by" : "matches", e->line);
	if (*note) {
		text_puts(&w->say, " -- ");
		safe_puts(&w->say, note);
	}
	if (e->fate != FATE_CROSSED)
		text_printf(&w->say, " -- %s on the way", fate_name(e->fate));
	if (e->fate == FATE_DELAYED && e->behind)
		text_printf(&w->say, " behind #%" PRIu32, e->behind);
}

static void say_finding(struct writer *w, const struct rec_finding *f)
{
	struct text words = {0};

	text_clear(&w->say);
	if (f->kind != KIND_TIMING && *f->expected && *f->actual)
		rung_diff_words(&words, f->expected, f->actual);
	if (words.len)
		safe_puts(&w->say, words.s);
	else
		safe_puts(&w->say, f->text);
	if (f->req != REQ_NONE)
		text_printf(&w->say, " [%s/%s]", req_get(f->req)->id,
			    req_role_name(f->role));
	w->say.failed |= words.failed;
	text_free(&words);
}

static void put_comments(struct writer *w, const struct rec *e)
{
	say_packet(w, e);
	put_string(w, OPT_COMMENT, text_cstr(&w->say));
	for (size_t i = 0; i < w->r->nfindings; i++) {
		if (!e->frame || w->r->findings[i].frame != e->frame)
			continue;
		say_finding(w, &w->r->findings[i]);
		put_string(w, OPT_COMMENT, text_cstr(&w->say));
	}
}

static void put_packet(struct writer *w, const struct rec *e)
{
	uint64_t at = w->o->epoch_ns + (uint64_t)e->at;
	uint32_t flags = e->kind == REC_TX ? OUTBOUND : INBOUND;
	uint8_t frame[FRAME_ROOM];
	struct dgram d;
	int len;

	record_dgram(w->r, e, &d);
	crc_seal(&d, w->r->crc_order);
	len = frame_build(&w->o->frame, w->o->link, &d, frame, sizeof(frame));
	if (len < 0) {
		w->err = len;
		return;
	}
	block_open(w, BLOCK_PACKET);
	put32(w, e->fate == FATE_DROPPED ? IFACE_REMOVED : IFACE_LINK);
	put32(w, (uint32_t)(at >> 32));
	put32(w, (uint32_t)at);
	put32(w, (uint32_t)len);
	put32(w, (uint32_t)len);
	put_padded(w, frame, (size_t)len);
	put_comments(w, e);
	put_option(w, EPB_FLAGS, &flags, sizeof(flags));
	options_end(w);
	block_close(w);
}

int pcapng_report(struct text *t, const struct record *r, const struct about *a,
		  const struct pcapng_opts *o)
{
	struct pcapng_opts opts = {.link = FRAME_ETHERNET};
	struct writer w = {.t = t, .r = r, .o = &opts};

	if (o)
		opts = *o;
	if (!opts.link)
		opts.link = FRAME_ETHERNET;
	put_section(&w, a);
	put_interface(&w, "link", "what crossed between tester and DUT");
	put_interface(&w, "removed by impairments",
		      "what the tester kept from crossing");
	put_names(&w);
	for (size_t i = 0; i < r->nrecs && !w.err; i++)
		if (r->recs[i].kind == REC_TX || r->recs[i].kind == REC_RX)
			put_packet(&w, &r->recs[i]);
	if (!w.err)
		w.err = text_err(&w.say) ? text_err(&w.say) : text_err(t);
	text_free(&w.say);
	return w.err;
}
