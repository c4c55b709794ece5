/* Facts about this machine. */
#include "host/facts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/textfile.h"
#include "host/topology.h"

#define TEXT_MAX 65536
#define CPUINFO_MAX (16u << 20) /* a thousand CPUs with their flags */

/* The value behind "key   : " at the start of a line, new; NULL when there is none. */
static char *colon_value(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, len) || (line[len] != ':' && !isspace((unsigned char)line[len])))
			continue;
		const char *value = line + len + strspn(line + len, " \t");

		if (*value++ != ':')
			continue;
		value += strspn(value, " \t");
		return strndup(value, strcspn(value, "\n"));
	}
	return NULL;
}

/* As perf names a CPU: vendor-family-model-stepping on x86, the MIDR on arm64. */
static char *cpuid_of(const char *cpuinfo, const char *sysfs)
{
	_cleanup_free_ char *vendor = colon_value(cpuinfo, "vendor_id");
	_cleanup_free_ char *family = colon_value(cpuinfo, "cpu family");
	_cleanup_free_ char *model = colon_value(cpuinfo, "model");
	_cleanup_free_ char *stepping = colon_value(cpuinfo, "stepping");
	char *id = NULL;

	if (!vendor || !family || !model || !stepping) {
		if (textfile_readf(TEXT_MAX, &id, "%s/devices/system/cpu/cpu0/regs/identification/midr_el1",
				   sysfs) < 0)
			return NULL;
		return id;
	}
	if (asprintf(&id, "%s-%s-%s-%s", vendor, family, model, stepping) < 0)
		return NULL;
	return id;
}

static void cpu_facts(struct host_facts *facts, const char *sysfs)
{
	_cleanup_free_ char *cpuinfo = NULL;

	if (textfile_readf(CPUINFO_MAX, &cpuinfo, "/proc/cpuinfo") < 0)
		return;
	facts->cpudesc = colon_value(cpuinfo, "model name");
	if (!facts->cpudesc)
		facts->cpudesc = colon_value(cpuinfo, "Processor");
	facts->cpuid = cpuid_of(cpuinfo, sysfs);
}

static uint64_t mem_total_kib(void)
{
	_cleanup_free_ char *meminfo = NULL;
	_cleanup_free_ char *total = NULL;

	if (textfile_readf(TEXT_MAX, &meminfo, "/proc/meminfo") < 0)
		return 0;
	total = colon_value(meminfo, "MemTotal");
	return total ? strtoull(total, NULL, 10) : 0;
}

static int uname_facts(struct host_facts *facts, struct ps_error *err)
{
	struct utsname uts;

	if (uname(&uts) < 0)
		return ps_fail(err, "host", errno, "asking for the machine's name");
	facts->hostname = strdup(uts.nodename);
	facts->osrelease = strdup(uts.release);
	facts->arch = strdup(uts.machine);
	if (!facts->hostname || !facts->osrelease || !facts->arch)
		return ps_fail(err, "host", ENOMEM, "collecting facts");
	return 0;
}

static int add_pmu(struct host_facts *facts, const char *sysfs, const char *name)
{
	_cleanup_free_ char *type = NULL;
	struct host_pmu *grown;

	if (textfile_readf(TEXT_MAX, &type, "%s/bus/event_source/devices/%s/type", sysfs, name) < 0)
		return 0;
	grown = realloc(facts->pmus, (facts->n_pmus + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	facts->pmus = grown;
	grown[facts->n_pmus].type = (uint32_t)strtoul(type, NULL, 10);
	grown[facts->n_pmus].name = strdup(name);
	return grown[facts->n_pmus++].name ? 0 : -ENOMEM;
}

static int pmu_facts(struct host_facts *facts, const char *sysfs, struct ps_error *err)
{
	_cleanup_free_ char *path = NULL;
	struct dirent *entry;
	DIR *dir;
	int rc = 0;

	if (asprintf(&path, "%s/bus/event_source/devices", sysfs) < 0) {
		path = NULL;
		return ps_fail(err, "host", ENOMEM, "collecting facts");
	}
	dir = opendir(path);
	if (!dir)
		return 0; /* no sysfs: the fact stays absent */
	while (rc == 0 && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			rc = add_pmu(facts, sysfs, entry->d_name);
	(void)closedir(dir);
	return rc < 0 ? ps_fail(err, "host", ENOMEM, "collecting facts") : 0;
}

int host_facts(struct host_facts *facts, const char *sysfs, struct ps_error *err)
{
	struct timespec res;
	int rc;

	memset(facts, 0, sizeof(*facts));
	rc = uname_facts(facts, err);
	if (rc == 0)
		rc = pmu_facts(facts, sysfs, err);
	if (rc == 0 && host_topology(facts, sysfs) < 0)
		rc = ps_fail(err, "host", ENOMEM, "collecting the CPU topology");
	if (rc < 0) {
		host_facts_fini(facts);
		return rc;
	}
	cpu_facts(facts, sysfs);
	facts->total_mem_kib = mem_total_kib();
	if (clock_getres(CLOCK_MONOTONIC, &res) == 0)
		facts->clock_res_ns = (uint64_t)res.tv_sec * 1000000000u + (uint64_t)res.tv_nsec;
	return 0;
}

static void list_fini(struct host_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->texts[i]);
	free(list->texts);
}

void host_facts_fini(struct host_facts *facts)
{
	free(facts->hostname);
	free(facts->osrelease);
	free(facts->arch);
	free(facts->cpudesc);
	free(facts->cpuid);
	free(facts->cpus);
	list_fini(&facts->cores);
	list_fini(&facts->packages);
	list_fini(&facts->dies);
	for (size_t i = 0; i < facts->n_nodes; i++)
		free(facts->nodes[i].cpulist);
	free(facts->nodes);
	for (size_t i = 0; i < facts->n_pmus; i++)
		free(facts->pmus[i].name);
	free(facts->pmus);
	memset(facts, 0, sizeof(*facts));
}
