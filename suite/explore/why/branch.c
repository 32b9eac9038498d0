/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/why/branch.c -- the branches of a run that failed.
 */
#include "suite/explore/why/branch.h"

#include <string.h>

/* The finding that decides, as the verdict chose it. */
static const struct rec_finding *branch_decides(const struct record *r)
{
	const struct rec_finding *found = NULL;

	for (size_t i = 0; i < r->nfindings; i++) {
		const struct rec_finding *f = &r->findings[i];

		if (f->remark || f->consequence || f->known || f->doubtful)
			continue;
		if (!found ||
		    (f->kind == KIND_PROTOCOL && found->kind == KIND_TIMING))
			found = f;
	}
	return found;
}

/* Returns true if an impairment of the case made the packet. */
static bool branch_is_made(const struct rec *e)
{
	return e->fate == FATE_DUPLICATE || e->fate == FATE_INJECTED;
}

bool branch_begin(struct branches *b, const struct record *r)
{
	const struct rec_finding *f = branch_decides(r);
	unsigned sent[2] = {0};

	memset(b, 0, sizeof(*b));
	if (!f || f->req == REQ_NONE)
		return false;
	b->req = f->req;
	b->role = f->role;
	for (size_t i = 0; i < r->nrecs && b->n < BRANCH_RUNGS; i++) {
		const struct rec *e = &r->recs[i];
		const bool tester = e->kind == REC_TX;

		if (!e->frame || branch_is_made(e))
			continue;
		if (f->frame && e->frame > f->frame)
			break;
		b->rungs[b->n++] = (struct branch_rung){.entry = i,
							.frame = e->frame,
							.tester = tester,
							.nth = ++sent[tester],
							.sent = sent[1]};
	}
	return true;
}

const char *branch_word(enum branch_change change)
{
	static const char *const words[BRANCH_CHANGES] = {
		[BRANCH_LOST] = "lost",
		[BRANCH_DOUBLED] = "doubled",
		[BRANCH_DELAYED] = "delayed",
		[BRANCH_SILENT] = "silence after it"};

	return words[change];
}

const char *branch_outcome_word(enum branch_outcome o)
{
	switch (o) {
	case BRANCH_SAME:
		return "same";
	case BRANCH_OTHER:
		return "other";
	case BRANCH_ESCAPES:
		return "escapes";
	default:
		return "-";
	}
}

void branch_line(const struct branch_rung *rung, enum branch_change change,
		 struct text *t)
{
	const char *arrow = rung->tester ? ">" : "<";

	switch (change) {
	case BRANCH_LOST:
		text_printf(t, "drop %s any nth=%u", arrow, rung->nth);
		break;
	case BRANCH_DOUBLED:
		text_printf(t, "duplicate %s any nth=%u", arrow, rung->nth);
		break;
	case BRANCH_DELAYED:
		text_printf(t, "delay 2ms %s any nth=%u", arrow, rung->nth);
		break;
	default:
		text_printf(t, "drop > any nth=%u..1000000", rung->sent + 1);
	}
}

/* Returns the begin of a section's lines; NULL: there is no such section. */
static const char *branch_section(const char *file, const char *section)
{
	const size_t len = section ? strlen(section) : 0;

	if (!section)
		return file;
	for (const char *s = strstr(file, "\nimpaired "); s;
	     s = strstr(s + 1, "\nimpaired ")) {
		const char *name = s + strlen("\nimpaired ");

		if (strncmp(name, section, len) == 0 &&
		    (name[len] == '\n' || name[len] == ' '))
			return name;
	}
	return NULL;
}

bool branch_case(const char *file, const char *section, enum chair chair,
		 const char *line, struct text *ret)
{
	const char *begin = branch_section(file, section), *at, *end;
	const char *name = chair_name(chair);
	const size_t len = strlen(name);

	for (at = begin ? strstr(begin, "\nchair ") : NULL; at;
	     at = strstr(at + 1, "\nchair ")) {
		const char *word = at + strlen("\nchair ");

		if (strncmp(word, name, len) == 0 &&
		    (word[len] == '\n' || word[len] == ' '))
			break;
	}
	end = begin ? strstr(begin, "\nimpaired ") : NULL;
	if (!at || (end && end < at))
		return false;
	at += 1 + strcspn(at + 1, "\n");
	text_add(ret, file, (size_t)(at - file));
	text_printf(ret, "\n  %s%s", line, at);
	return true;
}

/*
 * Returns whether a run without a decision shows that the failure does not
 * come: the device was silent, or an impairment found no packet.  All other
 * reasons are those of the machine, or of a device that was gone.
 */
static bool branch_is_silent(enum reason reason)
{
	switch (reason) {
	case REASON_NO_ANSWER:
	case REASON_ANSWER_ASTRAY:
	case REASON_OUT_OF_TIME:
	case REASON_UNFIRED:
	case REASON_LED_ASTRAY:
	case REASON_UNCHECKED:
		return true;
	default:
		return false;
	}
}

enum branch_outcome branch_judge(const struct branches *b,
				 const struct record *r)
{
	if (r->verdict != VERDICT_FAIL && r->verdict != VERDICT_PASS &&
	    !(r->verdict == VERDICT_INCONCLUSIVE &&
	      branch_is_silent(r->reason_id)))
		return BRANCH_UNDECIDED;
	for (size_t i = 0; i < r->nfindings; i++)
		if (r->findings[i].req == b->req &&
		    r->findings[i].role == b->role && !r->findings[i].doubtful)
			return BRANCH_SAME;
	return r->verdict == VERDICT_FAIL ? BRANCH_OTHER : BRANCH_ESCAPES;
}

unsigned branch_undecided(const struct branches *b)
{
	unsigned n = 0;

	for (size_t i = 0; i < b->n; i++)
		for (int c = 0; c < BRANCH_CHANGES; c++)
			n += b->rungs[i].outcome[c] == BRANCH_UNDECIDED;
	return n;
}

size_t branch_deciding(const struct branches *b)
{
	for (size_t i = b->n; i-- > 0;)
		for (int c = 0; c < BRANCH_CHANGES; c++)
			if (b->rungs[i].outcome[c] == BRANCH_OTHER ||
			    b->rungs[i].outcome[c] == BRANCH_ESCAPES)
				return i;
	return b->n;
}
