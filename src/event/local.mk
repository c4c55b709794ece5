librecord_a_SOURCES += \
	src/event/counter_set.h \
	src/event/explain.h \
	src/event/spec.h \
	src/event/sysperf.h
