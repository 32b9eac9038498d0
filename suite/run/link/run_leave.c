/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_leave.c -- closes the PDCs that a case leaves open.
 *
 * A device without a control channel is not reset between two cases.  Resources
 * that it holds for old PDCs, such as stored responses, are missing in the next
 * case.  So the tester clears all that it has received, closes the PDCs
 * that it opened, and asks the device to close its own.  A device that does not
 * answer in ack_time, or that does not claim to close, keeps them.
 *
 * Spec: UET 3.5.8.3, 3.5.16.4 (uet.md 6.7)
 */
#include "suite/run/link/run_leave.h"

#include "base/serial.h"
#include "suite/decl/capability.h"
#include "suite/dut/dut.h"
#include "suite/run/link/run_link.h"
#include "suite/run/scope/scope_make.h"
#include "suite/run/scope/scope_state.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"

#define LEAVE_MOST (200 * VSPAN_MS) /* for a device with long times */

/* The PDCs on which the tester awaits an answer. */
struct leave {
	struct runner *r;
	bool awaits[SCOPE_PDCS];
	uint32_t n;
};

/* A packet that cannot be sent is left out. */
static void leave_send(struct runner *r, const char *type,
		       const struct field_value *set, size_t n)
{
	if (link_build_own(r, type, set, n, r->scope.entropy))
		r->dut->ops->send(r->dut, &r->out);
}

static void leave_cp(struct runner *r, const struct scope_pdc *pdc,
		     uint64_t type, const char *field, uint32_t psn)
{
	const struct field_value set[] = {
		{.name = "ctl_type", .value = type},
		{.name = field, .value = psn},
		{.name = "ar", .value = type != PDS_CP_CLEAR_COMMAND},
		{.name = "spdcid", .value = pdc->spdcid},
		{.name = "dpdcid", .value = pdc->dpdcid},
	};

	leave_send(r, "cp", set, sizeof(set) / sizeof(set[0]));
}

/* Acknowledges the Close Command of the device. */
static void leave_ack(struct runner *r, const struct scope_pdc *pdc,
		      uint64_t psn, uint64_t retx)
{
	const struct field_value set[] = {
		{.name = "ack_psn", .value = psn},
		{.name = "cack_psn", .value = psn},
		{.name = "retx", .value = retx},
		{.name = "spdcid", .value = pdc->spdcid},
		{.name = "dpdcid", .value = pdc->dpdcid},
	};

	leave_send(r, "ack", set, sizeof(set) / sizeof(set[0]));
}

/* Begins to close a PDC.  Return: whether the device will answer. */
static bool leave_pdc(struct runner *r, const struct scope_pdc *pdc)
{
	if (!pdc->dpdcid || pdc->closed)
		return false;
	if (pdc->rx_syn) {
		if (!decl_claims(r->decl, "close.initiator"))
			return false;
		leave_cp(r, pdc, PDS_CP_CLOSE_REQUEST, "psn", pdc->tx_next);
		return true;
	}
	leave_cp(r, pdc, PDS_CP_CLEAR_COMMAND, "clear_psn", pdc->tx_acked);
	if (!decl_claims(r->decl, "close.target"))
		return false;
	leave_cp(r, pdc, PDS_CP_CLOSE_COMMAND, "psn", pdc->tx_next);
	return true;
}

/*
 * Returns true if a packet of the device ends a PDC: an answer to the tester's
 * Close Command, or a Close Command of its own.
 */
static bool leave_ends(struct runner *r, const struct scope_pdc *pdc,
		       const struct packet *pkt)
{
	uint64_t psn = 0;

	if (packet_value(pkt, "nack_psn", &psn))
		return psn == pdc->tx_next;
	if (!pdc->rx_syn)
		return packet_value(pkt, "ack_psn", &psn) &&
		       psn == pdc->tx_next;
	if (!link_is_close_command(pkt) || !packet_value(pkt, "psn", &psn))
		return false;
	leave_ack(r, pdc, psn, packet_number(pkt, "retx"));
	return true;
}

static void leave_arrived(struct leave *l, const struct dgram *d)
{
	struct scope *s = &l->r->scope;
	uint64_t dpdcid = 0, spdcid, start;
	struct packet pkt;

	packet_parse(d->family, &pkt, d->data, d->len);
	if (packet_value(&pkt, "start_psn", &start) &&
	    packet_value(&pkt, "spdcid", &spdcid))
		scope_note_syn(s, (uint16_t)spdcid, (uint32_t)start, false);
	if (!packet_value(&pkt, "dpdcid", &dpdcid))
		return;
	for (uint8_t i = 0; i < s->npdcs; i++)
		if (l->awaits[i] && s->pdcs[i].spdcid == dpdcid &&
		    leave_ends(l->r, &s->pdcs[i], &pkt)) {
			l->awaits[i] = false;
			l->n--;
		}
}

/* Counts what the device may still hold for a PDC that it has not closed. */
static void leave_kept(struct runner *r, const struct scope_pdc *pdc)
{
	const int32_t n = serial_diff(pdc->tx_next - 1, pdc->tx_acked);

	if (!pdc->dpdcid && !pdc->tx_any)
		return;
	r->taken.kept++;
	if (pdc->tx_any && n > 0)
		r->taken.kept_requests += (uint32_t)n;
}

void leave_pdcs(struct runner *r)
{
	struct leave l = {.r = r};
	vspan most = r->decl->ack_time.value + r->decl->ack_time.tolerance;
	vtime until;

	if (!r->scope.taken || !r->spoke || r->gone || r->interrupted)
		return;
	for (uint8_t i = 0; i < r->scope.npdcs; i++) {
		const struct scope_pdc *pdc = &r->scope.pdcs[i];

		l.awaits[i] = leave_pdc(r, pdc);
		l.n += l.awaits[i];
		if (!l.awaits[i] && !pdc->closed)
			leave_kept(r, pdc);
	}
	if (most > LEAVE_MOST)
		most = LEAVE_MOST;
	until = r->dut->ops->now(r->dut) + most;
	r->dut->end = until;
	while (l.n && r->dut->ops->now(r->dut) < until) {
		if (r->dut->ops->next(r->dut, until, &r->ev) ||
		    r->ev.kind == DUT_GONE)
			break;
		if (r->ev.kind == DUT_DGRAM)
			leave_arrived(&l, &r->ev.d);
	}
	for (uint8_t i = 0; i < r->scope.npdcs; i++)
		if (l.awaits[i])
			leave_kept(r, &r->scope.pdcs[i]);
}
