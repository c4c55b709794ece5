# Rewriting recordings.
UNIT_TESTS += test-rewrite test-rewrite-part
REWRITE_CASE = tests/lib/rewrite_case.c tests/lib/rewrite_case.h tests/lib/file_builder.c tests/lib/file_builder.h \
	tests/lib/strict_recording.c tests/lib/strict_recording.h tests/lib/tempdir.h tests/lib/unit.h
test_rewrite_SOURCES = tests/unit/test-rewrite.c $(REWRITE_CASE)
test_rewrite_CFLAGS = $(TEST_CFLAGS)
test_rewrite_LDADD = $(UNIT_LIBS)
test_rewrite_part_SOURCES = tests/unit/test-rewrite-part.c $(REWRITE_CASE)
test_rewrite_part_CFLAGS = $(TEST_CFLAGS)
test_rewrite_part_LDADD = $(UNIT_LIBS)
