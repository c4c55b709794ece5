# Proves that every example in doc/examples does what it says: it runs without pstat, and under it each region is a window.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need bash c++ python3

examples=$PSTAT_SRCDIR/doc/examples
built=$PSTAT_BUILDDIR/doc/examples
labels='[window["label"] for window in objects("window")]'
marks='[m["label"] for m in objects("marker") if m["marker"] == "mark"]'
inside() { # inside FILE EXAMPLE: runs it under control from within
	gives 0 "$PSTAT" record -D -1 --workload-control -e task-clock,page-faults -o "$1" -- "$built/$2"
}

begin "C: three labelled regions"
gives 0 "$built/regions"
mv out alone
inside regions.data regions
cmp alone out || fail "regions says something else under pstat"
holds regions.data "$labels == ['generate', 'sort', 'search']" 'adds_up' 'is_ordered'

begin "C++: guards, one left by an exception"
gives 0 "$built/guard"
inside guard.data guard
holds guard.data "$labels == ['count words', 'count words', 'print']" 'adds_up' "$marks == ['no words']"

begin "a benchmark loop: each iteration in a window of its own"
gives 0 "$built/bench_loop"
inside bench.data bench_loop
holds bench.data 'len(windows) == 1000' "set($labels) == {'iteration'}" 'adds_up'

begin "Python: a harness over pipes"
gives 0 python3 "$examples/harness.py" harness.data
holds harness.data "$labels == ['sort', 'sum']" 'adds_up' "$marks == ['$(tr -d '\n' <out)']"

begin "bash: a script over FIFOs"
gives 0 bash "$examples/fifos.sh" fifos.data
grep -q 'going, finished' out || fail "the command did not run to its end"
holds fifos.data 'windows == ["1"]' 'adds_up' 'markers[-1] == ("pause", "exit")'
