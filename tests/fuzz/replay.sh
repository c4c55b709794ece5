#!/bin/sh
# Proves that every fuzz target survives its seeds and what was once found to break it: tests/fuzz/corpus/NAME/ for the
# target fuzz-NAME. With libFuzzer the same files are run once each.
srcdir=${PSTAT_SRCDIR:-.}
status=0

for target in ${PSTAT_FUZZ:?}; do
	seeds=$srcdir/tests/fuzz/corpus/${target#fuzz-}
	"${PSTAT_BUILDDIR:-.}/$target" "$seeds"/* || status=1
done
exit $status
