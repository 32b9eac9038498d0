/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_measure.c -- measures the numbers of a device from the
 * record of a stimulus: its timers, its sizes, the causes of its errors.
 */
#include "suite/run/probe/probe_measure.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/vtime.h"
#include "suite/run/probe/probe_packet.h"
#include "suite/run/probe/probe_span.h"
#include "suite/run/probe/probe_state.h"
#include "wire/frame/crc.h"

#define SENDS_MAX 64  /* packets of the device evaluated in one measurement */
#define MPR_UNIT  128 /* PSNs */

/* Collects the times of the device's requests, up to SENDS_MAX. */
static size_t sent_at(const struct record *r, vtime *ret)
{
	struct packet pkt;
	size_t n = 0;

	for (size_t i = 0; i < r->nrecs && n < SENDS_MAX; i++)
		if (probe_packet_at(r, i, REC_RX, &pkt) &&
		    probe_is_word(&pkt, "rud_req"))
			ret[n++] = r->recs[i].at;
	return n;
}

static void learn_rto(struct probe *p, const struct record *r)
{
	vtime at[SENDS_MAX];
	size_t n = sent_at(r, at);

	if (n < 2)
		return;
	p->m.rto = probe_round_span(at[1] - at[0]);
	p->m.max_rto_retx = (unsigned)(n - 1);
}

/*
 * Returns the time from the tester's first packet of one kind to the device's
 * first of another.
 */
static vspan answer_time(const struct record *r, const char *ours,
			 const char *its)
{
	vtime asked = 0;
	struct packet pkt;

	for (size_t i = 0; i < r->nrecs; i++) {
		if (!asked && probe_packet_at(r, i, REC_TX, &pkt) &&
		    probe_is_word(&pkt, ours))
			asked = r->recs[i].at;
		else if (asked && probe_packet_at(r, i, REC_RX, &pkt) &&
			 probe_is_word(&pkt, its))
			return r->recs[i].at - asked;
	}
	return 0;
}

static void learn_nack_time(struct probe *p, const struct record *r)
{
	p->m.nack_time = probe_round_span(answer_time(r, "nack", "rud_req"));
}

static void learn_clear_time(struct probe *p, const struct record *r)
{
	p->m.clear_time = probe_round_span(answer_time(r, "ack", "cp"));
}

static void learn_max_nack_retx(struct probe *p, const struct record *r)
{
	vtime at[SENDS_MAX];
	size_t n = sent_at(r, at), nacks = 0;
	struct packet pkt;

	for (size_t i = 0; i < r->nrecs; i++)
		nacks += probe_packet_at(r, i, REC_TX, &pkt) &&
			 probe_is_word(&pkt, "nack");
	if (n < 2)
		return;
	p->m.max_nack_retx = (unsigned)(n - 1);
	p->m.nack_endless = n > nacks;
}

static void learn_max_ack_data(struct probe *p, const struct record *r)
{
	struct packet req, ack;

	for (size_t i = 0; i < r->nrecs; i++) {
		uint32_t len;

		if (!probe_packet_at(r, i, REC_TX, &req) ||
		    !probe_is_word(&req, "rud_req"))
			continue;
		len = (uint32_t)packet_number(&req, "request_length");
		if (probe_ack_of(r, i, packet_number(&req, "psn"), &ack) &&
		    packet_number(&ack, "next_hdr") == 5 &&
		    len > p->m.max_ack_data)
			p->m.max_ack_data = len;
	}
}

static void probe_learn_mtu(struct probe *p, const struct record *r)
{
	struct packet pkt;

	for (size_t i = 0; i < r->nrecs; i++) {
		if (!probe_packet_at(r, i, REC_RX, &pkt) ||
		    !probe_is_word(&pkt, "rud_req"))
			continue;
		p->m.mtu = (uint32_t)(pkt.len - pkt.payload);
		return;
	}
}

/* Finds the field of a request that differs from what the device accepts. */
static void probe_cause_of(const struct probe *p, const struct packet *req,
			   struct text *t)
{
	const struct {
		const char *field;
		uint64_t good;
	} fields[] = {
		{"resource_index", p->base->resource_index},
		{"pid_on_fep", p->base->pid_on_fep},
		{"job_id", p->base->job_id},
		{"match_bits", p->base->memory_key},
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		uint64_t v = packet_number(req, fields[i].field);

		if (!v || v == fields[i].good)
			continue;
		text_printf(t, "%s=0x%" PRIx64, fields[i].field, v);
		return;
	}
}

static void learn_causes(struct probe *p, const struct record *r)
{
	struct packet req, ack;

	for (size_t i = 0; i < r->nrecs; i++) {
		if (!probe_packet_at(r, i, REC_TX, &req) ||
		    !probe_is_word(&req, "rud_req") ||
		    !probe_ack_of(r, i, packet_number(&req, "psn"), &ack))
			continue;
		if (packet_number(&ack, "return_code") > 1 &&
		    !p->m.error_cause.len)
			probe_cause_of(p, &req, &p->m.error_cause);
		if (packet_number(&ack, "req") == 1 && !p->m.gtd_cause.len)
			probe_cause_of(p, &req, &p->m.gtd_cause);
	}
}

static const struct learner {
	const char *word;
	void (*learn)(struct probe *p, const struct record *r);
} learners[] = {
	{"measure/rto", learn_rto},
	{"measure/nack_time", learn_nack_time},
	{"measure/clear_time", learn_clear_time},
	{"measure/max_nack_retx", learn_max_nack_retx},
	{"measure/max_ack_data", learn_max_ack_data},
	{"measure/mtu", probe_learn_mtu},
	{"measure/causes", learn_causes},
};

#define LEARNERS (sizeof(learners) / sizeof(learners[0]))

/* Evaluates a packet of the device, after any stimulus. */
static void learn_packet(struct probe *p, const struct packet *pkt)
{
	p->rud |= probe_is_word(pkt, "rud_req") ||
		  probe_is_word(pkt, "rud_cc_req");
	p->rod |= probe_is_word(pkt, "rod_req") ||
		  probe_is_word(pkt, "rod_cc_req");
	p->rudi |= probe_is_word(pkt, "rudi_req") ||
		   probe_is_word(pkt, "rudi_resp");
	if (probe_is_ack(pkt)) {
		p->nacks++;
		p->cc_acks += !probe_is_word(pkt, "ack");
	}
	if (packet_number(pkt, "mpr"))
		p->m.mp_range = MPR_UNIT * (uint32_t)packet_number(pkt, "mpr");
}

/*
 * Evaluates any record: modes, the delay of ACKs, the range of PSNs.  The
 * opening counts too, because the device may have answered nothing else.
 */
static void learn_always(struct probe *p, const struct record *r,
			 bool answers_late)
{
	struct packet req, ack;

	for (size_t i = 0; i < r->nrecs; i++) {
		const struct rec *a;

		if (probe_any_packet_at(r, i, REC_RX, &ack))
			learn_packet(p, &ack);
		if (answers_late || !probe_any_packet_at(r, i, REC_TX, &req) ||
		    !packet_number(&req, "ar"))
			continue;
		if (!probe_is_word(&req, "rud_req") &&
		    !probe_is_word(&req, "rod_req"))
			continue;
		a = probe_ack_of(r, i, packet_number(&req, "psn"), &ack);
		if (!a)
			continue;
		p->rud |= probe_is_word(&req, "rud_req");
		p->rod |= probe_is_word(&req, "rod_req");
		/* the ACK may answer only the last copy */
		if (probe_repeats(r, i, a, packet_number(&req, "psn")))
			continue;
		if (a->at - r->recs[i].at > p->m.ack_time)
			p->m.ack_time = a->at - r->recs[i].at;
	}
}

void probe_measure(struct probe *p, const char *word, const struct record *r)
{
	for (size_t i = 0; i < LEARNERS; i++)
		if (strcmp(word, learners[i].word) == 0)
			learners[i].learn(p, r);
	learn_always(p, r, strcmp(word, "response.delay") == 0);
}
