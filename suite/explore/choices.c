/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/choices.c -- the log of choices of an exploration.
 */
#include "suite/explore/choices.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

void choices_draw(struct choices *c, uint64_t seed)
{
	c->n = c->at = 0;
	c->drawing = true;
	c->simplest = false;
	c->rng = (struct rng){seed};
}

void choices_simplest(struct choices *c)
{
	choices_draw(c, 0);
	c->simplest = true;
}

void choices_replay(struct choices *c)
{
	c->at = 0;
	c->drawing = false;
}

uint32_t choose(struct choices *c, uint32_t n)
{
	if (c->at < c->n) {
		c->v[c->at] %= n;
		return c->v[c->at++];
	}
	if (!c->drawing || c->n == CHOICES_MAX)
		return 0;
	c->v[c->n] = c->simplest ? 0 : rng_below(&c->rng, n);
	c->at = ++c->n;
	return c->v[c->n - 1];
}

uint32_t choose_as(struct choices *c, uint32_t n, uint32_t want)
{
	if (c->at < c->n || !c->drawing || c->n == CHOICES_MAX)
		return choose(c, n);
	c->v[c->n] = want % n;
	c->at = ++c->n;
	return c->v[c->n - 1];
}

void choices_cut(struct choices *c, size_t from, size_t len)
{
	if (from >= c->n)
		return;
	if (len > c->n - from)
		len = c->n - from;
	memmove(c->v + from, c->v + from + len,
		(c->n - from - len) * sizeof(c->v[0]));
	c->n -= len;
}

void choices_print(const struct choices *c, struct text *t)
{
	for (size_t i = 0; i < c->n; i++)
		text_printf(t, "%s%u", text_between(i, ","), c->v[i]);
}

int choices_parse(struct choices *c, const char *s)
{
	c->n = 0;
	for (;;) {
		char *end;
		const unsigned long v = strtoul(s, &end, 10);

		if (end == s || *s < '0' || *s > '9' || v > UINT32_MAX ||
		    c->n == CHOICES_MAX)
			return ERR_VALUE;
		c->v[c->n++] = (uint32_t)v;
		if (!*end)
			break;
		if (*end != ',')
			return ERR_VALUE;
		s = end + 1;
	}
	choices_replay(c);
	return 0;
}
