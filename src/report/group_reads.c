/* Counter values of a group in the samples of its leader. */
#include "report/group_reads.h"

#include "data/sample.h"

#define NEEDED (PERF_FORMAT_GROUP | PERF_FORMAT_ID)

/* A value below the one before is of a counter that began anew. */
static int take_value(struct stat_cells *last, struct cells *cells, const struct format_stat *stat,
		      const struct meta_event *event, struct ps_error *err)
{
	uint64_t before = stat_cells_last(last, stat);
	uint64_t more = stat->val >= before ? stat->val - before : stat->val;
	int rc = stat_cells_put(last, stat, err);

	return rc < 0 || !more ? rc : cells_sample(cells, (size_t)(event - cells->meta->events), more, err);
}

int group_reads_take(struct stat_cells *last, struct cells *cells, const struct record *rec,
		     const struct meta_event *event, struct ps_error *err)
{
	const struct meta *meta = cells->meta;
	struct sample sample;
	int rc = 0;

	if (!(event->attr.sample_type & PERF_SAMPLE_READ) || (event->attr.read_format & NEEDED) != NEEDED ||
	    sample_parse(meta, rec, &sample, NULL) < 0)
		return 0;
	for (size_t i = 0; rc == 0 && i < sample.read.n_values; i++) {
		const struct format_stat stat = {
			.val = sample_word(&sample.read.values, i * sample.read.stride),
			.id = sample_word(&sample.read.values, i * sample.read.stride + 1),
			.thread = event->attr.inherit ? rec->sample.tid : 0, /* each child has counters of its own then */
		};
		const struct meta_event *of = meta_find_id(meta, stat.id);

		if (of && of != event)
			rc = take_value(last, cells, &stat, of, err);
	}
	return rc;
}
