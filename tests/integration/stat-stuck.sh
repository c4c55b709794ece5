# Proves that pstat stat does not wait for who reads its output: commands are answered and counting goes on while nobody does,
# and when somebody does at last, everything is there. A terminal that is held up is such an output.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

# When the commands are answered, and not before, somebody begins to read what was written.
taken_late() { # taken_late FORMAT
	rm -f taken go
	mkfifo taken go
	(cat go >/dev/null; exec cat) <taken >late.txt &
	tidy_pids="$tidy_pids $!"
	gives 0 "$controller" -s 'toggle 600; free go; signal INT' -- "$PSTAT" stat -p $$ -D -1 -I 0.1 -f "$1" \
		--cmd-fd '{cmd}' --cmd-ack-fd '{ack}' -e $software,cpu-clock,dummy -o taken
	wait $!
}

begin "more than a pipe holds"
taken_late csv
[ "$(wc -c <late.txt)" -gt 65536 ] || fail "too little was written to fill a pipe"
python3 - late.txt <<'PYTHON' || fail "not all windows are there, or not in order"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
windows = list(dict.fromkeys(row["window"] for row in rows if row["state"] == "run"))
ends = [float(row["end_s"]) for row in rows]
sys.exit(windows != [str(i + 1) for i in range(300)] or ends != sorted(ends))
PYTHON
! grep -q "too slowly" err || fail "something is missing"

begin "an output that is read too late, but fits"
taken_late summary
grep -q "task-clock" late.txt || fail "no summary"

begin "an output whose reader is gone ends the session with a reason"
gives 125 "$PSTAT" stat -I 1 -o /dev/full -- cat /dev/null
says "No space left"
(exec <taken) &
gives 125 "$PSTAT" stat -I 1 -e task-clock -o taken -p $$ --timeout 20000
says "writing the report: Broken pipe"
wait $!
