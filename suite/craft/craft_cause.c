/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_cause.c -- requests that make a device give a certain
 * answer (an error, a guaranteed response) without a control verb.
 *
 * A device without the verb ses_policy answers as a case asks only if the
 * request carries what its declaration names as a cause: a resource index
 * without a buffer, an invalid memory key.  A message carries the cause in all
 * its packets.  If the declaration says that the cause works in the first
 * packet alone, each packet of the message becomes a message of its own, with
 * the same PSN: PSNs, clears and acknowledgements are those of the case.  A
 * repeated packet carries what its first copy carried.  If the declared cause
 * contradicts a field of the case, the case does not apply to the device.
 */
#include "suite/craft/craft_cause.h"

#include <string.h>

#include "base/err.h"
#include "suite/craft/craft_set.h"
#include "suite/craft/craft_state.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/record.h"
#include "wire/uet/uet_ses.h"

static const struct scope_psn *craft_cause_first_copy(struct craft *c)
{
	struct scope *s = c->s;

	if (craft_is_set(c, "pkt_id", false))
		return scope_pkt_find(
			s, true, (uint32_t)craft_value(c, "pkt_id", false));
	if (craft_is_set(c, "psn", false))
		return scope_psn_find(s, true,
				      (uint32_t)craft_value(c, "psn", false));
	return NULL;
}

/*
 * Returns the newest packet of that message that the tester sent, or NULL.  A
 * divided message counts under the id that the case gives it.
 */
static const struct scope_psn *of_message(const struct scope *s, uint64_t id)
{
	const struct scope_psn *found = NULL;

	for (size_t i = 0; i < s->npsns; i++) {
		const struct scope_psn *p = &s->psns[i];
		struct packet pkt;
		uint64_t v;

		if (!p->to_dut || (found && p->first < found->first))
			continue;
		record_packet(s->record, &s->record->recs[p->first], &pkt);
		if (!packet_value(&pkt, "message_id", &v))
			continue;
		if (p->divided)
			v = p->message_id;
		if (v == id)
			found = p;
	}
	return found;
}

/*
 * Returns true if a copy of the packet crossed the link: the device has
 * answered it already.
 */
static bool reached(const struct scope *s, const struct scope_psn *p)
{
	const struct record *r = s->record;

	for (size_t i = p->first; i < r->nrecs; i++) {
		const struct rec *rec = &r->recs[i];
		struct packet pkt;
		uint64_t id;

		if (rec->kind != REC_TX || rec->fate == FATE_DROPPED ||
		    rec->len < rec->whole ||
		    (p->pdc != SCOPE_RUDI && rec->pdc != p->pdc))
			continue;
		record_packet(r, rec, &pkt);
		if (packet_value(&pkt, p->pdc == SCOPE_RUDI ? "pkt_id" : "psn",
				 &id) &&
		    id == p->psn)
			return true;
	}
	return false;
}

static int not_so(struct craft *c, const char *why)
{
	craft_refuse(c, "the device has no ses_policy, and %s", why);
	return ERR_SUPPORT;
}

static bool is_single(struct craft *c)
{
	return !packet_layout_has(c->rung->type, c->rung->ses, true, "som", 3,
				  NULL) ||
	       (craft_value(c, "som", true) && craft_value(c, "eom", true));
}

/*
 * Returns true if one packet of a message may carry the cause, whichever it is,
 * and this is the only one: the case asks for one such answer, and no packet of
 * the message before this one carried a cause.
 */
static bool carries_alone(struct craft *c, const struct decl_cause *cause)
{
	const struct scope_psn *before =
		of_message(c->s, craft_value(c, "message_id", true));

	return cause && cause->packets == CAUSE_ANY && c->s->cause_times == 1 &&
	       !craft_value(c, "som", true) && !(before && before->cause);
}

/* Continues a message: puts in the cause of the message's first packet. */
static int craft_cause_go_on(struct craft *c, const struct decl_cause **ret)
{
	const struct scope_psn *before =
		of_message(c->s, craft_value(c, "message_id", true));
	const struct decl_cause *had = before ? before->cause : *ret;

	if (had && !*ret && (before->divided || had->packets == CAUSE_ANY))
		return 0; /* one packet alone carried it */
	if (had != *ret && !carries_alone(c, *ret))
		return not_so(c, "all packets of a message carry its cause");
	return 0;
}

/* Finds the cause that the packet must carry, from the packets before it. */
static int craft_cause_decide(struct craft *c, const struct decl_cause **ret)
{
	const struct scope_psn *first = craft_cause_first_copy(c);

	*ret = c->s->cause;
	if (first && first->cause != *ret && !reached(c->s, first))
		return not_so(c, "a copy carries what the first one carried");
	if (first) {
		*ret = first->cause;
		return 0;
	}
	if (craft_value(c, "som", true))
		return 0;
	return craft_cause_go_on(c, ret);
}

static int craft_cause_put(struct craft *c, const struct decl_field *f)
{
	const char *opcode = "opcode";

	if (!packet_layout_has(c->rung->type, c->rung->ses, true, f->field,
			       strlen(f->field), NULL))
		return not_so(c, "its cause is a field that this header has "
				 "not");
	if (strcmp(f->field, opcode) == 0 &&
	    craft_value(c, opcode, true) != f->value)
		return not_so(c, "its cause is of another operation");
	craft_put(c, f->field, true, f->value);
	return 0;
}

/* The message id of a packet that became a message of its own. */
static uint64_t divided_id(struct craft *c)
{
	return 0x8000 | (craft_value(c, "psn", false) & 0x7fff);
}

/* Makes the packet of a message a message of its own. */
static int craft_cause_divide(struct craft *c)
{
	const uint64_t opcode = craft_value(c, "opcode", true);
	const uint64_t at = craft_value(c, "message_offset", true);

	if (opcode != SES_SEND && opcode != SES_WRITE)
		return not_so(c, "its cause is of messages of one packet");
	c->s->divided = true;
	c->s->divided_id = (uint32_t)craft_value(c, "message_id", true);
	if (opcode == SES_WRITE)
		craft_put(c, "buffer_offset", true,
			  craft_value(c, "buffer_offset", true) + at);
	craft_drop(c, "message_offset", true);
	craft_drop(c, "payload_length", true);
	craft_put(c, "som", true, 1);
	craft_put(c, "eom", true, 1);
	craft_put(c, "message_id", true, divided_id(c));
	craft_put(c, "request_length", true, c->payload_len);
	return 0;
}

/*
 * Returns true for a packet of a message that the device would not answer as
 * the case says, and for those behind one.
 */
static bool must_divide(struct craft *c, const struct decl_cause *cause)
{
	const struct scope_psn *before;

	if (is_single(c))
		return false;
	if (cause)
		return cause->packets != CAUSE_ALL && !carries_alone(c, cause);
	if (craft_value(c, "som", true))
		return false;
	before = of_message(c->s, craft_value(c, "message_id", true));
	return before && before->divided;
}

/* Counts down "respond ... times=N", which ends at 0. */
static void craft_cause_count(struct scope *s)
{
	if (s->cause && s->cause_times && !--s->cause_times)
		s->cause = NULL;
}

int craft_cause(struct craft *c)
{
	const struct decl_cause *cause;
	int err;

	if (!c->s->causes)
		return 0;
	err = craft_cause_decide(c, &cause);
	if (err)
		return err;
	c->s->crafted = cause;
	if (c->rung->body == BODY_SAME)
		return 0;
	if (must_divide(c, cause)) {
		err = craft_cause_divide(c);
		if (err)
			return err;
	}
	for (const struct decl_field *f = cause ? cause->fields : NULL;
	     f && !err; f = f->next)
		err = craft_cause_put(c, f);
	if (!craft_cause_first_copy(c))
		craft_cause_count(c->s);
	return err;
}
