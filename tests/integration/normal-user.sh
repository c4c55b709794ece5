# Proves that a normal user can count his own processes, is refused those of others and whole CPUs with the reason and the
# remedy, and that a count limited to user space says so in its name.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need root setpriv python3

# The folder, the programs and the sources must be reachable for him.
chmod 755 .
mkdir his
chown 65534:65534 his
mkdir bin
cp "$PSTAT" "$workload" bin/
as_user() {
	(cd his && setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@")
}
as_user test -x ../bin/pstat || skip user "an unprivileged user cannot reach $dir"

paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
begin "his own program, with perf_event_paranoid $paranoid"
if [ "$paranoid" -le 2 ]; then
	gives 0 as_user ../bin/pstat record -I 5 -e task-clock,page-faults -o run.data -- ../bin/workload spin 30
	holds his/run.data 'adds_up' 'total(events[0]) >= 20*MS'
	if [ "$paranoid" -eq 2 ]; then
		holds his/run.data 'all(event.endswith(":u") for event in events)'
	fi
else
	gives 125 as_user ../bin/pstat record -e task-clock -o run.data -- true
	says paranoid
fi

begin "whole CPUs"
if [ "$paranoid" -gt 0 ]; then
	gives 125 as_user ../bin/pstat record -a -e task-clock -o none.data --timeout 10
	grep -q 'perf_event_paranoid\|CAP_PERFMON' err || fail "no reason and no remedy"
	! is_there his/none.data || fail "a file was made"
fi

begin "a process of somebody else"
start_sleeper
gives 125 as_user ../bin/pstat record -e task-clock -o none.data -p "$target" --timeout 10
! is_there his/none.data || fail "a file was made"
open_gate
