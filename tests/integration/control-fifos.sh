# Proves that FIFOs may be removed and made anew while pstat runs, that controllers may be killed at any moment and stop reading, and
# that a folder of FIFOs is made, cleaned up behind a signal, and taken over from a pstat that was killed.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

start_sleeper
ctl() { # ctl WORDS...: over the FIFOs of this script
	gives 0 "$PSTAT" ctl --fifo c/cmd,c/ack "$@"
}
fifos() {
	mkdir -p c
	mkfifo c/cmd c/ack
}
session() { # session ARGUMENTS...
	"$PSTAT" record -D -1 -I 0 -e task-clock -o run.data -p "$target" "$@" 2>log &
	session=$!
	tidy_pids="$tidy_pids $session"
}
finished() {
	status=0
	wait "$session" || status=$?
	[ "$status" -eq "$1" ] || fail "status $status of the session instead of $1: $(cat log)"
}
anew() { # anew N: that many new FIFOs were noticed
	[ "$(grep -c 'made anew' log)" -ge "$1" ]
}

begin "a ctl that comes before pstat waits for it"
"$PSTAT" ctl --fifo c/cmd,c/ack ping 2>early.err &
early=$!
fifos
session --control fifo:c/cmd,c/ack
wait $early || fail "$(cat early.err)"

begin "removed and made anew: the commands, the answers, both, with their folder"
ctl resume first
rm c/cmd; mkfifo c/cmd
eventually anew 1
ctl pause
rm c/ack; mkfifo c/ack
eventually anew 2
ctl resume second
rm c/cmd c/ack
fifos
eventually anew 3
ctl pause
mv c old
fifos
eventually anew 4
rm -r old
ctl resume third
ctl stop
finished 0
holds run.data 'windows == ["1:first", "2:second", "3:third"]' 'adds_up' 'is_ordered'

begin "controllers killed at random moments"
session --control fifo:c/cmd,c/ack
ctl ping
cat >mad.py <<'PYTHON'
import os, random, signal, subprocess, sys, time
random.seed(20)
for turn in range(60):
    child = subprocess.Popen([sys.executable, "-c", """
import os
commands, answers = os.open("c/cmd", os.O_WRONLY), os.open("c/ack", os.O_RDONLY)
while True:
    os.write(commands, b"enable\\nmark some longer text\\ndisab")
    os.read(answers, 3)
    os.write(commands, b"le\\n")
    os.read(answers, 12)
"""])
    time.sleep(0.02 + random.random() / 50)
    child.send_signal(signal.SIGKILL)
    child.wait()
PYTHON
gives 0 python3 mad.py
# The last one may have left half a line, which spoils the first line of the next.
"$PSTAT" ctl --fifo c/cmd,c/ack ping 2>err || "$PSTAT" ctl --fifo c/cmd,c/ack ping
ctl pause # it may have left the counters running
ctl resume after
ctl pause
ctl stop
finished 0
holds run.data 'windows[-1].endswith(":after")' 'adds_up' 'is_ordered'

begin "pipes full: a controller that reads no answers holds up itself, and neither pstat nor the next controller"
session --control fifo:c/cmd,c/ack -v
ctl ping
cat >full.py <<'PYTHON'
import errno, os
commands, answers = os.open("c/cmd", os.O_WRONLY | os.O_NONBLOCK), os.open("c/ack", os.O_RDONLY | os.O_NONBLOCK)
sent = 0
try:
    while True:
        sent += os.write(commands, b"enable\ndisable\n" * 64)
except BlockingIOError:
    pass
print(sent // 15)
PYTHON
gives 0 python3 full.py
[ "$(cat out)" -ge 4000 ] || fail "only $(cat out) pairs went into the pipe"
ctl ping
ctl resume last
ctl stop
finished 0
holds run.data 'windows[-1].endswith(":last")' 'adds_up' 'is_ordered'
rm -r c

begin "--control-dir makes and removes the FIFOs, also after SIGTERM and for a folder that was there"
for way in new old; do
	[ $way = new ] || mkdir dir
	session --control-dir dir
	gives 0 "$PSTAT" ctl --dir dir ping
	[ -p dir/cmd ] && [ -p dir/ack ] || fail "no FIFOs"
	kill -TERM $session
	finished 143
	! is_there dir/cmd && ! is_there dir/ack || fail "the FIFOs are still there"
done
is_there dir || fail "a folder that was not pstat's is gone"

begin "made anew in --control-dir as well"
session --control-dir dir
gives 0 "$PSTAT" ctl --dir dir resume one
rm dir/cmd dir/ack
mkfifo dir/cmd dir/ack
gives 0 "$PSTAT" ctl --dir dir pause
gives 0 "$PSTAT" ctl --dir dir stop
finished 0
holds run.data 'windows == ["1:one"]'

begin "FIFOs that a killed pstat left are taken over, those of a living one are not"
session --control-dir dir
gives 0 "$PSTAT" ctl --dir dir ping
gives 125 "$PSTAT" record -D -1 -e task-clock -o other.data --control-dir dir -p "$target"
says 'another pstat'
kill -KILL $session
finished 137
is_there dir/cmd || fail "the FIFO of a killed pstat is gone"
session --control-dir dir
gives 0 "$PSTAT" ctl --dir dir stop
finished 0
open_gate
