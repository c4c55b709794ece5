#!/bin/sh
# Proves that the stats view finds in 190 real, damaged and fuzzed perf.data files what an independent parser found. The
# files are not part of pstat: PSTAT_CORPUS names the folder that has them.
corpus=${PSTAT_CORPUS:-${PSTAT_SRCDIR:-.}/../shared/corpus}

skip()
{
	case " ${PSTAT_REQUIRE-} " in *" $1 "*)
		echo "FAIL: required $1: $2" >&2
		exit 1
		;;
	esac
	echo "SKIP: $1: $2" >&2
	exit 77
}

[ -f "$corpus/check_oracle.py" ] || skip corpus "no perf.data files in $corpus (PSTAT_CORPUS names their folder)"
command -v python3 >/dev/null 2>&1 || skip python3 "the comparison is a Python script"
exec python3 "$corpus/check_oracle.py" "$corpus" "${PSTAT_BUILDDIR:-.}/run-view stats {}" --strict
