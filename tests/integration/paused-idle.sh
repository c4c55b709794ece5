# Proves that paused and idle look different: a target that sleeps while it is counted has true zeros in every interval,
# while it is not counted there are no values at all but a pause as long as the commands said.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

mkfifo gate
start_sleeper
gives 0 "$controller" -s 'resume; hold 200; pause; hold 200; resume; hold 200; pause; close; signal INT; reap' -- \
	"$PSTAT" record -D -1 --cmd-fd '{cmd}' --cmd-ack-fd '{ack}' -I 10 -e $software -o run.data -p "$target"
holds run.data 'len(windows) == 2' 'is_ordered' 'adds_up' \
	'len([1 for a, b in pauses if b - a >= 200*MS]) >= 1' \
	'set(values("task-clock")) == {0}' 'set(values("page-faults")) == {0}' 'set(values("context-switches")) == {0}' \
	'notes("task-clock") == [""]' 'notes("page-faults") == [""]' \
	'len(values("task-clock")) >= 20' \
	'all(row["value"] == "" and row["event"] == "" for row in table if row["state"] == "pause")' \
	'total("page-faults") == 0'
"$PSTAT_REPORT" -f timeline run.data >timeline.txt
grep -q 'paused' timeline.txt || fail "the timeline does not show the pause"
open_gate
