/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/toy/toy_families.c -- a transport of two packets, added from outside.
 *
 * The toy has a request and an answer, each with a PSN: an answer repeats the
 * PSN of its request.  This program links registries with one more row than
 * rung has.
 */
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "judge/findings.h"
#include "judge/transport.h"
#include "oracle/core/family.h"
#include "suite/craft/craft_set.h"
#include "suite/craft/craft_state.h"
#include "suite/transport.h"
#include "tests/toy/toy.h"

/* The rows of rung, under other names. */
#define wire_families  rung_wire_families
#define wire_nfamilies rung_wire_nfamilies
#define judge_families rung_judge_families
#define orc_families   rung_orc_families
#define suite_families rung_suite_families
#include "judge/families.c"
#include "oracle/families.c"
#include "suite/families.c"
#include "wire/families.c"
#undef wire_families
#undef wire_nfamilies
#undef judge_families
#undef orc_families
#undef suite_families

enum { TOY_REQ = 1, TOY_ANSWER = 2, TOY_PORT = 4999 };

/* ---- wire ---- */

static const struct value_name toy_types[] = {
	{TOY_REQ, "toy_req"}, {TOY_ANSWER, "toy_answer"}, {0, NULL}};

/* clang-format off */
#define TOY(F)								\
	F(toy, u8,  type, ENUM, 0,  8, toy_types)			\
	F(toy, u32, psn,  SEQ,  8, 24, NULL)
/* clang-format on */
HEADER_DECLARE(toy, TOY, 4)
HEADER_DEFINE(toy, TOY, "toy", "toy 1");

static const struct packet_format toy_format;

static void toy_parse(struct packet *ret, const uint8_t *p, size_t len)
{
	*ret = (struct packet){.p = p, .len = len, .format = &toy_format};
	if (packet_take(ret, &toy_header) && (!p[0] || p[0] > TOY_ANSWER))
		ret->fault = PACKET_TYPE;
	ret->nses = ret->nsec;
}

static const char *toy_word(const struct packet *pkt)
{
	const char *word = pkt->len ? value_find(toy_types, pkt->p[0]) : NULL;

	return word ? word : "unknown";
}

static bool toy_is_word(const char *word)
{
	uint64_t type;

	return !value_parse(toy_types, word, strlen(word), &type);
}

static bool toy_has(const char *type, const char *ses_word, bool ses,
		    const char *name, size_t len, const struct field **ret)
{
	const struct field *f = header_field(&toy_header, name, len);

	(void)type;
	(void)ses_word;
	if (f && !ses && ret)
		*ret = f;
	return f && !ses;
}

static int toy_build(uint8_t *p, size_t size, const struct packet_spec *spec,
		     int *ret_bad)
{
	uint64_t type;
	struct toy h = {0};

	(void)ret_bad;
	if (size < toy_len ||
	    value_parse(toy_types, spec->type, strlen(spec->type), &type))
		return ERR_SUPPORT;
	h.type = (uint8_t)type;
	if (spec->nset)
		h.psn = (uint32_t)spec->set[0].value;
	else
		h.psn = 0;
	toy_put(&h, p);
	return toy_len;
}

static const struct packet_format toy_format = {.parse = toy_parse,
						.word = toy_word,
						.is_word = toy_is_word,
						.types = toy_types,
						.has = toy_has,
						.build = toy_build};

static const struct wire_family wire_toy = {.name = "toy",
					    .port = TOY_PORT,
					    .format = &toy_format,
					    .seal = SEAL_NONE,
					    .psn_mask = SERIAL24_MASK};

const struct wire_family *const wire_families[] = {
	FAMILY_LIST(FAMILY_ROW, wire_) & wire_toy};
const unsigned wire_nfamilies = FAMILIES + 1;

/* ---- judge ---- */

static int toy_start(void **ret, enum family family)
{
	(void)family;
	*ret = memory_calloc(1, sizeof(uint32_t));
	return *ret ? 0 : ERR_NOMEM;
}

/* I5: an answer covers no PSN that was not requested. */
static void toy_push(struct judge *j, void *state, const struct judge_packet *p)
{
	uint32_t *next = state;
	struct toy h;

	toy_get(&h, p->pkt->p);
	if (h.type == TOY_REQ)
		*next = h.psn + 1;
	else if (h.psn >= *next)
		judge_found(j)->req = REQ_I5;
}

static const struct judge_family judge_toy = {.prefixes = {"TOY-"},
					      .invariants = true,
					      .start = toy_start,
					      .end = memory_free,
					      .push = toy_push};

const struct judge_family *const judge_families[] = {
	FAMILY_LIST(FAMILY_ROW, judge_) & judge_toy};

/* ---- oracle: answers each request at once ---- */

uint32_t toy_error;

static bool toy_is_right(const struct orc_conf *conf)
{
	return !conf->crc;
}

static void toy_nothing(struct orc *o)
{
	(void)o;
}

static bool toy_is_busy(const struct orc *o)
{
	(void)o;
	return false;
}

static int toy_post(struct orc *o, const struct orc_op *op)
{
	(void)o;
	(void)op;
	return ERR_SUPPORT;
}

static void toy_take(struct orc *o, const struct dgram *d, size_t len)
{
	struct env *env = (struct env *)o;
	const struct outq_head head = {
		.dst = d->src, .entropy = d->entropy, .len = toy_len};
	struct toy h;
	uint8_t *p;

	if (len < toy_len) {
		env_drop(env, DROP_SHORT);
		return;
	}
	toy_get(&h, d->data);
	if (h.type != TOY_REQ) {
		env_drop(env, DROP_TYPE);
		return;
	}
	h.type = TOY_ANSWER;
	h.psn += toy_error;
	p = outq_add(&env->out, &env->mem, &head);
	if (p)
		toy_put(&h, p);
}

static const struct orc_family family_toy = {.size = sizeof(struct env),
					     .is_right = toy_is_right,
					     .start = toy_nothing,
					     .again = toy_nothing,
					     .end = toy_nothing,
					     .is_busy = toy_is_busy,
					     .post = toy_post,
					     .take = toy_take};

const struct orc_family *const orc_families[] = {
	FAMILY_LIST(FAMILY_ROW, family_) & family_toy};

/* ---- suite: a PSN that a line leaves out is the next one ---- */

static enum psn_space toy_space(const struct craft *c)
{
	(void)c;
	return SPACE_FORWARD;
}

static void toy_make(struct scope *s, struct scope_pdc *pdc)
{
	(void)s;
	pdc->tx_next &= SERIAL24_MASK;
}

static int toy_craft(struct craft *c)
{
	craft_default(c, "psn", false, c->s->pdc->tx_next & SERIAL24_MASK);
	return 0;
}

static void toy_sent(struct scope *s, size_t index)
{
	struct packet pkt;
	uint64_t psn;

	record_packet(s->record, &s->record->recs[index], &pkt);
	if (packet_value(&pkt, "psn", &psn))
		s->pdc->tx_next = (uint32_t)psn + 1;
}

static void toy_ignored(struct scope *s, size_t index)
{
	(void)s;
	(void)index;
}

static const char *toy_allowance(struct runner *r, size_t index)
{
	(void)r;
	(void)index;
	return NULL;
}

static const struct suite_family suite_toy = {.space = toy_space,
					      .make = toy_make,
					      .craft = toy_craft,
					      .turn = toy_ignored,
					      .sent = toy_sent,
					      .arrived = toy_ignored,
					      .taken = toy_ignored,
					      .allowance = toy_allowance};

const struct suite_family *const suite_families[] = {
	FAMILY_LIST(FAMILY_ROW, suite_) & suite_toy};
