# Proves that commands may come in any shape: byte by byte, several in one write, a batch followed at once by a close, half
# a command before a close; that unknown ones are refused with -EINVAL and disturb nothing.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

mkfifo gate
pieces() { # pieces SCRIPT
	gives 0 "$controller" -s "$1" -- "$PSTAT" record -D -1 --cmd-fd '{cmd}' --cmd-ack-fd '{ack}' -e $software -o run.data -- \
		cat gate
}

begin "byte by byte"
pieces 'pieces 1; expect 2; pieces 0; expect 2; quiet; free gate; finished'
holds run.data 'windows == ["1"]' 'markers[1:] == [("resume", "command"), ("pause", "command")]'

begin "half a command, then its other half with the next command"
pieces 'bytes 1 0; quiet; bytes 0 0 0 0 0 0; expect 2 2; quiet; free gate; finished'
holds run.data 'markers[1:] == [("resume", "command"), ("pause", "command")]'

begin "a batch"
pieces 'send 1 0 1 0 1 0 1 0; expect 2 2 2 2 2 2 2 2; quiet; free gate; finished'
holds run.data 'len(windows) == 4' 'adds_up' 'is_ordered'

begin "a batch and a close: all obeyed, all answered"
pieces 'send 1 0 1; close; expect 2 2 2; hold 20; free gate; finished'
holds run.data 'windows == ["1", "2"]' 'markers[-1] == ("pause", "exit")' 'len(markers) == 5'

begin "half a command and a close: one refusal"
pieces 'send 1; bytes 0 0; close; expect 2 -22; free gate; finished'
holds run.data 'windows == ["1"]'

begin "unknown commands are refused one by one"
pieces 'send 1 7 2 -1 0; expect 2 -22 -22 -22 2; quiet; free gate; finished'
holds run.data 'windows == ["1"]' 'markers[-1] == ("pause", "command")'

begin "perf's words on the binary channel are refused and harm nothing"
pieces 'bytes 0x65 0x6e 0x61 0x62; expect -22; resume; pause; quiet; free gate; finished'
holds run.data 'windows == ["1"]'
