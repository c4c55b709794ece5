#!/usr/bin/env bash
# Counts the second half of a command's life from a shell script, over two FIFOs.
#
#	fifos.sh [FILE]		records to FILE (default fifos.data)
#
# The words are perf's, so the same script drives perf: PSTAT_RECORD="perf stat record" fifos.sh
set -euo pipefail

file=${1:-fifos.data}
read -ra record <<<"${PSTAT_RECORD:-${PSTAT:-pstat} record}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkfifo "$dir/cmd" "$dir/ack" "$dir/phase" "$dir/go"

# Sends one command and returns when it has taken effect. "pstat ctl --dir" does the same, where one process for each
# command is no matter.
tell() {
	local answer
	echo "$1" >&"$cmd"
	IFS= read -r -t 30 -u "$ack" answer || { echo "fifos.sh: no answer to $1" >&2; exit 1; }
	[ "$answer" = ack ] || { echo "fifos.sh: $1 was refused" >&2; exit 1; }
}

# Both ends are opened for both directions: opening waits for nobody, and nobody's coming or going ends the stream.
exec {cmd}<>"$dir/cmd" {ack}<>"$dir/ack" {phase}<>"$dir/phase"

# The command: it says when its second half begins, and waits to be told that counting is on.
# shellcheck disable=SC2016
"${record[@]}" -D -1 --control "fifo:$dir/cmd,$dir/ack" -e task-clock -o "$file" -- bash -c '
	for ((i = 0; i < 20000; i++)); do :; done
	echo warm >"$1"
	read -r go <"$2"
	for ((i = 0; i < 20000; i++)); do :; done
	echo "$go, finished"' worker "$dir/phase" "$dir/go" &
recorder=$!

read -r -t 30 -u "$phase" _ || { echo "fifos.sh: the command never got warm" >&2; exit 1; }
tell enable
echo going >"$dir/go"
wait "$recorder"
