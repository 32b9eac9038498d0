/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/blame.h -- chooses the requirement that a difference violates.
 *
 * An item names what can differ, CLASS.WORD: "ack.retx", "req.missing",
 * "ses.opcode".  CLASS is a kind of packet or a report, WORD a field of the
 * wire tables or an event.  judge/governs.def lists the items that each
 * requirement governs; a line of a case may list them itself,
 * "[RUD-SEQ-76:ack.cack_psn]".
 */
#ifndef SUITE_VERDICT_BLAME_H
#define SUITE_VERDICT_BLAME_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/req.h"
#include "suite/lang/case.h"

#define BLAME_MAX  16
#define BLAME_ITEM 48

/* The differing items, each once. */
struct blame {
	char item[BLAME_MAX][BLAME_ITEM];
	size_t n;
};

/* Why a row was chosen, the strongest reason first. */
enum blame_by {
	BLAME_BY_LINE,    /* the line names the item for the row */
	BLAME_BY_MONITOR, /* a monitor found it */
	BLAME_BY_COMMON,  /* the catalogue's row for it on all lines */
	BLAME_BY_TABLE,   /* the row is on the line and governs the item */
	BLAME_BY_GENERAL, /* the catalogue's row for items of that kind */
	BLAME_BY_FIRST,   /* no row lists it: the line's first id */
	BLAME_BY_CONTENT, /* the comparison of contents found it */
};

/* blame_by_name returns "line", "monitor", ...; "unknown" for other values. */
const char *blame_by_name(unsigned by);

struct blame_row {
	enum req_id req;
	enum req_role role;
	enum blame_by by;
};

/*
 * blame_class returns the class of a kind of packet: "req" for "rud_cc_req",
 * "ack" for "ack_ccx", otherwise the word itself; "any" for NULL.
 */
const char *blame_class(const char *type);

/* blame_add adds CLASS.WORD; items beyond the array's size are dropped. */
void blame_add(struct blame *b, const char *class, const char *word);
bool blame_has(const struct blame *b, const char *item);

/*
 * blame_names returns whether a list of items, separated by blanks or commas,
 * contains an item; "ack.*" contains all of a class, "any.crc" a word of every
 * class.  NULL contains none.
 */
bool blame_names(const char *items, const char *item);

/* blame_width counts the items of a list; a class as a whole counts as 64. */
size_t blame_width(const char *items);

/*
 * blame_governed returns the list of items that a requirement governs, or NULL.
 */
const char *blame_governed(enum req_id id);

/*
 * blame_items returns that list for an id of a line: the line's own, or the
 * table's.
 */
const char *blame_items(const struct req_ref *ref);

/* The arguments of blame_choose. */
struct blame_of {
	const struct req_ref *refs; /* ids of the line, |n| of them, >= 1 */
	size_t n;
	enum family family;
	enum req_role seat; /* SRC or DST: the role of the DUT */
};

#define BLAME_ROWS 8 /* rows for one item at most */

/*
 * blame_choose chooses the rows that an item violates, by the first of these
 * rules that applies:
 *
 *	1. the ids of the line that name the item;
 *	2. the catalogue's common row of the item;
 *	3. of the ids to which the table gives the item, the one that governs
 *	   least, a must before all others;
 *	4. the catalogue's general row, one of the DUT's role before all others;
 *	5. the first must of the line, or its first id.
 *
 * Return: how many they are, at least 1; all for the same reason.
 */
size_t blame_choose(const struct blame_of *of, const char *item,
		    struct blame_row ret[static BLAME_ROWS]);

#endif
