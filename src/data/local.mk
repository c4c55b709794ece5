libdata_a_SOURCES += \
	src/data/event_name.c \
	src/data/event_name.h \
	src/data/reader.c \
	src/data/reader_block.c \
	src/data/reader_head.c \
	src/data/reader_meta.c \
	src/data/reader_packed.c \
	src/data/reader_private.h \
	src/data/sample.c \
	src/data/sample.h \
	src/data/source.c \
	src/data/tracing.c \
	src/data/tracing.h

libdata_a_SOURCES += \
	src/data/codec.c \
	src/data/codec.h \
	src/data/codec_attr.c \
	src/data/codec_layout.h \
	src/data/codec_maps.c \
	src/data/codec_sample.c \
	src/data/codec_text.c \
	src/data/compress.c \
	src/data/compress.h \
	src/data/consumer.h \
	src/data/cursor.h \
	src/data/feature.c \
	src/data/feature.h \
	src/data/feature_attr.c \
	src/data/feature_bpf.c \
	src/data/feature_event.c \
	src/data/feature_host.c \
	src/data/feature_internal.h \
	src/data/feature_object.c \
	src/data/feature_raw.c \
	src/data/feature_set.c \
	src/data/feature_time.c \
	src/data/feature_topology.c \
	src/data/meta.c \
	src/data/meta.h \
	src/data/reader.h \
	src/data/record.c \
	src/data/record.h \
	src/data/source.h \
	src/data/writer.c \
	src/data/writer.h \
	src/data/writer_head.c \
	src/data/writer_head.h \
	src/data/writer_init.c
