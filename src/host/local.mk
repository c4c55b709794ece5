librecord_a_SOURCES += \
	src/host/buildid.c src/host/buildid.h \
	src/host/cpulist.c \
	src/host/facts.c src/host/facts.h \
	src/host/topology.c src/host/topology.h
