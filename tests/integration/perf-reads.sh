# Proves that stock perf reads every kind of recording and finds in it what pstat-report finds: the counts of every interval
# by perf stat report, the markers and their times by perf script, the events by perf evlist, the header by perf report.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3 perf

mkfifo gate
compare() { # compare FILE
	python3 "$PSTAT_SRCDIR/tests/integration/perf_reads.py" "$1" >out 2>err || fail "perf and pstat-report differ on $1"
	cat out >&2
}

for level in 0 6; do
	begin "a command, -z $level"
	gives 0 "$PSTAT" record -z $level -I 10 -e $software -o task$level.data -- "$workload" phases 300
	compare task$level.data

	begin "one reading only, -z $level"
	gives 0 "$PSTAT" record -z $level -I 0 -e $software -o total$level.data -- "$workload" phases 100
	compare total$level.data

	begin "paused at the start, then windows, -z $level"
	gives 0 control 'hold 30; resume; hold 60; pause; hold 60; resume; hold 60; pause; hold 30' -z $level -D -1 -I 10 \
		-o windows$level.data -- "$workload" phases 400
	compare windows$level.data

	begin "never resumed, -z $level"
	gives 0 "$PSTAT" record -z $level -D -1 -I 10 -e $software -o never$level.data -- "$workload" phases 50
	compare never$level.data

	begin "an event that is not supported, -z $level"
	gives 0 "$PSTAT" record -z $level -I 10 -e task-clock,cycles,page-faults -o lacks$level.data -- "$workload" phases 100
	compare lacks$level.data
done

begin "a process with threads"
start_sleeper
gives 0 "$PSTAT" record -I 10 --timeout 100 -e $software -o attached.data -p $$,"$target"
compare attached.data
open_gate

begin "long: more than one compressed record"
gives 0 "$PSTAT" record -I 0.2 -e $software,cpu-clock,dummy -o long.data -- "$workload" phases 900
compare long.data

begin "many toggles"
gives 0 control 'toggle 400; free gate' -D -1 -I 10 -o toggles.data -- cat gate
compare toggles.data

begin "a stream"
gives 0 control 'resume; hold 30; pause; hold 10; resume; hold 30; pause; free gate' -D -1 -I 10 -o - -- cat gate
mv out stream.data
compare stream.data

if ! machine_lacks system-wide >/dev/null; then
	begin "all CPUs"
	gives 0 "$PSTAT" record -a -I 10 --timeout 200 -e $software,cpu-clock -o system.data
	compare system.data
	for view in -A --per-core --per-socket --per-die --per-node; do
		gives 0 perf stat report $view -i system.data
		grep -q cpu-clock out err || fail "perf stat report $view shows nothing"
	done
fi
