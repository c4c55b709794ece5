/* Header features about the machine and the command: names, CPU counts, memory, command line. */
#include "data/feature_internal.h"

static int decode_text(char **slot, uint32_t number, struct cursor cur, struct ps_error *err)
{
	const char *text = cursor_string(&cur);
	char *copy;

	if (!text)
		return feature_damaged(err, number, "its text does not fit or has no end");
	copy = strdup(text);
	if (!copy)
		return feature_no_memory(err, number);
	free(*slot);
	*slot = copy;
	return 0;
}

static void print_text(const char *label, const char *text, FILE *out)
{
	(void)fprintf(out, "# %s : ", label);
	feature_print_text(text, out);
	(void)fputc('\n', out);
}

/* The features that are one string: all three functions of their row. */
#define TEXT_FEATURE(member, number, label)                                                       \
	FEATURE_ENCODE(feature_encode_##member)                                                   \
	{                                                                                         \
		return feature_put_string(out, meta->features.member, err);                       \
	}                                                                                         \
	FEATURE_DECODE(feature_decode_##member)                                                   \
	{                                                                                         \
		return decode_text(&meta->features.member, number,                                \
				   (struct cursor){ bytes, len, swapped }, err);                  \
	}                                                                                         \
	FEATURE_PRINT(feature_print_##member)                                                     \
	{                                                                                         \
		print_text(label, meta->features.member, out);                                    \
	}

TEXT_FEATURE(hostname, FORMAT_FEATURE_HOSTNAME, "hostname")
TEXT_FEATURE(osrelease, FORMAT_FEATURE_OSRELEASE, "os release")
TEXT_FEATURE(version, FORMAT_FEATURE_VERSION, "perf version")
TEXT_FEATURE(arch, FORMAT_FEATURE_ARCH, "arch")
TEXT_FEATURE(cpudesc, FORMAT_FEATURE_CPUDESC, "cpudesc")
TEXT_FEATURE(cpuid, FORMAT_FEATURE_CPUID, "cpuid")

FEATURE_ENCODE(feature_encode_nrcpus)
{
	int rc = feature_put_u32(out, meta->features.cpus_available, err);

	return rc < 0 ? rc : feature_put_u32(out, meta->features.cpus_online, err);
}

FEATURE_DECODE(feature_decode_nrcpus)
{
	struct cursor cur = { bytes, len, swapped };
	uint32_t available = 0, online = 0;

	if (!cursor_u32(&cur, &available) || !cursor_u32(&cur, &online))
		return feature_damaged(err, FORMAT_FEATURE_NRCPUS, "too short");
	meta->features.cpus_available = available;
	meta->features.cpus_online = online;
	return 0;
}

FEATURE_PRINT(feature_print_nrcpus)
{
	(void)fprintf(out, "# nrcpus online : %u\n", meta->features.cpus_online);
	(void)fprintf(out, "# nrcpus avail : %u\n", meta->features.cpus_available);
}

FEATURE_ENCODE(feature_encode_total_mem)
{
	return feature_put_u64(out, meta->features.total_mem_kib, err);
}

FEATURE_DECODE(feature_decode_total_mem)
{
	struct cursor cur = { bytes, len, swapped };

	if (!cursor_u64(&cur, &meta->features.total_mem_kib))
		return feature_damaged(err, FORMAT_FEATURE_TOTAL_MEM, "too short");
	return 0;
}

FEATURE_PRINT(feature_print_total_mem)
{
	(void)fprintf(out, "# total memory : %llu kB\n", (unsigned long long)meta->features.total_mem_kib);
}

FEATURE_ENCODE(feature_encode_cmdline)
{
	return feature_put_strings(out, meta->features.cmdline, meta->features.n_cmdline, err);
}

FEATURE_DECODE(feature_decode_cmdline)
{
	struct feature_set *set = &meta->features;
	struct cursor cur = { bytes, len, swapped };
	char **words;
	size_t n;
	int rc = feature_get_strings(&cur, FORMAT_FEATURE_CMDLINE, &words, &n, err);

	if (rc < 0)
		return rc;
	feature_free_strings(set->cmdline, set->n_cmdline);
	set->cmdline = words;
	set->n_cmdline = n;
	return 0;
}

/* An apostrophe is escaped, so that the line can be given to a shell again where no word needs more quoting. */
FEATURE_PRINT(feature_print_cmdline)
{
	(void)fputs("# cmdline : ", out);
	for (size_t i = 0; i < meta->features.n_cmdline; i++) {
		for (const char *at = meta->features.cmdline[i]; *at; at++) {
			char one[2] = { *at, '\0' };

			if (*at == '\'')
				(void)fputc('\\', out);
			feature_print_text(one, out);
		}
		(void)fputc(' ', out);
	}
	(void)fputc('\n', out);
}
