/* Which CPUs share a core, a die, a package, a memory node. */
#include "host/topology.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/textfile.h"

#define TEXT_MAX 65536

static uint32_t topology_number(const char *sysfs, size_t cpu, const char *name)
{
	_cleanup_free_ char *text = NULL;

	if (textfile_readf(TEXT_MAX, &text, "%s/devices/system/cpu/cpu%zu/topology/%s", sysfs, cpu, name) < 0)
		return 0;
	return (uint32_t)strtol(text, NULL, 10); /* -1, unknown, is kept as perf keeps it */
}

/* Adds the list a file holds unless it is there already. */
static int list_add(struct host_list *list, const char *sysfs, size_t cpu, const char *name)
{
	_cleanup_free_ char *text = NULL;
	char **grown;

	if (textfile_readf(TEXT_MAX, &text, "%s/devices/system/cpu/cpu%zu/topology/%s", sysfs, cpu, name) < 0)
		return 0;
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->texts[i], text))
			return 0;
	grown = realloc(list->texts, (list->n + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	list->texts = grown;
	grown[list->n++] = attr_take(&text);
	return 0;
}

static int cpu_topology(struct host_facts *facts, const char *sysfs)
{
	for (size_t cpu = 0; cpu < facts->n_cpus; cpu++) {
		facts->cpus[cpu].core = topology_number(sysfs, cpu, "core_id");
		facts->cpus[cpu].package = topology_number(sysfs, cpu, "physical_package_id");
		facts->cpus[cpu].die = topology_number(sysfs, cpu, "die_id");
		if (list_add(&facts->packages, sysfs, cpu, "package_cpus_list") < 0 ||
		    list_add(&facts->cores, sysfs, cpu, "core_cpus_list") < 0 ||
		    list_add(&facts->dies, sysfs, cpu, "die_cpus_list") < 0)
			return -ENOMEM;
	}
	return 0;
}

/* "Node 0 MemTotal:  123 kB" in a node's meminfo. */
static uint64_t node_kib(const char *meminfo, const char *key)
{
	const char *at = strstr(meminfo, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static int add_node(struct host_facts *facts, const char *sysfs, int32_t number)
{
	_cleanup_free_ char *meminfo = NULL;
	_cleanup_free_ char *cpulist = NULL;
	struct host_node *grown;

	if (textfile_readf(TEXT_MAX, &meminfo, "%s/devices/system/node/node%d/meminfo", sysfs, number) < 0 ||
	    textfile_readf(TEXT_MAX, &cpulist, "%s/devices/system/node/node%d/cpulist", sysfs, number) < 0)
		return 0;
	grown = realloc(facts->nodes, (facts->n_nodes + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	facts->nodes = grown;
	grown[facts->n_nodes++] = (struct host_node){
		.node = (uint32_t)number,
		.total_kib = node_kib(meminfo, "MemTotal:"),
		.free_kib = node_kib(meminfo, "MemFree:"),
		.cpulist = attr_take(&cpulist),
	};
	return 0;
}

static int nodes(struct host_facts *facts, const char *sysfs)
{
	_cleanup_free_ char *online = NULL;
	_cleanup_free_ int32_t *numbers = NULL;
	int n;

	if (textfile_readf(TEXT_MAX, &online, "%s/devices/system/node/online", sysfs) < 0)
		return 0;
	n = host_parse_cpus(online, &numbers, NULL); /* the same notation */
	for (int i = 0; i < n; i++)
		if (add_node(facts, sysfs, numbers[i]) < 0)
			return -ENOMEM;
	return n == -ENOMEM ? n : 0;
}

/* The highest number of a list like "0-7" plus one: the CPUs perf calls available. */
static uint32_t cpus_in(const char *sysfs, const char *which)
{
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ int32_t *list = NULL;
	int n;

	if (textfile_readf(TEXT_MAX, &text, "%s/devices/system/cpu/%s", sysfs, which) < 0)
		return 0;
	n = host_parse_cpus(text, &list, NULL);
	if (n <= 0)
		return 0;
	return strcmp(which, "online") ? (uint32_t)list[n - 1] + 1 : (uint32_t)n;
}

int host_topology(struct host_facts *facts, const char *sysfs)
{
	facts->cpus_available = cpus_in(sysfs, "present");
	facts->cpus_online = cpus_in(sysfs, "online");
	facts->n_cpus = facts->cpus_available;
	facts->cpus = calloc(facts->n_cpus + 1, sizeof(*facts->cpus));
	if (!facts->cpus)
		return -ENOMEM;
	if (cpu_topology(facts, sysfs) < 0)
		return -ENOMEM;
	return nodes(facts, sysfs);
}
