/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/judges.c -- passes packets to the judges of their endpoints, several
 * at once.
 */
#include "fabric/judges.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/memory.h"
#include "wire/uet/uet_pds.h"

/* Requests without a PDC that a judge follows: endpoints send none. */
#define RUDI_MAX 16

/*
 * PSNs of each direction that a judge remembers after they are acknowledged.
 * With more, it would keep complete messages in a table for all ids of an
 * endpoint, which its PDCs share: most of the memory of a flow.
 */
#define WINDOW 64

static void judges_found(struct judges *j, uint32_t endpoint,
			 const struct finding *found, size_t n)
{
	const struct ip_addr here = ip_addr_v4(JUDGES_FIRST + endpoint);
	struct fabric_result *ret = j->ret;

	for (size_t i = 0; i < n && i < FABRIC_FINDINGS; i++) {
		/* a judge is certain of the side at whose link it is */
		if (!ip_addr_equal(&found[i].side, &here))
			continue;
		if (!req_fails(found[i].req, j->strict)) {
			ret->remarks++;
			continue;
		}
		if (ret->findings < FABRIC_FINDINGS)
			ret->first[ret->findings] = found[i];
		ret->findings++;
	}
}

/* Most packets take the fast path, for which they need not be parsed. */
static void judges_judge(struct judges *j, const struct judges_item *item,
			 const struct judge_prefetch *ahead)
{
	struct judge *judge = j->v[item->endpoint];
	struct finding found[FABRIC_FINDINGS];
	const struct dgram *d = item->packet->d;
	const struct judge_packet in = {.pkt = &j->pkt,
					.d = d,
					.at = item->at,
					.frame = ++j->frame,
					.defined = j->defined,
					.ahead = ahead};

	j->pkt.p = d->data;
	j->pkt.len = d->len;
	if (d->family == FAMILY_UET && judge_fast_path(judge, &in))
		return;
	packet_parse((enum family)d->family, &j->pkt, d->data, d->len);
	judges_found(j, item->endpoint, found,
		     judge_push(judge, &in, found, FABRIC_FINDINGS));
}

static void judges_push(struct judges *j, const struct judges_item *item,
			const struct judge_prefetch *ahead)
{
	judges_judge(j, item, ahead);
	if (item->arrived)
		net_unused(j->net, item->packet);
	else
		item->packet->waits = false;
}

/* Each step prefetches for all packets what the next one reads. */
static void judges_prefetch(const struct judges *j,
			    struct judge_prefetch *ahead)
{
	for (uint32_t i = 0; i < j->nwaiting; i++)
		judge_expect(j->v[j->waiting[i].endpoint]);
	for (uint32_t i = 0; i < j->nwaiting; i++) {
		const struct judges_item *item = &j->waiting[i];
		const struct dgram *d = item->packet->d;

		judge_prefetch_begin(j->v[item->endpoint], &ahead[i], d,
				     d->data, d->len);
		/* each has few flows, but there are many judges */
		ahead[i].wanted = ahead[i].hashed;
	}
	judge_prefetch_index(ahead, j->nwaiting);
	judge_prefetch(ahead, j->nwaiting);
}

void judges_flush(struct judges *j)
{
	struct judge_prefetch ahead[JUDGES_WAITING];
	const bool prefetches = j->net->prefetches;

	if (prefetches)
		judges_prefetch(j, ahead);
	for (uint32_t i = 0; i < j->nwaiting; i++)
		judges_push(j, &j->waiting[i], prefetches ? &ahead[i] : NULL);
	j->nwaiting = 0;
}

void judges_see(struct judges *j, uint32_t endpoint, struct net_packet *p,
		vtime at, bool arrived)
{
	if (!j->v[endpoint]) {
		if (arrived)
			net_unused(j->net, p);
		return;
	}
	j->ret->judged_packets++;
	j->waiting[j->nwaiting++] = (struct judges_item){
		.packet = p,
		.at = at,
		.endpoint = endpoint,
		.arrived = arrived,
	};
	p->waits = !arrived;
	if (j->nwaiting == JUDGES_WAITING)
		judges_flush(j);
}

bool judges_hold(const struct judges *j, const struct net_packet *p)
{
	return j->nwaiting && p->waits;
}

/*
 * Times within which an endpoint must act are left out: its packets may wait
 * for its link, its window or its credit.
 */
static struct judge_conf judges_declare(const struct judges *all,
					const struct orc_conf *c)
{
	struct judge_conf j;

	judge_conf_default(&j);
	j.complete = true;
	j.common = all->common;
	j.shared_counters = j.minimal_facts = j.no_rtt = true;
	j.rudi_max = RUDI_MAX;
	j.window = WINDOW;
	j.here = c->addr;
	JUDGE_CONF_OF(&j, c);
	j.rto_max = c->rto_max;
	j.credit = c->cc == ORC_CC_CREDIT;
	j.credit_unit = c->credit_unit;
	j.credit_init = c->credit_init;
	j.credit_init_known = true;
	return j;
}

int judges_make(struct judges *j, uint32_t endpoint,
		const struct orc_conf *conf)
{
	const struct judge_conf declared = judges_declare(j, conf);

	if (conf->short_payload)
		j->defined = (uint16_t)(pds_req_len + conf->short_payload);
	return judge_new(&j->v[endpoint], &declared, conf->max_pdcs);
}

int judges_init(struct judges *j, uint32_t n, struct net *net,
		struct fabric_result *ret, bool strict)
{
	*j = (struct judges){.n = n, .net = net, .ret = ret, .strict = strict};
	j->v = memory_calloc(n, sizeof(*j->v));
	return j->v ? judge_common_new(&j->common) : ERR_NOMEM;
}

void judges_free(struct judges *j)
{
	for (uint32_t i = 0; j->v && i < j->n; i++)
		judge_free(j->v[i]);
	free(j->v);
	judge_common_free(j->common);
}
