# Proves that INT, TERM, HUP and QUIT end a session, running or paused, launched or attached, with the file whole, the
# right status and no process left behind; that a second signal ends it at once; and that a signal from a terminal, which
# reaches the command by itself, is not passed on a second time.
. "$PSTAT_SRCDIR/tests/lib/session.sh"

number() {
	case $1 in HUP) echo 1 ;; INT) echo 2 ;; QUIT) echo 3 ;; TERM) echo 15 ;; esac
}

settings="-I 5"

check_end() { # check_end STATE
	gives 0 "$PSTAT_REPORT" run.data
	case $1 in
	running) holds run.data 'markers[-1] == ("pause", "signal")' 'is_ordered' 'adds_up' 'len(intervals) >= 1' ;;
	paused) holds run.data 'markers == [("pause", "start")]' 'not intervals' ;;
	esac
}

for signal in INT TERM HUP QUIT; do
	for state in running paused; do
		first=$([ $state = running ] && echo "resume; hold 20" || echo "pause")

		begin "$signal to a launched session, $state"
		rm -f pid
		gives $((128 + $(number $signal))) control "wait pid; $first; signal $signal" -D -1 -- \
			sh -c 'echo $$ >pid.new; mv pid.new pid; exec sleep 1000'
		is_gone "$(cat pid)" || fail "the command is still there"
		check_end $state

		begin "$signal to an attached session, $state"
		start_sleeper
		status=$([ $signal = INT ] && echo 0 || echo $((128 + $(number $signal))))
		gives "$status" control "$first; signal $signal" -D -1 -p "$target"
		kill -0 "$target" || fail "the target did not survive the end of the session"
		open_gate
		check_end $state
	done
done

begin "the command decides what a signal means to it"
gives 3 control 'wait ready; signal TERM' -- sh -c 'trap "exit 3" TERM; : >ready; while :; do sleep 0.01; done'

begin "a command that does not care is waited for"
rm -f ready
gives 0 control 'wait ready; signal TERM; quiet; hold 50; free gate' -- sh -c "trap '' TERM; : >ready; cat gate"
gives 0 "$PSTAT_REPORT" run.data

begin "a second signal ends it at once, the file still whole"
rm -f ready
gives 137 control 'wait ready; signal TERM; hold 100; signal INT' -- "$workload" stubborn ready nosuch
gives 0 "$PSTAT_REPORT" run.data
holds run.data 'markers[-1] == ("pause", "signal")' 'adds_up'

begin "after the end of counting a resume is refused"
rm -f ready
gives 0 control 'wait ready; resume; signal TERM; hold 100; send 1; expect -108; send 0; expect 2; free gate' -D -1 -- \
	sh -c "trap '' TERM; : >ready; cat gate"

begin "an interrupt from a terminal reaches the command once"
need python3
python3 - "$PSTAT" >out 2>err <<'PYTHON' || fail "the command saw another number of interrupts"
import os, pty, signal, subprocess, sys, time
counter = """
import signal, sys, time
seen = []
signal.signal(signal.SIGINT, lambda *_: seen.append(1))
open("armed", "w").close()
end = None
while end is None or time.monotonic() < end:
    time.sleep(0.01)
    if seen and end is None:
        end = time.monotonic() + 0.3
sys.exit(40 + len(seen))
"""
pid, terminal = pty.fork()
if pid == 0:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execv(sys.argv[1], [sys.argv[1], "record", "-o", "run.data", "--", sys.executable, "-c", counter])
while not os.path.exists("armed"):
    time.sleep(0.01)
os.write(terminal, b"\x03")
_, status = os.waitpid(pid, 0)
if os.waitstatus_to_exitcode(status) != 41:
    sys.exit(f"status {os.waitstatus_to_exitcode(status)} instead of 41")
PYTHON
gives 0 "$PSTAT_REPORT" run.data
