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

/* Returns 0 to 63, by the first characters of a name. */
static unsigned set_hash(const char *name)
{
	return ((unsigned)(uint8_t)name[0] * 5 +
		(name[0] ? (unsigned)(uint8_t)name[1] * 11 : 0)) %
	       64;
}

static struct field_value *set_find(struct craft *c, const char *name, bool ses)
{
	if (!(c->set_names >> set_hash(name) & 1))
		return NULL;
	for (size_t i = 0; i < c->nset; i++)
		if (c->set[i].ses == ses && word_same(c->set[i].name, name))
			return &c->set[i];
	return NULL;
}

static void set_add(struct craft *c, const char *name, bool ses, uint64_t value)
{
	if (c->nset == CRAFT_SETS)
		return;
	c->set[c->nset++] = (struct field_value){name, value, ses};
	c->set_names |= (uint64_t)1 << set_hash(name);
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

	if (p)
		*p = c->set[--c->nset];
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

/* packet_layout_has() for the line; keeps the format of its word. */
static bool craft_has(struct craft *c, const char *name, bool ses)
{
	const struct rung *r = c->rung;

	if (!c->word || c->word != r->type) {
		c->word = r->type;
		c->format = packet_format_of(r->type);
	}
	return c->format->has(r->type, r->ses, ses, name, strlen(name), NULL);
}

/* Sets a default, unless the line or an earlier default has set the field. */
void craft_default(struct craft *c, const char *name, bool ses, uint64_t value)
{
	if (!craft_is_set(c, name, ses) && craft_has(c, name, ses))
		set_add(c, name, ses, value);
}
