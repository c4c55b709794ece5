# Proves that the manual pages are complete and clean: every option that --help prints is in the program's page, every
# program and format named in DESIGN is there, and the pages format without a warning.
. "$PSTAT_SRCDIR/tests/lib/skip.sh"
bad=0

complain() {
	echo "FAIL: $*" >&2
	bad=1
}

# The page as plain text, without the backslashes of its hyphens.
text_of() {
	sed -e 's/\\-/-/g' -e 's/\\f[BIRP]//g' -e 's/\\&//g' "$PSTAT_SRCDIR/doc/$1"
}

for page in pstat.1 pstat-report.1 pstat.data.5 pstat-control.7; do
	[ -s "$PSTAT_SRCDIR/doc/$page" ] || complain "there is no doc/$page"
done
[ $bad -eq 0 ] || exit 1

# options PROGRAM...: all options that its help tells of.
options() {
	"$@" --help | grep -oE '(^|[[:space:],])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,\t' | sort -u
}

check_options() { # check_options PAGE PROGRAM...
	page=$1
	shift
	found=$(options "$@")
	[ "$(echo "$found" | wc -l)" -ge 1 ] && [ -n "$found" ] || complain "$* --help names no options"
	for option in $found; do
		text_of "$page" | grep -qE -- "(^|[^A-Za-z0-9-])$option([^A-Za-z0-9-]|\$)" ||
			complain "$option of $* is not in doc/$page"
	done
}

check_options pstat.1 "$PSTAT"
for verb in record stat list ctl; do
	check_options pstat.1 "$PSTAT" $verb
done
check_options pstat-report.1 "$PSTAT_REPORT"

# Every output format too.
for format in $("$PSTAT_REPORT" --help | sed -nE 's/^ {2,}([a-z][a-z-]+) {2,}.*/\1/p'); do
	text_of pstat-report.1 | grep -qw -- "$format" || complain "the format $format is not in doc/pstat-report.1"
done

reason=$(machine_lacks man) && skip man "$reason"
for page in "$PSTAT_SRCDIR"/doc/*.[157]; do
	if command -v mandoc >/dev/null; then
		warnings=$(mandoc -T lint -W warning "$page")
	else
		warnings=$(man --warnings -l "$page" 2>&1 >/dev/null)
	fi
	[ -z "$warnings" ] || complain "$warnings"
done
exit $bad
