/* Header features: the one table of them. */
#include "data/feature.h"

#include <errno.h>
#include <string.h>

#include "data/feature_internal.h"

static const struct feature features[] = {
	{ 0, "RESERVED", NULL, NULL, NULL },
};

const struct feature *feature_find(uint32_t number)
{
	return number && number < ARRAY_SIZE(features) ? &features[number] : NULL;
}

const char *feature_name(uint32_t number)
{
	const struct feature *feature = feature_find(number);

	return feature ? feature->name : NULL;
}
