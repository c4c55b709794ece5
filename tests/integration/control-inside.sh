# Proves that a program that switches its own counting 100,000 times gets every answer, that each window is in the file, and that
# the recorder's memory does not grow with them; and that eight threads may do so at once.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

toggler=$tools/toggler
inside() { # inside FILE PAIRS [THREADS]
	file=$1
	shift
	gives 0 "$PSTAT" record -q -D -1 -I 0 --workload-control -e task-clock -o "$file" -- "$toggler" toggle "$@"
	read -r answered peak <out
}

begin "by itself the program does the same, and nothing is counted"
gives 0 "$toggler" toggle 1000
read -r answered peak <out
[ "$answered" -eq 2000 ] || fail "$answered calls instead of 2000"

begin "10,000 toggles"
inside few.data 5000
[ "$answered" -eq 10000 ] || fail "$answered answers instead of 10000"
few=$peak

begin "100,000 toggles"
inside many.data 50000
[ "$answered" -eq 100000 ] || fail "$answered answers instead of 100000"
holds many.data 'len(windows) == 50000' 'windows[-1] == "50000:toggle"' 'is_ordered' 'adds_up' 'markers[-1] == ("pause", "command")'
# A sanitizer keeps what was freed for a while.
[ "$few" -gt 0 ] || fail "the recorder's memory is not known"
[ -n "${PSTAT_SANITIZED-}" ] || [ "$peak" -le $((few + few / 20 + 128)) ] ||
	fail "the recorder's memory grew from $few KiB to $peak KiB"

begin "eight threads at once"
inside threads.data 500 8
[ "$answered" -eq 8000 ] || fail "$answered answers instead of 8000"
# A thread's resume finds counting on when another's came first: there are at most as many windows as resumes.
holds threads.data '500 <= len(windows) <= 4000' 'is_ordered' 'adds_up' \
	'[a for a, b in markers][1:] == ["resume", "pause"] * len(windows)'

begin "killed in the middle of it: the rest of the program goes on measuring"
cat >survivor.sh <<'SCRIPT'
for turn in 1 2 3 4 5; do
	"$1" toggle 1000000 &
	"$2" spin 20
	kill -KILL $!
	wait $!
	"$PSTAT" ctl pause && "$PSTAT" ctl resume "survivor $turn" && "$2" faults 10 && "$PSTAT" ctl pause || exit 9
done
exit 3
SCRIPT
gives 3 "$PSTAT" record -q -D -1 -I 0 --workload-control -e task-clock -o killed.data -- sh survivor.sh "$toggler" "$workload"
holds killed.data 'len([w for w in windows if "survivor" in w]) == 5' 'is_ordered' 'adds_up'
