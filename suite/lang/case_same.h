/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_same.h -- compares cases, steps and rungs, for tests and the
 * fuzzer.  Places (file, line, source) are ignored.
 */
#ifndef SUITE_LANG_CASE_SAME_H
#define SUITE_LANG_CASE_SAME_H

#include <string.h>

#include "suite/lang/case.h"

static inline bool text_same(const char *a, const char *b)
{
	if (a && b)
		return strcmp(a, b) == 0;
	return a == b;
}

static inline bool number_same(const struct number *a, const struct number *b)
{
	return text_same(a->symbol, b->symbol) && a->value == b->value &&
	       a->mtus == b->mtus && a->absolute == b->absolute;
}

static inline bool term_same(const struct term *a, const struct term *b)
{
	if (!text_same(a->name, b->name) || a->field != b->field ||
	    a->op != b->op || a->nranges != b->nranges)
		return false;
	for (size_t i = 0; i < a->nranges; i++)
		if (!number_same(&a->ranges[i].lo, &b->ranges[i].lo) ||
		    !number_same(&a->ranges[i].hi, &b->ranges[i].hi) ||
		    a->ranges[i].single != b->ranges[i].single)
			return false;
	return true;
}

static inline bool terms_same(const struct term *a, size_t na,
			      const struct term *b, size_t nb)
{
	if (na != nb)
		return false;
	for (size_t i = 0; i < na; i++)
		if (!term_same(&a[i], &b[i]))
			return false;
	return true;
}

static inline bool rung_same(const struct rung *a, const struct rung *b)
{
	return text_same(a->type, b->type) && text_same(a->pdc, b->pdc) &&
	       terms_same(a->pds, a->npds, b->pds, b->npds) &&
	       text_same(a->ses, b->ses) &&
	       terms_same(a->ses_terms, a->nses, b->ses_terms, b->nses) &&
	       text_same(a->ext[0], b->ext[0]) &&
	       text_same(a->ext[1], b->ext[1]) && a->body == b->body &&
	       number_same(&a->data_len, &b->data_len) &&
	       a->data_op == b->data_op &&
	       number_same(&a->data_at, &b->data_at) &&
	       a->nbytes == b->nbytes &&
	       (!a->nbytes || !memcmp(a->bytes, b->bytes, a->nbytes)) &&
	       a->raw == b->raw;
}

static inline bool span_same(const struct span *a, const struct span *b)
{
	return a->set == b->set && a->unit == b->unit && a->milli == b->milli &&
	       a->ns == b->ns && a->plus_milli == b->plus_milli &&
	       (!a->plus_milli || a->plus == b->plus);
}

static inline bool refs_same(const struct req_ref *a, size_t na,
			     const struct req_ref *b, size_t nb)
{
	if (na != nb)
		return false;
	for (size_t i = 0; i < na; i++)
		if (a[i].id != b[i].id || a[i].role != b[i].role ||
		    !text_same(a[i].items, b[i].items))
			return false;
	return true;
}

static inline bool params_same(const struct step *a, const struct step *b)
{
	if (a->nparams != b->nparams)
		return false;
	for (size_t i = 0; i < a->nparams; i++) {
		const struct param *p = &a->params[i], *q = &b->params[i];

		if (!text_same(p->key, q->key) ||
		    !text_same(p->word, q->word) ||
		    !number_same(&p->number, &q->number) ||
		    !span_same(&p->span, &q->span))
			return false;
	}
	return true;
}

static inline bool outer_same(const struct outer *a, const struct outer *b)
{
	return ip_addr_equal(&a->src, &b->src) &&
	       ip_addr_equal(&a->dst, &b->dst) &&
	       a->entropy_set == b->entropy_set && a->entropy == b->entropy &&
	       a->dscp_set == b->dscp_set && a->dscp == b->dscp &&
	       a->ecn_set == b->ecn_set && a->ecn == b->ecn &&
	       a->checksum == b->checksum && a->padding == b->padding &&
	       a->ext == b->ext;
}

static inline bool impair_same(const struct step *a, const struct step *b)
{
	return a->action == b->action && a->nth == b->nth &&
	       a->nth_to == b->nth_to && a->every == b->every &&
	       outer_same(&a->outer, &b->outer) && a->count == b->count &&
	       terms_same(a->corrupt, a->ncorrupt, b->corrupt, b->ncorrupt) &&
	       a->bit == b->bit && a->nbits == b->nbits &&
	       outer_same(&a->rewrite, &b->rewrite) &&
	       rung_same(&a->until, &b->until) &&
	       a->until_to_dut == b->until_to_dut &&
	       a->until_set == b->until_set;
}

static inline bool step_flat_same(const struct step *a, const struct step *b)
{
	return a->kind == b->kind && a->to_dut == b->to_dut &&
	       rung_same(&a->rung, &b->rung) &&
	       refs_same(a->reqs, a->nreqs, b->reqs, b->nreqs) &&
	       span_same(&a->within, &b->within) &&
	       span_same(&a->after, &b->after) && a->lost == b->lost &&
	       a->exact == b->exact && a->optional == b->optional &&
	       a->min == b->min && a->max == b->max && a->cut == b->cut &&
	       a->via == b->via && a->trailer == b->trailer &&
	       a->last_hop == b->last_hop && a->udp_kept == b->udp_kept &&
	       number_same(&a->acked_lo, &b->acked_lo) &&
	       number_same(&a->acked_hi, &b->acked_hi) &&
	       a->never_end == b->never_end && span_same(&a->span, &b->span) &&
	       impair_same(a, b) && a->report == b->report &&
	       a->once == b->once && text_same(a->verb, b->verb) &&
	       params_same(a, b) && text_same(a->symbol, b->symbol) &&
	       number_same(&a->value, &b->value) &&
	       number_same(&a->left, &b->left) && a->check == b->check &&
	       a->flight == b->flight && text_same(a->pdc, b->pdc) &&
	       a->base_fwd_set == b->base_fwd_set &&
	       a->base_ret_set == b->base_ret_set &&
	       a->base_fwd == b->base_fwd && a->base_ret == b->base_ret &&
	       a->ngroups == b->ngroups;
}

/* The depth of groups is bounded by the parser. */
static inline bool steps_same(const struct step *a, const struct step *b)
{
	for (; a && b; a = a->next, b = b->next) {
		if (!step_flat_same(a, b))
			return false;
		for (size_t i = 0; i < a->ngroups; i++)
			if (!steps_same(a->groups[i], b->groups[i]))
				return false;
	}
	return !a && !b;
}

static inline bool needs_same(const struct needs *a, const struct needs *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->words[i], b->words[i]))
			return false;
	return true;
}

static inline bool case_same(const struct test_case *a,
			     const struct test_case *b)
{
	for (unsigned i = 0; i < CHAIR_COUNT; i++)
		if (a->chairs[i].present != b->chairs[i].present ||
		    !needs_same(&a->chairs[i].needs, &b->chairs[i].needs) ||
		    !steps_same(a->chairs[i].first, b->chairs[i].first))
			return false;
	return text_same(a->title, b->title) && text_same(a->ref, b->ref) &&
	       refs_same(a->covers, a->ncovers, b->covers, b->ncovers) &&
	       refs_same(a->violates, a->nviolates, b->violates,
			 b->nviolates) &&
	       text_same(a->param.name, b->param.name) &&
	       text_same(a->param.word, b->param.word) &&
	       number_same(&a->param.value, &b->param.value) &&
	       a->param.from_set == b->param.from_set &&
	       number_same(&a->param.from, &b->param.from) &&
	       a->param.to_set == b->param.to_set &&
	       number_same(&a->param.to, &b->param.to) &&
	       needs_same(&a->needs, &b->needs) && a->family == b->family &&
	       a->smoke == b->smoke && a->exclusive == b->exclusive;
}

#endif
