/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder_say.c -- the words of a row: a packet's rung, cut in two, and
 * what there is to note about it.
 */
#include "reports/ladder_pen.h"

#include <stdio.h>
#include <string.h>

#include "reports/safe.h"

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

/* "matches line 12" is what the gutter says already. */
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

/* Notes of findings end with their ids; the ladder draws findings in full. */
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
		snprintf(late, sizeof(late), "late by %s ms", pen_ms(ms, by));
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
