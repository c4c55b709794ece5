# Proves that a recording is whole at every checkpoint: pstat killed at 50 random moments leaves a file from which
# pstat-report, perf script and perf stat report read everything up to at most the last second.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3 perf
python3 "$PSTAT_SRCDIR/tests/integration/kill.py" || fail "a killed recording lost too much"
