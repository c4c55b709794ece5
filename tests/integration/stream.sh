# Proves that the reader of a stream never holds up the recorder: while nobody reads, commands are answered at once, memory
# is bounded, the workload ends in its own time, and what is dropped is told and leaves the totals exact. And that a reader
# that does read gets every interval as it comes, pstat-report as well as perf script.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3
python3 "$PSTAT_SRCDIR/tests/integration/stream.py" || fail "a stream is not as it should be"

begin "perf script at the other end"
need perf
"$PSTAT" record -o - -I 5 -e $software -- "$workload" spin 50 2>err | perf script -i - >script 2>script.err ||
	fail "perf script: $(cat script.err)"
grep -q 'pstat:resume' script || fail "perf script shows no resume"
[ "$(grep -c 'task-clock' script)" -gt 5 ] || fail "perf script shows no readings"

begin "perf on a stream of which readings were dropped"
perf script -i pipe.data >script 2>script.err || fail "perf script: $(tail -n 3 script.err)"
[ "$(grep -c 'pstat:pause' script)" -ge 52 ] || fail "perf script misses pauses"
perf stat report -i pipe.data >stat 2>&1 || fail "perf stat report: $(tail -n 3 stat)"
grep -q 'task-clock' stat || fail "perf stat report shows nothing"
