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

struct rung_finding {
	char requirement[40]; /* "RUD-SEQ-76/dst" */
	char side[48];        /* address of the side that broke it */
	uint32_t frame;       /* the packet that shows it; 0: one is missing */
	char text[240];
	char expected[240], actual[240]; /* or "" */
};

struct rung_judge;

/*
 * rung_judge_new makes a judge of the packets between any number of devices.
 * |complete|: not 0 if every packet will be pushed, as it passes the device
 * that sends it, so that a missing one may be judged.  0: a capture from any
 * place, which may begin midstream and lack packets. Errors: RUNG_NOMEM.
 */
int rung_judge_new(struct rung_judge **ret, int complete);

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

/* rung_judge_free frees a judge.  NULL is allowed. */
void rung_judge_free(struct rung_judge *j);

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
