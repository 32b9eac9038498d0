/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/feed.c -- libFuzzer target: two UET endpoints under any input
 * (fuzz/world.h).
 */
#include "fuzz/world.h"

static void feed_post(struct world *w, struct input *in)
{
	static const enum op_kind kinds[] = {
		OP_SEND, OP_WRITE, OP_READ, OP_EXPOSE, OP_SES_POLICY,
	};
	const unsigned i = byte(in) & 1;
	struct orc_op op = {
		.kind = kinds[byte(in) % (sizeof(kinds) / sizeof(kinds[0]))],
		.handle = w->frame,
		.peer = fuzz_world_addr(!i),
		.header = (enum op_header)(byte(in) % 3),
		.len = byte(in) * 37u,
		.key = 0x1000,
	};
	const uint8_t policy = byte(in);

	op.policy.gtd = (enum op_gtd)(policy & 3) % 3;
	if (policy & 4)
		op.policy.nack_code = byte(in);
	else
		op.policy.nack_code = 0;
	if (policy & 8)
		op.policy.delay = VSPAN_MS;
	else
		op.policy.delay = 0;
	op.policy.count = policy >> 4;
	fuzz_world_ask(w, i, &op);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct world_form form = {
		.family = FAMILY_UET,
		.doubted = true,
		.polls = 4096,
		.events = 2 * 4096,
		.post = feed_post,
	};

	return fuzz_world_run(&form, data, size);
}
