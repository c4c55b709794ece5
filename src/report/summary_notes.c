/* The summary's notes: what a reader of the numbers must know. */
#include <string.h>

#include "report/quantity.h"
#include "report/summary.h"

/* Each kind of note about events names all events it is true for. */
static bool is_multiplexed(const struct timeline_value *value)
{
	return value->is_scaled;
}

static bool is_unscaled(const struct timeline_value *value)
{
	return value->state == VALUE_COUNTED && !value->is_scaled && value->running_ns < value->enabled_ns;
}

static bool is_not_counted(const struct timeline_value *value)
{
	return value->state == VALUE_NOT_COUNTED && value->enabled_ns > 0;
}

static bool is_unread(const struct timeline_value *value)
{
	return value->state == VALUE_NOT_COUNTED && value->enabled_ns == 0 && !value->off_ns && !value->samples;
}

static bool is_switched_off(const struct timeline_value *value)
{
	return value->off_ns > 0;
}

static bool is_not_supported(const struct timeline_value *value)
{
	return value->state == VALUE_NOT_SUPPORTED;
}

static const struct {
	bool (*applies)(const struct timeline_value *value);
	const char *text;
} event_notes[] = {
	{ is_multiplexed, "shared a counter with others; the values (~) are estimates from the share of time they ran" },
	{ is_unscaled, "ran only part of the time; the recording asks for values as they are" },
	{ is_not_counted, "not counted: never got a counter" },
	{ is_switched_off, "switched off for some of the time, and not counted then" },
	{ is_unread, "not counted: the recording has no reading of it" },
	{ is_not_supported, "not supported on the machine that recorded" },
};

static void put_event_note(const struct view_run *run, const struct summary *summary, size_t note)
{
	size_t last = SIZE_MAX;
	bool any = false;

	for (size_t i = 0; i < summary->n_rows; i++) {
		const struct timeline_row *row = &summary->rows[i];

		if (row->event == last || !event_notes[note].applies(&row->value))
			continue;
		(void)fputs(any ? ", " : "note: ", run->out);
		text_put_safe(run->out, quantity_name(run->meta, row->event));
		last = row->event;
		any = true;
	}
	if (any)
		(void)fprintf(run->out, ": %s\n", event_notes[note].text);
}

static void put_input_notes(FILE *out, const struct view_input *input)
{
	if (input->lost)
		(void)fprintf(out, "note: the kernel lost %llu records for want of buffer space\n",
			      (unsigned long long)input->lost);
	if (input->unknown_records)
		(void)fprintf(out, "note: %llu records of unknown types were skipped\n",
			      (unsigned long long)input->unknown_records);
	if (input->damaged)
		(void)fputs("note: the recording is damaged; this is what could be recovered\n", out);
	for (size_t i = 0; i < input->n_warnings; i++) {
		(void)fputs("note: ", out);
		text_put_safe(out, input->warnings[i]);
		(void)fputc('\n', out);
	}
}

static bool has_notes(const struct view_run *run, const struct summary *summary)
{
	const struct view_input *input = &run->input;

	for (size_t i = 0; i < summary->n_rows; i++)
		for (size_t note = 0; note < ARRAY_SIZE(event_notes); note++)
			if (event_notes[note].applies(&summary->rows[i].value))
				return true;
	return input->lost || input->unknown_records || input->damaged || input->n_warnings;
}

/* Why there may be nothing to see. */
static const char *why_empty(const struct view_run *run, const struct summary *summary)
{
	if (summary->tally.n_windows)
		return NULL;
	if (run->options->window_first)
		return "the recording has no such window";
	if (summary->end_ns && run->meta->is_stat)
		return "counting was never switched on";
	return NULL;
}

void summary_notes(const struct view_run *run, const struct summary *summary)
{
	const char *empty = why_empty(run, summary);

	if (!empty && !has_notes(run, summary))
		return;
	(void)fputc('\n', run->out);
	if (empty)
		(void)fprintf(run->out, "note: %s\n", empty);
	for (size_t note = 0; note < ARRAY_SIZE(event_notes); note++)
		if (!empty || event_notes[note].applies != is_unread) /* then it is said already */
			put_event_note(run, summary, note);
	put_input_notes(run->out, &run->input);
}
