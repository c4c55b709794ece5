# Proves that pstat ends as it says: with the command's own status, 128+N after signal N, 127 and 126 for a command that
# cannot be started, 125 for failures of its own and 2 for bad usage; with and without readings and delays; and that
# nothing of its own goes to standard output.
. "$PSTAT_SRCDIR/tests/lib/session.sh"

record() {
	"$PSTAT" record -e task-clock -o run.data "$@"
}

for options in "-I 0" "-I 5" "-I 0.5" "-D -1" "-D 1" "-z 0" "-i"; do
	begin "the command's status with $options"
	for code in 0 1 7 125 126 127 255; do
		# shellcheck disable=SC2086
		gives "$code" record -q $options -- sh -c "exit $code"
		says_nothing
	done
	for signal in KILL:137 TERM:143 SEGV:139; do
		# shellcheck disable=SC2086
		gives "${signal#*:}" record $options -- sh -c "kill -${signal%:*} \$\$"
	done
done

begin "a control channel does not change it"
gives 7 "$controller" -- "$PSTAT" record --cmd-fd '{cmd}' --cmd-ack-fd '{ack}' -o run.data -- sh -c 'exit 7'

begin "the command's output is passed through untouched"
gives 0 record -- printf 'a\nb'
[ "$(cat out)" = "$(printf 'a\nb')" ] || fail "standard output is not the command's own"

begin "commands that cannot be started, reported before anything is written"
rm -f run.data
gives 127 record -- ./nosuch
says 'nosuch'
! is_there run.data || fail "a file was left for a command that is not there"
gives 127 record -- no-such-command-anywhere
echo 'not a program' >plain
gives 126 record -- ./plain
says 'plain'
gives 126 record -- .
printf '#!/nosuch/interpreter\n' >script
chmod +x script
gives 127 record -- ./script
says '^hint: .*interpreter'
! is_there run.data || fail "a file was left for a command that cannot be executed"

begin "failures of its own: the command never starts"
gives 125 "$PSTAT" record -o nosuch/run.data -- touch started
says 'nosuch/run.data'
! is_there started || fail "the command ran although there was no place for the recording"

begin "bad usage"
while read -r options; do
	# shellcheck disable=SC2086
	gives 2 "$PSTAT" record $options -o run.data -- touch started
	[ ! -s out ] || fail "usage errors belong to standard error: $options"
	[ -s err ] || fail "no word about $options"
done <<'LIST'
--no-such-option
-D -2
-D x
-D 1x
-I -1
-I 0.05
-I x
-z 23
-z x
--timeout -1
--interval-count x
-e task-clock,nosuch-event
-e task-clock:q
-e {task-clock
-p x
-p 0
-C 0-
LIST
! is_there started || fail "a command ran in spite of bad usage"
gives 2 "$PSTAT" record --no-such-option -- true
says '^pstat: usage: .*no-such-option'
says '^hint: pstat record --help'
gives 2 "$PSTAT" nosuch
gives 2 "$PSTAT"
gives 2 "$PSTAT" record -o run.data

begin "help and version"
for program in "$PSTAT" "$PSTAT record" "$PSTAT stat" "$PSTAT list" "$PSTAT_REPORT"; do
	# shellcheck disable=SC2086
	gives 0 $program --help
	[ -s out ] && [ ! -s err ] || fail "$program --help does not print to standard output"
done
gives 0 "$PSTAT" --version
grep -q '^pstat [0-9]' out || fail "no version"
gives 0 "$PSTAT_REPORT" --version

begin "the report's own status"
gives 0 record -- true
gives 0 "$PSTAT_REPORT" run.data
gives 2 "$PSTAT_REPORT" nosuch.data
says 'nosuch.data'
gives 2 "$PSTAT_REPORT" plain
gives 2 "$PSTAT_REPORT" -f nosuch run.data
