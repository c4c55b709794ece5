# Proves what the launched command gets and gives: its children are counted (and with -i are not), it finds the signal
# mask, dispositions and descriptors that pstat was started with and none of pstat's own, and it runs to its end unharmed.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

begin "children are counted"
gives 0 "$PSTAT" record -I 0 -e $software -o run.data -- "$workload" forks 5 20
holds run.data 'total("page-faults") >= 500' 'total("task-clock") >= 100*CPU_MS' 'adds_up'

begin "and with -i they are not"
gives 0 "$PSTAT" record -i -I 0 -e $software -o run.data -- "$workload" forks 5 20
holds run.data 'total("page-faults") < 500' 'total("task-clock") < 100*MS'

begin "a shell's jobs too, while readings go on"
gives 0 "$PSTAT" record -I 2 -e $software -o run.data -- sh -c "'$workload' spin 40 & '$workload' spin 40 & wait"
holds run.data 'total("task-clock") >= 80*CPU_MS' 'adds_up' 'is_ordered'

begin "counting starts at the exec: nothing of pstat is in it"
gives 0 "$PSTAT" record -I 0 -e page-faults -o run.data -- "$workload" faults 1000
holds run.data '1000 <= total("page-faults") < 1400'

cat >environment.sh <<'SCRIPT'
grep -E '^Sig(Blk|Ign|Cgt):' /proc/self/status
for fd in /proc/self/fd/*; do
	[ -e "$fd" ] && echo "${fd##*/}"
done
ulimit -n
umask
SCRIPT

cat >block.py <<'PYTHON'
import os, signal, sys
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGUSR2, signal.SIGCHLD, signal.SIGPIPE})
os.execvp(sys.argv[1], sys.argv[1:])
PYTHON
cat >launch.sh <<'SCRIPT'
setting=$1
shift
case $setting in
plain) exec "$@" ;;
ignored) trap '' TERM USR1 PIPE XFSZ; exec "$@" ;;
blocked) exec python3 block.py "$@" ;;
limited) ulimit -Sn 200; exec "$@" ;;
esac
SCRIPT

begin "signal mask, dispositions, descriptors and limits"
for setting in plain ignored blocked limited; do
	sh launch.sh $setting sh environment.sh >without
	gives 0 sh launch.sh $setting "$controller" -- \
		"$PSTAT" record -I 5 --cmd-fd '{cmd}' --cmd-ack-fd '{ack}' -e $software -o run.data -- sh environment.sh
	cmp out without >&2 || fail "$setting: $(diff without out)"
done

begin "killed by a signal: the status says so and the file is whole"
gives 137 "$PSTAT" record -I 2 -e $software -o run.data -- sh -c "'$workload' spin 30; kill -KILL \$\$"
holds run.data 'total("task-clock") >= 30*CPU_MS' 'markers[-1] == ("pause", "exit")' 'adds_up'

begin "stopped and continued: the session goes on"
gives 5 "$PSTAT" record -I 2 -e $software -o run.data -- \
	sh -c 'sh -c "sleep 0.05; kill -CONT $$" & kill -STOP $$; wait; exit 5'

begin "a background job may outlive the command"
mkfifo gate
gives 0 "$PSTAT" record -I 2 -e $software -o run.data -- sh -c 'cat gate >/dev/null 2>&1 & exit 0'
open_gate
