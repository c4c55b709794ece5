libdata_a_SOURCES += \
	src/base/attr.h \
	src/base/buffer.c src/base/buffer.h \
	src/base/clock.c src/base/clock.h \
	src/base/decimal.c src/base/decimal.h \
	src/base/error.c src/base/error.h \
	src/base/io.c src/base/io.h \
	src/base/nonblock.c src/base/nonblock.h \
	src/base/outfile.c src/base/outfile.h \
	src/base/tempfile.c src/base/tempfile.h \
	src/base/textfile.c src/base/textfile.h
