"""Rewrites recordings and lets stock perf judge the result: convert.py FILE... Driven by convert.sh.

For every file: the output holds what pstat-report finds in the input, stock perf finds the same numbers in it as pstat-report,
and rewriting the output again gives the same bytes.
"""

import json
import os
import re
import subprocess
import sys

REPORT = os.environ["PSTAT_REPORT"]
OUT, AGAIN = "out.data", "again.data"
# Records that are turned into the head, or that stand around others.
CONSUMED = ("COMPRESSED", "COMPRESSED2", "HEADER_ATTR", "HEADER_FEATURE", "HEADER_TRACING_DATA", "HEADER_BUILD_ID")
# Records that perf 6.1 reads without counting them, or counts under other conditions.
UNCOUNTED = ("HEADER_EVENT_TYPE", "FINISHED_ROUND", "AUX", "STAT_CONFIG", "BPF_EVENT")
# Its attrs are noise: no reader can make sense of the samples.
NOISE = ("bad-sampletype-all.data",)
problems = []


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          timeout=60, check=False)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def stats(path):
    status, out, err = run(REPORT, "-f", "stats", path)
    return status, json.loads(out) if status < 2 else {}, err


def contents(found):
    return {name: n for name, n in found["records"].items() if name not in CONSUMED}


def perf_counts(path):
    """What perf report --stats counts, by type, before it goes on to single events."""
    _, out, err = run("perf", "report", "--stats", "-i", path)
    counts = {}
    for line in out.splitlines():
        found = re.match(r"\s*(\w+) events:\s+(\d+)", line)
        if found and found[1] != "TOTAL":
            counts[found[1]] = int(found[2])
        elif line.endswith(" stats:") and counts:
            break
    return counts, err


def compare_input(before, after, lost):
    """What is wrong with the output as a copy of the input. Nothing may differ unless something was lost."""
    if lost:
        return
    yield before["events"] == after["events"], "other events"
    yield before.get("stat") == after.get("stat"), "other readings"
    yield contents(before) == contents(after), f"other records: {contents(before)} and {contents(after)}"
    yield before.get("last_sample_time") == after.get("last_sample_time"), "other times"


def compare_perf(after):
    records = contents(after)
    if not records:
        return  # perf has nothing to say about a file without records
    counts, err = perf_counts(OUT)
    wrong = {name: (n, counts.get(name, 0)) for name, n in records.items()
             if name not in UNCOUNTED and counts.get(name, 0) != n}
    yield not wrong, f"perf report --stats counts otherwise: {wrong} {err[-300:]}"
    status, out, err = run("perf", "script", "-i", OUT)
    yield status == 0, f"perf script: status {status} {err[-300:]}"
    samples = sum(event["samples"] for event in after["events"])
    yield not samples or out.strip() != "", "perf script prints nothing"
    status, out, err = run("perf", "evlist", "-i", OUT)
    names = [line for line in out.splitlines() if line and not line.startswith("#")]
    yield len(names) == len(after["events"]), f"perf evlist names {names}"


def compare_stat_report(path, before, after, clean):
    """perf stat report prints the same of the output as of an input that it can read."""
    if not after.get("stat", {}).get("rounds"):
        return
    status, out, err = run("perf", "stat", "report", "-i", OUT)
    yield status == 0 and (out + err).strip() != "", f"perf stat report: status {status} {err[-300:]}"
    if before["kind"] == "regular" and before["byte_order"] == sys.byteorder and clean:
        old, old_out, old_err = run("perf", "stat", "report", "-i", path)
        yield old != 0 or (old_out, old_err) == (out, err), "perf stat report prints something else"


def compare_again(options):
    status, _, err = run(REPORT, "--convert", AGAIN, *options, OUT)
    with open(OUT, "rb") as first, open(AGAIN, "rb") as second:
        yield status == 0 and first.read() == second.read(), f"rewriting it again gives other bytes: {err[-300:]}"


def check(path, options):
    """Whether path was rewritten."""
    for left in (OUT, AGAIN):
        if os.path.exists(left):
            os.unlink(left)
    status, _, err = run(REPORT, "--repair", OUT, *options, path)
    read, before, _ = stats(path)
    if status == 2 and read == 2:
        if os.path.exists(OUT):
            problems.append(f"{path}: an unreadable input left an output")
        return False
    checks = [(status == read or (status, read) == (1, 0), f"status {status} where reading gives {read}: {err}")]
    if os.path.exists(OUT):
        again, after, warnings = stats(OUT)
        checks.append((again == 0 and not after["warnings"], f"the output is not clean: {warnings}"))
        checks += compare_input(before, after, not re.search("nothing (more )?was lost", err))
        checks += compare_again(options)
        if os.path.basename(path) not in NOISE:
            checks += compare_perf(after)
            checks += compare_stat_report(path, before, after, status == 0 and "nothing was lost" in err)
    for good, message in checks:
        if not good:
            problems.append(f"{path} {' '.join(options)}: {message}")
    return True


def main():
    rewritten = 0
    for path in sys.argv[1:]:
        for options in ([], ["-z", "3"]):
            rewritten += check(path, options)
    for problem in problems:
        print(problem)
    print(f"{rewritten} outputs of {len(sys.argv) - 1} files")
    return 1 if problems or not rewritten else 0


if __name__ == "__main__":
    sys.exit(main())
