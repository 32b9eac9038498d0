/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/reach/transition_kind.c -- the kinds of packets of a transport,
 * made from the words of its format and from the header tables.
 */
#include "suite/explore/reach/transition.h"

#include <assert.h>
#include <string.h>

#include "base/word.h"
#include "wire/ib/ib.h"
#include "wire/packet.h"

/* The words with which the types of each transport begin. */
static const char *const kind_words[DRAFT_SUBJECTS][5] = {
	[DRAFT_RUD] = {"rud_", "ack", "nack", "cp"},
	[DRAFT_ROD] = {"rod_", "ack", "nack", "cp"},
	[DRAFT_RUDI] = {"rudi_", "nack"},
	[DRAFT_UUD] = {"uud_"},
	[DRAFT_SRD] = {"srd_"},
	[DRAFT_WQE] = {"wqe_"},
	[DRAFT_ROCE] = {"rc_"},
};

/*
 * Fields that make no kinds: the network's marks, the sort of transport, the
 * format of what follows, and what a type never sets.  |word| is a part of the
 * type's word; NULL: of every type.
 */
static const struct {
	const char *word, *field;
} kind_not[] = {{NULL, "type"},
		{NULL, "next_hdr"},
		{NULL, "opcode"},
		{NULL, "isrod"},
		{NULL, "nt"},
		{NULL, "p"},
		{NULL, "rc"},
		{NULL, "se"},
		{NULL, "migreq"},
		{NULL, "fecn"},
		{NULL, "becn"},
		{NULL, "fmt"},
		{NULL, "d"},
		{NULL, "m"},
		{NULL, "sp"},
		{NULL, "cc_type"},
		{"nack", "retx"},
		{"cp", "syn"},
		{"_ack", "ackreq"},
		{"read_resp", "ackreq"},
		{"rtx_ind", "ackreq"},
		{"read_resp", "syndrome"},
		{"_ack", "syn"},
		{"_ack", "fin"},
		{"rtx_ind", "syndrome"}};

/* A type that only adds congestion control to another one is counted as it. */
static const char *const kind_same[][2] = {
	{"ack_cc", "ack"},         {"ack_ccx", "ack"},
	{"nack_ccx", "nack"},      {"rud_cc_req", "rud_req"},
	{"rod_cc_req", "rod_req"},
};

static const char *kind_plain(const char *word)
{
	for (size_t i = 0; i < sizeof(kind_same) / sizeof(kind_same[0]); i++)
		if (strcmp(kind_same[i][0], word) == 0)
			return kind_same[i][1];
	return word;
}

static bool kind_is_of(enum draft_subject s, const char *word)
{
	for (const char *const *w = kind_words[s]; *w; w++)
		if (strncmp(word, *w, strlen(*w)) == 0)
			return true;
	return false;
}

static bool kind_counts(const char *word, const struct field *f)
{
	if (f->kind != FIELD_FLAG && (f->kind != FIELD_ENUM || !f->names))
		return false;
	for (size_t i = 0; i < sizeof(kind_not) / sizeof(kind_not[0]); i++)
		if (strcmp(f->name, kind_not[i].field) == 0 &&
		    (!kind_not[i].word || strstr(word, kind_not[i].word)))
			return false;
	return true;
}

/* Returns how many values of a field make kinds of their own. */
static uint8_t kind_values(const struct field *f)
{
	uint8_t n = 0;

	if (f->kind == FIELD_FLAG)
		return 2;
	while (f->names[n].name)
		n++;
	assert(n <= TRANSITION_VALUES);
	return n;
}

static void kind_add_fields(struct transition_type *t, const struct header *h,
			    unsigned section)
{
	for (size_t i = 0; i < h->nfields; i++) {
		const struct field *f = &h->fields[i];

		if (!kind_counts(t->word, f))
			continue;
		assert(t->nfields < TRANSITION_FIELDS);
		t->field[t->nfields] = f;
		t->section[t->nfields] = (uint8_t)section;
		t->values[t->nfields] = kind_values(f);
		t->kinds = (uint16_t)(t->kinds * t->values[t->nfields++]);
	}
}

static void kind_add(struct transition_table *t, enum draft_subject s,
		     const char *word)
{
	const struct packet_spec spec = {.type = word};
	struct transition_type *type = &t->types[t->ntypes];
	struct packet pkt;
	uint8_t bytes[256];
	int len = packet_build(bytes, sizeof(bytes), &spec, NULL);

	assert(len > 0 && t->ntypes < TRANSITION_TYPES);
	packet_parse(draft_family(s), &pkt, bytes, (size_t)len);
	*type = (struct transition_type){
		.word = word, .base = (uint16_t)t->kinds, .kinds = 1};
	for (unsigned i = 0; i < pkt.nses; i++)
		kind_add_fields(type, pkt.sec[i].h, i);
	assert(t->kinds + type->kinds <= TRANSITION_KINDS);
	t->kinds += type->kinds;
	t->ntypes++;
}

static const struct transition_type *kind_type(const struct transition_table *t,
					       unsigned kind)
{
	const struct transition_type *type = t->types;

	while (kind >= (unsigned)type->base + type->kinds)
		type++;
	return type;
}

/* Returns the value of field |i| of a kind, as on the wire. */
static uint64_t kind_value(const struct transition_type *t, unsigned kind,
			   unsigned i)
{
	unsigned digit = kind - t->base;

	for (unsigned k = t->nfields; k-- > i + 1u;)
		digit /= t->values[k];
	digit %= t->values[i];
	return t->field[i]->names ? t->field[i]->names[digit].value : digit;
}

/* Returns the value of a field of a kind by name; 0: it has none. */
static uint64_t kind_named(const struct transition_type *t, unsigned kind,
			   const char *name)
{
	for (unsigned i = 0; i < t->nfields; i++)
		if (strcmp(t->field[i]->name, name) == 0)
			return kind_value(t, kind, i);
	return 0;
}

/* Codes after which a PDC is of no use (table 3-59). */
static bool kind_ends(uint64_t nack_code)
{
	return nack_code == NACK_CLOSING_IN_ERR ||
	       nack_code == NACK_INVALID_SYN ||
	       nack_code == NACK_EXP_NACK_FATAL;
}

static enum transition_class kind_ib(const struct transition_type *t,
				     unsigned kind)
{
	const uint64_t syndrome = kind_named(t, kind, "syndrome");

	if (strstr(t->word, "read_resp"))
		return CLASS_ANSWER;
	if (strstr(t->word, "rtx_ind"))
		return CLASS_REFUSAL;
	if (strcmp(t->word, "srd_ack") == 0) {
		if (syndrome == IB_SYNDROME_ACK)
			return CLASS_ANSWER;
		return syndrome == IB_SYNDROME_CTX_RESET ? CLASS_FATAL
							 : CLASS_REFUSAL;
	}
	if (strstr(t->word, "_ack")) {
		if (syndrome == IB_SYNDROME_ACK)
			return CLASS_ANSWER;
		return syndrome <= IB_SYNDROME_PSN_SEQ ? CLASS_REFUSAL
						       : CLASS_FATAL;
	}
	if (kind_named(t, kind, "fin"))
		return CLASS_CLOSE;
	return kind_named(t, kind, "syn") ? CLASS_SYN : CLASS_REQUEST;
}

static enum transition_class kind_class(const struct transition_type *type,
					unsigned kind)
{
	const char *word = type->word;

	if (strncmp(word, "nack", 4) == 0)
		return kind_ends(kind_named(type, kind, "nack_code"))
			       ? CLASS_FATAL
			       : CLASS_REFUSAL;
	if (strncmp(word, "ack", 3) == 0 || strcmp(word, "rudi_resp") == 0)
		return CLASS_ANSWER;
	if (strcmp(word, "cp") == 0)
		return kind_named(type, kind, "ctl_type") ==
				       PDS_CP_CLOSE_COMMAND
			       ? CLASS_CLOSE
			       : CLASS_CONTROL;
	if (strncmp(word, "r", 1) == 0 && strncmp(word, "rc_", 3) != 0)
		return kind_named(type, kind, "syn") ? CLASS_SYN
						     : CLASS_REQUEST;
	if (strncmp(word, "uud_", 4) == 0)
		return CLASS_REQUEST;
	return kind_ib(type, kind);
}

/* The PSN of most control packets has no meaning (uet.md 3). */
static enum transition_number kind_number(const struct transition_type *t,
					  unsigned kind)
{
	if (strcmp(t->word, "cp") != 0)
		return NUMBER_TAKES;
	switch (kind_named(t, kind, "ctl_type")) {
	case PDS_CP_NOOP:
	case PDS_CP_CLOSE_COMMAND:
	case PDS_CP_CLOSE_REQUEST:
	case PDS_CP_NEGOTIATION:
		return NUMBER_TAKES;
	case PDS_CP_ACK_REQUEST:
		return NUMBER_NAMES;
	default:
		return NUMBER_NONE;
	}
}

void transition_table(struct transition_table *ret, enum draft_subject s)
{
	const struct packet_format *format =
		wire_families[draft_family(s)]->format;

	*ret = (struct transition_table){.ntypes = 0};
	for (const struct value_name *w = format->types; w->name; w++)
		if (kind_is_of(s, w->name) && kind_plain(w->name) == w->name)
			kind_add(ret, s, w->name);
	for (unsigned i = 0; i < ret->kinds; i++) {
		const struct transition_type *type = kind_type(ret, i);

		ret->class[i] = (uint8_t)kind_class(type, i);
		ret->asks[i] = kind_named(type, i, "ar") != 0;
		ret->again[i] = kind_named(type, i, "retx") != 0;
		ret->number[i] = (uint8_t)kind_number(type, i);
		ret->code[i] = (uint8_t)(kind_named(type, i, "nack_code") |
					 kind_named(type, i, "ctl_type"));
	}
}

/* Returns the digit of a value of a field; its number of values: it has none.
 */
static unsigned kind_digit(const struct field *f, unsigned values, uint64_t v)
{
	unsigned i = 0;

	if (!f->names)
		return (unsigned)v;
	/* an ACK with credits is an ACK */
	if (f->names == ib_syndromes && ib_is_ack((uint8_t)v))
		v = IB_SYNDROME_ACK;
	if (f->names == ib_syndromes && (v >> 5) == 1)
		v = IB_SYNDROME_RNR;
	while (i < values && f->names[i].value != v)
		i++;
	return i;
}

/* Returns the type with a word, or NULL. */
static const struct transition_type *kind_find(const struct transition_table *t,
					       const char *word)
{
	/* most words are the same string as that of a packet format */
	for (unsigned i = 0; i < t->ntypes; i++)
		if (t->types[i].word == word)
			return &t->types[i];
	for (unsigned i = 0; i < t->ntypes; i++)
		if (word_same(t->types[i].word, word))
			return &t->types[i];
	return NULL;
}

bool transition_kind(const struct transition_table *t, const struct packet *pkt,
		     unsigned *ret)
{
	const char *word = packet_word(pkt);
	const struct transition_type *type = kind_find(t, word);
	unsigned kind = 0;

	if (!type)
		type = kind_find(t, kind_plain(word));
	if (!type)
		return false;
	for (unsigned i = 0; i < type->nfields; i++) {
		unsigned digit;

		if (type->section[i] >= pkt->nsec)
			return false;
		digit = kind_digit(
			type->field[i], type->values[i],
			field_get(type->field[i],
				  pkt->p + pkt->sec[type->section[i]].at));
		if (digit >= type->values[i])
			return false;
		kind = kind * type->values[i] + digit;
	}
	*ret = type->base + kind;
	return true;
}

static const char *const state_names[CONTEXT_STATES] = {
	"none", "opening", "idle", "busy", "hole", "closing", "closed"};
static const char *const place_names[PLACES] = {
	" unnumbered", " first", " next", " gap",
	" beyond",     " open",  " done", " stale"};

void transition_print(const struct transition_table *t,
		      const struct transition *x, struct text *ret)
{
	const struct transition_type *type = kind_type(t, x->kind);

	text_printf(ret, "%s: %s %s", state_names[x->before],
		    x->from_device ? "device" : "tester", type->word);
	for (unsigned i = 0; i < type->nfields; i++) {
		const struct field *f = type->field[i];
		const uint64_t v = kind_value(type, x->kind, i);

		if (f->names)
			text_printf(ret, " %s", value_find(f->names, v));
		else if (v)
			text_printf(ret, " %s", f->name);
	}
	text_printf(ret, "%s -> %s", place_names[x->place],
		    state_names[x->after]);
}
