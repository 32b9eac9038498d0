/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run_over.c -- deviations behind which a case goes on.
 *
 * A line of a case builds on the lines before it: on the PSNs that they
 * numbered, on the packets that they saw.  A device that differs in something
 * else, such as a flag or the SES header, leaves both ends in a state that is
 * still certain.  The case reports that and goes on as if the line had been
 * met: always, if the declaration names the deviation, else with --step-over.
 */
#include <string.h>

#include "suite/match.h"
#include "suite/run_priv.h"

static const char *word_of(const char *item)
{
	const char *dot = strchr(item, '.');

	return dot ? dot + 1 : item;
}

static bool is_class(const char *item, const char *class)
{
	const size_t n = strlen(class);

	return strncmp(item, class, n) == 0 && item[n] == '.';
}

static bool is_one_of(const char *word, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return false;
}

/* The packet of a frame; false: there is none, or it does not parse. */
static bool packet_of(const struct runner *r, uint32_t frame,
		      struct packet *ret)
{
	for (size_t i = r->rec->nrecs; frame && i-- > 0;)
		if (r->rec->recs[i].frame == frame) {
			record_packet(r->rec, &r->rec->recs[i], ret);
			return ret->fault == PACKET_OK;
		}
	return false;
}

const struct deviation *over_known(const struct runner *r, const char *item,
				   uint32_t frame)
{
	const char *word = word_of(item);
	struct packet pkt;
	uint64_t v;

	if (!r->decl->deviations || !*item)
		return NULL;
	if (packet_of(r, frame, &pkt) && packet_value(&pkt, word, &v))
		return deviation_find(r->decl->deviations, item, &v);
	return deviation_find(r->decl->deviations, item, NULL);
}

/* ---- Packets that differ ---- */

/*
 * Events that leave it open what the device did, and fields of the PDS header
 * that change what either end does next.
 */
static bool is_decisive(const char *word)
{
	static const char *const words[] = {
		"type",   "malformed", "missing",  "resend",    "forbidden",
		"req",    "syn",       "ctl_type", "nack_code", "payload",
		"opcode", "pdc_info",  NULL};

	return is_one_of(word, words);
}

/* Serial numbers and ids of the PDS header: what later lines build on. */
static bool is_number_of_state(const struct packet *pkt, const char *word)
{
	struct packet_ref ref;

	if (!packet_find(pkt, 0, pkt->nses, word, strlen(word), &ref))
		return false;
	return !ref.field || ref.field->kind == FIELD_SEQ ||
	       ref.field->kind == FIELD_ID;
}

static bool is_behind_pds(const char *item)
{
	return is_class(item, "ses") || strcmp(word_of(item), "data") == 0 ||
	       strcmp(word_of(item), "same") == 0 ||
	       strcmp(word_of(item), "next_hdr") == 0;
}

static bool is_certain(const struct packet *pkt, const char *item)
{
	if (is_behind_pds(item))
		return true;
	return !is_decisive(word_of(item)) &&
	       !is_number_of_state(pkt, word_of(item));
}

/* One field of the PDS header at most; the rest lies behind it. */
bool over_packet(const struct runner *r, size_t index, const struct blame *what)
{
	const uint32_t frame = r->rec->recs[index].frame;
	struct packet pkt;
	size_t fields = 0;

	record_packet(r->rec, &r->rec->recs[index], &pkt);
	if (pkt.fault != PACKET_OK)
		return false;
	for (size_t i = 0; i < what->n; i++) {
		const char *item = what->item[i];

		if (over_known(r, item, frame))
			continue;
		if (!r->conf->step_over || !is_certain(&pkt, item))
			return false;
		fields += !is_behind_pds(item);
	}
	return what->n && fields <= 1;
}

/* A repeat that must not come changes nothing; the next line passes over it. */
bool over_forbidden(struct runner *r, size_t index, const char *item)
{
	struct rec *rec = &r->rec->recs[index];
	const struct scope_psn *p;
	struct packet pkt;

	record_packet(r->rec, rec, &pkt);
	if (pkt.fault != PACKET_OK)
		return false;
	p = scope_known(&r->scope, false, &pkt);
	if (!over_known(r, item, rec->frame) &&
	    !(r->conf->step_over && p && p->first != index))
		return false;
	if (!rec->allowed)
		rec->allowed = "must not come, and was stepped over";
	return true;
}

/* ---- Packets that do not come ---- */

static bool looks_or_sends(const struct step *s)
{
	switch (s->kind) {
	case STEP_SEND:
	case STEP_EXPECT:
	case STEP_ACKED:
	case STEP_ANY_ORDER:
	case STEP_ONE_OF:
	case STEP_POST:
		return true;
	default:
		return false;
	}
}

static bool holds(const struct step *group, const struct step *step)
{
	if (group == step)
		return true;
	for (size_t i = 0; i < group->ngroups; i++)
		for (const struct step *s = group->groups[i]; s; s = s->next)
			if (holds(s, step))
				return true;
	return false;
}

/* No later line of the case itself meets a packet, or makes one. */
static bool is_last(const struct runner *r, const struct step *step)
{
	const struct step *s = r->kase->chairs[r->rec->chair].first;

	while (s && !holds(s, step))
		s = s->next;
	if (!s || s->ngroups)
		return false;
	for (s = s->next; s; s = s->next)
		if (looks_or_sends(s) && strcmp(s->file, r->kase->path) == 0)
			return false;
	return true;
}

static bool binds(const struct runner *r, const struct term *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < t[i].nranges; j++) {
			const char *symbol = t[i].ranges[j].lo.symbol;

			if (symbol && !scope_find(&r->scope, symbol))
				return true;
		}
	return false;
}

/* Numbers that the packet would have brought. */
static bool is_needed(const struct runner *r, const struct step *step)
{
	const struct scope_pdc *pdc = r->scope.pdc;

	return binds(r, step->rung.pds, step->rung.npds) ||
	       binds(r, step->rung.ses_terms, step->rung.nses) ||
	       (pdc && (pdc->fwd_pending || pdc->ret_pending));
}

bool over_missing(const struct runner *r, const struct step *step,
		  const char *item)
{
	if (r->gone || step->kind != STEP_EXPECT || is_needed(r, step))
		return false;
	if (over_known(r, item, 0))
		return true;
	return r->conf->step_over && r->phase == PHASE_BODY && is_last(r, step);
}

/* ---- Reports ---- */

/*
 * What the device tells its SES changes no packet.  An operation that did not
 * end, or ended otherwise, is still open to the device: it may repeat itself.
 */
bool over_report(const struct runner *r, const struct step *step,
		 const char *item)
{
	const bool ends = step->report == REPORT_COMPLETED ||
			  step->report == REPORT_FAILED;

	if (over_known(r, item, 0))
		return true;
	if (!r->conf->step_over)
		return false;
	return !ends || strcmp(word_of(item), "missing") != 0 ||
	       is_last(r, step);
}
