# Proves that the labels of windows and marks come whole into every view, whatever is in them, by each way of giving one: pstat ctl,
# the text protocol and the header; and that the table by label adds up.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

same() { # same FILE LABEL...
	python3 "$PSTAT_SRCDIR/tests/integration/labels.py" "$@" || fail "the labels of $1"
}

begin "what a label may hold"
tab=$(printf 'a\ttab')
escape=$(printf 'an \033[31mescape')
long=$(printf '%0990d' 7)
cat >self.sh <<'SCRIPT'
workload=$1
shift
for label; do
	"$PSTAT" ctl resume "$label" && "$PSTAT" ctl mark "in $label" && "$workload" faults 20 && "$PSTAT" ctl pause || exit 9
done
SCRIPT
set -- 'a,b' 'say "x", please' 'größe ≥ 漢字' "$tab" "$escape" '1:2' '=1+1' "it's" '100 %s %n' "$long"
gives 0 "$PSTAT" record -q -D -1 -I 0 -e $software --workload-control -o run.data -- sh self.sh "$workload" "$@"
same run.data "$@"
holds run.data 'len([m for m in objects("marker") if m["marker"] == "mark"]) == 10' 'adds_up' \
	'[m["label"] for m in objects("marker") if m["marker"] == "mark"] == ["in " + w["label"] for w in objects("window")]'

begin "statistics by label, windows of several labels and of none in turn"
cat >self.sh <<'SCRIPT'
turn() {
	"$PSTAT" ctl resume $1 && "$workload" faults $2 && "$PSTAT" ctl pause || exit 9
}
workload=$1
turn small 100; turn big 2000; turn small 300; turn "" 50; turn big 1000; turn small 800
SCRIPT
gives 0 "$PSTAT" record -q -D -1 -I 10 -e $software --workload-control -o run.data -- sh self.sh "$workload"
same run.data small big small '' big small
holds run.data 'adds_up' 'len(windows) == 6'

begin "a label in the environment of perf's words: enable TEXT is an event, resume TEXT a label"
mkfifo gate
gives 0 "$controller" -s 'say enable warm; hear nak; say resume warm; hear ack; say resume hot; hear ack; say pause; hear ack;
	say resume cold; hear ack; say pause; hear ack; quiet;
	free gate; finished' -- "$PSTAT" record -D -1 -e $software --control 'fd:{cmd},{ack}' -o run.data -- cat gate
same run.data warm cold
