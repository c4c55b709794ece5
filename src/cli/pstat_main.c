/* pstat: finds the verb. */
#include <stdio.h>
#include <string.h>

#include "cli/ctl.h"
#include "cli/list_main.h"
#include "cli/record_main.h"
#include "cli/standard.h"
#include "event/resolve.h"
#include "record/run.h"

#include <json-c/json_c_version.h>
#include <zstd.h>

static int run_record(int argc, char *argv[])
{
	return record_main(argc - 1, argv + 1, argc, argv);
}

static int run_stat(int argc, char *argv[])
{
	return stat_main(argc - 1, argv + 1, argc, argv);
}

static int run_list(int argc, char *argv[])
{
	return list_main(argc - 1, argv + 1);
}

static int run_ctl(int argc, char *argv[])
{
	return ctl_main(argc - 1, argv + 1);
}

static const struct verb {
	const char *name, *help;
	int (*run)(int argc, char *argv[]); /* with pstat's own arguments */
} verbs[] = {
	{ "record", "count and write a recording", run_record },
	{ "stat", "the same session, printed instead of written", run_stat },
	{ "list", "list the events this machine can count", run_list },
	{ "ctl", "send one command to a running session", run_ctl },
};

static void usage(FILE *out)
{
	fputs("Usage: pstat VERB [options] ...\n\n", out);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		fprintf(out, "  %-10s%s\n", verbs[i].name, verbs[i].help);
	fputs("\npstat VERB --help shows a verb's options; pstat-report reads recordings.\n"
	      "      --help      show this and exit\n"
	      "      --version   show the version and what it was built with\n", out);
}

static void version(void)
{
	char pfm[32];

	resolve_pfm_version(pfm);
	printf("pstat %s\nbuilt with %s, libzstd %s, libelf, json-c %s\n", PACKAGE_VERSION, pfm,
	       ZSTD_versionString(), JSON_C_VERSION);
}

int main(int argc, char *argv[])
{
	const char *word = argc > 1 ? argv[1] : "";

	if (standard_hold() < 0)
		return RUN_STATUS_FAILURE; /* there is no place to say why */
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(word, verbs[i].name))
			return verbs[i].run(argc, argv);
	if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
		usage(stdout);
		return 0;
	}
	if (!strcmp(word, "--version")) {
		version();
		return 0;
	}
	if (*word)
		fprintf(stderr, "pstat: usage: unknown %s %s\nhint: pstat --help\n", *word == '-' ? "option" : "verb", word);
	else
		usage(stderr);
	return 2;
}
