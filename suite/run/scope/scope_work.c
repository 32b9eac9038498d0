/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_work.c -- the tester's requests that the SES of the
 * device may still be working on.
 *
 * Spec: UET 3.5.12.2, 3.5.12.6 (uet.md 7.1, 7.4)
 */
#include "suite/run/scope/scope_work.h"

#include "base/serial.h"
#include "suite/run/scope/scope.h"
#include "suite/verdict/record.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"

static bool asks_for_ack(const struct packet *pkt)
{
	static const char *const flags[] = {"ar", "syn", "retx"};
	uint64_t v;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (packet_value(pkt, flags[i], &v) && v)
			return true;
	return false;
}

/* A bit of a SACK bitmap says that a request came, not that it was answered. */
static bool answers(const struct packet *pkt, uint32_t psn)
{
	uint64_t ack, cack;

	if (!packet_value(pkt, "cack_psn", &cack))
		return false;
	if (!packet_value(pkt, "ack_psn", &ack))
		ack = cack;
	return psn == ack || !serial_after(psn, (uint32_t)cack);
}

/* Returns whether a NACK says that the device did not keep the request. */
static bool refuses(const struct packet *pkt, uint32_t psn)
{
	uint64_t v, code = 0;

	packet_value(pkt, "nack_code", &code);
	return packet_value(pkt, "nack_psn", &v) && v == psn &&
	       code != NACK_RCVD_SES_PROCG;
}

struct scope_work scope_work_of(const struct scope *s, uint32_t psn,
				size_t index)
{
	const struct rec *recs = s->record->recs;
	const vspan most =
		s->decl->ack_time.value + s->decl->ack_time.tolerance;
	struct scope_work ret = {0};
	struct packet pkt;
	uint32_t used;

	for (size_t i = 0; i <= index; i++) {
		if (recs[i].pdc != recs[index].pdc)
			continue;
		if (recs[i].kind != REC_TX && recs[i].kind != REC_RX)
			continue;
		record_packet(s->record, &recs[i], &pkt);
		if (recs[i].kind == REC_RX) {
			ret.open &= !answers(&pkt, psn);
			if (refuses(&pkt, psn))
				ret = (struct scope_work){0};
			continue;
		}
		if (recs[i].fate == FATE_DROPPED ||
		    !scope_psn_used(&pkt, &used) || used != psn)
			continue;
		if (!ret.copies++)
			ret.open = recs[index].at - recs[i].at <= most;
		ret.asked |= asks_for_ack(&pkt);
	}
	return ret;
}
