# Proves the text channels: perf's words over descriptors, one socket and FIFOs, answered as perf does; pstat's own words; labels
# and marks in the recording; refusals that leave the session alone; stop; and pstat ctl over a folder made for it.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

mkfifo gate
text() { # text SCRIPT PSTAT-ARGUMENTS...
	script=$1
	shift
	"$controller" $socket -s "$script" -- "$PSTAT" record -D -1 -I 5 -e $software --control 'fd:{cmd},{ack}' -o run.data "$@"
}

for socket in "" -u; do
	begin "perf's words ${socket:+over one socket}"
	gives 0 text 'say ping; hear ack; say enable; hear ack; hold 20; say disable; hear ack; say enable; hear ack; say disable;
		hear ack; quiet; free gate; finished' -- cat gate
	holds run.data 'len(windows) == 2' 'adds_up' 'is_ordered' '[b for a, b in markers[1:]] == ["command"] * 4'
done
socket=

begin "several lines at once, a close behind them"
gives 0 text 'bytes 0x65 0x6e 0x61 0x62 0x6c 0x65 0x0a; say disable; say ping; close; hear ack; hear ack; hear ack; free gate;
	finished' -- cat gate
holds run.data 'len(windows) == 1'

begin "a word in pieces, ended by a NUL byte"
gives 0 text 'bytes 0x70 0x69; taken; bytes 0x6e 0x67 0; hear ack; quiet; free gate; finished' -- cat gate

begin "refusals: each answered, none obeyed"
gives 0 text 'say enablexyz; hear nak; say ENABLE; hear nak; say mark; hear nak; say snapshot; hear nak; say enable nosuch;
	hear nak; say ping; hear ack; quiet; free gate; finished' -- cat gate
holds run.data 'not windows' 'markers == [("pause", "start")]'
says 'enablexyz'

begin "labels and marks"
gives 0 text 'say resume warm up; hear ack; say mark half way; hear ack; say pause; hear ack; say resume steady; hear ack;
	say pause; hear ack; free gate; finished' -- cat gate
holds run.data 'windows == ["1:warm up", "2:steady"]' '("mark", "command") in markers or ("mark", "mark") in markers' \
	'[m["label"] for m in objects("marker") if m["marker"] == "mark"] == ["half way"]'

begin "stop ends the session: a launched command gets TERM, a target is left alone"
gives 143 text 'say enable; hear ack; say stop; hear ack; finished' -- sleep 1000
start_sleeper
gives 0 text 'say enable; hear ack; say stop; hear ack; finished' -p "$target"
kill -0 "$target" || fail "the target did not survive"
open_gate
holds run.data 'markers[-1] == ("pause", "command")' 'adds_up'

begin "FIFOs that controllers come to and go from, by pstat ctl"
start_sleeper
mkfifo cmd ack
"$PSTAT" record -q -D -1 -I 5 -e $software --control fifo:cmd,ack -o run.data -p "$target" &
session=$!
tidy_pids="$tidy_pids $session"
eventually "$PSTAT" ctl --fifo cmd,ack ping 2>err
gives 0 "$PSTAT" ctl --fifo cmd,ack resume first
gives 0 "$PSTAT" ctl --fifo cmd,ack pause
gives 0 "$PSTAT" ctl --fifo cmd,ack resume
gives 0 "$PSTAT" ctl --fifo cmd,ack mark 'some text'
gives 0 "$PSTAT" ctl --fifo cmd,ack stop
wait $session || fail "status $? of the session"
holds run.data 'windows == ["1:first", "2"]' 'adds_up'
open_gate

begin "a folder of its own, gone at the end"
start_sleeper
"$PSTAT" record -q -D -1 -e $software --control-dir here -o run.data -p "$target" &
session=$!
tidy_pids="$tidy_pids $session"
eventually "$PSTAT" ctl --dir here ping 2>err
gives 0 "$PSTAT" ctl --dir here resume
gives 0 "$PSTAT" ctl --dir here pause
gives 0 "$PSTAT" ctl --dir here stop
wait $session || fail "status $? of the session"
! is_there here || fail "the folder is still there"
holds run.data 'windows == ["1"]'
open_gate

begin "nobody there"
gives 125 "$PSTAT" ctl --timeout 50 --dir here ping
gives 2 "$PSTAT" ctl
gives 2 "$PSTAT" ctl nosuch
gives 2 "$PSTAT" record --control nosuch:1 -o none.data -- true
