# Proves counting of CPUs: all of them, a list, with a command that only sets how long, per CPU in the report, and that a
# CPU that is not there is refused by its number.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need system-wide python3

begin "all CPUs"
gives 0 "$PSTAT" record -a -I 10 --timeout 200 -e $software,cpu-clock -o run.data
holds run.data 'adds_up' 'is_ordered' 'total("cpu-clock") > 0' 'markers[-1] == ("pause", "timeout")'
gives 0 "$PSTAT_REPORT" -f csv --per cpu run.data
[ "$(tail -n +2 out | cut -d , -f 11 | sort -u | grep -c '[0-9]')" -eq "$(nproc --all)" ] || fail "not every CPU has rows"

begin "the CPUs add up to the total"
python3 - run.data <<'PYTHON' || fail "CPUs and totals differ"
import os, sys
sys.path.insert(0, os.path.join(os.environ["PSTAT_SRCDIR"], "tests", "lib"))
from recording import Recording
whole, split = Recording(sys.argv[1]), Recording(sys.argv[1], "--per", "cpu")
sys.exit(any(whole.counted(event) != split.counted(event) for event in whole.events))
PYTHON

begin "a list, and a command that says how long"
gives 3 "$PSTAT" record -C 0 -I 5 -e $software,cpu-clock -o run.data -- sh -c "'$workload' spin 50; exit 3"
holds run.data 'adds_up' 'total("cpu-clock") >= 50*MS' 'markers[-1] == ("pause", "exit")'
gives 0 "$PSTAT_REPORT" -f csv --per cpu run.data
[ "$(tail -n +2 out | cut -d , -f 11 | sort -u)" = 0 ] || fail "other CPUs than 0"

begin "paused and resumed"
gives 0 "$controller" -s 'resume; hold 30; pause; hold 30; resume; hold 30; pause; signal INT' -- \
	"$PSTAT" record -a -D -1 --cmd-fd '{cmd}' --cmd-ack-fd '{ack}' -I 5 -e $software -o run.data
holds run.data 'len(windows) == 2' 'adds_up' 'is_ordered'

begin "a CPU that is not there"
gives 125 "$PSTAT" record -C 0,4095 -o none.data --timeout 10
says 4095
! is_there none.data || fail "a file was made"
