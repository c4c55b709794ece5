# Proves that a counter switched off alone is not counted in the intervals it missed, whether the target worked or slept, and
# counts in the others as if it had never been switched: there its value is as exact as those beside it.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

mkfifo gate
off='[row["note"] for row in rows if row["event"] == "task-clock"]'
session() { # session SCRIPT PSTAT-ARGUMENTS...
	script=$1
	shift
	gives 0 "$controller" -s "$script" -- "$PSTAT" record -D -1 -I 0 -e task-clock,page-faults --control 'fd:{cmd},{ack}' \
		-o run.data "$@"
}

for way in works sleeps; do
	begin "the target $way meanwhile"
	rm -f ready
	case $way in works) what='"$0" phases 300; cat gate' ;; *) what='cat gate' ;; esac
	# In turn: on, off, on, and a window in which it was off from its start.
	session 'wait ready; say enable; hear ack; hold 40; say disable task-clock; hear ack; hold 40; say enable task-clock; hear ack;
		hold 40; say disable; hear ack; say disable task-clock; hear ack; say enable; hear ack; hold 20; say disable; hear ack;
		free gate; finished' -- sh -c ": >ready; $what" "$workload"
	holds run.data "$off == ['', 'not counted', '', 'not counted']" 'notes("page-faults") == [""]' 'adds_up' \
		'all(row["running_pct"] in ("", "100.00") for row in rows if row["note"] == "")' \
		'[v is None for v in values("task-clock")] == [False, True, False, True]'
done

begin "a counter that was never switched, beside it: as much time in each interval"
rm -f ready
session 'wait ready; say enable; hear ack; hold 50; say disable page-faults; hear ack; hold 50; say enable page-faults; hear ack;
	hold 50; say disable; hear ack; free gate; finished' -- sh -c ': >ready; "$0" phases 200; cat gate' "$workload"
holds run.data 'notes("task-clock") == [""]' 'adds_up' 'is_ordered' \
	'[row["note"] for row in rows if row["event"] == "page-faults"] == ["", "not counted", ""]'
