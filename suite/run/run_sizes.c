/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_sizes.c -- checks a case against the sizes, and the number of
 * PDCs and PSNs, that the device declares.
 *
 * A message is posted by length, or described by the headers of the packets
 * that the tester sends; memory is exposed, or accessed by the tester.  Lengths
 * that depend on the wire are not known before the run and count as 0.
 */
#include "suite/run/run_sizes.h"

#include <string.h>

#include "base/word.h"
#include "suite/decl/decl_row.h"
#include "suite/decl/decl_setting.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"

/* The numbers that symbols stand for before the run. */
struct sizes {
	const struct decl *d;
	const struct parameter *param;
	uint64_t whole; /* the N of "each packet of N"; 0: outside of one */
};

static uint64_t declared_number(const struct decl *d, const char *name)
{
	const char *row;
	uint64_t v;

	for (size_t at = 0; name && (row = decl_number(d, &at, &v)) != NULL;)
		if (word_same(row, name))
			return v;
	return 0;
}

uint64_t run_sizes_value(const struct decl *d, const struct number *n)
{
	return n->value + (uint64_t)n->mtus * d->mtu +
	       declared_number(d, n->symbol);
}

static uint64_t sizes_number(const struct sizes *z, const struct number *n)
{
	const uint64_t v = run_sizes_value(z->d, n);

	if (n->symbol && z->param->name &&
	    strcmp(n->symbol, z->param->name) == 0)
		return v + run_sizes_value(z->d, &z->param->value);
	return v;
}

/* Returns false for a number that a packet of the device gives. */
static bool sizes_is_known(const struct sizes *z, const struct number *n)
{
	const char *row;
	uint64_t v;

	if (!n->symbol ||
	    (z->param->name && strcmp(n->symbol, z->param->name) == 0))
		return true;
	for (size_t at = 0; (row = decl_number(z->d, &at, &v)) != NULL;)
		if (word_same(row, n->symbol))
			return true;
	return false;
}

static uint64_t sizes_param(const struct sizes *z, const struct step *s,
			    const char *key)
{
	for (size_t i = 0; i < s->nparams; i++)
		if (word_same(s->params[i].key, key))
			return sizes_number(z, &s->params[i].number);
	return 0;
}

/*
 * Returns the message length that a request's headers state, also where its
 * line leaves that to "each packet of".
 */
static uint64_t sizes_message(const struct sizes *z, const struct rung *r)
{
	static const char *const names[] = {"request_length", "wqe_length",
					    "dmalen"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct term *t = case_term(r, names[i]);

		if (t && t->nranges)
			return sizes_number(z, &t->ranges[0].lo);
	}
	if (z->whole)
		return z->whole;
	if (r->body == BODY_DATA)
		return sizes_number(z, &r->data_len);
	if (r->body == BODY_BYTES)
		return r->nbytes;
	return 0;
}

/* Returns true for a UET request that reads or writes memory. */
static bool sizes_accesses(const struct rung *r)
{
	static const char *const words[] = {"read", "write", "atomic",
					    "fetching_atomic"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const struct term *t = case_term(r, "opcode");
		uint64_t v;

		if (t && t->field && t->nranges &&
		    !value_parse(t->field->names, words[i], strlen(words[i]),
				 &v) &&
		    v == t->ranges[0].lo.value)
			return true;
	}
	return false;
}

/*
 * Returns true for a line that means the end of the memory, or goes past it. It
 * needs a memory as long as its access, wherever the memory ends.
 */
static bool sizes_at_end(const struct term *offset)
{
	const char *symbol = offset->ranges[0].lo.symbol;

	return symbol && strcmp(symbol, "memory_end") == 0;
}

/*
 * Returns the number of bytes from the start of the declared memory to the end
 * of the access; 0 for memory that the device names itself.
 */
static uint64_t sizes_memory(const struct sizes *z, const struct rung *r)
{
	const struct term *t = case_term(r, "buffer_offset");
	uint64_t from = 0;

	if (!sizes_accesses(r))
		return 0;
	if (t && t->nranges && sizes_at_end(t)) {
		const uint64_t len = sizes_message(z, r);

		return len > z->d->memory_len ? len : z->d->memory_len;
	}
	if (t && t->nranges && !sizes_is_known(z, &t->ranges[0].lo))
		return 0;
	if (t && t->nranges)
		from = sizes_number(z, &t->ranges[0].lo) - z->d->memory_offset;
	return from + sizes_message(z, r);
}

static bool sizes_within(const char *line, uint64_t needed, uint64_t most,
			 struct run_size *ret)
{
	if (needed <= most)
		return true;
	*ret = (struct run_size){
		.line = line, .needed = needed, .unit = "bytes"};
	return false;
}

static bool message_fits(const struct sizes *z, uint64_t needed,
			 struct run_size *ret)
{
	return sizes_within("size max_message", needed, z->d->max_message, ret);
}

static bool memory_fits(const struct sizes *z, uint64_t needed,
			struct run_size *ret)
{
	return sizes_within("size memory_len", needed, z->d->memory_len, ret);
}

static bool post_fits(const struct sizes *z, const struct step *s,
		      struct run_size *ret)
{
	const uint64_t len = sizes_param(z, s, "len");

	if (strcmp(s->verb, "expose") == 0)
		return memory_fits(z, len, ret);
	return message_fits(z, len, ret);
}

static bool packet_fits(const struct sizes *z, const struct rung *r,
			bool violates, struct run_size *ret)
{
	if (!violates && !message_fits(z, sizes_message(z, r), ret))
		return false;
	return memory_fits(z, sizes_memory(z, r), ret);
}

static bool sizes_steps_fit(const struct sizes *z, const struct step *first,
			    bool violates, struct run_size *ret)
{
	struct sizes inner = *z;

	for (const struct step *s = first; s; s = s->next) {
		if (s->kind == STEP_POST && !s->optional && !s->refused &&
		    !post_fits(z, s, ret))
			return false;
		if (s->kind == STEP_EACH && !violates &&
		    !message_fits(z, sizes_number(z, &s->value), ret))
			return false;
		if (s->kind == STEP_SEND &&
		    !packet_fits(z, &s->rung, violates, ret))
			return false;
		inner.whole = s->kind == STEP_EACH ? sizes_number(z, &s->value)
						   : z->whole;
		for (size_t i = 0; i < s->ngroups; i++)
			if (!sizes_steps_fit(&inner, s->groups[i], violates,
					     ret))
				return false;
	}
	return true;
}

/* ---- PDCs ---- */

/* The PDCs of a chair; the first one may have no name. */
struct sizes_pdcs {
	const char *names[RECORD_PDCS];
	size_t n;
	size_t unnamed; /* further ones that only an spdcid tells apart */
};

static void sizes_pdc(struct sizes_pdcs *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->names[i], name) == 0)
			return;
	if (p->n < RECORD_PDCS)
		p->names[p->n++] = name;
}

static void sizes_count_pdcs(struct sizes_pdcs *p, const struct step *first)
{
	for (const struct step *s = first; s; s = s->next) {
		if (s->kind == STEP_SEND || s->kind == STEP_EXPECT)
			sizes_pdc(p, s->rung.pdc ? s->rung.pdc : "a");
		if (s->kind == STEP_SEND && case_term(&s->rung, "syn") &&
		    case_term(&s->rung, "spdcid"))
			p->unnamed++;
		for (size_t i = 0; i < s->ngroups; i++)
			sizes_count_pdcs(p, s->groups[i]);
	}
}

static bool sizes_configures(const struct step *first, const char *setting)
{
	for (const struct step *s = first; s; s = s->next)
		for (size_t i = 0; i < s->nparams; i++)
			if (s->kind == STEP_CONFIGURE &&
			    strcmp(s->params[i].key, setting) == 0)
				return true;
	return false;
}

/* A PDC has a bitmap of its own, and perhaps a CCC. */
static bool sizes_pdcs_fit(const struct decl *d, const struct step *first,
			   struct run_size *ret)
{
	static const struct {
		enum orc_setting setting;
		const char *name, *line;
	} limits[] = {
		{SETTING_max_pdcs, "max_pdcs", "setting max_pdcs"},
		{SETTING_max_peer_pdcs, "max_peer_pdcs",
		 "setting max_peer_pdcs"},
		{SETTING_max_bitmaps, "max_bitmaps", "setting max_bitmaps"},
		{SETTING_max_cccs, "max_cccs", "setting max_cccs"},
	};
	struct sizes_pdcs pdcs = {.n = 0};
	uint64_t most;

	if (!d->settings)
		return true;
	sizes_count_pdcs(&pdcs, first);
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		const size_t needed = pdcs.n + pdcs.unnamed;

		if (!decl_setting_find(d, limits[i].setting, &most) || !most ||
		    needed <= most || sizes_configures(first, limits[i].name))
			continue;
		*ret = (struct run_size){.line = limits[i].line,
					 .needed = needed,
					 .unit = "PDCs"};
		return false;
	}
	return true;
}

/* ---- PSNs of a connection ---- */

#define RC_PSN_MASK 0xffffffu
#define RC_PSN_HALF 0x800000u

/* The PSNs that the lines of a chair name by literals. */
struct sizes_psns {
	uint32_t first, n;
	bool any;
};

static void sizes_psns_add(struct sizes_psns *p, const struct step *s)
{
	const struct term *t = case_term(&s->rung, "psn");
	const struct number *n;
	uint32_t ahead;

	if (!t || !t->nranges)
		return;
	n = &t->ranges[t->nranges - 1].hi;
	if (n->symbol || n->mtus)
		return;
	if (!p->any)
		*p = (struct sizes_psns){
			.first = (uint32_t)t->ranges[0].lo.value, .any = true};
	ahead = ((uint32_t)n->value - p->first) & RC_PSN_MASK;
	if (ahead < RC_PSN_HALF && ahead >= p->n)
		p->n = ahead + 1;
}

/* Returns the PSNs that the response to a posted read has; 0: it is none. */
static uint64_t sizes_read_psns(const struct sizes *z, const struct step *s)
{
	if (s->kind != STEP_POST || sizes_param(z, s, "opcode") != WR_READ)
		return 0;
	return (sizes_param(z, s, "len") + z->d->mtu - 1) / z->d->mtu;
}

static uint64_t sizes_most_psns(const struct sizes *z, struct sizes_psns *p,
				const struct step *first)
{
	uint64_t most = 0, n;

	for (const struct step *s = first; s; s = s->next) {
		if (s->kind == STEP_SEND || s->kind == STEP_EXPECT)
			sizes_psns_add(p, s);
		n = sizes_read_psns(z, s);
		if (n > most)
			most = n;
		for (size_t i = 0; i < s->ngroups; i++) {
			n = sizes_most_psns(z, p, s->groups[i]);
			if (n > most)
				most = n;
		}
	}
	return p->n > most ? p->n : most;
}

/* All PSNs of a case must fit in the window of both sides. */
static bool sizes_window_fits(const struct sizes *z, const struct step *first,
			      struct run_size *ret)
{
	struct sizes_psns psns = {.any = false};
	uint64_t window, needed;

	if (!decl_setting_find(z->d, SETTING_wqe_window, &window) ||
	    sizes_configures(first, "wqe_window"))
		return true;
	needed = sizes_most_psns(z, &psns, first);
	if (needed <= window)
		return true;
	*ret = (struct run_size){
		.line = "setting wqe_window", .needed = needed, .unit = "PSNs"};
	return false;
}

bool run_sizes_fit(const struct decl *d, const struct test_case *c,
		   enum chair chair, struct run_size *ret)
{
	const struct step *first = c->chairs[chair].first;
	const struct sizes z = {.d = d, .param = &c->param};

	if (!sizes_steps_fit(&z, first, c->nviolates > 0, ret))
		return false;
	if (suite_families[c->family]->has_pdcs)
		return sizes_pdcs_fit(d, first, ret);
	if (suite_families[c->family]->connected)
		return sizes_window_fits(&z, first, ret);
	return true;
}
