/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/uet/uet_build.c -- builds bytes from words and values.
 *
 * The words name the headers, but values select among their variants, and
 * values are written into headers.  So the builder selects headers and writes
 * values until the selection no longer changes.  The headers are built on the
 * stack; only a packet without errors is copied to the caller.
 *
 * Spec: UET 3.5.10, 3.4.2 (uet.md 2, 3, 5)
 */
#include "wire/uet/uet_build.h"

#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "base/word.h"
#include "wire/dgram.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"

#define HEAD_MAX      192 /* bytes; the longest sequence of headers has 144 */
#define BUILD_DERIVED 16  /* derived values that a packet may set */

/* A packet under construction: its headers, without the payload. */
struct build {
	const struct packet_spec *spec;
	const struct shape *shape;
	uint64_t type;
	unsigned next;
	const struct packet_plan *plan; /* has all places; NULL: none */
	struct packet pkt;              /* its sections point into |head| */
	uint8_t head[HEAD_MAX];
};

static bool names_field_of(const struct packet_spec *spec,
			   const struct header *h)
{
	for (size_t i = 0; i < spec->nset; i++) {
		const struct field_value *set = &spec->set[i];

		if (!set->ses && header_field(h, set->name, strlen(set->name)))
			return true;
	}
	return false;
}

/*
 * Selects one of the two Negotiation payloads.  A parser selects by length and
 * content, the builder by the names that are set.
 */
static void settle_negotiation(struct build *b)
{
	struct section *tail = &b->pkt.sec[1];

	if (b->type != PDS_CP ||
	    packet_section_value(&b->pkt, 0, "ctl_type") != PDS_CP_NEGOTIATION)
		return;
	if (names_field_of(b->spec, &cp_negotiation_header))
		tail->h = &cp_negotiation_header;
	else
		tail->h = &cp_payload_header;
	b->pkt.payload = tail->at + tail->h->len;
}

/* Finds the sections that the bytes in b->head require so far. */
static void build_lay(struct build *b)
{
	b->pkt = (struct packet){
		.p = b->head, .len = sizeof(b->head), .format = &uet_format};
	layout_pds(&b->pkt, b->shape);
	settle_negotiation(b);
	b->pkt.nses = b->pkt.nsec;
	if (b->next)
		layout_ses(&b->pkt, b->next);
}

static bool same_layout(const struct packet *a, const struct packet *b)
{
	for (unsigned i = 0; i < a->nsec && i < b->nsec; i++)
		if (a->sec[i].h != b->sec[i].h)
			return false;
	return a->nsec == b->nsec;
}

static int sack_set(struct build *b, unsigned sec, uint32_t value)
{
	const struct field *f =
		header_field(b->pkt.sec[sec].h, layout_sack.offset,
			     strlen(layout_sack.offset));
	uint32_t cack =
		(uint32_t)packet_section_value(&b->pkt, sec - 1, "cack_psn");
	uint64_t distance = (uint64_t)(int64_t)serial_diff(value, cack);

	if (!field_fits(f, distance))
		return ERR_VALUE;
	field_set(f, b->head + b->pkt.sec[sec].at, distance);
	return 0;
}

static int ref_set(struct build *b, const struct packet_ref *ref,
		   uint64_t value)
{
	const struct section *s = &b->pkt.sec[ref->sec];

	if (ref->field) {
		if (!field_fits(ref->field, value))
			return ERR_VALUE;
		field_set(ref->field, b->head + s->at, value);
		return 0;
	}
	if (value > UINT32_MAX)
		return ERR_VALUE;
	if (ref->derived == &layout_sack)
		return sack_set(b, ref->sec, (uint32_t)value);
	return derived_set(s->h, ref->derived, b->head + s->at,
			   (uint32_t)value);
}

static bool build_find(const struct build *b, const struct field_value *set,
		       struct packet_ref *ret)
{
	const struct packet *pkt = &b->pkt;

	return packet_find(pkt, set->ses ? pkt->nses : 0,
			   set->ses ? pkt->nsec : pkt->nses, set->name,
			   strlen(set->name), ret);
}

/* The derived values that are set, which follow the fields. */
struct derived_set {
	struct packet_ref ref[BUILD_DERIVED];
	size_t at[BUILD_DERIVED]; /* the index in spec->set */
	size_t n;
};

/*
 * Writes the fields and lists the derived values; *ret_bad is the index of the
 * first one that failed.
 */
static int build_fields(struct build *b, struct derived_set *late, int *ret_bad)
{
	int err = 0;

	for (size_t i = 0; i < b->spec->nset; i++) {
		const struct field_value *set = &b->spec->set[i];
		struct packet_ref ref;
		int e = ERR_VALUE;

		if (b->plan)
			ref = b->plan->ref[i];
		if (b->plan || build_find(b, set, &ref)) {
			if (ref.derived && late->n < BUILD_DERIVED) {
				late->ref[late->n] = ref;
				late->at[late->n++] = i;
				continue;
			}
			if (!ref.derived)
				e = ref_set(b, &ref, set->value);
		}
		if (e && !err) {
			err = e;
			*ret_bad = (int)i;
		}
	}
	return err;
}

/* Writes the derived values, whose bases are written. */
static int build_derived(struct build *b, const struct derived_set *late,
			 int *ret_bad)
{
	for (size_t k = 0; k < late->n; k++) {
		const size_t i = late->at[k];
		int err = ref_set(b, &late->ref[k], b->spec->set[i].value);

		if (err) {
			*ret_bad = (int)i;
			return err;
		}
	}
	return 0;
}

/*
 * Writes all words and values into the current sections.  *ret_bad is the index
 * of the value that failed, -1: none.
 */
static int build_fill(struct build *b, int *ret_bad)
{
	struct pds_prologue h = {.type = (uint8_t)b->type};
	struct derived_set late;
	int err;

	if (b->shape->next)
		h.next_hdr = (uint8_t)b->next;
	memset(b->head, 0, sizeof(b->head));
	pds_prologue_put(&h, b->head);
	*ret_bad = -1;
	late.n = 0;
	err = build_fields(b, &late, ret_bad);
	if (err)
		return err;
	return build_derived(b, &late, ret_bad);
}

/*
 * Selects headers and writes values until nothing changes, since a value may
 * select a header with another such value (cc_type, then amo_opcode).  This
 * takes at most three rounds.  Returns the error of the last round.
 */
static int build_settle(struct build *b, int *ret_bad)
{
	struct packet last;
	int err = 0;

	build_lay(b);
	for (int i = 0; i < 4; i++) {
		last = b->pkt;
		err = build_fill(b, ret_bad);
		build_lay(b);
		if (same_layout(&last, &b->pkt))
			return err;
	}
	return build_fill(b, ret_bad);
}

/* ---- Plans ---- */

/* Returns where the plan of the packet is, or would be. */
static struct packet_plan *plan_slot(const struct build *b)
{
	uint64_t sum = b->type << 8 | b->next;

	for (size_t i = 0; i < b->spec->nset; i++)
		sum = sum * 31 + (uintptr_t)b->spec->set[i].name;
	sum *= 0x9e3779b97f4a7c15u;
	return &b->spec->plans->v[(sum >> 32) % PACKET_PLANS];
}

static const char *ref_name(const struct packet_ref *ref)
{
	return ref->field ? ref->field->name : ref->derived->name;
}

static bool plan_is_of(const struct packet_plan *plan, const struct build *b)
{
	const struct packet_spec *spec = b->spec;

	if (!plan->pkt.format || plan->type != b->type ||
	    plan->next != b->next || plan->nset != spec->nset)
		return false;
	for (size_t i = 0; i < spec->nset; i++)
		if ((plan->ses >> i & 1) != spec->set[i].ses ||
		    !word_same(ref_name(&plan->ref[i]), spec->set[i].name))
			return false;
	return true;
}

/*
 * Writes the values where the plan says.  Return: false if these values are
 * wrong, or select other headers.
 */
static bool build_by_plan(struct build *b, const struct packet_plan *plan)
{
	int bad, err;

	b->pkt = plan->pkt;
	b->pkt.p = b->head;
	b->plan = plan;
	err = build_fill(b, &bad);
	b->plan = NULL;
	if (err)
		return false;
	build_lay(b);
	return same_layout(&plan->pkt, &b->pkt);
}

/* Keeps the places of the values of a packet that was built. */
static void plan_keep(struct packet_plan *plan, const struct build *b)
{
	plan->pkt = b->pkt;
	plan->type = b->type;
	plan->next = b->next;
	plan->nset = b->spec->nset;
	plan->ses = 0;
	for (size_t i = 0; i < plan->nset; i++) {
		const struct field_value *set = &b->spec->set[i];

		plan->ses |= (uint32_t)set->ses << i;
		if (!build_find(b, set, &plan->ref[i]))
			plan->pkt.format = NULL;
	}
}

/* build_settle() with the plans of the caller. */
static int build_settle_planned(struct build *b, int *ret_bad)
{
	struct packet_plan *plan;
	int err;

	if (!b->spec->plans || b->spec->nset > PACKET_PLAN_SETS)
		return build_settle(b, ret_bad);
	plan = plan_slot(b);
	if (plan_is_of(plan, b) && build_by_plan(b, plan))
		return 0;
	err = build_settle(b, ret_bad);
	if (!err)
		plan_keep(plan, b);
	return err;
}

static bool laid_out(const struct packet *pkt, const struct header *h)
{
	for (unsigned i = pkt->nses; i < pkt->nsec; i++)
		if (pkt->sec[i].h == h)
			return true;
	return false;
}

/* Adds the requested extensions that the opcode does not require. */
static int build_extend(struct build *b)
{
	for (unsigned i = 0; i < 2 && b->spec->ext[i]; i++) {
		const struct header *const *h = layout_exts;

		while (*h && strcmp((*h)->name, b->spec->ext[i]))
			h++;
		if (!*h)
			return ERR_SUPPORT;
		if (!laid_out(&b->pkt, *h))
			packet_take(&b->pkt, *h);
	}
	return 0;
}

static int build_emit(const struct build *b, uint8_t *p, size_t size)
{
	const size_t head = b->pkt.payload, data = b->spec->payload_len;

	if (data > DGRAM_MAX || head + data > size)
		return ERR_SPACE;
	memcpy(p, b->head, head);
	if (!b->spec->payload)
		memset(p + head, 0, data);
	else if (data)
		memcpy(p + head, b->spec->payload, data);
	return (int)(head + data);
}

int uet_packet_build(uint8_t *p, size_t size, const struct packet_spec *spec,
		     int *ret_bad)
{
	struct build b = {.spec = spec, .next = layout_ses_code(spec->ses)};
	int err, ignored;

	if (!ret_bad)
		ret_bad = &ignored;
	*ret_bad = -1;
	b.shape = layout_shape(spec->type, &b.type);
	if (!b.shape || (spec->ses && !b.next))
		return ERR_SUPPORT;
	err = build_settle_planned(&b, ret_bad);
	if (spec->ext[0]) {
		err = build_extend(&b);
		if (!err)
			err = build_fill(&b, ret_bad);
	}
	if (err)
		return err;
	return build_emit(&b, p, size);
}

const struct packet_format uet_format = {
	.parse = uet_packet_parse,
	.word = uet_packet_word,
	.is_word = uet_packet_is_word,
	.types = pds_types,
	.has = uet_packet_has,
	.build = uet_packet_build,
	.across = &layout_sack,
	.has_across = layout_has_sack,
	.across_get = uet_packet_across_get,
	.is_idle = uet_packet_is_idle,
};
