#!/usr/bin/env python3
"""A harness that measures parts of itself, with pstat attached to it, over two pipes.

    harness.py [FILE]           records to FILE (default harness.data)

The class is all that is needed: copy it.
"""

import contextlib
import os
import subprocess
import sys


class Pstat:
    """A pstat that records process `pid`, paused until told otherwise."""

    def __init__(self, output, pid, *options, program=os.environ.get("PSTAT", "pstat")):
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        try:
            self._process = subprocess.Popen(
                [program, "record", "-D", "-1", "--control", f"fd:{commands},{answers}",
                 "-o", output, "-p", str(pid), *options],
                pass_fds=(commands, answers))
        finally:
            os.close(commands)  # pstat's ends: while they are open here, its end goes unnoticed
            os.close(answers)
        self.tell("ping")  # answered as soon as the counters are open

    def tell(self, command):
        """Sends one command and returns when it has taken effect."""
        os.write(self._commands, command.encode() + b"\n")
        answer = b""
        while len(answer) < 5:
            part = os.read(self._answers, 5 - len(answer))
            if not part:
                raise RuntimeError(f"pstat has ended with status {self._process.wait()}")
            answer += part
        if answer != b"ack\n\0":
            raise RuntimeError(f"pstat refused: {command}")

    @contextlib.contextmanager
    def window(self, label):
        """Counts the body of a with statement."""
        self.tell(f"resume {label}")
        try:
            yield
        finally:
            self.tell("pause")

    def stop(self):
        """Ends the recording and returns when the file is complete."""
        self.tell("stop")
        status = self._process.wait()
        os.close(self._commands)
        os.close(self._answers)
        if status:
            raise RuntimeError(f"pstat ended with status {status}")


def main():
    output = sys.argv[1] if len(sys.argv) > 1 else "harness.data"
    pstat = Pstat(output, os.getpid(), "-e", "task-clock,page-faults")
    numbers = [(i * 7919) % 100003 for i in range(100000)]  # not counted
    with pstat.window("sort"):
        numbers.sort()
    with pstat.window("sum"):
        total = sum(numbers)
    pstat.tell(f"mark total {total}")
    pstat.stop()
    print(f"total {total}")


if __name__ == "__main__":
    main()
