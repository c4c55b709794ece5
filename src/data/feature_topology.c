/* Header features about how CPUs and memory lie: CPU_TOPOLOGY and NUMA_TOPOLOGY. */
#include "data/feature_internal.h"

#define NODE_MIN_BYTES 24 /* number, two sizes and an empty string */

static int put_topology_cpus(const struct feature_set *set, struct buffer *out, struct ps_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < set->n_topology && rc >= 0; i++) {
		rc = feature_put_u32(out, set->topology[i].core, err);
		if (rc >= 0)
			rc = feature_put_u32(out, set->topology[i].package, err);
	}
	return rc;
}

FEATURE_ENCODE(feature_encode_cpu_topology)
{
	const struct feature_set *set = &meta->features;
	int rc = feature_put_strings(out, set->package_lists, set->n_package_lists, err);

	if (rc >= 0)
		rc = feature_put_strings(out, set->core_lists, set->n_core_lists, err);
	if (rc >= 0)
		rc = put_topology_cpus(set, out, err);
	if (rc < 0 || !set->n_topology || !set->n_die_lists)
		return rc; /* an older form ended there, and readers tell it by its length */
	rc = feature_put_strings(out, set->die_lists, set->n_die_lists, err);
	for (size_t i = 0; i < set->n_topology && rc >= 0; i++)
		rc = feature_put_u32(out, set->topology[i].die, err);
	return rc;
}

/* What a CPU_TOPOLOGY holds, before it is known to be whole. */
struct topology {
	char **packages, **cores, **dies;
	size_t n_packages, n_cores, n_dies;
	struct feature_topology_cpu *cpus;
	size_t n_cpus;
};

static void free_topology(struct topology *topology)
{
	feature_free_strings(topology->packages, topology->n_packages);
	feature_free_strings(topology->cores, topology->n_cores);
	feature_free_strings(topology->dies, topology->n_dies);
	free(topology->cpus);
}

/* Core and package of each CPU: missing before Linux 4.1, and then nothing follows. */
static int get_cpus(struct topology *topology, struct cursor *cur, uint32_t n, struct ps_error *err)
{
	if (!n || cur->left < 2 * sizeof(uint32_t))
		return 0;
	if (n > cur->left / (2 * sizeof(uint32_t)))
		return feature_damaged(err, FORMAT_FEATURE_CPU_TOPOLOGY, "fewer CPUs than NRCPUS says");
	topology->cpus = calloc(n, sizeof(*topology->cpus));
	if (!topology->cpus)
		return feature_no_memory(err, FORMAT_FEATURE_CPU_TOPOLOGY);
	topology->n_cpus = n;
	for (uint32_t i = 0; i < n; i++) {
		(void)cursor_u32(cur, &topology->cpus[i].core); /* counted above */
		(void)cursor_u32(cur, &topology->cpus[i].package);
	}
	return 0;
}

/* Dies: missing before Linux 5.3; what is left may also be padding. */
static int get_dies(struct topology *topology, struct cursor *cur, struct ps_error *err)
{
	int rc;

	if (!topology->n_cpus || cur->left < sizeof(uint32_t))
		return 0;
	rc = feature_get_strings(cur, FORMAT_FEATURE_CPU_TOPOLOGY, &topology->dies, &topology->n_dies, err);
	if (rc < 0 || !topology->n_dies)
		return rc;
	if (topology->n_cpus > cur->left / sizeof(uint32_t))
		return feature_damaged(err, FORMAT_FEATURE_CPU_TOPOLOGY, "fewer dies than CPUs");
	for (size_t i = 0; i < topology->n_cpus; i++)
		(void)cursor_u32(cur, &topology->cpus[i].die); /* counted above */
	return 0;
}

FEATURE_DECODE(feature_decode_cpu_topology)
{
	const uint32_t number = FORMAT_FEATURE_CPU_TOPOLOGY;
	struct feature_set *set = &meta->features;
	struct cursor cur = { bytes, len, swapped };
	struct topology new = { 0 }, old;
	int rc = feature_get_strings(&cur, number, &new.packages, &new.n_packages, err);

	if (rc >= 0)
		rc = feature_get_strings(&cur, number, &new.cores, &new.n_cores, err);
	if (rc >= 0)
		rc = get_cpus(&new, &cur, set->cpus_available, err);
	if (rc >= 0)
		rc = get_dies(&new, &cur, err);
	if (rc < 0) {
		free_topology(&new);
		return rc;
	}
	old = (struct topology){
		set->package_lists, set->core_lists, set->die_lists, set->n_package_lists,
		set->n_core_lists,  set->n_die_lists, set->topology, set->n_topology,
	};
	free_topology(&old);
	set->package_lists = new.packages;
	set->n_package_lists = new.n_packages;
	set->core_lists = new.cores;
	set->n_core_lists = new.n_cores;
	set->die_lists = new.dies;
	set->n_die_lists = new.n_dies;
	set->topology = new.cpus;
	set->n_topology = new.n_cpus;
	return 0;
}

static void print_lists(const char *label, char *const *lists, size_t n, FILE *out)
{
	for (size_t i = 0; i < n; i++) {
		(void)fprintf(out, "# sibling %s : ", label);
		feature_print_text(lists[i], out);
		(void)fputc('\n', out);
	}
}

FEATURE_PRINT(feature_print_cpu_topology)
{
	const struct feature_set *set = &meta->features;

	print_lists("sockets", set->package_lists, set->n_package_lists, out);
	print_lists("dies   ", set->die_lists, set->n_die_lists, out);
	print_lists("threads", set->core_lists, set->n_core_lists, out);
	if (!set->n_topology)
		(void)fprintf(out, "# Core ID%s and Socket ID information is not available\n",
			      set->n_die_lists ? ", Die ID" : "");
	for (size_t i = 0; i < set->n_topology; i++) {
		const struct feature_topology_cpu *cpu = &set->topology[i];

		(void)fprintf(out, "# CPU %zu: Core ID %d, ", i, (int)cpu->core);
		if (set->n_die_lists)
			(void)fprintf(out, "Die ID %d, ", (int)cpu->die);
		(void)fprintf(out, "Socket ID %d\n", (int)cpu->package);
	}
}

FEATURE_ENCODE(feature_encode_numa_topology)
{
	const struct feature_set *set = &meta->features;
	int rc = feature_put_u32(out, (uint32_t)set->n_numa, err);

	for (size_t i = 0; i < set->n_numa && rc >= 0; i++) {
		const struct feature_numa_node *node = &set->numa[i];

		rc = feature_put_u32(out, node->node, err);
		if (rc >= 0)
			rc = feature_put_u64(out, node->total_kib, err);
		if (rc >= 0)
			rc = feature_put_u64(out, node->free_kib, err);
		if (rc >= 0)
			rc = feature_put_string(out, node->cpulist, err);
	}
	return rc;
}

static void free_nodes(struct feature_numa_node *nodes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(nodes[i].cpulist);
	free(nodes);
}

static int get_node(struct feature_numa_node *node, struct cursor *cur, struct ps_error *err)
{
	const char *text;

	if (!cursor_u32(cur, &node->node) || !cursor_u64(cur, &node->total_kib) || !cursor_u64(cur, &node->free_kib))
		return feature_damaged(err, FORMAT_FEATURE_NUMA_TOPOLOGY, "a node does not fit");
	text = cursor_string(cur);
	if (!text)
		return feature_damaged(err, FORMAT_FEATURE_NUMA_TOPOLOGY, "a cpu list does not fit or has no end");
	node->cpulist = strdup(text);
	return node->cpulist ? 0 : feature_no_memory(err, FORMAT_FEATURE_NUMA_TOPOLOGY);
}

FEATURE_DECODE(feature_decode_numa_topology)
{
	struct feature_set *set = &meta->features;
	struct cursor cur = { bytes, len, swapped };
	struct feature_numa_node *nodes;
	uint32_t n = 0;
	int rc = 0;

	if (!cursor_count(&cur, NODE_MIN_BYTES, &n))
		return feature_damaged(err, FORMAT_FEATURE_NUMA_TOPOLOGY, "more nodes than it has room for");
	nodes = calloc((size_t)n + 1, sizeof(*nodes));
	if (!nodes)
		return feature_no_memory(err, FORMAT_FEATURE_NUMA_TOPOLOGY);
	for (uint32_t i = 0; i < n && rc >= 0; i++)
		rc = get_node(&nodes[i], &cur, err);
	if (rc < 0) {
		free_nodes(nodes, n);
		return rc;
	}
	free_nodes(set->numa, set->n_numa);
	set->numa = nodes;
	set->n_numa = n;
	return 0;
}

FEATURE_PRINT(feature_print_numa_topology)
{
	for (size_t i = 0; i < meta->features.n_numa; i++) {
		const struct feature_numa_node *node = &meta->features.numa[i];

		(void)fprintf(out, "# node%u meminfo  : total = %llu kB, free = %llu kB\n", node->node,
			      (unsigned long long)node->total_kib, (unsigned long long)node->free_kib);
		(void)fprintf(out, "# node%u cpu list : ", node->node);
		feature_print_text(node->cpulist, out);
		(void)fputc('\n', out);
	}
}
