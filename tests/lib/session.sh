# What every integration script has: a folder of its own, a time limit, checks that say what failed. To be sourced
# first; then the script works inside that folder, which goes away when it passes.

# A test that hangs is a failure and must not hold up the suite.
if [ "${PSTAT_TIMED-}" != "$0" ]; then
	PSTAT_TIMED=$0
	export PSTAT_TIMED
	exec timeout -k 10 "${PSTAT_TEST_LIMIT:-240}" sh "$0" "$@"
fi

set -eu
. "$PSTAT_SRCDIR/tests/lib/skip.sh"

LC_ALL=C
export LC_ALL
tools=$PSTAT_BUILDDIR/tests/lib
controller=$tools/controller
workload=$tools/workload
software=task-clock,page-faults,context-switches,cpu-migrations
base=$(basename "$0" .sh)
dir=$(mktemp -d "${TMPDIR:-/tmp}/pstat-$base.XXXXXX")
cd "$dir"
tidy_pids=

# Ends what the script started and is still there, by its ids, and keeps the folder of a failure.
tidy() {
	status=$?
	trap - EXIT
	for pid in $tidy_pids; do
		kill -KILL "$pid" 2>/dev/null || true
	done
	cd /
	if [ "$status" -eq 0 ] || [ "$status" -eq 77 ]; then
		rm -rf "$dir"
	else
		echo "$base: status $status, its files are in $dir" >&2
	fi
	exit "$status"
}
trap tidy EXIT

fail() {
	echo "FAIL: $*" >&2
	[ ! -s err ] || sed 's/^/  err: /' err >&2
	exit 1
}

# begin WHAT: names the case that runs now, for the log.
begin() {
	echo "-- $*" >&2
}

# gives STATUS COMMAND...: runs it, its messages in ./err and its output in ./out, and checks the exit status.
gives() {
	wanted=$1
	shift
	got=0
	"$@" >out 2>err || got=$?
	[ "$got" -eq "$wanted" ] || fail "status $got instead of $wanted: $*"
}

# control SCRIPT PSTAT-ARGUMENTS...: records into run.data under a scripted controller, with $settings, over one socket when
# $socket is -u.
settings=
socket=
control() {
	script=$1
	shift
	# shellcheck disable=SC2086
	"$controller" $socket -s "$script" -- "$PSTAT" record --cmd-fd '{cmd}' --cmd-ack-fd '{ack}' -e $software -o run.data \
		$settings "$@"
}

# says PATTERN: the last command's messages contain it (basic regular expression).
says() {
	grep -q -- "$1" err || fail "no message like '$1'"
}

# says_nothing: the last command printed neither messages nor output.
says_nothing() {
	[ ! -s err ] && [ ! -s out ] || fail "unasked-for output: $(cat out)"
}

# eventually COMMAND...: polls until it succeeds.
eventually() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ "$tries" -lt 3000 ] || fail "never came true: $*"
		sleep 0.01
	done
}

# A process that sleeps until `open_gate`: started in the background, its id in $target.
start_sleeper() {
	[ -p gate ] || mkfifo gate
	cat gate >/dev/null &
	target=$!
	tidy_pids="$tidy_pids $target"
}

open_gate() {
	: >gate
}

is_gone() {
	! kill -0 "$1" 2>/dev/null
}

is_there() {
	[ -e "$1" ]
}

# holds FILE EXPRESSION...: each Python expression about the recording is true (tests/lib/recording.py).
holds() {
	need python3
	python3 "$PSTAT_SRCDIR/tests/lib/recording.py" "$@" || fail "the recording $1 is not as it should be"
}

need counting
