/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/mutation_test.c -- tests that the golden vectors detect any wrong
 * layout.
 *
 * Every field of every table is shifted, widened, narrowed, re-signed and
 * swapped with its neighbour, and the border to its neighbour is moved.  At
 * least one golden vector must disagree with each mutated table.  The accessors
 * are not mutated: field_test shows that they agree with the tables.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wire/golden_test.h"

static struct golden golden, extra;

/* A copy of a header that may be mutated. */
struct copy {
	struct field fields[32];
	struct header h;
};

static void copy_header(struct copy *c, const struct header *h)
{
	assert_in_range(h->nfields, 1, ROWS(c->fields));
	memcpy(c->fields, h->fields, h->nfields * sizeof(*h->fields));
	c->h = *h;
	c->h.fields = c->fields;
}

/*
 * Moves the first bit of field |i| by |begin| bits and its last one by |end|.
 * Return: false if that is not possible.
 */
static bool bend(struct copy *c, size_t i, int begin, int end)
{
	struct field *f = &c->fields[i];
	int at = f->at + begin, width = f->width - begin + end;

	if (at < 0 || width < 1 || width > 64 ||
	    (size_t)(at + width) > c->h.len * 8)
		return false;
	f->at = (uint16_t)at;
	f->width = (uint8_t)width;
	return true;
}

static bool shift_left(struct copy *c, size_t i)
{
	return bend(c, i, -1, -1);
}

static bool shift_right(struct copy *c, size_t i)
{
	return bend(c, i, +1, +1);
}

static bool widen_left(struct copy *c, size_t i)
{
	return bend(c, i, -1, 0);
}

static bool widen_right(struct copy *c, size_t i)
{
	return bend(c, i, 0, +1);
}

static bool narrow_left(struct copy *c, size_t i)
{
	return bend(c, i, +1, 0);
}

static bool narrow_right(struct copy *c, size_t i)
{
	return bend(c, i, 0, -1);
}

static bool border_left(struct copy *c, size_t i)
{
	return i + 1 < c->h.nfields && bend(c, i, 0, -1) &&
	       bend(c, i + 1, -1, 0);
}

static bool border_right(struct copy *c, size_t i)
{
	return i + 1 < c->h.nfields && bend(c, i, 0, +1) &&
	       bend(c, i + 1, +1, 0);
}

/* The sign makes no difference for a 64-bit field. */
static bool resign(struct copy *c, size_t i)
{
	struct field *f = &c->fields[i];

	if (f->kind == FIELD_SINT)
		f->kind = FIELD_UINT;
	else
		f->kind = FIELD_SINT;
	return f->width < 64;
}

static bool swap_places(struct copy *c, size_t i)
{
	struct field *f = &c->fields[i];
	uint16_t at = f->at;

	if (i + 1 == c->h.nfields || f[0].width != f[1].width)
		return false;
	f[0].at = f[1].at;
	f[1].at = at;
	return true;
}

/* clang-format off */
static const struct mutation {
	const char *name;
	bool (*apply)(struct copy *c, size_t i);
} mutations[] = {
	{"shift left", shift_left},
	{"shift right", shift_right},
	{"widen left", widen_left},
	{"widen right", widen_right},
	{"narrow left", narrow_left},
	{"narrow right", narrow_right},
	{"border left", border_left},
	{"border right", border_right},
	{"re-sign", resign},
	{"swap with next", swap_places},
};
/* clang-format on */

static bool golden_notices(const struct golden *g, const struct spoil *s)
{
	for (unsigned i = 0; i < g->n; i++)
		if (vector_holds(&g->v[i], s->old) &&
		    !vector_agrees(&g->v[i], s))
			return true;
	return false;
}

struct mutation_test_tally {
	unsigned tried, alive, extra_only;
};

static void mutate(struct mutation_test_tally *t, const struct header *h,
		   size_t i, const struct mutation *m)
{
	struct copy c;
	struct spoil s = {h, &c.h};

	copy_header(&c, h);
	if (!m->apply(&c, i))
		return;
	t->tried++;
	if (golden_notices(&golden, &s))
		return;
	if (golden_notices(&extra, &s)) {
		t->extra_only++;
		return;
	}
	t->alive++;
	fprintf(stderr, "nobody notices: %s.%s: %s\n", h->name,
		h->fields[i].name, m->name);
}

static void every_mutation_is_noticed(void **state)
{
	struct mutation_test_tally t = {0};

	(void)state;
	for (size_t k = 0; k < wire_nheaders; k++)
		for (size_t i = 0; i < wire_headers[k]->nfields; i++)
			for (size_t m = 0; m < ROWS(mutations); m++)
				mutate(&t, wire_headers[k], i, &mutations[m]);
	fprintf(stderr,
		"%u mutations, %u not noticed, %u by our own pins alone\n",
		t.tried, t.alive, t.extra_only);
	assert_int_equal(t.alive, 0);
	assert_in_range(t.tried, 2000, 10000);
}

/* Control: the vectors agree with unchanged tables. */
static void unspoiled_tables_agree(void **state)
{
	unsigned held = 0;

	(void)state;
	for (size_t k = 0; k < wire_nheaders; k++) {
		struct copy c;
		struct spoil s = {wire_headers[k], &c.h};

		copy_header(&c, wire_headers[k]);
		assert_false(golden_notices(&golden, &s));
		assert_false(golden_notices(&extra, &s));
		for (unsigned i = 0; i < golden.n; i++)
			held += vector_holds(&golden.v[i], wire_headers[k]);
	}
	assert_in_range(held, 500, 5000);
}

static void bind_all(struct golden *g)
{
	for (unsigned i = 0; i < g->n; i++)
		assert_null(vector_bind(&g->v[i]));
}

static int mutation_test_load(void **state)
{
	(void)state;
	wire_golden_test_golden_load(&golden, GOLDEN);
	wire_golden_test_golden_load(&extra, GOLDEN_EXTRA);
	bind_all(&golden);
	bind_all(&extra);
	return 0;
}

static int mutation_test_unload(void **state)
{
	(void)state;
	free(golden.text);
	free(extra.text);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unspoiled_tables_agree),
		cmocka_unit_test(every_mutation_is_noticed),
	};

	return cmocka_run_group_tests_name("wire.mutation", tests,
					   mutation_test_load,
					   mutation_test_unload);
}
