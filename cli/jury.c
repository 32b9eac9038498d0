/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/jury.c -- jurors, what they keep, and one order of it all.
 */
#include "cli/jury.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hot.h"
#include "cli/cli.h"
#include "cli/endpoint.h"
#include "cli/large.h"
#include "cli/own.h"
#include "suite/run.h"

enum {
	AT_ONCE = 32, /* findings about one packet */
	AT_END = 4096,
};

/* Findings of one juror, those of packets or those at the end. */
struct keeper {
	struct finding *f;
	size_t n, size, max;
	bool failed;
};

struct juror {
	const struct jury_conf *conf;
	struct source *source;
	struct watch *watch;
	struct keeper found, ends;
	struct jury_flow *flows;
	size_t nflows, flows_size;
	uint64_t fails, remarks;
	uint32_t count[REQ_COUNT][2];
	uint64_t whole, one_way, middle, open;
	bool failed;     /* out of memory */
	uint64_t frames; /* read so far */
	int err;
	pthread_t thread;
};

void jury_conf_default(struct jury_conf *ret, const char *who)
{
	struct judge_conf *j = &ret->watch.judge;

	*ret = (struct jury_conf){
		.who = who,
		.jurors = 1,
		.max_findings = 1000,
		.watch = {.max_flows = 65536, .copies = true},
	};
	judge_conf_default(j);
	/* What nobody has declared is not held against anybody. */
	j->max_ack_data = 0;
	j->max_rto_retx = j->max_nack_retx = 0;
	j->grace = VSPAN_S;
	j->joined = j->together = j->afar = j->brief = true;
	j->window = 16;
	j->idle = 60 * VSPAN_S;
}

int jury_at(struct jury_conf *conf, const char *addr)
{
	struct judge_conf *j = &conf->watch.judge;

	j->afar = false;
	if (ip_addr_parse(&j->here, addr, strlen(addr)))
		return cli_usage(conf->who, "--at is an address, not '%s'",
				 addr);
	return 0;
}

int jury_decl(struct jury_conf *conf, const char *path)
{
	const bool ref = strcmp(path, "ref") == 0;
	struct decl *d;
	const int code = endpoint_decl(conf->who, ref ? NULL : path, false, &d);

	if (code)
		return code;
	run_declared(d, &conf->watch.judge);
	decl_free(d);
	return 0;
}

int jury_trimmed(struct jury_conf *conf, const char *points)
{
	struct judge_conf *j = &conf->watch.judge;
	const char *comma = strchr(points, ',');
	const size_t len = comma ? (size_t)(comma - points) : strlen(points);
	uint64_t first = 0, last = 0;
	char word[4] = "";

	if (len < sizeof(word))
		memcpy(word, points, len);
	if (!cli_number(word, 63, &first) || !first ||
	    (comma && (!cli_number(comma + 1, 63, &last) || !last)))
		return cli_usage(conf->who,
				 "--trimmed is one codepoint from 1 to 63 or "
				 "two, as 26,28; not '%s'",
				 points);
	j->dscp_trimmed = (uint8_t)first;
	j->dscp_trimmed_lasthop = (uint8_t)last;
	return 0;
}

static bool grow(void **p, size_t *size, size_t each)
{
	const size_t n = *size ? *size * 2 : 64;
	void *more = realloc(*p, n * each);

	if (!more)
		return false;
	*p = more;
	*size = n;
	return true;
}

static void keep(struct juror *j, struct keeper *k, const struct finding *f)
{
	if (verdict_fails(f, j->conf->strict))
		j->fails++;
	else
		j->remarks++;
	j->count[f->req][f->role == REQ_DST]++;
	if (k->n == j->conf->max_findings)
		return;
	if (k->n == k->size && !grow((void **)&k->f, &k->size, sizeof(*k->f))) {
		j->failed = true;
		return;
	}
	k->f[k->n++] = *f;
}

static void keep_flow(void *arg, const struct judge_flow *f)
{
	const struct judge_side_tally *side = f->tally->side;
	struct juror *j = arg;

	j->one_way +=
		f->loose != JUDGE_UUD && (!side[0].packets || !side[1].packets);
	if (f->loose == JUDGE_PDC) {
		j->whole += f->whole;
		j->middle += !f->began;
		j->open += !f->closed;
	}
	if (!j->conf->flows)
		return;
	if (j->nflows == j->flows_size &&
	    !grow((void **)&j->flows, &j->flows_size, sizeof(*j->flows))) {
		j->failed = true;
		return;
	}
	j->flows[j->nflows].flow = *f;
	j->flows[j->nflows++].tally = *f->tally;
}

/* ---- One juror ---- */

static void keep_all(struct juror *j, const struct finding *found, size_t n)
{
	for (size_t i = 0; i < n && i < AT_ONCE; i++)
		keep(j, &j->found, &found[i]);
}

static void judge_ends(struct juror *j)
{
	struct finding *found = calloc(AT_END, sizeof(*found));

	if (!found) {
		j->failed = true;
		return;
	}
	for (unsigned i = 0; i < WATCH_SHARDS; i++) {
		const size_t n = watch_end(j->watch, i, found, AT_END);

		for (size_t k = 0; k < n && k < AT_END; k++)
			keep(j, &j->ends, &found[k]);
	}
	free(found);
	watch_flows(j->watch, keep_flow, j);
}

/* All begins again then: see sit_once_more. */
static bool in_vain(const struct juror *j)
{
	return j->conf->watch.judge.whole && source_repeats(j->source) &&
	       source_info(j->source)->backward;
}

/* A live port is told by itself when to stop. */
static bool goes_on(const struct juror *j)
{
	if (*j->conf->stop && !source_is_live(j->source))
		return false;
	return !in_vain(j);
}

static HOT void read_all(struct juror *j)
{
	struct capture_packet p[WATCH_AHEAD];
	struct finding found[AT_ONCE];

	while (goes_on(j) &&
	       (j->err = source_some(j->source, p, WATCH_AHEAD)) > 0) {
		watch_ahead(j->watch, p, (unsigned)j->err, j->frames + 1);
		for (unsigned n = watch_waiting(j->watch); n; n--)
			keep_all(j, found,
				 watch_next(j->watch, found, AT_ONCE));
		j->frames += (unsigned)j->err;
	}
}

static void *work(void *arg)
{
	struct juror *j = arg;

	read_all(j);
	judge_ends(j);
	return NULL;
}

static int seat_juror(struct juror *j, const struct jury_conf *conf,
		      unsigned part, unsigned parts)
{
	struct watch_conf w = conf->watch;

	j->conf = conf;
	w.part = part;
	w.parts = parts;
	w.judge.memory = &large_memory;
	w.judge.over = keep_flow;
	w.judge.arg = j;
	return watch_new(&j->watch, &w) ? cli_nomem(conf->who) : 0;
}

static void dismiss(struct juror *j)
{
	watch_free(j->watch);
	free(j->found.f);
	free(j->ends.f);
	free(j->flows);
}

/* ---- The result ---- */

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_frame(const void *x, const void *y)
{
	const struct finding *a = x, *b = y;
	int c = compare(a->frame, b->frame);

	c = c ? c : compare((uint64_t)a->req, (uint64_t)b->req);
	c = c ? c : compare(a->role, b->role);
	c = c ? c : memcmp(&a->side, &b->side, sizeof(a->side));
	return c ? c : strcmp(a->expected, b->expected);
}

static int by_first_frame(const void *x, const void *y)
{
	const struct jury_flow *a = x, *b = y;

	return compare(a->flow.first_frame, b->flow.first_frame);
}

/* Each juror's are in order: the next one is the lowest at the front. */
static void merge(struct juror *j, unsigned n, struct jury_result *r,
		  size_t max)
{
	size_t at[JURY_MAX] = {0};

	while (r->nfindings < max) {
		const struct finding *low = NULL;
		unsigned who = 0;

		for (unsigned i = 0; i < n; i++) {
			const struct finding *f = &j[i].found.f[at[i]];

			if (at[i] < j[i].found.n &&
			    (!low || f->frame < low->frame)) {
				low = f;
				who = i;
			}
		}
		if (!low)
			return;
		at[who]++;
		r->findings[r->nfindings++] = *low;
	}
}

static void append_ends(struct juror *j, unsigned n, struct jury_result *r,
			size_t max)
{
	const size_t from = r->nfindings;

	for (unsigned i = 0; i < n; i++)
		for (size_t k = 0; k < j[i].ends.n; k++)
			r->findings[r->nfindings++] = j[i].ends.f[k];
	if (r->nfindings > from)
		qsort(r->findings + from, r->nfindings - from,
		      sizeof(*r->findings), by_frame);
	if (r->nfindings > max)
		r->nfindings = max;
}

static bool merge_findings(struct juror *j, unsigned n, struct jury_result *r,
			   size_t max)
{
	size_t all = 1;

	for (unsigned i = 0; i < n; i++)
		all += j[i].found.n + j[i].ends.n;
	r->findings = calloc(all, sizeof(*r->findings));
	if (!r->findings)
		return false;
	merge(j, n, r, max);
	append_ends(j, n, r, max);
	return true;
}

static bool merge_flows(struct juror *j, unsigned n, struct jury_result *r)
{
	size_t all = 1;

	for (unsigned i = 0; i < n; i++)
		all += j[i].nflows;
	r->flows = calloc(all, sizeof(*r->flows));
	if (!r->flows)
		return false;
	for (unsigned i = 0; i < n; i++)
		for (size_t k = 0; k < j[i].nflows; k++)
			r->flows[r->nflows++] = j[i].flows[k];
	qsort(r->flows, r->nflows, sizeof(*r->flows), by_first_frame);
	for (size_t i = 0; i < r->nflows; i++)
		r->flows[i].flow.tally = &r->flows[i].tally;
	return true;
}

/* What each part has its own count of; all saw every frame. */
static void add_counts(struct watch_counts *to, const struct watch_counts *c)
{
	to->packets += c->packets;
	to->encrypted += c->encrypted;
	to->cut += c->cut;
	to->copies += c->copies;
	to->repeats += c->repeats;
	to->skipped += c->skipped;
	to->broken += c->broken;
}

static void count_reqs(struct juror *j, unsigned n, struct jury_result *r)
{
	for (int q = 0; q < REQ_COUNT; q++)
		for (unsigned side = 0; side < 2; side++) {
			struct verdict_req v = {.req = (enum req_id)q,
						.role = side ? REQ_DST
							     : REQ_SRC};

			for (unsigned i = 0; i < n; i++) {
				v.seen += watch_seen(j[i].watch, v.req, v.role);
				v.findings += j[i].count[q][side];
			}
			if (v.seen || v.findings)
				r->reqs[r->nreqs++] = v;
		}
}

static void limits(const struct jury_conf *conf, const struct source *s,
		   struct juror *j, unsigned n, struct jury_result *r)
{
	const struct judge_conf *c = &conf->watch.judge;
	uint64_t *limit = r->sum.limit;

	limit[WATCH_UNVOUCHED] = !c->whole;
	limit[WATCH_AFAR] = c->whole && c->afar;
	limit[WATCH_TIMES] = c->whole && !c->rto_init;
	for (unsigned i = 0; i < n; i++) {
		r->sum.flows_whole += j[i].whole;
		limit[WATCH_MIDDLE] += j[i].middle;
		limit[WATCH_ONE_WAY] += j[i].one_way;
		limit[WATCH_OPEN] += j[i].open;
	}
	limit[WATCH_MISSING] = r->counts.skipped;
	limit[WATCH_CUT] = r->counts.cut;
	limit[WATCH_DROPS] = source_info(s)->dropped;
	limit[WATCH_BACKWARD] = r->counts.backward;
	if (r->counts.same_time > r->counts.frames / 2)
		limit[WATCH_COARSE] = r->counts.same_time;
	limit[WATCH_COPIES] = r->counts.copies;
	limit[WATCH_REPEATS] = r->counts.repeats;
	limit[WATCH_FRAGMENTS] = r->counts.fragments;
	limit[WATCH_BROKEN] = r->counts.broken;
	limit[WATCH_ENCRYPTED] = r->counts.encrypted;
	limit[WATCH_SLEPT] = r->totals.slept;
	limit[WATCH_FORGOTTEN] = r->totals.forgotten;
}

/* The first |apart| of |n| jurors saw packets of their own. */
static int gather(const struct jury_conf *conf, const struct source *s,
		  struct juror *j, unsigned n, unsigned apart,
		  struct jury_result *r)
{
	bool failed = !merge_findings(j, n, r, conf->max_findings) ||
		      !merge_flows(j, n, r);

	r->counts = *watch_counts(j[0].watch);
	for (unsigned i = 1; i < apart; i++)
		add_counts(&r->counts, watch_counts(j[i].watch));
	for (unsigned i = 0; i < apart; i++)
		watch_totals(j[i].watch, &r->totals);
	for (unsigned i = 0; i < n; i++) {
		r->sum.fails += j[i].fails;
		r->sum.remarks += j[i].remarks;
		failed |= j[i].failed || watch_failed(j[i].watch);
	}
	count_reqs(j, n, r);
	limits(conf, s, j, n, r);
	r->sum.counts = &r->counts;
	r->sum.totals = &r->totals;
	r->sum.untold = r->sum.fails + r->sum.remarks - r->nfindings;
	r->sum.error = r->error;
	return failed ? cli_nomem(conf->who) : 0;
}

/* ---- All of them ---- */

static int start(struct juror *j, unsigned n, const char *who)
{
	unsigned up = 1;
	int code = 0;

	for (; up < n; up++)
		if (pthread_create(&j[up].thread, NULL, work, &j[up])) {
			code = cli_sys(who, "a thread");
			break;
		}
	if (!code)
		work(&j[0]);
	for (unsigned i = 1; i < up; i++)
		pthread_join(j[i].thread, NULL);
	return code;
}

static void reading_ended(struct jury_result *r, const struct juror *j)
{
	r->err = j->err < 0 ? j->err : 0;
	strncpy(r->error, r->err ? source_error(j->source) : "",
		sizeof(r->error) - 1);
}

static int sit_together(const struct jury_conf *conf, struct source *s,
			struct jury_result *r)
{
	const unsigned n = source_repeats(s) ? conf->jurors : 1;
	struct juror *j = calloc(n, sizeof(*j));
	int code = j ? 0 : cli_nomem(conf->who);

	for (unsigned i = 0; !code && i < n; i++) {
		code = seat_juror(&j[i], conf, i, n);
		j[i].source = i ? source_again(s) : s;
		if (!j[i].source && !code)
			code = cli_nomem(conf->who);
	}
	if (!code)
		code = start(j, n, conf->who);
	if (!code) {
		reading_ended(r, &j[0]);
		code = gather(conf, s, j, n, n, r);
	}
	for (unsigned i = 0; j && i < n; i++) {
		if (i)
			source_close(j[i].source);
		dismiss(&j[i]);
	}
	free(j);
	return code;
}

/* What the other side did is judged where that one stands. */
static void keep_own(struct juror *j, const struct own *own, enum own_view view)
{
	struct finding found[AT_ONCE];

	for (size_t i = 0; i < own_count(own, view) && !*j->conf->stop; i++) {
		const size_t n = watch_push(j->watch, own_at(own, view, i),
					    found, AT_ONCE);

		for (size_t k = 0; k < n && k < AT_ONCE; k++)
			if (ip_addr_equal(&found[k].side, own_side(own, view)))
				keep(j, &j->found, &found[k]);
	}
}

/* Answers that never came are the device's alone: the tester keeps them back
 * on purpose. */
static void end_own(struct juror *j, const struct own *own)
{
	struct juror all = {.conf = j->conf, .watch = j->watch};

	watch_until(j->watch, own_end(own));
	judge_ends(&all);
	for (size_t i = 0; i < all.ends.n; i++)
		if (ip_addr_equal(&all.ends.f[i].side,
				  own_side(own, OWN_DEVICE)))
			keep(j, &j->ends, &all.ends.f[i]);
	j->flows = all.flows;
	j->nflows = all.nflows;
	j->whole = all.whole;
	j->middle = all.middle;
	j->open = all.open;
	j->one_way = all.one_way;
	j->failed |= all.failed;
	free(all.ends.f);
}

/* A capture of a run: each side at its own end of the link. */
static int sit_on_own(const struct jury_conf *conf, const struct source *s,
		      const struct own *own, struct jury_result *r)
{
	struct juror *j = calloc(2, sizeof(*j));
	struct jury_conf mine[2] = {*conf, *conf};
	int code = j ? 0 : cli_nomem(conf->who);

	for (unsigned v = 0; !code && v < 2; v++) {
		own_conf(own, v, &mine[v].watch);
		mine[v].flows = conf->flows && v == OWN_DEVICE;
		code = seat_juror(&j[v], &mine[v], 0, 1);
		if (!code)
			keep_own(&j[v], own, v);
	}
	if (!code) {
		r->err = own_error(own, r->error, sizeof(r->error));
		end_own(&j[0], own);
		/* Both have seen the same flows: they are counted once. */
		code = gather(&mine[0], s, j, 2, 1, r);
	}
	for (unsigned v = 0; j && v < 2; v++)
		dismiss(&j[v]);
	free(j);
	return code;
}

/*
 * Whoever captured says at the end how much he dropped: that is told before.  A
 * pcap file cannot say so: of it the first packet is enough, see sit_once_more.
 */
static bool survey(const struct source *s, struct capture_info *ret)
{
	struct source *peek = source_again(s);
	struct capture_packet first;

	if (!peek)
		return false;
	source_some(peek, &first, 1);
	if (source_info(peek)->ng)
		source_skim(peek);
	*ret = *source_info(peek);
	source_close(peek);
	return true;
}

/*
 * One packet is earlier than the one before: nobody knows the order of any, and
 * all that was judged so far took it for known.
 */
static int sit_once_more(struct jury_conf *conf, const struct source *s,
			 struct jury_result *ret)
{
	struct source *again = source_again(s);
	int code;

	if (!again)
		return cli_nomem(conf->who);
	jury_free(ret);
	memset(ret, 0, sizeof(*ret));
	conf->watch.judge.whole = false;
	code = sit_together(conf, again, ret);
	source_close(again);
	return code;
}

static int sit_on_file(struct jury_conf *conf, struct source *s,
		       struct jury_result *ret)
{
	struct judge_conf *c = &conf->watch.judge;
	struct capture_info info = {0};
	int code;

	if (!survey(s, &info))
		return cli_nomem(conf->who);
	c->whole = !info.dropped && !info.backward;
	c->time_error = info.resolution;
	code = sit_together(conf, s, ret);
	if (code || !c->whole || !source_info(s)->backward)
		return code;
	return sit_once_more(conf, s, ret);
}

int jury_sit(const struct jury_conf *conf, struct source *s,
	     struct jury_result *ret)
{
	struct jury_conf mine = *conf;
	struct own *own = NULL;
	int code;

	memset(ret, 0, sizeof(*ret));
	code = own_load(conf->who, s, &own);
	if (code)
		return code;
	if (own) {
		code = sit_on_own(&mine, s, own, ret);
		own_free(own);
		return code;
	}
	if (mine.watch.judge.whole && source_repeats(s))
		return sit_on_file(&mine, s, ret);
	return sit_together(&mine, s, ret);
}

void jury_free(struct jury_result *r)
{
	free(r->findings);
	free(r->flows);
	r->findings = NULL;
	r->flows = NULL;
}
