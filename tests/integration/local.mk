# What runs the programs: scripts, and the C and Python they share.
check_PROGRAMS += tests/lib/controller tests/lib/workload tests/lib/machine
tests_lib_controller_SOURCES = tests/lib/controller.c tests/lib/controller.h tests/lib/controller_steps.c \
	tests/lib/controller_time.c
tests_lib_workload_SOURCES = tests/lib/workload.c
tests_lib_machine_SOURCES = tests/lib/machine.c

SCRIPT_TESTS = \
	tests/check-layers.sh \
	tests/check-skip.sh

dist_check_SCRIPTS += $(SCRIPT_TESTS)
TESTS += $(SCRIPT_TESTS)

EXTRA_DIST += \
	tests/lib/recording.py tests/lib/session.sh tests/lib/skip.sh \
	tests/integration/cut.py tests/integration/kill.py tests/integration/perf_reads.py
