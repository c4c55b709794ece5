/* Resolves names with libpfm4, whose only user this is. Its global state is set up on first use. */
#include <errno.h>
#include <linux/perf_event.h> /* before libpfm4's header, which brings an older copy otherwise */
#include <perfmon/pfmlib_perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "event/catalogue.h"
#include "event/resolve.h"

/* Names longer than any libpfm4 has are none of its. */
#define NAME_MAX_BYTES 512

static int encode(const char *name, struct perf_event_attr *attr)
{
	pfm_perf_encode_arg_t arg = { .attr = attr, .size = sizeof(arg), .cpu = -1 };
	pfm_err_t code = pfm_initialize();

	if (code != PFM_SUCCESS)
		return code;
	return pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3 | PFM_PLMH, PFM_OS_PERF_EVENT, &arg);
}

/* What is wrong after a known event's name gets libpfm4's words; everything else is just not known here. */
static int refuse(pfm_err_t code, const char *name, struct ps_error *err)
{
	switch (code) {
	case PFM_ERR_UMASK:
	case PFM_ERR_ATTR:
	case PFM_ERR_ATTR_VAL:
	case PFM_ERR_ATTR_SET:
	case PFM_ERR_FEATCOMB:
		return ps_fail(err, "event", EINVAL, "'%s': %s", name, pfm_strerror(code));
	case PFM_ERR_NOMEM:
		return ps_fail(err, "event", ENOMEM, "looking up '%s'", name);
	default:
		return -ENOENT;
	}
}

int resolve_pfm(struct event_list *list, const struct event_roots *roots, struct span name,
		struct ps_error *err)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	char text[NAME_MAX_BYTES];
	struct event *event;
	int code;

	if (!name.len || name.len >= sizeof(text))
		return -ENOENT;
	memcpy(text, name.at, name.len);
	text[name.len] = '\0';
	code = encode(text, &attr);
	if (code != PFM_SUCCESS)
		return refuse(code, text, err);
	if (attr.type == PERF_TYPE_TRACEPOINT) /* tracefs tells more about these */
		return -ENOENT;
	event = event_list_add(list, name);
	if (!event)
		return ps_fail(err, "event", ENOMEM, "keeping '%s'", text);
	event->attr.type = attr.type;
	event->attr.config = attr.config;
	event->attr.config1 = attr.config1;
	event->attr.config2 = attr.config2;
	event->attr.exclude_user = attr.exclude_user;
	event->attr.exclude_kernel = attr.exclude_kernel;
	/*
	 * Without a privilege modifier in the name libpfm4 may say this for a PMU that has no hypervisor
	 * level.
	 */
	event->attr.exclude_hv = attr.exclude_hv && (attr.exclude_user || attr.exclude_kernel);
	if (resolve_finish(event, roots) < 0) {
		event_list_cut(list, list->n - 1);
		return ps_fail(err, "event", ENOMEM, "keeping '%s'", text);
	}
	return 0;
}

bool resolve_pfm_has_umask(struct span event, struct span umask)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	char text[NAME_MAX_BYTES];
	int index;

	if (!event.len || event.len >= sizeof(text) || pfm_initialize() != PFM_SUCCESS)
		return false;
	memcpy(text, event.at, event.len);
	text[event.len] = '\0';
	index = pfm_find_event(text);
	if (index < 0 || pfm_get_event_info(index, PFM_OS_NONE, &info) != PFM_SUCCESS)
		return false;
	for (int i = 0; i < info.nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm_get_event_attr_info(index, i, PFM_OS_NONE, &attr) == PFM_SUCCESS &&
		    attr.type == PFM_ATTR_UMASK && strlen(attr.name) == umask.len &&
		    !strncasecmp(attr.name, umask.at, umask.len))
			return true;
	}
	return false;
}

/* An event with its unit masks, each a name of its own. */
static int list_event(const struct catalogue *out, const pfm_pmu_info_t *pmu, int index)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	const char *prefix = pmu->pmu == PFM_PMU_PERF_EVENT ? "" : pmu->name;
	const char *sep = *prefix ? "::" : "";
	int rc = 0, masks = 0;

	if (pfm_get_event_info(index, PFM_OS_NONE, &info) != PFM_SUCCESS)
		return 0;
	for (int i = 0; i < info.nattrs && !rc; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm_get_event_attr_info(index, i, PFM_OS_NONE, &attr) != PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		masks++;
		rc = catalogue_offer(out, pmu->name, attr.desc, "%s%s%s:%s", prefix, sep, info.name,
				     attr.name);
	}
	return masks || rc ? rc
			   : catalogue_offer(out, pmu->name, info.desc, "%s%s%s", prefix, sep, info.name);
}

int catalogue_pfm(const struct catalogue *out)
{
	int rc = 0;

	if (pfm_initialize() != PFM_SUCCESS)
		return 0;
	for (int pmu = 0; pmu < PFM_PMU_MAX && !rc; pmu++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		/* Generic names come in perf's spelling, and raw codes are no names. */
		if (pmu == PFM_PMU_PERF_EVENT || pmu == PFM_PMU_PERF_EVENT_RAW ||
		    pfm_get_pmu_info((pfm_pmu_t)pmu, &info) != PFM_SUCCESS || !info.is_present)
			continue;
		for (int i = info.first_event; i != -1 && !rc; i = pfm_get_event_next(i))
			rc = list_event(out, &info, i);
	}
	return rc;
}

void resolve_pfm_version(char *text)
{
	int version = pfm_get_version();

	(void)snprintf(text, 32, "libpfm4 %d.%d", PFM_MAJ_VERSION(version), PFM_MIN_VERSION(version));
}
