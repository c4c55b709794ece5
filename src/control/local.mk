librecord_a_SOURCES += \
	src/control/channel.c src/control/channel.h \
	src/control/client.c src/control/client.h \
	src/control/command.c src/control/command.h \
	src/control/endpoint.c src/control/endpoint.h \
	src/control/fifo_watch.c src/control/fifo_watch.h \
	src/control/protocol_binary.c \
	src/control/protocol_text.c
