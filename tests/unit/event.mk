FAKE_PERF = tests/lib/call_log.c tests/lib/call_log.h tests/lib/fake_sysperf.c tests/lib/fake_sysperf.h
COUNTERS = $(FAKE_PERF) tests/lib/counters.c tests/lib/counters.h tests/lib/unit.h

UNIT_TESTS += test-counter-set
test_counter_set_SOURCES = tests/unit/test-counter-set.c $(COUNTERS)
test_counter_set_CFLAGS = $(TEST_CFLAGS)
test_counter_set_LDADD = $(UNIT_LIBS)
