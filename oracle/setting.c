/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/setting.c -- the members of struct orc_conf that a variant may
 * set: one row for each.
 *
 * Ids, sizes and timers are not among them: the declaration sets these, so that
 * the tester uses the same values.
 */
#include "oracle/setting.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vtime.h"
#include "oracle/core/env.h"
#include "oracle/uet/cc/cc_conf.h"

struct setting_row {
	const char *name;
	size_t at, size; /* offset and size of the member, bytes */
	uint64_t max;
	bool time;         /* the member is a vspan: the value has a unit */
	const char *words; /* words of an enumeration, in its order; or NULL */
};

/* clang-format off */
#define AT(member) \
	offsetof(struct orc_conf, member), \
	sizeof(((struct orc_conf *)NULL)->member)
#define FLAG(member)        {#member, AT(member), 1, false, NULL}
#define NUMBER(member, max) {#member, AT(member), max, false, NULL}
#define TIME(member)        {#member, AT(member), INT64_MAX, true, NULL}
#define WORDS(member, words) {#member, AT(member), 0, false, words}
/* clang-format on */

static const struct setting_row settings[] = {
	TIME(rto_max),
	WORDS(ack_type, "ack ack_cc ack_ccx"),
	NUMBER(ack_gen_trigger, UINT32_MAX),
	NUMBER(ack_gen_min_pkt_add, UINT32_MAX),
	FLAG(ack_per_pkt),
	FLAG(ar_on_eom),
	FLAG(ack_on_ecn),
	FLAG(keep_read_data),
	TIME(read_time),
	NUMBER(slow_index, 0xfff),
	TIME(slow_time),
	NUMBER(infer_loss, UINT32_MAX),
	NUMBER(max_stored, UINT32_MAX),
	FLAG(error_rx),
	NUMBER(default_rc, 63),
	NUMBER(defer_rc, 63),
	FLAG(read_offset_of_rest),
	FLAG(rod_nack_each),
	FLAG(rod_nack_payload),
	FLAG(nack_ccx),
	WORDS(cc, "nscc credit"),
	WORDS(sack_base, "cack ack_psn aligned step"),
	NUMBER(cwnd, UINT32_MAX),
	NUMBER(sack_retx, INT16_MAX),
	NUMBER(spray, ENV_PATHS),
	WORDS(path_choice, "turn random feedback"),
	TIME(path_rest),
	WORDS(cc_policy, "none nscc rccc"),
	NUMBER(link_rate, CC_LINK_RATE_MAX),
	TIME(base_rtt),
	NUMBER(nscc_max_window, CC_HUNDREDTHS_MAX),
	NUMBER(nscc_target, CC_HUNDREDTHS_MAX),
	NUMBER(nscc_alpha, CC_HUNDREDTHS_MAX),
	NUMBER(nscc_fair, CC_HUNDREDTHS_MAX),
	NUMBER(nscc_fast, CC_HUNDREDTHS_MAX),
	TIME(nscc_fast_delay),
	NUMBER(nscc_eta, CC_HUNDREDTHS_MAX),
	NUMBER(nscc_gamma, 100),
	NUMBER(nscc_max_decrease, 100),
	NUMBER(nscc_qa_gate, 16),
	NUMBER(nscc_qa_delay, CC_HUNDREDTHS_MAX),
	NUMBER(nscc_delay_gain, 10000),
	NUMBER(nscc_adjust, 1024),
	NUMBER(rccc_quantum, 256),
	FLAG(probe),
	NUMBER(rcv_cwnd_pend, 127),
	FLAG(restore_cwnd),
	NUMBER(ccc_id, UINT8_MAX),
	NUMBER(credit_unit, UINT32_MAX),
	NUMBER(credit_init, 0xffffff),
	NUMBER(default_mpr, UINT8_MAX),
	TIME(close_idle),
	TIME(close_req_time),
	TIME(ask_close_idle),
	FLAG(ask_close_ack),
	TIME(ask_clear_time),
	TIME(syn_retx_safety),
	NUMBER(psn_range, UINT32_MAX),
	NUMBER(fatal_retries, UINT32_MAX),
	FLAG(start_psn_fixed),
	NUMBER(start_psn, UINT32_MAX),
	NUMBER(first_pdcid, UINT16_MAX),
	FLAG(trim_syn),
	NUMBER(trimmable_ack, UINT32_MAX),
	NUMBER(srd_window, UINT32_MAX),
	NUMBER(srd_paths, UINT32_MAX),
	FLAG(srd_give_up),
	TIME(srd_idle),
	TIME(srd_gc),
	FLAG(srd_sqe),
	FLAG(srd_fast),
	NUMBER(srd_rtt_weight, 1024),
	NUMBER(srd_dev_weight, 1024),
	NUMBER(srd_dev_factor, 1024),
	NUMBER(srd_coalesce, UINT32_MAX),
	NUMBER(wqe_window, UINT32_MAX),
	NUMBER(wqe_max_len, UINT32_MAX),
	NUMBER(wqe_cache_max, UINT32_MAX),
	NUMBER(wqe_max_ooo, UINT32_MAX),
	TIME(wqe_miss),
	TIME(wqe_again),
	TIME(wqe_tail),
	TIME(wqe_hold),
	NUMBER(wqe_rnr_code, 31),
	FLAG(wqe_bitmap),
	NUMBER(wqe_ind_psns, UINT32_MAX),
	FLAG(wqe_in_order),
	NUMBER(wqe_ack_every, UINT32_MAX),
	NUMBER(wqe_cache_device, UINT32_MAX),
	TIME(wqe_cache_time),
};

#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

static const struct setting_row *setting_find(const char *name)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (strcmp(settings[i].name, name) == 0)
			return &settings[i];
	return NULL;
}

/* Returns the unit after a number in ns, or 0 if there is none. */
static uint64_t setting_unit(const char *s)
{
	if (strcmp(s, "ns") == 0)
		return 1;
	if (strcmp(s, "us") == 0)
		return VSPAN_US;
	if (strcmp(s, "ms") == 0)
		return VSPAN_MS;
	if (strcmp(s, "s") == 0)
		return VSPAN_S;
	return 0;
}

static int setting_number(const struct setting_row *row, const char *value,
			  uint64_t *ret)
{
	uint64_t unit = 1;
	char *end;
	uint64_t v = strtoull(value, &end, 0);

	if (end == value || *value == '-')
		return ERR_VALUE;
	if (row->time)
		unit = setting_unit(end);
	else if (*end)
		return ERR_VALUE;
	if (!unit || v > row->max / unit)
		return ERR_VALUE;
	*ret = v * unit;
	return 0;
}

static int setting_word(const struct setting_row *row, const char *value,
			uint64_t *ret)
{
	const size_t len = strlen(value);
	const char *s = row->words;

	for (uint64_t n = 0; *s; n++) {
		const size_t word = strcspn(s, " ");

		if (word == len && strncmp(s, value, len) == 0) {
			*ret = n;
			return 0;
		}
		s += word + (s[word] == ' ');
	}
	return ERR_VALUE;
}

/* Stores an integer of |size| bytes. */
static void setting_store(void *at, size_t size, uint64_t v)
{
	const uint8_t byte = (uint8_t)v;
	const uint16_t half = (uint16_t)v;
	const uint32_t word = (uint32_t)v;

	if (size == sizeof(byte))
		memcpy(at, &byte, size);
	else if (size == sizeof(half))
		memcpy(at, &half, size);
	else if (size == sizeof(word))
		memcpy(at, &word, size);
	else
		memcpy(at, &v, sizeof(v));
}

int setting_put(struct orc_conf *conf, const char *name, const char *value)
{
	const struct setting_row *row = setting_find(name);
	uint64_t v;
	int err;

	if (!row)
		return ERR_SUPPORT;
	if (row->words)
		err = setting_word(row, value, &v);
	else
		err = setting_number(row, value, &v);
	if (err)
		return err;
	setting_store((char *)conf + row->at, row->size, v);
	return 0;
}

void setting_expects(struct text *t, const char *name)
{
	const struct setting_row *row = setting_find(name);

	if (row->words)
		text_printf(t, "one of: %s", row->words);
	else if (row->time)
		text_puts(t, "a time, such as 5ms");
	else
		text_printf(t, "0 to %" PRIu64, row->max);
}

/* A value that the member cannot hold is as wrong as a forbidden one. */
#define SET(name)                                       \
	case SETTING_##name:                            \
		ret.name = (__typeof__(ret.name))value; \
		fits = (uint64_t)ret.name == value;     \
		break;

int setting_set(struct orc_conf *conf, enum orc_setting setting, uint64_t value)
{
	struct orc_conf ret = *conf;
	bool fits = false;

	switch (setting) {
		ORC_SETTINGS(SET)
	case SETTING_COUNT:
		break;
	}
	if (setting == SETTING_start_psn)
		ret.start_psn_fixed = true;
	if (!fits)
		return ERR_VALUE;
	*conf = ret;
	return 0;
}
#undef SET

const char *setting_name(unsigned n)
{
	if (n < SETTINGS)
		return settings[n].name;
	return NULL;
}
