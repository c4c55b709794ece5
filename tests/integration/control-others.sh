# Proves the other ways to command a session: signals, readiness before the command runs, and descriptors handed to the
# measured program itself.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

mkfifo gate
begin "signals that pause, resume and toggle"
gives 0 "$controller" -s 'wait ready; hold 10; signal USR1; hold 20; signal USR2; hold 20; signal USR1; hold 20; free gate' -- \
	"$PSTAT" record -D -1 -I 5 -e $software --resume-signal USR1 --pause-signal SIGUSR2 -o run.data -- sh -c ': >ready; cat gate'
holds run.data 'windows == ["1", "2"]' 'adds_up' 'is_ordered' \
	'markers[:4] == [("pause", "start"), ("resume", "signal"), ("pause", "signal"), ("resume", "signal")]'
rm -f ready
gives 0 "$controller" -s 'wait ready; hold 10; signal USR1; hold 20; signal USR1; hold 20; free gate' -- \
	"$PSTAT" record -D -1 -e $software --toggle-signal USR1 -o run.data -- sh -c ': >ready; cat gate'
holds run.data 'windows == ["1"]' 'markers[1:] == [("resume", "signal"), ("pause", "signal")]'
gives 2 "$PSTAT" record --pause-signal TERM -o none.data -- true
gives 2 "$PSTAT" record --pause-signal USR1 --resume-signal USR1 -o none.data -- true

begin "ready before anything is lost"
rm -f ready
mkfifo tell
{ head -c 1 <tell >told; : >gate; } &
gives 0 "$PSTAT" record -e $software --ready-fd 5 -o run.data -- cat gate 5>tell
wait $!
[ "$(wc -c <told)" -eq 1 ] || fail "no word of readiness"
for turn in 1 2 3 4 5 6 7 8 9 10; do
	cat tell >told &
	gives 0 "$PSTAT" record -q -e $software --ready-fd 5 -o run.data -- sh -c 'printf w >tell' 5>tell
	wait $!
	[ "$(cat told)" = 1w ] || fail "the command was there before the word of readiness: $(cat told)"
done
gives 2 "$PSTAT" record --ready-fd 99 -o none.data -- touch started
! is_there started || fail "a command ran in spite of a bad descriptor"

begin "the measured program commands its own windows"
cat >self.sh <<'SCRIPT'
"$PSTAT" ctl resume one
"$1" spin 30
"$PSTAT" ctl pause
"$1" spin 60
"$PSTAT" ctl resume two
"$1" faults 300
"$PSTAT" ctl pause
exit 6
SCRIPT
gives 6 "$PSTAT" record -D -1 -I 0 -e $software --workload-control -o run.data -- sh self.sh "$workload"
holds run.data 'windows == ["1:one", "2:two"]' '30*CPU_MS <= total("task-clock")' 'total("page-faults") >= 300' 'adds_up'
gives 0 "$PSTAT_REPORT" -f csv --window 1 run.data
gives 2 "$PSTAT" record --workload-control -o none.data -p $$
