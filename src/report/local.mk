libdata_a_SOURCES += \
	src/report/dump.h \
	src/report/dump_fields.c \
	src/report/dump_lists.c \
	src/report/dump_sample.c \
	src/report/stat_cells.c \
	src/report/stat_cells.h \
	src/report/view_dump.c \
	src/report/view_header.c \
	src/report/view_stats.c

libdata_a_SOURCES += \
	src/report/cells.c src/report/cells.h \
	src/report/cells_rows.c src/report/cells_rows.h \
	src/report/csv.c src/report/csv.h \
	src/report/derived.c src/report/derived.h \
	src/report/drive.c src/report/drive.h \
	src/report/live.c \
	src/report/pivot.c src/report/pivot.h \
	src/report/quantity.c src/report/quantity.h \
	src/report/report.c src/report/report.h \
	src/report/summary.h \
	src/report/summary_notes.c \
	src/report/summary_windows.c \
	src/report/table.c src/report/table.h \
	src/report/tally.c src/report/tally.h \
	src/report/text.c src/report/text.h \
	src/report/timeline.c src/report/timeline.h \
	src/report/value.c src/report/value.h \
	src/report/view.h \
	src/report/view_csv.c \
	src/report/view_csv_wide.c \
	src/report/view_json.c \
	src/report/view_summary.c \
	src/report/view_timeline.c \
	src/report/views.c src/report/views.h
