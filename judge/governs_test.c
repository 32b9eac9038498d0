/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/governs_test.c -- tests that judge/governs.def is well formed: every
 * item names a kind of packet, and a field of the wire tables or a known event.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "judge/req.h"
#include "wire/registry.h"

struct governs_test_row {
	enum req_id req;
	const char *items;
};

static const struct governs_test_row governs[] = {
#define GOVERNS(sym, items) {REQ_##sym, items},
#define COMMON(sym, items)
#define GENERAL(sym, items)
#include "judge/governs.def"
#undef GOVERNS
#undef COMMON
#undef GENERAL
};

static const struct governs_test_row general[] = {
#define GOVERNS(sym, items)
#define COMMON(sym, items)
#define GENERAL(sym, items) {REQ_##sym, items},
#include "judge/governs.def"
#undef GOVERNS
#undef COMMON
#undef GENERAL
};

static const struct governs_test_row common[] = {
#define GOVERNS(sym, items)
#define COMMON(sym, items) {REQ_##sym, items},
#define GENERAL(sym, items)
#include "judge/governs.def"
#undef GOVERNS
#undef COMMON
#undef GENERAL
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const classes[] = {
	"req",          "ack",      "nack",     "cp",        "rudi_req",
	"rudi_resp",    "uud_req",  "any",      "ses",       "srd_req",
	"srd_sync",     "srd_ack",  "wqe_req",  "wqe_resp",  "wqe_ack",
	"rc_req",       "rc_resp",  "rc_ack",   "post",      "wqe_rtx_ind",
	"delivered",    "received", "returned", "responded", "completed",
	"failed",       "error",    "paused",   "resumed",   "eager",
	"unresponsive", "content",
};

/* Events, sums of the case language, and headers around a packet. */
static const char *const events[] = {
	"missing",   "resend",   "stale",    "in_flight", "type",
	"forbidden", "late",     "early",    "malformed", "data",
	"same",      "header",   "count",    "order",     "entropy",
	"dscp",      "ecn",      "no_df",    "udp_dport", "udp_checksum",
	"ip_proto",  "crc",      "psn",      "start_psn", "clear_psn",
	"ack_psn",   "sack_psn", "cack_psn", "pdc",       "message_id",
};

/* Keys of reports, answers of verbs and counters of "post stats". */
static const char *const keys[] = {
	"len",        "op",      "status",      "qpn",        "src_qp",
	"imm",        "ah",      "pkt_id",      "eager_id",   "eager_size",
	"state",      "refused", "answer",      "digest",     "cache_bytes",
	"cache_peak", "bitmaps", "bitmap_bits", "bitmap_set", "bitmap_first",
};

static bool governs_test_listed(const char *const *list, size_t n,
				const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], word) == 0)
			return true;
	return false;
}

static bool has_field(const struct header *const *headers, size_t n,
		      const char *word)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < headers[i]->nfields; j++)
			if (strcmp(headers[i]->fields[j].name, word) == 0)
				return true;
	return false;
}

static bool known_word(const char *word)
{
	return governs_test_listed(events, COUNT(events), word) ||
	       governs_test_listed(keys, COUNT(keys), word) ||
	       has_field(wire_headers, wire_nheaders, word) ||
	       has_field(wire_ib_headers, wire_nib_headers, word);
}

static void check_item(const struct governs_test_row *row, const char *item)
{
	const char *dot = strchr(item, '.');
	char class[32];

	if (!dot || dot == item || !dot[1])
		fail_msg("%s: \"%s\" is not CLASS.WORD", req_get(row->req)->id,
			 item);
	snprintf(class, sizeof(class), "%.*s", (int)(dot - item), item);
	if (!governs_test_listed(classes, COUNT(classes), class))
		fail_msg("%s: no class %s", req_get(row->req)->id, class);
	if (!known_word(dot + 1))
		fail_msg("%s: no field or event %s", req_get(row->req)->id,
			 dot + 1);
}

static void check_items(const struct governs_test_row *row)
{
	char items[640];

	assert_true(strlen(row->items) < sizeof(items));
	snprintf(items, sizeof(items), "%s", row->items);
	for (char *s = strtok(items, " "); s; s = strtok(NULL, " "))
		check_item(row, s);
}

static void items_are_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(governs); i++)
		check_items(&governs[i]);
	for (size_t i = 0; i < COUNT(common); i++)
		check_items(&common[i]);
	for (size_t i = 0; i < COUNT(general); i++)
		check_items(&general[i]);
}

static void rows_stand_once_in_the_order_of_the_catalogue(void **state)
{
	bool taken[REQ_COUNT] = {false};

	(void)state;
	for (size_t i = 0; i < COUNT(governs); i++) {
		if (i && governs[i].req <= governs[i - 1].req)
			fail_msg("%s is out of order",
				 req_get(governs[i].req)->id);
	}
	for (size_t i = 0; i < COUNT(general); i++) {
		if (taken[general[i].req])
			fail_msg("%s is general twice",
				 req_get(general[i].req)->id);
		taken[general[i].req] = true;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_are_known),
		cmocka_unit_test(rows_stand_once_in_the_order_of_the_catalogue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
