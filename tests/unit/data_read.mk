# Reading: sources, samples, the reader, the views of records.
BUILDER_SOURCES = tests/lib/file_builder.c tests/lib/file_builder.h tests/lib/unit.h

UNIT_TESTS += test-source
test_source_SOURCES = tests/unit/test-source.c tests/lib/unit.h
test_source_CFLAGS = $(TEST_CFLAGS)
test_source_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-sample
test_sample_SOURCES = tests/unit/test-sample.c $(BUILDER_SOURCES)
test_sample_CFLAGS = $(TEST_CFLAGS)
test_sample_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-reader test-reader-names
READER_CASE = tests/lib/reader_case.c tests/lib/reader_case.h $(BUILDER_SOURCES)
test_reader_SOURCES = tests/unit/test-reader.c $(READER_CASE)
test_reader_CFLAGS = $(TEST_CFLAGS)
test_reader_LDADD = $(UNIT_LIBS)
test_reader_names_SOURCES = tests/unit/test-reader-names.c $(READER_CASE)
test_reader_names_CFLAGS = $(TEST_CFLAGS)
test_reader_names_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-reader-damage
test_reader_damage_SOURCES = tests/unit/test-reader-damage.c $(BUILDER_SOURCES)
test_reader_damage_CFLAGS = $(TEST_CFLAGS)
test_reader_damage_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-recording
test_recording_SOURCES = tests/unit/test-recording.c tests/lib/unit.h \
	tests/lib/made_recording.c tests/lib/made_recording.h
test_recording_CFLAGS = $(TEST_CFLAGS)
test_recording_LDADD = $(UNIT_LIBS)

TESTS += tests/integration/corpus.sh
dist_check_SCRIPTS += tests/integration/corpus.sh

# The calls that tests/lib/fault_alloc.c makes fail.
fault_alloc_ldflags = \
	-Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=reallocarray \
	-Wl,--wrap=strdup -Wl,--wrap=strndup -Wl,--wrap=open_memstream -Wl,--wrap=ZSTD_createDCtx \
	-Wl,--wrap=json_object_new_object -Wl,--wrap=json_object_new_array \
	-Wl,--wrap=json_object_new_string -Wl,--wrap=json_object_new_uint64 \
	-Wl,--wrap=json_object_new_int64 -Wl,--wrap=json_object_new_int \
	-Wl,--wrap=json_object_new_boolean -Wl,--wrap=json_object_new_double_s \
	-Wl,--wrap=json_object_to_json_string_ext -Wl,--wrap=vasprintf -Wl,--wrap=asprintf \
	-Wl,--wrap=__vasprintf_chk -Wl,--wrap=__asprintf_chk

UNIT_TESTS += test-reader-memory
test_reader_memory_SOURCES = tests/unit/test-reader-memory.c tests/lib/unit.h tests/lib/tempdir.h \
	tests/lib/fault_alloc.c tests/lib/fault_alloc.h \
	tests/lib/made_recording.c tests/lib/made_recording.h
test_reader_memory_CFLAGS = $(TEST_CFLAGS) $(ZSTD_CFLAGS) $(JSON_CFLAGS)
test_reader_memory_LDFLAGS = $(AM_LDFLAGS) $(fault_alloc_ldflags)
test_reader_memory_LDADD = $(REPORT_LIBS) $(CHECK_LIBS)
