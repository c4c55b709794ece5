"""Follows recordings that are being made. Driven by follow.sh."""

import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["PSTAT_SRCDIR"], "tests", "lib"))
from recording import REPORT, report  # noqa: E402

PSTAT = os.environ["PSTAT"]
PATIENCE = 30.0


def check(true, what):
    if not true:
        sys.exit(f"not so: {what}")


def until(true, what):
    end = time.monotonic() + PATIENCE
    while not true():
        check(time.monotonic() < end, what)
        time.sleep(0.01)


class Followed:
    """A recorder whose command waits for a gate, and a report that follows."""

    def __init__(self, name, view, *options, stream=False):
        self.gate, self.path, self.shown, self.view = f"{name}.gate", f"{name}.data", f"{name}.shown", view
        os.mkfifo(self.gate)
        command = [PSTAT, "record", "-q", "-I", "20", "-e", "task-clock,page-faults", *options,
                   "-o", "-" if stream else self.path, "--", "cat", self.gate]
        with open(self.path if stream else os.devnull, "wb") as out:
            self.recorder = subprocess.Popen(command, stdout=out)
        until(lambda: os.path.exists(self.path) and os.path.getsize(self.path) > 0, "the file appears")
        with open(self.shown, "wb") as out:
            self.report = subprocess.Popen([REPORT, "--follow", "-f", view, self.path], stdout=out,
                                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def lines(self):
        with open(self.shown, "rb") as shown:
            return shown.read().count(b"\n")

    def grows(self):
        """More comes, several times, while nothing has ended."""
        for _ in range(3):
            before = self.lines()
            until(lambda: self.lines() > before + 4, f"{self.path}: more is shown than {before} lines")
        check(self.report.poll() is None, f"{self.path}: the report goes on")

    def finish(self):
        with open(self.gate, "w"):
            pass
        check(self.recorder.wait(PATIENCE) == 0, f"{self.path}: the recording ends well")

    def same(self, status=0):
        """What was followed is what is there."""
        check(self.report.wait(PATIENCE) == status, f"{self.path}: the report ends with {status}")
        with open(self.shown) as shown:
            check(shown.read() == report(self.path, "-f", self.view, allowed=(0, 1)), f"{self.path}: the text is that of a report")


def main():
    for name, view, options in (("packed", "csv", ()), ("plain", "json", ("-z", "0")), ("wide", "csv-wide", ())):
        followed = Followed(name, view, *options)
        followed.grows()
        followed.finish()
        followed.same()

    followed = Followed("stream", "csv", stream=True)
    followed.grows()
    followed.finish()
    followed.same()

    followed = Followed("killed", "csv")
    followed.grows()
    followed.recorder.kill()
    followed.recorder.wait()
    followed.same()
    with open(followed.gate, "w"):
        pass

    followed = Followed("replaced", "csv")
    followed.grows()
    os.rename(followed.path, followed.path + ".old")
    followed.finish()
    os.rename(followed.path + ".old", followed.path)
    followed.same()

    followed = Followed("interrupted", "json")
    followed.grows()
    followed.report.send_signal(signal.SIGINT)
    check(followed.report.wait(PATIENCE) == 0, "Ctrl-C ends the following well")
    with open(followed.shown) as shown:
        check('"total"' in shown.read(), "Ctrl-C brings the totals")
    followed.finish()


if __name__ == "__main__":
    main()
