/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/reach/transition.h -- the transitions of a context, as both
 * ends can tell them from the packets of the link.
 *
 * A transition is a packet in a state: who sent it, its type, its flags and
 * codes, where its number lies in the window, and the states of the context
 * before and after it.  A context is a PDC, a context of SRD or a QP.  Nothing
 * is read from a device, so that a live one has the same transitions as a
 * virtual one.
 *
 * The types come from the words of the packet format, flags and codes from the
 * header tables.  One list (transition_rules.c) says which states such a packet
 * may lead from and to: the possible transitions.
 */
#ifndef SUITE_EXPLORE_REACH_TRANSITION_H
#define SUITE_EXPLORE_REACH_TRANSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "suite/explore/draft.h"
#include "suite/verdict/record.h"

/* The state of a context, as its packets show it. */
enum context_state {
	CONTEXT_NONE,    /* no packet of it has arrived */
	CONTEXT_OPENING, /* its first request is not answered */
	CONTEXT_IDLE,    /* every request is answered */
	CONTEXT_BUSY,    /* a request is not answered */
	CONTEXT_HOLE,    /* the newest refusal is not repaired */
	CONTEXT_CLOSING, /* one end closes it */
	CONTEXT_CLOSED,
	CONTEXT_STATES,
};

/* The place of a packet's number in the window. */
enum number_place {
	PLACE_NONE,   /* it has none */
	PLACE_FIRST,  /* of its direction */
	PLACE_NEXT,   /* one more than the newest */
	PLACE_GAP,    /* later, within PLACE_WINDOW */
	PLACE_BEYOND, /* later than that */
	PLACE_OPEN,   /* a request that is not answered */
	PLACE_DONE,   /* an older one */
	PLACE_STALE,  /* older by more than PLACE_WINDOW */
	PLACES,
};

#define PLACE_WINDOW 128

#define TRANSITION_TYPES  32
#define TRANSITION_FIELDS 8
#define TRANSITION_VALUES 32  /* of a code */
#define TRANSITION_KINDS  320 /* types with flags and codes, of a transport */

/* The effect of a packet on a context. */
enum transition_class {
	CLASS_REQUEST,
	CLASS_SYN, /* a request that opens the context */
	CLASS_ANSWER,
	CLASS_REFUSAL, /* the requester may send the request again */
	CLASS_FATAL,   /* a refusal that ends the context */
	CLASS_CLOSE,
	CLASS_CONTROL,
	CLASSES,
};

/* A type of packet and the fields that make its kinds. */
struct transition_type {
	const char *word;
	uint16_t base; /* number of its first kind */
	uint16_t kinds;
	uint8_t nfields;
	const struct field *field[TRANSITION_FIELDS];
	uint8_t values[TRANSITION_FIELDS];
	uint8_t section[TRANSITION_FIELDS]; /* of the packet */
};

/* The meaning of a packet's number. */
enum transition_number {
	NUMBER_TAKES, /* its own, or that of what it answers */
	NUMBER_NAMES, /* that of another packet */
	NUMBER_NONE,  /* of no meaning */
};

/* The kinds of packets of a transport. */
struct transition_table {
	struct transition_type types[TRANSITION_TYPES];
	unsigned ntypes, kinds;
	uint8_t class[TRANSITION_KINDS];  /* enum transition_class */
	bool asks[TRANSITION_KINDS];      /* its flag ar is set */
	bool again[TRANSITION_KINDS];     /* its flag retx is set */
	uint8_t code[TRANSITION_KINDS];   /* nack_code, or ctl_type */
	uint8_t number[TRANSITION_KINDS]; /* enum transition_number */
};

struct transition {
	enum chair chair; /* of the device */
	bool from_device;
	uint16_t kind;
	enum number_place place;
	enum context_state before, after;
};

#define TRANSITION_PLACES (PLACES * CONTEXT_STATES * CONTEXT_STATES)
#define TRANSITIONS \
	((size_t)CHAIR_COUNT * 2 * TRANSITION_KINDS * TRANSITION_PLACES)

/* The transitions of a transport that runs have reached. */
struct transition_set {
	struct transition_table table;
	bool made;
	uint8_t set[(TRANSITIONS + 7) / 8];
	size_t beyond; /* reached, and not possible by the rules */
};

struct transition_counts {
	size_t possible, reached;
};

/* transition_table makes the kinds of a transport. */
void transition_table(struct transition_table *ret, enum draft_subject s);

/*
 * transition_kind finds the kind of a packet.
 * Return: false: the table has none, since a code has no name.
 */
bool transition_kind(const struct transition_table *t, const struct packet *pkt,
		     unsigned *ret);

/* transition_possible returns whether the rules allow a transition. */
bool transition_possible(const struct transition_table *t, enum draft_subject s,
			 const struct transition *x);

/* The numbers of one end's requests. */
struct transition_side {
	uint32_t newest;
	bool any;
	/* those that are not answered; what does not fit is left out */
	uint32_t open[64];
	unsigned nopen;
	uint32_t done[16]; /* of RUDI, whose numbers have no order */
	unsigned ndone;
};

struct transition_context {
	struct transition_side side[2]; /* the tester, the device */
	bool begun, opened, hole, closing, closed;
	uint32_t close; /* number of the packet that closes it */
};

/* The contexts of a run, as its packets show them. */
struct transition_run {
	struct transition_set *set;
	enum draft_subject subject;
	enum chair chair;
	struct transition_context contexts[RECORD_PDCS];
};

/* transition_begin begins a run of a transport in a chair. */
void transition_begin(struct transition_run *run, struct transition_set *t,
		      enum draft_subject s, enum chair chair);

/*
 * transition_step takes the next packet of a run, which arrived at the device
 * or left it.  |number| is NULL if it has none.
 * Return: whether the transition is possible and new.
 */
bool transition_step(struct transition_run *run, const struct packet *pkt,
		     bool from_device, unsigned context,
		     const uint32_t *number);

/* transition_count counts those of a chair. */
void transition_count(const struct transition_set *t, enum draft_subject s,
		      enum chair chair, struct transition_counts *ret);

/*
 * transition_left finds the next possible transition of a chair that no run
 * reached, from |*at| on, which begins as 0.
 * Return: false: there is none.
 */
bool transition_left(const struct transition_set *t, enum draft_subject s,
		     enum chair chair, size_t *at, struct transition *ret);

/* transition_print appends "busy: device ack req=clear open -> idle". */
void transition_print(const struct transition_table *t,
		      const struct transition *x, struct text *ret);

#endif
