# Skipping, honestly. To be sourced by test scripts; needs PSTAT_BUILDDIR and PSTAT_SRCDIR.
#
# A script names at its top what it needs of the machine: `need perf python3`. What the machine lacks skips the
# test with status 77 and a last line "SKIP: FEATURE: reason". Whether it lacks it is found out without pstat, so
# a pstat that wrongly says "not supported" fails its tests instead of skipping them.
#
# A script that finds out later, from pstat itself, that something does not work calls `skip FEATURE REASON`.
# PSTAT_REQUIRE holds features whose skip is a failure; "all" means every one but those that machine_lacks, or
# PSTAT_LACKS (for what cannot be seen from here), says are not there.

# machine_lacks FEATURE: true when this machine has not got it; prints why.
machine_lacks() {
	case " ${PSTAT_LACKS-} " in *" $1 "*) echo "named in PSTAT_LACKS"; return 0 ;; esac
	case $1 in
	counting|system-wide|hardware) [ -x "$PSTAT_BUILDDIR/tests/lib/machine" ] && ! "$PSTAT_BUILDDIR/tests/lib/machine" "$1" ;;
	root) [ "$(id -u)" -ne 0 ] && echo "not running as root" ;;
	two-cpus) [ "$(nproc)" -lt 2 ] && echo "only one CPU" ;;
	tracefs) ! with_tracefs true 2>&1 ;;
	tmpfs) ! unshare --mount mount -t tmpfs none /mnt 2>&1 ;;
	man) ! command -v mandoc >/dev/null && ! command -v man >/dev/null && echo "neither mandoc nor man is installed" ;;
	c++) ! command -v "${CXX:-g++}" >/dev/null && echo "no C++ compiler" ;;
	corpus) [ ! -f "$(corpus_dir)/oracle.json" ] && echo "no corpus of perf.data files in $(corpus_dir)" ;;
	proposal) [ ! -d "$(proposal_dir)" ] && echo "no text of the original proposal in $(proposal_dir)" ;;
	cc) ! command -v "${CC:-cc}" >/dev/null && echo "no C compiler" ;;
	bash|perf|pkg-config|python3|setpriv|prlimit) ! command -v "$1" >/dev/null && echo "$1 is not installed" ;;
	*) false ;;
	esac
}

# with_tracefs COMMAND...: runs it where tracefs can be read; when the machine has not mounted it, then for this command alone.
with_tracefs() {
	if [ -r /sys/kernel/tracing/events ] || [ -r /sys/kernel/debug/tracing/events ]; then
		"$@"
	else
		# shellcheck disable=SC2016
		unshare --mount sh -c 'mount -t tracefs nodev /sys/kernel/tracing && exec "$@"' sh "$@"
	fi
}

corpus_dir() {
	echo "${PSTAT_CORPUS:-$PSTAT_SRCDIR/../shared/corpus}"
}

proposal_dir() {
	echo "${PSTAT_PROPOSAL:-$PSTAT_SRCDIR/../shared/seed}"
}

# skip FEATURE REASON: ends the script.
skip() {
	case " ${PSTAT_REQUIRE-} " in
	*" $1 "*)
		echo "FAIL: $1 is required: $2" >&2
		exit 1 ;;
	*" all "*)
		if ! machine_lacks "$1" >/dev/null; then
			echo "FAIL: this machine has $1, and yet: $2" >&2
			exit 1
		fi ;;
	esac
	echo "SKIP: $1: $2" >&2
	exit 77
}

# need FEATURE...: skips unless the machine has all of them.
need() {
	for feature; do
		if reason=$(machine_lacks "$feature"); then
			skip "$feature" "$reason"
		fi
	done
}
