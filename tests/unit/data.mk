check_PROGRAMS += writer-perf
writer_perf_SOURCES = tests/lib/writer-perf.c tests/lib/made_recording.c tests/lib/made_recording.h
writer_perf_CFLAGS = $(TEST_CFLAGS)
writer_perf_LDADD = $(REPORT_LIBS)
