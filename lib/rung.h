/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rung.h -- librung: decode packets, judge them, run a case against a device
 * that is a set of callbacks.
 *
 *	cc program.c $(pkg-config --cflags --libs librung)
 *
 * Functions return 0 or more on success and a negative enum rung_error on
 * failure.  No function prints, reads files, opens sockets or reads a clock.
 * Objects are not shared: one thread uses an object at a time.
 */
#ifndef RUNG_H
#define RUNG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum rung_family {
	RUNG_UET,  /* Ultra Ethernet: from the PDS header on */
	RUNG_SRD,  /* SRD: from the BTH on, as all below */
	RUNG_WQE,  /* RoCEv2 with the WQE header */
	RUNG_ROCE, /* plain RoCEv2 */
};

enum rung_error {
	RUNG_SPACE = -2,  /* the output does not fit into the buffer */
	RUNG_VALUE = -3,  /* an argument is out of range, or not found */
	RUNG_NOMEM = -5,  /* no memory */
	RUNG_SYNTAX = -6, /* a text is malformed; the result says where */
};

/* rung_version returns "0.1.0".  Static storage. */
const char *rung_version(void);

/* ---- Decoding ---- */

/*
 * rung_decode writes a packet as a line of the case language: "rud_req psn=333
 * clear_psn=332 ar | std send | data 64".  Any bytes have a line; a line with
 * '!' names the header that is truncated or unknown.
 *
 * Shape:  |bytes| without the CRC or ICRC at their end.
 *         |text| has room for |size| characters, the NUL counted.
 * Return: length of the line, RUNG_SPACE, RUNG_VALUE for an unknown family,
 *         RUNG_NOMEM.
 */
int rung_decode(enum rung_family family, const void *bytes, size_t len,
		char *text, size_t size);

/*
 * rung_field reads a field or derived value by its name in the case language,
 * "psn" or "clear_psn".
 *
 * Return: 0; RUNG_VALUE: the packet has no such name.
 */
int rung_field(enum rung_family family, const void *bytes, size_t len,
	       const char *name, uint64_t *ret);

/* One field of a packet to be built. */
struct rung_value {
	const char *name;
	uint64_t value;
	int ses; /* the field is in the SES header, not in the PDS header */
};

/*
 * rung_encode builds a packet: |type| as rung_decode prints it first ("ack"),
 * |ses| the word behind the first bar ("response") or NULL, and |n| values;
 * everything else is 0.
 *
 * Return: length; RUNG_SPACE; RUNG_VALUE: no such word or name, or a value does
 *         not fit.
 */
int rung_encode(enum rung_family family, const char *type, const char *ses,
		const struct rung_value *values, size_t n, void *bytes,
		size_t size);

/* ---- The catalogue of requirements ---- */

enum rung_role { RUNG_SRC = 1, RUNG_DST = 2 }; /* bits */

struct rung_requirement {
	const char *id;        /* "RUD-SEQ-76" */
	const char *statement; /* in one sentence */
	/*
	 * 'M' must: a violation is a fail; 'S' should and 'I' interface: a
	 * remark; 'O' optional; 'N' note
	 */
	char level;
	unsigned roles; /* enum rung_role: those that it obliges */
};

/*
 * rung_requirement reads row |row| of the catalogue, from 0.  The row of an id
 * differs from release to release; the id stays.  Texts in static storage.
 *
 * Return: the number of rows; RUNG_VALUE: there is no such row.
 */
int rung_requirement(unsigned row, struct rung_requirement *ret);

/* ---- Judging ---- */

/* A captured datagram.  Texts and bytes are lent for the call. */
struct rung_datagram {
	const void *bytes; /* without the CRC or ICRC at their end */
	size_t len;
	const char *src, *dst; /* "10.0.0.1" or IPv6 */
	uint16_t entropy;      /* UDP source port */
	uint8_t dscp, ecn;
	uint64_t at_ns; /* time of capture; never goes back */
	uint32_t frame; /* the caller's number, from 1 */
};

#define RUNG_NO_FLOW UINT64_MAX

struct rung_finding {
	char requirement[40]; /* "RUD-SEQ-76/dst" */
	char side[48];        /* address of the side that broke it */
	uint32_t frame;       /* the packet that shows it; 0: one is missing */
	char text[240];
	char expected[240], actual[240]; /* or "" */
	uint32_t row;        /* of the requirement, for rung_requirement() */
	enum rung_role role; /* RUNG_SRC or RUNG_DST */
	int timing;          /* only the time of the packet is wrong */
	/*
	 * The flow, as in rung_facts, or RUNG_NO_FLOW; the addresses of its
	 * ends, the end that began it first, or ""; their PDCIDs, 0: unknown.
	 */
	uint64_t flow;
	char ends[2][48];
	uint16_t pdcid[2];
};

/* What is known of the devices and of the capture.  rung_conf_default first. */
struct rung_conf {
	/* Not 0: every packet will be pushed, as for rung_judge_new(). */
	int complete;
	/*
	 * The address at whose link the packets were captured; lent for the
	 * call.  NULL: at the link of each side (|complete|), or unknown.
	 */
	const char *at;
	size_t max_flows; /* followed at a time (65536) */
	/* What the devices declare.  Times in ns; a time of 0 is not judged. */
	uint64_t rto_ns, rto_tolerance_ns;
	uint64_t nack_time_ns, nack_tolerance_ns;
	uint32_t max_ack_data; /* bytes; UINT32_MAX: unknown */
	uint32_t mp_range, mtu;
	/* codepoints of trimmed packets; 0: unknown */
	uint8_t dscp_trimmed, dscp_trimmed_lasthop;
	/* The rest is for rung_watch_new() alone. */
	uint16_t udp_port; /* of UET; 0: 4793 */
	/* Not 0: rung_watch_facts() will be called.  It costs time. */
	int facts;
	/*
	 * This watch judges the address pairs of part |part| of |parts|, so
	 * that each thread can judge a part of a capture; 0 parts: all.
	 */
	unsigned part, parts;
};

/*
 * rung_conf_default sets what is known without a declaration: nothing of the
 * devices.  |complete| as above.
 */
void rung_conf_default(struct rung_conf *ret, int complete);

struct rung_judge;

/*
 * rung_judge_new makes a judge of the packets between any number of devices.
 * |complete|: not 0 if every packet will be pushed, as it passes the device
 * that sends it, so that a missing one may be judged.  0: a capture from any
 * place, which may begin midstream and lack packets. Errors: RUNG_NOMEM.
 */
int rung_judge_new(struct rung_judge **ret, int complete);

/*
 * rung_judge_new_conf makes a judge with a configuration.  Errors: RUNG_NOMEM;
 * RUNG_VALUE: |at| is no address.
 */
int rung_judge_new_conf(struct rung_judge **ret, const struct rung_conf *conf);

/*
 * rung_judge_push judges a datagram.
 *
 * Shape:  |ret| has room for |max| findings; more are counted, not written.
 * Return: the number of findings; RUNG_VALUE: an unknown family or a bad
 *         address.
 */
int rung_judge_push(struct rung_judge *j, enum rung_family family,
		    const struct rung_datagram *d, struct rung_finding *ret,
		    size_t max);

/* rung_judge_end judges what only the end shows, as rung_judge_push. */
int rung_judge_end(struct rung_judge *j, uint64_t at_ns,
		   struct rung_finding *ret, size_t max);

/* An address in network order; unused bytes are 0. */
struct rung_address {
	uint8_t len; /* 4, 16, or 0: none */
	uint8_t bytes[16];
};

/* A captured datagram of a caller that has read its headers. */
struct rung_packet {
	const void *bytes; /* without the CRC or ICRC at their end; lent */
	size_t len;
	struct rung_address src, dst;
	uint64_t at_ns;   /* time of capture; never goes back */
	uint32_t frame;   /* the caller's number, from 1 */
	uint16_t entropy; /* UDP source port */
	uint8_t dscp, ecn;
	uint8_t native; /* IP with an entropy header, not UDP */
	uint8_t cut;  /* truncated by the capture: its bytes are not compared */
	uint8_t copy; /* captured twice, or changed: it is not judged */
};

/* rung_judge_packet judges a packet, as rung_judge_push. */
int rung_judge_packet(struct rung_judge *j, enum rung_family family,
		      const struct rung_packet *p, struct rung_finding *ret,
		      size_t max);

/* The causes of a retransmission. */
enum rung_cause {
	RUNG_TIMER, /* no other cause was seen */
	RUNG_NACK,
	RUNG_GAP, /* an ACK since then acknowledged a later PSN */
};

/*
 * What the judge knows of a packet: the state of its PSN and of its flow before
 * the packet changed them.  Frames are the caller's numbers; 0: none.
 */
struct rung_facts {
	uint64_t flow;      /* number of its flow, or RUNG_NO_FLOW */
	uint64_t first_ns;  /* when its PSN was first sent */
	uint64_t sent_ns;   /* when it was last sent; |frame| is not 0 */
	uint32_t psn;       /* |about|: its PSN, or the one that it answers */
	uint32_t frame;     /* the last transmission of that PSN before it */
	uint32_t copies;    /* earlier transmissions, up to 255 */
	uint32_t skipped;   /* PSNs between the highest sent and this one */
	uint32_t asked;     /* the frame that requested it again, if known */
	uint32_t read;      /* return data: the frame of the read */
	uint32_t acks_from; /* |acks|: it acknowledges above this PSN */
	uint32_t acks_to;   /* up to this one */
	uint32_t clears_from, clears_to; /* |clears|: the same of CLEAR_PSN */
	int initiator;         /* the end that opened the flow; -1: unknown */
	enum rung_cause cause; /* of a retransmission */
	uint8_t from;          /* the end of the flow that sent it, 0 or 1 */
	uint8_t foreign;       /* like that flow, but a PDCID is wrong */
	uint8_t takes_psn;     /* a request, or a CP with a PSN */
	uint8_t about;         /* |psn| is valid */
	uint8_t acked;         /* an ACK had acknowledged the PSN before */
	uint8_t net_dup;       /* it looks like a duplicate of the network */
	uint8_t late;          /* new, but below the highest PSN sent */
	uint8_t acks;          /* its CACK_PSN advances */
	uint8_t clears;        /* its CLEAR_PSN advances */
};

/*
 * rung_judge_facts writes what is known of the packet that was pushed last.
 */
void rung_judge_facts(const struct rung_judge *j, struct rung_facts *ret);

/*
 * rung_judge_frame returns the last transmission of a PSN in the flow of the
 * packet that was pushed last, or 0: in the PSN space of the sender of that
 * packet if |own|, else of the other end.  Flows of SRD and RoCEv2 have one.
 */
uint32_t rung_judge_frame(const struct rung_judge *j, int own, uint32_t psn);

/* rung_judge_free frees a judge.  NULL is allowed. */
void rung_judge_free(struct rung_judge *j);

/* ---- Judging a capture ---- */

/* Link layers of captures; the numbers of pcap's LINKTYPE_. */
enum rung_link {
	RUNG_LINK_NULL = 0,
	RUNG_LINK_ETHERNET = 1,
	RUNG_LINK_IP = 101,
	RUNG_LINK_LOOP = 108,
	RUNG_LINK_SLL = 113,
	RUNG_LINK_IPV4 = 228,
	RUNG_LINK_IPV6 = 229,
	RUNG_LINK_SLL2 = 276,
};

/* A frame of a capture, CRC and ICRC included. */
struct rung_frame {
	const void *bytes; /* from the header of the link; lent for the call */
	uint32_t len;      /* bytes captured */
	uint32_t link;     /* enum rung_link; others are counted as not read */
	uint64_t at_ns;
	/* 1: changed since its sender sent it, or with a wrong time; else 0 */
	uint8_t doubtful;
};

#define RUNG_BATCH 64 /* most frames of a call */

/* The packets that one end of a flow sent. */
struct rung_side_stats {
	uint32_t packets, requests, cps, acks, nacks;
	uint32_t again[3]; /* retransmitted requests, by enum rung_cause */
	uint32_t net_dups; /* copies that look like duplicates of the network */
	uint32_t covered;  /* PSNs that its CACK_PSN acknowledged */
};

enum rung_kind {
	RUNG_CONNECTION, /* a PDC, or a queue pair */
	RUNG_RUDI,       /* all RUDI packets between two addresses */
	RUNG_UUD,        /* all datagrams between two addresses */
};

/* A flow of a capture and its statistics. */
struct rung_flow {
	enum rung_family family;
	enum rung_kind kind;
	const char *mode; /* "rud", "rudi", "srd"; static storage */
	/* addresses and PDCIDs, the end that sent first; PDCID 0: unknown */
	struct rung_address ends[2];
	uint16_t pdcid[2];
	int8_t initiator; /* the end that opened it, or -1: unknown */
	uint8_t complete; /* judged as a complete flow */
	uint8_t began;    /* its first packet was captured */
	uint8_t closed;   /* its end was captured, or it failed */
	uint32_t first_frame;
	uint64_t first_ns, last_ns;
	struct rung_side_stats sides[2];
	uint16_t rtt[32]; /* for rung_flow_rtt() */
};

/*
 * The counts of a capture.  Those of frames and of their times are the same in
 * all parts.
 */
struct rung_counts {
	uint64_t frames, backward, same_time;
	uint64_t first_ns, last_ns;
	uint64_t packets;    /* of a family */
	uint64_t tunnels;    /* of these, inside a tunnel */
	uint64_t unread[24]; /* frames without a packet, by rung_unread() */
	uint64_t broken;     /* packets that end inside a header */
	uint64_t encrypted;
	uint64_t cut;     /* truncated by the capture */
	uint64_t copies;  /* captured twice */
	uint64_t repeats; /* equal bytes that were sent twice */
	uint64_t doubtful;
	uint64_t skipped;      /* skipped PSNs, less those that came later */
	uint64_t flows;        /* flows begun */
	uint64_t forgotten;    /* flows forgotten for lack of room */
	uint64_t idle_evicted; /* flows evicted while idle */
	uint64_t unmatched;    /* packets of no flow */
	uint64_t nacks[256];   /* NACKs by code */
	uint64_t rtt[192];     /* for rung_counts_rtt() */
};

struct rung_watch;

/*
 * rung_watch_new makes a judge of frames.  Errors: RUNG_NOMEM; RUNG_VALUE: |at|
 * is no address.
 */
int rung_watch_new(struct rung_watch **ret, const struct rung_conf *conf);

/* rung_watch_free frees it.  NULL is allowed. */
void rung_watch_free(struct rung_watch *w);

/*
 * rung_watch_push judges the next |n| frames of a capture, up to RUNG_BATCH.
 * More frames in a call are judged faster: the state of all their flows is
 * prefetched before the first is judged.  |first| is the number of the first;
 * |found| is called for each finding, in the order of frames.
 *
 * Return: 0; RUNG_VALUE: too many frames; RUNG_NOMEM: some frames were not
 *         judged.
 */
int rung_watch_push(struct rung_watch *w, const struct rung_frame *frames,
		    size_t n, uint64_t first,
		    void (*found)(void *arg, const struct rung_finding *f),
		    void *arg);

/*
 * rung_watch_facts writes what is known of the packet in the frame that was
 * pushed last, alone in its call.  Needs rung_conf.facts.
 *
 * Return: 0; RUNG_VALUE: the frame holds no packet of these parts.
 */
int rung_watch_facts(const struct rung_watch *w, struct rung_facts *ret);

/*
 * rung_watch_end judges what only the end shows, if the capture is complete.
 * |until_ns|: no packet was sent until then; 0: until the last frame.
 *
 * Return: 0, RUNG_NOMEM.
 */
int rung_watch_end(struct rung_watch *w, uint64_t until_ns,
		   void (*found)(void *arg, const struct rung_finding *f),
		   void *arg);

/* rung_watch_flows calls |see| for each flow that is known. */
void rung_watch_flows(const struct rung_watch *w,
		      void (*see)(void *arg, const struct rung_flow *f),
		      void *arg);

/*
 * rung_watch_over sets a function for flows that are forgotten before the end;
 * call it before the first push.
 */
void rung_watch_over(struct rung_watch *w,
		     void (*see)(void *arg, const struct rung_flow *f),
		     void *arg);

/*
 * rung_watch_counts adds the counts of this watch to *ret, and sets those of
 * frames: with |ret| zeroed before, the watches of all parts give the counts of
 * the capture.
 */
void rung_watch_counts(const struct rung_watch *w, struct rung_counts *ret);

/*
 * rung_watch_seen adds to ret[row][0] how often a source could have violated
 * the requirement of that row, and to ret[row][1] how often a destination.
 *
 * Shape:  |ret| has a row for each row of the catalogue.
 */
void rung_watch_seen(const struct rung_watch *w, uint64_t (*ret)[2]);

/*
 * rung_flow_rtt and rung_counts_rtt return the round-trip time in ns that
 * |permille| of a thousand requests did not exceed, of those sent once; -1 if
 * there was none.  Rounded up, by at most a half (flow) or an eighth (capture).
 */
int64_t rung_flow_rtt(const struct rung_flow *f, unsigned permille);
int64_t rung_counts_rtt(const struct rung_counts *c, unsigned permille);

/*
 * rung_unread returns why the frames of rung_counts.unread[reason] hold no
 * packet, in a few words; NULL: there is no such reason.  Static storage.
 */
const char *rung_unread(unsigned reason);

/* ---- Running a case ---- */

/* What stands around a datagram on the link. */
struct rung_ip {
	uint16_t entropy; /* UDP source port */
	uint8_t dscp, ecn;
};

/*
 * A device as callbacks, in virtual time: a stack in user space, a simulator.
 * Time starts at 0 with each reset and is a parameter of every call.
 */
struct rung_device {
	void *arg; /* passed to every callback */
	/* reset forgets connections, messages and buffers. */
	void (*reset)(void *arg, uint64_t seed);
	/* receive takes a datagram of the tester; the bytes are lent. */
	void (*receive)(void *arg, const void *bytes, size_t len,
			const struct rung_ip *ip, uint64_t now_ns);
	/*
	 * transmit moves the next datagram to |bytes| and sets *ip, whose
	 * members are 0 before.  It returns the length, 0: there is none.
	 */
	size_t (*transmit)(void *arg, void *bytes, size_t size,
			   struct rung_ip *ip, uint64_t now_ns);
	/*
	 * deadline returns when tick must be called next, UINT64_MAX: never.
	 * Both may be NULL for a device without timers.
	 */
	uint64_t (*deadline)(void *arg);
	void (*tick)(void *arg, uint64_t now_ns);
	/*
	 * control answers a line of the control channel, docs/dut-control.md,
	 * in |answer|; event writes the next event line and returns its length,
	 * 0: there is none.  Both NULL: the device is tested by the wire alone.
	 */
	void (*control)(void *arg, const char *request, char *answer,
			size_t size, uint64_t now_ns);
	size_t (*event)(void *arg, char *line, size_t size, uint64_t now_ns);
};

#define RUNG_FINDINGS 16

struct rung_result {
	char verdict[16]; /* "pass", "fail", "inconclusive", "na", "error" */
	char reason[400]; /* why, or where a text is malformed */
	unsigned expected, matched; /* lines of the case that expect a packet */
	unsigned nfindings;         /* all; the first RUNG_FINDINGS are here */
	struct rung_finding findings[RUNG_FINDINGS];
};

/*
 * rung_run runs a case against a device, and fills *ret.
 *
 * |text|: a case of the case language; it may use the fragments that rung has
 * ("use open").  |chair|: "target" or "initiator", what the device is.
 * |declaration|: what the device claims, docs/declaration.md; NULL: what the
 * reference claims.
 *
 * Return: 0, whatever the verdict; RUNG_SYNTAX: ret->reason says where;
 *         RUNG_VALUE: no such chair in the case; RUNG_NOMEM.
 */
int rung_run(const struct rung_device *device, const char *text,
	     const char *chair, const char *declaration, uint64_t seed,
	     struct rung_result *ret);

/*
 * rung_case returns the text of a case that is built in, "uet/rud/ack-lost", or
 * NULL.  Static storage.
 */
const char *rung_case(const char *id);

#ifdef __cplusplus
}
#endif

#endif
