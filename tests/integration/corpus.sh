# Proves that the stats view finds in 190 real, damaged and fuzzed perf.data files what an independent parser found. The
# files are not part of pstat: PSTAT_CORPUS names the folder that has them.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need corpus python3

corpus=$(cd "$PSTAT_SRCDIR" && cd "$(corpus_dir)" && pwd)

begin "what the oracle knows of every file"
gives 0 python3 "$corpus/check_oracle.py" "$corpus" "$PSTAT_REPORT -f stats {}" --strict
