/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A device of callbacks: a target that acknowledges each RUD request at once.
 * rung runs a case against it, without sockets.  With an argument the device
 * has a bug: it acknowledges one PSN too many.
 *
 *	cc device.c $(pkg-config --cflags --libs librung)
 */
#include <stdio.h>
#include <string.h>

#include <rung.h>

struct target {
	unsigned char out[200]; /* the ACK to be sent */
	size_t len;
	struct rung_ip ip;
	int bug;
};

static const char text[] = "title   A send is acknowledged\n"
			   "covers  RUD-SVC-3\n"
			   "chair target\n"
			   "  use open\n"
			   "  base fwd=100\n"
			   "  >  rud_req psn=100 clear_psn=99 ar | std send "
			   "message_id=7 som eom | data 32\n"
			   "  <  ack ack_psn=100 cack_psn=100 | response "
			   "[RUD-SVC-3]\n";

static void reset(void *arg, uint64_t seed)
{
	(void)seed;
	((struct target *)arg)->len = 0;
}

static void receive(void *arg, const void *bytes, size_t len,
		    const struct rung_ip *ip, uint64_t now)
{
	struct target *t = arg;
	struct rung_value ack[] = {{"cack_psn", 0, 0}, {"spdcid", 9, 0},
				   {"dpdcid", 0, 0},   {"message_id", 0, 1},
				   {"opcode", 0, 1},   {"return_code", 1, 1}};
	int made;

	(void)now;
	t->ip = (struct rung_ip){ip->entropy, 46, 0};
	if (rung_field(RUNG_UET, bytes, len, "psn", &ack[0].value) ||
	    rung_field(RUNG_UET, bytes, len, "spdcid", &ack[2].value) ||
	    rung_field(RUNG_UET, bytes, len, "message_id", &ack[3].value))
		return;
	ack[0].value += (uint64_t)t->bug;
	made = rung_encode(RUNG_UET, "ack", "response", ack, 6, t->out,
			   sizeof(t->out));
	t->len = made > 0 ? (size_t)made : 0;
}

static size_t transmit(void *arg, void *bytes, size_t size, struct rung_ip *ip,
		       uint64_t now)
{
	struct target *t = arg;
	const size_t len = t->len <= size ? t->len : 0;

	(void)now;
	*ip = t->ip;
	memcpy(bytes, t->out, len);
	t->len = 0;
	return len;
}

int main(int argc, char **argv)
{
	struct target t = {.bug = argc > 1};
	const struct rung_device device = {.arg = &t,
					   .reset = reset,
					   .receive = receive,
					   .transmit = transmit};
	struct rung_result r;

	(void)argv;
	if (rung_run(&device, text, "target", NULL, 1, &r)) {
		printf("%s\n", r.reason);
		return 2;
	}
	printf("%s: %u of %u answers as expected\n", r.verdict, r.matched,
	       r.expected);
	for (unsigned i = 0; i < r.nfindings && i < RUNG_FINDINGS; i++)
		printf("  %s: %s\n    expected %s\n    actual   %s\n",
		       r.findings[i].requirement, r.findings[i].text,
		       r.findings[i].expected, r.findings[i].actual);
	return strcmp(r.verdict, "pass") != 0;
}
