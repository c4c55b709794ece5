# Proves control by keys on a terminal: space toggles, m marks, q stops, others do nothing; the terminal is given back however
# pstat ends, and where there is none the message says so.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

mkfifo gate
: >log
keys() { # keys STATUS ARGUMENTS...: the steps on standard input
	: >log
	wanted=$1
	shift
	status=0
	python3 "$PSTAT_SRCDIR/tests/integration/keys.py" log "$PSTAT" record -v -D -1 --keys -e task-clock -o run.data "$@" || status=$?
	[ "$status" -eq "$wanted" ] || fail "status $status instead of $wanted: $(cat log)"
}

begin "toggles and marks"
keys 0 -- cat gate <<'STEPS'
await start, paused
echo off
press \x20
await resume
press m
await mark
press x?\x1b[A
press \x20
await pause \(
press \x20m\x20
await resume
await mark
await pause \(
gate
STEPS
holds run.data 'windows == ["1", "2"]' 'adds_up' \
	'[a for a, b in markers] == ["pause", "resume", "mark", "pause", "resume", "mark", "pause"]'

begin "q ends it: the command gets SIGTERM"
keys 143 -- sleep 1000 <<'STEPS'
await start, paused
press \x20
await resume
press q
await end
STEPS
holds run.data 'markers[-1] == ("pause", "command")'

begin "a signal ends it, and the terminal is as it was"
keys 143 -- sleep 1000 <<'STEPS'
await start, paused
echo off
signal 15
await end
STEPS

begin "no terminal, or one that is not pstat's"
gives 125 setsid -w "$PSTAT" record --keys -o none.data -- touch started
says '--control-dir'
cat >background.sh <<'SCRIPT'
set -m
"$@" &
wait $!
SCRIPT
: >log
status=0
python3 "$PSTAT_SRCDIR/tests/integration/keys.py" log sh background.sh "$PSTAT" record --keys -o none.data -- touch started </dev/null ||
	status=$?
[ "$status" -eq 125 ] || fail "status $status in the background: $(cat log)"
grep -q 'in the background' log || fail "$(cat log)"
! is_there started || fail "a command ran in spite of that"
