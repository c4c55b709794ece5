# Proves that pstat-report --follow shows a recording while it is made and ends with it, with the same text as a report
# made afterwards: of a compressed, a plain and a stream file, of one whose recorder was killed, and at Ctrl-C.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3
python3 "$PSTAT_SRCDIR/tests/integration/follow.py" || fail "following does not work"

begin "what nobody records is read once"
gives 0 "$PSTAT" record -e $software -o done.data -- true
gives 0 timeout 20 "$PSTAT_REPORT" --follow -f csv done.data
gives 2 "$PSTAT_REPORT" --follow nosuch.data
