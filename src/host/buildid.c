/* GNU build ids, by libelf. */
#include "host/buildid.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>

#define BUILD_ID_MAX 20

/* The id among the notes of one piece of the file. Returns its length, 0 when it is not there. */
static int id_in_notes(Elf_Data *data, uint8_t *id)
{
	size_t at = 0, name_at, desc_at;
	GElf_Nhdr note;

	if (!data || !data->d_buf)
		return 0;
	while ((at = gelf_getnote(data, at, &note, &name_at, &desc_at)) > 0) {
		const char *base = data->d_buf;

		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    memcmp(base + name_at, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)))
			continue;
		size_t len = note.n_descsz < BUILD_ID_MAX ? note.n_descsz : BUILD_ID_MAX;

		memcpy(id, base + desc_at, len);
		return (int)len;
	}
	return 0;
}

/* Program headers are what a stripped program still has. */
static int id_in_elf(Elf *elf, uint8_t *id)
{
	size_t n = 0;
	int len = 0;

	if (elf_getphdrnum(elf, &n) < 0)
		return -1;
	for (size_t i = 0; i < n && len == 0; i++) {
		GElf_Phdr phdr;

		if (!gelf_getphdr(elf, (int)i, &phdr))
			return -1;
		if (phdr.p_type != PT_NOTE)
			continue;
		len = id_in_notes(elf_getdata_rawchunk(elf, (int64_t)phdr.p_offset, phdr.p_filesz,
						       phdr.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR), id);
	}
	return len;
}

int buildid_of_file(const char *path, uint8_t id[BUILD_ID_MAX], struct ps_error *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;
	int len;

	if (fd < 0)
		return ps_fail(err, "build id", errno, "opening %s", path);
	if (elf_version(EV_CURRENT) == EV_NONE)
		return ps_fail(err, "build id", ENOSYS, "libelf: %s", elf_errmsg(-1));
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		return ps_fail(err, "build id", EBADMSG, "reading %s: %s", path, elf_errmsg(-1));
	len = elf_kind(elf) == ELF_K_ELF ? id_in_elf(elf, id) : 0;
	if (len < 0)
		len = ps_fail(err, "build id", EBADMSG, "reading %s: %s", path, elf_errmsg(-1));
	(void)elf_end(elf);
	return len;
}
