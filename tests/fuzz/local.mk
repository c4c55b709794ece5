# Fuzz targets. A new one is a file fuzz_NAME.c with LLVMFuzzerTestOneInput, the four lines below for fuzz-NAME, and seeds in
# tests/fuzz/corpus/NAME/ (list them in EXTRA_DIST). "make check" replays the seeds; "make fuzz" looks for new inputs,
# FUZZ_SECONDS for each target.
if ENABLE_FUZZERS
FUZZ_MAIN =
FUZZ_LINK = $(SANITIZER_CFLAGS) -fsanitize=fuzzer
else
FUZZ_MAIN = tests/fuzz/replay.c
FUZZ_LINK = $(AM_LDFLAGS)
endif
FUZZ_LIBS = $(RECORD_LIBS)

FUZZ_TESTS += fuzz-reader
fuzz_reader_SOURCES = tests/fuzz/fuzz_reader.c $(FUZZ_MAIN)
fuzz_reader_LDFLAGS = $(FUZZ_LINK)
fuzz_reader_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += \
	tests/fuzz/corpus/reader/chain \
	tests/fuzz/corpus/reader/compressed2 \
	tests/fuzz/corpus/reader/frames \
	tests/fuzz/corpus/reader/plain \
	tests/fuzz/corpus/reader/plain-big \
	tests/fuzz/corpus/reader/stream \
	tests/fuzz/corpus/reader/stream-big

FUZZ_TESTS += fuzz-command
fuzz_command_SOURCES = tests/fuzz/fuzz_command.c $(FUZZ_MAIN)
fuzz_command_LDFLAGS = $(FUZZ_LINK)
fuzz_command_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += \
	tests/fuzz/corpus/command/binary \
	tests/fuzz/corpus/command/blanks \
	tests/fuzz/corpus/command/cut-at-end \
	tests/fuzz/corpus/command/nul-ends \
	tests/fuzz/corpus/command/too-long \
	tests/fuzz/corpus/command/words

FUZZ_TESTS += fuzz-codec
fuzz_codec_SOURCES = tests/fuzz/fuzz_codec.c $(FUZZ_MAIN)
fuzz_codec_LDFLAGS = $(FUZZ_LINK)
fuzz_codec_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/codec/records

FUZZ_TESTS += fuzz-decompress
fuzz_decompress_SOURCES = tests/fuzz/fuzz_decompress.c $(FUZZ_MAIN)
fuzz_decompress_LDFLAGS = $(FUZZ_LINK)
fuzz_decompress_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/decompress/frame

FUZZ_TESTS += fuzz-spec
fuzz_spec_SOURCES = tests/fuzz/fuzz_spec.c $(FUZZ_MAIN)
fuzz_spec_LDFLAGS = $(FUZZ_LINK)
fuzz_spec_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += \
	tests/fuzz/corpus/spec/groups \
	tests/fuzz/corpus/spec/terms \
	tests/fuzz/corpus/spec/wrong

check_PROGRAMS += $(FUZZ_TESTS)
TESTS += tests/fuzz/replay.sh
dist_check_SCRIPTS += tests/fuzz/replay.sh
EXTRA_DIST += tests/fuzz/replay.c
AM_TESTS_ENVIRONMENT += PSTAT_FUZZ="$(FUZZ_TESTS)"; export PSTAT_FUZZ;

# Writes the seeds of fuzz-reader anew; only needed when the builder or the list of seeds changes.
EXTRA_PROGRAMS = make-seeds
make_seeds_SOURCES = tests/fuzz/make_seeds.c tests/lib/file_builder.c tests/lib/file_builder.h
make_seeds_CFLAGS = $(TEST_CFLAGS)
make_seeds_LDADD = $(ZSTD_LIBS)
CLEANFILES += make-seeds$(EXEEXT)

fuzz-seeds: make-seeds
	./make-seeds $(srcdir)/tests/fuzz/corpus/reader

FUZZ_SECONDS = 60

# Called by "make fuzz" in a build folder that has libFuzzer.
fuzz-run: $(FUZZ_TESTS)
	for target in $(FUZZ_TESTS); do \
		$(MKDIR_P) found-$$target && \
		./$$target -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=1024 -timeout=20 found-$$target \
			$(srcdir)/tests/fuzz/corpus/$${target#fuzz-} || exit 1; \
	done
.PHONY: fuzz-run fuzz-seeds

# Real recordings with damage at chosen places: some in "make check", 200 cuts and changes of each file in "make damage".
check_PROGRAMS += tests/fuzz/damage
tests_fuzz_damage_SOURCES = tests/fuzz/damage.c
tests_fuzz_damage_LDADD = $(RECORD_LIBS)
DAMAGE = 200

damage: tests/fuzz/damage$(EXEEXT)
	tests/fuzz/damage $(DAMAGE) $${PSTAT_CORPUS-$(srcdir)/../shared/corpus}
.PHONY: damage
