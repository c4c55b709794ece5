/* Counts and their times. */
#include "report/value.h"

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

void counts_add(struct counts *sum, const struct counts *more)
{
	sum->raw = add_saturating(sum->raw, more->raw);
	sum->enabled_ns = add_saturating(sum->enabled_ns, more->enabled_ns);
	sum->running_ns = add_saturating(sum->running_ns, more->running_ns);
	sum->off_ns = add_saturating(sum->off_ns, more->off_ns);
}

uint64_t value_scale(uint64_t raw, uint64_t enabled_ns, uint64_t running_ns)
{
	unsigned __int128 product;

	if (running_ns == 0 || running_ns >= enabled_ns)
		return raw;
	product = (unsigned __int128)raw * enabled_ns + running_ns / 2; /* below 2^128: (2^64-1)^2 + 2^63 */
	product /= running_ns;
	return product > UINT64_MAX ? UINT64_MAX : (uint64_t)product;
}

void value_from_counts(struct timeline_value *value, const struct counts *counts, bool scale)
{
	bool was_wanted = counts->enabled_ns > 0 || counts->off_ns > 0;

	value->state = was_wanted && counts->running_ns == 0 ? VALUE_NOT_COUNTED : VALUE_COUNTED;
	value->raw = counts->raw;
	value->enabled_ns = counts->enabled_ns;
	value->running_ns = counts->running_ns;
	value->off_ns = counts->off_ns;
	value->is_scaled = scale && counts->running_ns > 0 && counts->running_ns < counts->enabled_ns;
	value->scaled = value->is_scaled ? value_scale(counts->raw, counts->enabled_ns, counts->running_ns) :
					   counts->raw;
}

void value_add(struct timeline_value *sum, const struct timeline_value *more, bool scale)
{
	struct counts counts = { sum->raw, sum->enabled_ns, sum->running_ns, sum->off_ns };
	struct counts adding = { more->raw, more->enabled_ns, more->running_ns, more->off_ns };
	enum value_state state = sum->state;

	counts_add(&counts, &adding);
	value_from_counts(sum, &counts, scale);
	if (counts.enabled_ns == 0 && state != VALUE_COUNTED && more->state != VALUE_COUNTED)
		sum->state = more->state;
	sum->samples += more->samples;
	sum->period = add_saturating(sum->period, more->period);
}
