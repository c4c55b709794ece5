# Proves that controllers written for `perf stat --control` work unchanged: one in Python and one in bash, over descriptors and
# FIFOs, say the same to perf and to pstat and hear the same.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need bash perf python3

mkfifo gate
for way in fd fifo; do
	begin "Python over $way"
	gives 0 python3 "$PSTAT_SRCDIR/tests/integration/perf_client.py" $way perf stat -D -1 -e task-clock,page-faults \
		--control '{control}' -- cat gate
	mv out perf.heard
	gives 0 python3 "$PSTAT_SRCDIR/tests/integration/perf_client.py" $way "$PSTAT" record -D -1 -e task-clock,page-faults \
		-o run.data --control '{control}' -- cat gate
	cmp perf.heard out || fail "$(diff perf.heard out)"
	[ "$(wc -l <out)" -eq 15 ] || fail "not all was said"
	holds run.data 'len(windows) == 3' 'is_ordered' 'adds_up'
done

# The script of perf-stat(1): descriptors opened by the shell, answers read as lines.
cat >client.sh <<'SCRIPT'
mkfifo cmd ack
exec {cmd}<>cmd {ack}<>ack
"$@" -D -1 -e task-clock --control "fd:$cmd,$ack" -- cat gate &
for word in ping enable disable 'enable task-clock' evlist enable; do
	echo "$word" >&"$cmd"
	IFS= read -r -t 20 -u "$ack" answer || exit 9
	echo "$word: ${answer//[^a-z]/}"
done
: >gate
wait $!
SCRIPT
begin "bash"
gives 0 bash client.sh perf stat
mv out perf.heard
rm cmd ack
gives 0 bash client.sh "$PSTAT" record -o run.data
cmp perf.heard out || fail "$(diff perf.heard out)"
holds run.data 'len(windows) == 2'

begin "what perf answers with silence or a lie, pstat refuses, and nobody waits for ever"
gives 0 "$controller" -s 'say nonsense; hear nak; say enable nosuch; hear nak; say snapshot; hear nak; say disable nosuch; hear nak; say ping; hear ack;
	quiet; free gate; finished' -- "$PSTAT" record -D -1 -e task-clock --control 'fd:{cmd},{ack}' -o run.data -- cat gate
says "enable 'nosuch' refused: not an event of this session"

begin "both protocols at once: each controller gets its own answers"
gives 0 python3 "$PSTAT_SRCDIR/tests/integration/two_protocols.py" "$PSTAT" run.data
[ "$(cat out)" = "500 500" ] || fail "answers: $(cat out)"
holds run.data 'len(objects("marker")) >= 500' 'is_ordered' 'adds_up' \
	'sum(1 for m in objects("marker") if m["marker"] == "mark") == 333'
