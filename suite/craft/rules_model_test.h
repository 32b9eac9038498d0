/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/rules_model_test.h -- a second implementation of the rules, for
 * the tests of the chain and of the bridge.
 *
 * The model shares no code with either: it keeps the rules as numbers, counts
 * packets itself, and changes packets at the byte offsets of the
 * specification's figures.  Rule n is on line n + 1 of the file.
 */
#ifndef SUITE_CRAFT_RULES_MODEL_TEST_H
#define SUITE_CRAFT_RULES_MODEL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "base/text.h"
#include "suite/craft/rules.h"
#include "suite/decl/decl_parse.h"
#include "suite/lang/case_print.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"

#define SETS    1000
#define RULES   12
#define PACKETS 60
#define FLIGHT  4096
#define PSNS    6

#define TRIMMED 5 /* codepoint of trimmed packets */
#define LASTHOP 6
#define CONTROL 7 /* codepoint of injected packets */

/* ---- Packets ---- */

enum type { REQ, ACK, NACK, TYPES };

static const char *const words[TYPES] = {"rud_req", "ack", "nack"};
static const char *const psns[TYPES] = {"psn", "ack_psn", "nack_psn"};

/*
 * Offset of the PSN, or in an ACK of the CACK_PSN: bytes 4 to 7 (figures 3-49,
 * 3-52, 3-57).  The test's ACKs have an ACK_PSN_OFFSET of 0.
 */
#define PSN_AT 4

struct sent {
	enum type type;
	bool to_dut;
	uint32_t psn;
	struct dgram d;
};

static inline void make_packet(struct sent *p, struct rng *rng)
{
	const struct field_value set[] = {
		{p->type == ACK ? "cack_psn" : psns[p->type], p->psn, false},
		{"spdcid", p->to_dut ? 0x1111 : 0x2222, false},
		{"dpdcid", p->to_dut ? 0x2222 : 0x1111, false},
		{"nack_code", 1, false},
	};
	const struct packet_spec spec = {
		.type = words[p->type],
		.ses = p->type == REQ   ? "std"
		       : p->type == ACK ? "response"
					: NULL,
		.set = set,
		.nset = p->type == NACK ? 4 : 3,
		.payload_len = p->type == REQ ? rng_below(rng, 20) : 0,
	};
	int n = packet_build(p->d.data, DGRAM_MAX, &spec, NULL);

	assert_true(n > 0);
	p->d.len = (size_t)n;
	p->d.src = ip_addr_v4(p->to_dut ? 1 : 2);
	p->d.dst = ip_addr_v4(p->to_dut ? 2 : 1);
	p->d.entropy = (uint16_t)(50000 + rng_below(rng, 2));
	p->d.dscp = (uint8_t)(40 + rng_below(rng, 2));
	p->d.ecn = ECN_ECT0;
	p->d.crc = DGRAM_CRC_RIGHT;
}

static inline void draw_packet(struct sent *p, struct rng *rng)
{
	p->type = (enum type)rng_below(rng, TYPES);
	p->to_dut = rng_below(rng, 2);
	p->psn = 100 + rng_below(rng, PSNS);
	make_packet(p, rng);
}

/* ---- The model's rules ---- */

enum kind {
	DROP,
	DUPLICATE,
	DELAY,
	HOLD,
	REORDER,
	FLIP,  /* corrupt retx */
	SET,   /* corrupt spdcid=N crc wrong */
	BITS,  /* corrupt bits=A..B */
	WRITE, /* rewrite spdcid=N ecn=ect1 entropy=N */
	CE,
	TRIM,
	INJECT_NACK,
	INJECT_CP,
	KINDS,
};

struct which {
	bool any; /* the rule matches any packet type */
	enum type type;
	bool to_dut;
	uint32_t psn; /* 0: any */
};

struct model_rule {
	enum kind kind;
	struct which which;
	uint32_t nth, nth_to, every;
	uint8_t dscp; /* 0: any */
	uint16_t entropy;
	uint32_t amount;
	struct which until;
	uint32_t seen, hits;
};

static inline void draw_which(struct which *w, struct rng *rng)
{
	w->any = rng_below(rng, 8) == 0;
	w->type = (enum type)rng_below(rng, TYPES);
	w->to_dut = rng_below(rng, 2);
	w->psn = !w->any && rng_below(rng, 4) ? 100 + rng_below(rng, PSNS) : 0;
}

static inline void draw_rule(struct model_rule *r, struct rng *rng)
{
	*r = (struct model_rule){.kind = (enum kind)rng_below(rng, KINDS)};
	draw_which(&r->which, rng);
	draw_which(&r->until, rng);
	if (r->kind == FLIP || r->kind == SET || r->kind == WRITE)
		r->which.any = false;
	if (rng_below(rng, 2))
		r->nth = 1 + rng_below(rng, 4);
	if (r->nth && rng_below(rng, 3) == 0)
		r->nth_to = r->nth + 1 + rng_below(rng, 3);
	if (!r->nth && rng_below(rng, 2))
		r->every = 2 + rng_below(rng, 3);
	if (rng_below(rng, 4) == 0)
		r->dscp = (uint8_t)(40 + rng_below(rng, 2));
	if (rng_below(rng, 4) == 0)
		r->entropy = (uint16_t)(50000 + rng_below(rng, 2));
	r->amount = 1 + rng_below(rng, 20);
}

static inline void print_which(struct text *t, const struct which *w)
{
	text_printf(t, " %s %s", w->to_dut ? ">" : "<",
		    w->any ? "any" : words[w->type]);
	if (w->psn)
		text_printf(t, " %s=%u", psns[w->type], w->psn);
}

static inline void print_what(struct text *t, const struct model_rule *r)
{
	const unsigned n = r->amount;

	switch (r->kind) {
	case DROP:
		text_puts(t, "drop");
		break;
	case DUPLICATE:
		text_printf(t, "duplicate %u", n);
		break;
	case DELAY:
		text_printf(t, "delay %ums", n);
		break;
	case HOLD:
		text_puts(t, "hold");
		break;
	case REORDER:
		text_puts(t, "reorder");
		break;
	case FLIP:
		text_puts(t, "corrupt retx");
		break;
	case SET:
		text_printf(t, "corrupt spdcid=%u", n);
		break;
	case BITS:
		text_printf(t, "corrupt bits=%u..%u", n, n + 9);
		break;
	case WRITE:
		text_printf(t, "rewrite spdcid=%u ecn=ect1 entropy=%u", n, n);
		break;
	case CE:
		text_puts(t, "mark_ce");
		break;
	case TRIM:
		text_printf(t, "trim %u%s", n, n % 2 ? " last_hop" : "");
		break;
	case INJECT_NACK:
		text_printf(t, "inject %s nack rod_ooo nack_psn=77 on",
			    r->which.to_dut ? "<" : ">");
		break;
	case INJECT_CP:
		text_printf(t, "inject %s cp noop psn=77 on",
			    r->which.to_dut ? ">" : "<");
		break;
	case KINDS:
		break;
	}
}

static inline void print_rule(struct text *t, const struct model_rule *r)
{
	print_what(t, r);
	print_which(t, &r->which);
	if (r->nth)
		text_printf(t, " nth=%u", r->nth);
	if (r->nth_to)
		text_printf(t, "..%u", r->nth_to);
	if (r->every)
		text_printf(t, " every=%u", r->every);
	if (r->dscp)
		text_printf(t, " dscp=%u", r->dscp);
	if (r->entropy)
		text_printf(t, " entropy=%u", r->entropy);
	if (r->kind == HOLD) {
		text_puts(t, " until");
		print_which(t, &r->until);
	}
	if (r->kind == SET)
		text_puts(t, " crc wrong");
	text_puts(t, "\n");
}

static inline bool is_meant(const struct which *w, const struct sent *p)
{
	return w->to_dut == p->to_dut && (w->any || w->type == p->type) &&
	       (!w->psn || w->psn == p->psn);
}

/*
 * Counts the packet on every rule.  Returns the first rule that acts on it, or
 * NULL.
 */
static inline struct model_rule *model_find(struct model_rule *rules, size_t n,
					    const struct sent *p)
{
	struct model_rule *first = NULL;

	for (size_t i = 0; i < n; i++) {
		struct model_rule *r = &rules[i];
		bool acts = true;

		if (!is_meant(&r->which, p) ||
		    (r->dscp && r->dscp != p->d.dscp) ||
		    (r->entropy && r->entropy != p->d.entropy))
			continue;
		r->seen++;
		if (r->nth && r->nth_to)
			acts = r->seen >= r->nth && r->seen <= r->nth_to;
		else if (r->nth)
			acts = r->seen == r->nth;
		else if (r->every)
			acts = r->seen % r->every == 0;
		if (acts && !first)
			first = r;
	}
	return first;
}

/* ---- The output of the model ---- */

struct item {
	vtime due;
	uint64_t turn;
	bool to_dut, out, waits;
	const struct model_rule
		*held; /* held until |held->until| packets have passed */
	const struct model_rule *by; /* the rule that changed it, or NULL */
	const char *how;             /* the action of that rule */
	struct dgram d;
};

struct model {
	struct item *items; /* FLIGHT */
	size_t n;
	uint64_t turn;
};

static inline struct item *rules_model_test_put(struct model *m,
						const struct dgram *d,
						bool to_dut, vtime due)
{
	struct item *i = &m->items[m->n++];

	assert_true(m->n < FLIGHT);
	*i = (struct item){.due = due, .turn = m->turn++, .to_dut = to_dut};
	dgram_copy(&i->d, d);
	return i;
}

/* Records which rule changed the packet. */
static inline struct item *rules_model_test_mark(struct item *i,
						 const struct model_rule *by,
						 const char *how)
{
	i->by = by;
	i->how = how;
	return i;
}

static inline void rules_model_test_let_go(struct model *m, struct item *i,
					   vtime due)
{
	i->waits = false;
	i->held = NULL;
	if (i->out || due >= i->due)
		return;
	i->due = due;
	i->turn = m->turn++;
}

/*
 * A packet passes in this direction: the packets that wait to be reordered
 * behind it follow.
 */
static inline void rules_model_test_follow(struct model *m, bool to_dut,
					   vtime due)
{
	for (size_t k = 0; k < m->n; k++)
		if (m->items[k].waits && m->items[k].to_dut == to_dut)
			rules_model_test_let_go(m, &m->items[k], due);
}

static inline bool rules_model_test_is_waiting(const struct model *m,
					       bool to_dut)
{
	for (size_t k = 0; k < m->n; k++)
		if (m->items[k].waits && m->items[k].to_dut == to_dut)
			return true;
	return false;
}

static inline void rules_model_test_put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static inline void model_change(const struct model_rule *r, struct dgram *d)
{
	/* SPDCID: bytes 8 and 9 of all three */
	switch (r->kind) {
	case FLIP: /* bit 11 */
		d->data[1] ^= 0x10;
		break;
	case SET:
		rules_model_test_put16(d->data + 8, r->amount);
		d->crc = DGRAM_CRC_WRONG;
		break;
	case BITS:
		for (uint32_t i = r->amount; i < r->amount + 10; i++)
			d->data[i / 8] ^= (uint8_t)(1 << (7 - i % 8));
		break;
	case WRITE:
		rules_model_test_put16(d->data + 8, r->amount);
		d->ecn = ECN_ECT1;
		d->entropy = (uint16_t)r->amount;
		break;
	case CE:
		d->ecn = ECN_CE;
		break;
	default: /* TRIM */
		d->len = r->amount < d->len ? r->amount : d->len;
		d->crc = DGRAM_CRC_NONE;
		d->dscp = r->amount % 2 ? LASTHOP : TRIMMED;
	}
}

/* Injects a NACK in the opposite direction, or a NOOP in the same one. */
static inline void model_inject(struct model *m, const struct model_rule *r,
				const struct sent *p, vtime now)
{
	const bool nack = r->kind == INJECT_NACK;
	const bool to_dut = nack ? !p->to_dut : p->to_dut;
	struct sent s = {.d = p->d};
	const struct field_value set[] = {
		{nack ? "nack_code" : "ctl_type",
		 nack ? NACK_ROD_OOO : PDS_CP_NOOP, false},
		{nack ? "nack_psn" : "psn", 77, false},
		{"spdcid", to_dut ? 0x1111 : 0x2222, false},
		{"dpdcid", to_dut ? 0x2222 : 0x1111, false},
	};
	const struct packet_spec spec = {
		.type = nack ? "nack" : "cp", .set = set, .nset = 4};

	s.d.len = (size_t)packet_build(s.d.data, DGRAM_MAX, &spec, NULL);
	s.d.src = ip_addr_v4(to_dut ? 1 : 2);
	s.d.dst = ip_addr_v4(to_dut ? 2 : 1);
	s.d.dscp = CONTROL;
	s.d.ecn = ECN_NOT_ECT;
	rules_model_test_mark(rules_model_test_put(m, &s.d, to_dut, now), r,
			      "injected");
	rules_model_test_follow(m, to_dut, now);
}

static inline void model_act(struct model *m, const struct model_rule *r,
			     const struct sent *p, vtime now)
{
	const bool to_dut = p->to_dut;
	vtime due = now;

	switch (r->kind) {
	case DROP:
		return;
	case DUPLICATE:
		rules_model_test_put(m, &p->d, to_dut, now);
		for (uint32_t n = 0; n < r->amount; n++)
			rules_model_test_mark(
				rules_model_test_put(m, &p->d, to_dut, now), r,
				"copied");
		break;
	case DELAY:
		due += r->amount * VSPAN_MS;
		rules_model_test_mark(
			rules_model_test_put(m, &p->d, to_dut, due), r,
			"let go late");
		break;
	case HOLD:
		due += VSPAN_S;
		rules_model_test_mark(
			rules_model_test_put(m, &p->d, to_dut, due), r,
			"let go late")
			->held = r;
		return;
	case REORDER:
		due += VSPAN_S;
		rules_model_test_mark(
			rules_model_test_put(m, &p->d, to_dut, due), r,
			"let go late")
			->waits = true;
		return;
	case INJECT_NACK:
	case INJECT_CP:
		rules_model_test_put(m, &p->d, to_dut, now);
		rules_model_test_follow(m, to_dut, now);
		model_inject(m, r, p, now);
		return;
	default:
		model_change(
			r, &rules_model_test_mark(
				    rules_model_test_put(m, &p->d, to_dut, now),
				    r, "changed")
				    ->d);
	}
	rules_model_test_follow(m, to_dut, due);
}

/* Return: the rule that acted on the packet, or NULL. */
static inline const struct model_rule *
model_push(struct model *m, struct model_rule *rules, size_t n,
	   const struct sent *p, vtime now)
{
	struct model_rule *r = model_find(rules, n, p);
	const size_t before = m->n;

	if (r && r->kind == REORDER &&
	    rules_model_test_is_waiting(m, p->to_dut))
		r = NULL;
	if (r) {
		r->hits++;
		model_act(m, r, p, now);
	} else {
		rules_model_test_put(m, &p->d, p->to_dut, now);
		rules_model_test_follow(m, p->to_dut, now);
	}
	for (size_t k = 0; k < before; k++)
		if (m->items[k].held && !m->items[k].out &&
		    is_meant(&m->items[k].held->until, p))
			rules_model_test_let_go(m, &m->items[k], now);
	return r;
}

/* Returns the next packet that is due, or NULL. */
static inline struct item *model_poll(struct model *m, vtime now)
{
	struct item *best = NULL;

	for (size_t k = 0; k < m->n; k++) {
		struct item *i = &m->items[k];

		if (i->out || i->due > now)
			continue;
		if (!best || i->due < best->due ||
		    (i->due == best->due && i->turn < best->turn))
			best = i;
	}
	if (best) {
		best->out = true;
		best->waits = false;
		best->held = NULL;
	}
	return best;
}

/* ---- Both ends ---- */

static inline void same_dgram(const struct dgram *got, const struct dgram *want)
{
	assert_int_equal(got->len, want->len);
	assert_memory_equal(got->data, want->data, want->len);
	assert_true(ip_addr_equal(&got->src, &want->src));
	assert_true(ip_addr_equal(&got->dst, &want->dst));
	assert_int_equal(got->entropy, want->entropy);
	assert_int_equal(got->dscp, want->dscp);
	assert_int_equal(got->ecn, want->ecn);
	assert_int_equal(got->crc, want->crc);
}

static inline struct rules *rules_model_test_parse(const char *text)
{
	struct diag d = {0};
	struct rules *r = NULL;
	char why[600];

	if (rules_parse(&r, "test.rules", text, strlen(text), &d)) {
		diag_format(&d, why, sizeof(why));
		fail_msg("%s", why);
	}
	return r;
}

static inline const struct decl *rules_model_test_declare(struct decl **ret)
{
	const char text[] = "name test\n";
	struct diag d = {0};

	assert_int_equal(decl_parse(ret, "test", text, strlen(text), &d), 0);
	(*ret)->dscp_trimmed = TRIMMED;
	(*ret)->dscp_trimmed_lasthop = LASTHOP;
	(*ret)->dscp_control = CONTROL;
	return *ret;
}

/* Printed rules parse to the same rules. */
static inline struct rules *parse_twice(const struct model_rule *model,
					size_t n)
{
	struct text t = {0}, again = {0};
	struct rules *r;

	for (size_t i = 0; i < n; i++)
		print_rule(&t, &model[i]);
	r = rules_model_test_parse(text_cstr(&t));
	assert_int_equal(rules_count(r), n);
	for (size_t i = 0; i < n; i++)
		step_print(&again, rules_at(r, i));
	rules_free(r);
	r = rules_model_test_parse(text_cstr(&again));
	text_clear(&t);
	for (size_t i = 0; i < n; i++)
		step_print(&t, rules_at(r, i));
	assert_string_equal(text_cstr(&t), text_cstr(&again));
	text_free(&t);
	text_free(&again);
	return r;
}

#endif
