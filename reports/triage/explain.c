/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/triage/explain.c -- finds the rows whose failures another row
 * explains, and the alternatives to a row.
 */
#include "reports/triage/explain.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/memory.h"
#include "judge/transport.h"
#include "suite/verdict/blame.h"

/* Folders of cases that are told apart; all further ones count as the last. */
#define FOLDERS_MAX 64

/* A finding of a row. */
struct explain_fact {
	size_t c;        /* index of the case */
	uint32_t moment; /* place in the case */
	bool proved;     /* by a monitor or a line */
	bool named;      /* a line names the item for the row */
	const struct rec_finding *found;
};

/* An observation by which a row fails. */
struct explain_key {
	const char *item;
	bool proved; /* in at least one case */
};

/* A number of cases. */
struct explain_count {
	size_t n;
	size_t last; /* index of the last one counted, plus 1 */
};

struct explain_row {
	struct req_ref is;
	struct explain_fact *facts; /* in the order of the cases */
	size_t n, size;
	struct explain_key *keys;
	size_t nkeys, keys_size;
	size_t ncases;
	size_t in[FOLDERS_MAX];         /* its cases, by folder */
	struct explain_count proved;    /* by a monitor or a line */
	struct explain_count monitored; /* by a monitor */
	struct explain_count named;     /* by a line that names an item */
	uint32_t soonest;               /* the first such place in a case */
	bool acts;                      /* that item is no absence */
	struct explain_count ended;     /* by the end of the device */
	uint8_t ended_by;               /* surest evidence (enum blame_by) */
	uint32_t ended_at;              /* the first such place in a case */
	bool content;                   /* other bytes were seen */
	bool shown;                     /* it fails by more than absences */
	bool known;                     /* a declared deviation */
	size_t fulfilled;               /* cases that pass and test it */
	const struct explain_row *by;
	size_t suspicion; /* of both roles; explain_crowds computes it */
	const struct explain_row *crowd; /* found by explain_crowds */
};

struct explainer {
	const struct summary *s;
	struct arena arena;
	const char *folders[FOLDERS_MAX]; /* ids of a case in each */
	size_t nfolders;
	struct explain_row *rows;
	size_t n;
	bool no_memory;
};

/* ---- Observations ---- */

/* A word of an item, and what all words with this meaning are called. */
struct explain_word {
	const char *word, *means;
};

/* Returns the meaning of the class of an item, or NULL if it is not listed. */
static const char *explain_meaning(const struct explain_word *list,
				   const char *item)
{
	const size_t n = strcspn(item, ".");

	for (; list->word; list++)
		if (strlen(list->word) == n && memcmp(list->word, item, n) == 0)
			return list->means;
	return NULL;
}

/* Returns what a report is about, or NULL for an item of a packet. */
static const char *explain_report(const char *item)
{
	static const struct explain_word reports[] = {
		{"delivered", "delivery"},
		{"returned", "delivery"},
		{"received", "delivery"},
		{"completed", "outcome"},
		{"failed", "outcome"},
		{"responded", "responded"},
		{"error", "error"},
		{"eager", "eager"},
		{"paused", "paused"},
		{"resumed", "resumed"},
		{"unresponsive", "unresponsive"},
		{NULL, NULL},
	};

	return explain_meaning(reports, item);
}

static bool explain_is_arrival(const char *word)
{
	static const char *const words[] = {
		"missing",   "resend", "type",      "late",  "early",
		"forbidden", "count",  "malformed", "order", NULL};

	for (size_t i = 0; words[i]; i++)
		if (strcmp(words[i], word) == 0)
			return true;
	return false;
}

/* Returns true if an item is the arrival of a packet. */
static bool explain_arrives(const char *item)
{
	const size_t class = strcspn(item, ".");

	return !item[class] || explain_is_arrival(item + class + 1);
}

/*
 * Returns true if an item says that what the line awaits did not come, or not
 * in time.
 */
static bool explain_is_absence(const char *item)
{
	static const char *const words[] = {"missing", "resend", "type", "late",
					    NULL};
	const char *dot = strchr(item, '.');

	for (size_t i = 0; dot && words[i]; i++)
		if (strcmp(words[i], dot + 1) == 0)
			return true;
	return false;
}

/* Returns how many bytes of an item of a packet name the observation. */
static size_t explain_width(const char *item)
{
	if (explain_arrives(item))
		return strcspn(item, ".");
	return strlen(item);
}

static bool explain_same(const char *a, const char *b)
{
	const char *x = explain_report(a), *y = explain_report(b);
	const size_t n = explain_width(a);

	if (x || y)
		return x && y && strcmp(x, y) == 0;
	return n && n == explain_width(b) && memcmp(a, b, n) == 0;
}

/*
 * Returns what packets of this kind do in all modes and transports, or NULL if
 * the item is not the arrival of such a packet.
 */
static const char *explain_purpose(const char *item)
{
	static const struct explain_word packets[] = {
		{"req", "request"},      {"rudi_req", "request"},
		{"uud_req", "request"},  {"srd_req", "request"},
		{"wqe_req", "request"},  {"rc_req", "request"},
		{"ack", "answer"},       {"nack", "answer"},
		{"rudi_resp", "answer"}, {"srd_ack", "answer"},
		{"wqe_ack", "answer"},   {"wqe_rtx_ind", "answer"},
		{"rc_ack", "answer"},    {NULL, NULL},
	};

	if (explain_arrives(item))
		return explain_meaning(packets, item);
	return NULL;
}

static bool explain_is_like(const char *a, const char *b)
{
	const char *x = explain_purpose(a), *y = explain_purpose(b);

	if (x && y)
		return strcmp(x, y) == 0;
	return explain_same(a, b);
}

/*
 * Returns the length of the name that the device sent for an item, such as the
 * kind of packet or a syndrome, and stores where it begins.  Returns 0 if it
 * sent a number or nothing.
 */
static size_t explain_sent(const struct rec_finding *f, const char **ret)
{
	const char *word = strchr(f->what, '.'), *at = f->actual;
	const size_t n = word ? strlen(++word) : 0;

	*ret = at;
	if (!word)
		return 0;
	if (strcmp(word, "type") == 0)
		return strcspn(at, " =");
	for (; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
		if (strncmp(at, word, n) != 0 || at[n] != '=')
			continue;
		*ret = at + n + 1;
		return isalpha((unsigned char)**ret) ? strcspn(*ret, " ") : 0;
	}
	return 0;
}

/* Returns true if the device sent the same wrong name for the same item. */
static bool explain_sent_same(const struct rec_finding *a,
			      const struct rec_finding *b)
{
	const char *x, *y;
	const size_t n = explain_sent(a, &x);

	return n && strcmp(a->what, b->what) == 0 && explain_sent(b, &y) == n &&
	       memcmp(x, y, n) == 0;
}

/* ---- Rows ---- */

static void *explain_room(struct explainer *e, void *array, size_t n,
			  size_t *size, size_t each)
{
	void *ret = array;

	if (n < *size)
		return array;
	ret = arena_alloc(&e->arena, 2 * (n + 4) * each);
	if (!ret) {
		e->no_memory = true;
		return NULL;
	}
	if (n)
		memcpy(ret, array, n * each);
	*size = 2 * (n + 4);
	return ret;
}

static struct explain_row *explain_row_of(struct explainer *e, enum req_id id,
					  enum req_role role)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->rows[i].is.id == id && e->rows[i].is.role == role)
			return &e->rows[i];
	e->rows[e->n].is = (struct req_ref){.id = id, .role = role};
	return &e->rows[e->n++];
}

static void explain_add_key(struct explainer *e, struct explain_row *row,
			    const char *item, bool proved)
{
	for (size_t i = 0; i < row->nkeys; i++)
		if (explain_same(row->keys[i].item, item)) {
			row->keys[i].proved |= proved;
			return;
		}
	row->keys = explain_room(e, row->keys, row->nkeys, &row->keys_size,
				 sizeof(*row->keys));
	if (row->keys && *item)
		row->keys[row->nkeys++] = (struct explain_key){item, proved};
}

/*
 * Returns true if a monitor or a line proves the row.  A field that differs
 * from what the device was told to send is proof as well; other bytes in the
 * memory are not.
 */
static bool explain_proves(const struct rec_finding *f)
{
	if (f->blamed == BLAME_BY_CONTENT)
		return *f->what && strncmp(f->what, "content.", 8) != 0;
	return f->blamed == BLAME_BY_LINE || f->blamed == BLAME_BY_MONITOR;
}

/*
 * Returns the length of the folder in a case's id: its first two components,
 * "uet/rud", without the name of the case.
 */
static size_t explain_folder_length(const char *id)
{
	const char *slash = strchr(id, '/');
	const char *second = slash ? strchr(slash + 1, '/') : NULL;

	if (second)
		return (size_t)(second - id);
	if (slash)
		return (size_t)(slash - id);
	return 0;
}

/* Returns the number of the folder of a case. */
static size_t explain_folder(struct explainer *e, size_t c)
{
	const char *id = e->s->cases[c].id;
	const size_t n = explain_folder_length(id);

	for (size_t i = 0; i < e->nfolders; i++)
		if (explain_folder_length(e->folders[i]) == n &&
		    memcmp(e->folders[i], id, n) == 0)
			return i;
	if (e->nfolders == FOLDERS_MAX)
		return FOLDERS_MAX - 1;
	e->folders[e->nfolders] = id;
	return e->nfolders++;
}

/* Counts a case, the same one once. */
static void explain_count(struct explain_count *n, size_t c)
{
	n->n += n->last != c + 1;
	n->last = c + 1;
}

/* Adds a finding for whose item a line names the row. */
static void explain_add_named(struct explain_row *row, size_t c,
			      const struct rec_finding *f)
{
	if (!row->named.n || f->moment < row->soonest)
		row->soonest = f->moment;
	explain_count(&row->named, c);
	row->acts |= !f->ended && !explain_is_absence(f->what);
}

/* Adds a finding for which the device ended. */
static void explain_add_ended(struct explain_row *row, size_t c,
			      const struct rec_finding *f)
{
	if (!row->ended.n || f->moment < row->ended_at)
		row->ended_at = f->moment;
	if (!row->ended.n || f->blamed < row->ended_by)
		row->ended_by = f->blamed;
	explain_count(&row->ended, c);
}

static void explain_add(struct explainer *e, enum req_role role, size_t c,
			const struct rec_finding *f)
{
	struct explain_row *row = explain_row_of(e, f->req, role);
	const bool proved = explain_proves(f);

	row->facts = explain_room(e, row->facts, row->n, &row->size,
				  sizeof(*row->facts));
	if (!row->facts)
		return;
	if (!row->n || row->facts[row->n - 1].c != c) {
		row->ncases++;
		row->in[explain_folder(e, c)]++;
	}
	row->facts[row->n++] = (struct explain_fact){
		c, f->moment, proved, f->blamed == BLAME_BY_LINE, f};
	if (f->blamed == BLAME_BY_LINE)
		explain_add_named(row, c, f);
	if (f->ended)
		explain_add_ended(row, c, f);
	if (proved)
		explain_count(&row->proved, c);
	if (f->blamed == BLAME_BY_MONITOR)
		explain_count(&row->monitored, c);
	row->content |= f->blamed == BLAME_BY_CONTENT;
	row->shown |= f->ended || !explain_is_absence(f->what);
	row->known |= f->known;
	explain_add_key(e, row, f->ended ? "ended" : f->what, proved);
}

/* Returns true for a finding that fails its row. */
static bool explain_fails(const struct summary *s, const struct rec_finding *f)
{
	return f->req != REQ_NONE && !f->consequence && !f->doubtful &&
	       (!f->remark || s->strict);
}

/* Counts, for each row, the cases that pass and test it. */
static void explain_count_fulfilled(struct explainer *e)
{
	size_t n[REQ_COUNT][2] = {{0}};

	for (size_t i = 0; i < e->s->ncases; i++) {
		const struct summary_case *c = &e->s->cases[i];

		for (size_t j = 0; c->verdict == VERDICT_PASS && j < c->nreqs;
		     j++)
			n[c->reqs[j].id][c->reqs[j].role == REQ_DST]++;
	}
	for (size_t i = 0; i < e->n; i++) {
		const struct req_ref *is = &e->rows[i].is;

		e->rows[i].fulfilled = n[is->id][is->role == REQ_DST];
	}
}

static void explain_gather(struct explainer *e)
{
	for (size_t i = 0; i < e->s->ncases; i++) {
		const struct summary_case *c = &e->s->cases[i];

		for (size_t j = 0; j < c->nfindings && !e->no_memory; j++) {
			const struct rec_finding *f = &c->findings[j];

			if (!explain_fails(e->s, f))
				continue;
			if (f->role & REQ_SRC)
				explain_add(e, REQ_SRC, i, f);
			if (f->role & REQ_DST)
				explain_add(e, REQ_DST, i, f);
		}
	}
	explain_count_fulfilled(e);
}

/* ---- Rules ---- */

/* Returns true if both fail by one observation; |b| proves it, or |any|. */
static bool explain_observes(const struct explain_row *a,
			     const struct explain_row *b, bool any)
{
	for (size_t i = 0; i < a->nkeys; i++)
		for (size_t j = 0; j < b->nkeys; j++)
			if ((any || b->keys[j].proved) &&
			    explain_same(a->keys[i].item, b->keys[j].item))
				return true;
	return false;
}

/*
 * Returns true if a finding of another row comes first: earlier, or at the same
 * packet if |f| is assumed or lines name the item for both.
 */
static bool explain_is_before(const struct explain_fact *other,
			      const struct explain_fact *f)
{
	if (other->moment != f->moment)
		return other->moment < f->moment;
	return !f->proved || (f->named && other->named);
}

/*
 * Returns true if |b| deviates before |a| in every case in which |a| fails.
 */
static bool explain_precedes(const struct explain_row *b,
			     const struct explain_row *a)
{
	size_t j = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct explain_fact *f = &a->facts[i];
		bool before = false;

		while (j < b->n && b->facts[j].c < f->c)
			j++;
		for (size_t k = j; k < b->n && b->facts[k].c == f->c; k++)
			before |= explain_is_before(&b->facts[k], f);
		if (!before)
			return false;
	}
	return true;
}

/*
 * Returns true if lines name |b| in more cases than |a|, or in as many and
 * sooner.
 */
static bool explain_is_surer(const struct explain_row *b,
			     const struct explain_row *a)
{
	if (b->named.n != a->named.n)
		return b->named.n > a->named.n;
	return b->named.n && b->soonest < a->soonest;
}

/*
 * Returns true if lines name another row of the role of |a| for its
 * observation, and name that one more surely.
 */
static bool explain_has_surer(const struct explainer *e,
			      const struct explain_row *a)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->rows[i].is.role == a->is.role &&
		    explain_is_surer(&e->rows[i], a) &&
		    explain_observes(a, &e->rows[i], false))
			return true;
	return false;
}

typedef bool explain_rule(const struct explainer *e,
			  const struct explain_row *a,
			  const struct explain_row *b);

static bool explain_by_proof(const struct explainer *e,
			     const struct explain_row *a,
			     const struct explain_row *b)
{
	(void)e;
	return !a->proved.n && b->proved.n &&
	       a->ncases < EXPLAIN_TIMES * b->proved.n &&
	       explain_observes(a, b, false);
}

static bool explain_by_order(const struct explainer *e,
			     const struct explain_row *a,
			     const struct explain_row *b)
{
	const size_t times = a->named.n ? EXPLAIN_TIMES : 1;

	(void)e;
	if (!b->proved.n || b->ncases <= a->ncases ||
	    b->ncases < times * a->ncases)
		return false;
	return explain_precedes(b, a);
}

/*
 * One field is wrong everywhere, and the lines of several figures name it, each
 * for its own row.  The surest of these rows keeps its failure.
 */
static bool explain_by_spread(const struct explainer *e,
			      const struct explain_row *a,
			      const struct explain_row *b)
{
	return a->named.n &&
	       b->monitored.n >= EXPLAIN_TIMES * EXPLAIN_TIMES * a->ncases &&
	       explain_observes(a, b, false) && explain_has_surer(e, a);
}

/* Returns true if the rows are of one transport; invariants are of each. */
static bool explain_is_kin(const struct explain_row *a,
			   const struct explain_row *b)
{
	if (judge_req_is_invariant(a->is.id) ||
	    judge_req_is_invariant(b->is.id))
		return true;
	return judge_req_family(a->is.id) == judge_req_family(b->is.id);
}

static bool explain_by_number(const struct explainer *e,
			      const struct explain_row *a,
			      const struct explain_row *b)
{
	(void)e;
	return !a->proved.n && !b->proved.n && b->ncases > a->ncases &&
	       explain_is_kin(a, b) && explain_observes(a, b, true);
}

/* Returns true if |b| fails in |times| the cases of |a| in all its folders. */
static bool explain_covers(const struct explainer *e,
			   const struct explain_row *a,
			   const struct explain_row *b, size_t times)
{
	for (size_t i = 0; i < e->nfolders; i++)
		if (b->in[i] < times * a->in[i])
			return false;
	return true;
}

/* Returns true if both rows fail by events with one purpose. */
static bool explain_has_like(const struct explain_row *a,
			     const struct explain_row *b)
{
	for (size_t i = 0; i < a->nkeys; i++)
		for (size_t j = 0; j < b->nkeys; j++)
			if (explain_is_like(a->keys[i].item, b->keys[j].item))
				return true;
	return false;
}

/*
 * One bug fails many cases; in a few of them the first line that notices was
 * written for something else.  Cases of other folders test other modes and
 * operations, where a bug of its own is more likely.
 */
static bool explain_by_weight(const struct explainer *e,
			      const struct explain_row *a,
			      const struct explain_row *b)
{
	if (a->proved.n || b->ncases < EXPLAIN_STRAY * a->ncases ||
	    !explain_is_kin(a, b))
		return false;
	if (explain_covers(e, a, b, EXPLAIN_STRAY))
		return true;
	if (a->content) /* other bytes are no assumption */
		return false;
	if (explain_has_like(a, b))
		return true;
	if (b->ncases >= EXPLAIN_TIMES * a->ncases &&
	    explain_covers(e, a, b, 1))
		return true;
	if (b->ncases >= b->fulfilled) /* it fails nearly everywhere */
		return true;
	return a->fulfilled >= EXPLAIN_FULFILLED * a->ncases;
}

/* Returns true if one field of a packet is wrong for both rows. */
static bool explain_shares_field(const struct explain_row *a,
				 const struct explain_row *b)
{
	for (size_t i = 0; i < a->nkeys; i++) {
		const char *item = a->keys[i].item;

		if (explain_report(item) || explain_arrives(item))
			continue;
		for (size_t j = 0; j < b->nkeys; j++)
			if (explain_same(item, b->keys[j].item))
				return true;
	}
	return false;
}

static bool explain_is_must(const struct explain_row *row)
{
	return req_get(row->is.id)->level == REQ_M;
}

/* Returns true if a case is of the transport in whose cases |a| fails. */
static bool explain_is_near(const struct explainer *e, size_t c,
			    const struct explain_row *a)
{
	const char *near = e->s->cases[a->facts[0].c].id;

	return strncmp(near, e->s->cases[c].id, strcspn(near, "/") + 1) == 0;
}

/* Counts the cases of that transport in which |b| fails. */
static size_t explain_cases_near(const struct explainer *e,
				 const struct explain_row *a,
				 const struct explain_row *b)
{
	struct explain_count n = {0};

	if (!judge_req_is_invariant(b->is.id))
		return b->ncases;
	for (size_t i = 0; i < b->n; i++)
		if (explain_is_near(e, b->facts[i].c, a))
			explain_count(&n, b->facts[i].c);
	return n.n;
}

/* Counts the cases of that transport that pass and test |b|. */
static size_t explain_fulfilled_near(const struct explainer *e,
				     const struct explain_row *a,
				     const struct explain_row *b)
{
	size_t n = 0;

	if (!judge_req_is_invariant(b->is.id))
		return b->fulfilled;
	for (size_t i = 0; i < e->s->ncases; i++)
		if (e->s->cases[i].verdict == VERDICT_PASS &&
		    explain_is_near(e, i, a))
			n += summary_has(&e->s->cases[i], b->is.id, b->is.role);
	return n;
}

/*
 * The device violates |b| nearly wherever a case tests it.  What else fails
 * now and then, because nothing comes, or because a monitor sees another
 * consequence, is no second bug as far as anyone can tell.
 */
static bool explain_by_prevalence(const struct explainer *e,
				  const struct explain_row *a,
				  const struct explain_row *b)
{
	size_t near;

	if (a->content || b->ncases < EXPLAIN_TIMES * a->ncases)
		return false;
	if (a->acts && !(explain_shares_field(a, b) && explain_has_surer(e, a)))
		return false;
	if (!explain_is_kin(a, b) ||
	    (explain_is_must(a) && !explain_is_must(b)))
		return false;
	near = explain_cases_near(e, a, b);
	return near >= EXPLAIN_TIMES * a->ncases &&
	       near >= EXPLAIN_FULFILLED * explain_fulfilled_near(e, a, b);
}

/* Counts the cases of |b| in which the device sent the same wrong name. */
static size_t explain_count_same(const struct explain_row *b,
				 const struct rec_finding *f)
{
	struct explain_count n = {0};

	for (size_t i = 0; i < b->n; i++)
		if (explain_sent_same(f, b->facts[i].found))
			explain_count(&n, b->facts[i].c);
	return n.n;
}

/*
 * The device sends one wrong name everywhere ("syndrome=ctx_reset"), and the
 * lines of a few cases name the field for rows of their own, because they
 * expect another name each.
 */
static bool explain_by_value(const struct explainer *e,
			     const struct explain_row *a,
			     const struct explain_row *b)
{
	const size_t least = EXPLAIN_TIMES * a->ncases;

	(void)e;
	if (b->ncases < least || !explain_is_kin(a, b))
		return false;
	if (explain_is_must(a) && !explain_is_must(b))
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (explain_count_same(b, a->facts[i].found) < least)
			return false;
	return true;
}

/* Returns true if a row fails because such a packet does not come. */
static bool explain_lacks(const struct explain_row *row, const char *item)
{
	for (size_t i = 0; i < row->nkeys; i++)
		if (explain_is_absence(row->keys[i].item) &&
		    explain_is_like(row->keys[i].item, item))
			return true;
	return false;
}

/*
 * A device that sends nearly no answers, or no requests, breaks every line that
 * awaits one, also the few that await it for a row of their own.  That many
 * cases must prove it: tables assume one row for all answers.
 */
static bool explain_by_silence(const struct explainer *e,
			       const struct explain_row *a,
			       const struct explain_row *b)
{
	const size_t least = EXPLAIN_STRAY * EXPLAIN_TIMES * a->ncases;

	(void)e;
	if (a->shown || b->proved.n < least)
		return false;
	if (explain_is_must(a) && !explain_is_must(b))
		return false;
	if (!explain_is_kin(a, b))
		return false;
	for (size_t i = 0; i < a->nkeys; i++)
		if (!explain_lacks(b, a->keys[i].item))
			return false;
	return a->nkeys > 0;
}

/*
 * A device that ends is one bug: the line that waits for a packet at that
 * moment blames its own row in each case.
 */
static bool explain_by_end(const struct explainer *e,
			   const struct explain_row *a,
			   const struct explain_row *b)
{
	(void)e;
	if (!b->ended.n || a->ended.n < a->ncases)
		return false;
	if (a->ended_by != b->ended_by)
		return b->ended_by < a->ended_by;
	if (a->ended.n != b->ended.n)
		return b->ended.n > a->ended.n;
	return b->ended_at < a->ended_at;
}

/*
 * A row that no line names fails now and then, because a monitor or a table
 * sees a consequence: the next packet, another field of the same packet, or
 * that nothing comes.  Where another row is proved in many times the cases, no
 * case was written for the stray one.
 */
static bool explain_by_strays(const struct explainer *e,
			      const struct explain_row *a,
			      const struct explain_row *b)
{
	(void)e;
	if (a->named.n || a->content || !explain_is_kin(a, b))
		return false;
	if (explain_is_must(a) && !explain_is_must(b))
		return false;
	return b->proved.n >= EXPLAIN_STRAY * a->ncases;
}

/* ---- Crowds ---- */

/* Returns the sum over a row's cases, each weighed by its surest evidence. */
static size_t explain_weigh(const struct explain_row *row)
{
	size_t sum = 0, weight = 0;

	for (size_t i = 0; i < row->n; i++) {
		const struct explain_fact *f = &row->facts[i];
		const bool bytes = f->found->blamed == BLAME_BY_CONTENT;
		size_t w = f->proved || bytes ? EXPLAIN_TIMES : 1;

		if (f->named)
			w = EXPLAIN_TIMES * EXPLAIN_TIMES;
		if (i && row->facts[i - 1].c != f->c) {
			sum += weight;
			weight = 0;
		}
		if (w > weight)
			weight = w;
	}
	return sum + weight;
}

/* Computes how suspect each row is, both roles together. */
static void explain_suspect(struct explainer *e)
{
	for (size_t i = 0; i < e->n; i++) {
		const size_t weight = explain_weigh(&e->rows[i]);

		for (size_t j = 0; j < e->n; j++)
			if (e->rows[j].is.id == e->rows[i].is.id)
				e->rows[j].suspicion += weight;
	}
}

/* Returns true if |b| is more suspect than |a|; of two equal ones the first. */
static bool explain_outranks(const struct explain_row *b,
			     const struct explain_row *a)
{
	if (a->suspicion != b->suspicion)
		return b->suspicion > a->suspicion;
	if (explain_is_must(a) != explain_is_must(b))
		return explain_is_must(b);
	if (a->acts != b->acts)
		return b->acts;
	if (a->fulfilled != b->fulfilled)
		return b->fulfilled < a->fulfilled;
	return b < a;
}

/*
 * Returns the one with the most cases of the rows of its role and transport
 * that are more suspect than |a|, or NULL if they are fewer than
 * EXPLAIN_SUSPECTS.
 */
static const struct explain_row *explain_crowd(const struct explainer *e,
					       const struct explain_row *a)
{
	const struct explain_row *most = NULL;
	size_t n = 0;

	for (size_t i = 0; i < e->n; i++) {
		const struct explain_row *b = &e->rows[i];

		if (b->by || b->known || b->is.role != a->is.role || b == a)
			continue;
		if (!explain_is_kin(a, b) || !explain_outranks(b, a))
			continue;
		n++;
		if (!most || b->ncases > most->ncases)
			most = b;
	}
	return n < EXPLAIN_SUSPECTS ? NULL : most;
}

/*
 * One bug makes many rows fail, and no single one of them explains the others.
 * Behind a few suspects a row that fails in far fewer cases is stray, unless
 * other bytes were seen: those are no assumption.
 */
static void explain_crowds(struct explainer *e)
{
	const size_t times = EXPLAIN_STRAY * EXPLAIN_TIMES;

	explain_suspect(e);
	for (size_t i = 0; i < e->n; i++) {
		struct explain_row *a = &e->rows[i];

		if (!a->by && !a->known && !a->content)
			a->crowd = explain_crowd(e, a);
		if (a->crowd && a->crowd->ncases < times * a->ncases)
			a->crowd = NULL;
	}
	for (size_t i = 0; i < e->n; i++)
		if (e->rows[i].crowd)
			e->rows[i].by = e->rows[i].crowd;
}

/*
 * Applies a rule to all rows; of several explanations the row with the most
 * cases is chosen.  A row that is explained itself explains no other by the
 * same rule or a later one.  Rows of both roles explain each other if
 * |any_role|.
 */
static void explain_apply(struct explainer *e, explain_rule *rule,
			  bool any_role)
{
	for (size_t i = 0; i < e->n; i++) {
		struct explain_row *a = &e->rows[i];

		for (size_t j = 0; j < e->n && !a->known; j++) {
			struct explain_row *b = &e->rows[j];

			if (a == b || b->known || b->by ||
			    (!any_role && a->is.role != b->is.role))
				continue;
			if (a->by && a->by->ncases >= b->ncases)
				continue;
			if (rule(e, a, b))
				a->by = b;
		}
	}
}

/* ---- Alternatives ---- */

/* Returns true if both rows are proved for one observation. */
static bool explain_both_prove(const struct explain_row *a,
			       const struct explain_row *b)
{
	for (size_t i = 0; i < a->nkeys; i++)
		for (size_t j = 0; j < b->nkeys; j++)
			if (a->keys[i].proved && b->keys[j].proved &&
			    explain_same(a->keys[i].item, b->keys[j].item))
				return true;
	return false;
}

/* Returns true if wherever |b| fails, |a| fails at the same packet. */
static bool explain_accompanies(const struct explain_row *a,
				const struct explain_row *b)
{
	size_t j = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct explain_fact *f = &b->facts[i];
		bool with = false;

		while (j < a->n && a->facts[j].c < f->c)
			j++;
		for (size_t k = j; k < a->n && a->facts[k].c == f->c; k++)
			with |= a->facts[k].moment == f->moment;
		if (!with)
			return false;
	}
	return true;
}

/* Returns true if |b| is an alternative to |a|. */
static bool explain_is_alternative(const struct explain_row *a,
				   const struct explain_row *b)
{
	if (a == b || a->is.role != b->is.role || a->known || b->known ||
	    a->by || b->by)
		return false;
	return explain_both_prove(a, b) ||
	       (b->named.n && explain_accompanies(a, b));
}

static void explain_add_pair(struct explainer *e, struct summary *s,
			     size_t *size, const struct summary_pair *pair)
{
	const size_t more = *size ? 2 * *size : 8;
	struct summary_pair *pairs = s->pairs;

	if (s->npairs == *size) {
		pairs = arena_alloc(&s->arena, more * sizeof(*pairs));
		if (!pairs) {
			e->no_memory = true;
			return;
		}
		if (s->npairs)
			memcpy(pairs, s->pairs, s->npairs * sizeof(*pairs));
		s->pairs = pairs;
		*size = more;
	}
	pairs[s->npairs++] = *pair;
}

static int explain_compare_refs(const struct req_ref *a,
				const struct req_ref *b)
{
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->role > b->role) - (a->role < b->role);
}

static int explain_compare_pairs(const void *a, const void *b)
{
	const struct summary_pair *x = a, *y = b;
	const int order = explain_compare_refs(&x->row, &y->row);

	if (order)
		return order;
	return explain_compare_refs(&x->other, &y->other);
}

static void explain_pair(struct explainer *e, struct summary *s)
{
	size_t size = 0;

	for (size_t i = 0; i < e->n * e->n && !e->no_memory; i++) {
		const struct explain_row *a = &e->rows[i / e->n];
		const struct explain_row *b = &e->rows[i % e->n];
		const struct summary_pair pair = {.row = a->is, .other = b->is};

		if (explain_is_alternative(a, b))
			explain_add_pair(e, s, &size, &pair);
	}
	if (s->npairs)
		qsort(s->pairs, s->npairs, sizeof(*s->pairs),
		      explain_compare_pairs);
}

/* Returns the row at the end of a chain of explanations. */
static const struct explain_row *explain_root(const struct explain_row *row)
{
	while (row->by)
		row = row->by;
	return row;
}

int summary_explain(struct summary *s)
{
	struct explainer e = {.s = s};

	memset(s->explained, 0, sizeof(s->explained));
	s->pairs = NULL;
	s->npairs = 0;
	e.rows = arena_alloc(&e.arena, 2 * REQ_COUNT * sizeof(*e.rows));
	e.no_memory = !e.rows;
	if (!e.no_memory)
		explain_gather(&e);
	if (!e.no_memory) {
		explain_apply(&e, explain_by_proof, false);
		explain_apply(&e, explain_by_order, false);
		explain_apply(&e, explain_by_spread, false);
		explain_apply(&e, explain_by_number, false);
		explain_apply(&e, explain_by_weight, true);
		explain_apply(&e, explain_by_value, false);
		explain_apply(&e, explain_by_prevalence, true);
		explain_apply(&e, explain_by_silence, true);
		explain_apply(&e, explain_by_end, true);
		explain_apply(&e, explain_by_strays, true);
		explain_crowds(&e);
		explain_pair(&e, s);
		for (size_t i = 0; i < e.n && !e.no_memory; i++)
			if (e.rows[i].by)
				s->explained[e.rows[i].is.id]
					    [e.rows[i].is.role == REQ_DST] =
					explain_root(&e.rows[i])->is;
	}
	arena_free(&e.arena);
	return e.no_memory ? ERR_NOMEM : 0;
}

const struct req_ref *summary_explained(const struct summary *s, enum req_id id,
					enum req_role role)
{
	const struct req_ref *by = &s->explained[id][role == REQ_DST];

	if (by->role)
		return by;
	return NULL;
}

const struct req_ref *summary_alternative(const struct summary *s,
					  enum req_id id, enum req_role role,
					  size_t i)
{
	const struct req_ref row = {.id = id, .role = role};

	for (size_t j = 0; j < s->npairs; j++)
		if (!explain_compare_refs(&s->pairs[j].row, &row) && i-- == 0)
			return &s->pairs[j].other;
	return NULL;
}
