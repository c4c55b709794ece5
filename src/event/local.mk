librecord_a_SOURCES += \
	src/event/catalogue.c src/event/catalogue.h \
	src/event/counter.c src/event/counter.h \
	src/event/counter_set.c src/event/counter_set.h \
	src/event/counter_set_build.c src/event/counter_set_priv.h \
	src/event/counter_set_info.c \
	src/event/counter_set_open.c \
	src/event/event_list.c \
	src/event/explain.c src/event/explain.h \
	src/event/explain_facts.c \
	src/event/fd_limit.c \
	src/event/modifiers.c src/event/modifiers.h \
	src/event/open_event.c src/event/open_event.h \
	src/event/open_place.c src/event/opening.h \
	src/event/plan.c src/event/plan.h \
	src/event/resolve.h \
	src/event/resolve_alias.c \
	src/event/resolve_pfm.c \
	src/event/resolve_pmu.c src/event/resolve_pmu.h \
	src/event/resolve_tracepoint.c \
	src/event/spec.c src/event/spec.h \
	src/event/sysfs.c src/event/sysfs.h \
	src/event/sysperf.c src/event/sysperf.h \
	src/event/terms.c src/event/terms.h \
	src/event/threads.c src/event/threads.h
