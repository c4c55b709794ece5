"""Reads a recording cut at every STEPth byte: cut.py FILE STEP [data]. Driven by cut.sh."""

import os
import struct
import sys
from concurrent.futures import ThreadPoolExecutor

REPORT = os.environ["PSTAT_REPORT"]
WRITE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


def run(path):
    """Status, output and messages of a report. Into files and without subprocess, because this runs many thousand times."""
    out, messages = f"{path}.out", f"{path}.err"
    files = [(os.POSIX_SPAWN_OPEN, 1, out, WRITE, 0o600), (os.POSIX_SPAWN_OPEN, 2, messages, WRITE, 0o600)]
    pid = os.posix_spawn(REPORT, [REPORT, "-f", "csv", path], os.environ, file_actions=files)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    texts = []
    for name in (out, messages):
        with open(name) as file:
            texts.append(file.read())
        os.unlink(name)
    return status, *texts


def without_source(text):
    """The rows without the column that holds the file's name."""
    return [line.partition(",")[2] for line in text.splitlines()]


def is_stream(whole):
    return struct.unpack_from("=Q", whole, 8)[0] == 16


def look(whole, whole_rows, length):
    path = f"cut-{length}.data"
    with open(path, "wb") as out:
        out.write(whole[:length])
    status, text, messages = run(path)
    os.unlink(path)
    # A stream that ends with a whole record may have ended so. A file says how long it is.
    if status not in ((0, 1, 2) if is_stream(whole) else (1, 2)):
        return f"cut at {length}: status {status}: {messages[-2000:]}"
    if status and not messages.startswith("pstat-report: "):
        return f"cut at {length}: status {status} without a word"
    rows = without_source(text)
    # The last row may be of a pause or interval that the cut has made shorter.
    if status != 2 and rows[:-1] != whole_rows[:len(rows) - 1]:
        return f"cut at {length}: rows that the whole file does not have"
    return None


def main(path, step, part="all"):
    with open(path, "rb") as file:
        whole = file.read()
    status, text, messages = run(path)
    if status:
        sys.exit(f"{path}: status {status}\n{messages}")
    whole_rows = without_source(text)
    # "data": not again in the head, which other forms have too. Its end stands at byte 40 of the file header.
    start = struct.unpack_from("=Q", whole, 40)[0] if part == "data" else 0
    lengths = range(start, len(whole), int(step))
    with ThreadPoolExecutor(2) as pool:
        problems = [found for found in pool.map(lambda n: look(whole, whole_rows, n), lengths) if found]
    for found in problems[:10]:
        print(found, file=sys.stderr)
    print(f"{path}: {len(whole)} bytes, {len(lengths)} cuts, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
