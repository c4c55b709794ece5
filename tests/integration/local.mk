# What runs the programs: scripts, and the C and Python they share.
check_PROGRAMS += tests/lib/controller tests/lib/workload tests/lib/machine tests/lib/toggler
# Without sanitizers: what is measured must cost and fault what it says, also in a sanitized build.
TOOL_CFLAGS = -std=gnu11 $(WARNING_CFLAGS)
tests_lib_controller_CFLAGS = $(TOOL_CFLAGS)
tests_lib_controller_LDFLAGS =
tests_lib_workload_CFLAGS = $(TOOL_CFLAGS)
tests_lib_workload_LDFLAGS =
tests_lib_machine_CFLAGS = $(TOOL_CFLAGS)
tests_lib_machine_LDFLAGS =
tests_lib_toggler_CFLAGS = $(TOOL_CFLAGS) -pthread
tests_lib_toggler_LDFLAGS =
tests_lib_controller_SOURCES = tests/lib/controller.c tests/lib/controller.h tests/lib/controller_steps.c \
	tests/lib/controller_time.c
tests_lib_toggler_SOURCES = tests/lib/toggler.c
tests_lib_workload_SOURCES = tests/lib/workload.c
tests_lib_machine_SOURCES = tests/lib/machine.c

SCRIPT_TESTS = \
	tests/check-layers.sh \
	tests/check-man.sh \
	tests/check-skip.sh \
	tests/integration/control-answers.sh \
	tests/integration/control-ctl.sh \
	tests/integration/control-descriptors.sh \
	tests/integration/control-fifos.sh \
	tests/integration/control-inside.sh \
	tests/integration/control-keys.sh \
	tests/integration/control-others.sh \
	tests/integration/control-perf-client.sh \
	tests/integration/control-pieces.sh \
	tests/integration/control-single.sh \
	tests/integration/control-text.sh \
	tests/integration/control-toggles.sh \
	tests/integration/convert.sh \
	tests/integration/convert-corpus.sh \
	tests/integration/cut.sh \
	tests/integration/damage.sh \
	tests/integration/exit-status.sh \
	tests/integration/files.sh \
	tests/integration/follow.sh \
	tests/integration/header.sh \
	tests/integration/install.sh \
	tests/integration/intervals.sh \
	tests/integration/kill.sh \
	tests/integration/labels.sh \
	tests/integration/many-files.sh \
	tests/integration/normal-user.sh \
	tests/integration/paused-idle.sh \
	tests/integration/perf-reads.sh \
	tests/integration/proposal-client.sh \
	tests/integration/sampled.sh \
	tests/integration/signals.sh \
	tests/integration/stat-stuck.sh \
	tests/integration/states.sh \
	tests/integration/stream.sh \
	tests/integration/system-wide.sh \
	tests/integration/targets.sh \
	tests/integration/tracepoints.sh \
	tests/integration/workload.sh \
	tests/integration/write-errors.sh

dist_check_SCRIPTS += $(SCRIPT_TESTS)
TESTS += $(SCRIPT_TESTS)

EXTRA_DIST += \
	tests/lib/recording.py tests/lib/session.sh tests/lib/skip.sh \
	tests/integration/convert.py \
	tests/integration/cut.py \
	tests/integration/follow.py \
	tests/integration/keys.py \
	tests/integration/kill.py \
	tests/integration/labels.py \
	tests/integration/many_readings.py \
	tests/integration/perf_client.py \
	tests/integration/perf_reads.py \
	tests/integration/sampled.py \
	tests/integration/stream.py \
	tests/integration/two_protocols.py
