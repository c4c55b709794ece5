UNIT_TESTS += test-codec test-codec-sample test-compress test-feature test-meta \
	test-writer test-writer-fault

codec_case = tests/lib/codec_case.h \
	tests/lib/byte_builder.c tests/lib/byte_builder.h \
	tests/lib/record_rows.c tests/lib/record_rows.h

test_codec_SOURCES = tests/unit/test-codec.c tests/lib/unit.h $(codec_case)
test_codec_CFLAGS = $(TEST_CFLAGS)
test_codec_LDADD = $(UNIT_LIBS)

test_codec_sample_SOURCES = tests/unit/test-codec-sample.c tests/lib/unit.h $(codec_case)
test_codec_sample_CFLAGS = $(TEST_CFLAGS)
test_codec_sample_LDADD = $(UNIT_LIBS)

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

writer_case = tests/lib/writer_case.c tests/lib/writer_case.h \
	tests/lib/fault_io.c tests/lib/fault_io.h \
	tests/lib/made_recording.c tests/lib/made_recording.h \
	tests/lib/strict_recording.c tests/lib/strict_recording.h

test_writer_SOURCES = tests/unit/test-writer.c tests/lib/unit.h $(writer_case)
test_writer_CFLAGS = $(TEST_CFLAGS)
test_writer_LDADD = $(UNIT_LIBS)

test_writer_fault_SOURCES = tests/unit/test-writer-fault.c tests/lib/unit.h $(writer_case)
test_writer_fault_CFLAGS = $(TEST_CFLAGS)
test_writer_fault_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-stream
test_stream_SOURCES = tests/unit/test-stream.c tests/lib/unit.h $(writer_case)
test_stream_CFLAGS = $(TEST_CFLAGS)
test_stream_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-follow
test_follow_SOURCES = tests/unit/test-follow.c tests/lib/unit.h $(writer_case)
test_follow_CFLAGS = $(TEST_CFLAGS)
test_follow_LDADD = $(UNIT_LIBS)

# Makes the files that writer-perf.sh gives to stock perf.
check_PROGRAMS += writer-perf
writer_perf_SOURCES = tests/lib/writer-perf.c \
	tests/lib/made_recording.c tests/lib/made_recording.h
writer_perf_CFLAGS = $(TEST_CFLAGS)
writer_perf_LDADD = $(REPORT_LIBS)

dist_check_SCRIPTS += tests/integration/writer-perf.sh
TESTS += tests/integration/writer-perf.sh
