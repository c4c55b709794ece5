# Proves that readings keep to their grid: at 0.1 ms, and at 1 ms for ten seconds, they are neither too many nor drift away;
# missed ticks leave one longer interval and no gap; the sum of the intervals is the total to the unit, for every event.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

# The share of intervals that end within a quarter of a step behind a tick. A timer that drifts sweeps over the whole step and
# gets 0.25; a machine that is busy with other things makes some ticks late, but not so many.
on_grid='lambda step: sum((b - intervals[0][0]) % step < step // 4 for a, b in intervals) / len(intervals)'
no_gap='all(x[1] == y[0] for x, y in zip(intervals, intervals[1:]))'

begin "1 ms for ten seconds"
start_sleeper
gives 0 "$PSTAT" record -I 1 --timeout 10000 -e $software -o run.data -p "$target"
holds run.data "$no_gap" 'adds_up' '2500 <= len(intervals) <= 10001' "($on_grid)(1*MS) > 0.3" \
	'10000*MS <= intervals[-1][1] < 15000*MS'

begin "0.1 ms for a second"
gives 0 "$PSTAT" record -I 0.1 --timeout 1000 -e $software -o run.data -p "$target"
holds run.data "$no_gap" 'adds_up' '500 <= len(intervals) <= 10001'

begin "fractions"
gives 0 "$PSTAT" record -I 2.5 --timeout 500 -e $software -o run.data -p "$target"
holds run.data "$no_gap" '50 <= len(intervals) <= 201'
open_gate

begin "a busy program, paused and resumed: sums and totals of every event"
gives 0 "$controller" -s 'hold 30; resume; hold 100; pause; hold 30; resume; hold 200; pause; resume' -- \
	"$PSTAT" record -D -1 -I 1 --cmd-fd '{cmd}' --cmd-ack-fd '{ack}' \
	-e $software,cpu-clock,major-faults,minor-faults,alignment-faults,emulation-faults,dummy -o run.data -- \
	"$workload" phases 800
holds run.data 'adds_up' 'is_ordered' 'len(windows) == 3' 'len(events) == 10' 'total("task-clock") > 0' \
	'abs(total("minor-faults") + total("major-faults") - total("page-faults")) <= 2 * len(windows)'

begin "all CPUs"
if ! machine_lacks system-wide >/dev/null; then
	gives 0 "$PSTAT" record -a -I 1 --timeout 500 -e $software -o run.data
	holds run.data 'adds_up' "$no_gap" 'len(intervals) >= 50'
fi

begin "a stopped pstat misses ticks, one interval covers them and the grid stays"
start_sleeper
gives 0 "$controller" -s 'resume; hold 50; signal STOP; hold 200; signal CONT; hold 50; pause; signal INT' -- \
	"$PSTAT" record -D -1 -I 10 --cmd-fd '{cmd}' --cmd-ack-fd '{ack}' -e $software -o run.data -p "$target"
holds run.data "$no_gap" 'max(b - a for a, b in intervals) >= 180*MS' 'adds_up'
open_gate
