/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/boundary/boundary.c -- the values of each class, and their
 * cases.
 */
#include "suite/explore/boundary/boundary.h"

#include <stdio.h>
#include <string.h>

#include "suite/explore/boundary/boundary_classes.h"
#include "suite/explore/script/script.h"
#include "wire/packet.h"

#define BOUNDARY_BYTES 256

/* ---- Values ---- */

static bool boundary_is_of(const struct boundary_class *c, enum draft_subject s,
			   enum chair chair)
{
	return c->subjects >> s & 1 && c->chair == chair;
}

/* Builds the packet whose headers a class is about. */
static void boundary_packet(const struct boundary_class *c,
			    enum draft_subject s, struct packet *ret,
			    uint8_t p[BOUNDARY_BYTES])
{
	const bool rod = s == DRAFT_ROD && strcmp(c->word, "rud_req") == 0;
	/* the first packet of a message */
	const struct field_value som = {"som", 1, true};
	const bool std = c->ses && strcmp(c->ses, "std") == 0;
	const struct packet_spec spec = {.type = rod ? "rod_req" : c->word,
					 .ses = c->ses,
					 .set = &som,
					 .nset = std};
	int len = packet_build(p, BOUNDARY_BYTES, &spec, NULL);

	packet_parse(draft_family(s), ret, p, len > 0 ? (size_t)len : 0);
}

static unsigned boundary_words(const struct boundary_class *c)
{
	unsigned n = 0;

	while (c->words[n])
		n++;
	return n;
}

/* Returns the enumeration of a class. */
static const struct field *boundary_codes(const struct boundary_class *c,
					  enum draft_subject s)
{
	struct packet_ref ref = {0};
	uint8_t p[BOUNDARY_BYTES];
	struct packet pkt;

	boundary_packet(c, s, &pkt, p);
	packet_find(&pkt, 0, pkt.nsec, c->field, strlen(c->field), &ref);
	return ref.field;
}

static unsigned boundary_ncodes(const struct boundary_class *c,
				enum draft_subject s)
{
	const struct field *f = boundary_codes(c, s);
	unsigned n = 0;

	while (f && f->names && f->names[n].name)
		n++;
	return n;
}

/* Does a field of the packet belong to a class of reserved bits? */
static bool boundary_reserves(const struct boundary_class *c,
			      const struct packet *pkt, unsigned sec,
			      const struct field *f)
{
	return f->kind == FIELD_RSVD &&
	       (c->source == BOUNDARY_SES_BITS) == (sec >= pkt->nses);
}

/*
 * Counts the reserved bits of a packet.  |ret| is NULL, or receives bit |k| as
 * "rsvd_9=2".
 */
static unsigned boundary_bits(const struct boundary_class *c,
			      enum draft_subject s, unsigned k,
			      char ret[BOUNDARY_TEXT])
{
	uint8_t p[BOUNDARY_BYTES];
	struct packet pkt;
	unsigned n = 0;

	boundary_packet(c, s, &pkt, p);
	for (unsigned sec = 0; sec < pkt.nsec; sec++)
		for (size_t i = 0; i < pkt.sec[sec].h->nfields; i++) {
			const struct field *f = &pkt.sec[sec].h->fields[i];

			if (!boundary_reserves(c, &pkt, sec, f))
				continue;
			if (ret && k >= n && k < n + f->width)
				snprintf(ret, BOUNDARY_TEXT, "%s=%llu", f->name,
					 1ull << (k - n));
			n += f->width;
		}
	return n;
}

static unsigned boundary_cuts(const struct boundary_class *c,
			      enum draft_subject s)
{
	uint8_t p[BOUNDARY_BYTES];
	struct packet pkt;

	boundary_packet(c, s, &pkt, p);
	return pkt.payload ? (unsigned)pkt.payload - 1 : 0;
}

static unsigned boundary_values(const struct boundary_class *c,
				enum draft_subject s)
{
	switch (c->source) {
	case BOUNDARY_WORDS:
		return boundary_words(c);
	case BOUNDARY_CODES:
		return boundary_ncodes(c, s);
	case BOUNDARY_CUTS:
		return boundary_cuts(c, s);
	default:
		return boundary_bits(c, s, 0, NULL);
	}
}

static void boundary_value(const struct boundary_class *c, enum draft_subject s,
			   unsigned k, char ret[BOUNDARY_TEXT])
{
	switch (c->source) {
	case BOUNDARY_WORDS:
		snprintf(ret, BOUNDARY_TEXT, "%s", c->words[k]);
		return;
	case BOUNDARY_CODES:
		snprintf(ret, BOUNDARY_TEXT, "%s",
			 boundary_codes(c, s)->names[k].name);
		return;
	case BOUNDARY_CUTS:
		snprintf(ret, BOUNDARY_TEXT, "%u", k + 1);
		return;
	default:
		boundary_bits(c, s, k, ret);
	}
}

unsigned boundary_count(enum draft_subject s, enum chair chair)
{
	unsigned n = 0;

	for (const struct boundary_class *c = boundary_classes; c->name; c++)
		if (boundary_is_of(c, s, chair))
			n += boundary_values(c, s);
	return n;
}

/* Finds the class of number |*i|, which becomes its place in the class. */
static const struct boundary_class *boundary_find(enum draft_subject s,
						  enum chair chair, unsigned *i)
{
	for (const struct boundary_class *c = boundary_classes; c->name; c++) {
		const unsigned n =
			boundary_is_of(c, s, chair) ? boundary_values(c, s) : 0;

		if (*i < n)
			return c;
		*i -= n;
	}
	return NULL;
}

void boundary_name(enum draft_subject s, enum chair chair, unsigned i,
		   const char **ret_class, char ret_value[BOUNDARY_TEXT])
{
	const struct boundary_class *c = boundary_find(s, chair, &i);

	*ret_class = c->name;
	boundary_value(c, s, i, ret_value);
}

/* ---- Cases ---- */

/*
 * Writes the value into the lines of a class, in the place of {v}, and the end
 * of the fragment's name in that of {open}.
 */
static void boundary_fill(const char *lines, const char *value, bool rod,
			  struct text *ret)
{
	while (*lines) {
		const size_t plain = strcspn(lines, "{");

		text_add(ret, lines, plain);
		lines += plain;
		if (strncmp(lines, "{open}", 6) == 0) {
			text_puts(ret, rod ? "-rod" : "");
			lines += 6;
		} else if (strncmp(lines, "{v}", 3) == 0) {
			text_puts(ret, value);
			lines += 3;
		} else if (*lines) {
			text_add(ret, lines++, 1);
		}
	}
}

void boundary_write(struct draft *d, unsigned i)
{
	const struct boundary_class *c =
		boundary_find(d->subject, d->chair, &i);
	const struct draft_kind *k = draft_kind_of(d->subject, d->chair);
	char value[BOUNDARY_TEXT];
	struct text lines = {0};
	struct draft_script s;

	boundary_value(c, d->subject, i, value);
	boundary_fill(c->script.lines, value, d->subject == DRAFT_ROD, &lines);
	s = c->script;
	s.lines = text_cstr(&lines);
	if (!(s.flags & SCRIPT_BARE) && k->open)
		k->open(d);
	else if (draft_family(d->subject) == FAMILY_UET)
		draft_need(d, draft_subject_name(d->subject));
	script_write(d, &s);
	text_free(&lines);
	d->over = d->no_close = true;
}
