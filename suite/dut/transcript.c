/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/transcript.c -- puts itself between the runner and the functions of
 * a device, and writes a line for each call.
 */
#include "suite/dut/transcript.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "suite/dut/ctl/ctl_print.h"
#include "wire/frame/crc.h"

struct transcript {
	const struct dut_ops *ops; /* the device's own */
	struct text lines;
	struct dut_counts counts; /* as last written */
};

void transcript_counts(const struct dut_counts *c,
		       uint64_t ret[TRANSCRIPT_COUNTS])
{
	const uint64_t own[] = {
		c->entropy_lost, c->foreign,
		c->crc_bad,      c->nic_stamps,
		c->strays,       c->unknown_events,
		c->repeats,      (uint64_t)c->starved,
		c->stopped,
	};

	memcpy(ret, own, sizeof(own));
	memcpy(ret + sizeof(own) / sizeof(own[0]), c->doubt, sizeof(c->doubt));
	ret[TRANSCRIPT_COUNTS - 1] = (uint64_t)c->starved_most;
}

void transcript_head(const struct dgram *d, uint64_t ret[TRANSCRIPT_HEAD])
{
	const uint64_t head[TRANSCRIPT_HEAD] = {
		d->entropy,   d->dscp,    d->ecn,        d->native,
		d->crc,       d->family,  d->udp_length, d->udp_checksum,
		d->udp_dport, d->ip_id,   d->ip_proto,   d->no_df,
		d->padding,   d->headers, d->id_known,   d->ext,
	};

	memcpy(ret, head, sizeof(head));
}

static void transcript_put_numbers(struct text *t, const uint64_t *v, size_t n)
{
	text_puts(t, "[");
	for (size_t i = 0; i < n; i++)
		text_printf(t, "%s%" PRIu64, i ? "," : "", v[i]);
	text_puts(t, "]");
}

/* Writes the counts if the last call has changed them. */
static void transcript_put_counts(struct dut *d)
{
	struct transcript *t = d->transcript;
	uint64_t v[TRANSCRIPT_COUNTS];

	if (memcmp(&t->counts, &d->counts, sizeof(t->counts)) == 0)
		return;
	t->counts = d->counts;
	transcript_counts(&d->counts, v);
	text_puts(&t->lines, "[\"counts\",");
	transcript_put_numbers(&t->lines, v, TRANSCRIPT_COUNTS);
	text_puts(&t->lines, "]\n");
}

/* Appends the message |m| of the control channel without its newline. */
static void transcript_put_message(struct text *t, struct text *m)
{
	const size_t len = m->len;

	text_add(t, text_cstr(m),
		 len && text_cstr(m)[len - 1] == '\n' ? len - 1 : len);
	text_puts(t, "]\n");
	text_free(m);
}

static void transcript_put_hex(struct text *t, const uint8_t *p, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i++) {
		const char two[2] = {digits[p[i] >> 4], digits[p[i] & 15]};

		text_add(t, two, 2);
	}
}

static void transcript_put_dgram(struct text *t, const struct dgram *d)
{
	char src[IP_ADDR_TEXT], dst[IP_ADDR_TEXT];
	uint64_t head[TRANSCRIPT_HEAD];

	ip_addr_print(&d->src, src);
	ip_addr_print(&d->dst, dst);
	transcript_head(d, head);
	text_printf(t, ",\"%s\",\"%s\",", src, dst);
	transcript_put_numbers(t, head, TRANSCRIPT_HEAD);
	text_puts(t, ",\"");
	transcript_put_hex(t, d->data, d->len);
	text_puts(t, "\"]\n");
}

static int transcript_append(const char *s, size_t len, void *ctx)
{
	text_add(ctx, s, len);
	return 0;
}

/* Appends a JSON value, and frees it.  NULL is a lack of memory. */
static int transcript_put_json(struct text *t, json_t *o)
{
	const int bad =
		!o || json_dump_callback(o, transcript_append, t,
					 JSON_COMPACT | JSON_ENCODE_ANY);

	json_decref(o);
	return bad ? ERR_NOMEM : 0;
}

/* Bytes that are not UTF-8 are left out. */
static void transcript_put_string(struct text *t, const char *s)
{
	char plain[256];
	size_t n = 0;

	for (; *s && n < sizeof(plain) - 1; s++)
		if ((uint8_t)*s < 0x80)
			plain[n++] = *s;
	plain[n] = 0;
	text_puts(t, ",");
	transcript_put_json(t, json_string(plain));
	text_puts(t, "]\n");
}

static void transcript_put_event(struct text *t, const struct dut_event *e)
{
	static const char *const names[] = {
		[DUT_TIMEOUT] = "timeout", [DUT_DGRAM] = "dgram",
		[DUT_PEER] = "peer",       [DUT_ANSWER] = "answer",
		[DUT_EVENT] = "event",     [DUT_GARBAGE] = "garbage",
		[DUT_GONE] = "gone",
	};
	struct text m = {0};

	text_printf(t, "[\"next\",0,\"%s\",%" PRId64, names[e->kind], e->at);
	switch (e->kind) {
	case DUT_TIMEOUT:
		text_puts(t, "]\n");
		break;
	case DUT_DGRAM:
	case DUT_PEER:
		transcript_put_dgram(t, &e->d);
		break;
	case DUT_ANSWER:
		text_puts(t, ",");
		ctl_ans_print(&m, &e->ans);
		transcript_put_message(t, &m);
		break;
	case DUT_EVENT:
		text_puts(t, ",");
		ctl_event_print(&m, &e->ev);
		transcript_put_message(t, &m);
		break;
	case DUT_GARBAGE:
	case DUT_GONE:
		transcript_put_string(t, e->text);
		break;
	}
}

/* ---- The functions of a recorded device ---- */

static vtime recorded_now(struct dut *d)
{
	struct transcript *t = d->transcript;
	const vtime now = t->ops->now(d);

	text_printf(&t->lines, "[\"now\",%" PRId64 "]\n", now);
	return now;
}

static int recorded_sent(struct dut *d, const char *name, int err,
			 const struct dgram *sent)
{
	struct transcript *t = d->transcript;

	text_printf(&t->lines, "[\"%s\",%d,%zu,\"%08" PRIx32 "\"]\n", name, err,
		    sent->len, crc32c(0, sent->data, sent->len));
	transcript_put_counts(d);
	return err;
}

static int recorded_send(struct dut *d, struct dgram *sent)
{
	return recorded_sent(d, "send", d->transcript->ops->send(d, sent),
			     sent);
}

static int recorded_forward(struct dut *d, const struct dgram *sent)
{
	return recorded_sent(d, "forward", d->transcript->ops->forward(d, sent),
			     sent);
}

static int recorded_control(struct dut *d, const struct ctl_req *req)
{
	struct transcript *t = d->transcript;
	const int err = t->ops->control(d, req);
	struct text m = {0};

	text_printf(&t->lines, "[\"control\",%d,", err);
	ctl_req_print(&m, req);
	transcript_put_message(&t->lines, &m);
	transcript_put_counts(d);
	return err;
}

static int recorded_next(struct dut *d, vtime until, struct dut_event *ret)
{
	struct transcript *t = d->transcript;
	const int err = t->ops->next(d, until, ret);

	if (err)
		text_printf(&t->lines, "[\"next\",%d]\n", err);
	else
		transcript_put_event(&t->lines, ret);
	transcript_put_counts(d);
	return err;
}

static void recorded_tally(struct dut *d)
{
	d->transcript->ops->tally(d);
	text_puts(&d->transcript->lines, "[\"tally\"]\n");
	transcript_put_counts(d);
}

static int recorded_begin(struct dut *d, uint64_t seed)
{
	struct transcript *t = d->transcript;
	const int err = t->ops->begin(d, seed);
	const uint64_t link[] = {d->link.crc, d->link.crc_order, d->link.native,
				 d->link.icrc};

	text_printf(&t->lines, "[\"begin\",%d,", err);
	transcript_put_numbers(&t->lines, link, sizeof(link) / sizeof(link[0]));
	text_puts(&t->lines, "]\n");
	transcript_put_counts(d);
	return err;
}

/* The head of the transcript, which is written last, has the addresses. */
static int recorded_use_ip6(struct dut *d, bool on)
{
	const struct dut_ops *ops = d->transcript->ops;

	return ops->use_ip6 ? ops->use_ip6(d, on) : 0;
}

static void recorded_free(struct dut *d)
{
	struct transcript *t = d->transcript;

	d->ops = t->ops;
	d->transcript = NULL;
	text_free(&t->lines);
	free(t);
	d->ops->free(d);
}

static const struct dut_ops recorded_ops = {
	.now = recorded_now,
	.send = recorded_send,
	.forward = recorded_forward,
	.control = recorded_control,
	.next = recorded_next,
	.use_ip6 = recorded_use_ip6,
	.tally = recorded_tally,
	.begin = recorded_begin,
	.free = recorded_free,
};

int transcript_begin(struct dut *d)
{
	struct transcript *t = memory_calloc(1, sizeof(*t));

	if (!t)
		return ERR_NOMEM;
	t->ops = d->ops;
	d->transcript = t;
	d->ops = &recorded_ops;
	return 0;
}

/* Appends the line that describes the device. */
static int transcript_put_device(const struct dut *d, struct text *t)
{
	char tester[IP_ADDR_TEXT], peer[IP_ADDR_TEXT];
	int err;

	ip_addr_print(&d->tester, tester);
	ip_addr_print(&d->peer, peer);
	err = transcript_put_json(
		t,
		json_pack("{s:s, s:s, s:s, s:b, s:b, s:b, s:b, s:b, s:b, s:b, "
			  "s:s}",
			  "schema", TRANSCRIPT_SCHEMA, "tester", tester, "peer",
			  peer, "control", d->control, "withheld", d->withheld,
			  "triggered", d->triggered, "bridged", d->bridged,
			  "virtual", d->virtual, "reference", d->reference,
			  "frames", d->frames, "verbs", d->verbs));
	text_puts(t, "\n");
	return err;
}

int transcript_take(struct dut *d, struct text *ret)
{
	struct transcript *t = d->transcript;
	int err;

	if (!t)
		return 0;
	err = transcript_put_device(d, ret);
	text_add(ret, text_cstr(&t->lines), t->lines.len);
	if (!err)
		err = text_err(&t->lines);
	text_clear(&t->lines);
	t->counts = (struct dut_counts){0};
	return err ? err : text_err(ret);
}
