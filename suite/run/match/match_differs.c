/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/match/match_differs.c -- lists the fields in which a packet differs
 * from a line, as items of requirements.
 */
#include "suite/run/match/match_differs.h"

#include <stdio.h>
#include <string.h>

#include "suite/run/match/match.h"
#include "suite/run/match/match_state.h"
#include "suite/run/match/match_term.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/packet.h"

/*
 * Returns true for fields that identify the packet: another value means another
 * packet.
 */
static bool is_identity(const char *name)
{
	static const char *const names[] = {"psn", "ack_psn", "nack_psn",
					    "pkt_id", "msg_id"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static const struct term *other_packet(const struct match_seen *v,
				       const struct rung *rung, bool exact)
{
	for (size_t i = 0; i < rung->npds; i++)
		if (is_identity(rung->pds[i].name) &&
		    !match_term_fits(v, &rung->pds[i], false, exact))
			return &rung->pds[i];
	return NULL;
}

/*
 * Compares the SES part.  If the header or opcode differs, other differences
 * are ignored, because they follow from it.
 */
static bool ses_differs(const struct match_seen *v, const struct rung *rung,
			bool exact, struct blame *ret)
{
	if (!match_ses_fits(v, rung, exact)) {
		blame_add(ret, "ses", "header");
		return true;
	}
	for (size_t i = 0; i < rung->nses; i++) {
		const struct term *t = &rung->ses_terms[i];

		if (match_ses_term_fits(v, rung, t, exact))
			continue;
		blame_add(ret, "ses", t->name);
		if (strcmp(t->name, "opcode") == 0)
			return true;
	}
	return false;
}

static const char *match_class_of(const struct rung *rung)
{
	return blame_class(rung->type);
}

/*
 * Returns true for a retransmission whose CLEAR_PSN is older than the line's,
 * but not older than in its first transmission.
 */
static bool is_stale(const struct match_seen *v, const struct term *t)
{
	enum psn_space space = match_field_space(v, t->name);
	struct packet_ref ref;
	uint64_t retx, want;

	if (strcmp(t->name, "clear_psn") != 0 || t->op != TERM_EQ ||
	    !packet_value(v->pkt, "retx", &retx) || !retx ||
	    !match_find(v, t, false, &ref) ||
	    !match_number(v, &t->ranges[0].lo, space, &want))
		return false;
	return match_compare(&ref, packet_get(v->pkt, &ref), want) < 0;
}

static void pds_differs(const struct match_seen *v, const struct rung *rung,
			bool exact, struct blame *ret)
{
	for (size_t i = 0; i < rung->npds; i++) {
		const struct term *t = &rung->pds[i];

		if (!match_term_fits(v, t, false, exact))
			blame_add(ret, match_class_of(rung),
				  is_stale(v, t) ? "stale" : t->name);
	}
}

static void fields_differ(const struct match_seen *v, const struct rung *rung,
			  bool exact, struct blame *ret)
{
	const struct term *other = other_packet(v, rung, exact);

	if (other) {
		blame_add(ret, match_class_of(rung), other->name);
		return;
	}
	pds_differs(v, rung, exact, ret);
	if (blame_has(ret, "ack.next_hdr") || blame_has(ret, "req.next_hdr") ||
	    ses_differs(v, rung, exact, ret) || match_body_fits(v, rung))
		return;
	blame_add(ret, match_class_of(rung),
		  rung->body == BODY_SAME ? "same" : "data");
}

void match_differs(const struct scope *s, const struct rung *rung, size_t index,
		   bool exact, struct blame *ret)
{
	struct match_seen v;

	ret->n = 0;
	match_open(&v, s, rung->pdc, index);
	if (v.pkt->fault != PACKET_OK)
		blame_add(ret, match_class_of(rung), "malformed");
	else if (rung->raw || !match_type_fits(&v, rung->type, exact))
		blame_add(ret, match_class_of(rung), "type");
	else
		fields_differ(&v, rung, exact, ret);
	if (!ret->n) /* a packet of another PDC */
		blame_add(ret, match_class_of(rung), "type");
}

const char *match_absence(const struct rung *rung)
{
	if (rung->body == BODY_SAME)
		return "resend";
	for (size_t i = 0; i < rung->npds; i++)
		if (strcmp(rung->pds[i].name, "retx") == 0 &&
		    rung->pds[i].op == TERM_EQ &&
		    rung->pds[i].ranges[0].lo.value)
			return "resend";
	return "missing";
}

void match_looks(const struct rung *rung, struct blame *ret)
{
	ret->n = 0;
	for (size_t i = 0; i < rung->npds; i++)
		if (rung->pds[i].op != TERM_ANY)
			blame_add(ret, match_class_of(rung), rung->pds[i].name);
	if (rung->ses)
		blame_add(ret, "ses", "header");
	for (size_t i = 0; i < rung->nses; i++)
		if (rung->ses_terms[i].op != TERM_ANY)
			blame_add(ret, "ses", rung->ses_terms[i].name);
	if (rung->body != BODY_NONE)
		blame_add(ret, match_class_of(rung),
			  rung->body == BODY_SAME ? "same" : "data");
	blame_add(ret, match_class_of(rung), "type");
	blame_add(ret, match_class_of(rung), match_absence(rung));
}

bool match_item(const struct record *r, size_t index, const char *field,
		size_t len, char ret[static BLAME_ITEM])
{
	struct packet_ref ref;
	struct packet pkt;
	const char *class;

	record_packet(r, &r->recs[index], &pkt);
	class = blame_class(packet_word(&pkt));
	if (packet_find(&pkt, pkt.nses, pkt.nsec, field, len, &ref))
		class = "ses";
	if (packet_find(&pkt, 0, pkt.nses, field, len, &ref))
		class = blame_class(packet_word(&pkt));
	else if (strcmp(class, "ses") != 0)
		return false;
	snprintf(ret, BLAME_ITEM, "%s.%.*s", class, (int)len, field);
	return true;
}
