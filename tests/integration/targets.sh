# Proves whom pstat counts: processes with all their threads, several of them, single threads, all CPUs or some, and that a
# target that cannot be counted is refused with the reason, by name and before anything is written.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

cat >threads.py <<'PYTHON'
"""Two threads now and one after the gate opened; each uses CPU time: threads.py READY GATE SECONDS."""
import sys, threading, time

def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass

ready, gate, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
go = threading.Event()
early = [threading.Thread(target=lambda: (go.wait(), burn(seconds))) for _ in range(2)]
for thread in early:
    thread.start()
open(ready, "w").close()
open(gate).read()
late = threading.Thread(target=burn, args=(seconds,))
late.start()
go.set()
for thread in early + [late]:
    thread.join()
PYTHON

mkfifo gate
begin "all threads of a process, those that come later too"
python3 threads.py ready gate 0.1 &
target=$!
eventually is_there ready
gives 0 "$controller" -s 'resume; free gate' -- "$PSTAT" record -D -1 --cmd-fd '{cmd}' --cmd-ack-fd '{ack}' -I 10 -e $software \
	-o run.data -p $target
holds run.data '300*CPU_MS <= total("task-clock") < 600*MS' 'adds_up'
gives 0 "$PSTAT_REPORT" -f csv --per thread run.data
[ "$(cut -d , -f 12 out | sort -u | grep -c '[0-9]')" -ge 3 ] || fail "fewer than three threads in --per thread"

begin "without inheritance only those that are there"
rm -f ready
python3 threads.py ready gate 0.1 &
target=$!
eventually is_there ready
gives 0 "$controller" -s 'resume; free gate' -- "$PSTAT" record -i -D -1 --cmd-fd '{cmd}' --cmd-ack-fd '{ack}' -e $software \
	-o run.data -p $target
holds run.data '200*CPU_MS <= total("task-clock") < 300*MS'

begin "several processes"
start_sleeper
"$workload" spin 300 &
first=$!
"$workload" spin 300 &
gives 0 "$PSTAT" record --timeout 100 -e $software -o run.data -p $first,$!,"$target"
holds run.data 'total("task-clock") > 0' 'adds_up'
wait $first
wait $! || true

begin "one thread"
gives 0 "$PSTAT" record --timeout 50 -e $software -o run.data -t "$target"
holds run.data 'total("task-clock") == 0'
open_gate

begin "processes that are not there"
gives 125 "$PSTAT" record -o none.data -p 999999999
says 999999999
gives 125 "$PSTAT" record -o none.data -t 999999999
says 999999999

begin "targets that exclude each other"
gives 2 "$PSTAT" record -o none.data -a -p $$
gives 2 "$PSTAT" record -o none.data -a -C 0
! is_there none.data || fail "a file was made for a target that is not there"

begin "a command beside a target only says for how long"
start_sleeper
gives 4 "$PSTAT" record -I 0 -e $software -o run.data -p "$target" -- sh -c "'$workload' spin 30; exit 4"
holds run.data 'total("task-clock") == 0' 'markers[-1] == ("pause", "exit")' 'intervals[-1][1] >= 30*MS'
kill -0 "$target" || fail "the target did not survive the command"
open_gate

begin "events that this machine lacks"
if machine_lacks hardware >/dev/null; then
	gives 0 "$PSTAT" record -e cycles,task-clock -o run.data -- "$workload" spin 20
	holds run.data 'notes("cycles") == ["not supported"]' 'set(values("cycles")) == {None}' 'total("cycles") is None' \
		'total("task-clock") >= 20*CPU_MS'
	gives 125 "$PSTAT" record --strict -e cycles,task-clock -o none.data -- touch started
	says cycles
	! is_there started || fail "--strict did not stop the session"
	gives 0 "$PSTAT" record -o run.data -- "$workload" spin 20
	holds run.data '"cycles" not in events' '"task-clock" in events'
fi

begin "groups and modifiers"
gives 0 "$PSTAT" record -I 2 -e '{task-clock,page-faults},context-switches:u,page-faults:k' -o run.data -- "$workload" faults 500
holds run.data 'len(events) == 4' 'total("page-faults") >= 500' 'adds_up'

begin "few descriptors: the limit is raised, and where that is not enough the message has need, limit and remedy"
gives 0 sh -c 'ulimit -Sn 12; exec "$@"' sh "$PSTAT" record -e $software -o run.data -- "$workload" spin 10
gives 125 sh -c 'ulimit -n 12; exec "$@"' sh "$PSTAT" record -e $software,cpu-clock,dummy,major-faults,minor-faults \
	-o none.data -- touch started
says '12'
grep -q 'ulimit -n\|limit' err || fail "no remedy for too few descriptors"
! is_there started || fail "the command ran without its counters"
