#!/usr/bin/env python3
"""Plays the user at a terminal: runs a command on a pseudo terminal, presses keys and waits for what they are to cause.

    keys.py LOG COMMAND [ARG ...]       on standard input, one step a line:
        press TEXT      \\x20 and the like are understood
        await PATTERN   until LOG, the command's messages, has one more line with it
        echo on|off     the terminal echoes keys, or does not
        signal NUMBER   to the command
        gate            opens the FIFO ./gate, which the workload waits for
The status is the command's.
"""

import os
import pty
import re
import sys
import termios
import time

WAIT_S = 20


def echoes(terminal):
    return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)


def until(what, condition):
    end = time.monotonic() + WAIT_S
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"never came true: {what}")
        time.sleep(0.01)


def matches(log, pattern):
    with open(log, encoding="utf-8") as lines:
        return sum(1 for line in lines if re.search(pattern, line))


def play(terminal, pid, log, steps):
    seen = {}
    for step in steps:
        verb, _, rest = step.strip().partition(" ")
        if verb == "press":
            os.write(terminal, rest.encode().decode("unicode_escape").encode())
        elif verb == "await":
            seen[rest] = seen.get(rest, 0) + 1
            until(step, lambda: matches(log, rest) >= seen[rest])
        elif verb == "echo":
            until(step, lambda: echoes(terminal) == (rest == "on"))
        elif verb == "signal":
            os.kill(pid, int(rest))
        elif verb == "gate":
            with open("gate", "w", encoding="utf-8"):
                pass
        else:
            sys.exit(f"no such step: {step}")


def main(log, *command):
    held, theirs = pty.openpty()  # held open here too: the settings can still be asked for when the command has gone
    pid = os.fork()
    if pid == 0:
        os.close(held)
        os.login_tty(theirs) if hasattr(os, "login_tty") else take_terminal(theirs)
        os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 2)
        os.execvp(command[0], command)
    play(held, pid, log, [line for line in sys.stdin if line.strip()])
    _, status = os.waitpid(pid, 0)
    if not echoes(theirs):
        sys.exit("the terminal was not given back")
    return os.waitstatus_to_exitcode(status)


def take_terminal(terminal):
    import fcntl
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for fd in (0, 1, 2):
        os.dup2(terminal, fd)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
