/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/req.c -- the requirement catalogue: its table and the functions that
 * find a row.
 */
#include "judge/req.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/word.h"

/* clang-format off */
static const struct req table[REQ_COUNT] = {
#define REQ(sym, id, level, role, seen, statement, source) \
	{id, REQ_##level, REQ_##role, REQ_##seen, statement, source},
#include "judge/requirements.def"
#undef REQ
};
/* clang-format on */

/* The lengths of the ids: most differ in it or in the last letter. */
static const uint8_t id_lengths[REQ_COUNT] = {
#define REQ(sym, id, level, role, seen, statement, source) sizeof(id) - 1,
#include "judge/requirements.def"
#undef REQ
};

#define FIND_KNOWN 256 /* a power of two */

static enum req_id search_id(const char *name, size_t len)
{
	for (int i = 0; len && i < REQ_COUNT; i++) {
		if (id_lengths[i] == len &&
		    table[i].id[len - 1] == name[len - 1] &&
		    memcmp(table[i].id, name, len) == 0)
			return (enum req_id)i;
	}
	return REQ_NONE;
}

/* Returns the place of a name among those that were found last. */
static unsigned known_place(const char *name, size_t len)
{
	uint32_t hash = (uint32_t)len;

	for (size_t i = 0; i < len; i++)
		hash = hash * 31 + (uint8_t)name[i];
	return (hash ^ hash >> 8) % FIND_KNOWN;
}

/*
 * Names are looked up when a case is read.  An exploration reads the same ones
 * in case after case, so that each thread remembers those that it found.
 */
static enum req_id find_id(const char *name, size_t len)
{
	static _Thread_local uint16_t known[FIND_KNOWN]; /* id + 1 */
	uint16_t *const place = &known[known_place(name, len)];
	enum req_id id;

	if (*place && id_lengths[*place - 1] == len &&
	    memcmp(table[*place - 1].id, name, len) == 0)
		return (enum req_id)(*place - 1);
	id = search_id(name, len);
	if (id != REQ_NONE)
		*place = (uint16_t)(id + 1);
	return id;
}

static bool find_role(const char *name, size_t len, enum req_role *ret)
{
	static const enum req_role roles[] = {REQ_SRC, REQ_DST, REQ_BOTH};

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		if (word_equal(req_role_name(roles[i]), name, len)) {
			*ret = roles[i];
			return true;
		}
	}
	return false;
}

const struct req *req_get(enum req_id id)
{
	assert(id >= 0 && id < REQ_COUNT);
	return &table[id];
}

bool req_fails(enum req_id id, bool strict)
{
	return strict || req_get(id)->level == REQ_M;
}

enum req_id req_find(const char *name, size_t len, enum req_role *ret_role)
{
	/*
	 * No id contains a slash: if the caller wants no role, a suffix is not
	 * accepted.
	 */
	const char *slash = ret_role ? memchr(name, '/', len) : NULL;
	size_t id_len = slash ? (size_t)(slash - name) : len;
	enum req_id id = find_id(name, id_len);
	enum req_role role;

	if (id == REQ_NONE || !ret_role)
		return id;
	role = table[id].role;
	if (slash && !find_role(slash + 1, len - id_len - 1, &role))
		return REQ_NONE;
	if ((role & table[id].role) != role)
		return REQ_NONE;
	*ret_role = role;
	return id;
}

const char *req_level_name(enum req_level level)
{
	switch (level) {
	case REQ_M:
		return "M";
	case REQ_S:
		return "S";
	case REQ_O:
		return "O";
	case REQ_N:
		return "N";
	case REQ_I:
		return "I";
	}
	return "unknown";
}

const char *req_role_name(enum req_role role)
{
	switch (role) {
	case REQ_SRC:
		return "src";
	case REQ_DST:
		return "dst";
	case REQ_BOTH:
		return "both";
	}
	return "unknown";
}

enum req_seen req_seen_of(enum req_id id, enum req_role role)
{
	const enum req_seen seen = req_get(id)->seen;

	if (seen != REQ_BY_ROLE)
		return seen;
	if (role == REQ_DST)
		return REQ_WIRE;
	return REQ_CONTROL;
}

const char *req_seen_name(enum req_seen seen)
{
	switch (seen) {
	case REQ_WIRE:
		return "wire";
	case REQ_CONTROL:
		return "control";
	case REQ_HALVES:
		return "both";
	case REQ_BY_ROLE:
		return "by role";
	}
	return "unknown";
}

/* ---- Citations ---- */

/* The documents of the requirements, by the prefix of a source. */
static const struct req_document {
	const char *prefix, *title;
} documents[] = {
	{"000 ", "UET 1.0.1 "},
	{"001 ", "UET 1.0.1 "},
	{"002 ", "UET 1.0.1 "},
	{"003 ", "SRD Transport QP type (AWS), section "},
	{"004 ", "Patent of the WQE extension, "},
	{"uet.md ", "docs/spec/uet.md, section "},
	{"srd_wqe.md ", "docs/spec/srd_wqe.md, section "},
};

/* Appends |len| bytes; abbreviations of the catalogue become words. */
static void citation_add(char buf[REQ_CITATION_MAX], const char *s, size_t len)
{
	static const struct req_short {
		const char *from, *to;
	} words[] = {{"fig ", "figure "}, {"cl.", "claim "}, {"S1", "step S1"},
		     {"S2", "step S2"},   {"S3", "step S3"}, {"S4", "step S4"}};
	size_t n = strlen(buf);

	for (size_t i = 0; i < len;) {
		const char *to = NULL;
		size_t from = 1;

		for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
			const size_t size = strlen(words[w].from);

			if (strncmp(s + i, words[w].from, size) != 0 ||
			    (i && s[i - 1] != ' '))
				continue;
			to = words[w].to;
			from = size;
		}
		n += (size_t)snprintf(buf + n, REQ_CITATION_MAX - n, "%.*s",
				      to ? (int)strlen(to) : 1,
				      to ? to : s + i);
		if (n >= REQ_CITATION_MAX)
			return;
		i += from;
	}
}

/*
 * Returns the clause of the specification that a fact sheet names in
 * parentheses: "(3.5.10.5, table 3-35)"; NULL if there is none.
 */
static const char *clause_in(const char *source, size_t len)
{
	const char *open = memchr(source, '(', len);

	if (open &&
	    (isdigit((unsigned char)open[1]) ||
	     strncmp(open, "(table", 6) == 0 || strncmp(open, "(fig ", 5) == 0))
		return open + 1;
	return NULL;
}

const char *req_citation(enum req_id id, char buf[REQ_CITATION_MAX])
{
	const char *source = req_get(id)->source;
	size_t len = strcspn(source, ";[");
	const char *clause = clause_in(source, len);

	buf[0] = 0;
	while (len && source[len - 1] == ' ')
		len--;
	if (clause) {
		citation_add(buf, "UET 1.0.1 ", 10);
		citation_add(buf, clause, strcspn(clause, ")"));
		return buf;
	}
	for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
		const size_t n = strlen(documents[i].prefix);

		if (strncmp(source, documents[i].prefix, n) != 0 || n > len)
			continue;
		snprintf(buf, REQ_CITATION_MAX, "%s", documents[i].title);
		source += n;
		len -= n;
		break;
	}
	citation_add(buf, source, len);
	return buf;
}
