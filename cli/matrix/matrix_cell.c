/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/matrix_cell.c -- one initiator against one target: all exchanges,
 * then the shortest exchange for each fault, then each end against the
 * reference.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/matrix/matrix.h"

#define MATRIX_FAULTS     16
#define MATRIX_TRIES      400 /* exchanges to find the shortest */
#define MATRIX_TRIES_LIVE 24

/* A cell that runs, or the same with the reference in the place of an end. */
struct matrix_bout {
	struct matrix *m;
	struct matrix_cell *cell;
	struct matrix_pair_conf conf;
	struct matrix_pair pair;
};

static int matrix_bout_open(struct matrix_bout *b)
{
	matrix_pair_close(&b->pair);
	return matrix_pair_open(&b->conf, &b->pair);
}

/* Runs an exchange; an end that is out of order is made again afterwards. */
static int matrix_bout_run(struct matrix_bout *b, const struct exchange *e,
			   const char *capture, struct pairing_result *ret)
{
	int code = pairing_run(b->pair.pairing, b->m->who, e, capture, ret);

	if (!code && ret->gone)
		code = matrix_bout_open(b);
	if (ret->doubtful)
		ret->n = 0;
	return code;
}

static const struct pairing_fault *
matrix_same_fault(const struct pairing_result *r, const struct pairing_fault *f)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->faults[i].side == f->side &&
		    r->faults[i].req == f->req && r->faults[i].role == f->role)
			return &r->faults[i];
	return NULL;
}

/* ---- All exchanges ---- */

static int matrix_keep(struct matrix_cell *cell, const struct exchange *e,
		       const struct pairing_result *r)
{
	for (size_t i = 0; i < r->n; i++) {
		bool known = false;

		for (size_t k = 0; k < cell->n; k++) {
			const struct pairing_fault *f = &cell->faults[k].fault;

			known |= f->side == r->faults[i].side &&
				 f->req == r->faults[i].req &&
				 f->role == r->faults[i].role;
		}
		if (known || cell->n == MATRIX_FAULTS)
			continue;
		if (!cell->faults)
			cell->faults = memory_calloc(MATRIX_FAULTS,
						     sizeof(*cell->faults));
		if (!cell->faults)
			return ERR_NOMEM;
		cell->faults[cell->n++] =
			(struct matrix_fault){.fault = r->faults[i],
					      .exchange = *e,
					      .packets = r->packets};
	}
	return 0;
}

/* Runs the |at|-th exchange.  *ret: there was one. */
static int matrix_one(struct matrix_bout *b, size_t at, bool *ret)
{
	const struct decl *const decl[2] = {b->pair.decl[0], b->pair.decl[1]};
	struct matrix_cell *cell = b->cell;
	struct pairing_result r;
	struct exchange e;
	int code;

	*ret = !*b->pair.why && exchange_at(decl, cell->family, at, &e);
	if (!*ret)
		return 0;
	code = matrix_bout_run(b, &e, NULL, &r);
	cell->exchanges++;
	cell->doubtful += r.doubtful;
	cell->operations += r.posted;
	cell->packets += r.packets;
	if (!code && matrix_keep(cell, &e, &r))
		code = cli_nomem(b->m->who);
	return code;
}

static int matrix_exchanges(struct matrix_bout *b)
{
	bool more = true;
	int code = 0;

	for (size_t i = 0; more && !code; i++)
		code = matrix_one(b, i, &more);
	return code;
}

/* ---- The shortest exchange ---- */

/* Takes |e| for the fault if it shows the same one. */
static int matrix_try(struct matrix_bout *b, struct matrix_fault *f,
		      const struct exchange *e, bool *ret)
{
	struct pairing_result r;
	const struct pairing_fault *same;
	int code = matrix_bout_run(b, e, NULL, &r);

	same = code ? NULL : matrix_same_fault(&r, &f->fault);
	*ret = same != NULL;
	if (!same)
		return code;
	f->fault = *same;
	f->exchange = *e;
	f->packets = r.packets;
	return code;
}

/* Leaves out operations, one after the other, as long as the fault stays. */
static int matrix_leave_out(struct matrix_bout *b, struct matrix_fault *f,
			    unsigned tries)
{
	struct exchange shorter;
	int code = 0;

	for (size_t at = f->exchange.n; at-- > 0 && !code && tries--;) {
		bool same;

		if (exchange_without(&f->exchange, at, &shorter))
			code = matrix_try(b, f, &shorter, &same);
	}
	return code;
}

static int matrix_shorten(struct matrix_bout *b, struct matrix_fault *f)
{
	unsigned tries = b->m->live ? MATRIX_TRIES_LIVE : MATRIX_TRIES;
	const struct exchange first = f->exchange;
	struct exchange e;
	int code = 0;

	for (size_t i = 0; tries && exchange_simple(&first, i, &e); i++) {
		bool same = false;

		tries--;
		code = matrix_try(b, f, &e, &same);
		if (code || same)
			return code;
	}
	return matrix_leave_out(b, f, MATRIX_TRIES_LIVE);
}

/* ---- Against the reference ---- */

/*
 * Runs the exchange with the reference in the place of the other end.
 * *ret: the end at |side| shows the fault then too.
 */
static int matrix_half(struct matrix_bout *whole, const struct matrix_fault *f,
		       enum pairing_side side, bool *ret)
{
	struct matrix_bout half = {
		.m = whole->m, .cell = whole->cell, .conf = whole->conf};
	struct pairing_result r = {.n = 0};
	int code;

	half.conf.end[!side] = &whole->m->reference;
	code = matrix_bout_open(&half);
	if (!code && !*half.pair.why)
		code = matrix_bout_run(&half, &f->exchange, NULL, &r);
	*ret = matrix_same_fault(&r, &f->fault) != NULL;
	matrix_pair_close(&half.pair);
	return code;
}

static int matrix_label(struct matrix_bout *b, struct matrix_fault *f)
{
	bool alone[2] = {false, false};
	int code = 0;

	for (unsigned s = 0; s < 2 && !code; s++)
		if (f->fault.unsure || s == f->fault.side)
			code = matrix_half(b, f, s, &alone[s]);
	f->alone = alone[0] || alone[1];
	if (!f->fault.unsure)
		f->blame = f->fault.side ? MATRIX_BLAME_TARGET
					 : MATRIX_BLAME_INITIATOR;
	else if (alone[0] == alone[1])
		f->blame = MATRIX_BLAME_EITHER;
	else
		f->blame =
			alone[1] ? MATRIX_BLAME_TARGET : MATRIX_BLAME_INITIATOR;
	return code;
}

/* Writes the capture of the shortest exchange. */
static int matrix_capture(struct matrix_bout *b, struct matrix_fault *f)
{
	struct pairing_result r;
	struct text path = {0};
	int code;

	if (!b->m->out)
		return 0;
	snprintf(f->capture, sizeof(f->capture), "fault-%zu.pcapng",
		 ++b->m->captures);
	text_printf(&path, "%s/%s", b->m->out, f->capture);
	if (text_err(&path))
		code = cli_nomem(b->m->who);
	else
		code = matrix_bout_run(b, &f->exchange, text_cstr(&path), &r);
	text_free(&path);
	return code;
}

/* ---- A cell ---- */

static void matrix_conclude(struct matrix_bout *b)
{
	struct matrix_cell *cell = b->cell;

	if (*b->pair.why) {
		cell->verdict = MATRIX_NA;
		snprintf(cell->why, sizeof(cell->why), "%s", b->pair.why);
	} else if (cell->n) {
		cell->verdict = MATRIX_FAIL;
	} else if (!cell->operations) {
		cell->verdict = MATRIX_NA;
		snprintf(cell->why, sizeof(cell->why),
			 "the two ends have no operation in common");
	} else if (cell->doubtful) {
		cell->verdict = MATRIX_INCONCLUSIVE;
		snprintf(cell->why, sizeof(cell->why),
			 "the tester lost packets in %zu of %zu exchanges",
			 cell->doubtful, cell->exchanges);
	} else {
		cell->verdict = MATRIX_PASS;
	}
}

int matrix_cell_run(struct matrix *m, struct matrix_cell *cell)
{
	struct matrix_bout b = {
		.m = m,
		.cell = cell,
		.conf = {.who = m->who,
			 .end = {&m->ends[cell->ends[0]],
				 &m->ends[cell->ends[1]]},
			 .family = cell->family,
			 .live = m->live,
			 .seed = m->seed,
			 .stop = m->stop},
	};
	int code = matrix_bout_open(&b);

	if (!code)
		code = matrix_exchanges(&b);
	for (size_t i = 0; i < cell->n && !code; i++)
		code = matrix_shorten(&b, &cell->faults[i]);
	for (size_t i = 0; i < cell->n && !code; i++)
		code = matrix_label(&b, &cell->faults[i]);
	for (size_t i = 0; i < cell->n && !code; i++)
		code = matrix_capture(&b, &cell->faults[i]);
	if (!code)
		matrix_conclude(&b);
	matrix_pair_close(&b.pair);
	return code;
}
