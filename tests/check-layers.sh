# Proves that the layers are kept: a file includes from its own folder and from lower ones only, siblings never include each
# other, nothing below cli/ prints, and no file or function is longer than it may be. Needs neither the kernel nor a build.
. "$PSTAT_SRCDIR/tests/lib/skip.sh"
cd "$PSTAT_SRCDIR/src" || exit 99
bad=0

complain() {
	echo "FAIL: $*" >&2
	bad=1
}

# What each folder may include from, beside itself, base/ and include/pstat/.
allowed() {
	case $1 in
	base) ;;
	data|host|event|loop) ;;
	control) echo loop ;; # a channel is put into a loop
	record) echo "event control loop data host" ;;
	report) echo data ;;
	cli) echo "record report event control loop data host" ;;
	*) complain "src/$1 is in no layer: add it to tests/check-layers.sh and doc/architecture.md" ;;
	esac
}

includes() { # includes FOLDER: "FILE INCLUDED-FOLDER" of every include of ours
	grep -snE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' "$1"/*.[ch] /dev/null |
		sed -nE 's|^([^:]*:[0-9]*):[^"]*"([^/"]*)/?[^"]*".*|\1 \2|p'
}

files=0
for path in */; do
	folder=${path%/}
	may=" $folder base pstat $(allowed "$folder") "
	while read -r where from; do
		[ -n "$where" ] || continue
		files=$((files + 1))
		case $may in
		*" $from "*) ;;
		*) complain "src/$where: $folder/ may not include from $from" ;;
		esac
	done <<-LIST
		$(includes "$folder")
	LIST
	[ "$folder" = cli ] || ! grep -snE '(^|[^a-z_])(printf|puts|putchar|perror|vprintf)[[:space:]]*\(|fprintf *\( *std(out|err)' \
		"$folder"/*.c /dev/null || complain "src/$folder prints: only cli/ may"
	! grep -snE '(^|[^a-z_>.])(exit|abort)[[:space:]]*\(' "$folder"/*.c /dev/null | grep -v _exit || complain "src/$folder exits"
done
[ "$files" -gt 0 ] || complain "no include was found: this test looks in the wrong place"

for file in */*.c */*.h; do
	lines=$(wc -l <"$file")
	[ "$lines" -le 500 ] || complain "src/$file has $lines lines, more than 500"
	case $(head -n 1 "$file") in
	'/*'*) ;;
	*) complain "src/$file does not open with what it is responsible for" ;;
	esac
	# A function's body: from a { in the first column to the } in the first column.
	awk -v file="src/$file" '/^\{/ {start = NR} /^\}/ && start {if (NR - start - 1 > 60) {
		print file ":" start ": a function of " NR - start - 1 " lines"; bad = 1} start = 0} END {exit bad}' "$file" >&2 ||
		complain "a function is longer than 60 lines"
done
exit $bad
