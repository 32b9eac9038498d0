/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_say.c -- makes the words of a row: a packet's rung in
 * two parts, and its notes.
 */
#include "reports/ladder/ladder_say.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reports/ladder/ladder_fault.h"
#include "reports/ladder/ladder_writer.h"
#include "reports/safe.h"

#define WAIT (5 * VSPAN_MS) /* the shortest pause with a row of its own */

bool say_is_packet(const struct rec *e)
{
	return e->kind == REC_TX || e->kind == REC_RX;
}

/* Cuts the rung in l->pds after its first part; the rest becomes l->ses. */
void say_split(struct ladder *l)
{
	const char *bar = strstr(text_cstr(&l->pds), " | ");

	text_clear(&l->ses);
	if (!bar)
		return;
	text_puts(&l->ses, bar + 3);
	l->pds.len = (size_t)(bar - l->pds.s);
	l->pds.s[l->pds.len] = 0;
}

void say_packet(struct ladder *l, const struct rec *e)
{
	struct record_psn ctx = {l->r, e->kind == REC_TX, e->pdc};
	struct packet_psn_names names = {record_psn_show, &ctx};
	struct packet pkt;

	text_clear(&l->pds);
	record_packet(l->r, e, &pkt);
	packet_print(&l->pds, &pkt, l->o.verbose ? PACKET_FULL : PACKET_BRIEF,
		     &names);
	say_split(l);
}

static void add_note(struct ladder *l, const char *s, size_t len)
{
	if (l->note.len)
		text_puts(&l->note, "; ");
	safe_add(&l->note, s, len);
}

/* The gutter already shows "matches line 12". */
static bool said_by_line(const struct rec *e, const char *s, size_t len)
{
	char line[2][40];

	if (!e->line || e->setup)
		return false;
	snprintf(line[0], sizeof(line[0]), "matches line %u", e->line);
	snprintf(line[1], sizeof(line[1]), "line %u", e->line);
	for (int i = 0; i < 2; i++)
		if (strlen(line[i]) == len && !memcmp(line[i], s, len))
			return true;
	return false;
}

/* Notes of findings end with their ids; the ladder draws findings itself. */
static bool said_by_finding(const struct ladder *l, const struct rec *e,
			    const char *s, size_t len)
{
	return len && s[len - 1] == ']' && finding_on(l->r, e->frame);
}

static void say_fate(struct ladder *l, const struct rec *e)
{
	char late[64], ms[32];
	vspan by = e->at > e->left_at ? e->at - e->left_at : e->left_at - e->at;

	if (e->fate == FATE_DELAYED && e->left_at) {
		snprintf(late, sizeof(late), "late by %s ms",
			 writer_ms(ms, by));
		add_note(l, late, strlen(late));
	} else if (e->fate == FATE_DROPPED && !e->note) {
		add_note(l, "lost", 4);
	}
}

void say_note(struct ladder *l, const struct rec *e)
{
	const char *s = record_note_of(l->r, e);

	text_clear(&l->note);
	say_fate(l, e);
	while (*s) {
		const char *end = strstr(s, "; ");
		size_t len = end ? (size_t)(end - s) : strlen(s);

		if (!said_by_line(e, s, len) && !said_by_finding(l, e, s, len))
			add_note(l, s, len);
		s += len + (end ? 2 : 0);
	}
}

static size_t ladder_say_count_packets(const struct record *r, size_t i,
				       size_t end, uint32_t *ret_from,
				       uint32_t *ret_to)
{
	size_t n = 0;

	*ret_from = *ret_to = 0;
	for (; i < end; i++) {
		if (!say_is_packet(&r->recs[i]))
			continue;
		if (!n++)
			*ret_from = r->recs[i].frame;
		*ret_to = r->recs[i].frame;
	}
	return n;
}

bool say_fold(const struct ladder *l, size_t from, size_t end, char buf[96])
{
	const char *what = end == l->r->nrecs && from ? "closing" : "opening";
	uint32_t lo, hi;
	size_t n = ladder_say_count_packets(l->r, from, end, &lo, &hi);

	if (!l->r->test_case)
		what = "not shown";
	else if (from && end < l->r->nrecs)
		what = "in between";
	if (lo == hi)
		snprintf(buf, 96, "%s: #%" PRIu32, what, lo);
	else
		snprintf(buf, 96, "%s: %zu packets, #%" PRIu32 " to #%" PRIu32,
			 what, n, lo, hi);
	return n;
}

bool say_wait(struct ladder *l, vtime at, char buf[40])
{
	const bool waited = l->last != VTIME_NEVER && at - l->last >= WAIT;
	char ms[32];

	if (waited)
		snprintf(buf, 40, "%s ms", writer_ms(ms, at - l->last));
	l->last = at;
	return waited;
}
