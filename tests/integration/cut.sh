# Proves that a recording cut anywhere is read up to the cut: for every length of a compressed, a plain and a stream
# recording pstat-report ends with 1 or 2 (0 for a stream cut between two records), never by a signal, says what is wrong,
# and shows a beginning of what the whole file shows.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need python3
mkfifo gate
for form in compressed plain stream; do
	case $form in
	compressed) options="-o whole.data" part=all ;;
	plain) options="-z 0 -o whole.data" part=data ;;
	stream) options="-o -" part=all ;;
	esac
	begin "$form"
	# shellcheck disable=SC2086
	gives 0 "$controller" -s 'resume; hold 6; pause; resume; pause; free gate' -- \
		"$PSTAT" record -D -1 -I 2 --cmd-fd '{cmd}' --cmd-ack-fd '{ack}' -e task-clock,page-faults $options -- cat gate
	[ $form != stream ] || mv out whole.data
	python3 "$PSTAT_SRCDIR/tests/integration/cut.py" whole.data "${PSTAT_CUT_STEP:-1}" $part || fail "$form"
done
