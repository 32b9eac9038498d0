/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/remote_vantage_test.c -- captures between the two ends, or at the
 * link of the other end.
 *
 * Between the sender of a packet and the judge, the network may lose, copy,
 * delay, reorder or trim packets.  The judge must not blame the sender for
 * that, but must still report the violations that packets prove.
 */
#include "judge/core/lab_test.h"

/* No timer is declared, like in rung check. */
static struct judge_conf plain_conf(void)
{
	struct judge_conf conf = lab_test_lab_conf();

	conf.rto_init = conf.rto_tolerance = conf.nack_retx_time = 0;
	return conf;
}

static void remote_vantage_test_open_afar(struct lab *lab)
{
	struct judge_conf conf = plain_conf();

	conf.remote_vantage = true;
	lab_test_lab_open(lab, &conf);
}

/* Opens a lab at the link of one end. */
static void remote_vantage_test_open_at(struct lab *lab, unsigned end)
{
	struct judge_conf conf = plain_conf();

	lab_test_lab_open(lab, &conf);
	lab->conf.here = lab->addr[end];
	judge_declare(lab->j, &lab->conf);
}

/* ---- Effects of the network ---- */

/*
 * The network loses a retransmission with a newer CLEAR_PSN after the capture:
 * the ACK answers the earlier copy.
 */
static void clear_of_another_copy(void **state)
{
	struct lab lab;

	(void)state;
	for (unsigned at_target = 0; at_target < 2; at_target++) {
		if (at_target)
			remote_vantage_test_open_at(&lab, B);
		else
			remote_vantage_test_open_afar(&lab);
		established(&lab);
		request(&lab, A, .psn = 334, .clear = 333);
		answer(&lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
		request(&lab, A, .psn = 335, .clear = 334, .retx = 1);
		request(&lab, A, .psn = 335, .clear = 333);
		answer(&lab, B, .psn = 335, .cack = 333);
		if (at_target)
			breaks(&lab, RUD_SVC_7, DST, B);
		else
			none(&lab);
		lab_test_lab_close(&lab);
	}
}

static void nack_is_copied(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_afar(&lab);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333);
	nack(&lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	nack(&lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	none(&lab);
	lab_test_lab_close(&lab);
	remote_vantage_test_open_at(&lab, B);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333);
	nack(&lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	nack(&lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	breaks(&lab, UET_RTX_01, DST, B);
	lab_test_lab_close(&lab);
}

/* The target got two copies, accepted one and refused the other. */
static void refused_copy_was_doubled(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_at(&lab, A);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333);
	request(&lab, A, .psn = 335, .clear = 333);
	nack(&lab, B, .psn = 335, .code = NACK_NO_PKT_BUFFER);
	answer(&lab, B, .type = PDS_ACK_CC, .psn = 335, .cack = 333, .mpr = 8,
	       .sack_psn = 335, .sack = 1);
	none(&lab);
	lab_test_lab_close(&lab);
	remote_vantage_test_open_at(&lab, B);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333);
	request(&lab, A, .psn = 335, .clear = 333);
	nack(&lab, B, .psn = 335, .code = NACK_NO_PKT_BUFFER);
	request(&lab, A, .psn = 336, .clear = 333);
	answer(&lab, B, .type = PDS_ACK_CC, .psn = 336, .cack = 333, .mpr = 8,
	       .sack_psn = 335, .sack = 3);
	breaks(&lab, UET_ACK_06, DST, B);
	lab_test_lab_close(&lab);
}

/* The network delays a copy, and a NACK overtakes it. */
static void request_is_copied(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_afar(&lab);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333);
	nack(&lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	request(&lab, A, .psn = 334, .clear = 333);
	request(&lab, A, .psn = 334, .clear = 333, .retx = 1);
	request(&lab, A, .psn = 334, .clear = 333);
	none(&lab);
	lab_test_lab_close(&lab);
}

/* The network copies the whole packet. */
static void copy_has_other_headers(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_afar(&lab);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 332);
	request(&lab, A, .psn = 334, .clear = 333);
	breaks(&lab, RUD_SEQ_84b, SRC, A);
	request(&lab, A, .psn = 335, .clear = 333);
	request(&lab, A, .psn = 335, .clear = 333, .entropy = 7);
	breaks(&lab, RUD_SEQ_84b, SRC, A);
	lab_test_lab_close(&lab);
}

/* The answer to the first copy comes after the retransmission. */
static void answer_is_copied(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_at(&lab, A);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333, .ar = 1);
	answer(&lab, B, .psn = 334, .cack = 334);
	request(&lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	answer(&lab, B, .psn = 334, .cack = 334);
	none(&lab);
	lab_test_lab_close(&lab);
	remote_vantage_test_open_at(&lab, B);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333, .ar = 1);
	answer(&lab, B, .psn = 334, .cack = 334);
	request(&lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	answer(&lab, B, .psn = 334, .cack = 334);
	breaks(&lab, UET_ACK_03, DST, B);
	lab_test_lab_close(&lab);
}

/* The NACK of a SYN is delayed until the PDC is established. */
static void nack_is_late(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_afar(&lab);
	request(&lab, A, .psn = 333, .clear = 332, .syn = 1);
	request(&lab, A, .psn = 334, .clear = 332, .syn = 1);
	answer(&lab, B, .psn = 334, .cack = 332);
	nack(&lab, B, .psn = 333, .code = NACK_NO_RESOURCE, .no_spdcid = 1);
	nack(&lab, B, .psn = 333, .code = NACK_NO_PKT_BUFFER, .no_spdcid = 1);
	none(&lab);
	request(&lab, A, .psn = 335, .clear = 332);
	nack(&lab, B, .psn = 335, .code = NACK_NO_PKT_BUFFER, .no_spdcid = 1);
	breaks(&lab, UET_NACK_07, DST, B);
	lab_test_lab_close(&lab);
}

/* The first copy of a read is trimmed, but its codepoint is unknown. */
static void read_is_trimmed(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_at(&lab, B);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333, .opcode = SES_READ,
		.dscp = 26, .cut = 16);
	nack(&lab, B, .psn = 334, .code = NACK_TRIMMED);
	request(&lab, A, .psn = 334, .clear = 333, .opcode = SES_READ,
		.retx = 1, .mid = 77);
	answer(&lab, B, .psn = 334, .cack = 334, .retx = 1, .mid = 77);
	request(&lab, B, .psn = 333, .clear = 332,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 77, .mid = 5);
	request(&lab, B, .psn = 334, .clear = 332,
		.next = PDS_NEXT_RESPONSE_DATA_SMALL, .payload = 334);
	none(&lab);
	lab_test_lab_close(&lab);
}

/*
 * The codepoint of a trimmed control packet is unknown as well: the packet is
 * as short as the rest of a trimmed one.
 */
static void control_is_trimmed(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_at(&lab, B);
	established(&lab);
	control(&lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 9,
		.dscp = 28);
	request(&lab, A, .psn = 334, .clear = 333);
	control(&lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 334, .ar = 1,
		.dscp = 28);
	control(&lab, A, .ctl = PDS_CP_NOOP, .psn = 335, .ar = 1, .dscp = 28);
	control(&lab, A, .ctl = PDS_CP_NOOP, .psn = 335, .ar = 1, .retx = 1,
		.dscp = 28);
	request(&lab, A, .psn = 336, .clear = 333);
	answer(&lab, B, .type = PDS_ACK_CC, .psn = 336, .cack = 334, .mpr = 8,
	       .sack_psn = 336, .sack = 1, .ooo = 2);
	none(&lab);
	lab.n = judge_end(lab.j, lab.now + VSPAN_S, lab.found, 64);
	none(&lab);
	control(&lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 9);
	lab.n = judge_end(lab.j, lab.now + VSPAN_S, lab.found, 64);
	breaks(&lab, UET_CP_06, DST, B);
	lab_test_lab_close(&lab);
}

/* The last packet of a message overtakes the packets before it. */
static void message_is_reordered(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_afar(&lab);
	established(&lab);
	request(&lab, A, .psn = 335, .clear = 333, .mid = 5, .rest = 1,
		.length = 24);
	request(&lab, A, .psn = 334, .clear = 333, .mid = 5, .more = 1,
		.length = 24, .extra = 8);
	request(&lab, A, .psn = 336, .clear = 333, .mid = 6);
	none(&lab);
	lab_test_lab_close(&lab);
}

/* ---- Violations that are visible nevertheless ---- */

static void remote_vantage_test_messages_interleaved(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_afar(&lab);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333, .mid = 5, .more = 1);
	request(&lab, A, .psn = 336, .clear = 333, .mid = 6, .more = 1);
	none(&lab); /* PSN 335 may have ended the first */
	request(&lab, A, .psn = 337, .clear = 333, .mid = 7);
	breaks(&lab, UET_PDC_09, SRC, A);
	lab_test_lab_close(&lab);
}

static void message_began_elsewhere(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_afar(&lab);
	request(&lab, A, .psn = 333, .clear = 332, .syn = 1, .mid = 5,
		.rest = 1);
	breaks(&lab, RUD_SVC_0m, SRC, A);
	lab_test_lab_close(&lab);
	remote_vantage_test_open_afar(&lab);
	request(&lab, A, .psn = 334, .clear = 332, .syn = 1, .mid = 5,
		.rest = 1);
	none(&lab);
	lab_test_lab_close(&lab);
}

static void message_id_twice(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_afar(&lab);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333, .mid = 5);
	request(&lab, A, .psn = 335, .clear = 333, .mid = 5);
	breaks(&lab, RUD_SEQ_79a, SRC, A);
	answer(&lab, B, .psn = 335, .cack = 335, .mid = 5);
	request(&lab, A, .psn = 336, .clear = 333, .mid = 5);
	none(&lab);
	lab_test_lab_close(&lab);
}

/* The target requests a clear, but its CACK_PSN advances without it. */
static void cack_does_not_wait(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_afar(&lab);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333);
	answer(&lab, B, .psn = 334, .cack = 334, .req = PDS_REQ_CLEAR);
	breaks(&lab, RUD_SEQ_76, DST, B);
	request(&lab, A, .psn = 335, .clear = 334, .opcode = SES_READ,
		.mid = 9);
	answer(&lab, B, .psn = 335, .cack = 335, .next = PDS_NEXT_RESPONSE_DATA,
	       .read_mid = 9);
	breaks(&lab, RUD_SEQ_80o, DST, B);
	lab_test_lab_close(&lab);
}

/* The ACK that requested the retransmission may have been lost. */
static void data_comes_again(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_afar(&lab);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333, .opcode = SES_READ,
		.mid = 9);
	answer(&lab, B, .psn = 334, .cack = 333, .next = PDS_NEXT_RESPONSE_DATA,
	       .read_mid = 9);
	none(&lab);
	lab_test_lab_close(&lab);
}

static void more_bytes_than_sent(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_afar(&lab);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333, .extra = 1000);
	request(&lab, A, .psn = 335, .clear = 333, .extra = 1000);
	answer(&lab, B, .type = PDS_ACK_CC, .psn = 334, .cack = 334, .mpr = 8,
	       .bytes = 4);
	answer(&lab, B, .type = PDS_ACK_CC, .psn = 334, .cack = 334, .mpr = 8,
	       .bytes = 2); /* an old ACK */
	answer(&lab, B, .type = PDS_ACK_CC, .psn = 335, .cack = 335, .mpr = 8,
	       .bytes = 9);
	none(&lab);
	answer(&lab, B, .type = PDS_ACK_CC, .psn = 335, .cack = 335, .mpr = 8,
	       .bytes = 99);
	breaks(&lab, UET_ACK_09, DST, B);
	lab_test_lab_close(&lab);
}

/* The target of a closed PDC reuses its PDCID, as an initiator. */
static void target_opens_next(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_afar(&lab);
	established(&lab);
	control(&lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334, .ar = 1);
	answer(&lab, B, .psn = 334, .cack = 334, .bare = 1);
	lab.ids[A] = 0x0c0c;
	request(&lab, B, .psn = 333, .clear = 332, .syn = 1);
	answer(&lab, A, .psn = 333, .cack = 333);
	request(&lab, B, .psn = 334, .clear = 333);
	none(&lab);
	lab_test_lab_close(&lab);
}

/* ---- Undeclared limits ---- */

/* A source may stop after a few retransmissions. */
static void gives_up(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	remote_vantage_test_open_at(&lab, A);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333, .ar = 1);
	lab.now += RTO;
	request(&lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	lab.now += 2 * RTO;
	control(&lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	none(&lab);
	lab_test_lab_close(&lab);
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333, .ar = 1);
	lab.now += RTO;
	request(&lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	lab.now += 2 * RTO;
	control(&lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	breaks(&lab, UET_PDC_43, SRC, A);
	lab_test_lab_close(&lab);
}

/* An end that sends return data still has the PDC, so it must answer. */
static void has_not_given_up(void **state)
{
	struct lab lab;

	(void)state;
	remote_vantage_test_open_at(&lab, B);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 9,
		.ar = 1);
	request(&lab, B, .psn = 333, .clear = 332,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 9, .mid = 5);
	lab.now += 5 * MS;
	request(&lab, B, .psn = 333, .clear = 332,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 9, .mid = 5,
		.retx = 1);
	lab.n = judge_end(lab.j, lab.now + VSPAN_S, lab.found, 64);
	none(&lab);
	lab.now += 10 * MS;
	request(&lab, B, .psn = 333, .clear = 332,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 9, .mid = 5,
		.retx = 1);
	lab.n = judge_end(lab.j, lab.now + VSPAN_S, lab.found, 64);
	breaks(&lab, UET_ACK_15, DST, B);
	lab_test_lab_close(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clear_of_another_copy),
		cmocka_unit_test(nack_is_copied),
		cmocka_unit_test(refused_copy_was_doubled),
		cmocka_unit_test(request_is_copied),
		cmocka_unit_test(copy_has_other_headers),
		cmocka_unit_test(answer_is_copied),
		cmocka_unit_test(nack_is_late),
		cmocka_unit_test(read_is_trimmed),
		cmocka_unit_test(control_is_trimmed),
		cmocka_unit_test(message_is_reordered),
		cmocka_unit_test(remote_vantage_test_messages_interleaved),
		cmocka_unit_test(message_began_elsewhere),
		cmocka_unit_test(message_id_twice),
		cmocka_unit_test(cack_does_not_wait),
		cmocka_unit_test(data_comes_again),
		cmocka_unit_test(more_bytes_than_sent),
		cmocka_unit_test(target_opens_next),
		cmocka_unit_test(gives_up),
		cmocka_unit_test(has_not_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
