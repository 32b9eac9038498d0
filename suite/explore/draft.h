/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft.h -- a case that is drafted from choices.
 *
 * A draft consists of moves.  A move is a short exchange that the
 * specification defines: a request that is lost and repaired, a refusal, a
 * clear, a packet that belongs to no PDC.  Moves follow one another in any
 * order, so that each begins in the state that the others left.  A move writes
 * lines of a case and what each device must answer; no line comes from the
 * oracle.
 */
#ifndef SUITE_EXPLORE_DRAFT_H
#define SUITE_EXPLORE_DRAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "judge/req.h"
#include "suite/explore/choices.h"
#include "suite/lang/case.h"
#include "wire/family.h"

#define DRAFT_MOVES    12 /* of a draft, at most */
#define DRAFT_NEEDS    24
#define DRAFT_VIOLATES 32
#define DRAFT_SENT     32
#define DRAFT_FWD      100 /* figure's number of the first request */
#define DRAFT_RET      500 /* figure's number of the first return packet */
#define DRAFT_RC       10  /* first PSN of a connection */
#define DRAFT_VALUES   256 /* numbers that a draft draws, at most */
#define DRAFT_WANTS    64  /* of a plan */
#define DRAFT_CLASSES  16  /* more numbers make three classes */

/* Slots of a draft are its opening, 0, and its moves, from 1 on. */
#define DRAFT_NO_SLOT 0xff
/* Places of the opening that are rules of the network, not its own. */
#define DRAFT_PLACE_SPRAY 62
#define DRAFT_PLACE_MARK  63
#define DRAFT_PLACES      64

enum draft_subject {
	DRAFT_RUD,
	DRAFT_ROD,
	DRAFT_RUDI,
	DRAFT_UUD,
	DRAFT_SRD,
	DRAFT_WQE,
	DRAFT_ROCE,
	DRAFT_SUBJECTS,
};

/* The words of the subjects: "rud", "srd", ... */
const char *draft_subject_name(enum draft_subject s);

/* A request that the DUT has acknowledged. */
struct draft_sent {
	uint32_t psn;
	unsigned mid;
};

/*
 * A number that a slot drew: a length, a code, a first PSN.  Its place is the
 * number of the draw in its slot.  Each of at most DRAFT_CLASSES numbers is a
 * class; of more there are the least, those between, and the greatest.
 */
struct draft_value {
	uint8_t slot, place;
	uint8_t classes, class;
	uint8_t len;      /* of |word| */
	const char *word; /* what was drawn; NULL: it has no name */
};

/* A class that is wanted. */
struct draft_want {
	uint8_t slot, place, class;
};

struct draft {
	struct choices *c;
	enum draft_subject subject;
	enum chair chair;
	struct text body; /* lines below the chair */

	/* The position of each move in the log, and the end of the last one. */
	size_t move_at[DRAFT_MOVES + 1];
	size_t text_at[DRAFT_MOVES + 1]; /* the same in |body| */
	size_t nmoves;
	size_t close_at; /* position of the choice of closing lines */
	size_t used;     /* choices of the log that were read */
	/* what was chosen, numbered as in struct draft_plan */
	unsigned open_option, move_option[DRAFT_MOVES];
	/* what they drew */
	struct draft_value values[DRAFT_VALUES];
	size_t nvalues;
	uint8_t slot, places; /* of the next number */
	bool boundary;  /* the draft tries a boundary value, and no moves */
	unsigned value; /* its number (boundary/boundary.h) */
	const struct draft_plan *plan; /* what to draw; NULL: anything */

	char needs[DRAFT_NEEDS][24];
	size_t nneeds;
	/* rules that the tester breaks, with a role: "UET-PDC-23/src" */
	char violates[DRAFT_VIOLATES][32];
	size_t nviolates;

	/* the state that the moves share */
	uint32_t psn; /* next request, as the figure numbers it */
	uint32_t ret; /* next return packet */
	unsigned mid; /* next message id */
	unsigned op;  /* posts so far */
	unsigned sym; /* symbols so far */
	struct draft_sent sent[DRAFT_SENT];
	size_t nsent;
	/* a setting of the device that the opening makes; NULL: it draws one */
	const char *setting;
	/* every PDC begins at one PSN, so that none may follow another */
	bool start_set;
	bool began;        /* a script made the opening, and may stand alone */
	bool whole_memory; /* a move needs all that the device declares */
	bool mixed;        /* a message went to a buffer, not to memory */
	bool over;         /* the PDC, context or connection has ended */
	bool no_close;     /* the closing fragment does not apply */
};

/* A move and how it is chosen. */
struct draft_move {
	const char *title; /* a sentence: what happens */
	unsigned weight;
	void (*write)(struct draft *d);
};

struct draft_script; /* suite/explore/script/script.h */

/* The moves of a subject in a chair, and the lines around them. */
struct draft_kind {
	void (*open)(struct draft *d);
	void (*close)(struct draft *d);
	const struct draft_move *moves; /* ends with a weight of 0 */
	/* moves that are written as lines, and those that begin a case */
	const struct draft_script *scripts, *firsts; /* may be NULL */
};

/* draft_line appends a line below the chair. */
__attribute__((format(printf, 2, 3))) void draft_line(struct draft *d,
						      const char *fmt, ...);

/* draft_need records a capability that the draft needs. */
void draft_need(struct draft *d, const char *word);

/* draft_violates records a rule that the tester breaks, "UET-PDC-23/src". */
void draft_violates(struct draft *d, const char *rule);

/*
 * draft_violates_told records that the tester retransmits a PSN of a PDC after
 * the device has acknowledged it.
 */
void draft_violates_told(struct draft *d);

/* draft_keep remembers a request that was acknowledged. */
void draft_keep(struct draft *d, uint32_t psn, unsigned mid);

/* draft_size draws a length of payload near one of the boundaries. */
const char *draft_size(struct draft *d);

/* draft_draw draws from 0 to n-1. */
uint32_t draft_draw(struct draft *d, uint32_t n);

/*
 * draft_word draws one of |n| words.  Equal ones are one value, and NULL is one
 * as well.
 */
const char *draft_word(struct draft *d, const char *const *words, unsigned n);

/*
 * draft_setting draws one of |n| settings.  Return: the setting of the opening,
 * or if it has none the one that was drawn, which may be NULL.
 */
const char *draft_setting(struct draft *d, const char *const *words,
			  unsigned n);

/* draft_names names the number that was drawn last. */
void draft_names(struct draft *d, const char *word, size_t len);

/* draft_drew records class |class| of |classes| at a place of the slot. */
void draft_drew(struct draft *d, unsigned place, unsigned classes,
		unsigned class);

/* draft_wants returns the class that the plan wants at a place; -1: any. */
int draft_wants(const struct draft *d, unsigned place);

/* draft_value_name writes the word of a value, or "draw 2 = 1". */
void draft_value_name(const struct draft_value *v, char ret[48]);

/*
 * draft_waits returns true if a line of a move waits for a timer, or for a
 * packet that may not come.  Move |nmoves| is the opening, and |nmoves| + 1
 * the closing lines.
 */
bool draft_waits(const struct draft *d, size_t move);

/*
 * draft_configures returns true if the device is configured with |word|,
 * "mpr=1".
 */
bool draft_configures(const struct draft *d, const char *word);

/*
 * draft_setting_of writes the word of a setting that the device is configured
 * with, "mpr=1" for "mpr".  Return: false: it is not, or |ret| is too small.
 */
bool draft_setting_of(const struct draft *d, const char *key, char *ret,
		      size_t size);

/* draft_free frees the text of a draft. */
void draft_free(struct draft *d);

/*
 * An opening and moves that are wanted, by their numbers: of an opening, 0 is
 * the default and the scripts follow; of moves, the scripts follow the
 * functions.
 */
struct draft_plan {
	enum draft_subject subject;
	enum chair chair;
	unsigned open;
	unsigned moves[DRAFT_MOVES];
	unsigned n;
	bool boundary; /* a boundary value, in place of an opening and moves */
	unsigned value;
	struct draft_want wants[DRAFT_WANTS]; /* of other places any number */
	unsigned nwants;
};

/*
 * draft_options returns how many openings and moves a subject has in a chair.
 */
void draft_options(enum draft_subject s, enum chair chair, unsigned *ret_opens,
		   unsigned *ret_moves);

#define DRAFT_TITLE   120       /* size of a title */
#define DRAFT_DEFAULT "default" /* stands for the title of that opening */

/*
 * draft_option_title returns the title of an opening or a move; NULL: of the
 * opening by default.
 */
const char *draft_option_title(enum draft_subject s, enum chair chair,
			       bool open, unsigned option);

/* draft_option_fits returns false if an option is not for a transport. */
bool draft_option_fits(enum draft_subject s, enum chair chair, bool open,
		       unsigned option);

/*
 * draft_members writes the titles of the opening and the moves of a draft, with
 * the values that are not the simplest; or its boundary value.
 */
void draft_members(const struct draft *d, char *ret, size_t size);

/* The head lines of a case. */
struct draft_head {
	const char *title;
	const char *ref;
	enum req_id covers; /* REQ_NONE: none */
};

/* draft_text writes the whole case file. */
void draft_text(const struct draft *d, const struct draft_head *head,
		struct text *t);

/*
 * draft_text_read writes the same case for a reader: each move has its title as
 * a comment above it, and no line is longer than 100 columns if it has a blank.
 */
void draft_text_read(const struct draft *d, const struct draft_head *head,
		     struct text *t);

/*
 * draft_title writes the title of the last move, or else of the opening, or the
 * boundary value.
 */
void draft_title(const struct draft *d, char ret[DRAFT_TITLE]);

/* draft_family returns the family of a subject. */
enum family draft_family(enum draft_subject s);

/* draft_kind_of returns the moves of a subject in a chair. */
const struct draft_kind *draft_kind_of(enum draft_subject s, enum chair c);

/* The moves of each subject, target and initiator. */
extern const struct draft_kind draft_target;    /* of RUD and ROD */
extern const struct draft_kind draft_initiator; /* of RUD and ROD */
extern const struct draft_kind draft_rudi_target, draft_rudi_initiator;
extern const struct draft_kind draft_uud_target, draft_uud_initiator;
extern const struct draft_kind draft_srd_target, draft_srd_initiator;
extern const struct draft_kind draft_wqe_target, draft_wqe_initiator;
extern const struct draft_kind draft_roce_target, draft_roce_initiator;

#endif
