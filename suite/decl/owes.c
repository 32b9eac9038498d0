/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/owes.c -- the duties of a device: owes_take() checks the UDP and
 * IP headers of the packets in a record.  The result does not affect the
 * verdict.
 *
 * Spec: UET 3.5.10.1, 3.6.16.4 (uet.md 1.2 to 1.4)
 */
#include "suite/decl/owes.h"

#include <inttypes.h>
#include <string.h>

#include "wire/dgram.h"
#include "wire/packet.h"

static bool owes_is_request(const struct packet *pkt)
{
	const char *word = packet_word(pkt);

	return strncmp(word, "rud_", 4) == 0 || strncmp(word, "rod_", 4) == 0 ||
	       strcmp(word, "rudi_req") == 0;
}

static bool owes_is_answer(const struct packet *pkt)
{
	const char *word = packet_word(pkt);

	return strncmp(word, "ack", 3) == 0 || strncmp(word, "nack", 4) == 0;
}

static void owes_note(struct duty *duty, bool kept, unsigned got)
{
	duty->kept += kept;
	duty->broken += !kept;
	if (!kept)
		duty->got = got;
}

/*
 * Returns the tester's newest request with that PSN before entry |before|, or
 * NULL.
 */
static const struct rec *asked(const struct record *r, size_t before,
			       uint64_t psn)
{
	struct packet pkt;
	uint64_t v;

	for (size_t i = before; i-- > 0;) {
		const struct rec *rec = &r->recs[i];

		if (rec->kind != REC_TX || !rec->frame)
			continue;
		record_packet(r, rec, &pkt);
		if (owes_is_request(&pkt) && packet_value(&pkt, "psn", &v) &&
		    v == psn)
			return rec;
	}
	return NULL;
}

/* "ACK and NACK packets are sent with the EV of the packet they answer" */
static void owes_take_answer(struct owes *o, const struct record *r,
			     size_t index, const struct packet *pkt)
{
	const struct rec *rec = &r->recs[index], *req;
	uint64_t psn;

	if (!packet_value(pkt, "ack_psn", &psn) &&
	    !packet_value(pkt, "nack_psn", &psn))
		return;
	req = asked(r, index, psn);
	if (req && req->entropy)
		owes_note(&o->entropy, rec->entropy == req->entropy,
			  rec->entropy);
}

/* The PDC of the previous message. */
struct pdc_seen {
	uint64_t spdcid;
	bool any;
};

/*
 * Checks the first packet of a message: is it on the PDC of the previous
 * message?
 */
static void owes_take_message(struct owes *o, struct pdc_seen *last,
			      const struct packet *pkt)
{
	uint64_t som = 0, retx = 0, spdcid;

	packet_value(pkt, "som", &som);
	packet_value(pkt, "retx", &retx);
	if (!som || retx || !packet_value(pkt, "spdcid", &spdcid))
		return;
	if (last->any && last->spdcid == spdcid)
		o->same_pdc = true;
	else if (last->any)
		o->other_pdc = true;
	*last = (struct pdc_seen){spdcid, true};
}

static void owes_take_request(struct owes *o, const struct record *r,
			      const struct rec *rec, const struct packet *pkt,
			      const struct decl *d)
{
	const bool plain = strcmp(r->id, "probe/send@initiator") == 0;

	owes_note(&o->ect, rec->ecn != ECN_NOT_ECT, rec->ecn);
	owes_note(&o->dscp_data, rec->dscp == d->dscp_data, rec->dscp);
	if (plain && !o->header && pkt->nses < pkt->nsec)
		o->header = pkt->sec[pkt->nses].h->name;
}

void owes_take(struct owes *o, const struct record *r, const struct decl *d)
{
	struct pdc_seen last = {.any = false};
	struct packet pkt;

	for (size_t i = 0; i < r->nrecs; i++) {
		const struct rec *rec = &r->recs[i];

		if (rec->kind != REC_RX || !rec->frame)
			continue;
		record_packet(r, rec, &pkt);
		if (pkt.fault != PACKET_OK)
			continue;
		if (owes_is_request(&pkt)) {
			owes_take_request(o, r, rec, &pkt, d);
			owes_take_message(o, &last, &pkt);
			continue;
		}
		if (!owes_is_answer(&pkt))
			continue;
		owes_note(&o->dscp_control, rec->dscp == d->dscp_control,
			  rec->dscp);
		owes_take_answer(o, r, i, &pkt);
	}
}

/* ---- The texts of the duties ---- */

#define NWHAT 4

struct owes_row {
	const char *what;
	const struct duty *duty;
	unsigned want;
	const char *key; /* of the declaration, or NULL */
};

static void owes_rows_of(const struct owes *o, const struct decl *d,
			 struct owes_row rows[static NWHAT])
{
	rows[0] = (struct owes_row){
		"answers come from the UDP source port of what "
		"they answer",
		&o->entropy, 0, NULL};
	rows[1] = (struct owes_row){"requests are ECN-capable", &o->ect,
				    ECN_ECT0, NULL};
	rows[2] = (struct owes_row){"requests have the declared DSCP",
				    &o->dscp_data, d->dscp_data, "data"};
	rows[3] =
		(struct owes_row){"ACKs and NACKs have the declared DSCP",
				  &o->dscp_control, d->dscp_control, "control"};
}

static void print_broken(const struct owes_row *row, struct text *t)
{
	text_printf(t, "%zu of %zu do not: %u", row->duty->broken,
		    row->duty->broken + row->duty->kept, row->duty->got);
	if (row->want)
		text_printf(t, ", not %u", row->want);
}

static void print_strays(const struct owes *o, struct text *t)
{
	text_printf(t,
		    "%" PRIu64 " datagrams came to the tester's source port "
		    "instead",
		    o->strays);
}

static void print_row(const struct owes_row *row, struct text *t)
{
	text_printf(t, "#   %s: ", row->what);
	if (row->duty->broken)
		print_broken(row, t);
	else
		text_puts(t, row->duty->kept ? "yes" : "not seen");
	text_puts(t, "\n");
}

void owes_print(const struct owes *o, const struct decl *d, struct text *t)
{
	struct owes_row rows[NWHAT];

	owes_rows_of(o, d, rows);
	text_printf(t,
		    "# What every device must do, whatever it claims "
		    "(docs/dut-control.md):\n"
		    "#   answers go to UDP port %u: ",
		    (unsigned)d->udp_port);
	if (o->strays)
		print_strays(o, t);
	else
		text_puts(t, o->dscp_control.kept + o->dscp_control.broken
				     ? "yes"
				     : "not seen");
	text_puts(t, "\n");
	for (size_t i = 0; i < NWHAT; i++)
		print_row(&rows[i], t);
	text_printf(t,
		    "# What it chooses:\n"
		    "#   header of a send of one packet: %s\n"
		    "#   PDC of a message behind another one: %s\n\n",
		    o->header ? o->header : "not seen",
		    o->other_pdc  ? "another"
		    : o->same_pdc ? "the same"
				  : "not seen");
}

size_t owes_compare(const struct owes *o, const struct decl *d, struct text *t)
{
	struct owes_row rows[NWHAT];
	size_t n = 0;

	owes_rows_of(o, d, rows);
	if (o->strays) {
		text_printf(t, "%-18s UDP port %u is required: ", "answers",
			    (unsigned)d->udp_port);
		print_strays(o, t);
		text_puts(t, "\n");
		n++;
	}
	for (size_t i = 0; i < NWHAT; i++) {
		if (!rows[i].duty->broken ||
		    (rows[i].key && !decl_given(d, rows[i].key)))
			continue;
		text_printf(t, "%-18s %s is required: ", "", rows[i].what);
		print_broken(&rows[i], t);
		text_puts(t, "\n");
		n++;
	}
	return n;
}
