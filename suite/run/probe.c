/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe.c -- learns from the records of the stimuli what a device can
 * do, and drafts or checks a declaration.
 *
 * probe_take() evaluates the record of one stimulus after another,
 * probe_draft() writes the declaration, and probe_compare() lists the
 * differences to the declaration that probe_new() was given.
 */
#include "suite/run/probe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "suite/decl/capability.h"
#include "suite/decl/decl_parse.h"
#include "suite/decl/owes.h"
#include "suite/lang/chair.h"
#include "wire/frame/crc.h"

#define TRIALS_MAX 96
#define HABITS_MAX 16
#define SENDS_MAX  64 /* packets that a device sent in one measurement */

#define MPR_UNIT       128      /* PSNs */
#define ACK_TIME_MIN   VSPAN_MS /* less is no promise that a device keeps */
#define LIVE_TOLERANCE (100 * VSPAN_MS)

/* One stimulus: "read.medium" in a chair. */
struct probe_trial {
	char word[40];
	enum chair chair;
	enum probe_outcome outcome;
	char why[sizeof(((struct record *)0)->reason)]; /* not shown */
	char broke[96]; /* requirements that the monitors saw broken */
};

/* A number that was found; 0: it was not. */
struct measures {
	vspan rto, nack_time, clear_time, ack_time;
	unsigned max_rto_retx, max_nack_retx;
	uint32_t max_ack_data, mtu, mp_range;
	bool nack_endless; /* it went on as long as it was refused */
	struct text gtd_cause, error_cause;
};

struct probe {
	struct decl *open; /* what the stimuli run under */
	const struct decl *base;
	struct probe_trial trials[TRIALS_MAX];
	size_t ntrials;
	struct measures m;
	char habits[HABITS_MAX][sizeof(((struct rec_finding *)0)->what)];
	size_t nhabits; /* items in which it deviates wherever it is asked */
	struct owes owes;
	bool answered;
	bool rud, rod, rudi;   /* requests or answers of these modes came */
	size_t nacks, cc_acks; /* ACKs, and those that are no plain ones */
};

/* ---- The declaration to probe under ---- */

/*
 * A claim for every capability, buffers as large as the wire allows, and timers
 * of next to nothing, so that no packet is ever too early or one too many.
 */
static void open_text(struct text *t)
{
	text_puts(t, "name a device that is probed\nclaims");
	for (const struct capability *c = decl_capabilities; c->word; c++)
		if (!decl_derived(c->word))
			text_printf(t, " %s", c->word);
	text_puts(t, "\n"
		     "size mtu 8192\n"
		     "size max_ack_data 8192\n"
		     "size mp_range 32640\n"
		     "limit max_rto_retx 1000\n"
		     "limit max_nack_retx 1000\n"
		     "timer rto 1us\n"
		     "timer nack_time 1us\n"
		     "timer ack_time 200ms tolerance 100ms\n"
		     "timer clear_time 1s\n");
}

/* Sets what is known before: ids, memory, the port. */
static void open_base(struct decl *d, const struct decl *base)
{
	d->version = base->version;
	d->uet = base->uet;
	d->job_id = base->job_id;
	d->pid_on_fep = base->pid_on_fep;
	d->resource_index = base->resource_index;
	d->ri_generation = base->ri_generation;
	d->initiator = base->initiator;
	d->memory_key = base->memory_key;
	d->memory_offset = base->memory_offset;
	d->memory_len = base->memory_len;
	d->udp_port = base->udp_port;
}

int probe_new(struct probe **ret, const struct decl *base)
{
	struct probe *p = memory_calloc(1, sizeof(*p));
	struct text t = {0};
	struct diag diag;
	int err;

	if (!p)
		return ERR_NOMEM;
	open_text(&t);
	err = text_err(&t);
	if (!err)
		err = decl_parse(&p->open, "probe", text_cstr(&t), t.len,
				 &diag);
	text_free(&t);
	if (err) {
		free(p);
		return err;
	}
	open_base(p->open, base);
	p->base = base;
	*ret = p;
	return 0;
}

void probe_free(struct probe *p)
{
	if (!p)
		return;
	text_free(&p->m.gtd_cause);
	text_free(&p->m.error_cause);
	decl_free(p->open);
	free(p);
}

const struct decl *probe_decl(const struct probe *p)
{
	return p->open;
}

bool probe_answered(const struct probe *p)
{
	return p->answered;
}

/* ---- Reading a record ---- */

static bool probe_is_word(const struct packet *pkt, const char *word)
{
	return strcmp(packet_word(pkt), word) == 0;
}

static bool probe_is_ack(const struct packet *pkt)
{
	return strncmp(packet_word(pkt), "ack", 3) == 0;
}

static uint64_t value(const struct packet *pkt, const char *name)
{
	uint64_t v;

	if (packet_value(pkt, name, &v))
		return v;
	return 0;
}

/* The packet |i| of a record, if it went this way. */
static bool any_packet_at(const struct record *r, size_t i, enum rec_kind kind,
			  struct packet *ret)
{
	const struct rec *rec = &r->recs[i];

	if (rec->kind != kind || !rec->frame)
		return false;
	record_packet(r, rec, ret);
	return true;
}

/* The same outside of the opening. */
static bool packet_at(const struct record *r, size_t i, enum rec_kind kind,
		      struct packet *ret)
{
	return !r->recs[i].setup && any_packet_at(r, i, kind, ret);
}

/* The first ACK that the device sent for |psn| after entry |from|. */
static const struct rec *probe_ack_of(const struct record *r, size_t from,
				      uint64_t psn, struct packet *ret)
{
	for (size_t i = from; i < r->nrecs; i++)
		if (any_packet_at(r, i, REC_RX, ret) && probe_is_ack(ret) &&
		    value(ret, "ack_psn") == psn)
			return &r->recs[i];
	return NULL;
}

/* Returns true if a request with |psn| was sent between two entries. */
static bool probe_repeats(const struct record *r, size_t from,
			  const struct rec *until, uint64_t psn)
{
	struct packet pkt;

	for (size_t i = from + 1; &r->recs[i] < until; i++)
		if (any_packet_at(r, i, REC_TX, &pkt) &&
		    value(&pkt, "psn") == psn)
			return true;
	return false;
}

bool probe_crc(const struct record *r, bool *ret_be)
{
	for (size_t i = 0; i < r->nrecs; i++) {
		struct dgram d;

		if (r->recs[i].kind != REC_RX || !r->recs[i].frame)
			continue;
		record_dgram(r, &r->recs[i], &d);
		if (d.len < CRC_LEN)
			continue;
		*ret_be = crc_check(&d, CRC_BE);
		if (*ret_be || crc_check(&d, CRC_LE))
			return true;
	}
	return false;
}

/* ---- Measurements ---- */

/* Two digits are as much as one look is worth: 40.13 ms is 40 ms. */
static vspan round_span(vspan ns)
{
	vspan unit = 1;

	while (ns / unit >= 100)
		unit *= 10;
	return (ns + unit / 2) / unit * unit;
}

/* When the device sent requests, up to SENDS_MAX of them. */
static size_t sent_at(const struct record *r, vtime *ret)
{
	struct packet pkt;
	size_t n = 0;

	for (size_t i = 0; i < r->nrecs && n < SENDS_MAX; i++)
		if (packet_at(r, i, REC_RX, &pkt) &&
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
	p->m.rto = round_span(at[1] - at[0]);
	p->m.max_rto_retx = (unsigned)(n - 1);
}

/* From our first packet of a kind to its first of another. */
static vspan answer_time(const struct record *r, const char *ours,
			 const char *its)
{
	vtime asked = 0;
	struct packet pkt;

	for (size_t i = 0; i < r->nrecs; i++) {
		if (!asked && packet_at(r, i, REC_TX, &pkt) &&
		    probe_is_word(&pkt, ours))
			asked = r->recs[i].at;
		else if (asked && packet_at(r, i, REC_RX, &pkt) &&
			 probe_is_word(&pkt, its))
			return r->recs[i].at - asked;
	}
	return 0;
}

static void learn_nack_time(struct probe *p, const struct record *r)
{
	p->m.nack_time = round_span(answer_time(r, "nack", "rud_req"));
}

static void learn_clear_time(struct probe *p, const struct record *r)
{
	p->m.clear_time = round_span(answer_time(r, "ack", "cp"));
}

static void learn_max_nack_retx(struct probe *p, const struct record *r)
{
	vtime at[SENDS_MAX];
	size_t n = sent_at(r, at), nacks = 0;
	struct packet pkt;

	for (size_t i = 0; i < r->nrecs; i++)
		nacks += packet_at(r, i, REC_TX, &pkt) &&
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

		if (!packet_at(r, i, REC_TX, &req) ||
		    !probe_is_word(&req, "rud_req"))
			continue;
		len = (uint32_t)value(&req, "request_length");
		if (probe_ack_of(r, i, value(&req, "psn"), &ack) &&
		    value(&ack, "next_hdr") == 5 && len > p->m.max_ack_data)
			p->m.max_ack_data = len;
	}
}

static void probe_learn_mtu(struct probe *p, const struct record *r)
{
	struct packet pkt;

	for (size_t i = 0; i < r->nrecs; i++) {
		if (!packet_at(r, i, REC_RX, &pkt) ||
		    !probe_is_word(&pkt, "rud_req"))
			continue;
		p->m.mtu = (uint32_t)(pkt.len - pkt.payload);
		return;
	}
}

/* Which field of a request is not what the device was said to accept. */
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
		uint64_t v = value(req, fields[i].field);

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
		if (!packet_at(r, i, REC_TX, &req) ||
		    !probe_is_word(&req, "rud_req") ||
		    !probe_ack_of(r, i, value(&req, "psn"), &ack))
			continue;
		if (value(&ack, "return_code") > 1 && !p->m.error_cause.len)
			probe_cause_of(p, &req, &p->m.error_cause);
		if (value(&ack, "req") == 1 && !p->m.gtd_cause.len)
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

/* Learns from a packet of the device alone, after any stimulus. */
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
	if (value(pkt, "mpr"))
		p->m.mp_range = MPR_UNIT * (uint32_t)value(pkt, "mpr");
}

/*
 * Learns from any record: modes, the delay of ACKs, and the range of PSNs.  The
 * opening counts, too: it may be all that the device did.
 */
static void learn_always(struct probe *p, const struct record *r,
			 bool answers_late)
{
	struct packet req, ack;

	for (size_t i = 0; i < r->nrecs; i++) {
		const struct rec *a;

		if (any_packet_at(r, i, REC_RX, &ack))
			learn_packet(p, &ack);
		if (answers_late || !any_packet_at(r, i, REC_TX, &req) ||
		    !value(&req, "ar"))
			continue;
		if (!probe_is_word(&req, "rud_req") &&
		    !probe_is_word(&req, "rod_req"))
			continue;
		a = probe_ack_of(r, i, value(&req, "psn"), &ack);
		if (!a)
			continue;
		p->rud |= probe_is_word(&req, "rud_req");
		p->rod |= probe_is_word(&req, "rod_req");
		/* The ACK may answer the last copy alone. */
		if (probe_repeats(r, i, a, value(&req, "psn")))
			continue;
		if (a->at - r->recs[i].at > p->m.ack_time)
			p->m.ack_time = a->at - r->recs[i].at;
	}
}

/* ---- Taking a record ---- */

/* "probe/read.medium@target" -> "read.medium" */
static void trial_word(struct probe_trial *t, const struct record *r)
{
	const char *at = strchr(r->id, '/');
	const char *word = at ? at + 1 : r->id;

	snprintf(t->word, sizeof(t->word), "%.*s", (int)strcspn(word, "@"),
		 word);
}

static bool is_habit(const struct probe *p, const char *what)
{
	for (size_t i = 0; i < p->nhabits; i++)
		if (strcmp(p->habits[i], what) == 0)
			return true;
	return false;
}

/*
 * Deviations that the device also shows when a PDC is opened, or with the
 * plainest request, say nothing about the capability being probed.
 */
static void learn_habits(struct probe *p, const struct probe_trial *t,
			 const struct record *r)
{
	for (size_t i = 0; i < r->nfindings; i++) {
		const struct rec_finding *f = &r->findings[i];

		if (!f->stepped || p->nhabits == HABITS_MAX ||
		    is_habit(p, f->what) ||
		    (f->phase == PHASE_BODY && strcmp(t->word, "rud") != 0))
			continue;
		memcpy(p->habits[p->nhabits++], f->what, sizeof(f->what));
	}
}

/* The stimulus is about that very row. */
static bool is_covered(const struct record *r, enum req_id id)
{
	for (size_t i = 0; r->test_case && i < r->test_case->ncovers; i++)
		if (r->test_case->covers[i].id == id)
			return true;
	return false;
}

static bool probe_is_refusal(const struct probe *p, const struct record *r,
			     const struct rec_finding *f)
{
	if (f->remark || f->phase == PHASE_TEARDOWN)
		return false;
	if (f->stepped)
		return is_covered(r, f->req) || !is_habit(p, f->what);
	return f->line;
}

/*
 * A monitor that complains is no reason to doubt what the lines have shown, nor
 * is a habit behind which the stimulus went on.
 */
static enum probe_outcome outcome(const struct probe *p, const struct record *r)
{
	const unsigned met = r->rungs_matched + r->rungs_stepped;

	if (r->verdict == VERDICT_NA || r->verdict == VERDICT_ERROR)
		return PROBE_UNTRIED;
	if (r->verdict == VERDICT_PASS)
		return PROBE_SHOWN;
	if (r->cut_short)
		return PROBE_NOT;
	for (size_t i = 0; i < r->nfindings; i++)
		if (probe_is_refusal(p, r, &r->findings[i]))
			return PROBE_NOT;
	if (met && met == r->rungs_expected)
		return PROBE_SHOWN;
	return PROBE_NOT;
}

/* Describes what came instead of the expected packet. */
static void trial_why(const struct probe *p, struct probe_trial *t,
		      const struct record *r)
{
	if (t->outcome == PROBE_UNTRIED)
		snprintf(t->why, sizeof(t->why), "%s", r->reason);
	if (t->outcome != PROBE_NOT)
		return;
	snprintf(t->why, sizeof(t->why), "nothing came");
	for (size_t i = 0; i < r->nfindings; i++) {
		const struct rec_finding *f = &r->findings[i];

		if (!f->actual[0] || !probe_is_refusal(p, r, f))
			continue;
		snprintf(t->why, sizeof(t->why), "it sent %s", f->actual);
		return;
	}
}

/*
 * A measurement drives the device to its limits, which the monitors do not know
 * yet; what they say then is worth nothing.
 */
static void trial_broke(struct probe_trial *t, const struct record *r)
{
	size_t n = 0;

	if (strncmp(t->word, "measure/", 8) == 0)
		return;

	for (size_t i = 0; i < r->nfindings; i++) {
		const struct rec_finding *f = &r->findings[i];
		const char *id = req_get(f->req)->id;

		if ((f->line && !f->stepped) || strstr(t->broke, id) ||
		    n + strlen(id) + 8 > sizeof(t->broke))
			continue;
		n += (size_t)snprintf(t->broke + n, sizeof(t->broke) - n,
				      "%s%s/%s", text_between(n, " "), id,
				      req_role_name(f->role));
	}
}

static void look_for_answers(struct probe *p, const struct record *r)
{
	for (size_t i = 0; i < r->nrecs && !p->answered; i++)
		p->answered = r->recs[i].kind == REC_RX;
}

enum probe_outcome probe_take(struct probe *p, const struct record *r)
{
	struct probe_trial *t;

	look_for_answers(p, r);
	owes_take(&p->owes, r, p->base);
	if (p->ntrials == TRIALS_MAX)
		return PROBE_NOT;
	t = &p->trials[p->ntrials++];
	trial_word(t, r);
	t->chair = r->chair;
	learn_habits(p, t, r);
	t->outcome = outcome(p, r);
	trial_why(p, t, r);
	trial_broke(t, r);
	for (size_t i = 0; i < LEARNERS; i++)
		if (strcmp(t->word, learners[i].word) == 0)
			learners[i].learn(p, r);
	learn_always(p, r, strcmp(t->word, "response.delay") == 0);
	return t->outcome;
}

void probe_strays(struct probe *p, uint64_t strays)
{
	p->owes.strays = strays;
}

/* ---- The draft ---- */

static const char *const outcome_words[] = {
	[PROBE_SHOWN] = "shown",
	[PROBE_NOT] = "not shown",
	[PROBE_UNTRIED] = "not tried",
};

/* Returns true if a stimulus had that outcome; *ret_chair is its chair. */
static bool has_outcome(const struct probe *p, const char *word,
			enum probe_outcome outcome, enum chair *ret_chair)
{
	for (size_t i = 0; i < p->ntrials; i++) {
		const struct probe_trial *t = &p->trials[i];

		if (strcmp(t->word, word) != 0 || t->outcome != outcome)
			continue;
		if (ret_chair)
			*ret_chair = t->chair;
		return true;
	}
	return false;
}

/* Shown in one chair, and not refuted in the other. */
static bool is_shown(const struct probe *p, const char *word)
{
	return has_outcome(p, word, PROBE_SHOWN, NULL) &&
	       !has_outcome(p, word, PROBE_NOT, NULL);
}

/*
 * Returns true if the capability was seen on the wire, with any outcome of its
 * own stimulus.
 */
static bool probe_was_seen(const struct probe *p, const char *word)
{
	if (strcmp(word, "rud") == 0)
		return p->rud;
	if (strcmp(word, "rod") == 0)
		return p->rod;
	if (strcmp(word, "rudi") == 0)
		return p->rudi;
	if (strcmp(word, "ack_cc") == 0)
		return p->nacks && p->cc_acks == p->nacks;
	return has_outcome(p, word, PROBE_SHOWN, NULL);
}

/*
 * Returns true for capabilities that are seen without a stimulus of their own.
 */
static bool is_seen(const struct probe *p, const struct dut *dut,
		    const char *word)
{
	if (strcmp(word, "control") == 0)
		return dut->control;
	if (strcmp(word, "control.pds") == 0)
		return dut->control && strstr(dut->verbs, "ses_pds_");
	if (strcmp(word, "crc") == 0)
		return p->answered && p->base->crc;
	if (strcmp(word, "ipv6") == 0)
		return p->answered && dut->peer.len == 16;
	return false;
}

/* A claim for what was seen, with the chair in which it was not. */
static void draft_claims(const struct probe *p, const struct dut *dut,
			 struct text *t)
{
	enum chair chair;

	for (const struct capability *c = decl_capabilities; c->word; c++) {
		if (decl_derived(c->word) ||
		    !(probe_was_seen(p, c->word) || is_seen(p, dut, c->word)))
			continue;
		text_printf(t, "claims %-17s # %s", c->word, c->text);
		if (has_outcome(p, c->word, PROBE_NOT, &chair))
			text_printf(t, " Not shown as %s.", chair_name(chair));
		text_puts(t, "\n");
	}
	text_puts(t, "\n");
}

static void draft_ids(const struct decl *d, struct text *t)
{
	text_puts(t, "# As they were given: the stimuli carried these.\n");
	text_printf(t, "id job_id 0x%" PRIx32 "\n", d->job_id);
	text_printf(t, "id pid_on_fep 0x%x\n", d->pid_on_fep);
	text_printf(t, "id resource_index 0x%x\n", d->resource_index);
	text_printf(t, "id ri_generation 0x%x\n", d->ri_generation);
	text_printf(t, "id initiator 0x%" PRIx32 "\n", d->initiator);
	text_printf(t, "id memory_key 0x%" PRIx64 "\n", d->memory_key);
	text_printf(t, "id memory_offset 0x%" PRIx64 "\n", d->memory_offset);
	text_printf(t, "size memory_len %" PRIu32 "\n", d->memory_len);
	text_printf(t, "port %u\n\n", (unsigned)d->udp_port);
}

/* One number: measured, or what the declaration has without it. */
static void draft_number(struct text *t, const char *key, uint32_t measured,
			 const char *what)
{
	if (measured)
		text_printf(t, "%s %" PRIu32 "\n", key, measured);
	else
		text_printf(t, "# %s: not seen. %s\n", key, what);
}

static void draft_sizes(const struct probe *p, struct text *t)
{
	draft_number(t, "size mtu", p->m.mtu, "It sent no long message.");
	draft_number(t, "size max_ack_data", p->m.max_ack_data,
		     "No read brought its data in the ACK.");
	draft_number(t, "size mp_range", p->m.mp_range,
		     "No ACK_CC told the range.");
	text_puts(t, "\n");
}

static void draft_span(struct text *t, vspan span)
{
	const uint64_t us = (uint64_t)span / VSPAN_US;

	if (us % 1000)
		text_printf(t, "%" PRIu64 "us", us);
	else
		text_printf(t, "%" PRIu64 "ms", us / 1000);
}

static void draft_time(struct text *t, const char *key, vspan value,
		       vspan tolerance, const char *what)
{
	if (!value) {
		text_printf(t, "# timer %s: not seen. %s\n", key, what);
		return;
	}
	text_printf(t, "timer %s ", key);
	draft_span(t, value);
	text_puts(t, " tolerance ");
	draft_span(t, tolerance);
	text_puts(t, "\n");
}

/* Not less than a microsecond, which is the draft's unit. */
static vspan whole_us(vspan ns)
{
	if (ns && ns < VSPAN_US)
		return VSPAN_US;
	return ns;
}

static vspan probe_longer(vspan a, vspan b)
{
	if (a > b)
		return a;
	return b;
}

/*
 * A time seen once is no bound.  Of a device that lives in real time, perhaps
 * on a machine that others use as well, the next may be much longer; an ACK
 * that is held back may not have been seen at all.
 */
static void draft_timers(const struct probe *p, const struct dut *dut,
			 struct text *t)
{
	const struct measures *m = &p->m;
	const vspan least = dut->virtual ? 0 : LIVE_TOLERANCE;
	const vspan nack = whole_us(m->nack_time);
	const vspan clear = whole_us(m->clear_time);
	const vspan ack = m->ack_time
				  ? probe_longer(round_span(2 * m->ack_time),
						 ACK_TIME_MIN)
				  : 0;

	text_puts(t, "# Seen once each: look them up, then narrow the "
		     "tolerances.\n");
	draft_time(t, "rto", m->rto, probe_longer(m->rto / 4, least),
		   "It sent nothing twice.");
	draft_time(t, "nack_time", nack, probe_longer(nack, least),
		   "It sent nothing after a NACK.");
	draft_time(t, "clear_time", clear, probe_longer(4 * clear, least),
		   "No Clear Command came.");
	draft_time(t, "ack_time", ack, probe_longer(ack, least),
		   p->nacks ? "No ACK answered a request with ar = 1."
			    : "No ACK came.");
	if (m->max_rto_retx)
		text_printf(t, "limit max_rto_retx %u\n", m->max_rto_retx);
	if (m->max_nack_retx)
		text_printf(t, "limit max_nack_retx %u%s\n", m->max_nack_retx,
			    m->nack_endless ? " # or more" : "");
	text_puts(t, "\n");
}

static void draft_causes(const struct probe *p, const struct dut *dut,
			 struct text *t)
{
	bool asked = dut->control && dut_has_verb(dut, "ses_policy");

	if (p->m.gtd_cause.len)
		text_printf(t, "%scause gtd %s\n", asked ? "# " : "",
			    text_cstr(&p->m.gtd_cause));
	if (p->m.error_cause.len)
		text_printf(t, "%scause error %s\n", asked ? "# " : "",
			    text_cstr(&p->m.error_cause));
	if (p->m.gtd_cause.len || p->m.error_cause.len)
		text_puts(t, "\n");
}

static void draft_trials(const struct probe *p, struct text *t)
{
	text_printf(t, "# What was tried, %zu stimuli:\n", p->ntrials);
	for (size_t i = 0; i < p->ntrials; i++) {
		const struct probe_trial *trial = &p->trials[i];
		bool told = trial->why[0];

		text_printf(t, "#   %-22s %-9s  %s%s%s\n", trial->word,
			    chair_name(trial->chair),
			    outcome_words[trial->outcome], told ? ": " : "",
			    told ? trial->why : "");
		if (trial->broke[0])
			text_printf(t, "#   %-22s on the way it broke %s\n", "",
				    trial->broke);
	}
}

void probe_draft(const struct probe *p, const struct dut *dut, const char *name,
		 struct text *t)
{
	text_puts(t,
		  "# A draft, made by \"rung probe\": what the device showed. "
		  "What it can do besides,\n# and what it cannot, its maker "
		  "knows.\n");
	owes_print(&p->owes, p->base, t);
	text_printf(t, "name %s\nversion %s\n\n", name, p->base->version);
	draft_claims(p, dut, t);
	draft_ids(p->base, t);
	draft_sizes(p, t);
	draft_timers(p, dut, t);
	text_printf(t, "crc %s\n\n",
		    !p->base->crc     ? "none"
		    : p->base->crc_be ? "big"
				      : "little");
	draft_causes(p, dut, t);
	draft_trials(p, t);
}

/* ---- Against a declaration ---- */

/* Why a stimulus showed nothing; NULL: none was tried. */
static const char *why_not(const struct probe *p, const char *word)
{
	const char *why = NULL;

	for (size_t i = 0; i < p->ntrials; i++) {
		const struct probe_trial *t = &p->trials[i];

		if (strcmp(t->word, word) != 0 || t->outcome == PROBE_UNTRIED)
			continue;
		if (!why || t->outcome == PROBE_NOT)
			why = t->why;
	}
	return why;
}

static size_t compare_claim(const struct probe *p, const struct dut *dut,
			    const char *word, struct text *t)
{
	const bool claimed = decl_claims(p->base, word);
	const char *why = why_not(p, word);

	if (is_shown(p, word) || is_seen(p, dut, word)) {
		if (!claimed)
			text_printf(t, "%-18s shown, not claimed\n", word);
		return !claimed;
	}
	if (!claimed || !why)
		return 0;
	text_printf(t, "%-18s claimed, not shown%s%s\n", word,
		    why[0] ? ": " : "", why);
	return 1;
}

static size_t compare_number(const char *key, uint32_t measured,
			     uint32_t declared, struct text *t)
{
	if (!measured || measured == declared)
		return 0;
	text_printf(t, "%-18s %" PRIu32 " measured, %" PRIu32 " declared\n",
		    key, measured, declared);
	return 1;
}

/* |early|: less is wrong as well; the first fifth may be missing. */
static size_t compare_time(const char *key, vspan measured,
			   const struct decl_time *declared, bool early,
			   struct text *t)
{
	const bool late = measured > declared->value + declared->tolerance;

	if (!measured ||
	    !(late || (early && measured < declared->value / 5 * 4)))
		return 0;
	text_printf(t, "%-18s ", key);
	draft_span(t, whole_us(measured));
	text_puts(t, " measured, ");
	draft_span(t, whole_us(declared->value));
	text_puts(t, " declared\n");
	return 1;
}

size_t probe_compare(const struct probe *p, const struct dut *dut,
		     struct text *t)
{
	const struct measures *m = &p->m;
	const struct decl *d = p->base;
	size_t n = owes_compare(&p->owes, d, t);

	for (const struct capability *c = decl_capabilities; c->word; c++)
		if (!decl_derived(c->word))
			n += compare_claim(p, dut, c->word, t);
	n += compare_number("size mtu", m->mtu, d->mtu, t);
	n += compare_number("size max_ack_data", m->max_ack_data,
			    d->max_ack_data, t);
	n += compare_number("size mp_range", m->mp_range, d->mp_range, t);
	n += compare_number("limit max_rto_retx", m->max_rto_retx,
			    d->max_rto_retx, t);
	n += compare_number("limit max_nack_retx",
			    m->nack_endless ? 0 : m->max_nack_retx,
			    d->max_nack_retx, t);
	n += compare_time("timer rto", m->rto, &d->rto, true, t);
	n += compare_time("timer nack_time", m->nack_time, &d->nack_time, true,
			  t);
	n += compare_time("timer clear_time", m->clear_time, &d->clear_time,
			  false, t);
	n += compare_time("timer ack_time", m->ack_time, &d->ack_time, false,
			  t);
	return n;
}
