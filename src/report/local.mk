libdata_a_SOURCES += \
	src/report/report.h \
	src/report/timeline.h \
	src/report/view.h
