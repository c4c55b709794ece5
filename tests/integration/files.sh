# Proves what becomes of the output file: mode 0600, an older one kept as FILE.old, nothing left by a session that never
# began, a stream on standard output and into a FIFO that reads like the file, also through a pipe, and a symbolic link
# that stays one; and what becomes of reports in files.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

record() {
	"$PSTAT" record -I 5 -e $software "$@" -- "$workload" spin 30
}

begin "mode and name"
umask 0
gives 0 record
[ "$(stat -c %a pstat.data)" = 600 ] || fail "mode $(stat -c %a pstat.data) instead of 600"

begin "an older file is kept"
cp pstat.data first.data
gives 0 record
cmp -s first.data pstat.data.old || fail "the older file is not in pstat.data.old"
! cmp -s first.data pstat.data || fail "the file is not a new one"
gives 127 "$PSTAT" record -- ./nosuch
cmp -s first.data pstat.data.old || fail "a session that never began has moved files"
[ "$(find . -name '*pstat.data*' | wc -l)" -eq 2 ] || fail "left-over files: $(ls -a)"

begin "a symbolic link"
: >real.data
ln -s real.data link.data
gives 0 record -o link.data
[ -L link.data ] && [ -s real.data ] || fail "the link was replaced"

begin "standard output"
gives 0 record -o -
mv out stream.data
gives 0 "$PSTAT_REPORT" stream.data
"$PSTAT_REPORT" -f csv - <stream.data >piped.csv
"$PSTAT_REPORT" -f csv stream.data >named.csv
cut -d , -f 2- piped.csv >a
cut -d , -f 2- named.csv >b
cmp -s a b || fail "a stream reads differently through a pipe: $(diff a b | head -n 3)"
holds stream.data 'adds_up' 'is_ordered' 'windows == ["1"]' 'counted("task-clock") >= 30*CPU_MS'

begin "a pipe to the report"
record -o - 2>err | "$PSTAT_REPORT" -f csv - >live.csv
[ "$(wc -l <live.csv)" -gt 4 ] || fail "nothing came through the pipe"

begin "the workload's output does not get into the stream"
gives 0 "$PSTAT" record -e $software -o - -- sh -c 'echo no-trace-of-$((40 + 2))'
! grep -q no-trace-of-42 out || fail "the workload wrote into the recording"

begin "a FIFO"
mkfifo pipe
cat pipe >fifo.data &
gives 0 record -o pipe
wait $!
[ -p pipe ] || fail "the FIFO was replaced"
gives 0 "$PSTAT_REPORT" fifo.data

begin "/dev/null"
gives 0 record -o /dev/null
[ -c /dev/null ] || fail "/dev/null was replaced"

begin "compression"
for level in 0 1 22; do
	gives 0 "$PSTAT" record -z $level -I 0.2 -e $software -o z$level.data -- "$workload" spin 200
	holds z$level.data 'adds_up' 'is_ordered'
done
[ "$(stat -c %s z1.data)" -lt "$(stat -c %s z0.data)" ] || fail "compression made the file larger"

begin "several files in one table"
"$PSTAT_REPORT" -f csv z0.data z1.data >both.csv
[ "$(grep -c '^source,' both.csv)" -eq 1 ] || fail "one header for several files"
[ "$(grep -c '^z0.data,' both.csv)" -gt 0 ] && [ "$(grep -c '^z1.data,' both.csv)" -gt 0 ] || fail "no source column"

begin "a live report in a file: there from the start of counting, with the mode of the umask, the older one kept"
umask 022
echo before >live.txt
mkfifo gate
"$PSTAT" stat -I 5 -f csv -e $software -o live.txt -- cat gate &
watched=$!
has_two_lines() {
	[ "$(wc -l <live.txt)" -ge 2 ] && [ "$(head -c 7 live.txt)" = source, ]
}
eventually has_two_lines
echo >gate
wait $watched
[ "$(cat live.txt.old)" = before ] || fail "the older report is not in live.txt.old"
[ "$(stat -c %a live.txt)" = 644 ] || fail "mode $(stat -c %a live.txt) instead of 644"
gives 127 "$PSTAT" stat -o live.txt -- ./nosuch
[ "$(cat live.txt.old)" = before ] && has_two_lines || fail "a session that never began has moved files"

begin "a report in a file: the older one kept, nothing touched by one that fails"
echo before >report.csv
gives 2 "$PSTAT_REPORT" -f csv -o report.csv nosuch.data
[ "$(cat report.csv)" = before ] && ! is_there report.csv.old || fail "a report that failed has moved files"
gives 0 "$PSTAT_REPORT" -f csv -o report.csv pstat.data
[ "$(cat report.csv.old)" = before ] || fail "the older report is not in report.csv.old"
[ "$(stat -c %a report.csv)" = 644 ] || fail "mode $(stat -c %a report.csv) instead of 644"
[ "$(find . -name '*report.csv*' | wc -l)" -eq 2 ] || fail "left-over files: $(ls -a)"

begin "without standard descriptors the recording and the report are still nothing but themselves"
for closed in '2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
	gives 7 sh -c "exec \"\$@\" $closed" sh "$PSTAT" record -v -I 5 -e $software -o bare.data -- sh -c 'exit 7'
	gives 0 "$PSTAT_REPORT" bare.data
	holds bare.data 'adds_up' 'is_ordered'
done
gives 0 sh -c 'exec "$@" <&- >&- 2>&-' sh "$PSTAT_REPORT" -f csv -o bare.csv bare.data
"$PSTAT_REPORT" -f csv bare.data | cmp -s - bare.csv || fail "a report without standard descriptors differs"
gives 125 sh -c 'exec "$@" >&-' sh "$PSTAT" record -e $software -o - -- true
gives 2 sh -c 'exec "$@" >&-' sh "$PSTAT_REPORT" bare.data
says 'Bad file descriptor'

begin "a symbolic link to nothing yet"
ln -s later.data to-later.data
gives 0 record -o to-later.data
[ -L to-later.data ] && [ -s later.data ] || fail "what the link names was not made"
