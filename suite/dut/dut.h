/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut.h -- a device under test, as the runner sees it.
 *
 * The runner sends datagrams and control requests, and receives datagrams,
 * answers and events; time passes while it waits.  The virtual DUT
 * (dut_virtual.c) is a reference endpoint in this process, in virtual time; the
 * live one (dut_live.c) is a port and a control channel.
 */
#ifndef SUITE_DUT_DUT_H
#define SUITE_DUT_DUT_H

#include "base/vtime.h"
#include "suite/dut/ctl/ctl.h"
#include "wire/dgram.h"
#include "wire/frame/crc.h"

enum dut_event_kind {
	DUT_TIMEOUT, /* |until| was reached */
	DUT_DGRAM,   /* a datagram arrived */
	DUT_PEER,    /* a datagram of the other endpoint, to be forwarded to the
			DUT */
	DUT_ANSWER,  /* the answer to a control request */
	DUT_EVENT,   /* an event of the SES side */
	DUT_GARBAGE, /* the control channel sent a line that is no message */
	DUT_GONE,    /* the control channel closed or the process ended */
};

struct dut_event {
	enum dut_event_kind kind;
	vtime at; /* time of the event, by the port's clock */
	struct dgram d;
	struct ctl_ans ans;
	struct orc_event ev;
	char text[256]; /* GARBAGE: the line; GONE: how the program ended */
			/*
			 * for a live DUT ev.reason points into ans.error, so do not copy ev
			 * alone
			 */
};

struct dut;

#define DUT_FDS 3 /* most descriptors that a device waits for */

struct dut_ops {
	/*
	 * now returns the time; for the virtual DUT it advances only in next.
	 */
	vtime (*now)(struct dut *);

	/*
	 * send puts a datagram on the link, with the trailer that d->crc names.
	 * d->src and d->dst are filled in.
	 * Errors: ERR_SYS.
	 */
	int (*send)(struct dut *, struct dgram *d);

	/*
	 * forward sends a datagram of the DUT to the other endpoint; NULL
	 * unless the DUT is bridged.  Errors: ERR_SYS.
	 */
	int (*forward)(struct dut *, const struct dgram *d);

	/*
	 * control sends a request; next returns its answer.  Errors:
	 * ERR_SUPPORT there is no control channel; ERR_CLOSED.
	 */
	int (*control)(struct dut *, const struct ctl_req *req);

	/*
	 * next waits until something happens or |until| is reached.
	 * Errors: ERR_SYS.
	 */
	int (*next)(struct dut *, vtime until, struct dut_event *ret);

	/*
	 * awaits tells a caller that has several devices when to call next
	 * again: when one of the descriptors is readable, or at *ret_until.
	 * NULL if the caller cannot wait for this device and another one.
	 *
	 * Shape:  |ret_fds| has room for DUT_FDS; unused ones are -1.
	 */
	void (*awaits)(struct dut *, int *ret_fds, vtime *ret_until);

	/*
	 * tally updates the counts; it may wait briefly for packets of the
	 * tester that have not left yet.
	 */
	void (*tally)(struct dut *);

	/*
	 * use_ip6 gives both ends IPv6 addresses, or takes these back.  NULL:
	 * the addresses are fixed.  Errors: ERR_NOMEM.
	 */
	int (*use_ip6)(struct dut *, bool on);

	/* begin prepares for a new case with its own seed. */
	int (*begin)(struct dut *, uint64_t seed);

	void (*free)(struct dut *);
};

/*
 * Reasons why the tester may not have seen all packets: the key in
 * integrity.json, and the text after a number.
 */
/* clang-format off */
#define DUT_DOUBTS(X)							\
	X(KERNEL_DROPS, "kernel_drops",					\
	  "packets found no room in the tester's kernel")		\
	X(OVERSIZE, "oversize", "packets were too long for the tester")	\
	X(TRUNCATED, "truncated", "frames were captured only in part")	\
	X(DAMAGED, "damaged",						\
	  "packets arrived damaged: IP length, checksum or fragment")	\
	X(BACKWARD, "backward", "timestamps went back")			\
	X(UNSEEN, "unseen",						\
	  "packets of the tester's own were not seen leaving")		\
	X(UNSENT, "unsent",						\
	  "packets of the tester's own found no room in its queue: it "	\
	  "could not send")						\
	X(HELD, "held",							\
	  "packets of the tester's own waited in its queue before they "	\
	  "left")							\
	X(DOUBLED, "doubled",						\
	  "packets came twice, or left twice: the network doubles them") \
	X(MERGED, "merged",						\
	  "frames were longer than the link's MTU: GRO or TSO has merged " \
	  "packets")							\
	X(TOO_LONG, "too_long",						\
	  "packets of the tester's own were longer than the path takes") \
	X(UNREACHABLE, "unreachable",					\
	  "packets of the tester's own found no neighbour to go to")	\
	X(DOWNS, "downs", "times the link went down")
/* clang-format on */

#define DUT_DOUBT_ENUM(id, name, text) DOUBT_##id,
enum dut_doubt { DUT_DOUBTS(DUT_DOUBT_ENUM) DOUBT_COUNT };

const char *dut_doubt_name(enum dut_doubt d);
const char *dut_doubt_text(enum dut_doubt d);

/* Counts of problems below the cases since begin; a virtual DUT has none. */
struct dut_counts {
	/* sent from another source port than requested */
	uint64_t entropy_lost;
	uint64_t foreign;    /* arrived from another address and were ignored */
	uint64_t crc_bad;    /* arrived with a wrong CRC; the trailer is kept */
	uint64_t nic_stamps; /* packets with a time stamp of the NIC, not of the
				kernel */
	uint64_t strays;     /* arrived at a source port, not at the UET port */
	uint64_t unknown_events; /* events of a later version of the channel,
				    which were skipped */
	/*
	 * identical datagrams that the device sent at once, in separate packets
	 */
	uint64_t repeats;
	uint64_t doubt[DOUBT_COUNT];
	vspan starved;      /* time that a device started by rung waited for a
			       processor */
	vspan starved_most; /* the most of it between two looks at it, which
			       follow every wait that ends in vain */
	bool stopped; /* a device on this machine was stopped by a signal */
};

/*
 * How datagrams are encapsulated on the link; begin() sets it from the
 * declaration.
 */
struct dut_link {
	bool crc; /* every datagram ends in the CRC trailer */
	enum crc_order crc_order;
	bool native; /* over IP, without UDP */
	enum icrc_mode icrc;
};

struct dut {
	const struct dut_ops *ops;
	struct dut_link link; /* in this case */
	struct dut_link declared;
	struct ip_addr tester; /* address of the tester's port */
	struct ip_addr peer;   /* address of the DUT */
	bool control;          /* there is a control channel */
	/* there is one that no case may use: --without control */
	bool withheld;
	bool triggered; /* a command starts operations */
	bool bridged; /* another endpoint plays the tester's part; rung forwards
			 its packets */
	bool virtual; /* time is virtual */
	vspan round_trip; /* of a virtual link; 0: unknown */
	bool reference;   /* rung's own endpoint, not a mutant */
	bool frames; /* the link accepts frames that a UDP socket cannot send:
			native form, wrong UDP lengths */
	const volatile bool *stop; /* ends all waits when true; may be NULL */
	vtime end;       /* no wait lasts longer than this; 0: no limit */
	char name[64];   /* the name in its hello; "": it said no hello */
	char verbs[768]; /* the verbs of its hello, separated by spaces */
	struct dut_counts counts;
	struct transcript *transcript; /* of all calls; NULL: none is kept */
};

/* dut_has_verb returns whether the DUT's hello named a verb. */
bool dut_has_verb(const struct dut *d, const char *verb);

#endif
