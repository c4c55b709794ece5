# Proves that --convert and --repair make of the files of the corpus, however old, foreign or damaged, ones that stock perf
# reads with the numbers that pstat-report finds. The files are not part of pstat: PSTAT_CORPUS names their folder. All of
# them take a minute and more, so "make check" tries every PSTAT_CORPUS_EVERYth and "make corpus-check" each one.
PSTAT_TEST_LIMIT=600
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need corpus python3 perf

corpus=$(cd "$PSTAT_SRCDIR" && cd "$(corpus_dir)" && pwd)
every=${PSTAT_CORPUS_EVERY:-$([ -n "${PSTAT_SANITIZED-}" ] && echo 10 || echo 4)}
n=0
set --
for file in "$corpus"/*.data "$corpus"/*.dir; do
	[ $((n % every)) -ne 0 ] || [ ! -e "$file" ] || set -- "$@" "$file"
	n=$((n + 1))
done
[ $# -gt 0 ] || fail "no files in $corpus"
python3 "$PSTAT_SRCDIR/tests/integration/convert.py" "$@" >out 2>err || {
	cat out >&2
	fail "not rewritten as it should be"
}
cat out >&2
