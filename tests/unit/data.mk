UNIT_TESTS += test-codec test-compress test-feature test-meta test-writer

test_codec_SOURCES = tests/unit/test-codec.c tests/lib/unit.h
test_codec_CFLAGS = $(TEST_CFLAGS)
test_codec_LDADD = $(UNIT_LIBS)

test_compress_SOURCES = tests/unit/test-compress.c tests/lib/unit.h
test_compress_CFLAGS = $(TEST_CFLAGS) $(ZSTD_CFLAGS)
test_compress_LDADD = $(UNIT_LIBS)

test_feature_SOURCES = tests/unit/test-feature.c tests/lib/unit.h \
	tests/lib/made_recording.c tests/lib/made_recording.h
test_feature_CFLAGS = $(TEST_CFLAGS)
test_feature_LDADD = $(UNIT_LIBS)

test_meta_SOURCES = tests/unit/test-meta.c tests/lib/unit.h
test_meta_CFLAGS = $(TEST_CFLAGS)
test_meta_LDADD = $(UNIT_LIBS)

test_writer_SOURCES = tests/unit/test-writer.c tests/lib/unit.h \
	tests/lib/fault_io.c tests/lib/fault_io.h \
	tests/lib/made_recording.c tests/lib/made_recording.h \
	tests/lib/strict_recording.c tests/lib/strict_recording.h
test_writer_CFLAGS = $(TEST_CFLAGS)
test_writer_LDADD = $(UNIT_LIBS)

# Makes the files that writer-perf.sh gives to stock perf.
check_PROGRAMS += writer-perf
writer_perf_SOURCES = tests/lib/writer-perf.c \
	tests/lib/made_recording.c tests/lib/made_recording.h
writer_perf_CFLAGS = $(TEST_CFLAGS)
writer_perf_LDADD = $(REPORT_LIBS)

dist_check_SCRIPTS += tests/integration/writer-perf.sh
TESTS += tests/integration/writer-perf.sh
