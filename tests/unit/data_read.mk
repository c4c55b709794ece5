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

UNIT_TESTS += test-reader
test_reader_SOURCES = tests/unit/test-reader.c $(BUILDER_SOURCES)
test_reader_CFLAGS = $(TEST_CFLAGS)
test_reader_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-reader-damage
test_reader_damage_SOURCES = tests/unit/test-reader-damage.c $(BUILDER_SOURCES)
test_reader_damage_CFLAGS = $(TEST_CFLAGS)
test_reader_damage_LDADD = $(UNIT_LIBS)

check_PROGRAMS += run-view
run_view_SOURCES = tests/lib/run_view.c
run_view_CFLAGS = $(TEST_CFLAGS)
run_view_LDADD = $(REPORT_LIBS)

TESTS += tests/integration/corpus.sh
dist_check_SCRIPTS += tests/integration/corpus.sh
