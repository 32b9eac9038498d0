/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_test.c -- tests refusals: hand-made packets against one
 * endpoint (B), whose answers are read off the wire.
 */
#include "oracle/core/pair_test.h"
#include "oracle/uet/pdc/nack.h"

static int pds_test_setup(void **state)
{
	struct pair *p = malloc(sizeof(*p));

	assert_non_null(p);
	pair_conf(p);
	core_pair_test_pair_open(p);
	pair_idle(p);
	*state = p;
	return 0;
}

static int pds_test_teardown(void **state)
{
	core_pair_test_pair_close(*state);
	free(*state);
	return 0;
}

/* The PDCIDs of the PDC that pair_idle made. */
struct ids {
	uint16_t ipdcid, tpdcid;
};

static struct ids pds_test_ids_of(struct pair *p)
{
	struct pds_req req;

	pair_send(p, 0, 8);
	pair_run(p, VSPAN_MS);
	pds_req_get(&req, rung(p, 0, A, PDS_RUD_REQ)->data);
	pair_forget(p);
	return (struct ids){req.spdcid, req.dpdcid};
}

/* A well-formed request of the live PDC: the next PSN, nothing to clear. */
static struct pds_req next_req(const struct pair *p, struct ids ids)
{
	(void)p;
	return (struct pds_req){
		.type = PDS_RUD_REQ,
		.next_hdr = PDS_NEXT_REQUEST_STD,
		.ar = 1,
		.clear_psn_offset = -1,
		.psn = 334,
		.spdcid = ids.ipdcid,
		.dpdcid = ids.tpdcid,
	};
}

static void throw_at(struct pair *p, unsigned to, const uint8_t *head,
		     size_t head_len)
{
	struct dgram *d = calloc(1, sizeof(*d));
	const struct ses_req ses = {
		.next_hdr = PDS_NEXT_REQUEST_STD,
		.opcode = SES_SEND,
		.som = true,
		.eom = true,
		.message_id = 77,
		.job_id = p->conf[to].job_id,
		.pid_on_fep = p->conf[to].pid_on_fep,
		.resource_index = p->conf[to].resource_index,
	};

	assert_non_null(d);
	d->src = p->conf[!to].addr;
	d->dst = p->conf[to].addr;
	/* a different entropy for each */
	d->entropy = (uint16_t)(0xc123 + p->nseen);
	memcpy(d->data, head, head_len);
	d->len = head_len + ses_req_put(&ses, d->data + head_len);
	pair_inject(p, to, d, 0);
	free(d);
	pair_run(p, 2 * VSPAN_US);
}

static void throw_req(struct pair *p, unsigned to, const struct pds_req *req)
{
	uint8_t bytes[pds_req_len] = {0};

	pds_req_put(req, bytes);
	throw_at(p, to, bytes, sizeof(bytes));
}

static void throw_cp(struct pair *p, unsigned to, const struct pds_cp *cp,
		     uint32_t payload)
{
	uint8_t bytes[pds_cp_len + cp_payload_len] = {0};
	const struct cp_payload tail = {.payload = payload};

	pds_cp_put(cp, bytes);
	cp_payload_put(&tail, bytes + pds_cp_len);
	throw_at(p, to, bytes, sizeof(bytes));
}

static void assert_drop(const struct pair *p, unsigned side,
			enum drop_reason why)
{
	assert_string_equal(pair_event(p, side, EV_DROP, 0)->reason,
			    drop_reason_name(why));
}

static void accepted(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	const struct pds_req req = next_req(p, ids);

	throw_req(p, B, &req);
	rung_ack(p, 0, B, 334, 334);
	assert_int_equal(p->seen[0].entropy, 0xc123);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
}

static void unknown_dpdcid(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	struct pds_req req = next_req(p, ids);
	struct pds_nack nack;

	req.dpdcid ^= 0x4000;
	throw_req(p, B, &req);
	nack = rung_nack(p, 0, B, NACK_INV_DPDCID, 334);
	assert_int_equal(nack.spdcid, 0);
	assert_int_equal(nack.dpdcid, ids.ipdcid);
	assert_drop(p, B, DROP_UNKNOWN_PDC);
	assert_int_equal(p->seen[0].entropy, 0xc123);
}

static void header_mismatch(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	struct pds_req req = next_req(p, ids);

	req.spdcid ^= 1;
	throw_req(p, B, &req);
	rung_nack(p, 0, B, NACK_PDC_HDR_MISMATCH, 334);
	req = next_req(p, ids);
	/* not allowed in this direction */
	req.next_hdr = PDS_NEXT_RESPONSE_DATA;
	throw_req(p, B, &req);
	rung_nack(p, 1, B, NACK_PDC_HDR_MISMATCH, 334);
}

static void pds_test_mode_mismatch(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	struct pds_req req = next_req(p, ids);

	req.type = PDS_ROD_REQ;
	throw_req(p, B, &req);
	rung_nack(p, 0, B, NACK_PDC_MODE_MISMATCH, 334);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 0);
}

static void pds_test_window(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	struct pds_req req = next_req(p, ids);

	req.psn = 333 + 8 * 128; /* the last PSN in the window */
	req.clear_psn_offset = (int16_t)(333 - (int32_t)req.psn);
	throw_req(p, B, &req);
	rung_ack(p, 0, B, req.psn, 333);
	req.psn++;
	throw_req(p, B, &req);
	rung_nack(p, 1, B, NACK_PSN_OOR_WINDOW, req.psn);
	req.psn = 333u - 8 * 128; /* behind the previous window: no answer */
	req.retx = 1;
	throw_req(p, B, &req);
	assert_int_equal(p->nseen, 2);
	req.psn++; /* in the previous window: a default response */
	throw_req(p, B, &req);
	rung_ack(p, 2, B, req.psn, 333);
	assert_int_equal(rung_rsp(p, 2).opcode, SES_DEFAULT_RESPONSE);
	assert_int_equal(rung_rsp(p, 2).message_id, 77);
}

static void duplicates(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	struct pds_req req = next_req(p, ids);

	throw_req(p, B, &req);
	throw_req(p, B, &req); /* a network duplicate is answered as well */
	assert_int_equal(rung_ack(p, 1, B, 334, 334).retx, 0);
	req.retx = 1;
	throw_req(p, B, &req);
	assert_int_equal(rung_ack(p, 2, B, 334, 334).retx, 1);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
	assert_int_equal(p->seen[0].entropy, 0xc123);
	assert_int_equal(p->seen[1].entropy, 0xc124);
}

static void stored_answer_follows_its_duplicate(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	struct pds_req req = next_req(p, ids);

	pair_policy(p, (struct ses_policy){.count = 1, .gtd = OP_GTD_YES});
	throw_req(p, B, &req);
	req.retx = 1;
	throw_req(p, B, &req);
	assert_int_equal(rung_ack(p, 1, B, 334, 333).retx, 1);
	assert_int_equal(p->seen[1].entropy, 0xc124);
}

/* Only certain packets request an ACK at once. */
static void coalescing(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	struct pds_req req = next_req(p, ids);

	req.ar = 0;
	throw_req(p, B, &req);
	assert_int_equal(p->nseen, 0);
	req.psn++;
	req.retx = 1; /* "whether or not it is a duplicate" (7.1) */
	throw_req(p, B, &req);
	rung_ack(p, 0, B, 335, 335);
	req.retx = 0;
	for (unsigned i = 1; i <= 16; i++) {
		req.psn++;
		assert_int_equal(p->nseen, 1);
		throw_req(p, B, &req); /* each counts as 1 KiB */
	}
	rung_ack(p, 1, B, 351, 351);
	assert_int_equal(rung_rsp(p, 1).opcode, SES_DEFAULT_RESPONSE);
}

static void duplicate_while_ses_works(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	struct pds_req req = next_req(p, ids);

	pair_policy(p, (struct ses_policy){.count = 1, .delay = VSPAN_MS});
	throw_req(p, B, &req);
	assert_int_equal(p->nseen, 0);
	req.retx = 1;
	throw_req(p, B, &req);
	rung_nack(p, 0, B, NACK_RCVD_SES_PROCG, 334);
	pair_run(p, 2 * VSPAN_MS);
	rung_ack(p, 1, B, 334, 334);
	assert_int_equal(p->nseen, 2);
}

static void syn_never_allocates_twice(void **state)
{
	struct pair *p = *state;
	struct orc_stats stats;
	struct pds_req_syn syn = {
		.type = PDS_RUD_REQ,
		.next_hdr = PDS_NEXT_REQUEST_STD,
		.syn = 1,
		.clear_psn_offset = -3,
		.psn = 1002,
		.spdcid = 0x1234,
		.psn_offset = 2,
	};
	uint8_t bytes[pds_req_syn_len] = {0};
	struct pds_ack first, second;

	pair_forget(p);
	pds_req_syn_put(&syn, bytes);
	throw_at(p, B, bytes, sizeof(bytes));
	first = rung_ack(p, 0, B, 1002, 999);
	syn.psn = 1000;
	syn.psn_offset = 0;
	syn.clear_psn_offset = -1;
	pds_req_syn_put(&syn, bytes);
	throw_at(p, B, bytes, sizeof(bytes));
	second = rung_ack(p, 1, B, 1000, 1000);
	assert_int_equal(first.spdcid, second.spdcid);
	orc_reference.stats(p->end[B], &stats);
	assert_int_equal(stats.pdcs, 2); /* the PDC of pair_idle and this one */
	syn.psn_offset = 7;              /* with another Start_PSN */
	pds_req_syn_put(&syn, bytes);
	throw_at(p, B, bytes, sizeof(bytes));
	rung_nack(p, 2, B, NACK_INVALID_SYN, 1000);
}

static void syn_to_initiator(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	struct pds_req req = next_req(p, ids);

	req.syn = 1;
	req.spdcid = ids.tpdcid; /* the PDCID of B on A's PDC */
	req.dpdcid = 0;
	throw_req(p, A, &req);
	rung_nack(p, 0, A, NACK_INVALID_SYN, 334);
	assert_drop(p, A, DROP_INVALID_SYN);
}

static void syn_without_request(void **state)
{
	struct pair *p = *state;
	struct pds_req req = next_req(p, pds_test_ids_of(p));

	req.syn = 1;
	req.spdcid = 0x4321;
	req.next_hdr = PDS_NEXT_RESPONSE;
	req.dpdcid = 0;
	throw_req(p, B, &req);
	assert_int_equal(rung_nack(p, 0, B, NACK_PDC_HDR_MISMATCH, 334).spdcid,
			 0);
}

static void no_pdc_available(void **state)
{
	struct pair *p = *state;
	struct pds_req req = next_req(p, pds_test_ids_of(p));
	struct pds_nack nack;

	req.syn = 1;
	req.dpdcid = 0;
	for (uint16_t i = 1; i < PDS_MAX_PDC; i++) {
		req.spdcid = (uint16_t)(0x2000 + i);
		throw_req(p, B, &req);
	}
	pair_forget(p);
	req.spdcid = 0x1fff;
	throw_req(p, B, &req);
	nack = rung_nack(p, 0, B, NACK_NO_PDC_AVAIL, 334);
	assert_int_equal(nack.spdcid, 0);
	assert_int_equal(nack.dpdcid, 0x1fff);
	/* one PDC is asked to close */
	rung_cp(p, 1, B, PDS_CP_CLOSE_REQUEST, 0);
}

static void clears_what_was_received_only(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	const struct pds_cp clear = {
		.type = PDS_CP,
		.ctl_type = PDS_CP_CLEAR_COMMAND,
		.spdcid = ids.ipdcid,
		.dpdcid = ids.tpdcid,
	};
	struct pds_req req = next_req(p, ids);

	pair_policy(p, (struct ses_policy){.count = 1, .gtd = OP_GTD_YES});
	throw_req(p, B, &req);
	rung_ack(p, 0, B, 334, 333);
	throw_cp(p, B, &clear, 900); /* never received */
	req.retx = 1;
	throw_req(p, B, &req);
	rung_ack(p, 1, B, 334, 333); /* still stored */
	throw_cp(p, B, &clear, 334);
	throw_req(p, B, &req);
	rung_ack(p, 2, B, 334, 334); /* gone: a default response */
	assert_int_equal(rung_rsp(p, 2).opcode, SES_DEFAULT_RESPONSE);
}

static void ack_request(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	struct pds_req req = next_req(p, ids);
	struct pds_cp cp = {
		.type = PDS_CP,
		.ctl_type = PDS_CP_ACK_REQUEST,
		.ar = 1,
		.psn = 334,
		.spdcid = ids.ipdcid,
		.dpdcid = ids.tpdcid,
	};

	throw_cp(p, B, &cp, 0);
	rung_nack(p, 0, B, NACK_PKT_NOT_RCVD, 334);
	pair_policy(p, (struct ses_policy){.count = 1, .gtd = OP_GTD_YES});
	throw_req(p, B, &req);
	throw_cp(p, B, &cp, 0);
	rung_ack(p, 2, B, 334, 333);
	assert_int_equal(rung_rsp(p, 2).opcode, SES_RESPONSE);
	cp.psn = 333;
	throw_cp(p, B, &cp, 0);
	rung_ack(p, 3, B, 333, 333);
	assert_int_equal(rung_rsp(p, 3).opcode, SES_DEFAULT_RESPONSE);
}

static void noop_and_probe(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	struct pds_cp cp = {
		.type = PDS_CP,
		.ctl_type = PDS_CP_NOOP,
		.ar = 1,
		.psn = 334,
		.spdcid = ids.ipdcid,
		.dpdcid = ids.tpdcid,
	};
	struct pds_ack_probe probe;

	throw_cp(p, B, &cp, 0);
	assert_int_equal(rung_ack(p, 0, B, 334, 334).next_hdr, PDS_NEXT_NONE);
	assert_int_equal(p->seen[0].len, pds_ack_len);
	cp.ctl_type = PDS_CP_PROBE;
	cp.probe_opaque = 0xbeef;
	throw_cp(p, B, &cp, 300);
	pds_ack_probe_get(&probe, rung(p, 1, B, PDS_ACK)->data);
	assert_int_equal(probe.p, 1);
	assert_int_equal(probe.probe_opaque, 0xbeef);
	assert_int_equal(probe.cack_psn, 334);
}

static void unexpected_cps(void **state)
{
	static const uint8_t types[] = {PDS_CP_CLOSE_REQUEST, 12};
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);

	for (size_t i = 0; i < sizeof(types); i++) {
		const struct pds_cp cp = {
			.type = PDS_CP,
			.ctl_type = types[i],
			.psn = 334,
			.spdcid = ids.ipdcid,
			.dpdcid = ids.tpdcid,
		};

		throw_cp(p, B, &cp, 0);
		rung_nack(p, i, B, NACK_UNEXP_EVENT, 334);
	}
}

/* Sends one packet of A, and then cuts A's wire. */
static struct fate pds_test_cut(struct pair *p, unsigned from,
				const struct dgram *d)
{
	(void)p;
	(void)from;
	(void)d;
	return (struct fate){.copies = 0};
}

static void throw_nack(struct pair *p, struct ids ids, uint8_t code)
{
	const struct pds_nack nack = {
		.type = PDS_NACK,
		.nack_code = code,
		.nack_psn = 334,
		.spdcid = ids.tpdcid,
		.dpdcid = ids.ipdcid,
	};
	uint8_t bytes[pds_nack_len] = {0};

	pds_nack_put(&nack, bytes);
	throw_at(p, A, bytes, sizeof(bytes));
}

static void throw_sack(struct pair *p, struct ids ids)
{
	const struct pds_ack ack = {
		.type = PDS_ACK_CC,
		.cack_psn = 333,
		.spdcid = ids.tpdcid,
		.dpdcid = ids.ipdcid,
	};
	const struct pds_ack_cc cc = {
		.mpr = 8, .sack_psn_offset = 1, .sack_bitmap = 1};
	uint8_t bytes[pds_ack_len + pds_ack_cc_len + pds_nscc_len] = {0};

	pds_ack_put(&ack, bytes);
	pds_ack_cc_put(&cc, bytes + pds_ack_len);
	throw_at(p, A, bytes, sizeof(bytes));
}

static void throw_cut_response(struct pair *p, struct ids ids, size_t left)
{
	const struct pds_ack ack = {
		.type = PDS_ACK,
		.next_hdr = PDS_NEXT_RESPONSE,
		.cack_psn = 334,
		.spdcid = ids.tpdcid,
		.dpdcid = ids.ipdcid,
	};
	struct dgram *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	d->src = p->conf[B].addr;
	d->dst = p->conf[A].addr;
	d->entropy = 0xc123;
	pds_ack_put(&ack, d->data);
	d->len = pds_ack_len + left;
	pair_inject(p, A, d, 0);
	free(d);
	pair_run(p, 2 * VSPAN_US);
}

/*
 * A truncated response may have been an error: no operation completes before it
 * arrives whole.
 */
static void cut_responses_are_dropped(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	const size_t before = pair_count(p, A, EV_COMPLETION);

	p->fate = pds_test_cut;
	pair_send(p, 1, 64);
	pair_drain(p);
	for (size_t left = 0; left < ses_response_len; left++)
		throw_cut_response(p, ids, left);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), before);
	throw_cut_response(p, ids, ses_response_len);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), before + 1);
}

/* A SACK bit cancels a retransmission; a NACK revokes the SACK bit. */
static void sack_and_nack(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	const struct orc_conf *conf = &p->conf[A];

	p->fate = pds_test_cut;
	pair_send(p, 1, 64);
	pair_drain(p);
	throw_nack(p, ids, NACK_NO_PKT_BUFFER);
	throw_sack(p, ids);
	pair_run(p, conf->rto_init / 2);
	assert_int_equal(p->nseen, 1); /* long after NACK_Retx_Time */
	pair_run(p, conf->rto_init);
	assert_int_equal(rung_cp(p, 1, A, PDS_CP_ACK_REQUEST, 1).psn, 334);
	throw_nack(p, ids, NACK_PKT_NOT_RCVD);
	assert_int_equal(rung_req(p, 2, A, 334, 333).retx, 1);
	pair_run(p, 2 * conf->rto_init);
	assert_int_equal(rung_req(p, 3, A, 334, 333).retx, 1);
}

static void trimmed_goes_again_at_once(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);

	p->fate = pds_test_cut;
	pair_send(p, 1, 64);
	pair_drain(p);
	throw_nack(p, ids, NACK_TRIMMED);
	assert_int_equal(rung_req(p, 1, A, 334, 333).retx, 1);
}

/* A Clear Request is answered with CLEAR_PSN even if it is unchanged. */
static void pds_test_clear_request(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	const struct pds_cp cp = {
		.type = PDS_CP,
		.ctl_type = PDS_CP_CLEAR_REQUEST,
		.spdcid = ids.tpdcid,
		.dpdcid = ids.ipdcid,
	};

	throw_cp(p, A, &cp, 333);
	rung_cp(p, 0, A, PDS_CP_CLEAR_COMMAND, 333);
}

static void ack_of_nothing(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	const struct pds_ack ack = {
		.type = PDS_ACK,
		.cack_psn = 334,
		.spdcid = ids.tpdcid,
		.dpdcid = ids.ipdcid,
	};
	uint8_t bytes[pds_ack_len] = {0};

	pds_ack_put(&ack, bytes);
	throw_at(p, A, bytes, sizeof(bytes));
	assert_drop(p, A, DROP_BAD_ACK);
	assert_int_equal(p->nseen, 0);
}

static void nack_of_nothing(void **state)
{
	struct pair *p = *state;
	const struct ids ids = pds_test_ids_of(p);
	const struct pds_nack nack = {
		.type = PDS_NACK,
		.nack_code = NACK_CLOSING,
		.nack_psn = 333, /* answered already */
		.spdcid = ids.tpdcid,
		.dpdcid = ids.ipdcid,
	};
	uint8_t bytes[pds_nack_len] = {0};

	pds_nack_put(&nack, bytes);
	throw_at(p, A, bytes, sizeof(bytes));
	assert_drop(p, A, DROP_BAD_NACK);
	assert_int_equal(pair_count(p, A, EV_PDC), 0);
}

static void short_packets(void **state)
{
	static const uint8_t types[] = {PDS_RUD_REQ, PDS_ACK,  PDS_ACK_CC,
					PDS_ACK_CCX, PDS_NACK, PDS_RUD_CC_REQ,
					PDS_CP};
	struct pair *p = *state;
	struct dgram *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	d->src = p->conf[A].addr;
	for (size_t i = 0; i < sizeof(types); i++)
		for (d->len = 0; d->len < 12; d->len++) {
			pair_forget(p);
			d->data[0] = (uint8_t)(types[i] << 3);
			assert_int_equal(
				orc_reference.feed(p->end[B], d, p->now), 0);
			pair_drain(p);
			assert_int_equal(p->nseen, 0);
			assert_drop(p, B, DROP_SHORT);
		}
	free(d);
}

/* Every code of the specification has a class; no other code has one. */
static void nack_table(void **state)
{
	(void)state;
	for (unsigned code = 0; code < 256; code++) {
		const bool named = value_find(pds_nack_codes, code);
		const struct nack_rule *rule = nack_rule_of((uint8_t)code);

		assert_int_equal(rule->class != NACK_RESERVED, named);
		assert_int_equal(rule->react != REACT_IGNORE, named);
		if (rule->class == NACK_PDC_FATAL)
			assert_true(rule->react == REACT_CLOSE ||
				    rule->react == REACT_FREE);
	}
}

#define REFUSAL(f) \
	cmocka_unit_test_setup_teardown(f, pds_test_setup, pds_test_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		REFUSAL(accepted),
		REFUSAL(unknown_dpdcid),
		REFUSAL(header_mismatch),
		REFUSAL(pds_test_mode_mismatch),
		REFUSAL(pds_test_window),
		REFUSAL(duplicates),
		REFUSAL(stored_answer_follows_its_duplicate),
		REFUSAL(coalescing),
		REFUSAL(duplicate_while_ses_works),
		REFUSAL(syn_never_allocates_twice),
		REFUSAL(syn_to_initiator),
		REFUSAL(syn_without_request),
		REFUSAL(no_pdc_available),
		REFUSAL(clears_what_was_received_only),
		REFUSAL(ack_request),
		REFUSAL(noop_and_probe),
		REFUSAL(unexpected_cps),
		REFUSAL(sack_and_nack),
		REFUSAL(cut_responses_are_dropped),
		REFUSAL(trimmed_goes_again_at_once),
		REFUSAL(pds_test_clear_request),
		REFUSAL(ack_of_nothing),
		REFUSAL(nack_of_nothing),
		REFUSAL(short_packets),
		cmocka_unit_test(nack_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
