# Rewriting recordings.
UNIT_TESTS += test-rewrite
test_rewrite_SOURCES = tests/unit/test-rewrite.c tests/lib/file_builder.c tests/lib/file_builder.h \
	tests/lib/strict_recording.c tests/lib/strict_recording.h tests/lib/tempdir.h tests/lib/unit.h
test_rewrite_CFLAGS = $(TEST_CFLAGS)
test_rewrite_LDADD = $(UNIT_LIBS)
