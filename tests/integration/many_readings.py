"""Compares the memory that views and --convert take for recordings of few and of very many readings."""

import json
import os
import struct
import subprocess
import sys

REPORT = os.environ["PSTAT_REPORT"]
COST = os.path.join(os.environ["PSTAT_BUILDDIR"], "tests/bench/cost")
ALLOWED_KIB = 2048  # what an allocator may do by chance
MANY = int(os.environ.get("PSTAT_READINGS") or 1000000)


def attr():
    return struct.pack("<IIQQQQQ", 1, 128, 1, 0, 0x10187, 3, 1 << 18) + bytes(80)


def write(path, readings):
    """A seekable perf.data with one event, one cell and so many readings."""
    maps = struct.pack("<IHHQQ16s", 73, 0, 40, 1, (1 << 64) - 1, b"")
    maps += struct.pack("<IHHHHHH", 74, 0, 16, 0, 1, 0xffff, 0)
    maps += struct.pack("<IHHQQQ", 75, 0, 32, 1, 1, 1)
    each = struct.Struct("<IHHQiIQQQIHHQQ")
    size = len(maps) + readings * each.size
    with open(path, "wb") as out:
        out.write(b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, 144, 112, 144, 256, size, 0, 0) + bytes(32))
        out.write(struct.pack("<Q", 7) + attr() + struct.pack("<QQ", 104, 8) + maps)
        for i in range(1, readings + 1):
            out.write(each.pack(76, 0, 48, 7, -1, 0, i, i * 1000, i * 1000, 77, 0, 24, 0, i * 1000))


def peak_kib(*command):
    """The most memory that a command had, measured from a small process: wait4(2) counts what was there before the exec."""
    done = subprocess.run([COST, "run", "cost.json", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}")
    with open("cost.json") as cost:
        return json.load(cost)["peak_kib"]


def main():
    write("few.data", 20000)
    write("many.data", MANY)
    for options in (["-f", "csv"], ["-f", "json"], ["-f", "stats"], ["-f", "summary"], ["--convert", "copy.data"]):
        few, many = (peak_kib(REPORT, *options, path) for path in ("few.data", "many.data"))
        print(f"{' '.join(options)}: {few} KiB and {many} KiB")
        if many > few + ALLOWED_KIB:
            sys.exit("memory grows with the number of readings")


if __name__ == "__main__":
    main()
