bin_PROGRAMS += pstat pstat-report
CLI_COMMON = \
	src/cli/message.c src/cli/message.h \
	src/cli/option.c src/cli/option.h \
	src/cli/standard.c src/cli/standard.h
pstat_SOURCES = $(CLI_COMMON) \
	src/cli/ctl.c src/cli/ctl.h \
	src/cli/list_main.c src/cli/list_main.h \
	src/cli/pstat_main.c \
	src/cli/pstat_options.c src/cli/pstat_options.h \
	src/cli/record_main.c src/cli/record_main.h
pstat_CFLAGS = $(AM_CFLAGS) $(ZSTD_CFLAGS) $(JSON_CFLAGS)
pstat_LDADD = $(RECORD_LIBS)
pstat_report_SOURCES = $(CLI_COMMON) \
	src/cli/report_files.c src/cli/report_files.h \
	src/cli/report_input.c src/cli/report_input.h \
	src/cli/report_main.c \
	src/cli/report_options.c src/cli/report_options.h \
	src/cli/report_rewrite.c src/cli/report_rewrite.h \
	src/cli/report_status.h
pstat_report_LDADD = $(REPORT_LIBS)
