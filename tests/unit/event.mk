FAKE_PERF = tests/lib/call_log.c tests/lib/call_log.h tests/lib/fake_sysperf.c tests/lib/fake_sysperf.h
TREE = tests/lib/tree.c tests/lib/tree.h tests/lib/tempdir.h tests/lib/unit.h
COUNTERS = $(FAKE_PERF) tests/lib/counters.c tests/lib/counters.h tests/lib/unit.h

UNIT_TESTS += test-counter-set
test_counter_set_SOURCES = tests/unit/test-counter-set.c $(COUNTERS)
test_counter_set_CFLAGS = $(TEST_CFLAGS)
test_counter_set_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-counter-faults
test_counter_faults_SOURCES = tests/unit/test-counter-faults.c $(COUNTERS)
test_counter_faults_CFLAGS = $(TEST_CFLAGS)
test_counter_faults_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-counter-threads
test_counter_threads_SOURCES = tests/unit/test-counter-threads.c $(COUNTERS) tests/lib/tree.c tests/lib/tree.h \
	tests/lib/tempdir.h
test_counter_threads_CFLAGS = $(TEST_CFLAGS)
test_counter_threads_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-spec
test_spec_SOURCES = tests/unit/test-spec.c tests/lib/unit.h
test_spec_CFLAGS = $(TEST_CFLAGS)
test_spec_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-resolve
test_resolve_SOURCES = tests/unit/test-resolve.c $(TREE)
test_resolve_CFLAGS = $(TEST_CFLAGS)
test_resolve_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-explain
test_explain_SOURCES = tests/unit/test-explain.c $(TREE)
test_explain_CFLAGS = $(TEST_CFLAGS)
test_explain_LDADD = $(UNIT_LIBS)
