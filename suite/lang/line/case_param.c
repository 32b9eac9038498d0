/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_param.c -- parses the SES side of a case: the key=value
 * words of post, configure, respond and report lines.
 */
#include "suite/lang/line/case_param.h"

#include <string.h>

#include "base/err.h"
#include "suite/dut/ctl/ctl_table.h"
#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/lex/case_number.h"
#include "suite/lang/lex/parse_array.h"
#include "suite/lang/line/case_words.h"
#include "suite/lang/parse_state.h"
#include "suite/lang/rung/case_rung.h"
#include "suite/lang/rung/rung_word.h"

#define PARAMS_MAX 16
#define TIMES_MAX  100000

static const struct param_key *case_param_find_key(const struct param_key *keys,
						   struct word w)
{
	for (; keys->name; keys++)
		if (word_is(w, keys->name))
			return keys;
	return NULL;
}

static int no_key(struct parse *p, const struct param_key *keys, struct word w)
{
	struct near n;

	near_init(&n, w);
	for (; keys->name; keys++)
		near_offer(&n, keys->name);
	return lex_error(p->lex, w.s, "no parameter '%.*s' here%s", WORD(w),
			 near_hint(&n));
}

static int word_param(struct parse *p, const struct param_key *k, struct word v,
		      struct param *ret)
{
	struct near n;

	for (const struct value_name *i = k->names; i->name; i++)
		if (word_is(v, i->name)) {
			ret->word = i->name;
			ret->number.value = i->value;
			return 0;
		}
	near_init(&n, v);
	for (const struct value_name *i = k->names; i->name; i++)
		near_offer(&n, i->name);
	return lex_error(p->lex, v.s, "'%s' has no value '%.*s'%s", k->name,
			 WORD(v), near_hint(&n));
}

static int name_param(struct parse *p, const struct param_key *k, struct word v,
		      struct param *ret)
{
	if (word_is_number(v) || v.s[0] == '$')
		return parse_number(p, v, NULL, false, false, &ret->number);
	return word_param(p, k, v, ret);
}

static int psn_param(struct parse *p, struct word v, struct param *ret)
{
	const bool absolute = v.s[0] == '=';
	struct word n = {v.s + absolute, v.len - absolute};
	int err = parse_number(p, n, NULL, true, false, &ret->number);

	ret->number.absolute = absolute && !ret->number.symbol;
	return err;
}

static int param_value(struct parse *p, const struct param_key *k,
		       struct word v, bool makes, struct param *ret)
{
	if (!v.len)
		return lex_error(p->lex, v.s, "expected a value");
	switch (k->kind) {
	case KEY_WORD:
		return word_param(p, k, v, ret);
	case KEY_NAME:
		return name_param(p, k, v, ret);
	case KEY_PSN:
		return psn_param(p, v, ret);
	case KEY_SPAN:
		if (word_span(v, &ret->span))
			return 0;
		return lex_error(p->lex, v.s,
				 "expected a span in one word: "
				 "2ms, rto, 2rto+ack_time");
	case KEY_SETTING:
		if (word_span(v, &ret->span))
			return 0;
		break;
	case KEY_RESULT: /* for a verb that creates an object: its number */
		return parse_number(p, v, NULL, false, makes, &ret->number);
	case KEY_NUMBER:
		break;
	}
	return parse_number(p, v, NULL, false, false, &ret->number);
}

static int parse_param(struct parse *p, const struct param_key *keys,
		       struct word w, bool makes, struct param *ret)
{
	const char *eq = memchr(w.s, '=', w.len);
	struct word key = {w.s, eq ? (size_t)(eq - w.s) : w.len};
	const struct param_key *k = case_param_find_key(keys, key);

	*ret = (struct param){0};
	if (!k)
		return no_key(p, keys, key);
	if (!eq)
		return lex_error(p->lex, w.s, "'%s' needs a value: %s=N",
				 k->name, k->name);
	ret->key = k->name;
	return param_value(
		p, k, (struct word){eq + 1, (size_t)(w.s + w.len - eq - 1)},
		makes, ret);
}

static bool ends_params(struct word w)
{
	return word_is(w, "once") || word_is(w, "none") || word_is(w, "x") ||
	       word_is(w, "within") || word_is(w, "refusable") ||
	       word_is(w, "refused") || word_is(w, "|");
}

static int parse_params(struct parse *p, struct step *s,
			const struct param_key *keys)
{
	const bool makes = s->verb && !strncmp(s->verb, "create_", 7);
	struct param list[PARAMS_MAX];
	size_t n = 0;
	struct word w;
	int err;

	while (lex_peek(p->lex, &w) && !ends_params(w)) {
		lex_word(p->lex, &w);
		if (n == PARAMS_MAX)
			return lex_error(p->lex, w.s, "more than %d parameters",
					 PARAMS_MAX);
		err = parse_param(p, keys, w, makes, &list[n]);
		if (err)
			return err;
		for (size_t i = 0; i < n; i++)
			if (list[i].key == list[n].key)
				return lex_error(p->lex, w.s,
						 "'%s' is given twice",
						 list[n].key);
		n++;
	}
	s->params = parse_copy(p, list, n, sizeof(list[0]));
	s->nparams = n;
	if (s->params)
		return 0;
	return ERR_NOMEM;
}

static int take_verb(struct parse *p, const char *const *verbs,
		     const char *example, const char **ret)
{
	struct near n;
	struct word w;

	if (!lex_word(p->lex, &w))
		return lex_error(p->lex, w.s, "expected a verb, such as '%s'",
				 example);
	for (size_t i = 0; verbs[i]; i++)
		if (word_is(w, verbs[i])) {
			*ret = verbs[i];
			return 0;
		}
	return lex_error(p->lex, w.s, "no verb '%.*s'%s", WORD(w),
			 near_list(&n, w, verbs));
}

/*
 * Returns the packet type that a PDS profile verb sends, and whose SES headers
 * its line has; NULL if the verb sends no packet.
 */
static const char *case_param_packet_of(const char *verb)
{
	static const struct {
		const char *verb, *type;
	} packets[] = {
		{"ses_pds_tx_req", "rud_req"},
		{"ses_pds_tx_ret", "rud_req"},
		{"ses_pds_tx_rsp", "ack"},
	};

	for (size_t i = 0; i < sizeof(packets) / sizeof(packets[0]); i++)
		if (strcmp(packets[i].verb, verb) == 0)
			return packets[i].type;
	return NULL;
}

static bool tells_state(const struct step *s)
{
	return !strcmp(s->verb, "query_qp") && s->nparams > 1;
}

/* A post line needs ids if and only if the device can fail it. */
static int check_post(struct parse *p, const struct step *s)
{
	const bool expects = s->refused || tells_state(s) ||
			     strcmp(s->verb, "mem_digest") == 0 ||
			     strcmp(s->verb, "stats") == 0;

	if (expects == (s->nreqs > 0)) {
		p->expecting += expects;
		return 0;
	}
	return lex_error(p->lex, p->lex->eol,
			 expects ? "'post' expects something: say which "
				   "requirement it proves, [SRD-33] at the end "
				   "of the line"
				 : "'post' expects nothing: it proves no "
				   "requirement");
}

int parse_post(struct parse *p, struct step *s)
{
	struct word w;
	int err = take_verb(p, ctl_posted_verbs, "send", &s->verb);

	if (!err)
		err = parse_params(p, s, post_keys);
	s->optional = !err && lex_take(p->lex, "refusable");
	s->refused = !err && !s->optional && lex_take(p->lex, "refused");
	if (!err)
		err = check_post(p, s);
	if (err || !lex_peek(p->lex, &w) || !word_is(w, "|"))
		return err;
	s->rung.type = case_param_packet_of(s->verb);
	if (s->rung.type)
		return parse_ses(p, &s->rung);
	return lex_error(p->lex, w.s, "'post %s' has no packet of its own",
			 s->verb);
}

int parse_configure(struct parse *p, struct step *s)
{
	struct word w;

	if (!lex_peek(p->lex, &w))
		return lex_error(p->lex, w.s,
				 "expected a setting, such as "
				 "start_psn=0xfffffffd");
	return parse_params(p, s, configure_keys);
}

int parse_respond(struct parse *p, struct step *s)
{
	struct word w;
	int err = 0;

	s->verb = "with";
	if (!lex_peek(p->lex, &w) || !memchr(w.s, '=', w.len))
		err = take_verb(p, respond_verbs, "gtd", &s->verb);
	if (err)
		return err;
	return parse_params(p, s, respond_keys);
}

static int parse_often(struct parse *p, struct step *s)
{
	int err = 0;

	if (lex_take(p->lex, "once")) {
		s->once = true;
		s->max = 1;
	} else if (lex_take(p->lex, "none")) {
		s->once = true;
		s->min = s->max = 0;
	} else if (lex_take(p->lex, "x")) {
		s->once = true;
		err = parse_times(p, 0, s);
	}
	if (!err && lex_take(p->lex, "within"))
		err = lex_span(p->lex, &s->within);
	if (err)
		return err;
	return lex_done(p->lex);
}

int parse_report(struct parse *p, struct step *s)
{
	struct word w;
	int err = 0;

	if (lex_peek(p->lex, &w) && parse_is_pdc(w)) {
		lex_word(p->lex, &w);
		err = parse_pdc(p, w, &s->pdc);
	}
	if (!err)
		err = parse_params(p, s, report_keys);
	s->max = UINT32_MAX; /* without a count: at least once */
	if (err)
		return err;
	return parse_often(p, s);
}

/* "3" or "1..4" */
int parse_times(struct parse *p, uint32_t least, struct step *s)
{
	struct word w, hi;
	uint64_t min, max;

	if (!lex_word(p->lex, &w))
		return lex_error(p->lex, w.s, "expected N or M..N after 'x'");
	lex_range(w, &w, &hi);
	if (lex_u64(w, TIMES_MAX, &min) || lex_u64(hi, TIMES_MAX, &max) ||
	    min > max || max < least)
		return lex_error(p->lex, w.s,
				 "expected N or M..N, up to %d, after 'x'",
				 TIMES_MAX);
	s->min = (uint32_t)min;
	s->max = (uint32_t)max;
	return 0;
}
