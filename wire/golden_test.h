/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/golden_test.h -- reads the golden vectors and compares them with tables.
 *
 * The vectors were packed by hand; their format is described in the head of
 * tests/golden/uet_golden.txt.  The headers of a vector follow from the names
 * of its fields, never from its bytes, so that they check the parser's choice
 * of sections.  vector_agrees() takes the tables from its caller, so that
 * mutation_test can pass mutated ones.
 */
#ifndef WIRE_GOLDEN_TEST_H
#define WIRE_GOLDEN_TEST_H

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/registry.h"

#define GOLDEN       "tests/golden/uet_golden.txt"
#define GOLDEN_EXTRA "tests/golden/extra_golden.txt"
#define GOLDEN_MAX   512

struct pair {
	char *key, *value;
	bool seen; /* some check has compared it */
};

struct part {
	const struct header *h;
	unsigned slot; /* index of its rule in rules[] */
	size_t at;
	uint64_t want[32]; /* expected values by field, SINT sign-extended */
	bool named[32];
};

struct vector {
	char *name;
	struct pair pair[80];
	unsigned npair;
	uint8_t hex[256];
	size_t len;
	struct part part[10];
	unsigned npart;
	size_t tail; /* offset of the bytes after the headers */
};

struct golden {
	char *text;
	struct vector v[GOLDEN_MAX];
	unsigned n;
};

/* ---- The file ---- */

static inline char *golden_read(const char *path)
{
	FILE *f = fopen(path, "r");
	size_t size = 1 << 20;
	char *text = calloc(1, size);

	if (!f || !text || fread(text, 1, size - 1, f) == 0) {
		fprintf(stderr, "cannot read %s\n", path);
		exit(1);
	}
	fclose(f);
	return text;
}

static inline void golden_fields(struct vector *v, char *s)
{
	for (char *w = strtok(s, " "); w; w = strtok(NULL, " ")) {
		struct pair *p = &v->pair[v->npair++];

		p->key = w;
		p->value = strchr(w, '=');
		if (!p->value) {
			fprintf(stderr, "%s: %s has no value\n", v->name, w);
			exit(1);
		}
		*p->value++ = 0;
	}
}

static inline size_t golden_hex(uint8_t *ret, size_t size, const char *s)
{
	size_t n = 0;
	unsigned byte;

	for (; n < size && sscanf(s, " %2x", &byte) == 1; n++) {
		ret[n] = (uint8_t)byte;
		s += strspn(s, " ");
		s += 2;
	}
	return n;
}

/* Lines of key and rest; a vector begins at "name:" and ends at "hex:". */
static inline void wire_golden_test_golden_load(struct golden *g,
						const char *path)
{
	char *next, *line = g->text = golden_read(path);

	for (; line && *line; line = next) {
		struct vector *v = &g->v[g->n];

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (!strncmp(line, "name: ", 6))
			v->name = line + 6;
		else if (!strncmp(line, "fields: ", 8))
			v->pair[0].key = line + 8;
		else if (!strncmp(line, "hex:", 4)) {
			char *fields = v->pair[0].key;

			v->len = golden_hex(v->hex, sizeof(v->hex), line + 4);
			golden_fields(v, fields);
			g->n++;
		}
	}
}

static inline struct pair *vector_pair(struct vector *v, const char *key)
{
	for (unsigned i = 0; i < v->npair; i++)
		if (!strcmp(v->pair[i].key, key))
			return &v->pair[i];
	return NULL;
}

static inline bool vector_has(struct vector *v, const char *key)
{
	return vector_pair(v, key) != NULL;
}

/* ---- The headers, chosen by the names of the fields ---- */

struct rule {
	/* the first rule of a slot that matches selects its header */
	unsigned slot;
	const char *has, *and;
	const struct header *h;
};

enum {
	SLOT_VLAN = 1,
	SLOT_VLAN2,
	SLOT_IP,
	SLOT_SHIM,
	SLOT_TSS,
	SLOT_PDS,
	SLOT_PDS2,
	SLOT_PDS3,
	SLOT_SES,
	SLOT_EXT,
	SLOT_EXT2
};

/* clang-format off */
static const struct rule golden_rules[] = {
	{0, "eth.src", NULL, &frame_eth_header},
	{SLOT_VLAN, "vlan.outer_tci", NULL, &frame_vlan_header},
	{SLOT_VLAN2, "vlan.inner_tci", NULL, &frame_vlan_header},
	{SLOT_IP, "ip.ttl", NULL, &frame_ipv4_header},
	{SLOT_IP, "ip.hop_limit", NULL, &frame_ipv6_header},
	{SLOT_IP, "ip.ext_length", NULL, &frame_ipv6_ext_header},
	{SLOT_IP, "ip.fragment_id", NULL, &frame_ipv6_fragment_header},
	{SLOT_SHIM, "udp.sport", NULL, &frame_udp_header},
	{SLOT_SHIM, "entropy", NULL, &entropy_header},
	{SLOT_TSS, "tss.ssi", NULL, &tss_ssi_header},
	{SLOT_TSS, "tss.sdi", NULL, &tss_header},
	{SLOT_PDS, "clear_psn_offset", "pdc_info", &pds_req_syn_header},
	{SLOT_PDS, "clear_psn_offset", NULL, &pds_req_header},
	{SLOT_PDS, "cack_psn", "probe_opaque", &pds_ack_probe_header},
	{SLOT_PDS, "cack_psn", NULL, &pds_ack_header},
	{SLOT_PDS, "nack_psn", NULL, &pds_nack_header},
	{SLOT_PDS, "nack_pkt_id", NULL, &pds_nack_rudi_header},
	{SLOT_PDS, "ctl_type", "pdc_info", &pds_cp_syn_header},
	{SLOT_PDS, "ctl_type", NULL, &pds_cp_header},
	{SLOT_PDS, "pkt_id", "flags.m", &rudi_resp_header},
	{SLOT_PDS, "pkt_id", NULL, &rudi_req_header},
	{SLOT_PDS, "flags", NULL, &pds_prologue_header},
	{SLOT_PDS, "pds.type", NULL, &uud_req_header},
	{SLOT_PDS2, "ccc_id", NULL, &pds_req_cc_header},
	{SLOT_PDS2, "cc_type", NULL, &pds_ack_cc_header},
	{SLOT_PDS2, "ccx_type", NULL, &pds_ack_ccx_header},
	{SLOT_PDS2, "nccx_type", NULL, &pds_nack_ccx_header},
	{SLOT_PDS2, "ctl_type", "neg.type", &cp_negotiation_header},
	{SLOT_PDS2, "ctl_type", "payload.message_id", &cp_ack_request_header},
	{SLOT_PDS2, "ctl_type", "payload.clear_psn", &cp_clear_header},
	{SLOT_PDS2, "ctl_type", "payload.sack_psn", &cp_probe_header},
	{SLOT_PDS2, "ctl_type", "payload.credit", &cp_credit_header},
	{SLOT_PDS2, "ctl_type", "payload.ccc_id", &cp_credit_request_header},
	{SLOT_PDS2, "ctl_type", NULL, &cp_payload_header},
	{SLOT_PDS3, "nscc.rc", NULL, &pds_nscc_header},
	{SLOT_PDS3, "credit.credit", NULL, &pds_credit_header},
	{SLOT_PDS3, "cc_type", NULL, &pds_cc_state_header},
	{SLOT_SES, "ses.original_request_psn", NULL,
		&ses_response_data_small_header},
	{SLOT_SES, "ses.response_message_id", NULL, &ses_response_data_header},
	{SLOT_SES, "ses.list", NULL, &ses_response_header},
	{SLOT_SES, "ses.message_id", "ses.payload_length", &ses_std_header},
	{SLOT_SES, "ses.target_token", "ses.match_bits",
		&ses_std_deferrable_header},
	{SLOT_SES, "ses.target_token", "ses.buffer_offset",
		&ses_std_rtr_header},
	{SLOT_SES, "ses.message_id", NULL, &ses_std_som_header},
	{SLOT_SES, "ses.initiator", "ses.header_data", &ses_medium_hd_header},
	{SLOT_SES, "ses.initiator", NULL, &ses_medium_header},
	{SLOT_SES, "ses.buffer_offset", NULL, &ses_small_header},
	{SLOT_EXT, "ses.eager_length", NULL, &ses_rendezvous_header},
	{SLOT_EXT, "ses.amo_opcode", NULL, &ses_atomic_header},
	{SLOT_EXT2, "ses.compare_value", NULL, &ses_cswap_header},
};

/* The positions of the fields with a prefix. */
static const struct prefix {
	const char *word;
	unsigned from, to;
} golden_prefixes[] = {
	{"eth.", 0, 0},
	{"ip.", SLOT_IP, SLOT_IP},
	{"udp.", SLOT_SHIM, SLOT_SHIM},
	{"tss.", SLOT_TSS, SLOT_TSS},
	{"nscc.", SLOT_PDS3, SLOT_PDS3},
	{"credit.", SLOT_PDS3, SLOT_PDS3},
	{"ses.", SLOT_SES, SLOT_EXT2},
	{"pds.", SLOT_PDS, SLOT_PDS},
	{"flags.", SLOT_PDS, SLOT_PDS},
	{"payload.", SLOT_PDS, SLOT_PDS3},
	{"neg.", SLOT_PDS2, SLOT_PDS2},
	{"vlan.", SLOT_VLAN, SLOT_VLAN},
	{"", SLOT_SHIM, SLOT_PDS3},
};

/*
 * Names in the vectors that differ from the table's.  Fields in two halves are
 * not listed, nor are names that differ only by their prefix.
 */
static const struct alias {
	const char *key, *name;
} golden_aliases[] = {
	{"ses.memory_key", "match_bits"},
	{"payload.expected_psn", "payload"},
	{"payload.start_psn", "payload"},
	{"neg.type", "neg_type"},
	{"neg.length", "neg_length"},
	{"eth.type", "eth_type"},
	{"tss.rsvd", "rsvd_6"},
};

/* Names that are no fields: golden_test compares them separately. */
static const char *const golden_others[] = {
	"data", "crc32c", "crc.order", "crc.cover", "crc32c.sent", "CLEAR_PSN",
	"ACK_PSN", "SACK_PSN", "SACK_LIST", "MP_RANGE", "start_psn",
	"trim.kept_beyond_ip", "trim.ses_bytes_left", "eth.pad",
	"tss.ciphertext_len", "tss.icv", "need", "have",
};

/* Fields that a vector need not name, and their default values. */
static const struct unnamed {
	const struct header *h;
	const char *name;
	uint64_t value;
} golden_unnamed[] = {
	{&frame_ipv4_header, "ihl", 5},
	{&frame_ipv4_header, "mf", 0},
	{&frame_ipv4_header, "fragment_offset", 0},
	{&pds_cc_state_header, "ack_cc_state", 0},
	{&ses_small_header, "hd", 0}, /* reserved here: named rsvd.1 */
};
/* clang-format on */

#define ROWS(a) (sizeof(a) / sizeof((a)[0]))

static inline void vector_lay(struct vector *v)
{
	unsigned next = 0; /* the slot to fill next */

	for (size_t i = 0; i < ROWS(golden_rules); i++) {
		const struct rule *r = &golden_rules[i];

		if (r->slot < next || !vector_has(v, r->has) ||
		    (r->and &&!vector_has(v, r->and)))
			continue;
		v->part[v->npart].h = r->h;
		v->part[v->npart].slot = r->slot;
		v->part[v->npart].at = v->tail;
		v->npart++;
		v->tail += r->h->len;
		next = r->slot + 1;
	}
}

/* ---- Values ---- */

struct wide {
	uint64_t hi, lo;
};

static inline struct wide wide_bytes(const uint8_t *p, size_t n)
{
	struct wide w = {0, 0};

	for (size_t i = 0; i < n; i++) {
		w.hi = w.hi << 8 | w.lo >> 56;
		w.lo = w.lo << 8 | p[i];
	}
	return w;
}

static inline struct wide wide_hex(const char *s)
{
	struct wide w = {0, 0};

	for (; *s; s++) {
		char digit[2] = {*s, 0};

		w.hi = w.hi << 4 | w.lo >> 60;
		w.lo = w.lo << 4 | strtoull(digit, NULL, 16);
	}
	return w;
}

/* Reads C numbers, MAC and IP addresses. */
static inline struct wide wide_value(const char *s)
{
	uint8_t b[16];

	if (!strncmp(s, "0x", 2))
		return wide_hex(s + 2);
	if (s[0] == '-')
		return (struct wide){0, (uint64_t)strtoll(s, NULL, 10)};
	if (sscanf(s, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", &b[0], &b[1], &b[2],
		   &b[3], &b[4], &b[5]) == 6)
		return wide_bytes(b, 6);
	if (strchr(s, '.') && inet_pton(AF_INET, s, b) == 1)
		return wide_bytes(b, 4);
	if (strchr(s, ':') && inet_pton(AF_INET6, s, b) == 1)
		return wide_bytes(b, 16);
	return (struct wide){0, strtoull(s, NULL, 10)};
}

/* ---- Checks of a vector ---- */

/* Prints the vector's name before a failing check. */
static inline void vector_tell(const struct vector *v)
{
	fprintf(stderr, "in %s\n", v->name);
}

#define check(v, cond)                     \
	do {                               \
		if (!(cond)) {             \
			vector_tell(v);    \
			assert_true(cond); \
		}                          \
	} while (0)

static inline const char *vector_text(struct vector *v, const char *key)
{
	struct pair *p = vector_pair(v, key);

	if (!p)
		return NULL;
	p->seen = true;
	return p->value;
}

static inline bool vector_number(struct vector *v, const char *key,
				 uint64_t *ret)
{
	const char *s = vector_text(v, key);

	if (s)
		*ret = wide_value(s).lo;
	return s != NULL;
}

/* ---- Names to fields ---- */

static inline int part_index(const struct part *p, const char *name)
{
	for (size_t i = 0; i < p->h->nfields; i++)
		if (!strcmp(p->h->fields[i].name, name))
			return (int)i;
	return -1;
}

static inline bool part_want(struct part *p, const char *name, uint64_t value)
{
	int i = part_index(p, name);

	if (i < 0)
		return false;
	p->want[i] |= value; /* reserved bits may be given in parts */
	p->named[i] = true;
	return true;
}

static inline struct part *vector_part(struct vector *v, unsigned slot)
{
	for (unsigned i = 0; i < v->npart; i++)
		if (v->part[i].slot == slot)
			return &v->part[i];
	return NULL;
}

/* The field before a tag identifies it. */
static inline bool want_vlan(struct vector *v, const struct pair *p)
{
	bool inner = !strncmp(p->key, "vlan.inner_", 11);
	struct part *tag = vector_part(v, inner ? SLOT_VLAN2 : SLOT_VLAN);
	struct part *announce = vector_part(v, inner ? SLOT_VLAN : 0);
	uint64_t value = wide_value(p->value).lo;

	if (!tag || !strstr(p->key, "er_t"))
		return false;
	if (strstr(p->key, "_tpid"))
		return part_want(announce, "eth_type", value);
	return part_want(tag, "pcp", value >> 13) &&
	       part_want(tag, "dei", value >> 12 & 1) &&
	       part_want(tag, "vid", value & 0xfff);
}

/* eth.type is the type of the payload: with tags, that of the last tag. */
static inline bool want_eth_type(struct vector *v, const struct pair *p)
{
	struct part *last = NULL;

	for (unsigned i = 0; i < v->npart && v->part[i].slot <= SLOT_VLAN2; i++)
		last = &v->part[i];
	return last && part_want(last, "eth_type", wide_value(p->value).lo);
}

/*
 * flags.rsvd: bits of the 7 flags in their positions; bit 15 of the header is
 * 0x01.
 */
static inline bool want_flags_rsvd(struct vector *v, const struct pair *p)
{
	struct part *pds = vector_part(v, SLOT_PDS);
	uint64_t flags = wide_value(p->value).lo;

	for (size_t i = 0; i < pds->h->nfields; i++) {
		const struct field *f = &pds->h->fields[i];
		unsigned end = f->at + f->width;

		if (f->kind != FIELD_RSVD || f->at < 9 || end > 16)
			continue;
		pds->want[i] = flags >> (16 - end) & ((1u << f->width) - 1);
		pds->named[i] = true;
		flags &= ~(pds->want[i] << (16 - end));
	}
	return flags == 0;
}

/*
 * rsvd.N: reserved bits at byte N of the vector, shifted down.  A field of more
 * than one byte may be given in parts: a part ends where the next begins.
 */
static inline bool want_rsvd(struct vector *v, const struct pair *p)
{
	unsigned byte = (unsigned)strtoul(p->key + 5, NULL, 10);

	for (unsigned i = 0; i < v->npart; i++) {
		struct part *part = &v->part[i];
		unsigned base = (unsigned)part->at * 8;

		for (size_t k = 0; k < part->h->nfields; k++) {
			const struct field *f = &part->h->fields[k];
			unsigned at = base + f->at, end = at + f->width;
			char next[16];

			if ((f->kind != FIELD_RSVD && strcmp(f->name, "hd")) ||
			    byte * 8 + 8 <= at || byte * 8 >= end)
				continue;
			snprintf(next, sizeof(next), "rsvd.%u", byte + 2);
			if (vector_has(v, next) && (byte + 2) * 8 < end)
				end = (byte + 2) * 8;
			part->want[k] |= wide_value(p->value).lo
					 << (at + f->width - end);
			part->named[k] = true;
			return true;
		}
	}
	return false;
}

static inline bool want_in(struct part *p, const char *name, struct wide w)
{
	char half[64];

	if (part_want(p, name, w.lo))
		return w.hi == 0 || (int64_t)w.lo < 0;
	snprintf(half, sizeof(half), "%s_hi", name);
	if (part_index(p, half) < 0)
		return false;
	part_want(p, half, w.hi);
	snprintf(half, sizeof(half), "%s_lo", name);
	return part_want(p, half, w.lo);
}

/*
 * The payload word of a CP is compared as a whole, even if its fields have
 * names.
 */
static inline bool raw_payload(struct vector *v, const struct pair *p)
{
	struct part *tail = vector_part(v, SLOT_PDS2);

	return tail && !strcmp(p->key, "payload") &&
	       bits_get(v->hex + tail->at, 0, 32) == wide_value(p->value).lo;
}

static inline bool want_field(struct vector *v, const struct pair *p)
{
	const struct prefix *scope = golden_prefixes;
	const char *name;

	while (strncmp(p->key, scope->word, strlen(scope->word)))
		scope++;
	name = p->key + strlen(scope->word);
	for (size_t i = 0; i < ROWS(golden_aliases); i++)
		if (!strcmp(p->key, golden_aliases[i].key))
			name = golden_aliases[i].name;
	for (unsigned i = 0; i < v->npart; i++)
		if (v->part[i].slot >= scope->from &&
		    v->part[i].slot <= scope->to &&
		    want_in(&v->part[i], name, wide_value(p->value)))
			return true;
	return raw_payload(v, p);
}

static inline bool want_pair(struct vector *v, const struct pair *p)
{
	if (!strncmp(p->key, "rsvd.", 5))
		return want_rsvd(v, p);
	if (!strcmp(p->key, "flags.rsvd"))
		return want_flags_rsvd(v, p);
	if (!strcmp(p->key, "eth.type"))
		return want_eth_type(v, p);
	return want_vlan(v, p) || want_field(v, p);
}

static inline bool is_other(const char *key)
{
	for (size_t i = 0; i < ROWS(golden_others); i++)
		if (!strcmp(key, golden_others[i]))
			return true;
	return false;
}

static inline bool may_be_unnamed(struct part *p, size_t i)
{
	const struct field *f = &p->h->fields[i];

	for (size_t k = 0; k < ROWS(golden_unnamed); k++)
		if (p->h == golden_unnamed[k].h &&
		    !strcmp(f->name, golden_unnamed[k].name)) {
			p->want[i] = golden_unnamed[k].value;
			return true;
		}
	return f->kind == FIELD_RSVD;
}

/*
 * Binds every pair of a vector to fields, and checks that every field is bound.
 *
 * Return: NULL, or the name that has no counterpart.
 */
static inline const char *vector_bind(struct vector *v)
{
	vector_lay(v);
	for (unsigned i = 0; i < v->npair; i++) {
		struct pair *p = &v->pair[i];

		if (is_other(p->key))
			continue;
		if (!want_pair(v, p))
			return p->key;
		p->seen = true;
	}
	for (unsigned i = 0; i < v->npart; i++)
		for (size_t k = 0; k < v->part[i].h->nfields; k++)
			if (!v->part[i].named[k] &&
			    !may_be_unnamed(&v->part[i], k))
				return v->part[i].h->fields[k].name;
	return NULL;
}

/* ---- Tables against bytes ---- */

/* A table that replaces another: mutation_test uses it. */
struct spoil {
	const struct header *old, *new;
};

static inline const struct header *spoiled(const struct spoil *s,
					   const struct header *h)
{
	return s && s->old == h ? s->new : h;
}

static inline bool part_decodes(const struct part *p, const struct header *h,
				const uint8_t *bytes)
{
	for (size_t i = 0; i < h->nfields; i++)
		if (field_get(&h->fields[i], bytes + p->at) != p->want[i])
			return false;
	return true;
}

static inline bool part_encodes(const struct part *p, const struct header *h,
				uint8_t *bytes)
{
	for (size_t i = 0; i < h->nfields; i++) {
		if (!field_fits(&h->fields[i], p->want[i]))
			return false;
		field_set(&h->fields[i], bytes + p->at, p->want[i]);
	}
	return true;
}

/*
 * Returns true if the headers decode to the vector's fields and the fields
 * encode to its headers.
 */
static inline bool vector_agrees(const struct vector *v, const struct spoil *s)
{
	uint8_t bytes[sizeof(v->hex) + 8] = {0};

	if (v->len < v->tail)
		return false;
	for (unsigned i = 0; i < v->npart; i++) {
		const struct header *h = spoiled(s, v->part[i].h);

		if (!part_decodes(&v->part[i], h, v->hex) ||
		    !part_encodes(&v->part[i], h, bytes))
			return false;
	}
	return memcmp(bytes, v->hex, v->tail) == 0;
}

static inline bool vector_holds(const struct vector *v, const struct header *h)
{
	for (unsigned i = 0; i < v->npart; i++)
		if (v->part[i].h == h)
			return true;
	return false;
}

#endif
