/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/fabric/fabric_file.c -- reads the topology of a fabric with libyaml.
 */
#include "cli/fabric/fabric_file.h"

#include <stdlib.h>
#include <string.h>

#include "cli/yaml/yaml_file.h"
#include "suite/lang/lex/case_lex.h"

/* The kinds of values. */
enum fabric_value {
	VALUE_KIND,     /* leaf-spine, rail or dumbbell */
	VALUE_COUNT,    /* a number */
	VALUE_RATE,     /* "100G" or "400M", in Mbit/s */
	VALUE_SIZE,     /* "64k", in bytes */
	VALUE_SPAN,     /* "500ns" */
	VALUE_YES,      /* yes or no */
	VALUE_NO,       /* yes or no, stored inverted */
	VALUE_FAILURES, /* a list of mappings */
};

struct fabric_key {
	const char *name;
	size_t at;
	enum fabric_value value;
};

#define TOPOLOGY_KEY(name, member, value)                             \
	{                                                             \
		name, offsetof(struct fabric_topology, member), value \
	}

static const struct fabric_key topology_keys[] = {
	TOPOLOGY_KEY("topology", kind, VALUE_KIND),
	TOPOLOGY_KEY("leaves", leaves, VALUE_COUNT),
	TOPOLOGY_KEY("spines", spines, VALUE_COUNT),
	TOPOLOGY_KEY("hosts", hosts, VALUE_COUNT),
	TOPOLOGY_KEY("rate", rate, VALUE_RATE),
	TOPOLOGY_KEY("uplink", uplink, VALUE_RATE),
	TOPOLOGY_KEY("delay", delay, VALUE_SPAN),
	TOPOLOGY_KEY("jitter", jitter, VALUE_SPAN),
	TOPOLOGY_KEY("queue", queue, VALUE_SIZE),
	TOPOLOGY_KEY("ecn", no_ecn, VALUE_NO),
	TOPOLOGY_KEY("ecn_min", ecn_min, VALUE_SIZE),
	TOPOLOGY_KEY("ecn_max", ecn_max, VALUE_SIZE),
	TOPOLOGY_KEY("trim", trim, VALUE_YES),
	TOPOLOGY_KEY("loss", loss, VALUE_COUNT),
	TOPOLOGY_KEY("reroute", reroute, VALUE_SPAN),
	TOPOLOGY_KEY("failures", failures, VALUE_FAILURES),
	{NULL, 0, VALUE_KIND},
};

#define FAILURE_KEY(name, member, value)                             \
	{                                                            \
		name, offsetof(struct fabric_failure, member), value \
	}

static const struct fabric_key failure_keys[] = {
	FAILURE_KEY("leaf", leaf, VALUE_COUNT),
	FAILURE_KEY("spine", spine, VALUE_COUNT),
	FAILURE_KEY("at", at, VALUE_SPAN),
	FAILURE_KEY("until", until, VALUE_SPAN),
	{NULL, 0, VALUE_KIND},
};

/* ---- Values ---- */

/* Parses digits, and returns what follows them; NULL: no number. */
static const char *fabric_digits(const char *s, uint64_t *ret)
{
	char *end;

	if (*s < '0' || *s > '9')
		return NULL;
	*ret = strtoull(s, &end, 10);
	return *ret < (uint64_t)1 << 40 ? end : NULL;
}

static bool fabric_file_count(const char *s, uint32_t *ret)
{
	uint64_t n = 0;
	const char *unit = fabric_digits(s, &n);

	*ret = (uint32_t)n;
	return unit && !*unit && n <= UINT32_MAX;
}

bool fabric_file_size(const char *s, uint64_t *ret)
{
	static const char units[] = "kMG";
	const char *unit = fabric_digits(s, ret), *at;
	unsigned shift;

	if (!unit)
		return false;
	if (!*unit)
		return true;
	at = strchr(units, *unit);
	if (!at || unit[1])
		return false;
	shift = 10 * (unsigned)(at - units + 1);
	if (*ret > UINT64_MAX >> shift)
		return false;
	*ret <<= shift;
	return true;
}

static bool fabric_size(const char *s, uint32_t *ret)
{
	uint64_t n;

	if (!fabric_file_size(s, &n) || n > INT32_MAX)
		return false;
	*ret = (uint32_t)n;
	return true;
}

static bool fabric_rate(const char *s, uint32_t *ret)
{
	uint64_t n;
	const char *unit = fabric_digits(s, &n);

	if (!unit || (strcmp(unit, "G") != 0 && strcmp(unit, "M") != 0))
		return false;
	if (*unit == 'G')
		n *= 1000;
	*ret = (uint32_t)n;
	return n && n <= 10000000;
}

/* Unlike the options, a file may say 0 and needs a unit. */
static bool fabric_span(const char *s, vspan *ret)
{
	static const struct {
		const char *name;
		vspan span;
	} units[] = {
		{"ns", 1}, {"us", VSPAN_US}, {"ms", VSPAN_MS}, {"s", VSPAN_S}};
	uint64_t n;
	const char *unit = fabric_digits(s, &n);

	for (size_t i = 0; unit && i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(unit, units[i].name) == 0) {
			if (n > (uint64_t)(3600 * VSPAN_S / units[i].span))
				return false;
			*ret = (vspan)n * units[i].span;
			return true;
		}
	return false;
}

static bool fabric_word(const char *s, const char *const *words, int n,
			int *ret)
{
	for (*ret = 0; *ret < n; ++*ret)
		if (strcmp(s, words[*ret]) == 0)
			return true;
	return false;
}

static int fabric_failures(struct yaml_file *f, const yaml_node_t *node,
			   struct fabric_topology *t);

/* Reads a value into |to|. */
static int fabric_value(struct yaml_file *f, const struct fabric_key *key,
			const yaml_node_t *node, void *to)
{
	static const char *const kinds[] = {"leaf-spine", "rail", "dumbbell"};
	static const char *const truth[] = {"no", "yes"};
	const char *s = yaml_file_scalar(node);
	int word;

	if (key->value == VALUE_FAILURES)
		return fabric_failures(f, node, to);
	to = (char *)to + key->at;
	if (!s)
		return yaml_file_bad(f, node, "'%s' must be one value",
				     key->name);
	switch (key->value) {
	case VALUE_KIND:
		if (!fabric_word(s, kinds, 3, &word))
			break;
		*(enum fabric_kind *)to = (enum fabric_kind)word;
		return 0;
	case VALUE_COUNT:
		if (fabric_file_count(s, to))
			return 0;
		break;
	case VALUE_RATE:
		if (fabric_rate(s, to))
			return 0;
		break;
	case VALUE_SIZE:
		if (fabric_size(s, to))
			return 0;
		break;
	case VALUE_SPAN:
		if (fabric_span(s, to))
			return 0;
		break;
	case VALUE_YES:
	case VALUE_NO:
		if (!fabric_word(s, truth, 2, &word))
			break;
		*(bool *)to = word == (key->value == VALUE_YES);
		return 0;
	case VALUE_FAILURES:
		break;
	}
	return yaml_file_bad(
		f, node, "'%.40s' is no value of '%s'; expected %s", s,
		key->name,
		(const char *const[]){
			[VALUE_KIND] = "leaf-spine, rail or dumbbell",
			[VALUE_COUNT] = "a number below 2^32",
			[VALUE_RATE] = "1M to 10000G, such as 500M",
			[VALUE_SIZE] = "a size below 2G, such as 64k",
			[VALUE_SPAN] = "a time up to 3600s, such as "
				       "500ns or 2ms",
			[VALUE_YES] = "yes or no",
			[VALUE_NO] = "yes or no",
		}[key->value]);
}

/* Refuses the unknown key |s|, and names the most similar one. */
static int fabric_no_key(const struct yaml_file *f,
			 const struct fabric_key *keys, const yaml_node_t *name,
			 const char *s)
{
	struct near near;

	near_init(&near, (struct word){s, strlen(s)});
	for (; keys->name; keys++)
		near_offer(&near, keys->name);
	return yaml_file_bad(f, name, "there is no key '%.40s'%.60s", s,
			     near_hint(&near));
}

/* Reads a mapping of |keys| into |to|; |seen| gets a bit for each key. */
static int fabric_mapping(struct yaml_file *f, const struct fabric_key *keys,
			  const yaml_node_t *node, void *to, unsigned *seen)
{
	const yaml_node_pair_t *p = node->data.mapping.pairs.start;
	int err = 0;

	*seen = 0;
	for (; p < node->data.mapping.pairs.top && !err; p++) {
		const yaml_node_t *name = yaml_file_node(f, p->key);
		const char *s = yaml_file_scalar(name);
		unsigned i = 0;

		if (!s)
			return yaml_file_bad(f, name,
					     "expected the name of a key");
		while (keys[i].name && strcmp(keys[i].name, s) != 0)
			i++;
		if (!keys[i].name)
			return fabric_no_key(f, keys, name, s);
		if (*seen & 1u << i)
			return yaml_file_bad(f, name, "'%s' stands twice", s);
		*seen |= 1u << i;
		err = fabric_value(f, &keys[i], yaml_file_node(f, p->value),
				   to);
	}
	return err;
}

static int fabric_failures(struct yaml_file *f, const yaml_node_t *node,
			   struct fabric_topology *t)
{
	const yaml_node_item_t *i;

	if (node->type != YAML_SEQUENCE_NODE)
		return yaml_file_bad(f, node, "'failures' must be a list");
	for (i = node->data.sequence.items.start;
	     i < node->data.sequence.items.top; i++) {
		const yaml_node_t *item = yaml_file_node(f, *i);
		struct fabric_failure one = {.until = VTIME_NEVER};
		unsigned seen;
		int err;

		if (item->type != YAML_MAPPING_NODE)
			return yaml_file_bad(f, item,
					     "a failure must be a mapping");
		if (t->nfailures == FABRIC_FAILURES)
			return yaml_file_bad(f, item,
					     "there are more than %d failures",
					     FABRIC_FAILURES);
		err = fabric_mapping(f, failure_keys, item, &one, &seen);
		if (err)
			return err;
		if ((seen & 7) != 7)
			return yaml_file_bad(f, item,
					     "a failure needs 'leaf', "
					     "'spine' and 'at'");
		t->failures[t->nfailures++] = one;
	}
	return 0;
}

static int fabric_root(struct yaml_file *f, const yaml_node_t *root, void *arg)
{
	struct fabric_topology *ret = arg;
	unsigned seen;
	int err;

	if (root->type != YAML_MAPPING_NODE)
		return yaml_file_bad(
			f, root, "expected a mapping with the key 'topology'");
	err = fabric_mapping(f, topology_keys, root, ret, &seen);
	if (!err && !(seen & 1))
		err = yaml_file_bad(f, root, "the file has no 'topology'");
	if (!err && ret->kind == FABRIC_DUMBBELL && !(seen & 2))
		ret->leaves = 2;
	return err;
}

int fabric_file_parse(struct fabric_topology *ret, const char *path,
		      const char *text, size_t len, struct diag *diag)
{
	struct yaml_file f = {
		.path = path, .text = text, .len = len, .diag = diag};

	return yaml_file_read(&f, fabric_root, ret);
}
