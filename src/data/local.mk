libdata_a_SOURCES += \
	src/data/codec.h \
	src/data/compress.h \
	src/data/consumer.h \
	src/data/feature.h \
	src/data/meta.h \
	src/data/reader.h \
	src/data/record.h \
	src/data/source.h \
	src/data/writer.h
