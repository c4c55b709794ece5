#!/bin/sh
# Stock perf reads what the writer makes: system-wide and per task, compressed, plain and as a stream, with markers, an event
# that is not supported, one with CPUs of its own and, where there is tracefs (in the log if not), a tracepoint.
set -eu

. "$PSTAT_SRCDIR/tests/lib/skip.sh"
need perf
maker=$PSTAT_BUILDDIR/writer-perf
dir=$(mktemp -d "${TMPDIR:-/tmp}/writer-perf.XXXXXX")
trap 'rm -rf "$dir"' EXIT

fail() {
	echo "FAIL: $1" >&2
	[ $# -lt 2 ] || head -40 "$2" >&2
	exit 1
}

# expect FILE PATTERN WHAT: a line of FILE matches.
expect() {
	grep -Eq -- "$2" "$1" || fail "$3: no line matches $2" "$1"
}

# lines FILE PATTERN COUNT WHAT
lines() {
	n=$(grep -Ec -- "$2" "$1" || :)
	[ "$n" = "$3" ] || fail "$4: $n lines match $2, not $3" "$1"
}

# perf exits with 0 after damage too, so its words count.
no_complaint() {
	! grep -Ei 'failed|error|cannot|can.t|incompatible|unknown|out of order|warning.*data' "$1" | grep -v kallsyms |
		grep -v '\[unknown\]' >"$dir/complaints" || fail "$2: perf complains" "$dir/complaints"
}

# 30 rounds of 0.1 s with three windows: page-faults is (2001 + 2011) in each round, summed over both cells.
check_stat_report() {
	perf stat report -i "$1" >"$dir/out" 2>&1 || fail "$2: perf stat report fails" "$dir/out"
	no_complaint "$dir/out" "$2"
	lines "$dir/out" '^ +[0-9.]+ +4012 +page-faults' 30 "$2"
	lines "$dir/out" '^ +[0-9.]+ +<not supported> +cycles' 30 "$2"
	expect "$dir/out" '^ +3\.000000000 +[0-9.]+ msec +task-clock' "$2"
	lines "$dir/out" 'pstat:(pause|resume|mark)' 90 "$2"
}

check_script() {
	perf script -i "$1" >"$dir/out" 2>"$dir/err" || fail "$2: perf script fails" "$dir/err"
	no_complaint "$dir/err" "$2"
	lines "$dir/out" ' 1 +pstat:resume:' 3 "$2"
	lines "$dir/out" ' 1 +pstat:pause:' 3 "$2"
	lines "$dir/out" "$3 .*1003\.000000: +1 +pstat:mark:" 1 "$2"
}

check_header() {
	perf report --header-only -I -i "$1" >"$dir/out" 2>&1 || fail "$2: perf report --header-only fails" "$dir/out"
	no_complaint "$dir/out" "$2"
	expect "$dir/out" '^# hostname : somewhere' "$2"
	expect "$dir/out" '^# perf version : pstat' "$2"
	expect "$dir/out" '^# contains stat data' "$2"
	expect "$dir/out" '^# CPU 1: Core ID 1, Die ID 0, Socket ID 0' "$2"
	expect "$dir/out" '^# event : name = cycles:u, , size = 128' "$2"
	expect "$dir/out" '^# time of last sample : 1003\.000000' "$2"
	expect "$dir/out" '^# reference time: .* = 1000\.000000000 \(monotonic\)' "$2"
}

check_file() {
	check_stat_report "$1" "$2"
	check_script "$1" "$2" "$3"
	check_header "$1" "$2"
	perf evlist -v -i "$1" >"$dir/out" 2>&1 || fail "$2: perf evlist fails" "$dir/out"
	lines "$dir/out" 'size: 128, .*use_clockid: 1, clockid: 1' "$4" "$2"
	perf report --stdio -i "$1" >"$dir/out" 2>&1 || fail "$2: perf report fails" "$dir/out"
	expect "$dir/out" "of event 'pstat:resume'" "$2"
}

for mode in system task; do
	[ $mode = system ] && comm=writer-perf events=7 || { comm='work0 +4711'; events=6; }
	for level in 0 1 6 22; do
		"$maker" $mode "$dir/$mode.data" $level
		check_file "$dir/$mode.data" "$mode level $level" "$comm" $events
	done
	"$maker" $mode - 6 >"$dir/$mode.stream"
	check_stat_report "$dir/$mode.stream" "$mode stream"
	check_script "$dir/$mode.stream" "$mode stream" "$comm"
	perf script -i - <"$dir/$mode.stream" >"$dir/out" 2>&1 || fail "$mode piped: perf script fails" "$dir/out"
	expect "$dir/out" 'pstat:mark' "$mode piped"
	for view in -A --per-core --per-socket; do
		[ $mode = system ] || continue
		perf stat report $view -i "$dir/$mode.data" >"$dir/out" 2>&1 || fail "$view fails" "$dir/out"
		expect "$dir/out" '3\.000000000 .*page-faults' "$view"
	done
done

if reason=$(machine_lacks tracefs); then
	echo "without a tracepoint: $reason" >&2
else
	events=/sys/kernel/tracing/events
	[ -r $events ] || [ ! -r /sys/kernel/debug/tracing/events ] || events=/sys/kernel/debug/tracing/events
	for level in 0 6; do
		with_tracefs "$maker" system "$dir/tp.data" $level $events
		check_file "$dir/tp.data" "tracepoint level $level" writer-perf 8
		perf stat report -i "$dir/tp.data" >"$dir/out" 2>&1
		lines "$dir/out" 'sched:sched_switch' 30 "tracepoint level $level"
	done
fi
