# Proves with stock perf as the judge that --convert and --repair make clean files of pstat's own recordings, whatever
# their form, and of damaged ones; and that a part of a recording tells of that part what the whole tells.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3 perf

judge() { # judge FILE...
	python3 "$PSTAT_SRCDIR/tests/integration/convert.py" "$@" >out 2>err || {
		cat out >&2
		fail "not rewritten as it should be"
	}
	cat out >&2
}

control() { # control SCRIPT PSTAT-ARGUMENTS...
	script=$1
	shift
	"$controller" -s "$script" -- "$PSTAT" record --cmd-fd '{cmd}' --cmd-ack-fd '{ack}' -e $software "$@"
}

windows='hold 20; resume; hold 40; pause; hold 20; resume; hold 40; pause; hold 20'
mkfifo gate
for level in 0 6; do
	begin "seekable, -z $level"
	gives 0 control "$windows; free gate" -z $level -D -1 -I 5 -o windows$level.data -- cat gate
	judge windows$level.data
done

begin "a stream"
gives 0 control "$windows; free gate" -D -1 -I 5 -o - -- cat gate
mv out stream.data
judge stream.data

begin "an event that is not supported, one reading only"
gives 0 "$PSTAT" record -I 0 -e task-clock,cycles,page-faults -o total.data -- "$workload" phases 50
judge total.data

begin "through a pipe, both ways"
"$PSTAT_REPORT" --convert - - <stream.data 2>err | cat >piped.data
gives 0 "$PSTAT_REPORT" --convert direct.data stream.data
cmp piped.data direct.data || fail "a pipe gives other bytes"

begin "cut and damaged"
head -c $(($(wc -c <windows0.data) - 1500)) windows0.data >cut.data
gives 2 "$PSTAT_REPORT" --convert no.data cut.data
says "the recording is damaged; nothing was written"
[ ! -e no.data ] || fail "--convert wrote a damaged recording"
gives 1 "$PSTAT_REPORT" --repair yes.data cut.data
judge cut.data

begin "never over the recording that is read"
gives 2 "$PSTAT_REPORT" --repair windows0.data windows0.data
says "is the recording that is read"
gives 2 "$PSTAT_REPORT" --convert a.data windows0.data windows6.data
gives 2 "$PSTAT_REPORT" --cut 1,2 windows0.data
gives 2 "$PSTAT_REPORT" --convert a.data --cut 2,1 windows0.data
gives 2 "$PSTAT_REPORT" --convert a.data --window 7 windows0.data
says "there is no window 7"

# rows FILE OPTIONS...: the intervals, without the number of the window
rows() {
	file=$1
	shift
	"$PSTAT_REPORT" -f csv "$@" "$file" | grep ',run,' | cut -d, -f2,3,5-10
}

begin "a window by itself"
gives 0 "$PSTAT_REPORT" --convert window.data --window 2 windows6.data
rows windows6.data --window 2 >expected
rows window.data >found
[ -s expected ] && cmp expected found || fail "window 2 tells something else than in the whole recording"
judge window.data

begin "a span of time"
middle=$(rows windows0.data | cut -d, -f2 | sort -u | sed -n 3p)
gives 0 "$PSTAT_REPORT" --convert span.data --cut "$middle," windows0.data
rows windows0.data | awk -F, -v from="$middle" '$1 >= from' >expected
rows span.data >found
[ -s expected ] && cmp expected found || fail "the span from $middle on tells something else than in the whole recording"
judge span.data

begin "strict"
gives 0 "$PSTAT_REPORT" --strict -f stats windows0.data
gives 2 "$PSTAT_REPORT" --strict -f stats cut.data
gives 2 "$PSTAT_REPORT" --strict --repair yes.data cut.data
