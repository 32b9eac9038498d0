/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Declarations: rows[] says which number goes by which key and where it is
 * kept; parser and printer walk the same rows.
 */
#include "suite/decl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "suite/case_lex.h"
#include "suite/deviation.h"
#include "wire/packet.h"
#include "wire/uet_ses.h"

#define MTU_1024 "mtu.1024"

/* Return codes as bits: what uet.md 5.8 assigns beyond OK, vendor codes, and
 * the extended one. */
#define CODE_BIT(code) ((uint64_t)1 << (code))
#define ERROR_CODES                          \
	((CODE_BIT(0x25) - CODE_BIT(0x02)) | \
	 (CODE_BIT(0x38) - CODE_BIT(0x30)) | CODE_BIT(0x3e))
#define ALL_CODES (ERROR_CODES | CODE_BIT(RC_NULL) | CODE_BIT(RC_OK))

/* clang-format off */
const struct capability decl_capabilities[] = {
	{"rud", "Reliable unordered delivery on PDCs."},
	{"rod", "Reliable ordered delivery on PDCs."},
	{"rudi", "Reliable delivery of idempotent operations, without a PDC."},
	{"uud", "Unreliable datagrams."},
	{"send", "Sends: it accepts them and, when told to, posts them."},
	{"write", "Writes into memory that the declaration names."},
	{"read", "Reads of that memory with the standard header."},
	{"read.medium", "Reads with the medium header."},
	{"read.small", "Reads with the small header."},
	{"atomic", "Atomics with and without fetching."},
	{"multi", "Messages of several packets."},
	{"response.gtd",
	 "Guaranteed responses can be called forth: by the control channel or "
	 "by the cause that the declaration names."},
	{"response.code",
	 "Responses with an error code can be called forth likewise."},
	{"response.nack",
	 "The target can be told to refuse requests with a NACK."},
	{"response.delay",
	 "The target can be told to answer later than it could."},
	{"control", "There is a control channel with the minimum profile."},
	{"control.pds", "The control channel has the verbs of table 3-27."},
	{"close.initiator",
	 "As initiator it closes a PDC: when a Close Request asks for it, and "
	 "by itself when its PSNs are used up."},
	{"close.target", "As target it answers a Close Command."},
	{"close.ask", "As target it can be made to ask for a close."},
	{"close.refuse",
	 "As target it refuses a Close Request, which only targets send."},
	{"ack_request", "As target it answers ACK Requests."},
	{"probe", "As target it answers Probes."},
	{"noop", "As target it answers NOOPs."},
	{"negotiation", "As target it answers Negotiations."},
	{"new_start_psn",
	 "As initiator it starts again from the PSN that NEW_START_PSN says."},
	{"ack_cc", "Its ACKs are ACK_CC or ACK_CCX: they have SACK and MPR."},
	{"nscc",
	 "The NSCC state in its ACKs is kept: rcvd_bytes, ooo_count, "
	 "service_time."},
	{"nack_ccx", "As initiator it takes a NACK_CCX for the NACK that it is."},
	{"credit",
	 "It takes requests with a CC section, and grants credit as it is "
	 "asked to."},
	{"ecn", "It echoes congestion marks."},
	{"trim", "It answers trimmed requests with a NACK."},
	{"crc", "Its packets end in a CRC."},
	{"tss", "It encrypts."},
	{"srd", "Scalable Reliable Datagram, in the reference encapsulation."},
	{"srd.verbs", "Its control channel has the verbs profile. Without `srd`: nobody sees its packets."},
	{"wqe", "RoCEv2 with the WQE extension, in the reference form."},
	{"wqe.verbs", "Its control channel has the verbs profile."},
	{"wqe.read", "It reads, and is read from."},
	{"roce", "Plain RoCEv2, reliable connections."},
	{"roce.verbs", "Its control channel has the verbs profile."},
	{"ipv6", "It speaks IPv6."},
	{"native", "It speaks UET on IP, without UDP."},
	{MTU_1024, "Its MTU is 1024: follows from \"size mtu\"."},
	{NULL, NULL},
};

enum row_kind { ROW_U8, ROW_U16, ROW_U32, ROW_U64, ROW_UINT, ROW_TIME };

#define AT(member) offsetof(struct decl, member)

/* One number of a declaration: "group name value". */
static const struct row {
	const char *group, *name;
	enum row_kind kind;
	size_t at;
	uint64_t min, max;
	bool hex;
} rows[] = {
	{"id", "job_id",         ROW_U32, AT(job_id),         0, 0xffffff, true},
	{"id", "pid_on_fep",     ROW_U16, AT(pid_on_fep),     0, 0xfff, true},
	{"id", "resource_index", ROW_U16, AT(resource_index), 0, 0xfff, true},
	{"id", "ri_generation",  ROW_U8,  AT(ri_generation),  0, 0xff, true},
	{"id", "initiator",      ROW_U32, AT(initiator), 0, UINT32_MAX, true},
	{"id", "memory_key",     ROW_U64, AT(memory_key), 0, UINT64_MAX, true},
	{"id", "memory_offset",  ROW_U64, AT(memory_offset), 0, UINT64_MAX, true},
	{"id", "srd_qpn",        ROW_U32, AT(srd_qpn), 2, 0xffffff, true},
	{"id", "srd_qkey",       ROW_U32, AT(srd_qkey), 0, UINT32_MAX, true},
	{"id", "wqe_qpn",        ROW_U32, AT(wqe_qpn), 2, 0xffffff, true},
	{"size", "memory_len",   ROW_U32, AT(memory_len), 0, UINT32_MAX, false},
	{"size", "max_message",  ROW_U32, AT(max_message), 1, 0xfffffffe, false},
	{"size", "mtu",          ROW_U32, AT(mtu), 64, 9000, false},
	{"size", "max_ack_data", ROW_U32, AT(max_ack_data), 0, 8192, false},
	{"size", "mp_range",     ROW_U32, AT(mp_range), 1, 32640, false},
	{"dscp", "data",         ROW_U8, AT(dscp_data), 0, 63, false},
	{"dscp", "control",      ROW_U8, AT(dscp_control), 0, 63, false},
	{"dscp", "trimmed",      ROW_U8, AT(dscp_trimmed), 1, 63, false},
	{"dscp", "trimmed_lasthop", ROW_U8, AT(dscp_trimmed_lasthop), 1, 63,
	 false},
	{"limit", "max_rto_retx",  ROW_UINT, AT(max_rto_retx), 0, 1000, false},
	{"limit", "max_nack_retx", ROW_UINT, AT(max_nack_retx), 0, 1000, false},
	{"timer", "rto",        ROW_TIME, AT(rto), 0, 0, false},
	{"timer", "nack_time",  ROW_TIME, AT(nack_time), 0, 0, false},
	{"timer", "ack_time",   ROW_TIME, AT(ack_time), 0, 0, false},
	{"timer", "clear_time", ROW_TIME, AT(clear_time), 0, 0, false},
	{"timer", "unresponsive", ROW_TIME, AT(unresponsive), 0, 0, false},
};
/* clang-format on */

#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* A declaration while it is read. */
struct reader {
	struct lex lex;
	struct decl *d;
	uint32_t seen; /* a bit for each row */
	const struct deviation **tail;
};

static const struct decl defaults = {
	.version = "1.0.1",
	.uet = UET_1_0_1,
	.dscp_control = 46,
	.dscp_trimmed = 26,
	.dscp_trimmed_lasthop = 28,
	.job_id = 0x1,
	.pid_on_fep = 0x1,
	.resource_index = 0x1,
	.memory_key = 0x1000,
	.memory_len = 65536,
	.max_message = 65536,
	.mtu = 1024,
	.max_ack_data = 16,
	.mp_range = 1024,
	.udp_port = 4793,
	.srd_qpn = 0x34,
	.srd_qkey = 0x11223344,
	.wqe_qpn = 0x43,
	.unresponsive = {200 * VSPAN_MS, 50 * VSPAN_MS},
	.rto = {5 * VSPAN_MS, 2 * VSPAN_MS},
	.nack_time = {1 * VSPAN_MS, 1 * VSPAN_MS},
	.ack_time = {2 * VSPAN_MS, 2 * VSPAN_MS},
	.clear_time = {1 * VSPAN_MS, 4 * VSPAN_MS},
	.max_rto_retx = 5,
	.max_nack_retx = 5,
	.gtd_cause = {.codes = ALL_CODES},
	.error_cause = {.codes = ERROR_CODES},
};

/* ---- Words ---- */

bool decl_capability(const char *word, size_t len)
{
	const struct word w = {word, len};

	for (const struct capability *c = decl_capabilities; c->word; c++)
		if (word_is(w, c->word))
			return true;
	return false;
}

bool decl_derived(const char *word)
{
	return !strcmp(word, MTU_1024);
}

bool decl_claims(const struct decl *d, const char *capability)
{
	if (!strcmp(capability, MTU_1024))
		return d->mtu == 1024;
	for (size_t i = 0; i < d->nclaims; i++)
		if (!strcmp(d->claims[i], capability))
			return true;
	return false;
}

/* clang-format off */
static const struct {
	enum req_id id;
	const char *capability;
} promised[] = {
	{REQ_UET_ACK_08, "nscc"},
	{REQ_UET_ACK_09, "nscc"},
	{REQ_UET_ACK_10, "nscc"},
	{REQ_UET_ACK_37, "nscc"},
};
/* clang-format on */

bool decl_promises(const struct decl *d, enum req_id id)
{
	for (size_t i = 0; i < sizeof(promised) / sizeof(promised[0]); i++)
		if (promised[i].id == id)
			return decl_claims(d, promised[i].capability);
	return true;
}

static const char *capability_named(struct word w)
{
	for (const struct capability *c = decl_capabilities; c->word; c++)
		if (word_is(w, c->word))
			return c->word;
	return NULL;
}

/* ---- Numbers ---- */

static void *row_at(struct decl *d, const struct row *r)
{
	return (char *)d + r->at;
}

static void row_set(struct decl *d, const struct row *r, uint64_t v)
{
	void *at = row_at(d, r);

	switch (r->kind) {
	case ROW_U8:
		*(uint8_t *)at = (uint8_t)v;
		break;
	case ROW_U16:
		*(uint16_t *)at = (uint16_t)v;
		break;
	case ROW_U32:
		*(uint32_t *)at = (uint32_t)v;
		break;
	case ROW_U64:
		*(uint64_t *)at = v;
		break;
	case ROW_UINT:
		*(unsigned *)at = (unsigned)v;
		break;
	case ROW_TIME:
		break;
	}
}

static uint64_t row_get(const struct decl *d, const struct row *r)
{
	const void *at = (const char *)d + r->at;

	switch (r->kind) {
	case ROW_U8:
		return *(const uint8_t *)at;
	case ROW_U16:
		return *(const uint16_t *)at;
	case ROW_U32:
		return *(const uint32_t *)at;
	case ROW_U64:
		return *(const uint64_t *)at;
	case ROW_UINT:
		return *(const unsigned *)at;
	case ROW_TIME:
		break;
	}
	return 0;
}

static int read_ns(struct reader *rd, const char *what, vspan *ret)
{
	struct span s;
	struct word w;

	if (!lex_word(&rd->lex, &w) || !word_span(w, &s) || s.unit != SPAN_NS)
		return lex_error(&rd->lex, w.s,
				 "expected %s as a time in one word: 5ms, "
				 "200us",
				 what);
	*ret = s.ns;
	return 0;
}

/* "5ms tolerance 2ms" */
static int read_time(struct reader *rd, struct decl_time *ret)
{
	int err = read_ns(rd, "the declared value", &ret->value);

	ret->tolerance = 0;
	if (!err && lex_take(&rd->lex, "tolerance"))
		err = read_ns(rd, "the tolerance", &ret->tolerance);
	return err;
}

static int read_number(struct reader *rd, const struct row *r)
{
	struct word w;
	uint64_t v;

	if (!lex_word(&rd->lex, &w))
		return lex_error(&rd->lex, w.s, "expected the value of %s",
				 r->name);
	if (lex_u64(w, r->max, &v) || v < r->min)
		return lex_error(&rd->lex, w.s,
				 r->hex ? "expected 0x%" PRIx64 "..0x%" PRIx64
					  ", not '%.*s'"
					: "expected %" PRIu64 "..%" PRIu64
					  ", not '%.*s'",
				 r->min, r->max, WORD(w));
	row_set(rd->d, r, v);
	return 0;
}

static int no_row(struct reader *rd, struct word group, struct word name)
{
	struct near n;

	near_init(&n, name);
	for (size_t i = 0; i < ROWS; i++)
		if (word_is(group, rows[i].group))
			near_offer(&n, rows[i].name);
	return lex_error(&rd->lex, name.s, "no %.*s '%.*s'%s", WORD(group),
			 WORD(name), near_hint(&n));
}

static int read_row(struct reader *rd, struct word group)
{
	struct word name;

	lex_word(&rd->lex, &name);
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];

		if (!word_is(group, r->group) || !word_is(name, r->name))
			continue;
		if (rd->seen >> i & 1)
			return lex_error(&rd->lex, name.s,
					 "'%s' is given twice", r->name);
		rd->seen |= (uint32_t)1 << i;
		if (r->kind == ROW_TIME)
			return read_time(rd, row_at(rd->d, r));
		return read_number(rd, r);
	}
	return no_row(rd, group, name);
}

/* ---- The other keys ---- */

static int read_text(struct reader *rd, const char **ret)
{
	struct word w = lex_rest(&rd->lex);

	if (!w.len)
		return lex_error(&rd->lex, w.s, "expected a text");
	*ret = lex_copy(&rd->lex, w);
	return *ret ? 0 : ERR_NOMEM;
}

static int read_name(struct reader *rd)
{
	if (rd->d->name)
		return lex_error(&rd->lex, NULL, "a second name");
	return read_text(rd, &rd->d->name);
}

static const struct value_name versions[] = {
	{UET_1_0_1, "1.0.1"},
	{UET_1_0_2, "1.0.2"},
	{UET_1_0_3, "1.0.3"},
	{0, NULL},
};

static int read_version(struct reader *rd)
{
	struct word w;
	uint64_t v;

	lex_word(&rd->lex, &w);
	if (value_parse(versions, w.s, w.len, &v))
		return lex_error(&rd->lex, w.s,
				 "expected 1.0.1, 1.0.2 or 1.0.3");
	rd->d->version = value_find(versions, v);
	rd->d->uet = (enum uet_version)v;
	return 0;
}

static int no_claim(struct reader *rd, struct word w)
{
	struct near n;

	near_init(&n, w);
	for (const struct capability *c = decl_capabilities; c->word; c++)
		near_offer(&n, c->word);
	return lex_error(&rd->lex, w.s, "no capability '%.*s'%s", WORD(w),
			 near_hint(&n));
}

static int add_claim(struct reader *rd, struct word w)
{
	const char *word = capability_named(w), **more;
	struct decl *d = rd->d;

	if (!word)
		return no_claim(rd, w);
	if (decl_derived(word))
		return lex_error(&rd->lex, w.s,
				 "'%s' is not claimed: it follows from "
				 "'size mtu'",
				 word);
	if (decl_claims(d, word))
		return 0;
	more = arena_alloc(&d->arena, (d->nclaims + 1) * sizeof(*more));
	if (!more)
		return ERR_NOMEM;
	for (size_t i = 0; i < d->nclaims; i++)
		more[i] = d->claims[i];
	more[d->nclaims++] = word;
	d->claims = more;
	return 0;
}

static int read_claims(struct reader *rd)
{
	struct word w;
	int err = 0;

	if (!lex_peek(&rd->lex, &w))
		return lex_error(&rd->lex, w.s, "expected capabilities");
	while (!err && lex_word(&rd->lex, &w))
		err = add_claim(rd, w);
	return err;
}

static int read_crc(struct reader *rd)
{
	struct word w;

	lex_word(&rd->lex, &w);
	if (!word_is(w, "none") && !word_is(w, "little") && !word_is(w, "big"))
		return lex_error(&rd->lex, w.s, "expected none, little or big");
	rd->d->crc = !word_is(w, "none");
	rd->d->crc_be = word_is(w, "big");
	return 0;
}

static const char *const icrc_modes[] = {
	[ICRC_SOCK] = "sock",
	[ICRC_STRICT] = "strict",
	[ICRC_OFF] = "off",
};

static int read_icrc(struct reader *rd)
{
	struct word w;

	lex_word(&rd->lex, &w);
	for (unsigned i = ICRC_SOCK; i <= ICRC_OFF; i++) {
		if (!word_is(w, icrc_modes[i]))
			continue;
		rd->d->icrc = (enum icrc_mode)i;
		return 0;
	}
	return lex_error(&rd->lex, w.s, "expected sock, strict or off");
}

static int read_port(struct reader *rd)
{
	uint32_t v;
	int err = lex_count(&rd->lex, "the UDP port", 1, 65535, &v);

	if (!err)
		rd->d->udp_port = (uint16_t)v;
	return err;
}

static int cause_value(struct reader *rd, struct word w, const char *eq,
		       const struct field *f, uint64_t *ret)
{
	struct word v = {eq + 1, (size_t)(w.s + w.len - eq - 1)};

	if (lex_u64(v, UINT64_MAX, ret) &&
	    (!f->names || value_parse(f->names, v.s, v.len, ret)))
		return lex_error(&rd->lex, v.s, "expected a value of '%s'",
				 f->name);
	if (!field_fits(f, *ret))
		return lex_error(&rd->lex, v.s, "'%.*s' does not fit '%s'",
				 WORD(v), f->name);
	return 0;
}

/* "resource_index=0x3ff": a field of a standard request. */
static int add_field(struct reader *rd, struct word w,
		     struct decl_field ***tail)
{
	const char *eq = memchr(w.s, '=', w.len);
	const struct field *f = NULL;
	struct decl_field *c;
	int err;

	if (!eq)
		return lex_error(&rd->lex, w.s, "expected field=value");
	if (!packet_layout_has("rud_req", "std", true, w.s, (size_t)(eq - w.s),
			       &f) ||
	    !f)
		return lex_error(&rd->lex, w.s,
				 "a standard request has no field '%.*s'",
				 (int)(eq - w.s), w.s);
	c = arena_alloc(&rd->d->arena, sizeof(*c));
	if (!c)
		return ERR_NOMEM;
	err = cause_value(rd, w, eq, f, &c->value);
	if (err)
		return err;
	c->field = f->name;
	**tail = c;
	*tail = &c->next;
	return 0;
}

/* "no_match|perm_violation": the codes that the answer may have. */
static int read_codes(struct reader *rd, struct word w, uint64_t *ret)
{
	const char *end = w.s + w.len, *bar;
	uint64_t codes = 0, v;

	for (const char *s = w.s; s <= end; s = bar + 1) {
		struct word one;

		bar = memchr(s, '|', (size_t)(end - s));
		if (!bar)
			bar = end;
		one = (struct word){s, (size_t)(bar - s)};
		if ((lex_u64(one, UINT64_MAX, &v) &&
		     value_parse(ses_return_codes, one.s, one.len, &v)) ||
		    v > 0x3f)
			return lex_error(&rd->lex, s,
					 "expected return codes: "
					 "return_code=no_match|bad_index");
		codes |= CODE_BIT(v);
	}
	*ret = codes;
	return 0;
}

/* What stands after '=' if the word begins with |key|; false: it does not. */
static bool value_of(struct word w, const char *key, struct word *ret)
{
	const size_t n = strlen(key);

	if (w.len <= n || memcmp(w.s, key, n) || w.s[n] != '=')
		return false;
	*ret = (struct word){w.s + n + 1, w.len - n - 1};
	return true;
}

static const char *const packets_words[] = {
	[CAUSE_ALL] = "all",
	[CAUSE_FIRST] = "first",
	[CAUSE_SINGLE] = "single",
};

const char *decl_cause_packets(enum cause_packets p)
{
	return packets_words[p];
}

static int read_packets(struct reader *rd, struct word w,
			enum cause_packets *ret)
{
	for (unsigned i = CAUSE_ALL; i <= CAUSE_SINGLE; i++) {
		if (!word_is(w, packets_words[i]))
			continue;
		*ret = (enum cause_packets)i;
		return 0;
	}
	return lex_error(&rd->lex, w.s,
			 "expected packets=all, first or single");
}

static int read_cause(struct reader *rd)
{
	struct decl_cause *to = &rd->d->gtd_cause;
	struct decl_field *first = NULL, **tail = &first;
	struct word w, v;
	int err = 0;

	if (lex_take(&rd->lex, "error"))
		to = &rd->d->error_cause;
	else if (!lex_take(&rd->lex, "gtd"))
		return lex_error(&rd->lex, NULL, "expected gtd or error");
	if (to->fields)
		return lex_error(&rd->lex, rd->lex.source, "given twice");
	while (!err && lex_word(&rd->lex, &w)) {
		if (value_of(w, "return_code", &v))
			err = read_codes(rd, v, &to->codes);
		else if (value_of(w, "packets", &v))
			err = read_packets(rd, v, &to->packets);
		else
			err = add_field(rd, w, &tail);
	}
	if (!err && !first)
		return lex_error(&rd->lex, w.s, "expected field=value");
	to->fields = first;
	return err;
}

static int read_deviation(struct reader *rd)
{
	struct deviation *d;
	int err = deviation_read(&rd->lex, &d);

	if (err)
		return err;
	*rd->tail = d;
	rd->tail = &d->next;
	return 0;
}

/* ---- Lines ---- */

static const struct key {
	const char *word;
	int (*read)(struct reader *rd); /* NULL: a group of rows */
} keys[] = {
	{"name", read_name},
	{"version", read_version},
	{"claims", read_claims},
	{"id", NULL},
	{"size", NULL},
	{"limit", NULL},
	{"dscp", NULL},
	{"timer", NULL},
	{"crc", read_crc},
	{"port", read_port},
	{"cause", read_cause},
	{"icrc", read_icrc},
	{"deviates", read_deviation},
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

static int read_line(struct reader *rd)
{
	struct near n;
	struct word w;

	lex_word(&rd->lex, &w);
	near_init(&n, w);
	for (size_t i = 0; i < KEYS; i++) {
		int err;

		near_offer(&n, keys[i].word);
		if (!word_is(w, keys[i].word))
			continue;
		err = keys[i].read ? keys[i].read(rd) : read_row(rd, w);
		return err ? err : lex_done(&rd->lex);
	}
	return lex_error(&rd->lex, w.s,
			 "no key '%.*s': expected name, version, claims, id, "
			 "size, limit, dscp, timer, crc, icrc, port, cause or "
			 "deviates%s",
			 WORD(w), near_hint(&n));
}

static int read_all(struct reader *rd)
{
	int more, err = 0;

	while (!err && (more = lex_line(&rd->lex)) > 0)
		err = read_line(rd);
	if (err || more < 0)
		return err ? err : more;
	if (!rd->d->name)
		return diag_set(rd->lex.diag, rd->lex.file,
				rd->lex.line ? rd->lex.line : 1, 1,
				rd->lex.source,
				"the declaration ends without a 'name' line");
	return 0;
}

int decl_parse(struct decl **ret, const char *path, const char *text,
	       size_t len, struct diag *diag)
{
	struct decl *d = malloc(sizeof(*d));
	struct reader rd = {.d = d};
	const char *copy;
	int err = ERR_NOMEM;

	if (!d)
		return ERR_NOMEM;
	*d = defaults;
	rd.tail = &d->deviations;
	copy = arena_strndup(&d->arena, text, len);
	if (copy) {
		lex_open(&rd.lex, &d->arena, diag, path, copy, len);
		err = read_all(&rd);
	}
	if (err) {
		decl_free(d);
		return err;
	}
	*ret = d;
	return 0;
}

void decl_free(struct decl *d)
{
	if (!d)
		return;
	arena_free(&d->arena);
	free(d);
}

/* ---- Printing ---- */

static void ns_print(struct text *t, vspan ns)
{
	const struct span s = {.set = true, .ns = ns};

	span_print(t, &s);
}

static void row_print(struct text *t, const struct decl *d, const struct row *r)
{
	const uint64_t v = row_get(d, r);

	text_printf(t, "%s %s ", r->group, r->name);
	if (r->kind == ROW_TIME) {
		const struct decl_time *time =
			(const void *)((const char *)d + r->at);

		ns_print(t, time->value);
		text_puts(t, " tolerance ");
		ns_print(t, time->tolerance);
	} else if (r->hex)
		text_printf(t, "0x%" PRIx64, v);
	else
		text_printf(t, "%" PRIu64, v);
	text_puts(t, "\n");
}

static void codes_print(struct text *t, uint64_t codes)
{
	const char *bar = "";

	text_puts(t, " return_code=");
	for (unsigned i = 0; i < 64; i++) {
		const char *name = value_find(ses_return_codes, i);

		if (!(codes >> i & 1))
			continue;
		text_puts(t, bar);
		if (name)
			text_puts(t, name);
		else
			text_printf(t, "0x%x", i);
		bar = "|";
	}
}

static void cause_print(struct text *t, const char *word,
			const struct decl_cause *c, uint64_t codes)
{
	if (!c->fields)
		return;
	text_printf(t, "cause %s", word);
	for (const struct decl_field *f = c->fields; f; f = f->next)
		text_printf(t, " %s=0x%" PRIx64, f->field, f->value);
	if (c->codes != codes)
		codes_print(t, c->codes);
	if (c->packets != CAUSE_ALL)
		text_printf(t, " packets=%s", packets_words[c->packets]);
	text_puts(t, "\n");
}

void decl_print(struct text *t, const struct decl *d)
{
	text_printf(t, "name %s\nversion %s\n", d->name, d->version);
	if (d->nclaims) {
		text_puts(t, "claims");
		for (size_t i = 0; i < d->nclaims; i++)
			text_printf(t, " %s", d->claims[i]);
		text_puts(t, "\n");
	}
	for (size_t i = 0; i < ROWS; i++)
		row_print(t, d, &rows[i]);
	text_printf(t, "crc %s\nport %u\n",
		    !d->crc     ? "none"
		    : d->crc_be ? "big"
				: "little",
		    (unsigned)d->udp_port);
	if (d->icrc != ICRC_SOCK)
		text_printf(t, "icrc %s\n", icrc_modes[d->icrc]);
	cause_print(t, "gtd", &d->gtd_cause, defaults.gtd_cause.codes);
	cause_print(t, "error", &d->error_cause, defaults.error_cause.codes);
	for (const struct deviation *v = d->deviations; v; v = v->next)
		deviation_print(t, v);
}
