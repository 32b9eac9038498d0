/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_replayed.c -- reads a transcript line by line: each call of the
 * runner takes the next line, which must be of the same function.
 *
 * Time is that of the transcript.  After the first line that does not fit, the
 * time stands still and the device is gone, so that the case ends.
 */
#include "suite/dut/dut_replayed.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "suite/dut/ctl/ctl_parse.h"
#include "suite/dut/ctl/ctl_print.h"
#include "suite/dut/transcript.h"
#include "wire/frame/crc.h"

struct dut_replayed {
	struct dut dut;
	const char *path;
	const char *at, *end; /* the lines that are left */
	unsigned line;        /* number of the current line, from 1 */
	json_t *root;         /* the current line; NULL: none was read */
	vtime now;
	bool wrong; /* a line did not fit; |diag| describes it */
	struct diag diag;
};

static struct dut_replayed *dut_replayed_self(struct dut *d)
{
	return (struct dut_replayed *)d;
}

/* Reports that the current line does not fit, once. */
__attribute__((format(printf, 2, 3))) static void
replayed_wrong(struct dut_replayed *p, const char *fmt, ...)
{
	char why[200];
	va_list ap;

	if (p->wrong)
		return;
	p->wrong = true;
	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	diag_set(&p->diag, p->path, p->line, 0, NULL, "%s", why);
}

/* Reads the next line; NULL behind the last, or if it is no JSON. */
static json_t *replayed_line(struct dut_replayed *p)
{
	const char *stop;

	json_decref(p->root);
	p->root = NULL;
	if (p->at == p->end) {
		p->line++;
		return NULL;
	}
	stop = memchr(p->at, '\n', (size_t)(p->end - p->at));
	if (!stop)
		stop = p->end;
	p->line++;
	p->root = json_loadb(p->at, (size_t)(stop - p->at), 0, NULL);
	p->at = stop == p->end ? stop : stop + 1;
	if (!p->root)
		replayed_wrong(p, "this is no line of a transcript");
	return p->root;
}

static const char *replayed_string(const json_t *o, size_t i)
{
	return text_or(json_string_value(json_array_get(o, i)), "");
}

static int64_t replayed_int(const json_t *o, size_t i)
{
	return json_integer_value(json_array_get(o, i));
}

static uint64_t replayed_number(const json_t *o, size_t i)
{
	return (uint64_t)replayed_int(o, i);
}

/* Takes a line of counts, if one follows. */
static void replayed_counts(struct dut_replayed *p)
{
	struct dut_counts *c = &p->dut.counts;
	static const char word[] = "[\"counts\",";
	const json_t *v;

	if ((size_t)(p->end - p->at) < strlen(word) ||
	    memcmp(p->at, word, strlen(word)) != 0)
		return;
	v = json_array_get(replayed_line(p), 1);
	/* earlier transcripts lack the last count */
	if (json_array_size(v) != TRANSCRIPT_COUNTS &&
	    json_array_size(v) != TRANSCRIPT_COUNTS - 1) {
		replayed_wrong(p, "expected %d counts", TRANSCRIPT_COUNTS);
		return;
	}
	*c = (struct dut_counts){
		.entropy_lost = replayed_number(v, 0),
		.foreign = replayed_number(v, 1),
		.crc_bad = replayed_number(v, 2),
		.nic_stamps = replayed_number(v, 3),
		.strays = replayed_number(v, 4),
		.unknown_events = replayed_number(v, 5),
		.repeats = replayed_number(v, 6),
		.starved = replayed_int(v, 7),
		.stopped = replayed_number(v, 8) != 0,
	};
	if (json_array_size(v) == TRANSCRIPT_COUNTS)
		c->starved_most = replayed_int(v, TRANSCRIPT_COUNTS - 1);
	for (size_t i = 0; i < DOUBT_COUNT; i++)
		c->doubt[i] = replayed_number(v, 9 + i);
}

/* Returns the next line, which must be of the function |name|; else NULL. */
static const json_t *replayed_call(struct dut_replayed *p, const char *name)
{
	const json_t *o;

	if (p->wrong)
		return NULL;
	o = replayed_line(p);
	if (!o && !p->wrong)
		replayed_wrong(p, "the transcript ends; the tester calls %s",
			       name);
	if (o && strcmp(replayed_string(o, 0), name) != 0) {
		replayed_wrong(p, "the tester calls %s", name);
		return NULL;
	}
	return o;
}

static vtime replayed_now(struct dut *d)
{
	struct dut_replayed *p = dut_replayed_self(d);
	const json_t *o = replayed_call(p, "now");

	if (o)
		p->now = replayed_int(o, 1);
	return p->now;
}

/* Compares a datagram with the one that left when the transcript was made. */
static int replayed_sent(struct dut *d, const char *name,
			 const struct dgram *sent)
{
	struct dut_replayed *p = dut_replayed_self(d);
	const json_t *o = replayed_call(p, name);
	char crc[16];
	int err;

	if (!o)
		return 0;
	err = (int)replayed_int(o, 1);
	snprintf(crc, sizeof(crc), "%08" PRIx32,
		 crc32c(0, sent->data, sent->len));
	if (replayed_number(o, 2) != sent->len ||
	    strcmp(replayed_string(o, 3), crc) != 0)
		replayed_wrong(p,
			       "the tester sends another packet, of %zu bytes",
			       sent->len);
	replayed_counts(p);
	return err < 0 ? err : 0;
}

static int replayed_send(struct dut *d, struct dgram *sent)
{
	return replayed_sent(d, "send", sent);
}

static int replayed_forward(struct dut *d, const struct dgram *sent)
{
	return replayed_sent(d, "forward", sent);
}

static int replayed_control(struct dut *d, const struct ctl_req *req)
{
	struct dut_replayed *p = dut_replayed_self(d);
	const json_t *o = replayed_call(p, "control");
	struct text t = {0};
	json_t *now;
	int err;

	if (!o)
		return 0;
	err = (int)replayed_int(o, 1);
	ctl_req_print(&t, req);
	now = json_loadb(text_cstr(&t), t.len, 0, NULL);
	if (!json_equal(now, json_array_get(o, 2)))
		replayed_wrong(p, "the tester requests something else: %.100s",
			       text_cstr(&t));
	json_decref(now);
	text_free(&t);
	replayed_counts(p);
	return err < 0 ? err : 0;
}

static bool replayed_data(const char *hex, struct dgram *d)
{
	const size_t len = strlen(hex);

	if (len % 2 || len / 2 > sizeof(d->data))
		return false;
	for (size_t i = 0; i < len / 2; i++) {
		const int high = text_hex_digit(hex[2 * i]);
		const int low = text_hex_digit(hex[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		d->data[i] = (uint8_t)(high << 4 | low);
	}
	d->len = len / 2;
	return true;
}

static bool replayed_dgram(const json_t *o, struct dgram *d)
{
	const char *src = replayed_string(o, 4), *dst = replayed_string(o, 5);
	const json_t *v = json_array_get(o, 6);

	*d = (struct dgram){
		.entropy = (uint16_t)replayed_number(v, 0),
		.dscp = (uint8_t)replayed_number(v, 1),
		.ecn = (uint8_t)replayed_number(v, 2),
		.native = (uint8_t)replayed_number(v, 3),
		.crc = (uint8_t)replayed_number(v, 4),
		.family = (uint8_t)replayed_number(v, 5),
		.udp_length = (uint16_t)replayed_number(v, 6),
		.udp_checksum = (uint16_t)replayed_number(v, 7),
		.udp_dport = (uint16_t)replayed_number(v, 8),
		.ip_id = (uint16_t)replayed_number(v, 9),
		.ip_proto = (uint8_t)replayed_number(v, 10),
		.no_df = (uint8_t)replayed_number(v, 11),
		.padding = (uint8_t)replayed_number(v, 12),
		.headers = (uint8_t)replayed_number(v, 13),
		.id_known = (uint8_t)replayed_number(v, 14),
		.ext = (uint8_t)replayed_number(v, 15),
	};
	/* older transcripts have no |ext| */
	return (json_array_size(v) == TRANSCRIPT_HEAD ||
		json_array_size(v) == TRANSCRIPT_HEAD - 1) &&
	       d->family < FAMILIES &&
	       !ip_addr_parse(&d->src, src, strlen(src)) &&
	       !ip_addr_parse(&d->dst, dst, strlen(dst)) &&
	       replayed_data(replayed_string(o, 7), d);
}

static int replayed_append(const char *s, size_t len, void *ctx)
{
	text_add(ctx, s, len);
	return 0;
}

/* Reads an answer or an event of the control channel. */
static bool replayed_message(const json_t *o, enum ctl_kind wanted,
			     struct dut_event *ret)
{
	const json_t *message = json_array_get(o, 4);
	enum ctl_kind kind = wanted;
	struct diag diag = {0};
	struct text t = {0};
	int err = ERR_SYNTAX;

	if (message &&
	    !json_dump_callback(message, replayed_append, &t, JSON_COMPACT))
		err = ctl_parse_reply(&kind, &ret->ans, &ret->ev, text_cstr(&t),
				      t.len, &diag);
	text_free(&t);
	return !err && kind == wanted;
}

static bool replayed_text(const json_t *o, struct dut_event *ret)
{
	snprintf(ret->text, sizeof(ret->text), "%s", replayed_string(o, 4));
	return true;
}

static bool replayed_event(const json_t *o, struct dut_event *ret)
{
	const char *kind = replayed_string(o, 2);

	ret->at = replayed_int(o, 3);
	if (strcmp(kind, "timeout") == 0) {
		ret->kind = DUT_TIMEOUT;
		return true;
	}
	if (strcmp(kind, "dgram") == 0) {
		ret->kind = DUT_DGRAM;
		return replayed_dgram(o, &ret->d);
	}
	if (strcmp(kind, "peer") == 0) {
		ret->kind = DUT_PEER;
		return replayed_dgram(o, &ret->d);
	}
	if (strcmp(kind, "answer") == 0) {
		ret->kind = DUT_ANSWER;
		return replayed_message(o, CTL_ANSWER, ret);
	}
	if (strcmp(kind, "event") == 0) {
		ret->kind = DUT_EVENT;
		return replayed_message(o, CTL_EVENT, ret);
	}
	if (strcmp(kind, "garbage") == 0) {
		ret->kind = DUT_GARBAGE;
		return replayed_text(o, ret);
	}
	ret->kind = DUT_GONE;
	return strcmp(kind, "gone") == 0 && replayed_text(o, ret);
}

static int replayed_next(struct dut *d, vtime until, struct dut_event *ret)
{
	struct dut_replayed *p = dut_replayed_self(d);
	const json_t *o = replayed_call(p, "next");

	(void)until;
	if (o && replayed_int(o, 1) < 0) {
		const int err = (int)replayed_int(o, 1);

		replayed_counts(p);
		return err;
	}
	if (o && !replayed_event(o, ret))
		replayed_wrong(p, "the event cannot be read");
	if (o && !p->wrong) {
		p->now = vtime_max(p->now, ret->at);
		replayed_counts(p);
		return 0;
	}
	ret->kind = DUT_GONE;
	ret->at = p->now;
	snprintf(ret->text, sizeof(ret->text), "the transcript does not fit");
	return 0;
}

static void replayed_tally(struct dut *d)
{
	struct dut_replayed *p = dut_replayed_self(d);

	if (replayed_call(p, "tally"))
		replayed_counts(p);
}

static int replayed_begin(struct dut *d, uint64_t seed)
{
	struct dut_replayed *p = dut_replayed_self(d);
	const json_t *o = replayed_call(p, "begin"), *link;
	int err;

	(void)seed;
	if (!o)
		return 0;
	err = (int)replayed_int(o, 1);
	link = json_array_get(o, 2);
	d->link = (struct dut_link){
		.crc = replayed_number(link, 0) != 0,
		.crc_order = (enum crc_order)replayed_number(link, 1),
		.native = replayed_number(link, 2) != 0,
		.icrc = (enum icrc_mode)replayed_number(link, 3),
	};
	d->counts = (struct dut_counts){0};
	replayed_counts(p);
	return err < 0 ? err : 0;
}

static void replayed_free(struct dut *d)
{
	struct dut_replayed *p = dut_replayed_self(d);

	json_decref(p->root);
	free(p);
}

static const struct dut_ops replayed_ops = {
	.now = replayed_now,
	.send = replayed_send,
	.forward = replayed_forward,
	.control = replayed_control,
	.next = replayed_next,
	.tally = replayed_tally,
	.begin = replayed_begin,
	.free = replayed_free,
};

static bool replayed_flag(const json_t *o, const char *key)
{
	return json_is_true(json_object_get(o, key));
}

/* Reads the first line into |d|. */
static bool replayed_device(struct dut_replayed *p, struct dut *d)
{
	const json_t *o = replayed_line(p);
	const char *schema = json_string_value(json_object_get(o, "schema"));
	const char *tester = json_string_value(json_object_get(o, "tester"));
	const char *peer = json_string_value(json_object_get(o, "peer"));
	const char *verbs = json_string_value(json_object_get(o, "verbs"));

	if (!schema || !tester || !peer || !verbs ||
	    strcmp(schema, TRANSCRIPT_SCHEMA) != 0 ||
	    ip_addr_parse(&d->tester, tester, strlen(tester)) ||
	    ip_addr_parse(&d->peer, peer, strlen(peer)))
		return false;
	d->control = replayed_flag(o, "control");
	d->withheld = replayed_flag(o, "withheld");
	d->triggered = replayed_flag(o, "triggered");
	d->bridged = replayed_flag(o, "bridged");
	d->virtual = replayed_flag(o, "virtual");
	d->reference = replayed_flag(o, "reference");
	d->frames = replayed_flag(o, "frames");
	snprintf(d->verbs, sizeof(d->verbs), "%s", verbs);
	return true;
}

/* Returns true if two transcripts describe the same device. */
static bool replayed_same(const struct dut *a, const struct dut *b)
{
	return ip_addr_equal(&a->tester, &b->tester) &&
	       ip_addr_equal(&a->peer, &b->peer) && a->control == b->control &&
	       a->withheld == b->withheld && a->triggered == b->triggered &&
	       a->bridged == b->bridged && a->virtual == b->virtual &&
	       strcmp(a->verbs, b->verbs) == 0;
}

int dut_replayed_load(struct dut *d, const char *path, const char *text,
		      size_t len, bool *ret_same, struct diag *diag)
{
	struct dut_replayed *p = dut_replayed_self(d);
	struct dut then = *d;

	p->path = path;
	p->at = text;
	p->end = text + len;
	p->line = 0;
	p->now = 0;
	p->wrong = false;
	p->diag = (struct diag){0};
	if (!replayed_device(p, d))
		return diag_set(diag, path, 1, 0, NULL,
				"expected the first line of a "
				"transcript, " TRANSCRIPT_SCHEMA);
	*ret_same = replayed_same(&then, d);
	return 0;
}

int dut_replayed_new(struct dut **ret)
{
	struct dut_replayed *p = memory_calloc(1, sizeof(*p));

	if (!p)
		return ERR_NOMEM;
	p->dut.ops = &replayed_ops;
	*ret = &p->dut;
	return 0;
}

int dut_replayed_end(const struct dut *d, struct diag *diag)
{
	const struct dut_replayed *p = (const struct dut_replayed *)d;

	if (p->wrong) {
		*diag = p->diag;
		return ERR_SYNTAX;
	}
	if (p->at != p->end)
		return diag_set(diag, p->path, p->line + 1, 0, NULL,
				"the case ended before this line");
	return 0;
}
