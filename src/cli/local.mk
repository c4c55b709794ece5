bin_PROGRAMS += pstat pstat-report
pstat_SOURCES = src/cli/pstat_main.c
pstat_LDADD = $(RECORD_LIBS)
pstat_report_SOURCES = src/cli/report_main.c
pstat_report_LDADD = $(REPORT_LIBS)
