librecord_a_SOURCES += \
	src/record/controls.c src/record/controls.h \
	src/record/describe.c src/record/describe.h \
	src/record/emit.c src/record/emit.h \
	src/record/keys.c src/record/keys.h \
	src/record/outlet.c src/record/outlet.h \
	src/record/run.c src/record/run.h \
	src/record/session.c src/record/session.h \
	src/record/session_commands.c src/record/session_private.h \
	src/record/targets.c src/record/targets.h \
	src/record/tracepoints.c src/record/tracepoints.h \
	src/record/workload.c src/record/workload.h
