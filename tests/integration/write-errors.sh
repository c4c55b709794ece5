# Proves that lost data is never silent: a full disk, a file size limit (with its signal), a reader of a stream that goes
# away and a device without room end with status 125 and a message that names the cause, the workload runs to its end
# unharmed, and what was written before can be read.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3

# A workload that goes on after the recording has failed and says so at its end.
cat >job.sh <<'SCRIPT'
"$1" phases 400
touch "$2"
SCRIPT

# Numbers that do not compress well, so that a small disk fills up soon.
many=$software
for modifier in u k; do
	for event in task-clock cpu-clock page-faults minor-faults context-switches; do
		many=$many,$event:$modifier
	done
done

begin "a device without room"
gives 125 "$PSTAT" record -z 0 -I 1 -e $software -o /dev/full -- sh job.sh "$workload" full.done
says '^pstat: output: /dev/full: .*: No space left'
is_there full.done || fail "the workload did not run to its end"
rm -f full.done
gives 125 sh -c 'exec "$@" >/dev/full' sh "$PSTAT" record -I 1 -e $software -o - -- sh job.sh "$workload" full.done
says 'No space left'

begin "a file size limit, its signal and all"
need prlimit
gives 125 prlimit --fsize=200000 "$PSTAT" record -z 0 -I 0.2 -e $software -o limit.data -- sh job.sh "$workload" limit.done
says '^pstat: output: limit.data: .*: File too large'
says '^hint: the recording is whole up to'
! grep -q 'readings' err || fail "readings are told of that are not in the file"
is_there limit.done || fail "the workload did not run to its end"
gives 0 "$PSTAT_REPORT" limit.data
holds limit.data 'len(intervals) > 5' 'is_ordered'

begin "a limit too small for a beginning"
rm -f limit.data
gives 125 prlimit --fsize=512 "$PSTAT" record -e $software -o limit.data -- touch limit.started
says 'File too large'
! is_there limit.data || fail "a file without a head was left"

begin "the reader of a stream goes away"
(got=0; "$PSTAT" record -I 1 -e $software -o - -- sh job.sh "$workload" pipe.done 2>err || got=$?; echo $got >status) |
	head -c 4000 >head.data
[ "$(cat status)" -eq 125 ] || fail "status $(cat status) instead of 125"
says '^pstat: output: standard output: .*: Broken pipe'
is_there pipe.done || fail "the workload did not run to its end"
got=0
"$PSTAT_REPORT" -f csv head.data >out 2>err || got=$?
[ $got -le 1 ] || fail "status $got for the head of a stream"

begin "a full disk, of sizes that fill up in different phases of a checkpoint"
if ! machine_lacks tmpfs >/dev/null; then
	cat >disk.sh <<'SCRIPT'
mkdir -p disk
mount -t tmpfs -o size=$1 none disk
shift
got=0
"$@" || got=$?
cp disk/run.data run.data
exit $got
SCRIPT
	for disk in '24k 0' '24k 1' '40k 0' '40k 1' '200k 0'; do
		rm -f disk.done run.data
		gives 125 unshare --mount sh disk.sh ${disk% *} "$PSTAT" record -z ${disk#* } -I 0.2 -e $many \
			-o disk/run.data -- sh job.sh "$workload" disk.done
		says 'No space left'
		is_there disk.done || fail "the workload did not run to its end"
		gives 0 "$PSTAT_REPORT" run.data
		holds run.data 'is_ordered'
	done
	holds run.data 'len(intervals) > 5'
fi

begin "the report's own output"
gives 0 "$PSTAT" record -I 1 -e $software -o run.data -- "$workload" spin 30
got=0
"$PSTAT_REPORT" -f csv run.data >/dev/full 2>err || got=$?
[ $got -ne 0 ] || fail "a report that could not be written ended with 0"
says 'No space left'
gives 2 "$PSTAT_REPORT" -f csv -o nosuch/out.csv run.data
