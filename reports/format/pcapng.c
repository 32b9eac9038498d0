/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/pcapng.c -- writes a record as a capture file with comments.
 */
#include "reports/format/pcapng.h"
#include "reports/format/declared.h"

#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "reports/format/pcapng_writer.h"
#include "reports/result/diff.h"
#include "reports/safe.h"
#include "wire/frame/frame_build.h"

enum iface { IFACE_LINK, IFACE_REMOVED };

/* length of the longest frame with its headers */
#define FRAME_ROOM (DGRAM_MAX + 128)

struct writer {
	struct pcapng_writer pen;
	const struct record *r;
	const struct pcapng_opts *o;
	struct text say, more;
	int err;
};

/* ---- File header ---- */

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

static size_t pcapng_packets(const struct record *r)
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
		.frames = (uint32_t)pcapng_packets(r),
	};

	text_clear(&w->more);
	declared_print(&w->more, &d);
}

static void put_section(struct writer *w, const struct about *a)
{
	struct text tool = {0};

	say_case(w);
	say_declared(w);
	text_puts(&tool, "rung ");
	safe_puts(&tool, text_or(a->version, ""));
	pcapng_section(&w->pen,
		       (const char *const[]){text_cstr(&w->say),
					     text_cstr(&w->more), NULL},
		       text_cstr(&tool));
	w->say.failed |= tool.failed;
	text_free(&tool);
}

static void put_names(struct writer *w)
{
	pcapng_names_open(&w->pen);
	pcapng_names_add(&w->pen, &w->r->tester, "tester");
	if (!ip_addr_equal(&w->r->tester, &w->r->dut))
		pcapng_names_add(&w->pen, &w->r->dut, "DUT");
	pcapng_names_close(&w->pen);
}

/* ---- Packets ---- */

static void pcapng_say_packet(struct writer *w, const struct rec *e)
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

static void pcapng_say_finding(struct writer *w, const struct rec_finding *f)
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
	pcapng_say_packet(w, e);
	pcapng_comment(&w->pen, text_cstr(&w->say));
	for (size_t i = 0; i < w->r->nfindings; i++) {
		if (!e->frame || w->r->findings[i].frame != e->frame)
			continue;
		pcapng_say_finding(w, &w->r->findings[i]);
		pcapng_comment(&w->pen, text_cstr(&w->say));
	}
}

static void put_packet(struct writer *w, const struct rec *e)
{
	struct pcapng_packet p = {
		.iface = e->fate == FATE_DROPPED ? IFACE_REMOVED : IFACE_LINK,
		.at = w->o->epoch_ns + (uint64_t)e->at,
		.direction =
			e->kind == REC_TX ? CAPTURE_OUTBOUND : CAPTURE_INBOUND,
	};
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
	p.p = frame;
	p.len = (size_t)len;
	pcapng_packet_open(&w->pen, &p);
	put_comments(w, e);
	pcapng_packet_close(&w->pen, &p);
}

int pcapng_report(struct text *t, const struct record *r, const struct about *a,
		  const struct pcapng_opts *o)
{
	struct pcapng_opts opts = {.link = FRAME_ETHERNET};
	struct writer w = {.pen = {.t = t}, .r = r, .o = &opts};

	if (o)
		opts = *o;
	if (!opts.link)
		opts.link = FRAME_ETHERNET;
	put_section(&w, a);
	pcapng_interface(&w.pen, opts.link, "link",
			 "what crossed between tester and DUT");
	pcapng_interface(&w.pen, opts.link, "removed by impairments",
			 "what the tester kept from crossing");
	put_names(&w);
	for (size_t i = 0; i < r->nrecs && !w.err; i++)
		if (r->recs[i].kind == REC_TX || r->recs[i].kind == REC_RX)
			put_packet(&w, &r->recs[i]);
	if (!w.err && (text_err(&w.say) || text_err(&w.more)))
		w.err = ERR_NOMEM;
	if (!w.err)
		w.err = text_err(t);
	text_free(&w.say);
	text_free(&w.more);
	return w.err;
}
