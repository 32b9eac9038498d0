/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_print.c -- prints steps and cases as text.
 *
 * There is one way to write each step, and the printed text parses to an equal
 * step.
 */
#include "suite/lang/case_print.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "suite/lang/case.h"
#include "suite/lang/chair.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/line/case_impair.h"
#include "suite/lang/line/case_words.h"
#include "wire/ib/ib.h"
#include "wire/ib/ib_packet.h"
#include "wire/uet/uet_ses.h"

/* ---- Numbers and terms ---- */

/* "$p+1", "2mtu-512", "$p+2mtu" */
static void sum_print(struct text *t, const struct number *n)
{
	const int64_t add = (int64_t)n->value;

	if (n->symbol)
		text_printf(t, "$%s", n->symbol);
	if (n->symbol && n->mtus)
		text_puts(t, "+");
	if (n->mtus == 1)
		text_puts(t, "mtu");
	else if (n->mtus)
		text_printf(t, "%" PRIu32 "mtu", n->mtus);
	if (add < 0)
		text_printf(t, "-%" PRIu64, 0 - n->value);
	else if (add > 0)
		text_printf(t, "+%" PRIu64, n->value);
}

/* Prints a literal in the format of |f|; NULL: decimal. */
static void number_print(struct text *t, const struct number *n,
			 const struct field *f)
{
	const char *name = NULL;

	if (n->symbol || n->mtus) {
		sum_print(t, n);
		return;
	}
	if (f && f->names)
		name = value_find(f->names, n->value);
	if (name)
		text_puts(t, name);
	else if (f && f->kind == FIELD_SINT)
		text_printf(t, "%" PRId64, (int64_t)n->value);
	else if (f && (f->kind == FIELD_ID || f->kind == FIELD_ENUM))
		text_printf(t, "0x%" PRIx64, n->value);
	else
		text_printf(t, "%" PRIu64, n->value);
}

static bool is_absolute(const struct term *term)
{
	for (size_t i = 0; i < term->nranges; i++)
		if (term->ranges[i].lo.absolute || term->ranges[i].hi.absolute)
			return true;
	return false;
}

static void ranges_print(struct text *t, const struct term *term)
{
	for (size_t i = 0; i < term->nranges; i++) {
		const struct range *r = &term->ranges[i];

		if (i)
			text_puts(t, "|");
		number_print(t, &r->lo, term->field);
		if (r->single)
			continue;
		text_puts(t, "..");
		number_print(t, &r->hi, term->field);
	}
}

/*
 * Returns the bare word of a term, if it has one: a set flag or the name of a
 * packet type.
 */
static const char *bare_word(const struct term *term)
{
	const struct range *r = term->ranges;
	const char *name = term->name;

	if (term->op != TERM_EQ || term->nranges != 1 || !r->single ||
	    r->lo.symbol || !term->field)
		return NULL;
	if (term->field->kind == FIELD_FLAG)
		return r->lo.value == 1 ? name : NULL;
	if (!strcmp(name, "ctl_type") || !strcmp(name, "nack_code") ||
	    (!strcmp(name, "opcode") && term->field->names != ib_opcodes))
		return value_find(term->field->names, r->lo.value);
	return NULL;
}

static void term_print(struct text *t, const struct term *term)
{
	static const char *const ops[] = {
		[TERM_EQ] = "=",  [TERM_NE] = "!=",  [TERM_GE] = ">=",
		[TERM_LE] = "<=", [TERM_ANY] = "=*",
	};
	const char *bare = bare_word(term);

	if (bare) {
		text_puts(t, bare);
		return;
	}
	text_printf(t, "%s%s%s", term->name, ops[term->op],
		    is_absolute(term) ? "=" : "");
	ranges_print(t, term);
}

/* Prints an assignment, never as a bare word: "retx=1", "opcode=0x2". */
static void assignment_print(struct text *t, const struct term *term)
{
	text_printf(t, "%s=%s", term->name, is_absolute(term) ? "=" : "");
	ranges_print(t, term);
}

/* ---- Rungs ---- */

static bool case_print_field_of(const struct term *term, const struct header *h)
{
	for (size_t i = 0; i < h->nfields; i++)
		if (term->field == &h->fields[i])
			return true;
	return false;
}

static const struct header *term_ext(const struct term *term)
{
	static const struct header *const exts[] = {
		&ses_atomic_header, &ses_cswap_header, &ses_rendezvous_header};

	for (size_t i = 0; i < 3; i++)
		if (case_print_field_of(term, exts[i]))
			return exts[i];
	return NULL;
}

/* Prints the terms of the SES header (|ext| NULL) or of an extension. */
static void ses_terms_print(struct text *t, const struct rung *r,
			    const char *ext)
{
	for (size_t i = 0; i < r->nses; i++) {
		const struct header *h = term_ext(&r->ses_terms[i]);

		if (ext ? !h || strcmp(h->name, ext) : h != NULL)
			continue;
		text_puts(t, " ");
		term_print(t, &r->ses_terms[i]);
	}
}

static void body_print(struct text *t, const struct rung *r)
{
	switch (r->body) {
	case BODY_NONE:
		break;
	case BODY_DATA:
		text_puts(t, " | data ");
		number_print(t, &r->data_len, NULL);
		if (r->data_op) {
			text_printf(t, " of %u at ", r->data_op);
			number_print(t, &r->data_at, NULL);
		}
		break;
	case BODY_BYTES:
		text_puts(t, " | bytes ");
		text_hex(t, r->bytes, r->nbytes);
		break;
	case BODY_SAME:
		text_puts(t, " | same");
		break;
	}
}

static void ses_print(struct text *t, const struct rung *r)
{
	if (r->ses) {
		text_printf(t, " | %s", r->ses);
		ses_terms_print(t, r, NULL);
	}
	for (size_t i = 0; i < 2 && r->ext[i]; i++) {
		text_printf(t, " | %s", r->ext[i]);
		ses_terms_print(t, r, r->ext[i]);
	}
	body_print(t, r);
}

const char *rung_flow_word(const struct rung *r)
{
	if (r->type && ib_packet_is_word(r->type))
		return "ctx";
	return "pdc";
}

void rung_print(struct text *t, const struct rung *r)
{
	if (r->raw) {
		text_puts(t, "raw ");
		text_hex(t, r->bytes, r->nbytes);
		return;
	}
	text_puts(t, text_or(r->type, "any"));
	if (r->pdc)
		text_printf(t, " %s=%s", rung_flow_word(r), r->pdc);
	for (size_t i = 0; i < r->npds; i++) {
		text_puts(t, " ");
		term_print(t, &r->pds[i]);
	}
	ses_print(t, r);
}

/* ---- Steps ---- */

static const char *arrow(bool to_dut)
{
	if (to_dut)
		return ">";
	return "<";
}

static void times_print(struct text *t, const struct step *s)
{
	text_printf(t, " x %" PRIu32, s->min);
	if (s->max != s->min)
		text_printf(t, "..%" PRIu32, s->max);
}

static const char *const trailers[] = {
	[TRAILER_NONE] = "none",
	[TRAILER_WRONG] = "wrong",
	[TRAILER_SWAPPED] = "swapped",
};

static void trailer_print(struct text *t, const struct step *s)
{
	if (s->trailer)
		text_printf(t, " crc %s", trailers[s->trailer]);
}

static const char *const parts[] = {
	[FLIGHT_NONE] = "",
	[FLIGHT_EACH] = " each",
	[FLIGHT_ON_PATH] = " each on path",
	[FLIGHT_OFF_PATH] = " each off path",
};

static void modifiers_print(struct text *t, const struct step *s)
{
	if (s->within.set) {
		text_puts(t, " within ");
		span_print(t, &s->within);
	}
	if (s->after.set) {
		text_puts(t, " after ");
		span_print(t, &s->after);
	}
	text_printf(t, "%s%s%s", s->lost ? " lost" : "",
		    s->exact ? " exact" : "", s->optional ? " optional" : "");
	if (s->kind == STEP_EXPECT && s->symbol) {
		text_printf(t, " flight $%s for ", s->symbol);
		span_print(t, &s->span);
	} else if (s->min != 1 || s->max != 1) {
		times_print(t, s);
	}
	text_puts(t, parts[s->flight]);
	if (s->cut)
		text_printf(t, " cut %" PRIu32, s->cut);
	if (s->via)
		text_printf(t, " via %" PRIu32, s->via - 1);
	trailer_print(t, s);
}

static void packet_step_print(struct text *t, const struct step *s)
{
	text_printf(t, "%s ", arrow(s->to_dut));
	rung_print(t, &s->rung);
	modifiers_print(t, s);
}

static void acked_print(struct text *t, const struct step *s)
{
	text_puts(t, "< acked ");
	number_print(t, &s->acked_lo, NULL);
	text_puts(t, "..");
	number_print(t, &s->acked_hi, NULL);
	modifiers_print(t, s);
}

static void never_print(struct text *t, const struct step *s)
{
	text_puts(t, "never < ");
	rung_print(t, &s->rung);
	if (s->never_end == NEVER_UNTIL)
		text_puts(t, " until next");
	if (s->never_end == NEVER_FOR) {
		text_puts(t, " for ");
		span_print(t, &s->span);
	}
}

static void changes_print(struct text *t, const struct step *s)
{
	if (s->nbits == 1)
		text_printf(t, " bits=%" PRIu32, s->bit);
	else if (s->nbits)
		text_printf(t, " bits=%" PRIu32 "..%" PRIu32, s->bit,
			    s->bit + s->nbits - 1);
	for (size_t i = 0; i < s->ncorrupt; i++) {
		text_puts(t, " ");
		if (s->corrupt[i].op == TERM_ANY)
			text_puts(t, s->corrupt[i].name);
		else
			assignment_print(t, &s->corrupt[i]);
	}
	outer_print(t, &s->rewrite);
}

static void amount_print(struct text *t, const struct step *s)
{
	switch (s->action) {
	case IMPAIR_DUPLICATE:
		text_printf(t, " %" PRIu32, s->count);
		break;
	case IMPAIR_TRIM:
		text_printf(t, " %" PRIu32 "%s%s", s->count,
			    s->last_hop ? " last_hop" : "",
			    s->udp_kept ? " udp_kept" : "");
		break;
	case IMPAIR_DELAY:
		text_puts(t, " ");
		span_print(t, &s->span);
		break;
	case IMPAIR_CORRUPT:
	case IMPAIR_REWRITE:
		changes_print(t, s);
		break;
	case IMPAIR_INJECT:
		text_printf(t, " %s ", arrow(s->until_to_dut));
		rung_print(t, &s->until);
		text_puts(t, " on");
		break;
	default:
		break;
	}
}

static void impair_print(struct text *t, const struct step *s)
{
	static const char *const words[] = {
		[IMPAIR_DROP] = "drop",       [IMPAIR_DUPLICATE] = "duplicate",
		[IMPAIR_DELAY] = "delay",     [IMPAIR_HOLD] = "hold",
		[IMPAIR_REORDER] = "reorder", [IMPAIR_CORRUPT] = "corrupt",
		[IMPAIR_MARK_CE] = "mark_ce", [IMPAIR_TRIM] = "trim",
		[IMPAIR_REWRITE] = "rewrite", [IMPAIR_INJECT] = "inject",
	};

	text_puts(t, words[s->action]);
	amount_print(t, s);
	text_printf(t, " %s ", arrow(s->to_dut));
	rung_print(t, &s->rung);
	if (s->nth)
		text_printf(t, " nth=%" PRIu32, s->nth);
	if (s->nth_to)
		text_printf(t, "..%" PRIu32, s->nth_to);
	if (s->every)
		text_printf(t, " every=%" PRIu32, s->every);
	outer_print(t, &s->outer);
	if (s->until_set) {
		text_printf(t, " until %s ", arrow(s->until_to_dut));
		rung_print(t, &s->until);
	}
	trailer_print(t, s);
}

static void params_print(struct text *t, const struct step *s)
{
	for (size_t i = 0; i < s->nparams; i++) {
		const struct param *p = &s->params[i];

		text_printf(t, " %s=", p->key);
		if (p->number.absolute)
			text_puts(t, "=");
		if (p->word)
			text_puts(t, p->word);
		else if (p->span.set)
			span_print_word(t, &p->span);
		else
			number_print(t, &p->number, NULL);
	}
}

static void report_print(struct text *t, const struct step *s)
{
	text_puts(t, report_words[s->report]);
	if (s->pdc)
		text_printf(t, " pdc=%s", s->pdc);
	params_print(t, s);
	if (s->once && !s->max)
		text_puts(t, " none");
	else if (s->once && s->min == 1 && s->max == 1)
		text_puts(t, " once");
	else if (s->once)
		times_print(t, s);
	if (s->within.set) {
		text_puts(t, " within ");
		span_print(t, &s->within);
	}
}

static void base_print(struct text *t, const struct step *s)
{
	text_puts(t, "base");
	if (s->pdc)
		text_printf(t, " pdc=%s", s->pdc);
	if (s->base_fwd_set)
		text_printf(t, " fwd=%" PRIu32, s->base_fwd);
	if (s->base_ret_set)
		text_printf(t, " ret=%" PRIu32, s->base_ret);
}

static void ref_print(struct text *t, const struct req_ref *r)
{
	const struct req *row = req_get(r->id);

	text_puts(t, row->id);
	if (r->role != row->role || r->role == REQ_BOTH)
		text_printf(t, "/%s", req_role_name(r->role));
}

static void reqs_print(struct text *t, const struct step *s)
{
	if (!s->nreqs)
		return;
	for (size_t i = 0; i < s->nreqs; i++) {
		text_puts(t, i ? " " : " [");
		ref_print(t, &s->reqs[i]);
		if (s->reqs[i].items)
			text_printf(t, ":%s", s->reqs[i].items);
	}
	text_puts(t, "]");
}

static void check_print(struct text *t, const struct step *s)
{
	text_puts(t, "check ");
	number_print(t, &s->left, NULL);
	text_printf(t, " %s ", check_words[s->check]);
	number_print(t, &s->value, NULL);
	if (s->optional)
		text_puts(t, " else na");
}

static void line_print(struct text *t, const struct step *s)
{
	switch (s->kind) {
	case STEP_SEND:
	case STEP_EXPECT:
		packet_step_print(t, s);
		break;
	case STEP_ACKED:
		acked_print(t, s);
		break;
	case STEP_NEVER:
		never_print(t, s);
		break;
	case STEP_IMPAIR:
		impair_print(t, s);
		break;
	case STEP_POST:
	case STEP_RESPOND:
		text_printf(t, "%s %s",
			    s->kind == STEP_POST ? "post" : "respond", s->verb);
		params_print(t, s);
		if (s->optional)
			text_puts(t, " refusable");
		if (s->refused)
			text_puts(t, " refused");
		ses_print(t, &s->rung);
		break;
	case STEP_CONFIGURE:
		text_puts(t, "configure");
		params_print(t, s);
		break;
	case STEP_REPORT:
		report_print(t, s);
		break;
	case STEP_WAIT:
		text_puts(t, "wait ");
		span_print(t, &s->span);
		break;
	case STEP_LET:
		text_printf(t, "let $%s = ", s->symbol);
		number_print(t, &s->value, NULL);
		break;
	case STEP_BASE:
		base_print(t, s);
		break;
	case STEP_SPRAY:
		text_printf(t, "spray %" PRIu32, s->count);
		break;
	case STEP_CHECK:
		check_print(t, s);
		break;
	case STEP_ANY_ORDER:
	case STEP_ONE_OF:
	case STEP_EACH:
		break;
	}
	reqs_print(t, s);
	text_puts(t, "\n");
}

static void indented_print(struct text *t, const struct step *s, size_t depth);

static void group_print(struct text *t, const struct step *s, size_t depth)
{
	const bool one = s->kind != STEP_ANY_ORDER;

	if (s->kind == STEP_EACH) {
		text_puts(t, "each packet of ");
		number_print(t, &s->value, NULL);
		text_puts(t, " {\n");
	} else {
		text_puts(t, one ? "one {\n" : "any {\n");
	}
	for (size_t i = 0; i < s->ngroups; i++) {
		const struct step *g = s->groups[i];

		if (one && i) {
			text_fill(t, '\t', depth);
			text_puts(t, "or\n");
		}
		for (; g; g = one ? g->next : NULL)
			indented_print(t, g, depth + 1);
	}
	text_fill(t, '\t', depth);
	text_puts(t, "}\n");
}

/* The depth is bounded by GROUP_DEPTH. */
static void indented_print(struct text *t, const struct step *s, size_t depth)
{
	text_fill(t, '\t', depth);
	if (s->kind == STEP_ANY_ORDER || s->kind == STEP_ONE_OF ||
	    s->kind == STEP_EACH)
		group_print(t, s, depth);
	else
		line_print(t, s);
}

void step_print(struct text *t, const struct step *s)
{
	indented_print(t, s, 0);
}

/* ---- Cases ---- */

static void refs_print(struct text *t, const char *word,
		       const struct req_ref *refs, size_t n)
{
	if (!n)
		return;
	text_puts(t, word);
	for (size_t i = 0; i < n; i++) {
		text_puts(t, " ");
		ref_print(t, &refs[i]);
	}
	text_puts(t, "\n");
}

static void needs_print(struct text *t, const struct needs *needs)
{
	text_puts(t, "needs");
	for (size_t i = 0; i < needs->n; i++)
		text_printf(t, " %s", needs->words[i]);
}

static void head_print(struct text *t, const struct test_case *c)
{
	text_printf(t, "title %s\n", c->title);
	if (c->ref[0])
		text_printf(t, "ref %s\n", c->ref);
	refs_print(t, "covers", c->covers, c->ncovers);
	if (c->family != MAIN_FAMILY)
		text_printf(t, "family %s\n", family_name(c->family));
	if (c->needs.n) {
		needs_print(t, &c->needs);
		text_puts(t, "\n");
	}
	refs_print(t, "violates", c->violates, c->nviolates);
	if (c->param.name) {
		text_printf(t, "for %s in ", c->param.name);
		number_print(t, &c->param.value, NULL);
		if (c->param.from_set) {
			text_puts(t, " from ");
			number_print(t, &c->param.from, NULL);
		}
		if (c->param.to_set) {
			text_puts(t, " to ");
			number_print(t, &c->param.to, NULL);
		}
		text_puts(t, "\n");
	}
	if (c->smoke || c->exclusive)
		text_printf(t, "profile%s%s\n", c->smoke ? " smoke" : "",
			    c->exclusive ? " exclusive" : "");
}

void case_print(struct text *t, const struct test_case *c)
{
	head_print(t, c);
	for (unsigned i = 0; i < CHAIR_COUNT; i++) {
		if (!c->chairs[i].present)
			continue;
		text_printf(t, "\nchair %s", chair_name((enum chair)i));
		if (c->chairs[i].needs.n) {
			text_puts(t, " ");
			needs_print(t, &c->chairs[i].needs);
		}
		text_puts(t, "\n");
		for (const struct step *s = c->chairs[i].first; s; s = s->next)
			indented_print(t, s, 1);
	}
}
