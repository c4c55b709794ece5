# Proves that the C++ client of the proposal pstat grew from drives it unchanged: it is taken from the text of the proposal,
# compiled, and every command it sends is acknowledged and found in the recording.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need proposal c++ python3

awk '/^#define _DEBUG/ {on = 1} on' "$(proposal_dir)"/*.txt >pause_test.cpp
grep -q 'cmd-ack-fd' pause_test.cpp || fail "no client in the proposal's text"
"${CXX:-g++}" -w -O1 -o pause_test pause_test.cpp

# It sends COUNT - 1 commands, DELAY ms apart: 0 for an even number left, 1 for an odd one.
gives 0 ./pause_test 11 30 "$PSTAT" record -D -1 -I 5 -e $software -o run.data -- "$workload" spin 1500
[ "$(grep -c 'ack 2$' out)" -eq 10 ] || fail "not every command was acknowledged: $(cat out)"
[ "$(grep -c 'ack' out)" -eq 10 ] || fail "other acknowledgements"
holds run.data 'len(windows) == 5' 'adds_up' 'is_ordered' 'markers[-1] == ("pause", "exit")' \
	'[b for a, b in markers[1:-1]] == ["command"] * 9' \
	'len([1 for a, b in pauses[1:] if b - a >= 30*MS]) == 4'
