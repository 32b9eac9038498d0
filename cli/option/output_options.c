/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/output_options.c -- reads the options about the destination and
 * the form of reports.
 */
#include "cli/option/output_options.h"

#include "cli/option/option_rows.h"
#include "reports/export/kcidb.h"

const struct option_row output_rows[] = {
	{0, "json", "FILE", "write results as JSON; - is standard output",
	 OPTION_FILE(struct output_conf, file[OUTPUT_JSON])},
	{0, "junit", "FILE", "write results as JUnit XML; - is standard output",
	 OPTION_FILE(struct output_conf, file[OUTPUT_JUNIT])},
	{0, "markdown", "FILE", "write a summary for the page of a CI step",
	 OPTION_FILE(struct output_conf, file[OUTPUT_MARKDOWN])},
	{0, "html", "FILE",
	 "write the report as one HTML page; - is standard output",
	 OPTION_FILE(struct output_conf, file[OUTPUT_HTML])},
	{0, "ktap", "FILE", "write results as KTAP, the format of kernel tests",
	 OPTION_FILE(struct output_conf, file[OUTPUT_KTAP])},
	{0, "ctrf", "FILE", "write results in the Common Test Report Format",
	 OPTION_FILE(struct output_conf, file[OUTPUT_CTRF])},
	{0, "otlp", "FILE", "write results as OTLP/JSON, a trace of the run",
	 OPTION_FILE(struct output_conf, file[OUTPUT_OTLP])},
	{0, "kcidb", "FILE", "write results for the database of kernel CI",
	 OPTION_FILE(struct output_conf, file[OUTPUT_KCIDB])},
	{0, "kcidb-build", "ID",
	 "the build of that database which was tested, as ORIGIN:ID (default: "
	 "the file describes the device as a build)",
	 OPTION_TEXT(struct output_conf, kcidb_build)},
	{0, "tap", NULL, "print results as TAP on standard output",
	 OPTION_FLAG(struct output_conf, tap)},
	{'q', "quiet", NULL,
	 "print what is wrong, in short, and no line for each case",
	 OPTION_FLAG(struct output_conf, quiet)},
	{0, "ladders", NULL,
	 "print a ladder for every case, not for failed ones only",
	 OPTION_FLAG(struct output_conf, ladders)},
	{'v', "verbose", NULL,
	 "print a ladder for every case, with every field and packet",
	 OPTION_FLAG(struct output_conf, verbose)},
	{0, "durations", "N", "list the N cases that took longest at the end",
	 OPTION_NUMBER(struct output_conf, slowest, 0, UINT32_MAX)},
	OPTION_ROW_COLOUR(struct output_conf, when),
	OPTION_END};

int output_options_check(const char *who, struct output_conf *conf)
{
	const char *build = conf->kcidb_build;

	if (build && !conf->file[OUTPUT_KCIDB])
		return cli_usage(who, "--kcidb-build needs --kcidb");
	if (build && !kcidb_origin(build))
		return cli_usage(who,
				 "--kcidb-build '%s': ORIGIN:ID is wanted, "
				 "where ORIGIN has only a-z, 0-9 and _",
				 build);
	conf->colour = cli_use_colour(stdout, conf->when);
	if (output_on_stdout(conf) > 1)
		return cli_usage(who, "only one of the reports can go to "
				      "standard output");
	return -1;
}
