# Proves that descriptors are checked before the workload starts, by name, and that one that is at its end or has nothing
# to say costs no CPU time.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

record() {
	"$PSTAT" record -e task-clock -o run.data "$@"
}

begin "descriptors that are not open"
gives 2 record --cmd-fd 99 -- touch started
says '--cmd-fd 99'
gives 2 record --cmd-fd 5 --cmd-ack-fd 98 -- touch started 5</dev/null
says '--cmd-ack-fd 98'
gives 2 record --cmd-fd 5 -- touch started 5<&-
gives 2 record --cmd-fd -1 -- touch started
gives 2 record --cmd-fd x -- touch started
gives 2 record --cmd-ack-fd 1 -- touch started

begin "descriptors of the wrong direction"
gives 2 record --cmd-fd 5 -- touch started 5>/dev/null
says '--cmd-fd 5'
gives 2 record --cmd-fd 5 --cmd-ack-fd 6 -- touch started 5</dev/null 6</dev/null
says '--cmd-ack-fd 6'
gives 2 "$controller" -- "$PSTAT" record --cmd-fd '{ack}' --cmd-ack-fd '{cmd}' -o run.data -- touch started
! is_there started || fail "a command ran in spite of a bad descriptor"
! is_there run.data || fail "a file was made in spite of a bad descriptor"

# CPU time in ms that pstat used for a workload that sleeps a second.
cpu_ms() {
	python3 - "$PSTAT" record -I 0 -e task-clock -o run.data "$@" -- sleep 1 <<'PYTHON'
import os, sys
pid = os.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
# What the workload used came to pstat's children, not to pstat, but wait4 counts both: sleep uses next to nothing.
print(int((usage.ru_utime + usage.ru_stime) * 1000))
sys.exit(os.waitstatus_to_exitcode(status))
PYTHON
}

begin "an end of file, a closed peer and /dev/null cost nothing"
: >empty
plain=$(cpu_ms)
for case in null file peer; do
	case $case in
	null) used=$(cpu_ms --cmd-fd 5 --cmd-ack-fd 6 5</dev/null 6>/dev/null) ;;
	file) used=$(cpu_ms --cmd-fd 5 5<empty) ;;
	peer) used=$(: | cpu_ms --cmd-fd 0) ;;
	esac
	[ "$used" -lt $((plain + 60)) ] || fail "$case: $used ms of CPU time instead of about $plain"
done
holds run.data 'windows == ["1"]' 'markers == [("resume", "start"), ("pause", "exit")]'

begin "commands from a regular file are obeyed up to its end"
printf '\0\0\0\0\1\0\0\0' >commands
[ "$(printf '\1\0\0\0' | od -An -td4 | tr -d ' ')" = 1 ] || printf '\0\0\0\0\0\0\0\1' >commands
gives 0 record --cmd-fd 5 --cmd-ack-fd 6 -- sleep 0.2 5<commands 6>answers
says '^pstat: --cmd-fd 5: closed'
holds run.data 'windows == ["1", "2"]'
[ "$(od -An -td4 answers | tr -s ' ')" = " 2 2" ] || fail "the answers to a file of commands"
