"""Kills recorders at random moments, ten at a time, and looks at what is left. Driven by kill.sh."""

import os
import random
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["PSTAT_SRCDIR"], "tests", "lib"))
from recording import REPORT, Recording  # noqa: E402

KILLS, AT_ONCE = 50, 10
LIMIT_NS = 1_500_000_000  # a checkpoint a second, and half a second for a busy machine


def start(path, level, interval):
    command = [os.environ["PSTAT"], "record", "-I", str(interval), "-z", str(level), "-e", "task-clock,page-faults",
               "-o", path, "-p", str(os.getpid())]
    process = subprocess.Popen(command)
    while not os.path.exists(path):
        if process.poll() is not None:
            sys.exit(f"{command} ended with {process.returncode} before it made its file")
        time.sleep(0.005)
    return process


def perf(*command):
    """What it prints (counts go to standard error), and whether it was content: its status alone does not say that."""
    done = subprocess.run(["perf", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wrong = [word for word in ("failed to process", "Couldn't decompress", "incompatible", "size field is 0")
             if word in done.stdout]
    return done.stdout, done.returncode == 0 and not wrong


def rounds(text):
    """How many interval blocks perf stat report printed."""
    return len(set(re.findall(r"^\s+(\d+\.\d{9}) ", text, re.MULTILINE)))


def look(path, begun_ns, killed_ns):
    """Problems with one killed recording: (those of pstat-report, those of perf)."""
    recording = Recording(path, "--time", "mono", allowed=(0, 1))
    if not recording.intervals:
        return ([] if killed_ns - begun_ns < LIMIT_NS else [f"{path}: nothing to read"]), []
    missing = killed_ns - recording.intervals[-1][1]
    own, others = [], []
    if not -10_000_000 < missing < LIMIT_NS:
        own.append(f"{path}: {missing / 1e9:.3f} s are missing")
    if not recording.is_ordered:
        own.append(f"{path}: intervals overlap")
    stat, content = perf("stat", "report", "-i", path)
    if not content or rounds(stat) != len(recording.intervals):
        others.append(f"{path}: perf stat report shows {rounds(stat)} of {len(recording.intervals)} rounds")
    script, content = perf("script", "-i", path)
    if not content or "pstat:resume" not in script:
        others.append(f"{path}: perf script cannot read it")
    return own, others


def main():
    seed = int(os.environ.get("PSTAT_SEED", time.time_ns()))
    chance = random.Random(seed)
    print(f"PSTAT_SEED={seed}")
    own, others = [], []
    for batch in range(KILLS // AT_ONCE):
        running = []
        for i in range(AT_ONCE):
            path = f"kill-{batch}-{i}.data"
            # Many readings fill a frame by themselves, few wait for the checkpoint.
            process = start(path, (6, 0, 1)[i % 3], (2, 20)[i % 2])
            begun = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
            running.append((begun / 1e9 + chance.uniform(0.0, 2.2), path, begun, process))
        for due, path, begun, process in sorted(running, key=lambda entry: entry[0]):
            time.sleep(max(0.0, due - time.monotonic()))
            process.send_signal(signal.SIGKILL)
            killed_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
            process.wait()
            found = look(path, begun, killed_ns)
            own += found[0]
            others += found[1]
    for problem in own + others:
        print(problem, file=sys.stderr)
    # Between the two writes of a checkpoint perf has no feature table, and cannot read a compressed file without it
    # (pstat-report can). The moment is short but, on a busy machine, one kill of 50 may fall into it.
    return bool(own) or len(others) > 1


if __name__ == "__main__":
    sys.exit(main())
