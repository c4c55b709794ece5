/* The view "header": what the header tells, as `perf report --header-only -I` shows it. */
#include <inttypes.h>
#include <time.h>

#include "report/views.h"

static void put_missing(const struct view_run *run)
{
	bool some = false;

	for (uint32_t number = FORMAT_FEATURE_TRACING_DATA; number <= FORMAT_FEATURE_PMU_CAPS; number++) {
		const struct feature *feature = feature_find(number);

		if (!feature || run->meta->features.present[number])
			continue;
		(void)fprintf(run->out, "%s %s", some ? "" : "# missing features:", feature->name);
		some = true;
	}
	if (some)
		(void)fputs(" \n", run->out);
}

static void put_unknown(const struct view_run *run, uint32_t number)
{
	const struct feature_set *features = &run->meta->features;

	for (size_t i = 0; i < features->n_raw; i++)
		if (features->raw[i].number == number)
			(void)fprintf(run->out, "# feature %" PRIu32 " (unknown) : %zu bytes\n", number,
				      features->raw[i].len);
}

/* The lines perf has above the features of a file. */
static void put_place(FILE *out, const struct reader_place *place)
{
	time_t changed = (time_t)place->changed_s;
	char when[32]; /* asctime's form has 26 bytes and ends with a newline */

	if (!place->known)
		return;
	if (place->changed_s >= 0 && ctime_r(&changed, when))
		(void)fprintf(out, "# captured on    : %s", when);
	(void)fprintf(out, "# header version : %" PRIu32 "\n# data offset    : %" PRIu64 "\n# data size      : %" PRIu64
			   "\n# feat offset    : %" PRIu64 "\n",
		      place->version, place->data_offset, place->data_bytes, place->features_offset);
}

static int header_end(struct view_run *run, struct ps_error *err)
{
	(void)err; /* whoever owns out looks at its error flag */
	(void)fprintf(run->out, "# ========\n");
	put_place(run->out, &run->input.place);
	for (uint32_t number = 0; number < FORMAT_FEATURE_BITS; number++) {
		const struct feature *feature = feature_find(number);

		if (!run->meta->features.present[number])
			continue;
		if (!feature)
			put_unknown(run, number);
		else if (feature->print)
			feature->print(run->meta, run->out);
	}
	put_missing(run);
	(void)fprintf(run->out, "# ========\n#\n");
	return 0;
}

const struct view view_header = {
	.name = "header",
	.help = "what the header tells: host, command, events, topology",
	.records = true,
	.end = header_end,
};
