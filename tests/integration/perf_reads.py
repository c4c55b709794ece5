"""Compares what stock perf and pstat-report say about a recording: perf_reads.py FILE. Driven by perf-reads.sh."""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["PSTAT_SRCDIR"], "tests", "lib"))
from recording import Recording, ns, report  # noqa: E402

MARKERS = ("pstat:pause", "pstat:resume", "pstat:mark")
COUNT = re.compile(r"^\s*(?:(\d+\.\d{9})\s+)?(<not counted>|<not supported>|[\d.]+)\s+(?:(msec|ns|Joules)\s+)?([\w:/=,-]+)"
                   r"(?:\s|$)")
problems = []


def expect(condition, message):
    if not condition:
        problems.append(message)


def perf(*command):
    """All that perf prints; perf stat report prints counts to standard error."""
    done = subprocess.run(["perf", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL)
    expect(done.returncode == 0, f"perf {' '.join(command)}: status {done.returncode}\n{done.stdout[-1000:]}")
    for word in ("failed to process", "decompress", "out of order", "WARNING", "unknown", "[0x"):
        expect(word not in done.stdout.replace("[unknown]", ""),
               f"perf {' '.join(command)} says {word}:\n{done.stdout[-1000:]}")
    return done.stdout


def same(ours, theirs, unit):
    """A count of ours (None: it could not count) and what perf printed for it."""
    if ours is None:
        return theirs in ("<not counted>", "<not supported>")
    if theirs == "<not counted>":  # what perf says of a counter whose task slept all the time
        return ours == 0
    if unit == "msec":
        return abs(float(theirs) - ours / 1e6) < 0.00501
    return theirs == str(ours)


def blocks_of_stat_report(text):
    """{time in ns or None: {event: (count, unit)}}"""
    blocks = {}
    for line in text.splitlines():
        found = COUNT.match(line)
        if found and not line.lstrip().startswith("#") and found[4] not in ("seconds",):
            when = ns(found[1]) if found[1] else None
            blocks.setdefault(when, {})[found[4]] = (found[2], found[3])
    return blocks


def compare_counts(path, recording):
    blocks = blocks_of_stat_report(perf("stat", "report", "-i", path))
    expect(blocks, "perf stat report prints no counts")
    single = list(blocks) == [None]
    compared = 0
    for row in recording.rows:
        when = None if single else ns(row["end_s"])
        theirs, unit = blocks.get(when, {}).get(row["event"], (None, None))
        ours = int(row["value"]) if row["value"] else None
        expect(theirs is not None and same(ours, theirs, unit),
               f"{row['event']} up to {row['end_s']}: pstat-report {row['value'] or row['note']}, perf {theirs}")
        compared += 1
    if not recording.rows:
        for events in blocks.values():
            for event, (count, _) in events.items():
                expect(event in MARKERS or count in ("<not counted>", "<not supported>", "0", "0.00"),
                       f"never resumed, and yet perf prints {count} {event}")
    return compared


def compare_markers(path, recording):
    lines = re.findall(r"(\d+\.\d{9}):\s+1\s+(pstat:\w+):", perf("script", "--ns", "-i", path))
    pauses = [(ns(row["start_s"]), ns(row["end_s"]))
              for row in Recording(path, "--time", "mono").table if row["state"] == "pause"]
    times = {what: [ns(when) for when, event in lines if event == what] for what in MARKERS}
    expect(len(lines) == len(recording.markers), f"perf script shows {len(lines)} markers, not {len(recording.markers)}")
    expect([event.partition(":")[2] for _, event in lines] == [what for what, _ in recording.markers],
           "markers in another order")
    for start, end in pauses:
        expect(start in times["pstat:pause"], f"no pause marker at {start}")
        expect(end in times["pstat:resume"] or end == pauses[-1][1], f"no resume marker at {end}")
    return len(lines)


def compare_events(path, is_stream):
    listed = perf("evlist", "-v", "-i", path).splitlines()
    names = [line.partition(": ")[0] for line in listed if "sample_type" in line or ": type" in line or ": size" in line]
    # Of a stream perf evlist reads the attrs only, and pstat's markers are dummy events there.
    # Marks have an event where they can come: with text control or keys.
    n = 3 if MARKERS[2] in names else 2
    expect(is_stream or names[-n:] == list(MARKERS)[:n], f"perf evlist: {names}")
    expect(all("IDENTIFIER" in line for line in listed if ": type" in line or ": size" in line), "sample types differ")
    return names[:-n]


HEADER = ("hostname", "os release", "arch", "nrcpus online", "nrcpus avail", "cpudesc", "cpuid", "total memory", "cmdline")


def header_lines(text):
    found = {}
    for line in text.splitlines():
        name, colon, value = line.lstrip("# ").partition(" : ")
        if colon and name.strip() in HEADER:
            found[name.strip()] = value.strip()
    return found


def compare_header(path, is_stream):
    theirs = perf("report", "--header-only", "-I", "-i", path)
    ours = report(path, "-f", "header")
    if is_stream:  # perf shows no features of a stream here
        return 0
    a, b = header_lines(theirs), header_lines(ours)
    for name in HEADER:
        expect(name in a and a[name] == b.get(name), f"header {name}: perf {a.get(name)!r}, pstat-report {b.get(name)!r}")
    expect("pstat" in a.get("cmdline", ""), "no command line")
    expect(a.get("hostname") == os.uname().nodename, "not this host")
    return len(a)


def main(path):
    recording = Recording(path)
    with open(path, "rb") as file:
        is_stream = file.read(16)[8] == 16
    counts = compare_counts(path, recording)
    markers = compare_markers(path, recording)
    events = compare_events(path, is_stream)
    expect(not recording.events or events == recording.events, f"events {events} instead of {recording.events}")
    features = compare_header(path, is_stream)
    for text in problems[:12]:
        print(text, file=sys.stderr)
    print(f"{path}: {counts} counts, {markers} markers, {len(events)} events, {features} header lines,"
          f" {len(problems)} differences")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
