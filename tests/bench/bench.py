#!/usr/bin/env python3
"""Measures what pstat promises about its cost, beside the installed perf, in turns and in one run: every figure is the median
of several runs, with the least that the kernel itself costs next to it. Run it by `make bench`.

    bench.py [--runs N] [--seconds S] [--json FILE] [--only NAME,...]
"""

import argparse
import json
import os
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

BUILD = os.environ.get("PSTAT_BUILDDIR", ".")
PSTAT = os.environ.get("PSTAT", os.path.join(BUILD, "pstat"))
REPORT = os.environ.get("PSTAT_REPORT", os.path.join(BUILD, "pstat-report"))
CONTROLLER = os.path.join(BUILD, "tests/lib/controller")
TOGGLER = os.path.join(BUILD, "tests/lib/toggler")
WORKLOAD = os.path.join(BUILD, "tests/lib/workload")
COST = os.path.join(BUILD, "tests/bench/cost")
PERF = shutil.which("perf")
LIMIT_S = 120  # for one command
EVENTS = "task-clock,page-faults,context-switches,cpu-migrations"


class Failed(Exception):
    """A measurement that could not be made, with the reason."""


def command(*words, statuses=(0,)):
    try:
        done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              stdin=subprocess.DEVNULL, check=False, timeout=LIMIT_S)
    except subprocess.TimeoutExpired as hung:
        raise Failed(f"{' '.join(map(str, words))}: not done after {LIMIT_S} s") from hung
    if done.returncode not in statuses:
        raise Failed(f"{' '.join(map(str, words))}: status {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def cost(*words, statuses=(0,)):
    """Wall time, CPU time and peak memory of a command."""
    with tempfile.NamedTemporaryFile() as out:
        command(COST, "run", out.name, *words, statuses=statuses)
        return json.load(open(out.name))


def rounds(path):
    """The ends of all readings in a recording, in s since t0."""
    ends = dict.fromkeys(line.split(",")[2] for line in command(REPORT, "-f", "csv", path).splitlines()[1:])
    return [float(end) for end in ends]


def in_turns(count, **measurements):
    """Runs each measurement count times, in turns. {name: its results}, without those that fail."""
    results, broken = {name: [] for name in measurements}, {}
    for _ in range(count):
        for name, measure in measurements.items():
            if name in broken:
                continue
            try:
                results[name].append(measure())
            except Failed as failure:
                broken[name] = str(failure)
                print(f"bench: {name}: {failure}", file=sys.stderr)
    return {name: values for name, values in results.items() if values and name not in broken}


def median(values, key=None):
    return statistics.median(value[key] if key else value for value in values) if values else None


class Bench:
    def __init__(self, options):
        self.runs, self.seconds = options.runs, options.seconds
        self.rows = []

    def row(self, what, unit, pstat, perf, floor=None, target=None, at_least=False):
        """target is for the ratio pstat/perf, or (at_least) perf/pstat."""
        ratio = None
        if pstat and perf:
            ratio = perf / pstat if at_least else pstat / perf
        met = None
        if target is not None and ratio is not None:
            met = ratio >= target if at_least else ratio <= target
        self.rows.append({"what": what, "unit": unit, "pstat": pstat, "perf": perf, "floor": floor, "ratio": ratio,
                          "target": target, "target_is": "at least" if at_least else "at most", "met": met})

    # --- answers -------------------------------------------------------------------------------------

    def latency(self):
        os.mkfifo("gate")
        has_text = "--control" in command(PSTAT, "record", "--help")
        for place, pin in (("one CPU", "pin 0"), ("two CPUs", "pin 1")):
            if pin == "pin 1" and len(os.sched_getaffinity(0)) < 2:
                continue

            # The launched program sleeps in the opening of a FIFO until the controller lets it go.
            def toggles(step, *words, end="free gate; reap", pin=pin):
                script = f"{pin}; {step} 4000; close; {end}"
                return json.loads(command("taskset", "-c", "0", CONTROLLER, "-s", script, "--", *words))

            def pstat(*how):
                return (PSTAT, "record", "-q", "-D", "-1", "-I", "0", "-e", EVENTS, *how, "-o", "latency.data", "--",
                        "cat", "gate")

            measurements = {
                "binary": lambda: toggles("time", *pstat("--cmd-fd", "{cmd}", "--cmd-ack-fd", "{ack}")),
                "floor": lambda: toggles("time", WORKLOAD, "echo", "{cmd}", "{ack}", end="reap"),
            }
            if has_text:
                measurements["text"] = lambda: toggles("time-text", *pstat("--control", "fd:{cmd},{ack}"))
            if PERF:
                measurements["perf"] = lambda: toggles("time-text", PERF, "stat", "-D", "-1", "-e", EVENTS, "--control",
                                                       "fd:{cmd},{ack}", "-o", "/dev/null", "--", "cat", "gate")
            found = in_turns(self.runs, **measurements)
            microseconds = {name: median(values, "p50_ns") / 1e3 for name, values in found.items()}
            for name in ("binary", "text"):
                if name in microseconds:
                    self.row(f"answer, p50, {name}, {place}", "us", microseconds[name], microseconds.get("perf"),
                             microseconds.get("floor"), 0.7)

    # --- answers to those inside and in a shell --------------------------------------------------------

    def calls(self):
        """One call of pstat/control.h, and one run of pstat ctl from its start to its end, beside that of a program that does
        nothing."""
        def call(*words):
            return json.loads(command(*words, TOGGLER, "cost", 4000))

        def under_perf():
            # The same program, for perf hands descriptors on: they are FIFOs, open for both directions.
            ends = []
            for name in ("call.cmd", "call.ack"):
                if not os.path.exists(name):
                    os.mkfifo(name)
                ends.append(os.open(name, os.O_RDWR))
            try:
                done = subprocess.run([PERF, "stat", "-D", "-1", "-e", EVENTS, "-o", "/dev/null", "--control",
                                       f"fd:{ends[0]},{ends[1]}", "--", TOGGLER, "cost", "4000", "without-marks"], pass_fds=ends, check=False,
                                      env={**os.environ, "PSTAT_CMD_FD": str(ends[0]), "PSTAT_ACK_FD": str(ends[1])},
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
            finally:
                for end in ends:
                    os.close(end)
            if done.returncode:
                raise Failed(f"a call under perf: status {done.returncode}: {done.stderr.strip()[-300:]}")
            return json.loads(done.stdout)

        def wall_ms(*words):
            times = []
            for _ in range(50):
                start = time.perf_counter()
                command(*words)
                times.append((time.perf_counter() - start) * 1e3)
            return statistics.median(times)

        measurements = {"call": lambda: call(PSTAT, "record", "-q", "-D", "-1", "-I", "0", "-e", EVENTS, "--workload-control",
                                             "-o", "call.data", "--"),
                        "alone": lambda: json.loads(command(TOGGLER, "idle", 100_000_000))["call_ns"],
                        "ctl": lambda: wall_ms(PSTAT, "ctl", "--dir", "ctl", "ping"),
                        "nothing": lambda: wall_ms("true")}
        if PERF:
            measurements["perf"] = under_perf
        session = subprocess.Popen([PSTAT, "record", "-q", "-D", "-1", "-e", EVENTS, "--control-dir", "ctl", "-o", "ctl.data",
                                    "-p", str(os.getpid())])
        try:
            command(PSTAT, "ctl", "--dir", "ctl", "ping")
            found = in_turns(self.runs, **measurements)
        finally:
            session.terminate()
            session.wait()
        for kind in ("resume", "pause", "mark"):
            ours, theirs = (median(found.get(name), f"{kind}_ns") for name in ("call", "perf"))
            self.row(f"header call, p50, {kind}", "us", ours and ours / 1e3, theirs / 1e3 if theirs else None)
        middle = {name: median(found[name]) for name in ("alone", "ctl", "nothing") if name in found}
        self.row("header call, not under control", "ns", middle.get("alone"), None)
        self.row("pstat ctl, whole run", "ms", middle.get("ctl"), None, middle.get("nothing"))

    # --- readings --------------------------------------------------------------------------------------

    def readings(self):
        length_ms = int(self.seconds * 1000)
        wanted = length_ms  # one a millisecond

        def measure(path, *words):
            spent = cost(*words, statuses=(0, 143))
            ends = rounds(path)
            return {"n": len(ends), "cpu_us": spent["cpu_s"] * 1e6 / max(1, len(ends)), "peak_kib": spent["peak_kib"],
                    "share": len(ends) / wanted}

        def pstat():
            return measure("system.data", PSTAT, "record", "-q", "-a", "-I", "1", "-e", EVENTS, "-o", "system.data", "--timeout",
                           length_ms)

        def perf():
            return measure("perf.data", PERF, "stat", "record", "-o", "perf.data", "-a", "-I", "1", "-e", EVENTS, "--",
                           "sleep", self.seconds)

        measurements = {"pstat": pstat, "floor": lambda: json.loads(command(COST, "floor"))}
        if PERF:
            measurements["perf"] = perf
        found = in_turns(self.runs, **measurements)
        ours, theirs = found.get("pstat", []), found.get("perf", [])
        floor = median(found.get("floor", []), "reading_us")
        self.row("CPU time per reading, all CPUs, 1 ms", "us", median(ours, "cpu_us"), median(theirs, "cpu_us"), floor, 0.35)
        share = median(ours, "share")
        self.row("ticks read", "%", share and share * 100, median(theirs, "share") and median(theirs, "share") * 100)
        self.rows[-1].update(target=98, target_is="at least (itself)", met=share is not None and share >= 0.98)
        self.row("peak memory of the recorder", "KiB", median(ours, "peak_kib"), median(theirs, "peak_kib"))

    def size(self):
        """Four times as long as the others, so that the 6 KB of a recording's head do not count as readings."""
        length = self.seconds * 4
        sizes = {}
        command(PSTAT, "record", "-q", "-a", "-I", "1", "-e", EVENTS, "-o", "size.data", "--timeout", int(length * 1000))
        sizes["pstat"] = os.path.getsize("size.data") / max(1, len(rounds("size.data")))
        if PERF:
            command(PERF, "stat", "record", "-o", "size.perf", "-a", "-I", "1", "-e", EVENTS, "--", "sleep", length)
            sizes["perf"] = os.path.getsize("size.perf") / max(1, len(rounds("size.perf")))
        self.row("file size per reading", "bytes", sizes["pstat"], sizes.get("perf"), None, 0.1)

    # --- reports ---------------------------------------------------------------------------------------

    def record_long(self, path, seconds):
        command(PSTAT, "record", "-q", "-a", "-I", "0.2", "-e", EVENTS, "-o", path, "--timeout", int(seconds * 1000))

    def reports(self):
        self.record_long("short.data", self.seconds / 5)
        self.record_long("long.data", self.seconds * 2)
        measurements = {
            "summary": lambda: cost(REPORT, "-o", "out.txt", "long.data"),
            "csv": lambda: cost(REPORT, "-f", "csv", "-o", "out.csv", "long.data"),
            "short": lambda: cost(REPORT, "-o", "out.txt", "short.data"),
        }
        if PERF:
            measurements["perf"] = lambda: cost("sh", "-c", f"exec {PERF} stat report -i long.data >perf.txt 2>&1")
        found = in_turns(self.runs, **measurements)
        seconds = {name: median(values, "wall_s") for name, values in found.items()}
        peak = {name: median(values, "peak_kib") for name, values in found.items()}
        readings = len(rounds("long.data"))
        for name in ("summary", "csv"):
            self.row(f"report of {readings} readings, {name}", "s", seconds.get(name), seconds.get("perf"), None,
                     20 if name == "summary" else None, True)
        self.row("peak memory of the report", "KiB", peak.get("summary"), peak.get("perf"))
        self.row("  on a recording ten times shorter", "KiB", peak.get("short"), None)
        if peak.get("summary") and peak.get("short"):
            growth = peak["summary"] / peak["short"]
            self.rows[-1].update(ratio=growth, target=1.25, target_is="at most (long/short)", met=growth <= 1.25)

    # --- reading foreign files -------------------------------------------------------------------------

    def reading(self):
        """A sampled file of 200 MB: what perf record wrote in a second, its records repeated."""
        if not PERF:
            return
        command(PERF, "record", "-q", "-a", "-F", "20000", "-e", "cpu-clock", "-o", "seed.data", "--", "sleep", "1")
        repeat_records("seed.data", "large.data", 200 << 20)
        megabytes = os.path.getsize("large.data") / 1e6
        found = in_turns(min(self.runs, 3), stats=lambda: cost(REPORT, "-f", "stats", "-o", "out.json", "large.data"),
                         perf=lambda: cost("sh", "-c", f"exec {PERF} report --stats -i large.data >perf.txt 2>&1"),
                         script=lambda: cost("sh", "-c", f"exec {PERF} script -i large.data >/dev/null 2>&1"),
                         floor=lambda: cost(COST, "hop", "large.data"),
                         small=lambda: cost(REPORT, "-f", "stats", "-o", "out.json", "seed.data"))
        command(REPORT, "-f", "stats", "-o", "out.json", "large.data")
        records = sum(json.load(open("out.json"))["records"].values())
        seconds = {name: median(values, "wall_s") for name, values in found.items()}
        peak = {name: median(values, "peak_kib") for name, values in found.items()}
        ours = seconds["stats"]
        for name, label in (("script", "perf script"), ("perf", "perf report --stats")):
            self.row(f"reading {megabytes:.0f} MB beside {label}", "s", ours, seconds.get(name), seconds["floor"], 10,
                     True)
        self.row("  records per second", "1e6/s", records / ours / 1e6, records / seconds["perf"] / 1e6)
        self.row("  bytes per second", "MB/s", megabytes / ours, megabytes / seconds["perf"])
        self.row("  peak memory", "KiB", peak["stats"], peak.get("perf"))
        self.row("  peak memory on the seed of it", "KiB", peak["small"], None)

    # --- drift -----------------------------------------------------------------------------------------

    def drift(self):
        """How late the last readings of ten seconds at 1 ms are against where they should be."""
        def lateness(path):
            ends = rounds(path)[:-1]
            # pstat's ticks name their place on the grid themselves: what is left over is lateness. Of a timer without a
            # grid the n-th reading should come at n ms.
            return {"grid_ms": statistics.median(end * 1e3 % 1 for end in ends[-100:]), "count_ms": ends[-1] * 1e3 - len(ends)}

        command(PSTAT, "record", "-q", "-a", "-I", "1", "-e", EVENTS, "-o", "drift.data", "--timeout", "10000")
        ours = lateness("drift.data")["grid_ms"]
        theirs = None
        if PERF:
            command(PERF, "stat", "record", "-o", "drift.perf", "-a", "-I", "1", "-e", EVENTS, "--", "sleep", "10")
            theirs = lateness("drift.perf")["count_ms"]
        self.row("drift after 10 s at 1 ms", "ms", ours, theirs)
        self.rows[-1].update(target=0.5, target_is="at most (itself)", met=ours <= 0.5)


def repeat_records(source, target, size):
    """A perf.data whose records are those of source over and over; its feature table moves to the new end."""
    data = bytearray(open(source, "rb").read())
    start, length = struct.unpack_from("<QQ", data, 40)
    records, end = data[start:start + length], start + length
    moved = (size // length) * length - length
    features = sum(bin(byte).count("1") for byte in data[72:104])
    struct.pack_into("<Q", data, 48, length + moved)
    for i in range(features):
        offset, = struct.unpack_from("<Q", data, end + 16 * i)
        if offset >= end:
            struct.pack_into("<Q", data, end + 16 * i, offset + moved)
    with open(target, "wb") as out:
        out.write(data[:start])
        for _ in range(size // length):
            out.write(records)
        out.write(data[end:])


def show(value):
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}" if value < 1000 else f"{value:.0f}"
    return str(value)


def print_table(rows):
    titles = ("what", "unit", "pstat", "perf", "floor", "ratio", "target", "")
    lines = [titles]
    for row in rows:
        sign = "" if row["target"] is None else (">= " if row["target_is"].startswith("at least") else "<= ")
        verdict = {None: "", True: "met", False: "MISSED"}[row["met"]]
        lines.append((row["what"], row["unit"], show(row["pstat"]), show(row["perf"]), show(row["floor"]), show(row["ratio"]),
                      sign + show(row["target"]) if sign else "-", verdict))
    widths = [max(len(line[i]) for line in lines) for i in range(len(titles))]
    for line in lines:
        print("  ".join(text.ljust(width) if i < 2 else text.rjust(width)
                        for i, (text, width) in enumerate(zip(line, widths))).rstrip())


def facts():
    return {"kernel": os.uname().release, "machine": os.uname().machine, "cpus": os.cpu_count(),
            "perf": command(PERF, "--version").strip() if PERF else None,
            "pstat": command(PSTAT, "--version").splitlines()[0], "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0, help="length of a recording")
    parser.add_argument("--json", default="bench.json")
    parser.add_argument("--only", default="latency,calls,readings,size,reports,reading,drift")
    options = parser.parse_args()
    bench = Bench(options)
    target = os.path.abspath(options.json)
    if not PERF:
        print("bench: perf is not installed: no ratios", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="pstat-bench.") as folder:
        os.chdir(folder)
        for name in options.only.split(","):
            try:
                getattr(bench, name)()
            except Failed as failure:
                print(f"bench: {name}: {failure}", file=sys.stderr)
        result = {"about": facts(), "runs": options.runs, "rows": bench.rows}
        os.chdir("/")
    print_table(bench.rows)
    with open(target, "w") as out:
        json.dump(result, out, indent=1)
        out.write("\n")
    print(f"also in {target}")
    return 0 if bench.rows else 1


if __name__ == "__main__":
    sys.exit(main())
