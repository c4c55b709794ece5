#!/usr/bin/env python3
"""A client written for `perf stat --control`, run against a command that has that option: what it says and hears is printed, one
exchange a line, so that two of its runs can be compared.

    perf_client.py fd|fifo COMMAND [ARG ...]     {control} in COMMAND becomes the option's value

With fifo every few commands a new controller opens the FIFOs, and the one before is gone.
"""

import os
import select
import subprocess
import sys
import tempfile

# As perf's documentation has them; each ended by a newline or a NUL byte.
TRANSCRIPT = [b"ping\n", b"enable\n", b"disable\n", b"enable\0", b"ping\0", b"evlist\n", b"evlist -v\n", b"disable page-faults\n",
              b"enable page-faults\n", b"disable\0", b"enable\n", b"enable\n", b"disable\n", b"disable\n", b"ping\n"]
WAIT_S = 20


def hear(answers):
    """Five bytes, however they come."""
    got = b""
    while len(got) < 5:
        if not select.select([answers], [], [], WAIT_S)[0]:
            raise SystemExit(f"no answer, only {got!r}")
        part = os.read(answers, 5 - len(got))
        if not part:
            raise SystemExit("the other end has gone")
        got += part
    return got


def talk(commands, answers, lines):
    for line in lines:
        os.write(commands, line)
        print(line, hear(answers))


def start(command, value, **options):
    return subprocess.Popen([word.replace("{control}", value) for word in command], stdout=subprocess.DEVNULL, **options)


def over_descriptors(command):
    theirs_in, commands = os.pipe()
    answers, theirs_out = os.pipe()
    process = start(command, f"fd:{theirs_in},{theirs_out}", pass_fds=(theirs_in, theirs_out))
    os.close(theirs_in)
    os.close(theirs_out)
    talk(commands, answers, TRANSCRIPT)
    return process


def over_fifos(command, folder):
    paths = [os.path.join(folder, name) for name in ("cmd", "ack")]
    for path in paths:
        os.mkfifo(path)
    process = start(command, "fifo:" + ",".join(paths))
    for first in range(0, len(TRANSCRIPT), 4):
        commands, answers = os.open(paths[0], os.O_WRONLY), os.open(paths[1], os.O_RDONLY)
        talk(commands, answers, TRANSCRIPT[first:first + 4])
        os.close(commands)
        os.close(answers)
    return process


def main(way, *command):
    with tempfile.TemporaryDirectory() as folder:
        process = over_fifos(command, folder) if way == "fifo" else over_descriptors(command)
        with open("gate", "w"):  # the workload reads from it and ends
            pass
        return process.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
