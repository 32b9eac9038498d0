/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/commands.c -- lists the sub-commands in the order of 'rung --help'.
 */
#include "cli/cmd/commands.h"

const struct command *const commands[] = {
	&command_run,     &command_list,
	&command_show,    &command_serve,
	&command_probe,   &command_adapter_check,
	&command_check,   &command_ladder,
	&command_graph,   &command_gen,
	&command_send,    &command_bridge,
	&command_matrix,  &command_cover,
	&command_doctor,  &command_compare,
	&command_history, &command_explore,
	&command_fabric,  &command_replay,
	&command_why,     &command_report,
	&command_merge,   &command_pack,
	&command_verify,  &command_attest,
	&command_options, NULL,
};
