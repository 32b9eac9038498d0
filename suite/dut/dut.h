/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut.h -- a device under test, as the runner sees it.
 *
 * Datagrams and control requests go in, datagrams, answers and events come out,
 * and time passes while one waits.  The virtual DUT (dut_virtual.c) is a
 * reference endpoint in this process whose time is a number; the live one
 * (dut_live.c) is a port and a control channel.
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
	DUT_PEER,    /* one of the other endpoint's, on its way to the DUT */
	DUT_ANSWER,  /* to a control request */
	DUT_EVENT,   /* of the SES side */
	DUT_GARBAGE, /* the control channel said something that is no message */
	DUT_GONE,    /* the control channel closed or the process ended */
};

struct dut_event {
	enum dut_event_kind kind;
	vtime at; /* when it happened, by the port's clock */
	struct dgram d;
	struct ctl_ans ans;
	struct orc_event ev;
	char text[256]; /* GARBAGE, GONE: the last line, or how it ended */
	/* ev.reason of a live DUT points into ans.error: do not copy it out */
};

struct dut;

struct dut_ops {
	/* now is the time; for the virtual DUT it moves only in next. */
	vtime (*now)(struct dut *);

	/*
	 * send puts a datagram on the link, with the trailer that d->crc names.
	 * d->src and d->dst are filled in.
	 * Errors: ERR_SYS.
	 */
	int (*send)(struct dut *, struct dgram *d);

	/*
	 * forward gives a datagram of the DUT's to the other endpoint; NULL
	 * unless the DUT is bridged.
	 * Errors: ERR_SYS.
	 */
	int (*forward)(struct dut *, const struct dgram *d);

	/*
	 * control sends a request; its answer comes out of next.
	 * Errors: ERR_SUPPORT there is no control channel; ERR_CLOSED.
	 */
	int (*control)(struct dut *, const struct ctl_req *req);

	/*
	 * next waits until something happens or |until| is reached.
	 * Errors: ERR_SYS.
	 */
	int (*next)(struct dut *, vtime until, struct dut_event *ret);

	/*
	 * tally brings the counts up to date; it may wait a little for packets
	 * of the tester's own that are still on their way out.
	 */
	void (*tally)(struct dut *);

	/* begin prepares for a new case with its own seed. */
	int (*begin)(struct dut *, uint64_t seed);

	void (*free)(struct dut *);
};

/*
 * Why what the tester saw may not be all that there was: each with its name in
 * integrity.json, and as people say it behind a number.
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
	uint64_t foreign;    /* arrived from another address: ignored */
	uint64_t crc_bad;    /* arrived with a wrong CRC: trailer kept */
	uint64_t nic_stamps; /* packets that the NIC stamped, not the kernel */
	uint64_t strays;     /* came to a source port, not to the UET port */
	uint64_t
		unknown_events; /* of a later version of the channel: skipped */
	/* identical datagrams sent at once, as packets of their own */
	uint64_t repeats;
	uint64_t doubt[DOUBT_COUNT];
	vspan starved; /* how long a device that we started had no processor */
	bool stopped;  /* a device on this machine was stopped by a signal */
};

/* How datagrams are wrapped on the link; begin sets it as declared. */
struct dut_link {
	bool crc; /* every datagram ends in the trailer */
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
	bool triggered;        /* a command starts operations */
	bool bridged; /* another endpoint plays the tester's part: it sends, we
			 stand between */
	bool virtual; /* time is virtual */
	bool reference; /* our own endpoint, without a bug built in */
	bool frames;    /* the link takes what a UDP socket refuses: the
			   native form, wrong UDP lengths */
	const volatile bool *stop; /* ends its waits when true; may be NULL */
	vtime end; /* no wait goes on behind it; 0: there is no such time */
	char verbs[768]; /* from its hello, words separated by spaces */
	struct dut_counts counts;
};

/* dut_has_verb says whether the DUT's hello named a verb. */
bool dut_has_verb(const struct dut *d, const char *verb);

#endif
