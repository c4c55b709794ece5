# Proves that several recordings read at once give the bytes, messages and status that they give one after the other, also
# where some cannot be read; and that memory does not grow with the number of readings.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

"$PSTAT_BUILDDIR/writer-perf" system one.data 0
"$PSTAT_BUILDDIR/writer-perf" task two.data 6
head -c $(($(wc -c <one.data) - 1500)) one.data >cut.data
echo nothing >bad.data

same() { # same STATUS FILE...
	wanted=$1
	shift
	for view in csv json summary csv-wide stats; do
		got=0
		"$PSTAT_REPORT" -f $view "$@" >turn.out 2>turn.err || got=$?
		[ "$got" -eq "$wanted" ] || fail "one after the other: status $got instead of $wanted"
		for jobs in 2 3 16; do
			got=0
			"$PSTAT_REPORT" -f $view -j $jobs "$@" >once.out 2>once.err || got=$?
			[ "$got" -eq "$wanted" ] || fail "-j $jobs: status $got instead of $wanted"
			cmp turn.out once.out || fail "-f $view -j $jobs gives something else: $*"
			cmp turn.err once.err || fail "-f $view -j $jobs says something else: $*"
		done
	done
}

begin "good ones"
same 0 one.data two.data one.data two.data one.data
begin "a damaged one"
same 1 one.data cut.data two.data
begin "unreadable ones first: the header comes with the first that can be read"
same 2 bad.data no-such.data one.data two.data bad.data
begin "into a file"
gives 0 "$PSTAT_REPORT" -f csv -j 2 -o both.csv one.data two.data
gives 0 "$PSTAT_REPORT" -f csv one.data two.data
cmp out both.csv || fail "-o gets something else"

# What a sanitizer keeps back to find late uses is no memory of the program.
ASAN_OPTIONS=quarantine_size_mb=1:${ASAN_OPTIONS-}
export ASAN_OPTIONS

begin "a million readings use the memory of a hundred"
python3 "$PSTAT_SRCDIR/tests/integration/many_readings.py" >out 2>err || fail "$(cat out)"
