/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/told_test.h -- records what a judge tells in a unit test.
 *
 * With JUDGE_TOLD=FILE in the environment a test appends to FILE each finding,
 * and at the end of each judge its counts: checks by requirement, packets by
 * flow, NACKs by code.  tests/told/told.py compares the record with
 * tests/golden/told_golden.txt: a rule whose text, count or blame changes is
 * noticed even if the test does not look at it.
 *
 * A test that runs at several first PSNs is recorded at the first one alone:
 * the other runs call told_skip().
 */
#ifndef JUDGE_CORE_TOLD_TEST_H
#define JUDGE_CORE_TOLD_TEST_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/judge.h"

/* The record; NULL: none is wanted. */
static FILE *told_to;
/* Set while a test runs that is not recorded. */
static bool told_skips;

static inline bool told_wanted(void)
{
	const char *path = getenv("JUDGE_TOLD");

	if (!told_to && path)
		told_to = fopen(path, "a");
	return told_to && !told_skips;
}

/* Begins the record of a test; NULL: of the tests that name no record. */
static inline void told_begin(const char *test)
{
	told_skips = false;
	if (test && told_wanted())
		fprintf(told_to, "%s\n", test);
}

/* Records nothing until told_begin(). */
static inline void told_skip(void)
{
	told_skips = true;
}

static inline const char *told_role(unsigned role)
{
	return role == REQ_DST ? "dst" : "src";
}

static inline void told_side(const struct ip_addr *a)
{
	fprintf(told_to, " %02x", a->len ? a->b[a->len - 1] : 0);
}

static inline size_t told_findings(const struct finding *f, size_t n,
				   size_t room)
{
	for (size_t i = 0; told_wanted() && i < n && i < room; i++) {
		fprintf(told_to, "  #%" PRIu32 " %s/%s", f[i].frame,
			req_get(f[i].req)->id, told_role(f[i].role));
		told_side(&f[i].side);
		fprintf(told_to, " flow %d%s%s [%s | %s] %s\n", (int)f[i].flow,
			f[i].timing ? " timing" : "",
			f[i].unread ? " unread" : "", f[i].expected,
			f[i].actual, f[i].text);
	}
	return n;
}

/* Records the numbers of a struct that consists of 64-bit numbers. */
static inline void told_numbers(const char *what, const void *of, size_t size)
{
	const uint64_t *n = of;

	for (size_t i = 0; told_wanted() && i < size / sizeof(*n); i++)
		if (n[i])
			fprintf(told_to, "  %s %zu: %" PRIu64 "\n", what, i,
				n[i]);
}

static inline void told_facts(const struct judge_facts *f)
{
	fprintf(told_to,
		"  packet %d %u %d %d%d%d%d%d%d%d psn %u %u at %lld %lld"
		" x %u - %u because %d %u acks %u %u clears %u %u read %u\n",
		(int)f->flow, f->from, f->initiator, f->foreign, f->takes_psn,
		f->about, f->acked, f->net_dup, f->late, f->acks, f->psn,
		f->frame, (long long)f->first_at, (long long)f->sent_at,
		f->copies, f->skipped, (int)f->cause, f->asked_frame,
		f->acks_from, f->acks_to, f->clears_from, f->clears_to,
		f->read_frame);
}

/* Records the frames that the judge names for the PSNs around a packet. */
static inline void told_frames(const struct judge *j)
{
	const uint32_t psn = judge_facts(j)->psn;

	fprintf(told_to, "  frames");
	for (uint32_t i = 0; i < 4; i++)
		fprintf(told_to, " %u", judge_frame(j, i % 2, psn - i / 2));
	fputs("\n", told_to);
}

static inline size_t told_push(struct judge *j, const struct judge_packet *p,
			       struct finding *ret, size_t max)
{
	const size_t n = judge_push(j, p, ret, max);

	if (told_wanted()) {
		told_facts(judge_facts(j));
		told_frames(j);
	}
	return told_findings(ret, n, max);
}

static inline size_t told_end(struct judge *j, vtime now, struct finding *ret,
			      size_t max)
{
	return told_findings(ret, judge_end(j, now, ret, max), max);
}

static inline void told_flow(void *arg, const struct judge_flow *f)
{
	(void)arg;
	fprintf(told_to, "  flow %d", (int)f->number);
	told_side(&f->addr[0]);
	told_side(&f->addr[1]);
	fprintf(told_to, " pdcid %04x %04x initiator %d%s%s%s%s%s\n",
		f->pdcid[0], f->pdcid[1], f->initiator,
		f->complete ? " complete" : "", f->rod ? " rod" : "",
		f->began ? " began" : "", f->closed ? " closed" : "",
		f->idle_evicted ? " evicted" : "");
	if (!f->stats)
		return;
	for (unsigned i = 0; i < 2; i++) {
		const struct judge_side_stats *s = &f->stats->side[i];

		fprintf(told_to,
			"    sent %u: %u requests, %u CPs, %u ACKs, %u NACKs,"
			" again %u %u %u, copies %u, covered %u\n",
			s->packets, s->requests, s->cps, s->acks, s->nacks,
			s->again[0], s->again[1], s->again[2], s->net_dups,
			s->covered);
	}
	for (unsigned i = 0; i < JUDGE_RTT; i++)
		if (f->stats->rtt[i])
			fprintf(told_to, "    rtt %u: %u\n", i,
				f->stats->rtt[i]);
}

/* Records how often each requirement was checked. */
static inline void told_checks(const struct judge *j)
{
	static uint64_t seen[REQ_COUNT][2];
	unsigned at = 0;

	memset(seen, 0, sizeof(seen));
	judge_seen_add(j, seen);
	for (unsigned r = 0; r < 2 * REQ_COUNT; r++) {
		if (!seen[r / 2][r % 2])
			continue;
		fprintf(told_to, "%s%s/%s %u",
			at % 5 ? ", "
			: at   ? ",\n    "
			       : "  checked ",
			req_get((enum req_id)(r / 2))->id,
			told_role(r % 2 ? REQ_DST : REQ_SRC),
			(unsigned)seen[r / 2][r % 2]);
		at++;
	}
	fputs(at ? "\n" : "", told_to);
}

static inline void told_free(struct judge *j)
{
	const struct judge_totals *t;

	if (j && told_wanted()) {
		told_checks(j);
		judge_flows(j, told_flow, NULL);
		t = judge_totals(j);
		fprintf(told_to, "  %u flows, %u forgotten, %u unmatched",
			(unsigned)t->flows, (unsigned)t->forgotten,
			(unsigned)t->unmatched);
		for (unsigned code = 0; code < 256; code++)
			if (t->nacks[code])
				fprintf(told_to, ", %u NACKs 0x%02x",
					(unsigned)t->nacks[code], code);
		fputs("\n", told_to);
		told_numbers("rtt", t->rtt, sizeof(t->rtt));
	}
	judge_free(j);
}

#define judge_push told_push
#define judge_end  told_end
#define judge_free told_free

#endif
