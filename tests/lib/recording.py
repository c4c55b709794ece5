#!/usr/bin/env python3
"""What a recording holds, as pstat-report tells it. Scripts use it to check expressions about a file; the comparisons with
perf import it. Times are integers in ns since t0, counts are integers.

    recording.py FILE EXPRESSION...      status 0 when each is true, else 1 with what was found instead
"""

import csv
import io
import json
import os
import subprocess
import sys

REPORT = os.environ.get("PSTAT_REPORT", "pstat-report")


def ns(text):
    """A decimal number of seconds as an integer of ns, exactly."""
    whole, _, fraction = text.partition(".")
    value = int(whole.lstrip("-") or 0) * 10**9 + int((fraction + "000000000")[:9])
    return -value if text.startswith("-") else value


def report(path, *options, allowed=(0,)):
    done = subprocess.run([REPORT, *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in allowed:
        sys.exit(f"pstat-report {' '.join(options)} {path}: status {done.returncode}\n{done.stderr}")
    return done.stdout


class Recording:
    def __init__(self, path, *options, allowed=(0,)):
        self.path, self.options, self.allowed = path, options, allowed
        self._objects = None
        self.table = list(csv.DictReader(io.StringIO(report(path, "-f", "csv", *options, allowed=allowed))))
        self.rows = [row for row in self.table if row["state"] == "run"]
        self.pauses = [(ns(row["start_s"]), ns(row["end_s"])) for row in self.table if row["state"] == "pause"]
        self.events = list(dict.fromkeys(row["event"] for row in self.rows))
        self.intervals = list(dict.fromkeys((ns(row["start_s"]), ns(row["end_s"])) for row in self.rows))
        self.windows = list(dict.fromkeys(row["window"] for row in self.rows))

    def values(self, event):
        """One per interval (and CPU or thread); None where it could not count."""
        return [int(row["value"]) if row["value"] else None for row in self.rows if row["event"] == event]

    def notes(self, event):
        return sorted({row["note"] for row in self.rows if row["event"] == event})

    def counted(self, event):
        return sum(value or 0 for value in self.values(event))

    def objects(self, kind):
        """The JSON objects of one type."""
        if self._objects is None:
            text = report(self.path, "-f", "json", *self.options, allowed=self.allowed)
            self._objects = [json.loads(line) for line in text.splitlines()]
        return [item for item in self._objects if item["type"] == kind]

    @property
    def markers(self):
        """(what, cause) of each, in order: ("resume", "start")."""
        return [(item["marker"], item["cause"]) for item in self.objects("marker")]

    def total(self, event):
        """The total of all windows as the report gives it; None where it could not count."""
        for item in self.objects("total"):
            for entry in item["values"]:
                if entry["event"] == event:
                    return entry["value"]
        raise KeyError(event)

    @property
    def adds_up(self):
        """The intervals of every event add up to its total."""
        return bool(self.events) and all(self.counted(event) == (self.total(event) or 0) for event in self.events)

    @property
    def is_ordered(self):
        """Intervals and pauses follow each other, none is empty, none overlaps another."""
        spans = sorted(self.intervals + self.pauses)
        return all(a < b for a, b in spans) and all(x[1] <= y[0] for x, y in zip(spans, spans[1:]))

    def names(self):
        """What expressions may use. A process's own clock goes on while the kernel switches to it and from it, the event's does not:
        of a ms of the former (CPU_MS) a tenth is granted, on busy CPUs it was up to 0.7 %."""
        public = {name: getattr(self, name) for name in dir(type(self)) if not name.startswith("_")}
        return {**public, **vars(self), "MS": 10**6, "CPU_MS": 9 * 10**5}


def shortened(items):
    shown = [str(item) for item in items]
    return f"{len(shown)}: " + " ".join(shown if len(shown) < 12 else shown[:6] + ["..."] + shown[-5:])


def main(path, *expressions):
    names = Recording(path).names()
    bad = [text for text in expressions if not eval(text, names)]  # the scripts' own expressions
    for text in bad:
        print(f"not true of {path}: {text}", file=sys.stderr)
    if bad:
        for what in ("markers", "windows", "intervals", "pauses"):
            print(f"  {what}: {shortened(names[what])}", file=sys.stderr)
        for event in names["events"]:
            print(f"  {event}: sum {names['counted'](event)} total {names['total'](event)}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
