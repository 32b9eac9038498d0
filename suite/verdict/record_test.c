/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/verdict/record.h"
#include "wire/uet/uet_pds.h"

/* Texts and bytes are in pools that move as they grow; entries stay valid. */
static void entries_keep_their_bytes_and_texts(void **state)
{
	struct record r = {0};
	static struct dgram d;
	char text[32];

	(void)state;
	for (uint32_t i = 0; i < 1000; i++) {
		const struct rec rec = {.kind = REC_RX, .frame = i + 1};

		d.entropy = (uint16_t)i;
		d.len = i % 64;
		memset(d.data, (int)(i & 0xff), d.len);
		snprintf(text, sizeof(text), "note %u", (unsigned)i);
		assert_int_equal(record_add(&r, &rec, &d, text, NULL), i);
	}
	for (uint32_t i = 0; i < 1000; i++) {
		const struct rec *rec = &r.recs[i];
		struct packet pkt;

		snprintf(text, sizeof(text), "note %u", (unsigned)i);
		assert_string_equal(record_note_of(&r, rec), text);
		assert_string_equal(record_text_of(&r, rec), "");
		assert_int_equal(rec->entropy, i);
		record_packet(&r, rec, &pkt);
		assert_int_equal(pkt.len, i % 64);
		for (size_t n = 0; n < pkt.len; n++)
			assert_int_equal(pkt.p[n], i & 0xff);
	}
	assert_false(r.failed_alloc);
	record_clear(&r);
	assert_int_equal(r.nrecs, 0);
	assert_non_null(r.recs);
	record_free(&r);
}

/* A packet is parsed as it is recorded, and again when it changes. */
static void packets_are_parsed(void **state)
{
	const uint8_t ack[] = {PDS_ACK << 3, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2};
	const struct rec rec = {.kind = REC_RX, .frame = 1};
	struct record r = {0};
	static struct dgram d;
	struct packet pkt;
	struct rec part;

	(void)state;
	d.len = sizeof(ack);
	memcpy(d.data, ack, sizeof(ack));
	record_add(&r, &(struct rec){.kind = REC_NOTE}, NULL, NULL, "said");
	record_add(&r, &rec, &d, NULL, NULL);
	record_packet(&r, &r.recs[1], &pkt);
	assert_int_equal(pkt.fault, PACKET_OK);
	assert_string_equal(packet_word(&pkt), "ack");
	part = r.recs[1];
	part.len = 4;
	record_packet(&r, &part, &pkt);
	assert_int_equal(pkt.fault, PACKET_SHORT);
	d.data[0] = PDS_NACK << 3;
	record_change(&r, 1, d.data, sizeof(ack) + 1);
	record_packet(&r, &r.recs[1], &pkt);
	assert_string_equal(packet_word(&pkt), "ack");
	record_change(&r, 1, d.data, 2);
	record_packet(&r, &r.recs[1], &pkt);
	assert_int_equal(pkt.len, 2);
	assert_string_equal(packet_word(&pkt), "nack");
	record_free(&r);
}

static void notes_are_joined(void **state)
{
	struct record r = {0};
	const struct rec rec = {.kind = REC_NOTE};

	(void)state;
	record_add(&r, &rec, NULL, NULL, "said");
	assert_string_equal(record_note_of(&r, &r.recs[0]), "");
	record_note(&r, 0, "one");
	record_note(&r, 0, "two");
	assert_string_equal(record_note_of(&r, &r.recs[0]), "one; two");
	assert_string_equal(record_text_of(&r, &r.recs[0]), "said");
	record_note(&r, 7, "there is no such entry");
	record_free(&r);
}

static void long_notes_are_cut(void **state)
{
	struct record r = {0};
	const struct rec rec = {.kind = REC_NOTE};
	char note[1000];

	(void)state;
	memset(note, 'x', sizeof(note) - 1);
	note[sizeof(note) - 1] = 0;
	record_add(&r, &rec, NULL, note, NULL);
	record_note(&r, 0, note);
	record_note(&r, 0, note);
	assert_true(strlen(record_note_of(&r, &r.recs[0])) < 500);
	record_free(&r);
}

static void names_are_the_contracts(void **state)
{
	(void)state;
	assert_string_equal(verdict_name(VERDICT_PASS), "pass");
	assert_string_equal(verdict_name(VERDICT_FAIL), "fail");
	assert_string_equal(verdict_name(VERDICT_INCONCLUSIVE), "inconclusive");
	assert_string_equal(verdict_name(VERDICT_NA), "na");
	assert_string_equal(verdict_name(VERDICT_ERROR), "error");
	assert_string_equal(fail_kind_name(KIND_TIMING), "timing");
	assert_string_equal(fail_kind_name(KIND_NONE), "");
	assert_string_equal(fate_name(FATE_DUPLICATE), "duplicate");
}

static void findings_find_their_entries(void **state)
{
	static const uint32_t frames[] = {7, 0, 2, 99, 7};
	static const size_t entries[] = {9, 0, 2, 0, 9};
	struct rec_finding findings[5] = {{0}};
	struct record r = {.findings = findings, .nfindings = 5};
	size_t *rows;

	(void)state;
	for (uint32_t i = 0; i < 9; i++) {
		/* The frame 7 has two entries, and some entries have none. */
		const struct rec rec = {.kind = REC_RX,
					.frame = i == 8  ? 7
						 : i % 4 ? i + 1
							 : 0};

		record_add(&r, &rec, NULL, NULL, NULL);
	}
	for (size_t i = 0; i < 5; i++)
		findings[i].frame = frames[i];
	rows = record_rows(&r);
	assert_non_null(rows);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(rows[i], entries[i]);
	free(rows);
	r.nfindings = 0;
	assert_null(record_rows(&r));
	r.findings = NULL;
	record_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_keep_their_bytes_and_texts),
		cmocka_unit_test(packets_are_parsed),
		cmocka_unit_test(notes_are_joined),
		cmocka_unit_test(long_notes_are_cut),
		cmocka_unit_test(names_are_the_contracts),
		cmocka_unit_test(findings_find_their_entries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
