# Proves that `pstat-report -f header` prints what `perf report --header-only -I` prints, line by line, for pstat's own files.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need perf

begin "a compressed and a plain recording"
for level in 6 0; do
	gives 0 "$PSTAT" record -z $level -e $software -o run.data -- true
	perf report --header-only -I -i run.data >perf.txt 2>/dev/null || true
	[ -s perf.txt ] || fail "perf prints no header"
	gives 0 "$PSTAT_REPORT" -f header run.data
	diff perf.txt out || fail "the headers differ"
done

begin "each feature of a dump has its offset"
gives 0 "$PSTAT_REPORT" -f dump run.data
[ "$(grep -c '^0x[0-9a-f]* feature ' out)" -ge 10 ] || fail "no offsets"
! grep -q '^feature ' out || fail "a feature without an offset"
