/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/exchange.c -- lists the exchanges of two endpoints and makes
 * shorter ones of those that fail.
 */
#include "cli/matrix/exchange.h"

#include <stdio.h>
#include <string.h>

#include "suite/decl/capability.h"
#include "suite/transport.h"

#define EXCHANGE_SHORT  64 /* bytes of a short operation */
#define EXCHANGE_ATOMIC 4  /* bytes of an atomic operation */
#define EXCHANGE_FIRST  3  /* packets for which a simple rule is tried */

static const char *const exchange_modes[OP_MODES] = {[OP_RUD] = "rud",
						     [OP_ROD] = "rod",
						     [OP_RUDI] = "rudi",
						     [OP_UUD] = "uud"};

/*
 * The states of the link.  '>' is from the initiator to the target.  At most
 * four packets are lost or wait for another one, which may not come: no end
 * runs out of retries.
 */
static const struct exchange_link {
	const char *name, *rules;
	bool lossless; /* no packet is lost, so UUD arrives */
	bool twice;    /* each operation is posted twice */
	bool trims;
} exchange_links[] = {
	{.name = "clean", .rules = "", .lossless = true},
	{.name = "copies",
	 .rules = "duplicate 1 > any every=3\n"
		  "duplicate 1 < any every=3\n",
	 .lossless = true},
	{.name = "lost requests",
	 .rules = "drop > any nth=1\n"
		  "drop > any nth=4\n"
		  "drop > any nth=9\n"
		  "drop > any nth=16\n"},
	{.name = "lost answers",
	 .rules = "drop < any nth=1\n"
		  "drop < any nth=4\n"
		  "drop < any nth=9\n"
		  "drop < any nth=16\n"},
	{.name = "reordered",
	 .rules = "reorder > any nth=2\n"
		  "reorder > any nth=7\n"
		  "reorder < any nth=2\n"
		  "reorder < any nth=7\n"},
	{.name = "congested",
	 .rules = "mark_ce > any every=2\n"
		  "mark_ce < any every=3\n"},
	{.name = "trimmed", .rules = "trim 16 > any nth=2\n", .trims = true},
	{.name = "bad",
	 .rules = "drop > any nth=3\n"
		  "drop > any nth=11\n"
		  "drop < any nth=5\n"
		  "drop < any nth=13\n"
		  "duplicate 1 > any every=17\n"
		  "duplicate 1 < any every=19\n"
		  "delay 3ms > any every=7\n"
		  "delay 3ms < any every=8\n"
		  "reorder > any nth=6\n"
		  "reorder < any nth=7\n"
		  "mark_ce > any every=9\n"
		  "mark_ce < any every=10\n",
	 .twice = true},
};

#define EXCHANGE_LINKS (sizeof(exchange_links) / sizeof(exchange_links[0]))

const char *exchange_verb(enum op_kind kind)
{
	switch (kind) {
	case OP_WRITE:
		return "write";
	case OP_READ:
		return "read";
	case OP_ATOMIC:
		return "atomic";
	default:
		return "send";
	}
}

static bool both_claim(const struct decl *const decl[2], const char *word)
{
	return decl_claims(decl[0], word) && decl_claims(decl[1], word);
}

static uint32_t exchange_least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Returns the bytes of a long operation, which takes several packets. */
static uint32_t exchange_long(const struct decl *const decl[2])
{
	const uint32_t mtu = exchange_least(decl[0]->mtu, decl[1]->mtu);
	const uint32_t most = exchange_least(
		exchange_least(decl[0]->max_message, decl[1]->max_message),
		decl[1]->memory_len / 4);

	return exchange_least(3 * mtu + 5, most);
}

static void exchange_add(struct exchange *e, enum op_kind kind, uint32_t len)
{
	if (e->n < EXCHANGE_OPS)
		e->ops[e->n++] = (struct exchange_op){kind, len};
}

/* UET: the operations that a mode has and both ends claim. */
static void exchange_fill_uet(const struct decl *const decl[2],
			      struct exchange *e)
{
	const bool multi = both_claim(decl, "multi") && e->mode != OP_UUD;
	static const enum op_kind kinds[] = {OP_SEND, OP_WRITE, OP_READ};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!both_claim(decl, exchange_verb(kinds[i])))
			continue;
		if (kinds[i] == OP_SEND ? e->mode == OP_RUDI
					: e->mode == OP_UUD)
			continue;
		exchange_add(e, kinds[i], EXCHANGE_SHORT);
		if (multi)
			exchange_add(e, kinds[i], exchange_long(decl));
	}
	if (e->mode != OP_RUDI && e->mode != OP_UUD &&
	    both_claim(decl, "atomic"))
		exchange_add(e, OP_ATOMIC, EXCHANGE_ATOMIC);
}

/* Verbs: messages of SRD have one packet; connected QPs also have RDMA. */
static void exchange_fill_qp(const struct decl *const decl[2],
			     enum family family, struct exchange *e)
{
	const uint32_t mtu = exchange_least(decl[0]->mtu, decl[1]->mtu);

	exchange_add(e, OP_SEND, EXCHANGE_SHORT);
	if (!suite_families[family]->connected) {
		exchange_add(e, OP_SEND, mtu);
		exchange_add(e, OP_SEND, mtu / 2 + 1);
		return;
	}
	exchange_add(e, OP_SEND, exchange_long(decl));
	exchange_add(e, OP_WRITE, EXCHANGE_SHORT);
	exchange_add(e, OP_WRITE, exchange_long(decl));
	if (suite_families[family]->plain_rc || both_claim(decl, "wqe.read")) {
		exchange_add(e, OP_READ, EXCHANGE_SHORT);
		exchange_add(e, OP_READ, exchange_long(decl));
	}
}

static void exchange_twice(struct exchange *e)
{
	const size_t n = e->n;

	for (size_t i = 0; i < n; i++)
		exchange_add(e, e->ops[i].kind, e->ops[i].len);
}

/* Returns false if two ends do not do this, in this mode, on this link. */
static bool exchange_make(const struct decl *const decl[2], enum family family,
			  const struct exchange_link *link, enum op_mode mode,
			  struct exchange *ret)
{
	const bool uet = suite_families[family]->has_pdcs;

	*ret = (struct exchange){.mode = mode, .uet = uet, .link = link->name};
	if (uet ? !both_claim(decl, exchange_modes[mode]) : mode != OP_RUD)
		return false;
	if (mode == OP_UUD && !link->lossless)
		return false;
	/* A trimmed datagram of RUDI names no message. */
	if (link->trims && (!uet || mode > OP_ROD || !both_claim(decl, "trim")))
		return false;
	snprintf(ret->rules, sizeof(ret->rules), "%s", link->rules);
	if (link->trims)
		snprintf(ret->rules, sizeof(ret->rules),
			 "trim 16 > %s_req nth=2\n"
			 "trim 16 > %s_req nth=7\n",
			 exchange_modes[mode], exchange_modes[mode]);
	if (uet)
		exchange_fill_uet(decl, ret);
	else
		exchange_fill_qp(decl, family, ret);
	if (link->twice)
		exchange_twice(ret);
	return ret->n > 0;
}

bool exchange_at(const struct decl *const decl[2], enum family family,
		 size_t at, struct exchange *ret)
{
	for (unsigned mode = 0; mode < OP_MODES; mode++)
		for (size_t i = 0; i < EXCHANGE_LINKS; i++) {
			if (!exchange_make(decl, family, &exchange_links[i],
					   (enum op_mode)mode, ret))
				continue;
			if (at-- == 0)
				return true;
		}
	return false;
}

/* ---- Shorter ones ---- */

/* Returns the length of a rule without the packets that it counts. */
static size_t exchange_base(const char *rule)
{
	size_t n = strcspn(rule, "\n");

	for (size_t i = 0; i < n; i++)
		if (strncmp(rule + i, " every=", 7) == 0 ||
		    strncmp(rule + i, " nth=", 5) == 0)
			n = i;
	return n;
}

/*
 * Returns the |at|-th rule of |e| whose beginning no earlier rule has, or NULL.
 */
static const char *exchange_rule(const struct exchange *e, size_t at)
{
	for (const char *s = e->rules; *s; s = strchr(s, '\n') + 1) {
		const size_t n = exchange_base(s) + 1;
		bool known = false;

		for (const char *o = e->rules; o < s; o = strchr(o, '\n') + 1)
			known |= strncmp(o, s, n) == 0;
		if (!known && at-- == 0)
			return s;
	}
	return NULL;
}

static size_t exchange_nrules(const struct exchange *e)
{
	size_t n = 0;

	while (exchange_rule(e, n))
		n++;
	return n;
}

/* The operation that is the |at|-th by its length. */
static const struct exchange_op *exchange_by_length(const struct exchange *e,
						    size_t at)
{
	for (size_t i = 0; i < e->n; i++) {
		size_t before = 0;

		for (size_t k = 0; k < e->n; k++)
			before += e->ops[k].len < e->ops[i].len ||
				  (e->ops[k].len == e->ops[i].len && k < i);
		if (before == at)
			return &e->ops[i];
	}
	return NULL;
}

bool exchange_simple(const struct exchange *e, size_t at, struct exchange *ret)
{
	const size_t rules = exchange_nrules(e);
	const size_t ways = 1 + rules * EXCHANGE_FIRST;
	const struct exchange_op *op = exchange_by_length(e, at / ways);
	const size_t way = at % ways;

	if (!op)
		return false;
	*ret = (struct exchange){
		.mode = e->mode, .uet = e->uet, .link = e->link};
	ret->ops[ret->n++] = *op;
	if (way) {
		const char *rule = exchange_rule(e, (way - 1) % rules);

		snprintf(ret->rules, sizeof(ret->rules), "%.*s nth=%zu\n",
			 (int)exchange_base(rule), rule, 1 + (way - 1) / rules);
	}
	return true;
}

bool exchange_without(const struct exchange *e, size_t at, struct exchange *ret)
{
	if (e->n < 2)
		return false;
	*ret = *e;
	memmove(&ret->ops[at], &ret->ops[at + 1],
		(e->n - at - 1) * sizeof(e->ops[0]));
	ret->n--;
	return true;
}

void exchange_print(struct text *t, const struct exchange *e)
{
	if (e->uet)
		text_printf(t, "%s: ", exchange_modes[e->mode]);
	for (size_t i = 0; i < e->n; i++)
		text_printf(t, "%s%s %u", text_between(i, ", "),
			    exchange_verb(e->ops[i].kind), e->ops[i].len);
	for (const char *s = e->rules; *s;) {
		const size_t len = strcspn(s, "\n");

		text_puts(t, "; ");
		text_add(t, s, len);
		s += len + (s[len] == '\n');
	}
}
