# Proves that no damage to a real recording crashes or hangs the reader: each file of the corpus is cut and changed at some
# places, always the same ones; `make damage` tries 200 of each.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need corpus

corpus=$(cd "$PSTAT_SRCDIR" && cd "$(corpus_dir)" && pwd)

begin "cuts and changes of every file"
gives 0 "$PSTAT_BUILDDIR/tests/fuzz/damage" "${PSTAT_DAMAGE:-20}" "$corpus"
