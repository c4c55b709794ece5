/* Which part of a recording the rewriter keeps: a span of time or some windows, with markers that still make sense. */
#include <errno.h>
#include <string.h>

#include "data/rewrite_private.h"
#include "data/sample.h"

#define PAUSE_SLACK_NS UINT64_C(1000000) /* as far as a pause's reading may lie from its marker */

int span_init(struct rewrite *rw, struct ps_error *err)
{
	(void)err;
	rw->span = (struct rewrite_span){ .phase = SPAN_BEFORE };
	return 0;
}

void span_fini(struct rewrite_span *span)
{
	free(span->label);
	free(span->resume_label);
	span->label = span->resume_label = NULL;
}

/* Known before the first record that has a time: from the header, from the first marker, or from this sample. */
static int find_zero(struct rewrite *rw, uint64_t time_ns)
{
	struct rewrite_span *span = &rw->span;
	const struct feature_set *features = &rw->meta->features;

	for (size_t i = 0; i < rw->meta->n_events; i++)
		span->has_markers |= rw->meta->events[i].role != META_COUNTER;
	if (span->has_zero)
		return 0;
	span->has_zero = true;
	span->zero_ns = time_ns;
	if (span->has_markers && rw->meta->has_t0)
		span->zero_ns = rw->meta->t0_mono_ns;
	else if (features->sample_first_ns && features->sample_first_ns < time_ns)
		span->zero_ns = features->sample_first_ns;
	return 0;
}

static uint64_t relative(const struct rewrite_span *span, uint64_t time_ns)
{
	return time_ns > span->zero_ns ? time_ns - span->zero_ns : 0;
}

/* Parts begin behind from_ns, so that a reading belongs to the part in which its interval ends. */
static bool in_cut(const struct rewrite_options *options, uint64_t at_ns)
{
	return at_ns > options->from_ns && at_ns <= options->to_ns;
}

static int put_marker(struct rewrite *rw, const struct record_sample *sample,
		      const struct record_marker_detail *detail, struct ps_error *err)
{
	struct record rec = { .type = FORMAT_HEADER_EVENT_TYPE };
	int rc = 0;

	if (detail) {
		rec.detail = *detail;
		rc = rewrite_put_made(rw, &rec, err);
	}
	if (rc < 0)
		return rc;
	rec = (struct record){ .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER, .sample = *sample };
	return rewrite_put_made(rw, &rec, err);
}

/* The resume that is put where the part begins is one that the readings of the part have not counted yet. */
static void count_resume(struct rewrite *rw)
{
	for (size_t i = 0; i < rw->rounds.n_base; i++)
		if (rw->rounds.base[i].id == rw->span.resume.id && rw->rounds.base[i].val) {
			rw->rounds.base[i].val--;
			return;
		}
}

/* The part begins: when counting was on, a resume says so, as late as the last reading before it. */
static int begin(struct rewrite *rw, struct ps_error *err)
{
	struct rewrite_span *span = &rw->span;
	struct record_sample sample = span->resume;
	struct record_marker_detail detail = span->resume_detail;
	uint64_t base_ns = span->zero_ns + span->base_ns;

	if (span->begun)
		return 0;
	span->begun = true;
	if (!rw->options->cut || !span->running)
		return 0;
	detail.label = span->resume_label;
	if (span->has_base && base_ns >= sample.time_ns) {
		sample.time_ns = detail.request_ns = detail.done_ns = base_ns;
		count_resume(rw);
	}
	return put_marker(rw, &sample, span->has_resume_detail ? &detail : NULL, err);
}

static int copy_label(char **slot, const char *label, struct ps_error *err)
{
	free(*slot);
	*slot = label ? strdup(label) : NULL;
	return label && !*slot ? ps_fail(err, "rewrite", ENOMEM, "keeping a label") : 0;
}

static int hold_detail(struct rewrite_span *span, const struct record_marker_detail *detail, struct ps_error *err)
{
	span->detail = *detail;
	span->has_detail = true;
	return copy_label(&span->label, detail->label, err);
}

static int remember_resume(struct rewrite_span *span, const struct record_sample *sample, struct ps_error *err)
{
	span->resume = *sample;
	span->has_resume_detail = span->has_detail;
	span->resume_detail = span->detail;
	return copy_label(&span->resume_label, span->has_detail ? span->label : NULL, err);
}

/* 1 the marker is kept, 0 it is not, -errno. */
static int cut_marker(struct rewrite *rw, enum meta_role role, const struct record_sample *sample,
		      struct ps_error *err)
{
	struct rewrite_span *span = &rw->span;
	uint64_t at_ns = relative(span, sample->time_ns);
	int rc = 0;

	if (at_ns > rw->options->from_ns) {
		rc = in_cut(rw->options, at_ns) ? begin(rw, err) : 0;
		return rc < 0 ? rc : in_cut(rw->options, at_ns);
	}
	if (role == META_RESUME)
		rc = remember_resume(span, sample, err);
	if (role != META_MARK)
		span->running = role == META_RESUME;
	return rc;
}

static bool window_marker(struct rewrite *rw, enum meta_role role, const struct record_sample *sample)
{
	const struct rewrite_options *options = rw->options;
	struct rewrite_span *span = &rw->span;

	if (role == META_RESUME && !span->running) {
		span->running = true;
		span->window++;
		if (span->phase == SPAN_CLOSING)
			span->phase = SPAN_AFTER;
		if (span->window == options->window_first)
			span->phase = SPAN_INSIDE;
	} else if (role == META_PAUSE && span->running) {
		span->running = false;
		if (span->phase == SPAN_INSIDE && span->window == options->window_last) {
			span->phase = SPAN_CLOSING;
			span->pause_ns = relative(span, sample->time_ns);
			return true;
		}
	}
	return span->phase == SPAN_INSIDE;
}

static enum meta_role role_of(const struct rewrite *rw, const struct record *rec)
{
	const struct meta_event *event;

	if (rec->type != PERF_RECORD_SAMPLE || rec->raw_only || !rw->span.has_markers)
		return META_COUNTER;
	event = sample_event(rw->meta, &rec->sample);
	return event ? event->role : META_COUNTER;
}

int span_take_marker(struct rewrite *rw, const struct record *rec, struct ps_error *err)
{
	struct rewrite_span *span = &rw->span;
	enum meta_role role;
	int rc;

	if (rec->type == FORMAT_HEADER_EVENT_TYPE && !rec->raw_only) {
		rc = hold_detail(span, &rec->detail, err);
		return rc < 0 ? rc : 1;
	}
	if (rec->type == PERF_RECORD_SAMPLE)
		find_zero(rw, rec->sample.time_ns);
	role = role_of(rw, rec);
	if (role == META_COUNTER)
		return 0;
	rc = rw->options->cut ? cut_marker(rw, role, &rec->sample, err) : window_marker(rw, role, &rec->sample);
	if (rc > 0) {
		span->detail.label = span->label;
		rc = put_marker(rw, &rec->sample, span->has_detail ? &span->detail : NULL, err);
	} else if (rc == 0) {
		rw->result->cut += 1 + span->has_detail;
	}
	span->has_detail = false;
	return rc < 0 ? rc : 1;
}

/* What happened at a time; other records tell about tasks and maps, which samples behind them need. */
static bool is_timed(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_READ:
	case PERF_RECORD_AUX:
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return true;
	default:
		return false;
	}
}

/* The time of a record of the kernel's; 0: it has none. */
static uint64_t time_of(const struct rewrite *rw, const struct record *rec)
{
	struct sample_trailer trailer;

	if (rec->type == PERF_RECORD_SAMPLE)
		return rec->sample.time_ns;
	return sample_parse_trailer(rw->meta, rec, &trailer) ? trailer.time_ns : 0;
}

static int cut_has(struct rewrite *rw, const struct record *rec, struct ps_error *err)
{
	const struct rewrite_options *options = rw->options;
	uint64_t time_ns = time_of(rw, rec), at_ns;

	if (!time_ns || time_ns == UINT64_MAX) {
		if (rec->type != PERF_RECORD_SAMPLE)
			return 1;
		(void)ps_fail(err, "rewrite", ENODATA, "the samples have no times to cut at");
		ps_hint(err, "perf record -T records them");
		return -ENODATA;
	}
	if (!rw->span.has_zero)
		return 1; /* from before the first sample */
	at_ns = relative(&rw->span, time_ns);
	if (!is_timed(rec->type))
		return at_ns <= options->to_ns;
	rw->span.begun |= at_ns >= options->from_ns;
	return at_ns >= options->from_ns && at_ns <= options->to_ns;
}

int span_has(struct rewrite *rw, const struct record *rec, struct ps_error *err)
{
	const struct rewrite_span *span = &rw->span;

	if (rw->options->cut)
		return cut_has(rw, rec, err);
	if (!is_timed(rec->type))
		return 1;
	if (!span->has_markers)
		return rw->options->window_first == 1;
	return span->phase == SPAN_INSIDE || span->phase == SPAN_CLOSING;
}

static int window_round(struct rewrite *rw, uint64_t time_ns)
{
	struct rewrite_span *span = &rw->span;

	if (!span->has_markers)
		return rw->options->window_first == 1;
	switch (span->phase) {
	case SPAN_BEFORE:
		return ROUND_BASE;
	case SPAN_INSIDE:
		return ROUND_KEEP;
	case SPAN_CLOSING:
		span->phase = SPAN_AFTER;
		return time_ns <= span->pause_ns + PAUSE_SLACK_NS ? ROUND_KEEP : ROUND_DROP;
	default:
		return ROUND_DROP;
	}
}

int span_round(struct rewrite *rw, uint64_t time_ns, struct ps_error *err)
{
	struct rewrite_span *span = &rw->span;
	int rc;

	if (span_is_all(rw->options))
		return ROUND_KEEP;
	if (!rw->options->cut)
		return window_round(rw, time_ns);
	if (time_ns <= rw->options->from_ns) {
		span->has_base = true;
		span->base_ns = time_ns;
		return ROUND_BASE;
	}
	if (time_ns > rw->options->to_ns)
		return ROUND_DROP;
	rc = begin(rw, err);
	return rc < 0 ? rc : ROUND_KEEP;
}

int span_finish(struct rewrite *rw, struct ps_error *err)
{
	const struct rewrite_options *options = rw->options;
	const struct rewrite_span *span = &rw->span;
	unsigned windows = span->has_markers ? span->window : 1;

	if (options->window_first > windows)
		return ps_fail(err, "rewrite", ENODATA, "there is no window %u: the recording has %u",
			       options->window_first, windows);
	if (options->cut && !span->begun)
		return ps_fail(err, "rewrite", ENODATA, "nothing was recorded in that span of time");
	return 0;
}
