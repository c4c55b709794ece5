/* What the numbers of an event mean. */
#include "report/quantity.h"

#include "base/clock.h"

bool quantity_is_clock(const struct meta_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       (event->attr.config == PERF_COUNT_SW_CPU_CLOCK || event->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

/* perf gives clocks the unit msec and a scale; here their ns are shown as they are. */
static bool has_scale(const struct meta_event *event)
{
	bool is_one = event->scale < 1 + 1e-15 && event->scale > 1 - 1e-15;

	return !is_one && !quantity_is_clock(event);
}

const char *quantity_unit(const struct meta_event *event)
{
	if (quantity_is_clock(event))
		return "ns";
	return event->unit ? event->unit : "";
}

double quantity_value(const struct meta_event *event, const struct timeline_value *value)
{
	return has_scale(event) ? (double)value->scaled * event->scale : (double)value->scaled;
}

const char *quantity_text(char *buf, const struct meta_event *event, const struct timeline_value *value)
{
	return has_scale(event) ? text_decimal(buf, quantity_value(event, value)) : text_unsigned(buf, value->scaled);
}

const char *quantity_people(char *buf, const struct meta_event *event, double value)
{
	bool is_whole = value >= 0 && value < 1e15 && value - (double)(uint64_t)value <= 0;

	if (quantity_is_clock(event)) {
		double msec = value / (double)NS_PER_MS;

		return text_grouped_double(buf, msec, msec >= 10 || msec <= 0 ? 2 : msec >= 1 ? 3 : 6);
	}
	if (is_whole && !has_scale(event))
		return text_grouped(buf, (uint64_t)value);
	return text_grouped_double(buf, value, value >= 1000 ? 0 : value >= 10 ? 2 : 4);
}

const char *quantity_people_unit(const struct meta_event *event)
{
	return quantity_is_clock(event) ? "msec" : quantity_unit(event);
}

bool quantity_rate(const struct meta_event *event, const struct timeline_value *value, uint64_t span_ns, double *rate)
{
	if (!timeline_has_number(value) || span_ns == 0)
		return false;
	*rate = quantity_value(event, value) * (double)NS_PER_S / (double)span_ns;
	return true;
}

bool quantity_running(const struct timeline_value *value, double *percent)
{
	if (value->state == VALUE_NOT_SUPPORTED || value->enabled_ns == 0)
		return false;
	*percent = 100.0 * (double)value->running_ns / (double)value->enabled_ns;
	return true;
}

const char *quantity_note(const struct timeline_value *value)
{
	switch (value->state) {
	case VALUE_NOT_COUNTED:
		return "not counted";
	case VALUE_NOT_SUPPORTED:
		return "not supported";
	case VALUE_SAMPLED:
		return "sampled";
	case VALUE_COUNTED:
		break;
	}
	return value->is_scaled ? "scaled" : "";
}

const char *quantity_time(char *buf, const struct view_run *run, uint64_t since_t0_ns)
{
	switch (run->options->time) {
	case VIEW_TIME_WALL:
		return text_wall(buf, run->t0_wall_ns + since_t0_ns);
	case VIEW_TIME_MONO:
		return text_seconds(buf, run->t0_mono_ns + since_t0_ns, 9);
	case VIEW_TIME_REL:
		break;
	}
	return text_seconds(buf, since_t0_ns, 9);
}

const char *quantity_name(const struct meta *meta, size_t event)
{
	const char *name = meta->events[event].name;

	return name && *name ? name : "?";
}
