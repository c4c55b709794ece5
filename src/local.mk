# Two convenience libraries, so that the linker enforces the layers: pstat-report links without libpfm4.
noinst_LIBRARIES += libdata.a librecord.a
libdata_a_SOURCES =
libdata_a_CFLAGS = $(AM_CFLAGS) $(ZSTD_CFLAGS) $(JSON_CFLAGS)
librecord_a_SOURCES =
librecord_a_CFLAGS = $(AM_CFLAGS) $(ELF_CFLAGS)

RECORD_LIBS = librecord.a libdata.a $(ZSTD_LIBS) $(JSON_LIBS) $(PFM_LIBS) $(ELF_LIBS) -lm
REPORT_LIBS = libdata.a $(ZSTD_LIBS) $(JSON_LIBS) -lm

pstatincludedir = $(includedir)/pstat
pstatinclude_HEADERS = include/pstat/control.h include/pstat/format.h
# Headers only, so it belongs to no architecture.
pkgconfigdir = $(datadir)/pkgconfig
pkgconfig_DATA = pstat.pc

include src/base/local.mk
include src/data/local.mk
include src/report/local.mk
include src/host/local.mk
include src/loop/local.mk
include src/event/local.mk
include src/control/local.mk
include src/record/local.mk
include src/cli/local.mk
