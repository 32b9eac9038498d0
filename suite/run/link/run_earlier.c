/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_earlier.c -- sets aside the packets that a device sends on
 * PDCs of earlier cases.
 *
 * A device without a control channel is not reset between two cases.  It may
 * keep a PDC that it opened, use it for its next request to the tester, and
 * repeat what an earlier case left unanswered.  The tester has forgotten these
 * PDCs, and answers as any FEP without them: a request gets NACK INV_DPDCID,
 * after which the device closes the PDC and may open another.  If it gives up
 * the request instead, the case has no result.
 *
 * A repeated SYN of an earlier case gets no answer.  A target would take it for
 * a new PDC (uet.md 6.4).
 *
 * Spec: UET 3.5.8.2, 3.5.12.7 (uet.md 4.3, 6.4)
 */
#include "suite/run/link/run_earlier.h"

#include "suite/decl/decl_setting.h"
#include "suite/run/link/run_link.h"
#include "suite/run/run_settle.h"
#include "suite/run/scope/scope_make.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/record.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"

/*
 * Sends the NACK that answers a request, entry |index| of the record; it has
 * the entropy and the flags m and retx of that packet (uet.md 4.4).
 */
static void earlier_tell(struct runner *r, size_t index,
			 const struct packet *pkt)
{
	const struct field_value set[] = {
		{.name = "nack_code", .value = NACK_INV_DPDCID},
		{.name = "nack_psn", .value = packet_number(pkt, "psn")},
		{.name = "dpdcid", .value = packet_number(pkt, "spdcid")},
		{.name = "retx", .value = packet_number(pkt, "retx")},
		{.name = "m", .value = packet_number(pkt, "m")},
	};

	if (link_build_own(r, "nack", set, sizeof(set) / sizeof(set[0]),
			   r->rec->recs[index].entropy))
		link_send_aside(r, "the tester no longer has this PDC");
	else
		run_settle(r, REASON_CASE_WRONG, "no NACK can be built");
}

/*
 * Returns true for a repeated SYN of an earlier case.  Another SYN opens a PDC,
 * on which the device may send again what was refused.
 */
static bool is_old_syn(struct runner *r, const struct packet *pkt)
{
	if (scope_note_syn(&r->scope, (uint16_t)packet_number(pkt, "spdcid"),
			   (uint32_t)packet_number(pkt, "start_psn"),
			   packet_number(pkt, "retx")))
		return true;
	r->earlier = 0;
	return false;
}

/* A line may send from a PDCID of its own choice. */
static bool is_of_this_case(const struct runner *r, uint64_t dpdcid)
{
	const struct record *rec = r->rec;
	struct packet pkt;
	uint64_t spdcid;

	for (size_t i = 0; i < rec->nrecs; i++) {
		if (rec->recs[i].kind != REC_TX)
			continue;
		record_packet(rec, &rec->recs[i], &pkt);
		if (packet_value(&pkt, "spdcid", &spdcid) && spdcid == dpdcid)
			return true;
	}
	return false;
}

bool earlier_refuses(struct runner *r, size_t index)
{
	struct rec *rec = &r->rec->recs[index];
	const struct scope *s = &r->scope;
	struct packet pkt;
	uint64_t dpdcid;

	if (!s->taken)
		return false;
	record_packet(r->rec, rec, &pkt);
	if (packet_number(&pkt, "syn")) {
		if (!is_old_syn(r, &pkt))
			return false;
	} else if (!packet_value(&pkt, "dpdcid", &dpdcid) ||
		   !scope_is_earlier(s, (uint16_t)dpdcid) ||
		   is_of_this_case(r, dpdcid)) {
		return false;
	}
	rec->allowed = "belongs to a PDC of an earlier case";
	rec->fate = FATE_CROSSED;
	if (packet_number(&pkt, "syn"))
		return true;
	if (pds_is_request(pds_type_of(pkt.p)) && !packet_number(&pkt, "retx"))
		r->earlier++;
	if (pds_is_request(pds_type_of(pkt.p)) || link_is_close_command(&pkt))
		earlier_tell(r, index, &pkt);
	return true;
}

/*
 * The resources of a target, and the settings that limit them; SETTING_COUNT:
 * none.  A PDC may hold any number of messages.
 */
static const struct shortage {
	uint8_t code;
	bool by_request; /* a request holds one; else a PDC does */
	enum orc_setting limit;
	enum orc_setting by_peer; /* a limit for each peer */
} shortages[] = {
	{NACK_NO_PDC_AVAIL, false, SETTING_max_pdcs, SETTING_max_peer_pdcs},
	{NACK_NO_CCC_AVAIL, false, SETTING_max_cccs, SETTING_COUNT},
	{NACK_NO_BITMAP, false, SETTING_max_bitmaps, SETTING_COUNT},
	{NACK_NO_PKT_BUFFER, true, SETTING_max_pkt_buffers, SETTING_COUNT},
	{NACK_NO_GTD_DEL_AVAIL, true, SETTING_max_stored, SETTING_COUNT},
	{NACK_NO_SES_MSG_AVAIL, false, SETTING_COUNT, SETTING_COUNT},
	{NACK_NO_RESOURCE, false, SETTING_COUNT, SETTING_COUNT},
};

/* Returns the shortage that a NACK in this frame tells, or NULL. */
static const struct shortage *shortage_told(const struct record *rec,
					    uint32_t frame)
{
	struct packet pkt;
	uint64_t code = 0;

	for (size_t i = 0; i < rec->nrecs; i++) {
		if (rec->recs[i].kind != REC_RX || rec->recs[i].frame != frame)
			continue;
		record_packet(rec, &rec->recs[i], &pkt);
		if (!packet_value(&pkt, "nack_code", &code))
			return NULL;
	}
	for (size_t i = 0; i < sizeof(shortages) / sizeof(shortages[0]); i++)
		if (shortages[i].code == code)
			return &shortages[i];
	return NULL;
}

/* Returns the declared limit; 0 if there is none, or it is not known. */
static uint64_t earlier_limit(const struct runner *r, enum orc_setting setting)
{
	uint64_t limit = 0;

	if (setting == SETTING_COUNT ||
	    !decl_setting_find(r->decl, setting, &limit))
		return 0;
	return limit;
}

/*
 * Returns true if earlier cases may have caused the shortage: the device holds
 * such a resource for them, and with those of this case it may be the last of
 * the declared number.
 */
static bool may_be_kept(const struct runner *r, const struct shortage *of)
{
	const struct scope *s = &r->scope;
	const uint64_t limit = earlier_limit(r, of->limit);
	const uint64_t by_peer = earlier_limit(r, of->by_peer);
	const uint64_t kept =
		of->by_request ? s->taken->kept_requests : s->taken->kept;
	const uint64_t used = of->by_request ? s->npsns : s->npdcs;

	if (!kept)
		return false;
	return !limit || kept + used > limit ||
	       (by_peer && kept + used > by_peer);
}

const char *earlier_explains(const struct runner *r,
			     const struct rec_finding *f)
{
	const struct shortage *of;

	if (!r->scope.taken)
		return NULL;
	if (!f->frame && r->earlier)
		return "the device sent a request on a PDC of an earlier case";
	of = f->frame ? shortage_told(r->rec, f->frame) : NULL;
	if (of && may_be_kept(r, of))
		return "the device may keep resources for PDCs of earlier "
		       "cases, which it did not close";
	return NULL;
}
