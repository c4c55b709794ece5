librecord_a_SOURCES += \
	src/control/channel.h \
	src/control/command.h
