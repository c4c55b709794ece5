librecord_a_SOURCES += \
	src/loop/loop.h \
	src/loop/signal_source.h \
	src/loop/timer_source.h
