/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/reach/transition_rules.c -- which transitions are possible: the
 * one list of what a packet may do to a context.
 */
#include "suite/explore/reach/transition.h"

#include "wire/uet/uet_pds.h"

#define S(state) (1u << CONTEXT_##state)
#define P(place) (1u << PLACE_##place)

#define OPENED    (S(IDLE) | S(BUSY) | S(HOLE))
#define FOLLOWING (P(NEXT) | P(GAP))
#define KNOWN     (P(OPEN) | P(DONE))
#define FAR       (P(BEYOND) | P(STALE))
#define NUMBERED  (FOLLOWING | KNOWN | FAR)

/* A packet of a class, at these places, leads from |before| to |after|. */
static const struct {
	enum transition_class class;
	unsigned places, before, after; /* after 0: the state remains */
} rules_of[] = {
	{CLASS_SYN, P(FIRST) | FOLLOWING | KNOWN, S(NONE) | S(CLOSED),
	 S(OPENING)},
	{CLASS_SYN, FOLLOWING | P(OPEN), S(OPENING), 0},
	{CLASS_SYN, P(DONE), OPENED, 0},
	{CLASS_SYN, FOLLOWING, S(IDLE) | S(BUSY), S(BUSY)},

	{CLASS_REQUEST, P(FIRST) | FOLLOWING, S(IDLE) | S(BUSY), S(BUSY)},
	{CLASS_REQUEST, P(FIRST) | FOLLOWING, S(HOLE), 0},
	{CLASS_REQUEST, P(OPEN), S(BUSY) | S(HOLE), S(BUSY)},
	{CLASS_REQUEST, P(DONE) | FAR, OPENED, 0},
	{CLASS_REQUEST, P(NEXT) | KNOWN, S(CLOSING) | S(CLOSED), 0},
	{CLASS_REQUEST, FOLLOWING | P(OPEN), S(OPENING), 0},

	{CLASS_ANSWER, P(OPEN), S(OPENING) | S(BUSY), S(IDLE) | S(BUSY)},
	{CLASS_ANSWER, P(OPEN), S(HOLE), S(IDLE) | S(HOLE)},
	{CLASS_ANSWER, P(OPEN), S(CLOSING), S(CLOSING) | S(CLOSED)},
	{CLASS_ANSWER, P(DONE), OPENED | S(CLOSING) | S(CLOSED), 0},
	{CLASS_ANSWER, P(DONE), S(BUSY), S(IDLE)},      /* a cumulative one */
	{CLASS_ANSWER, P(NONE), OPENED | S(CLOSED), 0}, /* to a probe */
	{CLASS_ANSWER, P(OPEN), S(CLOSED), 0},

	{CLASS_REFUSAL, P(FIRST), S(NONE), 0},
	{CLASS_REFUSAL, P(OPEN), S(OPENING) | S(CLOSING), 0},
	{CLASS_REFUSAL, P(OPEN), S(BUSY) | S(HOLE), S(HOLE)},
	{CLASS_REFUSAL, P(DONE), OPENED | S(CLOSING) | S(CLOSED), 0},
	{CLASS_REFUSAL, FAR | FOLLOWING, OPENED, 0},

	{CLASS_FATAL, KNOWN, S(OPENING) | OPENED | S(CLOSING) | S(CLOSED),
	 S(CLOSED)},

	{CLASS_CLOSE, FOLLOWING, S(IDLE), S(CLOSING)},
	{CLASS_CLOSE, P(OPEN), S(CLOSING), 0},
	{CLASS_CLOSE, P(DONE), S(CLOSED), 0},

	{CLASS_CONTROL, P(NONE) | FOLLOWING | KNOWN, OPENED | S(CLOSING), 0},
	{CLASS_CONTROL, P(FIRST) | FOLLOWING, S(IDLE), S(BUSY)},
};

enum rules_by { BY_INITIATOR = 1, BY_TARGET, BY_BOTH };

/* Control packets: who sends one. */
static const struct {
	enum pds_ctl_type type;
	enum rules_by by;
} rules_control[] = {
	{PDS_CP_NOOP, BY_BOTH},
	{PDS_CP_ACK_REQUEST, BY_BOTH},
	{PDS_CP_CLEAR_COMMAND, BY_BOTH},
	{PDS_CP_CLEAR_REQUEST, BY_TARGET},
	{PDS_CP_CLOSE_REQUEST, BY_TARGET},
	{PDS_CP_PROBE, BY_INITIATOR},
	{PDS_CP_CREDIT, BY_TARGET},
	{PDS_CP_CREDIT_REQUEST, BY_INITIATOR},
	{PDS_CP_NEGOTIATION, BY_INITIATOR},
};

/*
 * NACKs of a device: where it sends a code (table 3-59).  A code that has no
 * row is an exception of a tester.  A tester may send every code for each
 * request.
 */
static const struct {
	enum pds_nack_code code;
	unsigned places, before;
} rules_nack[] = {
	{NACK_TRIMMED, P(OPEN), S(OPENING) | S(BUSY) | S(HOLE)},
	{NACK_TRIMMED_LASTHOP, P(OPEN), S(OPENING) | S(BUSY) | S(HOLE)},
	{NACK_TRIMMED_ACK, P(OPEN), S(BUSY) | S(HOLE)},
	{NACK_NO_PDC_AVAIL, P(OPEN), S(OPENING)},
	{NACK_NO_CCC_AVAIL, P(OPEN), S(OPENING)},
	{NACK_NO_BITMAP, P(OPEN), S(OPENING) | S(BUSY) | S(HOLE)},
	{NACK_NO_PKT_BUFFER, P(OPEN), S(OPENING) | S(BUSY) | S(HOLE)},
	{NACK_NO_GTD_DEL_AVAIL, P(OPEN), S(OPENING) | S(BUSY) | S(HOLE)},
	{NACK_NO_SES_MSG_AVAIL, P(OPEN), S(OPENING) | S(BUSY) | S(HOLE)},
	{NACK_NO_RESOURCE, P(OPEN), S(OPENING) | S(BUSY) | S(HOLE)},
	{NACK_PSN_OOR_WINDOW, FAR, OPENED | S(CLOSING) | S(CLOSED)},
	{NACK_ROD_OOO, P(OPEN), S(BUSY) | S(HOLE)},
	{NACK_INV_DPDCID, NUMBERED, OPENED | S(CLOSING) | S(CLOSED)},
	{NACK_PDC_HDR_MISMATCH, NUMBERED, OPENED | S(CLOSING) | S(CLOSED)},
	{NACK_CLOSING, P(OPEN), S(CLOSING)},
	{NACK_PKT_NOT_RCVD, FOLLOWING | P(OPEN), OPENED},
	{NACK_GTD_RESP_UNAVAIL, KNOWN, OPENED},
	{NACK_INVALID_SYN, P(OPEN), S(OPENING) | S(BUSY)},
	{NACK_PDC_MODE_MISMATCH, NUMBERED, OPENED},
	{NACK_NEW_START_PSN, P(OPEN), S(OPENING)},
	{NACK_CLOSING_IN_ERR, P(OPEN), OPENED | S(CLOSING)},
	{NACK_ACK_WITH_DATA, P(DONE), OPENED},
	{NACK_UNEXP_EVENT, FOLLOWING | KNOWN, OPENED},
	{NACK_RCVD_SES_PROCG, KNOWN, S(BUSY) | S(HOLE)},
	{NACK_RCVR_INFER_LOSS, FOLLOWING | KNOWN, OPENED},
};

/* The senders of a class, by transport, and the packet that opens it. */
static const struct {
	bool opens;     /* by a packet with syn; else by any request */
	bool numbered;  /* its requests have numbers, and answers */
	unsigned both;  /* classes that either end sends */
	unsigned first; /* classes of the initiator */
} rules_transport[DRAFT_SUBJECTS] = {
#define C(class) (1u << CLASS_##class)
#define ANSWERS  (C(ANSWER) | C(REFUSAL) | C(FATAL))
	/* a target opens a PDC of its own to read a body */
	[DRAFT_RUD] = {true, true, ANSWERS | C(SYN) | C(REQUEST) | C(CONTROL),
		       C(CLOSE)},
	[DRAFT_ROD] = {true, true, ANSWERS | C(SYN) | C(REQUEST) | C(CONTROL),
		       C(CLOSE)},
	[DRAFT_RUDI] = {false, true, 0, C(REQUEST)},
	[DRAFT_UUD] = {false, false, 0, C(REQUEST)},
	[DRAFT_SRD] = {true, true, 0, C(SYN) | C(REQUEST) | C(CLOSE)},
	[DRAFT_WQE] = {false, true, 0, C(REQUEST)},
	[DRAFT_ROCE] = {false, true, 0, C(REQUEST)},
};

static bool rules_initiator(const struct transition *x)
{
	return (x->chair == CHAIR_INITIATOR) == x->from_device;
}

static bool rules_sender(enum draft_subject s, const struct transition *x,
			 unsigned class)
{
	if (rules_transport[s].both & class)
		return true;
	return rules_initiator(x) == ((rules_transport[s].first & class) != 0);
}

static bool rules_sends_control(const struct transition_table *t,
				const struct transition *x)
{
	const size_t n = sizeof(rules_control) / sizeof(rules_control[0]);
	const bool fresh = !(1u << x->place & (KNOWN | FAR));
	size_t i = 0;

	while (i < n && rules_control[i].type != t->code[x->kind])
		i++;
	if (i == n || !(rules_control[i].by &
			(rules_initiator(x) ? BY_INITIATOR : BY_TARGET)))
		return false;
	if (t->number[x->kind] == NUMBER_NONE)
		return x->place == PLACE_NONE && !t->again[x->kind];
	if (t->number[x->kind] == NUMBER_NAMES
		    ? x->after != x->before || fresh
		    : x->place == PLACE_NONE || !t->asks[x->kind])
		return false;
	return !t->again[x->kind] || !fresh;
}

static bool rules_sends_nack(const struct transition_table *t,
			     enum draft_subject s, const struct transition *x)
{
	const uint8_t code = t->code[x->kind];

	if (code == NACK_ROD_OOO && s != DRAFT_ROD)
		return false;
	if (!x->from_device)
		return 1u << x->place & KNOWN;
	for (size_t i = 0; i < sizeof(rules_nack) / sizeof(rules_nack[0]); i++)
		if (rules_nack[i].code == code)
			return rules_nack[i].places >> x->place & 1 &&
			       rules_nack[i].before >> x->before & 1;
	return false;
}

/*
 * A device sends its numbers in order.  The data of a read takes numbers of
 * its requester, in the transports that begin with a BTH.
 */
static bool rules_orderly(enum draft_subject s, unsigned class,
			  const struct transition *x)
{
	const bool leaps = s == DRAFT_WQE || s == DRAFT_ROCE;
	const unsigned far = leaps ? FAR : FAR | P(GAP);

	return class == CLASS_ANSWER || class == CLASS_REFUSAL ||
	       class == CLASS_FATAL || !x->from_device ||
	       !(1u << x->place & far);
}

/* A packet of read data, which answers and takes the next number. */
static bool rules_read_data(enum draft_subject s, const struct transition *x)
{
	return (s == DRAFT_WQE || s == DRAFT_ROCE) && x->place == PLACE_NEXT &&
	       (x->after == CONTEXT_IDLE ||
		(x->after == x->before && 1u << x->before & OPENED)) &&
	       1u << x->before & OPENED;
}

/* The first request opens a context that has no SYN. */
static bool rules_unopened(enum draft_subject s, const struct transition *x)
{
	if (rules_transport[s].numbered)
		return x->place == PLACE_FIRST && x->before == CONTEXT_NONE &&
		       x->after == CONTEXT_BUSY;
	return x->place == PLACE_NONE && x->after == CONTEXT_IDLE &&
	       (x->before == CONTEXT_NONE || x->before == CONTEXT_IDLE);
}

/* Only a request that was sent before has retx. */
static bool rules_kind(const struct transition_table *t, enum draft_subject s,
		       const struct transition *x)
{
	const bool known = x->place == PLACE_OPEN || x->place == PLACE_DONE;

	switch (t->class[x->kind]) {
	case CLASS_REQUEST:
	case CLASS_SYN:
	case CLASS_CLOSE:
		return known || !t->again[x->kind];
	case CLASS_CONTROL:
		return rules_sends_control(t, x);
	case CLASS_REFUSAL:
	case CLASS_FATAL:
		return draft_family(s) != FAMILY_UET ||
		       rules_sends_nack(t, s, x);
	default:
		return true;
	}
}

bool transition_possible(const struct transition_table *t, enum draft_subject s,
			 const struct transition *x)
{
	const unsigned class = t->class[x->kind];
	const unsigned after = 1u << x->after;

	if (!rules_sender(s, x, 1u << class) || !rules_kind(t, s, x) ||
	    !rules_orderly(s, class, x))
		return false;
	if (class == CLASS_REQUEST && !rules_transport[s].opens &&
	    rules_unopened(s, x))
		return true;
	if (class == CLASS_ANSWER && rules_read_data(s, x))
		return true;
	if (!rules_transport[s].numbered)
		return false;
	for (size_t i = 0; i < sizeof(rules_of) / sizeof(rules_of[0]); i++) {
		const unsigned to = rules_of[i].after;

		if (rules_of[i].class == class &&
		    rules_of[i].places >> x->place & 1 &&
		    rules_of[i].before >> x->before & 1 &&
		    (to ? (to & after) != 0 : x->after == x->before))
			return true;
	}
	return false;
}
