libdata_a_SOURCES += \
	src/report/report.h \
	src/report/timeline.h \
	src/report/view.h

libdata_a_SOURCES += \
	src/report/dump.h \
	src/report/dump_fields.c \
	src/report/dump_lists.c \
	src/report/dump_sample.c \
	src/report/stat_cells.c \
	src/report/stat_cells.h \
	src/report/utf8.c \
	src/report/utf8.h \
	src/report/view_dump.c \
	src/report/view_header.c \
	src/report/view_stats.c
