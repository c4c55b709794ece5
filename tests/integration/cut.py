"""Reads a recording cut at every STEPth byte: cut.py FILE STEP. Driven by cut.sh."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

REPORT = os.environ["PSTAT_REPORT"]


def run(path):
    return subprocess.run([REPORT, "-f", "csv", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=60)


def without_source(text):
    """The rows without the column that holds the file's name."""
    return [line.partition(",")[2] for line in text.splitlines()]


def look(directory, whole, whole_rows, length):
    path = os.path.join(directory, f"cut-{length}.data")
    with open(path, "wb") as out:
        out.write(whole[:length])
    done = run(path)
    os.unlink(path)
    if done.returncode not in (0, 1, 2):
        return f"cut at {length}: status {done.returncode}: {done.stderr[-2000:]}"
    if done.returncode and not done.stderr.startswith("pstat-report: "):
        return f"cut at {length}: status {done.returncode} without a word"
    rows = without_source(done.stdout)
    # The last row may be of a pause or interval that the cut has made shorter.
    if done.returncode != 2 and rows[:-1] != whole_rows[:len(rows) - 1]:
        return f"cut at {length}: rows that the whole file does not have"
    return None


def main(path, step):
    with open(path, "rb") as file:
        whole = file.read()
    done = run(path)
    if done.returncode:
        sys.exit(f"{path}: status {done.returncode}\n{done.stderr}")
    whole_rows = without_source(done.stdout)
    lengths = range(0, len(whole), int(step))
    with ThreadPoolExecutor(2) as pool:
        problems = [text for text in pool.map(lambda n: look(".", whole, whole_rows, n), lengths) if text]
    for text in problems[:10]:
        print(text, file=sys.stderr)
    print(f"{path}: {len(whole)} bytes, {len(lengths)} cuts, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
