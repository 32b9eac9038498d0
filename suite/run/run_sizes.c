/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_sizes.c -- checks a case against the sizes that the device
 * declares.
 *
 * A message is posted by length, or described by the headers of the packets
 * that the tester sends; memory is exposed, or accessed by the tester.  Lengths
 * that depend on the wire are not known before the run and count as 0.
 */
#include "suite/run/run_sizes.h"

#include <string.h>

#include "suite/decl/decl_row.h"

static uint64_t declared_number(const struct decl *d, const char *name)
{
	const char *row;
	uint64_t v;

	for (size_t i = 0; (row = decl_number(d, i, &v)) != NULL; i++)
		if (strcmp(row, name) == 0)
			return v;
	return 0;
}

static uint64_t sizes_number(const struct decl *d, const struct number *n)
{
	const uint64_t v = n->value + (uint64_t)n->mtus * d->mtu;

	if (n->symbol)
		return v + declared_number(d, n->symbol);
	return v;
}

static uint64_t sizes_param(const struct decl *d, const struct step *s,
			    const char *key)
{
	for (size_t i = 0; i < s->nparams; i++)
		if (strcmp(s->params[i].key, key) == 0)
			return sizes_number(d, &s->params[i].number);
	return 0;
}

static const struct term *sizes_term(const struct rung *r, const char *name)
{
	for (size_t i = 0; i < r->npds; i++)
		if (strcmp(r->pds[i].name, name) == 0)
			return &r->pds[i];
	for (size_t i = 0; i < r->nses; i++)
		if (strcmp(r->ses_terms[i].name, name) == 0)
			return &r->ses_terms[i];
	return NULL;
}

/* Returns the message length that a request's headers state. */
static uint64_t sizes_message(const struct decl *d, const struct rung *r)
{
	static const char *const names[] = {"request_length", "wqe_length",
					    "dmalen"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct term *t = sizes_term(r, names[i]);

		if (t && t->nranges)
			return sizes_number(d, &t->ranges[0].lo);
	}
	if (r->body == BODY_DATA)
		return sizes_number(d, &r->data_len);
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
		const struct term *t = sizes_term(r, "opcode");
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
 * Returns the number of bytes from the start of the declared memory to the end
 * of the access.
 */
static uint64_t sizes_memory(const struct decl *d, const struct rung *r)
{
	const struct term *t = sizes_term(r, "buffer_offset");
	uint64_t from = 0;

	if (!sizes_accesses(r))
		return 0;
	if (t && t->nranges)
		from = sizes_number(d, &t->ranges[0].lo) - d->memory_offset;
	return from + sizes_message(d, r);
}

static bool sizes_within(const char *line, uint64_t needed, uint64_t most,
			 struct run_size *ret)
{
	if (needed <= most)
		return true;
	*ret = (struct run_size){.line = line, .needed = needed};
	return false;
}

static bool message_fits(const struct decl *d, uint64_t needed,
			 struct run_size *ret)
{
	return sizes_within("size max_message", needed, d->max_message, ret);
}

static bool memory_fits(const struct decl *d, uint64_t needed,
			struct run_size *ret)
{
	return sizes_within("size memory_len", needed, d->memory_len, ret);
}

static bool post_fits(const struct decl *d, const struct step *s,
		      struct run_size *ret)
{
	const uint64_t len = sizes_param(d, s, "len");

	if (strcmp(s->verb, "expose") == 0)
		return memory_fits(d, len, ret);
	return message_fits(d, len, ret);
}

static bool packet_fits(const struct decl *d, const struct rung *r,
			bool violates, struct run_size *ret)
{
	if (!violates && !message_fits(d, sizes_message(d, r), ret))
		return false;
	return memory_fits(d, sizes_memory(d, r), ret);
}

bool run_sizes_fit(const struct decl *d, const struct step *first,
		   bool violates, struct run_size *ret)
{
	for (const struct step *s = first; s; s = s->next) {
		if (s->kind == STEP_POST && !s->optional && !s->refused &&
		    !post_fits(d, s, ret))
			return false;
		if (s->kind == STEP_SEND &&
		    !packet_fits(d, &s->rung, violates, ret))
			return false;
		for (size_t i = 0; i < s->ngroups; i++)
			if (!run_sizes_fit(d, s->groups[i], violates, ret))
				return false;
	}
	return true;
}
