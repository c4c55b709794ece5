# Unit tests need the check library only; scripts may need the kernel and skip (77) with their reason.
AM_TESTS_ENVIRONMENT = LC_ALL=C; export LC_ALL; \
	PSTAT=$(abs_top_builddir)/pstat; export PSTAT; \
	PSTAT_REPORT=$(abs_top_builddir)/pstat-report; export PSTAT_REPORT; \
	PSTAT_SRCDIR=$(abs_top_srcdir); export PSTAT_SRCDIR; \
	PSTAT_BUILDDIR=$(abs_top_builddir); export PSTAT_BUILDDIR; \
	PSTAT_CUT_STEP=$(CUT_STEP); export PSTAT_CUT_STEP; \
	PSTAT_SANITIZED=$(SANITIZED); export PSTAT_SANITIZED; \
	PSTAT_CORPUS_EVERY=$(PSTAT_CORPUS_EVERY); export PSTAT_CORPUS_EVERY; \
	PYTHONDONTWRITEBYTECODE=1; export PYTHONDONTWRITEBYTECODE; \
	ASAN_OPTIONS=exitcode=99:$$ASAN_OPTIONS; export ASAN_OPTIONS; \
	UBSAN_OPTIONS=print_stacktrace=1:$$UBSAN_OPTIONS; export UBSAN_OPTIONS;
# A sanitized program starts slowly, so not every cut of a file is tried with it.
if ENABLE_SANITIZERS
CUT_STEP = 29
SANITIZED = yes
else
CUT_STEP = 1
SANITIZED =
endif
TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(SHELL)

# check's macros convert signs in ways of their own.
TEST_CFLAGS = -std=gnu11 $(WARNING_CFLAGS) $(SANITIZER_CFLAGS) -Wno-conversion -Wno-sign-conversion -Wno-cast-qual \
	$(CHECK_CFLAGS) -I$(top_srcdir)/tests
UNIT_LIBS = $(RECORD_LIBS) $(CHECK_LIBS)
UNIT_TESTS =
FUZZ_TESTS =

include tests/unit/base.mk
include tests/unit/data.mk
include tests/unit/data_read.mk
include tests/unit/data_rewrite.mk
include tests/unit/report.mk
include tests/unit/event.mk
include tests/unit/loop.mk
include tests/unit/control.mk
include tests/unit/record.mk
include tests/fuzz/local.mk
include tests/integration/local.mk
include tests/targets.mk

if HAVE_CHECK
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
endif
