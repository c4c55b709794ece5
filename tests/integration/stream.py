"""Streams with readers that are stuck, late or at work. Driven by stream.sh."""

import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["PSTAT_SRCDIR"], "tests", "lib"))
from recording import REPORT, Recording  # noqa: E402

PSTAT = os.environ["PSTAT"]
PATIENCE = 30.0  # seconds until something that has to happen counts as never
QUEUE_BYTES = 4 << 20
MANY = ",".join(name + modifier for modifier in ("", ":u", ":k") for name in (
    "task-clock", "cpu-clock", "page-faults", "minor-faults", "major-faults", "context-switches", "cpu-migrations"))
PAUSE, RESUME, DONE = 0, 1, 2


def check(true, what):
    if not true:
        sys.exit(f"not so: {what}")


class Recorder:
    """pstat with a controller, writing a stream. The command waits for the gate."""

    def __init__(self, name, *options, into=None):
        self.gate, self.err = f"{name}.gate", f"{name}.err"
        os.mkfifo(self.gate)
        commands, self.command = os.pipe()
        self.answer, answers = os.pipe()
        self.stream = None
        if into is None:
            self.stream, into = os.pipe()
        with open(self.err, "wb") as err:
            self.process = subprocess.Popen(
                [PSTAT, "record", "-D", "-1", "--cmd-fd", str(commands), "--cmd-ack-fd", str(answers), *options,
                 "-o", "-", "--", "cat", self.gate],
                stdout=into, stderr=err, pass_fds=(commands, answers))
        for fd in (commands, answers, into):
            os.close(fd)

    def say(self, word):
        """Sends a command; the seconds until its answer."""
        begun = time.monotonic()
        os.write(self.command, struct.pack("i", word))
        ready, _, _ = select.select([self.answer], [], [], PATIENCE)
        check(ready and struct.unpack("i", os.read(self.answer, 4)) == (DONE,), "a command is answered with done")
        return time.monotonic() - begun

    def told(self):
        with open(self.err) as err:
            return err.read()

    def until_told(self, text):
        end = time.monotonic() + PATIENCE
        while text not in self.told():
            check(time.monotonic() < end and self.process.poll() is None, f"pstat says '{text}': {self.told()}")
            time.sleep(0.01)

    def memory(self):
        """Resident, in bytes."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmRSS:"))

    def open_gate(self):
        with open(self.gate, "w"):
            pass

    def read_into(self, path):
        with open(path, "wb") as out:
            while piece := os.read(self.stream, 65536):
                out.write(piece)

    def workload_gone(self):
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as children:
            return not children.read().split()


def stuck(name, into=None, stream=None):
    """Nobody reads until the command has ended."""
    recorder = Recorder(name, "-I", "0.1", "-e", MANY, into=into)
    if stream is not None:
        recorder.stream = stream
    recorder.say(RESUME)
    recorder.until_told("too slow")
    before = recorder.memory()
    slowest = max(recorder.say(word) for _ in range(50) for word in (PAUSE, RESUME))
    check(slowest < 1.0, f"100 toggles are answered within a second each (the slowest took {slowest:.3f} s)")
    check(recorder.memory() - before < 3 * QUEUE_BYTES, f"memory stays bounded: {before} {recorder.memory()}")
    begun = time.monotonic()
    recorder.open_gate()
    while not recorder.workload_gone():
        check(time.monotonic() - begun < 2.0, "the command ends in its own time")
        time.sleep(0.005)
    recorder.read_into(f"{name}.data")
    check(recorder.process.wait(PATIENCE) == 0, f"the recording ends well: {recorder.told()}")
    check(" dropped: the reader" in recorder.told() and "marker" not in recorder.told(),
          f"readings and no markers are said to be dropped: {recorder.told()}")
    recording = Recording(f"{name}.data")
    check(len(recording.windows) == 51, f"all windows are there: {len(recording.windows)}")
    check(recording.adds_up and recording.is_ordered, "the intervals add up to the totals")
    check([what for what, _ in recording.markers] == ["pause"] + ["resume", "pause"] * 51, "all markers are there")
    summary = subprocess.run([REPORT, f"{name}.data"], stdout=subprocess.PIPE, text=True, check=True).stdout
    check("readings were dropped" in summary and "kernel lost" not in summary and "are missing" not in summary,
          f"the report tells of it: {summary[-400:]}")


def abandoned():
    """Nobody ever reads: the end does not wait for ever, and says what is missing."""
    recorder = Recorder("abandoned", "-I", "0.1", "-e", MANY)
    recorder.say(RESUME)
    recorder.until_told("too slow")
    begun = time.monotonic()
    recorder.open_gate()
    status = recorder.process.wait(PATIENCE)
    took = time.monotonic() - begun
    check(status == 125 and "has not taken the last" in recorder.told(), f"status {status}: {recorder.told()}")
    check(took < 12.0, f"the end takes its 5 seconds: {took:.1f}")


def late():
    """A reader that rests and goes on gets all of the rest."""
    recorder = Recorder("late", "-I", "0.1", "-e", MANY)
    recorder.say(RESUME)
    recorder.until_told("too slow")
    reader = subprocess.Popen([REPORT, "-f", "json", "-"], stdin=recorder.stream, stdout=subprocess.PIPE, text=True)
    os.close(recorder.stream)
    recorder.say(PAUSE)
    recorder.open_gate()
    out, _ = reader.communicate(timeout=PATIENCE)
    check(recorder.process.wait(PATIENCE) == 0 and reader.returncode == 0, f"both end well: {recorder.told()}")
    check('"type":"total"' in out.replace(" ", ""), "the report has its totals")


def live(view):
    """Intervals are shown while the recording goes on."""
    recorder = Recorder(f"live-{view}", "-I", "50", "-e", "task-clock,page-faults")
    reader = subprocess.Popen([REPORT, "-f", view, "-"], stdin=recorder.stream, stdout=subprocess.PIPE)
    os.close(recorder.stream)
    recorder.say(RESUME)
    seen, end = b"", time.monotonic() + PATIENCE
    while seen.count(b"\n") < 12:
        ready, _, _ = select.select([reader.stdout], [], [], end - time.monotonic())
        check(ready, f"{view} shows intervals as they come: {seen}")
        seen += os.read(reader.stdout.fileno(), 4096)
    recorder.open_gate()
    seen += reader.communicate(timeout=PATIENCE)[0]
    check(recorder.process.wait(PATIENCE) == 0 and reader.returncode == 0, f"{view} ends well: {recorder.told()}")


def interrupted():
    """Ctrl-C in a pipeline reaches both ends: the recorder ends its stream, and the report shows it to its end."""
    def join(group):
        """In a child: a process group of the pipeline's own, in which Ctrl-C is not ignored."""
        os.setpgid(0, group)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    reading, writing = os.pipe()
    with open("interrupted.out", "wb") as out, open("interrupted.err", "wb") as err:
        reader = subprocess.Popen([REPORT, "-f", "json", "-"], stdin=reading, stdout=out, stderr=err,
                                  preexec_fn=lambda: join(0))
        recorder = subprocess.Popen([PSTAT, "record", "-I", "20", "-e", "task-clock", "-o", "-", "-p", str(os.getpid())],
                                    stdout=writing, stderr=err, preexec_fn=lambda: join(reader.pid))
    os.close(reading)
    os.close(writing)
    end = time.monotonic() + PATIENCE
    while not os.path.getsize("interrupted.out"):
        check(time.monotonic() < end, "intervals are shown")
        time.sleep(0.01)
    os.killpg(reader.pid, signal.SIGINT)
    check(recorder.wait(PATIENCE) == 0 and reader.wait(PATIENCE) == 0, "both end well after Ctrl-C")
    with open("interrupted.out") as out:
        check('"total"' in out.read(), "the totals are shown after Ctrl-C")


def gone():
    """The reader goes while something waits for it: told, 125, and the command ends in its own time."""
    recorder = Recorder("gone", "-I", "0.1", "-e", MANY)
    recorder.say(RESUME)
    recorder.until_told("too slow")
    os.close(recorder.stream)
    recorder.until_told("Broken pipe")
    check(recorder.process.poll() is None, "the command goes on")
    recorder.say(PAUSE)
    recorder.open_gate()
    check(recorder.process.wait(PATIENCE) == 125, f"a reader that is gone is a failure: {recorder.told()}")


def main():
    gone()
    interrupted()
    stuck("pipe")
    ours, theirs = socket.socketpair()
    ours.settimeout(None)
    stuck("socket", into=theirs.detach(), stream=ours.detach())
    late()
    abandoned()
    for view in ("csv", "csv-wide", "json", "timeline", "dump"):
        live(view)


if __name__ == "__main__":
    main()
