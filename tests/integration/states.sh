# Proves the table of states: what each event does while running and while paused, which markers it leaves, and that the
# intervals of all windows add up to the totals and never reach into a pause.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

settings="-I 5"

begin "a session without commands is one window"
gives 0 "$PSTAT" record -I 5 -e $software -o run.data -- "$workload" spin 60
holds run.data 'markers == [("resume", "start"), ("pause", "exit")]' 'windows == ["1"]' 'not pauses' 'adds_up' \
	'is_ordered' 'len(intervals) >= 5' 'counted("task-clock") >= 60*CPU_MS' 'intervals[0][0] == 0'

begin "without an interval there is one reading"
gives 0 "$PSTAT" record -I 0 -e $software -o run.data -- "$workload" spin 20
holds run.data 'len(intervals) == 1' 'adds_up' 'counted("task-clock") >= 20*CPU_MS'

mkfifo gate
begin "a command that changes nothing is answered and leaves no marker"
gives 0 control 'pause; pause; resume; resume; hold 30; resume; pause; pause; free gate' -D -1 -- cat gate
holds run.data 'markers == [("pause", "start"), ("resume", "command"), ("pause", "command")]' 'windows == ["1"]' \
	'is_ordered' 'adds_up'

begin "windows and pauses, each as long as commanded"
gives 0 control 'resume; hold 60; pause; hold 80; resume; hold 40; pause; hold 50; resume; free gate' -D -1 -- cat gate
holds run.data 'windows == ["1", "2", "3"]' 'is_ordered' 'adds_up' 'markers[-1] == ("pause", "exit")' \
	'[a for a, b in markers] == ["pause", "resume", "pause", "resume", "pause", "resume", "pause"]' \
	'any(b - a >= 80*MS for a, b in pauses)' 'pauses[0][0] == 0 and len(pauses) == 3' \
	'sum(b - a for a, b in intervals if b <= pauses[1][0]) >= 60*MS' \
	'sum(b - a for a, b in intervals + pauses) == max(b for a, b in intervals)'

begin "a session that starts running and is paused at once"
gives 0 control 'pause; hold 20; free gate' -- cat gate
holds run.data 'markers == [("resume", "start"), ("pause", "command")]' 'windows == ["1"]' 'adds_up'

begin "never resumed: nothing counted"
gives 0 control 'hold 20; free gate' -D -1 -- cat gate
holds run.data 'markers == [("pause", "start")]' 'not intervals'

begin "the delay is over"
gives 0 "$PSTAT" record -D 100 -I 5 -e $software -o run.data -- "$workload" spin 300
holds run.data 'markers == [("pause", "start"), ("resume", "delay"), ("pause", "exit")]' 'intervals[0][0] >= 100*MS' \
	'100*MS <= pauses[0][1] < 5000*MS' 'adds_up' \
	'counted("task-clock") <= sum(b - a for a, b in intervals) + MS'

begin "commands are served during the delay"
gives 0 control 'resume; hold 20; pause; free gate' -D 20000 -- cat gate
holds run.data '("resume", "delay") not in markers' 'markers[1] == ("resume", "command")' 'pauses[0][1] < 10000*MS'

begin "a delay that ends while a command has resumed changes nothing"
gives 0 control 'resume; hold 150; pause; free gate' -D 60 -- cat gate
holds run.data '[a for a, b in markers] == ["pause", "resume", "pause"]'

begin "the delay does not resume what a command has paused"
gives 0 control 'resume; pause; hold 150; free gate' -D 60 -- cat gate
holds run.data 'len(windows) <= 1 or markers[3] == ("resume", "delay")' 'adds_up'

begin "a closed command channel keeps the state"
gives 0 control 'resume; close; hold 60; free gate' -D -1 -- cat gate
holds run.data 'markers[-1] == ("pause", "exit")' 'sum(b - a for a, b in intervals) >= 60*MS'
gives 0 control 'close; hold 30; free gate' -D -1 -- cat gate
holds run.data 'not intervals'

begin "the target of an attached session ends"
start_sleeper
gives 0 control 'resume; hold 20; free gate; finished' -D -1 -p "$target"
holds run.data 'markers[-1] == ("pause", "exit")' 'adds_up'

begin "a target that is gone before"
wait "$target" || true
gives 125 "$PSTAT" record -o run.data -p "$target"
says "$target"

begin "a timeout ends an attached session with 0, a launched one as its command ends"
start_sleeper
gives 0 "$PSTAT" record --timeout 120 -I 5 -e $software -o run.data -p "$target"
holds run.data 'markers[-1] == ("pause", "timeout")' '120*MS <= intervals[-1][1] < 10000*MS'
open_gate
gives 143 "$PSTAT" record --timeout 60 -o run.data -- sleep 1000
holds run.data 'markers[-1] == ("pause", "timeout")'
gives 0 "$PSTAT" record --timeout 60000 -o run.data -- true

begin "a timeout while paused"
gives 143 control 'finished' --timeout 60 -D -1 -- sleep 1000
holds run.data 'markers == [("pause", "start")]'

begin "a number of intervals"
start_sleeper
gives 0 "$PSTAT" record --interval-count 7 -I 5 -e $software -o run.data -p "$target"
holds run.data 'len(intervals) == 7' 'adds_up'
open_gate
