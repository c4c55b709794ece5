UNIT_TESTS += test-error
test_error_SOURCES = tests/unit/test-error.c tests/lib/unit.h
test_error_CFLAGS = $(TEST_CFLAGS)
test_error_LDADD = $(UNIT_LIBS)
