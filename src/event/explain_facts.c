/* Finds out what an explanation needs to know of the machine. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "event/explain.h"
#include "event/sysfs.h"

#define CAP_BIT(n) (UINT64_C(1) << (n))
enum { CAP_NR_SYS_ADMIN = 21, CAP_NR_PERFMON = 38 };

static void read_status(struct explain_facts *facts, const char *proc)
{
	char path[256], line[256];
	unsigned long long caps = 0;
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/self/status", proc);
	file = fopen(path, "re");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		(void)sscanf(line, "CapEff: %llx", &caps);
		(void)sscanf(line, "Seccomp: %d", &facts->seccomp);
	}
	(void)fclose(file); /* only read from */
	facts->has_perfmon_cap = (caps & (CAP_BIT(CAP_NR_PERFMON) | CAP_BIT(CAP_NR_SYS_ADMIN))) != 0;
}

/* The processor says so in its flags (x86); elsewhere the maker of the machine tells in its product name. */
static int is_virtual(const char *proc, const char *sysfs)
{
	static const char *const products[] = { "KVM",  "Virtual",  "VMware",
						"QEMU", "HVM domU", "Google Compute" };
	char path[256], text[128], line[4096];
	int found = 0;
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/cpuinfo", proc);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file))
		found = !strncmp(line, "flags", 5) && strstr(line, " hypervisor");
	if (file)
		(void)fclose(file); /* only read from */
	if (found || sysfs_read_text(text, sizeof(text), "%s/class/dmi/id/product_name", sysfs) < 0)
		return found;
	for (size_t i = 0; i < ARRAY_SIZE(products); i++)
		found |= strstr(text, products[i]) != NULL;
	return found;
}

void explain_facts_in(struct explain_facts *facts, const char *proc, const char *sysfs)
{
	char text[32];
	struct rlimit limit;

	*facts = (struct explain_facts){ .paranoid = INT_MIN };
	if (sysfs_read_text(text, sizeof(text), "%s/sys/kernel/perf_event_paranoid", proc) < 0 ||
	    sscanf(text, "%d", &facts->paranoid) != 1)
		facts->paranoid = INT_MIN;
	read_status(facts, proc);
	facts->has_pmu = sysfs_has_core_pmu(sysfs);
	facts->is_virtual = is_virtual(proc, sysfs);
	if (!getrlimit(RLIMIT_NOFILE, &limit))
		facts->file_limit = limit.rlim_max;
}

void explain_facts(struct explain_facts *facts)
{
	explain_facts_in(facts, "/proc", "/sys");
}
