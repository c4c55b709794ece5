# Proves that every view gives the totals of a sampled file, as perf script's lines add up to: of one event, whose samples name no
# event, of groups whose other events are only read, of all CPUs, compressed, and of a stream.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3 perf

recorded() { # recorded EVENTS [OPTION...]: perf records the workload into run.data
	events=$1
	shift
	gives 0 perf record -q -e "$events" -o run.data "$@" -- "$workload" phases 300
}
compare() { # compare [LEADER]
	python3 "$PSTAT_SRCDIR/tests/integration/sampled.py" run.data "$@" >out 2>err || fail "perf script adds up to something else"
}

begin "one event"
recorded task-clock -g
compare

begin "two events"
recorded task-clock,page-faults -c 1000
compare

begin "a group that is read with each sample of its leader"
recorded '{task-clock,page-faults,context-switches}:S' -c 1000000
compare task-clock

if ! machine_lacks system-wide >/dev/null; then
	begin "all CPUs, compressed"
	recorded cpu-clock -a -z
	compare
fi

begin "a stream"
gives 0 perf record -q -e task-clock -o - -- "$workload" phases 300
mv out run.data
compare
