# Proves that a skip is honest: status 77 with its reason, a failure when the feature is required, a failure under "all" when
# the machine has the feature after all, and a skip under "all" when it is shown to lack it.
bad=0

try() { # try WHAT STATUS TEXT REQUIRE LACKS COMMAND
	got=0
	said=$(PSTAT_REQUIRE=$4 PSTAT_LACKS=$5 sh -c ". \"\$PSTAT_SRCDIR/tests/lib/skip.sh\"; $6; exit 0" 2>&1) || got=$?
	if [ "$got" -ne "$2" ]; then
		echo "FAIL: $1: status $got instead of $2: $said" >&2
		bad=1
	fi
	case $said in
	*"$3"*) ;;
	*) echo "FAIL: $1: '$said' instead of '$3'" >&2; bad=1 ;;
	esac
}

try "a skip has a reason" 77 "SKIP: foo: no foo here" "" "" 'skip foo "no foo here"'
try "a required feature" 1 "FAIL: foo is required" "bar foo" "" 'skip foo "no foo here"'
try "another required feature" 77 "SKIP: foo" "bar" "" 'skip foo "no foo here"'
try "all, and nothing says the machine lacks it" 1 "this machine has foo" all "" 'skip foo "no foo here"'
try "all, and it is named as lacking" 77 "SKIP: foo" all "foo" 'skip foo "no foo here"'
try "all, and the machine has it" 1 "this machine has python3" all "" \
	'command() { true; }; skip python3 "pretended"'
try "all, and the machine lacks it" 77 "SKIP: python3" all "" 'command() { false; }; need python3'
try "the one required and all" 1 "FAIL: python3 is required" "all python3" "" 'command() { false; }; need python3'
try "what is there is no reason to skip" 0 "" all "" 'command() { true; }; need python3 perf setpriv'
exit $bad
