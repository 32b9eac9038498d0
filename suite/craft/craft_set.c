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

static struct field_value *set_find(struct craft *c, const char *name, bool ses)
{
	for (size_t i = 0; i < c->nset; i++)
		if (c->set[i].ses == ses && word_same(c->set[i].name, name))
			return &c->set[i];
	return NULL;
}

void craft_put(struct craft *c, const char *name, bool ses, uint64_t value)
{
	struct field_value *p = set_find(c, name, ses);

	if (!p && c->nset < CRAFT_SETS)
		p = &c->set[c->nset++];
	if (p)
		*p = (struct field_value){name, value, ses};
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
		craft_put(c, name, ses, value);
}
