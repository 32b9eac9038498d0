/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_set.c -- sets fields of the line that is being built.
 */
#include "suite/craft/craft_set.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/word.h"
#include "suite/craft/craft_state.h"
#include "wire/packet.h"

int craft_refuse(struct craft *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->why, c->why_size, fmt, ap);
	va_end(ap);
	return ERR_VALUE;
}

/* Returns the hash of a name and its side, less than CRAFT_HASHES. */
static uint8_t set_hash(const char *name, bool ses)
{
	return (uint8_t)(((unsigned)(uint8_t)name[0] * 5 +
			  (name[0] ? (unsigned)(uint8_t)name[1] * 11 : 0) +
			  32u * ses) %
			 CRAFT_HASHES);
}

static struct field_value *set_find(struct craft *c, const char *name, bool ses)
{
	unsigned i = c->set_newest[set_hash(name, ses)];

	for (; i; i = c->set_older[i - 1]) {
		struct field_value *p = &c->set[i - 1];

		if (p->ses == ses && word_same(p->name, name))
			return p;
	}
	return NULL;
}

/* Makes a set the newest one of its hash. */
static void set_link(struct craft *c, size_t i)
{
	const uint8_t hash = set_hash(c->set[i].name, c->set[i].ses);

	c->set_older[i] = c->set_newest[hash];
	c->set_newest[hash] = (uint8_t)(i + 1);
}

static void set_add(struct craft *c, const char *name, bool ses, uint64_t value)
{
	if (c->nset == CRAFT_SETS)
		return;
	c->set[c->nset] = (struct field_value){name, value, ses};
	set_link(c, c->nset++);
}

void craft_put(struct craft *c, const char *name, bool ses, uint64_t value)
{
	struct field_value *p = set_find(c, name, ses);

	if (p)
		*p = (struct field_value){name, value, ses};
	else
		set_add(c, name, ses, value);
}

void craft_drop(struct craft *c, const char *name, bool ses)
{
	struct field_value *p = set_find(c, name, ses);

	if (!p)
		return;
	*p = c->set[--c->nset];
	memset(c->set_newest, 0, sizeof(c->set_newest));
	for (size_t i = 0; i < c->nset; i++)
		set_link(c, i);
}

bool craft_is_set(struct craft *c, const char *name, bool ses)
{
	return set_find(c, name, ses) != NULL;
}

uint64_t craft_value(struct craft *c, const char *name, bool ses)
{
	const struct field_value *p = set_find(c, name, ses);

	if (p)
		return p->value;
	return 0;
}

/*
 * An answer of craft_has().  Words of packets, headers and fields are constants
 * of the program, so that their addresses tell them apart.
 */
struct craft_known {
	const char *type, *ses_word, *name; /* name NULL: none yet */
	bool ses, has;
};

#define CRAFT_KNOWN 256 /* a power of two */

static size_t known_hash(const struct rung *r, const char *name, bool ses)
{
	uint64_t sum = (uintptr_t)r->type;

	sum = sum * 31 + (uintptr_t)r->ses;
	sum = sum * 31 + (uintptr_t)name + ses;
	return (size_t)(sum * 0x9e3779b97f4a7c15u >> 56);
}

/* packet_layout_has() for the line, from what the thread has asked before. */
static bool craft_has(struct craft *c, const char *name, bool ses)
{
	static _Thread_local struct craft_known known[CRAFT_KNOWN];
	const struct rung *r = c->rung;
	struct craft_known *k = &known[known_hash(r, name, ses)];

	if (k->name != name || k->type != r->type || k->ses_word != r->ses ||
	    k->ses != ses)
		*k = (struct craft_known){
			r->type, r->ses, name, ses,
			packet_layout_has(r->type, r->ses, ses, name,
					  strlen(name), NULL)};
	return k->has;
}

/* Sets a default, unless the line or an earlier default has set the field. */
void craft_default(struct craft *c, const char *name, bool ses, uint64_t value)
{
	if (!craft_is_set(c, name, ses) && craft_has(c, name, ses))
		set_add(c, name, ses, value);
}
