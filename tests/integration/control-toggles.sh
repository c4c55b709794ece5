# Proves that two thousand toggles get one answer each and that none is left over: over pipes, over one socket for both
# directions, and with readings going on; each window is in the file and the intervals still add up.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

mkfifo gate
settings="-D -1"

begin "pipes"
gives 0 control 'toggle 2000; quiet; free gate; finished' -- cat gate
holds run.data 'len(windows) == 1000' 'adds_up' 'is_ordered' \
	'[a for a, b in markers][1:] == ["resume", "pause"] * 1000'

begin "a socket for both"
socket=-u
gives 0 control 'toggle 2000; quiet; free gate; finished' -- cat gate
holds run.data 'len(windows) == 1000' 'adds_up' 'is_ordered'
socket=

begin "while readings go on, each millisecond"
gives 0 control 'toggle 2000; quiet; resume; hold 50; toggle 200; quiet; free gate; finished' -I 1 -- cat gate
holds run.data 'len(windows) == 1100' 'adds_up' 'is_ordered'

begin "without an answer descriptor"
gives 0 "$controller" -s 'send 1 0 1 0 1; quiet; hold 10; free gate' -- "$PSTAT" record -D -1 --cmd-fd '{cmd}' -e $software \
	-o run.data -- cat gate
holds run.data 'len(windows) == 3' 'adds_up'

begin "a command that ends the workload's own wait is obeyed before the end"
gives 0 control 'resume; pause; resume; quiet; free gate; finished' -- cat gate
holds run.data 'windows == ["1", "2"]' 'markers[-1] == ("pause", "exit")'
