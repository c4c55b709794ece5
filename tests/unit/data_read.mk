# Reading: sources, samples, the reader, the views of records.
check_PROGRAMS += run-view
run_view_SOURCES = tests/lib/run_view.c
run_view_CFLAGS = $(TEST_CFLAGS)
run_view_LDADD = $(REPORT_LIBS)
