# Proves that a controller that stops reading answers can neither kill nor block pstat: a reader that vanishes is noted
# once and its commands still count; answers that do not fit the pipe wait, none is lost or doubled, and memory stays bounded.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

mkfifo gate
record="record -D -1 --cmd-fd {cmd} --cmd-ack-fd {ack} -e $software -o run.data"

begin "the reader of answers vanishes"
# shellcheck disable=SC2086
gives 0 "$controller" -s 'resume; pause; deaf; send 1 0 1 0 1; taken; hold 30; free gate' -- "$PSTAT" $record -- cat gate
holds run.data 'len(windows) == 4' 'markers[-1] == ("pause", "exit")' 'adds_up'
[ "$(grep -c answer err)" -eq 1 ] || fail "a vanished reader is to be noted once"

begin "the command's status and the rest of the file survive it"
# shellcheck disable=SC2086
gives 7 "$controller" -s 'deaf; send 1; taken; free gate' -- "$PSTAT" $record -- sh -c 'cat gate; exit 7'
holds run.data 'windows == ["1"]'

begin "a full answer pipe"
# shellcheck disable=SC2086
gives 0 "$controller" -k 4096 -s 'flood 30000; quiet; free gate; finished' -- "$PSTAT" $record -- cat gate
holds run.data 'len(windows) == 15000' 'adds_up'

begin "a full answer pipe does not keep the session from ending"
# shellcheck disable=SC2086
gives 0 "$controller" -k 4096 -s 'stuff 3000; free gate; reap' -- "$PSTAT" $record -- cat gate
gives 0 "$PSTAT_REPORT" run.data

begin "a reader that takes its time gets all answers, also after the session's end"
# shellcheck disable=SC2086
gives 0 "$controller" -s 'send 1 0 1; taken; free gate; expect 2 2 2; finished' -- "$PSTAT" $record -- cat gate
