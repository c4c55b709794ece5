UNIT_TESTS += test-option test-workload
test_option_SOURCES = tests/unit/test-option.c src/cli/option.c src/cli/option.h tests/lib/unit.h
test_option_CFLAGS = $(TEST_CFLAGS)
test_option_LDADD = $(UNIT_LIBS)
test_workload_SOURCES = tests/unit/test-workload.c tests/lib/unit.h
test_workload_CFLAGS = $(TEST_CFLAGS)
test_workload_LDADD = $(UNIT_LIBS)
