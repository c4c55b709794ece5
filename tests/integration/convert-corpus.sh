# Proves that --convert and --repair make of every file of the corpus, however old, foreign or damaged, one that stock perf
# reads with the numbers that pstat-report finds. The files are not part of pstat: PSTAT_CORPUS names their folder.
PSTAT_TEST_LIMIT=600
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need corpus python3 perf

corpus=$(cd "$PSTAT_SRCDIR" && cd "$(corpus_dir)" && pwd)
set -- "$corpus"/*.data "$corpus"/*.dir
python3 "$PSTAT_SRCDIR/tests/integration/convert.py" "$@" >out 2>err || {
	cat out >&2
	fail "not rewritten as it should be"
}
cat out >&2
