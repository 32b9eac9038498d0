/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/rules.c -- impairment lines as rules of the chain, and the parser
 * of rule files.
 *
 * The chain parses a packet once for all rules.  Rules that require one value
 * of a common field are looked up by that value.
 */
#include "suite/craft/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "suite/craft/craft_inject.h"
#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/line/case_impair.h"
#include "suite/lang/line/case_step.h"
#include "suite/lang/parse_state.h"
#include "suite/run/match/match.h"
#include "suite/run/scope/scope_span.h"

/* ---- A step for the chain ---- */

/* All acknowledgements, responses and indications of all families. */
static bool rules_is_answer(const char *type)
{
	return type && (strstr(type, "ack") || strstr(type, "resp") ||
			strstr(type, "rtx_ind"));
}

/*
 * Returns the longest delay.  Packets that the DUT sent, or waits for as an
 * answer, are held until its timer has surely expired; packets that the tester
 * repeats depend only on the tester's timer.
 */
static vspan delay_of(const struct step *step, const struct decl *decl)
{
	if (!step->to_dut || rules_is_answer(step->rung.type))
		return span_sure(decl, &step->span);
	return span_of(decl, &step->span, NULL);
}

/*
 * Returns the longest time that a packet is held.  The case may wait for a few
 * answers of the device, or for one of its time-outs, until the packet comes
 * that ends the hold.
 */
static vspan longest_hold(const struct decl *decl)
{
	const vspan answers =
		4 * (decl->ack_time.value + decl->ack_time.tolerance);
	const vspan timeout = decl->rto.value + decl->rto.tolerance;
	const vspan device = answers > timeout ? answers : timeout;

	return device > VSPAN_S ? device : VSPAN_S;
}

void rule_make(const struct step *step, const struct decl *decl,
	       struct imp_rule *ret)
{
	static const enum imp_action actions[] = {
		[IMPAIR_DROP] = IMP_DROP,
		[IMPAIR_DUPLICATE] = IMP_DUPLICATE,
		[IMPAIR_DELAY] = IMP_DELAY,
		[IMPAIR_HOLD] = IMP_HOLD,
		[IMPAIR_REORDER] = IMP_REORDER,
		[IMPAIR_CORRUPT] = IMP_CORRUPT,
		[IMPAIR_MARK_CE] = IMP_MARK_CE,
		[IMPAIR_TRIM] = IMP_TRIM,
		[IMPAIR_REWRITE] = IMP_CORRUPT,
		[IMPAIR_INJECT] = IMP_INJECT,
	};

	*ret = (struct imp_rule){
		.action = actions[step->action],
		.dir = step->to_dut ? IMP_TO_DUT : IMP_FROM_DUT,
		.nth = step->nth,
		.nth_to = step->nth_to,
		.every = step->every,
		.count = step->count,
		.dscp = step->last_hop ? decl->dscp_trimmed_lasthop
				       : decl->dscp_trimmed,
		.udp_kept = step->udp_kept,
		.hold_max = longest_hold(decl),
		.inject_dir = step->until_to_dut ? IMP_TO_DUT : IMP_FROM_DUT,
		.line = step->line,
	};
	if (step->span.set)
		ret->delay = delay_of(step, decl);
}

bool rule_outer(const struct outer *o, const struct dgram *d)
{
	return (!o->src.len || ip_addr_equal(&o->src, &d->src)) &&
	       (!o->dst.len || ip_addr_equal(&o->dst, &d->dst)) &&
	       (!o->entropy_set || o->entropy == d->entropy) &&
	       (!o->dscp_set || o->dscp == d->dscp) &&
	       (!o->ecn_set || o->ecn == d->ecn);
}

bool rule_beyond_sockets(const struct step *step)
{
	const struct outer *o = &step->rewrite;

	return step->udp_kept || o->src.len || o->dst.len || o->checksum ||
	       o->padding || o->ext;
}

/* ---- Files of rules ---- */

/* Fields by whose value rules are looked up, the most selective first. */
static const char *const key_names[] = {
	"psn",      "ack_psn",    "nack_psn", "pkt_id", "nack_pkt_id",
	"cack_psn", "message_id", "dpdcid",   "spdcid",
};

#define KEY_NAMES (sizeof(key_names) / sizeof(key_names[0]))

struct rules_rule {
	struct rules *rules;
	const struct step *step;
	/*
	 * The remaining conditions of a rule, once the lookup by key has found
	 * it.  They are copied into one array, because ten thousand steps do
	 * not fit into a cache.
	 */
	const char *type;
	bool type_only;
};

struct rules {
	struct arena arena;
	struct rules_rule *at;
	size_t n, size;
	const struct decl *decl;
	unsigned keys;     /* bit i: some rule is looked up by key_names[i] */
	struct packet pkt; /* the packet that the chain is matching */
};

static int rules_refuse(struct parse *p, const char *at, const char *what)
{
	return lex_error(p->lex, at, "%s", what);
}

/* Rejects words that are meaningful only inside a case. */
static int rules_check_line(struct parse *p, const char *begin)
{
	const char *dollar = memchr(begin, '$', (size_t)(p->lex->eol - begin));

	if (dollar)
		return rules_refuse(p, dollar,
				    "a file of rules has no symbols");
	return 0;
}

static int rules_check_rung(struct parse *p, const char *begin,
			    const struct rung *r)
{
	if (r->pdc)
		return rules_refuse(
			p, begin,
			"a file of rules has no names for PDCs: say "
			"spdcid= or dpdcid=");
	if (r->body == BODY_SAME)
		return rules_refuse(p, begin,
				    "'same' has no meaning in a file of rules");
	return 0;
}

static int check_step(struct parse *p, const char *begin, const struct step *s)
{
	int err;

	if (!s || s->kind != STEP_IMPAIR)
		return rules_refuse(
			p, begin,
			"only impairments stand in a file of rules: "
			"drop, duplicate, delay, hold, reorder, corrupt, "
			"rewrite, mark_ce, trim, inject");
	err = rules_check_rung(p, begin, &s->rung);
	if (err)
		return err;
	return rules_check_rung(p, begin, &s->until);
}

static int rule_append(struct rules *r, const struct step *s)
{
	if (r->n == r->size) {
		const size_t size = r->size ? 2 * r->size : 64;
		struct rules_rule *at =
			memory_realloc(r->at, size * sizeof(*at));

		if (!at)
			return ERR_NOMEM;
		r->at = at;
		r->size = size;
	}
	r->at[r->n++] = (struct rules_rule){.rules = r, .step = s};
	return 0;
}

static int parse_rule(struct parse *p, struct rules *r)
{
	const char *begin = p->lex->p;
	const unsigned line = p->lex->line;
	struct step_list list = {0};
	struct word w;
	int err = rules_check_line(p, begin);

	if (err)
		return err;
	/* A fragment or a group would continue after this line. */
	if (lex_peek(p->lex, &w) &&
	    (word_is(w, "use") || word_is(w, "any") || word_is(w, "one")))
		return check_step(p, begin, NULL);
	err = parse_line(p, &list);
	if (!err && p->lex->line == line)
		err = check_step(p, begin, list.first);
	if (err)
		return err;
	return rule_append(r, list.first);
}

static int parse_rules(struct rules *r, const char *path, const char *text,
		       size_t len, struct diag *diag)
{
	const char *copy = arena_strndup(&r->arena, text, len);
	const char *file = arena_strndup(&r->arena, path, strlen(path));
	struct lex lex;
	struct parse p = {.lex = &lex, .arena = &r->arena};
	int more;

	if (!copy || !file)
		return ERR_NOMEM;
	lex_open(&lex, &r->arena, diag, file, copy, len);
	while ((more = lex_line(&lex)) > 0) {
		int err = parse_rule(&p, r);

		if (err)
			return err;
	}
	return more;
}

int rules_parse(struct rules **ret, const char *path, const char *text,
		size_t len, struct diag *diag)
{
	struct rules *r = memory_calloc(1, sizeof(*r));
	int err;

	if (!r)
		return ERR_NOMEM;
	err = parse_rules(r, path, text, len, diag);
	if (err)
		rules_free(r);
	else
		*ret = r;
	return err;
}

void rules_free(struct rules *r)
{
	if (!r)
		return;
	free(r->at);
	arena_free(&r->arena);
	free(r);
}

size_t rules_count(const struct rules *r)
{
	return r->n;
}

const struct step *rules_at(const struct rules *r, size_t n)
{
	return r->at[n].step;
}

/* ---- In the chain ---- */

/* Parses the packet once for all rules and returns the keys that it has. */
static size_t rules_look(void *ctx, enum imp_dir dir, const struct dgram *d,
			 struct imp_key *ret)
{
	struct rules *r = ctx;
	size_t n = 0;

	(void)dir;
	packet_parse(d->family, &r->pkt, d->data, d->len);
	for (unsigned i = 0; i < KEY_NAMES; i++)
		if (r->keys & 1u << i &&
		    packet_value(&r->pkt, key_names[i], &ret[n].value))
			ret[n++].what = i;
	return n;
}

static bool rules_match(const void *ctx, const struct dgram *d)
{
	const struct rules_rule *rule = ctx;

	if (rule->type_only)
		return match_type(rule->type, &rule->rules->pkt);
	return rule_outer(&rule->step->outer, d) &&
	       match_packet(&rule->step->rung, &rule->rules->pkt,
			    rule->rules->decl->mtu);
}

static bool rules_until(const void *ctx, const struct dgram *d,
			enum imp_dir dir)
{
	const struct rules_rule *rule = ctx;

	(void)d; /* the packet that rules_look() parsed */
	return rule->step->until_to_dut == (dir == IMP_TO_DUT) &&
	       match_packet(&rule->step->until, &rule->rules->pkt,
			    rule->rules->decl->mtu);
}

static void corrupt(const void *ctx, struct dgram *d)
{
	const struct rules_rule *rule = ctx;

	craft_change(NULL, rule->rules->decl, rule->step, d);
}

static bool rules_inject(const void *ctx, const struct dgram *d,
			 struct dgram *ret)
{
	const struct rules_rule *rule = ctx;

	return !craft_inject(NULL, rule->rules->decl, rule->step, d, ret);
}

/* Finds the single value that a term requires; false if it allows several. */
static bool rules_one_value(const struct term *t, uint64_t *ret)
{
	if (t->nranges == 1)
		*ret = t->ranges[0].lo.value;
	else
		*ret = 0;
	return t->op == TERM_EQ && t->nranges == 1 && t->ranges[0].single &&
	       !t->ranges[0].lo.mtus;
}

/* Returns true if a rung has no condition beside its type and the key. */
static bool is_key_alone(const struct step *s)
{
	const struct rung *r = &s->rung;

	return r->npds == 1 && !r->raw && !r->ses && !r->nses &&
	       r->body == BODY_NONE && !outer_any(&s->outer);
}

static void rules_find_key(struct rules *r, const struct rung *rung,
			   struct imp_rule *ret)
{
	for (unsigned i = 0; i < KEY_NAMES && !ret->keyed; i++) {
		const struct term *t = case_term(rung, key_names[i]);

		if (!t || !rules_one_value(t, &ret->key.value))
			continue;
		ret->keyed = true;
		ret->key.what = i;
		r->keys |= 1u << i;
	}
}

int rules_load(struct rules *r, const struct decl *decl, struct imp *imp)
{
	int err = 0;

	r->decl = decl;
	for (size_t i = 0; i < r->n && !err; i++) {
		struct imp_rule rule;

		rule_make(r->at[i].step, decl, &rule);
		rules_find_key(r, &r->at[i].step->rung, &rule);
		r->at[i].type = r->at[i].step->rung.type;
		r->at[i].type_only = rule.keyed && is_key_alone(r->at[i].step);
		rule.match = rules_match;
		if (r->at[i].step->until_set)
			rule.until = rules_until;
		rule.corrupt = corrupt;
		rule.inject = rules_inject;
		rule.ctx = &r->at[i];
		err = imp_rule_add(imp, &rule);
	}
	imp_look(imp, rules_look, r);
	return err;
}
