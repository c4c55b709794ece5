#!/usr/bin/env python3
"""Two controllers of one pstat, one binary and one text, each in a thread and at its own pace. Prints how many answers each got.

    two_protocols.py PSTAT OUTPUT
"""

import os
import struct
import subprocess
import sys
import threading

TURNS = 500


def pipes():
    theirs_in, commands = os.pipe()
    answers, theirs_out = os.pipe()
    return theirs_in, theirs_out, commands, answers


def read_all(fd, size):
    got = b""
    while len(got) < size:
        part = os.read(fd, size - len(got))
        if not part:
            raise SystemExit("pstat has gone")
        got += part
    return got


def main(program, output):
    b_in, b_out, b_commands, b_answers = pipes()
    t_in, t_out, t_commands, t_answers = pipes()
    pstat = subprocess.Popen([program, "record", "-q", "-D", "-1", "-I", "1", "-e", "task-clock", "-p", str(os.getpid()), "-o", output,
                              "--cmd-fd", str(b_in), "--cmd-ack-fd", str(b_out), "--control", f"fd:{t_in},{t_out}"],
                             pass_fds=(b_in, b_out, t_in, t_out))
    for fd in (b_in, b_out, t_in, t_out):
        os.close(fd)
    counts = {}

    def binary():
        good = 0
        for turn in range(TURNS):
            os.write(b_commands, struct.pack("=i", (turn + 1) % 2))
            good += struct.unpack("=i", read_all(b_answers, 4))[0] == 2
        counts["binary"] = good

    def text():
        good = 0
        for turn in range(TURNS):
            os.write(t_commands, b"mark %d\n" % turn if turn % 3 else b"enable\n")
            good += read_all(t_answers, 5) == b"ack\n\0"
        counts["text"] = good

    threads = [threading.Thread(target=one) for one in (binary, text)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    os.write(t_commands, b"stop\n")
    assert read_all(t_answers, 5) == b"ack\n\0"
    print(counts["binary"], counts["text"])
    return pstat.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
