#!/usr/bin/env python3
"""Checks that the labels of a recording's windows are the same in every view, and that the summary's table by label is the
arithmetic of the windows.

    labels.py FILE LABEL...     the labels of its windows, in order ("" for none)
"""

import csv
import io
import json
import math
import os
import subprocess
import sys

REPORT = os.environ.get("PSTAT_REPORT", "pstat-report")
EVENT = "page-faults"


def report(path, view):
    return subprocess.run([REPORT, "-f", view, path], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8")


def check(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got!r} instead of {wanted!r}")


def window_names(labels):
    return [f"{n}:{label}" if label else str(n) for n, label in enumerate(labels, 1)]


def check_csv(path, labels):
    for view in ("csv", "csv-wide"):
        rows = list(csv.DictReader(io.StringIO(report(path, view), newline="")))
        if any(None in row or None in row.values() for row in rows):
            sys.exit(f"{view}: a row is too long or too short")
        check(view, list(dict.fromkeys(row["window"] for row in rows if row["state"] == "run")), window_names(labels))


def windows_of(path):
    return [item for item in map(json.loads, report(path, "json").splitlines()) if item["type"] == "window"]


def shown(label):
    """As a terminal gets it."""
    return "".join(c if c.isprintable() else "?" for c in label)


def table(path):
    """The numbers of EVENT by label, from the summary's table by label."""
    rows, label, within = {}, None, False
    for line in report(path, "summary").splitlines():
        if line.startswith("windows "):
            within, columns = True, {name: line.index(name) for name in ("windows", "time s", "event")}
        elif within and not line:
            break
        elif within:
            n = line[:columns["event"]].split()
            if n:  # "label n time": the label may hold blanks
                label = line[:columns["event"]].rstrip().rsplit(None, 2)[0].rstrip()
            cells = line.split()
            if EVENT in cells:
                rows[label] = [float(cell.replace(",", "")) for cell in cells[cells.index(EVENT) + 1:][:5]]
    return rows


def check_summary(path, windows):
    by_label = {}
    for window in windows:
        value, = (entry["value"] for entry in window["values"] if entry["event"] == EVENT)
        by_label.setdefault(shown(window["label"] or "(no label)"), []).append(value)
    found = table(path)
    check("labels of the summary", sorted(label for label in found if label != "(all)"), sorted(by_label))
    for label, values in by_label.items():
        n, mean = len(values), sum(values) / len(values)
        deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1)) if n > 1 else 0
        wanted = [sum(values), mean, min(values), max(values), deviation]
        for name, got, want in zip(("total", "mean", "min", "max", "stddev"), found[label], wanted):
            if abs(got - want) > max(0.51, abs(want) / 100):
                sys.exit(f"{name} of {label!r}: {got} instead of {want}")


def main(path, *labels):
    windows = windows_of(path)
    check("json", [window["label"] or "" for window in windows], list(labels))
    check_csv(path, labels)
    timeline = report(path, "timeline")
    for label in labels:
        if label and f"-- window {shown(label)} at " not in timeline:
            sys.exit(f"timeline: no window {shown(label)!r}")
    check_summary(path, windows)


if __name__ == "__main__":
    main(*sys.argv[1:])
