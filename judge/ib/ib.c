/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/ib.c -- flows of the families whose packets begin with a BTH.
 */
#include "judge/ib/ib.h"

#include <string.h>

#include "judge/core/state.h"
#include "judge/findings.h"
#include "judge/seen.h"

void ib_flows_init(struct ib_flows *s, enum family family, unsigned n,
		   uint32_t first)
{
	s->family = (uint8_t)family;
	s->n = n;
	s->next = first;
}

void ib_flows_reset(void *state)
{
	struct ib_flows *s = state;

	/* a flow takes the first free slot, and none is freed */
	for (unsigned i = 0; i < s->n && s->v[i].used; i++)
		memset(&s->v[i], 0, sizeof(s->v[i]));
	s->last = NULL;
	s->clock = 0;
}

void ib_flows_mark_incomplete(void *state)
{
	struct ib_flows *s = state;

	for (unsigned i = 0; i < s->n; i++)
		s->v[i].complete = false;
}

static void judge_ib_show(const struct ib_flows *s, const struct ib_flow *f,
			  void (*see)(void *arg, const struct judge_flow *f),
			  void *arg)
{
	const struct judge_flow view = {
		.number = f->number,
		.addr = {f->from, f->to},
		.complete = f->complete,
		.family = s->family,
		.began = f->began,
		.closed = f->closed,
		.first_frame = f->first_frame,
		.first_at = f->first_at,
		.stats = &f->stats,
	};

	see(arg, &view);
}

void ib_flows_each(const void *state,
		   void (*see)(void *arg, const struct judge_flow *f),
		   void *arg)
{
	const struct ib_flows *s = state;

	for (unsigned i = 0; i < s->n; i++)
		if (s->v[i].used)
			judge_ib_show(s, &s->v[i], see, arg);
}

bool ib_flow_is(const struct ib_flow *f, const struct ib_item *x)
{
	const struct dgram *d = x->in->d;

	return f->used &&
	       ip_addr_equal(&f->from, x->answer ? &d->dst : &d->src) &&
	       ip_addr_equal(&f->to, x->answer ? &d->src : &d->dst);
}

struct ib_flow *ib_flow_find(struct ib_flows *s, const struct ib_item *x,
			     uint32_t id)
{
	for (unsigned i = 0; i < s->n && s->v[i].used; i++)
		if (s->v[i].id == id && ib_flow_is(&s->v[i], x))
			return &s->v[i];
	return NULL;
}

struct ib_flow *
ib_flow_of_answer(struct ib_flows *s, const struct ib_item *x, uint32_t qpn,
		  bool (*can_answer)(const struct ib_flows *s, unsigned i,
				     const void *arg),
		  const void *arg)
{
	struct ib_flow *open = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < s->n && s->v[i].used; i++) {
		struct ib_flow *f = &s->v[i];

		if (!ib_flow_is(f, x))
			continue;
		if (f->own_qpn == qpn)
			return f;
		if (f->own_qpn || (can_answer && !can_answer(s, i, arg)))
			continue;
		open = f;
		n++;
	}
	if (n != 1 || x->in->copy)
		return NULL;
	open->own_qpn = qpn;
	return open;
}

/*
 * Returns a slot for one more flow: it replaces the one that was silent
 * longest.
 */
static struct ib_flow *judge_ib_place(struct judge *j, struct ib_flows *s)
{
	struct ib_flow *oldest = &s->v[0];

	for (unsigned i = 0; i < s->n; i++) {
		if (!s->v[i].used)
			return &s->v[i];
		if (s->v[i].used_at < oldest->used_at)
			oldest = &s->v[i];
	}
	j->ib_forgotten++;
	if (j->conf.over)
		judge_ib_show(s, oldest, j->conf.over, j->conf.arg);
	return oldest;
}

struct ib_flow *ib_flow_begin(struct ib_flows *s, const struct ib_item *x,
			      uint32_t id, bool complete)
{
	struct ib_flow *f = judge_ib_place(x->j, s);

	x->j->totals.flows++;
	*f = (struct ib_flow){
		.used = true,
		.number = s->next++,
		.from = x->in->d->src,
		.to = x->in->d->dst,
		.id = id,
		.complete = x->j->conf.complete && complete,
		.began = true,
		.first_frame = x->in->frame,
		.first_at = x->in->at,
	};
	return f;
}

void ib_flow_heard(struct ib_flows *s, struct ib_item *x, struct ib_flow *f)
{
	f->used_at = ++s->clock;
	if (x->in->copy || x->in->cut)
		f->complete = false;
	s->last = x->f = f;
}

static const struct ip_addr *side_of(const struct ib_item *x)
{
	if (x->answer)
		return &x->f->to;
	return &x->f->from;
}

bool ib_is_here(const struct ib_item *x)
{
	const struct judge_conf *conf = &x->j->conf;

	return !conf->remote_vantage &&
	       (!conf->here.len || ip_addr_equal(&conf->here, side_of(x)));
}

bool ib_saw_all(const struct ib_item *x)
{
	return x->f->complete && ib_is_here(x);
}

bool ib_asks_as(const struct ib_item *x, enum req_role role, enum req_id req,
		bool broken)
{
	struct finding *f;

	judge_side(x->j, side_of(x))->seen[req][role == REQ_DST]++;
	if (!broken)
		return false;
	f = judge_found(x->j);
	f->req = req;
	f->role = role;
	f->side = *side_of(x);
	f->frame = x->in->frame;
	f->flow = x->f->number;
	f->ends[0] = x->f->from;
	f->ends[1] = x->f->to;
	return true;
}

void ib_mark_soon(const struct ib_item *x, vtime answered)
{
	if (x->in->at - answered < x->j->conf.rto_init)
		too_early(x->j);
}

bool ib_asks(const struct ib_item *x, enum req_id req, bool broken)
{
	return ib_asks_as(x, x->answer ? REQ_DST : REQ_SRC, req, broken);
}
