/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/adapter/adapter_check.c -- tests the control channel of an adapter.
 *
 * Each check sends lines and examines the answers; packets are not looked at.
 * What the runner relies on is FAIL if it is missing.  What the runner never
 * does, such as a malformed line, is a note.
 */
#include "cli/adapter/adapter_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/pattern.h"
#include "base/text.h"
#include "cli/adapter/adapter_talk.h"
#include "cli/cli.h"
#include "suite/dut/ctl/ctl_table.h"
#include "wire/frame/crc.h"

#define LARGEST_ID UINT32_MAX
#define SLOW       (1 * VSPAN_S) /* an answer after that is noted */
#define QUIET_TIME (100 * VSPAN_MS)
#define STRANGE    "adapter_check_no_such_verb"

/* The seed that reset sets; above 2^63, so that it travels as a string. */
#define SEED UINT64_C(0xfedcba9876543210)

enum { MEMORY_KEY = 0x1234, MEMORY_LEN = 100, PART_AT = 13, PART_LEN = 50 };

static void adapter_slow(struct adapter *a, const char *what)
{
	if (a->took > SLOW)
		adapter_say(a, ADAPTER_NOTE, what,
			    "the answer took %.1f s; every case asks",
			    (double)a->took / (double)VSPAN_S);
}

static bool adapter_has(const struct adapter *a, const char *verb)
{
	char word[64];

	snprintf(word, sizeof(word), " %s ", verb);
	return strstr(a->verbs, word);
}

/* ---- hello ---- */

static bool adapter_greets(struct adapter *a)
{
	if (!adapter_ask(a, "hello", "hello", "\"version\":%d", CTL_VERSION))
		return false;
	if (!a->ans.ok) {
		adapter_say(a, ADAPTER_FAIL, "hello", "refused: %s",
			    a->ans.error);
		return false;
	}
	if (a->ans.version != CTL_VERSION) {
		adapter_say(a, ADAPTER_FAIL, "hello",
			    "version %u answered, %d asked for", a->ans.version,
			    CTL_VERSION);
		return false;
	}
	snprintf(a->verbs, sizeof(a->verbs), " %s ", a->ans.verbs);
	adapter_say(a, ADAPTER_OK, "hello", "%s, version %d",
		    *a->ans.name ? a->ans.name : "(no name)", CTL_VERSION);
	if (!*a->ans.name)
		adapter_say(a, ADAPTER_NOTE, "hello",
			    "no name: reports have none for the device");
	if (!*a->ans.verbs)
		adapter_say(a, ADAPTER_FAIL, "hello",
			    "no verbs: every case that asks is na");
	return true;
}

static void adapter_words(struct adapter *a)
{
	char copy[sizeof(a->verbs)], *save;

	memcpy(copy, a->verbs, sizeof(copy));
	for (char *w = strtok_r(copy, " ", &save); w;
	     w = strtok_r(NULL, " ", &save))
		if (!ctl_verb_find(w))
			adapter_say(a, ADAPTER_NOTE, "hello",
				    "rung does not know the verb %s", w);
}

static void adapter_version(struct adapter *a)
{
	if (!adapter_ask(a, "version", "hello", "\"version\":999"))
		return;
	if (a->ans.ok)
		adapter_say(a, ADAPTER_FAIL, "version",
			    "accepts version 999, whose meaning it cannot "
			    "know");
	else
		adapter_say(a, ADAPTER_OK, "version", "999 is refused: %s",
			    a->ans.error);
}

/* ---- Ids and lines ---- */

/* hello has no effect on the device, so that it serves to test the channel. */
static void adapter_hello_line(char *line, size_t size, uint64_t id)
{
	snprintf(line, size,
		 "{\"id\":%llu,\"verb\":\"hello\",\"version\":%d}\n",
		 (unsigned long long)id, CTL_VERSION);
}

static void adapter_ids(struct adapter *a)
{
	const uint64_t before = a->id;

	a->id = LARGEST_ID - 1;
	if (adapter_ask(a, "ids", "hello", "\"version\":%d", CTL_VERSION))
		adapter_say(a, ADAPTER_OK, "ids", "1 to 4294967295");
	a->id = before;
}

static void adapter_pieces(struct adapter *a)
{
	const struct timespec pause = {0, 20000000};
	char line[120];

	if (a->gone)
		return;
	adapter_hello_line(line, sizeof(line), ++a->id);
	adapter_write(a, line, 10);
	nanosleep(&pause, NULL);
	adapter_put(a, line + 10);
	if (adapter_await(a, a->id))
		adapter_say(a, ADAPTER_OK, "lines",
			    "one that arrives in two pieces");
	else
		adapter_silent(a, "lines");
}

/* Two requests in one write; the answers may come in any order. */
static void adapter_pair(struct adapter *a)
{
	const vtime until = adapter_now() + a->conf->patience;
	char lines[260];
	unsigned seen = 0;
	enum ctl_kind kind;

	if (a->gone)
		return;
	adapter_put(a, "\n");
	adapter_hello_line(lines, sizeof(lines), a->id + 1);
	adapter_hello_line(lines + strlen(lines), sizeof(lines) - strlen(lines),
			   a->id + 2);
	adapter_put(a, lines);
	while (seen != 3 && adapter_line(a, until, &kind))
		if (kind == CTL_ANSWER && a->ans.id > a->id &&
		    a->ans.id <= a->id + 2)
			seen |= (unsigned)(a->ans.id - a->id);
	a->id += 2;
	if (seen == 3)
		adapter_say(a, ADAPTER_OK, "lines",
			    "an empty one, and two at once");
	else
		adapter_silent(a, "lines");
}

/* ---- Errors ---- */

static void adapter_strange(struct adapter *a)
{
	if (!adapter_ask(a, "unknown verb", STRANGE, "%s", ""))
		return;
	if (!a->ans.ok && strcmp(a->ans.error, "unsupported") == 0)
		adapter_say(a, ADAPTER_OK, "unknown verb", "unsupported");
	else
		adapter_say(a, ADAPTER_FAIL, "unknown verb",
			    "answered \"%s\"; \"unsupported\" makes a case na, "
			    "all else makes it an error",
			    a->ans.ok ? "ok" : a->ans.error);
}

/* The runner sends neither; an adapter should survive them all the same. */
static void adapter_mistakes(struct adapter *a)
{
	static const struct {
		const char *what, *verb, *more;
	} tries[] = {
		{"no len", "send", "\"handle\":1,\"peer\":\"127.0.0.1\""},
		{"bad peer", "send",
		 "\"handle\":1,\"peer\":\"no address\",\"len\":1"},
		{"no key", "expose", "\"len\":1"},
	};

	a->lenient = true;
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		if (a->gone || !adapter_has(a, tries[i].verb))
			continue;
		if (!adapter_ask(a, tries[i].what, tries[i].verb, "%s",
				 tries[i].more))
			return;
		if (a->ans.ok)
			adapter_say(a, ADAPTER_NOTE, tries[i].what,
				    "%s is accepted although it is wrong",
				    tries[i].verb);
		else
			adapter_say(a, ADAPTER_OK, tries[i].what, "refused: %s",
				    a->ans.error);
	}
}

/* ---- Verbs ---- */

/* Reports an answer that must be ok.  Return: whether it is. */
static bool adapter_must(struct adapter *a, const char *verb)
{
	if (a->ans.ok) {
		adapter_slow(a, verb);
		return true;
	}
	if (strcmp(a->ans.error, "unsupported") == 0)
		adapter_say(a, ADAPTER_LACKS, verb,
			    "hello lists it, but it answers unsupported: na");
	else
		adapter_say(a, ADAPTER_FAIL, verb,
			    "hello lists it, but it answers: %s", a->ans.error);
	return false;
}

static void adapter_resets(struct adapter *a)
{
	if (adapter_ask(a, "reset", "reset", "\"seed\":\"0x%llx\"",
			(unsigned long long)SEED) &&
	    adapter_must(a, "reset"))
		adapter_say(a, ADAPTER_OK, "reset", "%.1f ms",
			    (double)a->took / (double)VSPAN_MS);
}

static void adapter_post_recv(struct adapter *a)
{
	if (adapter_ask(a, "post_recv", "post_recv",
			"\"handle\":1,\"count\":2,\"len\":64") &&
	    adapter_must(a, "post_recv"))
		adapter_say(a, ADAPTER_OK, "post_recv", "2 messages of 64");
}

static void adapter_expose(struct adapter *a)
{
	if (!adapter_ask(a, "expose", "expose",
			 "\"handle\":2,\"key\":%d,\"len\":%d", MEMORY_KEY,
			 MEMORY_LEN) ||
	    !adapter_must(a, "expose"))
		return;
	a->exposed = true;
	adapter_say(a, ADAPTER_OK, "expose", "%d bytes under key %d",
		    MEMORY_LEN, MEMORY_KEY);
}

/* Compares the digest of part of the memory with that of the pattern. */
static bool adapter_digest(struct adapter *a, unsigned at, unsigned len)
{
	uint8_t bytes[MEMORY_LEN];
	uint32_t want;

	if (!adapter_ask(a, "mem_digest", "mem_digest",
			 "\"key\":%d,\"offset\":%u,\"len\":%u", MEMORY_KEY, at,
			 len) ||
	    !adapter_must(a, "mem_digest"))
		return false;
	if (!len)
		len = MEMORY_LEN - at;
	pattern_fill(bytes, SEED, pattern_memory(MEMORY_KEY), at, len);
	want = crc32c(0, bytes, len);
	if (a->ans.digest == want && a->ans.digest_len == len)
		return true;
	adapter_say(a, ADAPTER_FAIL, "mem_digest",
		    "bytes %u to %u: digest %u of %llu bytes; the pattern's "
		    "is %u of %u",
		    at, at + len - 1, a->ans.digest,
		    (unsigned long long)a->ans.digest_len, want, len);
	return false;
}

static void adapter_mem_digest(struct adapter *a)
{
	if (!a->exposed) {
		adapter_say(a, ADAPTER_NOTE, "mem_digest",
			    "not tried: there is no exposed memory");
		return;
	}
	if (adapter_digest(a, 0, 0) && adapter_digest(a, PART_AT, PART_LEN))
		adapter_say(a, ADAPTER_OK, "mem_digest",
			    "the pattern of the seed, whole and in part");
}

static void adapter_completions(struct adapter *a)
{
	if (adapter_ask(a, "completions", "completions", "%s", "") &&
	    adapter_must(a, "completions"))
		adapter_say(a, ADAPTER_OK, "completions", "answered");
}

static void adapter_stats(struct adapter *a)
{
	if (!adapter_ask(a, "stats", "stats", "%s", "") ||
	    !adapter_must(a, "stats"))
		return;
	if (*a->ans.stats)
		adapter_say(a, ADAPTER_OK, "stats", "%.60s", a->ans.stats);
	else
		adapter_say(a, ADAPTER_FAIL, "stats",
			    "no object \"stats\" in the answer");
}

/* The device may send packets to the peer; no endpoint need answer there. */
static void adapter_operation(struct adapter *a, const char *verb)
{
	const char *more = "";

	if (strcmp(verb, "atomic") == 0)
		more = ",\"amo\":\"sum\",\"datatype\":\"uint64\",\"operand\":1";
	if (adapter_ask(a, verb, verb, "\"handle\":3,\"peer\":\"%s\"%s%s%s",
			a->conf->peer, *more ? "" : ",\"len\":8",
			strcmp(verb, "send") == 0 ? "" : ",\"key\":1", more) &&
	    adapter_must(a, verb))
		adapter_say(a, ADAPTER_OK, verb, "accepted, to %s",
			    a->conf->peer);
}

static void adapter_send(struct adapter *a)
{
	adapter_operation(a, "send");
}

static void adapter_write_op(struct adapter *a)
{
	adapter_operation(a, "write");
}

static void adapter_read_op(struct adapter *a)
{
	adapter_operation(a, "read");
}

static void adapter_atomic(struct adapter *a)
{
	adapter_operation(a, "atomic");
}

/* Appends a value that the key of a request may have. */
static void adapter_value(struct text *t, const struct adapter *a,
			  const struct ctl_key *k)
{
	switch (k->type) {
	case KEY_ENUM:
		text_printf(t, ",\"%s\":\"%s\"", k->name, k->names[0].name);
		break;
	case KEY_ADDR:
		text_printf(t, ",\"%s\":\"%s\"", k->name, a->conf->peer);
		break;
	default:
		text_printf(t, ",\"%s\":1", k->name);
		break;
	}
}

/*
 * A verb of another profile: with the keys that it must have, each 1 or the
 * first word.  The device may refuse them; it must know the verb.
 */
static void adapter_other(struct adapter *a, const struct ctl_verb_row *v)
{
	struct text t = {0};
	bool sent = false;

	for (const struct ctl_key *k = ctl_req_keys; k->name; k++)
		if (k->must & ctl_verb_bit(v))
			adapter_value(&t, a, k);
	if (!t.failed)
		sent = adapter_ask(a, v->name, v->name, "%s",
				   t.len ? text_cstr(&t) + 1 : "");
	text_free(&t);
	if (!sent)
		return;
	if (a->ans.ok)
		adapter_say(a, ADAPTER_OK, v->name, "accepted");
	else if (strcmp(a->ans.error, "unsupported") == 0)
		adapter_must(a, v->name);
	else
		adapter_say(a, ADAPTER_OK, v->name, "known; refused here: %s",
			    a->ans.error);
}

/* The minimum profile, in an order in which each has what it needs. */
static const struct {
	const char *verb;
	void (*check)(struct adapter *a);
	const char *without; /* what cannot be tested without it */
} adapter_verbs[] = {
	{"reset", adapter_resets, "cases share connections: most will fail"},
	{"post_recv", adapter_post_recv, "the device gets no sends"},
	{"expose", adapter_expose, "the device gets no writes and reads"},
	{"mem_digest", adapter_mem_digest, "bytes in memory are not compared"},
	{"completions", adapter_completions,
	 "not needed by an adapter that pushes its events"},
	{"stats", adapter_stats, "the counters are not compared"},
	{"send", adapter_send, "cases in which the device sends are na"},
	{"write", adapter_write_op, "cases in which the device writes are na"},
	{"read", adapter_read_op, "cases in which the device reads are na"},
	{"atomic", adapter_atomic, "cases of atomics by the device are na"},
};

#define ADAPTER_VERBS (sizeof(adapter_verbs) / sizeof(adapter_verbs[0]))

static bool adapter_is_minimum(const char *verb)
{
	for (size_t i = 0; i < ADAPTER_VERBS; i++)
		if (strcmp(adapter_verbs[i].verb, verb) == 0)
			return true;
	return strcmp(verb, "hello") == 0;
}

/* A verb that hello does not list must be "unsupported". */
static void adapter_lacking(struct adapter *a, const char *verb,
			    const char *without)
{
	adapter_say(a, ADAPTER_LACKS, verb, "%s", without);
	if (!adapter_ask(a, verb, verb,
			 "\"handle\":4,\"peer\":\"%s\",\"len\":1",
			 a->conf->peer))
		return;
	if (a->ans.ok)
		adapter_say(a, ADAPTER_NOTE, verb,
			    "hello does not list it, but it is accepted");
}

/* reset forgets operations: no event of handle 3 may follow its answer. */
static void adapter_forgets(struct adapter *a)
{
	vtime until;
	enum ctl_kind kind;

	if (a->gone || !adapter_has(a, "reset"))
		return;
	if (!adapter_ask(a, "reset", "reset", "\"seed\":1") ||
	    !adapter_must(a, "reset"))
		return;
	until = adapter_now() + QUIET_TIME;
	while (adapter_line(a, until, &kind))
		if (kind == CTL_EVENT) {
			adapter_say(a, ADAPTER_FAIL, "reset",
				    "an event of an operation came after the "
				    "answer to the reset");
			return;
		}
	if (a->gone)
		adapter_silent(a, "reset");
	else
		adapter_say(a, ADAPTER_OK, "reset",
			    "no event of a forgotten operation");
}

/* A line that is no JSON; the last check, since an adapter may end. */
static void adapter_garbage(struct adapter *a)
{
	if (a->gone)
		return;
	adapter_put(a, "this is no JSON\n");
	a->id++;
	if (!a->gone) {
		char line[120];
		enum ctl_kind kind;
		const vtime until = adapter_now() + a->conf->patience;

		adapter_hello_line(line, sizeof(line), a->id);
		adapter_put(a, line);
		while (adapter_line(a, until, &kind))
			if (kind == CTL_ANSWER && a->ans.id == a->id) {
				adapter_say(a, ADAPTER_OK, "garbage",
					    "a line that is no JSON is "
					    "survived");
				return;
			}
	}
	adapter_say(a, ADAPTER_NOTE, "garbage",
		    "a line that is no JSON ends the adapter, or stops it");
}

static void adapter_all_verbs(struct adapter *a)
{
	for (size_t i = 0; i < ADAPTER_VERBS && !a->gone; i++) {
		if (adapter_has(a, adapter_verbs[i].verb))
			adapter_verbs[i].check(a);
		else
			adapter_lacking(a, adapter_verbs[i].verb,
					adapter_verbs[i].without);
	}
	for (const struct ctl_verb_row *v = ctl_verb_rows; v->name; v++)
		if (!a->gone && !adapter_is_minimum(v->name) &&
		    adapter_has(a, v->name))
			adapter_other(a, v);
}

int adapter_check(const struct adapter_check_conf *conf)
{
	struct adapter *a = memory_calloc(1, sizeof(*a));
	int code = EXIT_PASSED;

	if (!a)
		return EXIT_HARNESS;
	a->conf = conf;
	if (adapter_greets(a)) {
		adapter_words(a);
		adapter_version(a);
		adapter_ids(a);
		adapter_pieces(a);
		adapter_pair(a);
		adapter_strange(a);
		adapter_all_verbs(a);
		adapter_forgets(a);
		adapter_mistakes(a);
		adapter_garbage(a);
	}
	printf("\n%u ok, %u FAIL, %u notes, %u verbs lacking\n",
	       a->counts[ADAPTER_OK], a->counts[ADAPTER_FAIL],
	       a->counts[ADAPTER_NOTE], a->counts[ADAPTER_LACKS]);
	if (a->counts[ADAPTER_FAIL])
		code = EXIT_FAILED;
	free(a);
	return code;
}
