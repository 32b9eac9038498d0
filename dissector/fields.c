/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/fields.c -- turns rows of the wire tables into Wireshark fields.
 *
 * A row becomes a field over the whole bytes that hold it, with a mask if it
 * does not fill them, so that Wireshark shows the bits in their place.
 */
#include "dissector/fields.h"

#include <string.h>

#include "wire/registry.h"

/* The fields of a header, and its subtree. */
struct dissect_fields_shown {
	const struct header *h;
	int *hf; /* one for each row */
	int ett;
};

static struct {
	struct dissect_fields_shown *headers;
	size_t n;
} shown[FAMILIES];

/* ---- Registration ---- */

static unsigned first_byte(const struct field *f)
{
	return f->at / 8u;
}

static unsigned dissect_fields_bytes_of(const struct field *f)
{
	return (f->at + f->width - 1u) / 8u - first_byte(f) + 1;
}

static guint64 dissect_fields_mask_of(const struct field *f)
{
	const unsigned low = 7 - (f->at + f->width - 1u) % 8;
	const guint64 ones =
		f->width == 64 ? G_MAXUINT64 : ((guint64)1 << f->width) - 1;

	if (f->width == 8 * dissect_fields_bytes_of(f))
		return 0;
	return ones << low;
}

static enum ftenum unsigned_type(unsigned bytes)
{
	static const enum ftenum types[] = {
		FT_UINT8,  FT_UINT16, FT_UINT24, FT_UINT32,
		FT_UINT40, FT_UINT48, FT_UINT56, FT_UINT64,
	};

	return types[(bytes - 1) & 7];
}

/* Both Wireshark's value strings and the tables' values have 32 bits. */
static const value_string *strings_of(const struct field *f)
{
	value_string *vs;
	size_t n = 0;

	while (f->names[n].name)
		n++;
	vs = g_new0(value_string, n + 1);
	for (size_t i = 0; i < n; i++)
		vs[i] = (value_string){(guint32)f->names[i].value,
				       f->names[i].name};
	return vs;
}

static void set_kind(header_field_info *i, const struct field *f)
{
	switch (f->kind) {
	case FIELD_FLAG:
		i->type = FT_BOOLEAN;
		i->display = (int)(8 * dissect_fields_bytes_of(f));
		if (!i->bitmask)
			i->display = BASE_NONE;
		break;
	case FIELD_SINT:
		i->type = FT_INT16;
		i->display = BASE_DEC;
		break;
	case FIELD_ENUM:
		if (f->width > 5)
			i->display = BASE_HEX;
		else
			i->display = BASE_DEC;
		i->strings = VALS(strings_of(f));
		break;
	case FIELD_ID:
	case FIELD_RSVD:
		i->display = BASE_HEX;
		break;
	case FIELD_UINT:
	case FIELD_SEQ:
		i->display = BASE_DEC;
		break;
	}
}

static void dissect_fields_describe(hf_register_info *reg, const char *prefix,
				    const struct header *h,
				    const struct field *f, int *hf)
{
	header_field_info *i = &reg->hfinfo;
	const bool reserved = f->kind == FIELD_RSVD;

	reg->p_id = hf;
	*hf = -1;
	*i = (header_field_info){
		.name = reserved ? "reserved" : f->name,
		.abbrev = g_strdup_printf("%s.%s", prefix,
					  reserved ? "reserved" : f->name),
		.type = unsigned_type(dissect_fields_bytes_of(f)),
		.bitmask = dissect_fields_mask_of(f),
		.blurb = h->spec,
		HFILL};
	set_kind(i, f);
}

/* Allocates fields and descriptions for the lifetime of the program. */
static void register_header(int proto, const char *prefix,
			    struct dissect_fields_shown *s)
{
	hf_register_info *reg = g_new0(hf_register_info, s->h->nfields);

	s->hf = g_new0(int, s->h->nfields);
	for (size_t i = 0; i < s->h->nfields; i++)
		dissect_fields_describe(&reg[i], prefix, s->h, &s->h->fields[i],
					&s->hf[i]);
	proto_register_field_array(proto, reg, (int)s->h->nfields);
}

/* Returns false for Ethernet, IP and UDP, which have their own dissectors. */
static bool dissect_fields_is_ours(const struct header *h)
{
	return strncmp(h->spec, "UET ", 4) == 0;
}

void fields_register_more(int proto, enum family family,
			  const struct header *const *headers, size_t n)
{
	struct dissect_fields_shown *s = g_new0(struct dissect_fields_shown, n);
	int **ett = g_new0(int *, n);

	for (size_t i = 0; i < n; i++) {
		s[i].h = headers[i];
		s[i].ett = -1;
		ett[i] = &s[i].ett;
		register_header(proto, family_name(family), &s[i]);
	}
	proto_register_subtree_array(ett, (int)n);
	shown[family].headers = s;
	shown[family].n = n;
	g_free(ett);
}

void fields_register(int proto)
{
	const struct header **ours =
		g_new0(const struct header *, wire_nheaders);
	size_t n = 0;

	for (size_t i = 0; i < wire_nheaders; i++)
		if (dissect_fields_is_ours(wire_headers[i]))
			ours[n++] = wire_headers[i];
	fields_register_more(proto, MAIN_FAMILY, ours, n);
	g_free(ours);
}

/* Returns the label of a field that is no row of a table. */
static const char *fields_label(const char *word)
{
	static const struct {
		const char *word, *label;
	} labels[] = {
		{"ack_in", "Acknowledged in frame"},
		{"actual", "Actual"},
		{"begins_in", "WQE begins in frame"},
		{"broken", "Broken requirement"},
		{"bytes", "Bytes of the WQE"},
		{"bytes_in_flight", "Bytes in flight"},
		{"clear_in", "Released in frame"},
		{"clear_of", "Releases the response in frame"},
		{"data", "Payload"},
		{"data_in", "First data of the read in frame"},
		{"ends_in", "WQE ends in frame"},
		{"expected", "Expected"},
		{"icrc", "ICRC"},
		{"icrc.status", "ICRC status"},
		{"missing", "Missing PSNs"},
		{"nack_in", "Refused or requested again in frame"},
		{"nack_of", "Retransmitted because of frame"},
		{"padding", "Padding"},
		{"psns_in_flight", "PSNs in flight"},
		{"read_in", "Read requested in frame"},
		{"relative_psn", "Relative PSN"},
		{"req_in", "Answers frame"},
		{"requirement", "Requirement"},
		{"response_time", "Response time"},
		{"retx_in", "Retransmitted in frame"},
		{"retx_of", "Retransmission of frame"},
		{"rtt", "Round-trip time"},
		{"rung", "Case language"},
		{"stream", "Stream"},
		{"time_delta", "Time since the previous packet of the stream"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(labels); i++)
		if (!strcmp(labels[i].word, word))
			return labels[i].label;
	return word;
}

void fields_add(int proto, enum family family, int *hf, header_field_info what)
{
	hf_register_info *reg = g_new0(hf_register_info, 1);

	*hf = -1;
	what.abbrev = g_strdup_printf("%s.%s", family_name(family), what.name);
	what.name = fields_label(what.name);
	*reg = (hf_register_info){hf, what};
	proto_register_field_array(proto, reg, 1);
}

/* ---- Packets ---- */

static const struct dissect_fields_shown *shown_of(enum family family,
						   const struct header *h)
{
	for (size_t i = 0; i < shown[family].n; i++)
		if (shown[family].headers[i].h == h)
			return &shown[family].headers[i];
	return NULL;
}

proto_tree *fields_header(enum family family, proto_tree *tree, tvbuff_t *tvb,
			  const struct header *h, int at)
{
	const struct dissect_fields_shown *s = shown_of(family, h);
	proto_tree *sub;

	if (!s)
		return NULL;
	sub = proto_tree_add_subtree_format(tree, tvb, at, (int)h->len, s->ett,
					    NULL, "%s (%s)", h->name, h->spec);
	for (size_t i = 0; i < h->nfields; i++) {
		const struct field *f = &h->fields[i];

		proto_tree_add_item(sub, s->hf[i], tvb, at + (int)first_byte(f),
				    (int)dissect_fields_bytes_of(f),
				    ENC_BIG_ENDIAN);
	}
	return sub;
}

void fields_strange(const struct header *h, const uint8_t *p,
		    void (*found)(void *arg, const struct field *f,
				  uint64_t value),
		    void *arg)
{
	for (size_t i = 0; i < h->nfields; i++) {
		const struct field *f = &h->fields[i];
		const bool named = f->kind == FIELD_ENUM;
		uint64_t v;

		if (!named && f->kind != FIELD_RSVD)
			continue;
		v = field_get(f, p);
		if (named ? !value_find(f->names, v) : v != 0)
			found(arg, f, v);
	}
}
