/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_cause.c -- finds the first deviation of a case, and its
 * consequences.
 *
 * The tester follows the case's lines.
 *
 * Once the device deviates from them, later findings prove nothing: they stay
 * in the record as consequences, and fail no requirement.  A deviation in a
 * field that does not influence the tester hides nothing.
 */
#include "suite/run/blame/run_cause.h"

#include <string.h>

#include "base/text.h"
#include "suite/run/run_state.h"

/* Items on which the tester's next packet does not depend. */
static const char *const harmless[] = {
	"ar",
	"cc_flags",
	"cc_type",
	"ccx_type",
	"credit",
	"dscp",
	"ecn",
	"entropy",
	"hd",
	"header_data",
	"job_id",
	"m",
	"mpr",
	"nccx_type",
	"no_df",
	"ooo_count",
	"p",
	"payload",
	"pdc_info",
	"pid_on_fep",
	"probe_opaque",
	"rc",
	"rcv_cwnd_pend",
	"rcvd_bytes",
	"stale",
	"retx",
	"sack_bitmap",
	"sack_psn_offset",
	"service_time",
	"udp_checksum",
	"vendor_code",
	"version",
};

static bool is_harmless(const char *item, size_t len)
{
	const char *dot = memchr(item, '.', len);
	const size_t n = dot ? len - (size_t)(dot + 1 - item) : 0;

	if (!dot)
		return false;
	if (n > 4 && strncmp(dot + 1, "rsvd", 4) == 0)
		return true;
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if (strlen(harmless[i]) == n &&
		    memcmp(dot + 1, harmless[i], n) == 0)
			return true;
	return false;
}

/* Returns true if all items of a list are harmless.  An empty list is not. */
static bool are_harmless(const char *items)
{
	bool any = false;
	size_t n;

	for (const char *s = text_or(items, ""); *s; s += n) {
		s += strspn(s, " ,");
		n = strcspn(s, " ,");
		if (n && !is_harmless(s, n))
			return false;
		any |= n > 0;
	}
	return any;
}

/*
 * A line of the set-up that names a time for a row shows what the case builds
 * on: that a NACK is obeyed before the RTO, for instance.
 */
static bool is_shown_first(const struct rec_finding *f)
{
	return f->phase == PHASE_SETUP && f->blamed == BLAME_BY_LINE;
}

/*
 * Returns whether a finding hides later ones.  One after which the case
 * continued does not, nor does a packet that came late, unless the set-up is
 * there to show that it comes in time.
 */
static bool hides(const struct rec_finding *f)
{
	if (f->remark || f->known || (f->stepped && !f->shaken))
		return false;
	if (f->kind == KIND_TIMING)
		return is_shown_first(f);
	if (f->what[0])
		return !is_harmless(f->what, strlen(f->what));
	return !are_harmless(blame_governed(f->req));
}

/*
 * Returns true for a finding in a closing fragment, which is judged apart.
 */
static bool is_of_part(const struct rec_finding *f, bool teardown)
{
	return (f->phase == PHASE_TEARDOWN) == teardown;
}

static bool run_cause_ends_in(const char *what, const char *word)
{
	const char *dot = strchr(what, '.');

	return dot && strcmp(dot + 1, word) == 0;
}

/*
 * Returns how deep in the packet an item is: the kind of packet, the PDS
 * header, the SES header, the payload.  Deeper differences follow from higher
 * ones.
 */
static int depth_of(const char *what)
{
	static const char *const identity[] = {"psn", "ack_psn", "nack_psn",
					       "pkt_id"};

	for (size_t i = 0; i < sizeof(identity) / sizeof(identity[0]); i++)
		if (run_cause_ends_in(what, identity[i]))
			return 0;
	if (run_cause_ends_in(what, "data"))
		return 3;
	if (strncmp(what, "ses.", 4) == 0)
		return 2;
	return 1;
}

/*
 * Orders findings: musts first, then the higher layer, then the row that
 * governs fewer items.
 */
static bool run_cause_is_narrower(const struct rec_finding *a,
				  const struct rec_finding *b)
{
	const bool must = req_get(a->req)->level == REQ_M;

	if (must != (req_get(b->req)->level == REQ_M))
		return must;
	if (depth_of(a->what) != depth_of(b->what))
		return depth_of(a->what) < depth_of(b->what);
	return blame_width(blame_governed(a->req)) <
	       blame_width(blame_governed(b->req));
}

/*
 * Ranks the sources of a row: the line, a monitor, the tables, and last the
 * comparison of contents.  A wrong field makes the content wrong as well.
 */
static int tier_of(const struct rec_finding *f)
{
	if (f->blamed == BLAME_BY_CONTENT)
		return 3;
	if (f->blamed == BLAME_BY_LINE)
		return 0;
	if (f->blamed == BLAME_BY_MONITOR)
		return 1;
	return 2;
}

/*
 * Orders findings by time; at one packet by the certainty of the row, and
 * within a line by the order of its ids.
 */
static bool comes_before(const struct rec_finding *a,
			 const struct rec_finding *b)
{
	if (a->moment != b->moment)
		return a->moment < b->moment;
	if (tier_of(a) != tier_of(b))
		return tier_of(a) < tier_of(b);
	return !a->line && run_cause_is_narrower(a, b);
}

static const struct rec_finding *first_of(const struct record *rec,
					  bool teardown)
{
	const struct rec_finding *first = NULL;

	for (size_t i = 0; i < rec->nfindings; i++) {
		const struct rec_finding *f = &rec->findings[i];

		if (is_of_part(f, teardown) && hides(f) &&
		    (!first || comes_before(f, first)))
			first = f;
	}
	return first;
}

/*
 * Ids of one line to which the line gives the same item stand together, and
 * with a monitor who says what is wrong with a packet in another's place.
 */
static bool stands_with(const struct rec_finding *f,
			const struct rec_finding *first)
{
	if (f->moment < first->moment ||
	    (f->req == first->req && f->role == first->role))
		return true;
	/*
	 * after a monitor's finding the case continues to the line that tests
	 * it
	 */
	if (f->blamed == BLAME_BY_LINE && first->blamed != BLAME_BY_LINE)
		return true;
	if (f->moment != first->moment || first->blamed != BLAME_BY_LINE)
		return false;
	return f->blamed == BLAME_BY_LINE ||
	       (f->blamed == BLAME_BY_MONITOR &&
		run_cause_ends_in(first->what, "type"));
}

/*
 * Returns the first deviation after which the state is uncertain, or SIZE_MAX.
 */
static size_t shaken_at(const struct record *rec, bool teardown)
{
	for (size_t i = 0; i < rec->nfindings; i++)
		if (rec->findings[i].shaken && !rec->findings[i].remark &&
		    is_of_part(&rec->findings[i], teardown))
			return i;
	return SIZE_MAX;
}

static void run_cause_follow(struct runner *r, bool teardown)
{
	struct record *rec = r->rec;
	const struct rec_finding *first = first_of(rec, teardown);
	const struct rec_finding *body = teardown ? first_of(rec, false) : NULL;
	const size_t shaken = shaken_at(rec, teardown);

	for (size_t i = 0; i < rec->nfindings; i++) {
		struct rec_finding *f = &rec->findings[i];

		if (!is_of_part(f, teardown) || f->known)
			continue;
		if (f->stepped && !f->shaken && i < shaken)
			continue;
		f->consequence =
			body || i > shaken || (first && !stands_with(f, first));
	}
}

static bool is_proved(const struct record *rec, const struct rec_req *q)
{
	for (size_t i = 0; i < rec->nfindings; i++) {
		const struct rec_finding *f = &rec->findings[i];

		if (f->req == q->req && f->role == q->role && !f->remark &&
		    !f->consequence)
			return true;
	}
	return false;
}

void run_causes(struct runner *r)
{
	struct record *rec = r->rec;

	run_cause_follow(r, false);
	run_cause_follow(r, true);
	for (size_t i = 0; i < rec->nreqs; i++) {
		struct rec_req *q = &rec->reqs[i];

		if (!q->failed || is_proved(rec, q))
			continue;
		q->failed = false;
		q->masked = true;
	}
}
