"""Event totals of a sampled perf.data: each view against the sums of what perf script prints.

    sampled.py FILE [LEADER]

LEADER is an event whose period perf replaces by what its group's values tell; of it only the samples are compared.
"""
import csv
import json
import os
import subprocess
import sys

REPORT = os.environ["PSTAT_REPORT"]


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout


def perf_totals(path):
    totals = {}
    for line in output("perf", "script", "-i", path, "-F", "event,period").splitlines():
        period, event = line.split()
        totals.setdefault(event.rstrip(":"), [0, 0])
        totals[event.rstrip(":")][0] += 1
        totals[event.rstrip(":")][1] += int(period)
    return totals


def main(path, leader=None):
    perf = perf_totals(path)
    total = json.loads(output(REPORT, "-f", "json", path).splitlines()[-1])
    ours = {value["event"]: [value["samples"], value["period"]] for value in total["values"] if value.get("samples")}
    rows = {row["event"]: row for row in csv.DictReader(output(REPORT, "-f", "csv", path).splitlines())}
    wide = next(csv.DictReader(output(REPORT, "-f", "csv-wide", path).splitlines()))
    timeline = output(REPORT, "-f", "timeline", path).splitlines()
    assert perf and set(perf) == set(ours), f"perf has {perf}, pstat-report {ours}"
    assert total["type"] == "total" and len(timeline) == 2, timeline
    for event, (samples, period) in ours.items():
        expected = [perf[event][0], period if event == leader else perf[event][1]]
        assert [samples, period] == expected, f"{event}: {[samples, period]}, perf: {perf[event]}"
        assert rows[event]["note"] == "sampled" and rows[event]["state"] == "run", rows[event]
        assert int(rows[event]["value"]) == period and int(wide[event]) == period, (rows[event], wide)
        assert f"{samples:,}" in output(REPORT, path) and f"{period:,}" in output(REPORT, path)


main(*sys.argv[1:])
