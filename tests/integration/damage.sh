# Proves that no damage to a real recording crashes or hangs the reader: each file of the corpus is cut and changed at some
# places, always the same ones; `make damage` tries 200 of each.
. "$PSTAT_SRCDIR/tests/lib/session.sh"

corpus=${PSTAT_CORPUS-$PSTAT_SRCDIR/../shared/corpus}
[ -f "$corpus/oracle.json" ] || skip corpus "no test corpus at $corpus (set PSTAT_CORPUS)"

begin "cuts and changes of every file"
gives 0 "$PSTAT_BUILDDIR/tests/fuzz/damage" "${PSTAT_DAMAGE:-20}" "$corpus"
