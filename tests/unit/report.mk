RECORDING_SOURCES = tests/lib/recording.c tests/lib/recording.h tests/lib/unit.h

UNIT_TESTS += test-timeline
test_timeline_SOURCES = tests/unit/test-timeline.c $(RECORDING_SOURCES)
test_timeline_CFLAGS = $(TEST_CFLAGS)
test_timeline_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-value
test_value_SOURCES = tests/unit/test-value.c tests/lib/unit.h
test_value_CFLAGS = $(TEST_CFLAGS)
test_value_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-text
test_text_SOURCES = tests/unit/test-text.c tests/lib/unit.h
test_text_CFLAGS = $(TEST_CFLAGS)
test_text_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-quantity
test_quantity_SOURCES = tests/unit/test-quantity.c $(RECORDING_SOURCES)
test_quantity_CFLAGS = $(TEST_CFLAGS)
test_quantity_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-tally
test_tally_SOURCES = tests/unit/test-tally.c $(RECORDING_SOURCES)
test_tally_CFLAGS = $(TEST_CFLAGS)
test_tally_LDADD = $(UNIT_LIBS)

# brings a reader of its own
UNIT_TESTS += test-report
test_report_SOURCES = tests/unit/test-report.c $(RECORDING_SOURCES)
test_report_CFLAGS = $(TEST_CFLAGS)
test_report_LDADD = $(UNIT_LIBS)

dist_check_SCRIPTS += tests/unit/csv-reads-back.sh
TESTS += tests/unit/csv-reads-back.sh

UNIT_TESTS += test-live
test_live_SOURCES = tests/unit/test-live.c tests/lib/unit.h \
	tests/lib/made_recording.c tests/lib/made_recording.h
test_live_CFLAGS = $(TEST_CFLAGS)
test_live_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-views
test_views_SOURCES = tests/unit/test-views.c $(RECORDING_SOURCES)
test_views_CFLAGS = $(TEST_CFLAGS)
test_views_LDADD = $(UNIT_LIBS)

EXTRA_DIST += $(GOLDEN)
GOLDEN = \
	tests/golden/csv-cpus.csv \
	tests/golden/csv-mono-second.csv \
	tests/golden/csv-samples.csv \
	tests/golden/csv-threads.csv \
	tests/golden/csv-wall.csv \
	tests/golden/csv-wide-cpus.csv \
	tests/golden/csv-wide-threads.csv \
	tests/golden/csv-wide.csv \
	tests/golden/csv.csv \
	tests/golden/json-samples.jsonl \
	tests/golden/json-threads.jsonl \
	tests/golden/json-wall.jsonl \
	tests/golden/json.jsonl \
	tests/golden/summary-cpus.txt \
	tests/golden/summary-many.txt \
	tests/golden/summary-narrow.txt \
	tests/golden/summary-never.txt \
	tests/golden/summary-samples.txt \
	tests/golden/summary-threads.txt \
	tests/golden/summary-window.txt \
	tests/golden/summary.txt \
	tests/golden/timeline-cpus.txt \
	tests/golden/timeline-narrow.txt \
	tests/golden/timeline-samples.txt \
	tests/golden/timeline-utf8.txt \
	tests/golden/timeline.txt

# Rewrites the golden files from what the views show now; look at the difference before you commit it.
update-golden: test-views
	PSTAT_SRCDIR=$(abs_top_srcdir) PSTAT_UPDATE_GOLDEN=1 ./test-views
.PHONY: update-golden
