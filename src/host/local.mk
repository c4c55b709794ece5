librecord_a_SOURCES += \
	src/host/buildid.h \
	src/host/facts.h
