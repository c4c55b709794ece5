/* Facts about this machine, as the file's header wants them. Knows nothing of files: record/ puts them there. */
#ifndef HOST_FACTS_H
#define HOST_FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct host_cpu {
	uint32_t core, package, die;
};

struct host_node {
	uint32_t node;
	uint64_t total_kib, free_kib;
	char *cpulist; /* "0-3"; owned */
};

struct host_pmu {
	uint32_t type;
	char *name; /* owned */
};

struct host_list { /* distinct cpu lists, "0-1" */
	char **texts;
	size_t n;
};

/* What could not be found out is NULL or 0. All owned. */
struct host_facts {
	char *hostname, *osrelease, *arch, *cpudesc, *cpuid;
	uint32_t cpus_available, cpus_online;
	uint64_t total_mem_kib;
	uint64_t clock_res_ns;
	struct host_list cores, packages, dies; /* which CPUs share one */
	struct host_cpu *cpus;                  /* one per available CPU */
	size_t n_cpus;
	struct host_node *nodes;
	size_t n_nodes;
	struct host_pmu *pmus;
	size_t n_pmus;
};

/* Fills facts from uname(2), sysconf(3), /proc and below sysfs ("/sys"; another folder in tests). 0 or -ENOMEM. */
int host_facts(struct host_facts *facts, const char *sysfs, struct ps_error *err) _must_check_;
void host_facts_fini(struct host_facts *facts);

/* The online CPUs, ascending. *cpus is the caller's to free. Returns how many, or -errno. */
int host_online_cpus(const char *sysfs, int32_t **cpus, struct ps_error *err) _must_check_;

/* "0-3,8" to numbers, ascending, without doubles; *cpus as above. Returns how many, or -EINVAL/-ENOMEM. */
int host_parse_cpus(const char *text, int32_t **cpus, struct ps_error *err) _must_check_;

#endif
