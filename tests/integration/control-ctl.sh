# Proves pstat ctl in each of its ways - descriptors, environment, FIFOs, folder, binary -, its exit statuses, that it never waits
# longer than told, and that it says what is wrong; and that labels come through any shell.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

start_sleeper
mkfifo cmd ack
exec 5<>cmd 6<>ack
finish() {
	wait "$session" || fail "status $? of the session: $(cat log)"
}

begin "descriptors"
"$PSTAT" record -q -D -1 -e task-clock -p "$target" -o run.data --control fd:5,6 2>log &
session=$!
gives 0 "$PSTAT" ctl --cmd-fd 5 --ack-fd 6 ping
says_nothing
gives 0 "$PSTAT" ctl --cmd-fd 5 --ack-fd 6 resume 'first, "quoted"'
gives 0 "$PSTAT" ctl --cmd-fd 5 --ack-fd 6 pause
gives 2 "$PSTAT" ctl --cmd-fd 5 --ack-fd 6 resume 'two
lines'
gives 2 "$PSTAT" ctl --cmd-fd 5 --ack-fd 6 resume ''

begin "the environment"
PSTAT_CMD_FD=5 PSTAT_ACK_FD=6 gives 0 "$PSTAT" ctl resume 'größe ≥ 1'
PSTAT_CMD_FD=5 PSTAT_ACK_FD=6 gives 0 "$PSTAT" ctl mark 'half way'
PSTAT_CMD_FD=5 PSTAT_ACK_FD=6 gives 0 "$PSTAT" ctl stop
finish
holds run.data 'windows == ["1:first, \"quoted\"", "2:größe ≥ 1"]' '("mark", "mark") in markers' \
	'[m["label"] for m in objects("marker") if m["marker"] == "mark"] == ["half way"]'

begin "what was sent behind the end: a ping is done, a resume refused (1)"
gives 0 "$controller" -s 'say stop; say ping; say resume late; hear ack; hear ack; hear nak; finished' -- \
	"$PSTAT" record -q -D -1 -e task-clock -p "$target" -o run.data --control 'fd:{cmd},{ack}'

begin "binary"
mkfifo bcmd back
exec 7<>bcmd 8<>back
"$PSTAT" record -q -D -1 -e task-clock -p "$target" -o run.data --cmd-fd 7 --cmd-ack-fd 8 2>log &
session=$!
gives 0 "$PSTAT" ctl --binary --cmd-fd 7 --ack-fd 8 resume
gives 0 "$PSTAT" ctl --binary --fifo bcmd,back pause
gives 2 "$PSTAT" ctl --binary --cmd-fd 7 --ack-fd 8 mark x
gives 125 "$PSTAT" ctl --cmd-fd 7 --ack-fd 8 resume # the wrong protocol: what comes back is no answer
says 'not an answer'
kill -INT "$session"
finish

begin "no answer in time (3), as soon as told"
gives 3 "$PSTAT" ctl --timeout 50 --cmd-fd 5 --ack-fd 6 ping
says 'no answer within 50 ms'

begin "without answers it is sent and that is all (0)"
gives 0 "$PSTAT" ctl --timeout 50 --cmd-fd 5 ping

begin "nobody there (125)"
exec 5<&- 6<&- 7<&- 8<&-
gives 125 "$PSTAT" ctl --timeout 50 --fifo cmd,ack ping
says 'is pstat running'
gives 125 "$PSTAT" ctl --timeout 50 --dir nowhere ping
gives 2 "$PSTAT" ctl --cmd-fd 77 ping
says '--cmd-fd'
PSTAT_CMD_FD=many gives 2 "$PSTAT" ctl ping

begin "pstat dies while a ctl waits: it is told, at once (125)"
"$PSTAT" record -q -D -1 -e task-clock -p "$target" -o run.data --control-dir dir 2>log &
session=$!
tidy_pids="$tidy_pids $session"
gives 0 "$PSTAT" ctl --dir dir ping
kill -STOP "$session"
"$PSTAT" ctl --timeout 60000 --dir dir resume 2>waiting.err &
waiting=$!
# It waits for the answer once its command is in the FIFO, where the stopped pstat leaves it.
eventually python3 -c 'import array, fcntl, os, termios
n = array.array("i", [0])
fcntl.ioctl(os.open("dir/cmd", os.O_RDWR | os.O_NONBLOCK), termios.FIONREAD, n)
assert n[0]' 2>polls
kill -KILL "$session"
status=0
wait $waiting || status=$?
[ "$status" -eq 125 ] || fail "status $status: $(cat waiting.err)"
open_gate
