librecord_a_SOURCES += \
	src/loop/loop.c src/loop/loop.h \
	src/loop/signal_source.c src/loop/signal_source.h \
	src/loop/timer_source.c src/loop/timer_source.h
