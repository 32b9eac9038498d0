/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decodes packets and pushes them to a judge: a request, and an ACK that covers
 * a PSN that was never sent.
 *
 *	cc judge.c $(pkg-config --cflags --libs librung)
 */
#include <inttypes.h>
#include <stdio.h>

#include <rung.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Pushes a packet of one side, and prints it with what the judge finds. */
static int push(struct rung_judge *j, uint32_t frame, const char *src,
		const char *dst, const void *bytes, size_t len)
{
	const struct rung_datagram d = {.bytes = bytes,
					.len = len,
					.src = src,
					.dst = dst,
					.entropy = 4000,
					.ecn = 2,
					.at_ns = frame * 1000000u,
					.frame = frame};
	struct rung_finding found[8];
	char line[400];
	int n;

	if (rung_decode(RUNG_UET, bytes, len, line, sizeof(line)) < 0)
		return -1;
	printf("%" PRIu32 " %s > %s  %s\n", frame, src, dst, line);
	n = rung_judge_push(j, RUNG_UET, &d, found, COUNT(found));
	for (int i = 0; i < n && i < (int)COUNT(found); i++)
		printf("  %s by %s: %s\n", found[i].requirement, found[i].side,
		       found[i].text);
	return n;
}

int main(void)
{
	const struct rung_value request[] = {
		{"psn", 100, 0},     {"clear_psn", 99, 0},
		{"spdcid", 7, 0},    {"start_psn", 100, 0},
		{"syn", 1, 0},       {"ar", 1, 0},
		{"som", 1, 1},       {"eom", 1, 1},
		{"message_id", 1, 1}};
	const struct rung_value ack[] = {{"cack_psn", 105, 0},
					 {"spdcid", 9, 0},
					 {"dpdcid", 7, 0},
					 {"message_id", 1, 1}};
	unsigned char bytes[300];
	struct rung_judge *j;
	int len, found;

	if (rung_judge_new(&j, 1))
		return 2;
	len = rung_encode(RUNG_UET, "rud_req", "std", request, COUNT(request),
			  bytes, sizeof(bytes));
	if (len < 0)
		return 2;
	push(j, 1, "10.0.0.1", "10.0.0.2", bytes, (size_t)len);
	len = rung_encode(RUNG_UET, "ack", "response", ack, COUNT(ack), bytes,
			  sizeof(bytes));
	if (len < 0)
		return 2;
	found = push(j, 2, "10.0.0.2", "10.0.0.1", bytes, (size_t)len);
	rung_judge_free(j);
	return found > 0 ? 0 : 1;
}
