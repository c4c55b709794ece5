# Proves counting of the kernel's tracepoints: by name and by pattern, exact where the number is known, in windows, as stock perf
# shows them; and that tracefs out of reach is told with what to do.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need tracefs root perf python3

forks='i=0; while [ $i -lt 20 ]; do /bin/true; i=$((i + 1)); done'

begin "exactly as many as there were"
gives 0 with_tracefs "$PSTAT" record -I 0 -e task-clock,sched:sched_process_fork -o run.data -- sh -c "$forks"
holds run.data 'adds_up' 'total("sched:sched_process_fork") == 20' 'total("task-clock") > 0'

begin "as perf shows them"
gives 0 python3 "$PSTAT_SRCDIR/tests/integration/perf_reads.py" run.data
gives 0 perf evlist -v -i run.data
grep -q '^sched:sched_process_fork: type: 2' out || fail "perf evlist does not know the tracepoint"
gives 0 perf stat report -i run.data
cat out err | grep -Eq '^ *20 +sched:sched_process_fork' || fail "perf stat report has another count"

begin "a pattern"
gives 0 with_tracefs "$PSTAT" record -e 'sched:sched_process_*' -o run.data -- sh -c "$forks"
holds run.data 'total("sched:sched_process_fork") == 20' 'total("sched:sched_process_exit") == 21' \
	'total("sched:sched_process_exec") >= 20' 'all(event.startswith("sched:sched_process_") for event in events)'

begin "only inside of windows"
gives 0 with_tracefs "$controller" -s 'resume; hold 30; pause; hold 30; resume; hold 30; pause; signal INT' -- \
	"$PSTAT" record -a -D -1 --cmd-fd '{cmd}' --cmd-ack-fd '{ack}' -I 5 -e task-clock,sched:sched_switch -o run.data
holds run.data 'len(windows) == 2' 'adds_up' 'is_ordered' 'total("sched:sched_switch") > 0'
gives 0 python3 "$PSTAT_SRCDIR/tests/integration/perf_reads.py" run.data

begin "a tracepoint that is not there"
gives 2 with_tracefs "$PSTAT" record -e sched:sched_process_forks -o none.data -- true
says "sched:sched_process_forks"

begin "out of reach"
gives 2 unshare --mount sh -c 'umount -q /sys/kernel/debug/tracing /sys/kernel/tracing; exec "$@"' sh \
	"$PSTAT" record -e sched:sched_process_fork -o none.data -- true
says "tracefs is not mounted: mount -t tracefs"
gives 0 unshare --mount sh -c 'umount -q /sys/kernel/debug/tracing /sys/kernel/tracing; exec "$@"' sh "$PSTAT" list
says "tracefs is not mounted: mount -t tracefs"
grep -q "task-clock" out || fail "nothing is listed without tracefs"
gives 0 with_tracefs "$PSTAT" list 'sched:*fork'
[ ! -s err ] && grep -q "sched:sched_process_fork" out || fail "a tracepoint is not listed"
! is_there none.data || fail "a file was made"
