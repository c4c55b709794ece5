# Asked by scripts before they need an event.
check_PROGRAMS += pstat-probe
pstat_probe_SOURCES = tests/lib/probe.c
pstat_probe_CFLAGS = $(TEST_CFLAGS)
pstat_probe_LDADD = $(RECORD_LIBS)
